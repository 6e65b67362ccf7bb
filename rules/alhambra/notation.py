"""Text notation of moves and games: one line per move.

    buy market-denar denar-4 denar-5            a verb and its nouns, separated by spaces
    place garden-10-n @1,-2
    take_money +denar-5 +gulden-1

The form of a noun shows what it is; no ruleset is needed to read it:

    @1,-2   cell          +denar-5   card of the display      #2    seat            $id   card from the hand
    r90     rotation      &coin-3    item                     =12   amount          :id   slot
    ^NE     side          %id        piece                    !gate choice          ~id   tile

The marks of the last column are written only where necessary. A bare word is a card if it looks like one (`denar-5`,
`diamond-6`, `builder-denar`, `exchange_…`, `gate`, `scoring-1`), a slot if it is named like one (`market-denar`,
`reserve`), a building type or currency if it is the name of one, and otherwise a tile. A word with a space, quotation
mark, semicolon or backslash is quoted as in JSON. A semicolon starts a comment.

A game starts with `key: value` lines for its options. Then each entry of the log has a line, starting with the seat:

    notation: alhambra/1
    seat: "Ada" white 36
    seat: "Grace" red
    seed: "a seed"

    0 take_money +denar-5
    1 undo
    1 resign

A rules upgrade is a line with the id of the new ruleset and the state with which it continues:

    engine 1:de_revised_2019:base:3:0011223344556677 eNrtXVuT…

The text of a game contains its seed. Show it only for finished games, or to readers who may know everything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from .components import CURRENCIES, TYPES
from .game import Game
from .migrations import too_old
from .moves import LIST_LIMIT, NOUNS, TEXT_LIMIT, Move, malformed
from .options import CHOICES, OPTIONS_VERSION, Options
from .replay import ENTRY_LIMIT, UPGRADES_LIMIT, LogReplay, replay_log
from .rules_upgrades import NO_SEAT, STATE_LIMIT, RulesUpgrade
from .ruleset import rules_for
from .undo import Entry
from .violations import BadNotation, BadOptions, BadState, IllegalMove

FORMAT = "alhambra/1"
MOVE_LIMIT = 65_536
UPGRADE_LIMIT = STATE_LIMIT
GAME_LIMIT = 4_000_000
"""Maximum number of characters in the text of a game."""
WORD_LIMIT = 4 * LIST_LIMIT
"""Maximum number of words in a line: more than a move with all its lists has."""
HEADER_LIMIT = 100
"""Maximum number of header lines of a game."""

MARKS = {
    "cell": "@",
    "side": "^",
    "piece": "%",
    "items": "&",
    "display": "+",
    "choice": "!",
    "seat": "#",
    "amount": "=",
    "cards": "$",
    "slot": ":",
    "tile": "~",
}
_NOUN_OF_MARK = {mark: noun for noun, mark in MARKS.items()}
_LEXICAL = ("cards", "slot", "tile")
"""Nouns written without a mark if the word shows what it is."""
_LISTS = ("cards", "display", "items")
_ENTRY_WORDS = ("undo", "resign")
_UPGRADE = "engine "
_HEADED = {"version", "seats", "seed", "edition", "modules", "variants", "turn_limit"}
"""Options with header lines of their own; all others are rule options."""

_CARD = re.compile(
    rf"(?:{'|'.join(CURRENCIES)}|diamond|scoring)-[0-9]+|builder-(?:{'|'.join(CURRENCIES)})|exchange_.*|gate"
)
_SLOT = re.compile(
    r"(?:market|beside|square|personal|room|number|extension|colours|fresh|fruit)-.*"
    r"|bazaar|sultan|reserve|project"
)
_ROTATION = re.compile(r"r(0|[1-9][0-9]{0,2})")
_NUMBER = r"(0|-?[1-9][0-9]{0,9})"
_WHOLE = re.compile(r"0|[1-9][0-9]{0,9}")
_CELL = re.compile(f"{_NUMBER},{_NUMBER}")
_VERB = re.compile(r"[a-z][a-z0-9_]*")
_PLAIN = re.compile(r'[^\s";\\]+')
_WORD = re.compile(rf'([{re.escape("".join(_NOUN_OF_MARK))}]?)("(?:[^"\\]|\\.)*")(?=[\s;]|$)|([^\s";\\]+)(?=[\s;]|$)')


class _Word(NamedTuple):
    """One word of a line: the mark before a quoted text, the text, and its column (from 1)."""

    mark: str
    text: str
    column: int
    quoted: bool


def _bad(message: str, **where: Any) -> BadNotation:
    return BadNotation("TEXT_MALFORMED", message, **where)


def _check_size(text: object, what: str, limit: int) -> None:
    if not isinstance(text, str) or len(text) > limit:
        raise _bad(f"{what} must be a text of at most {limit} characters")


def _words(line: str) -> Iterator[_Word]:
    at = count = 0
    while at < len(line):
        if line[at] in " \t":
            at += 1
            continue
        if line[at] == ";":
            return
        found = _WORD.match(line, at)
        if found is None:
            raise _bad(f"column {at + 1} cannot be read: {line[at : at + 20]!r}", column=at + 1)
        count += 1
        if count > WORD_LIMIT:
            raise _bad(f"more than {WORD_LIMIT} words in a line", column=at + 1)
        mark, quoted, bare = found.groups()
        yield _Word(mark or "", _unquote(quoted, at + 1) if quoted else bare, at + 1, bool(quoted))
        at = found.end()


def _unquote(text: str, column: int) -> str:
    try:
        found: str = json.loads(text)
    except ValueError:
        raise _bad(f"column {column}: the quoted text cannot be read", column=column) from None
    return found


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())


# -- A move ----------------------------------------------------------------------------------------------------------


def _noun_of_word(word: str) -> str:
    """Return the noun that a bare word stands for, judging by its form."""
    if word in TYPES:
        return "type"
    if word in CURRENCIES:
        return "currency"
    if _ROTATION.fullmatch(word):
        return "rotation"
    if _CARD.fullmatch(word):
        return "cards"
    return "slot" if _SLOT.fullmatch(word) else "tile"


def write_move(move: Move) -> str:
    """Return the move as text; `read_move` reads it."""
    plain = _VERB.fullmatch(move.verb) and move.verb not in _ENTRY_WORDS
    words = [move.verb if plain else _quote(move.verb)]
    value: Any
    for noun, value in zip(NOUNS, move[1:], strict=True):
        if value is None:
            continue
        if noun in _LISTS:
            words += [_write_id(noun, entry) for entry in value]
        elif noun == "cell":
            words.append(f"@{value[0]},{value[1]}")
        elif noun == "rotation":
            words.append(f"r{value}")
        elif noun in ("type", "currency"):
            words.append(value)
        elif noun in ("seat", "amount"):
            words.append(f"{MARKS[noun]}{value}")
        else:
            words.append(_write_id(noun, value))
    return " ".join(words)


def _write_id(noun: str, text: str) -> str:
    if not _PLAIN.fullmatch(text):
        return MARKS[noun] + _quote(text)
    if noun in _LEXICAL and text[0] not in _NOUN_OF_MARK and _noun_of_word(text) == noun:
        return text
    return MARKS[noun] + text


def read_move(text: str) -> Move:
    """Return the move written as this text. Raise BadNotation saying what cannot be read, and where."""
    _check_size(text, "a move", MOVE_LIMIT)
    return _read_words(list(_words(text)))


def _read_words(words: list[_Word]) -> Move:
    if not words:
        raise _bad("a move must start with a verb", column=1)
    verb, *rest = words
    if verb.mark or not 0 < len(verb.text) <= TEXT_LIMIT or not verb.text.isprintable():
        raise _bad(f"a move must start with a verb, not with {verb.text[:TEXT_LIMIT]!r}", column=verb.column)
    if not verb.quoted and not _VERB.fullmatch(verb.text):
        raise _bad(f"{verb.text[:TEXT_LIMIT]!r} is no valid verb; quote unusual verbs", column=verb.column)
    nouns: dict[str, Any] = {}
    for word in rest:
        noun, value = _read_noun(word)
        if noun in _LISTS:
            nouns.setdefault(noun, []).append(value)
            if len(nouns[noun]) > LIST_LIMIT:
                raise _bad(f"more than {LIST_LIMIT} {noun}", column=word.column, noun=noun)
        elif noun in nouns:
            raise _bad(f"column {word.column}: a second {noun}, {word.text!r}", column=word.column, noun=noun)
        else:
            nouns[noun] = value
    lists = {noun: tuple(sorted(nouns[noun])) for noun in _LISTS if noun in nouns}
    move = Move(verb.text, **{**nouns, **lists})
    for fault in malformed(move):
        raise _bad(f"the {fault.noun} cannot be {fault.metadata.get('value')!r}", noun=fault.noun)
    return move


def _read_noun(word: _Word) -> tuple[str, Any]:
    mark, text = word.mark, word.text
    if not word.quoted and text[0] in _NOUN_OF_MARK:
        mark, text = text[0], text[1:]
    if mark:
        noun = _NOUN_OF_MARK[mark]
    elif word.quoted:
        raise _bad(f"column {word.column}: a quoted text needs a mark before it", column=word.column)
    else:
        noun = _noun_of_word(text)
    if noun == "cell":
        found = _CELL.fullmatch(text)
        return noun, (int(found[1]), int(found[2])) if found else _unreadable(word, "a cell is written @x,y")
    if noun == "rotation":
        return noun, int(text[1:])
    if noun in ("seat", "amount"):
        return noun, int(text) if _WHOLE.fullmatch(text) else _unreadable(word, f"{mark} needs a whole number")
    return noun, text or _unreadable(word, f"after {mark} something must follow")


def _unreadable(word: _Word, why: str) -> Any:
    raise _bad(f"column {word.column}: {why}, not {word.text!r}", column=word.column)


# -- A game ----------------------------------------------------------------------------------------------------------


def write_entry(entry: Entry) -> str:
    """Return an entry as one line: the seat, then its move, `undo` or `resign`; or a rules upgrade."""
    if entry.upgrade is not None:
        return f"{entry.kind} {entry.upgrade.ruleset} {entry.upgrade.packed}"
    return f"{entry.seat} {write_move(entry.move) if entry.move else entry.kind}"


def read_entry(text: str) -> Entry:
    """Return the entry written as this line. Raise BadNotation if it cannot be read."""
    _check_size(text, "an entry", UPGRADE_LIMIT if text.startswith(_UPGRADE) else MOVE_LIMIT)
    words = list(_words(text))
    if not words:
        raise _bad("an entry must start with a seat number", column=1)
    return _read_entry(words)


def write_game(game: Game) -> str:
    """Return the whole game as text, including its seed; `read_game` reads it."""
    lines = [*_header(game), "", *(write_entry(entry) for entry in game.log)]
    if game.over:
        lines += ["", f"; over, scores {' '.join(map(str, game.scores))}"]
    return "\n".join(lines) + "\n"


def _header(game: Game) -> Iterator[str]:
    options = game.options
    yield f"notation: {FORMAT}"
    yield f"ruleset: {game.origin}"
    for seat in options.seats:
        age = "" if seat.age is None else f" {seat.age}"
        yield f"seat: {_quote(seat.name)} {seat.colour}{age}"
    yield f"seed: {_quote(options.seed)}"
    yield f"edition: {options.edition}"
    for key, names in (("modules", options.modules), ("variants", options.variants)):
        if names:
            yield f"{key}: {' '.join(name if _PLAIN.fullmatch(name) else _quote(name) for name in names)}"
    yield f"turn_limit: {options.turn_limit}"
    document = options.document()
    if "version" in document:
        yield f"options_version: {document['version']}"
    for option in (*CHOICES, *sorted(document.keys() - CHOICES.keys() - _HEADED)):
        if option in document:
            value = document[option]
            yield f"{option}: {str(value).lower() if isinstance(value, bool) else value}"


def read_game(text: str) -> Game:
    """Return the game written as this text, replayed and verified. Raise BadNotation naming the faulty line."""
    _check_size(text, "a game", GAME_LIMIT)
    lines = []
    for number, words in _lines(text):
        if words:
            lines.append((number, words))
            if len(lines) > ENTRY_LIMIT + HEADER_LIMIT:
                raise _bad(f"more than {ENTRY_LIMIT} moves", line=number)
    header = [(number, words) for number, words in lines if words[0].text.endswith(":")]
    body = lines[len(header) :]
    if header != lines[: len(header)]:
        raise _bad("header line after the first move", line=header[-1][0])
    if len(body) > ENTRY_LIMIT:
        raise _bad(f"more than {ENTRY_LIMIT} moves", line=body[ENTRY_LIMIT][0])
    options, ruleset = _read_header(header)
    try:
        known = rules_for(options).id
    except BadOptions as refusal:
        raise _bad(f"the header: {refusal.message}", reason=refusal.code, **refusal.metadata) from refusal
    entries = [_read_line(number, words) for number, words in body]
    upgrades = sum(entry.upgrade is not None for entry in entries)
    if upgrades > UPGRADES_LIMIT:
        raise _bad(f"more than {UPGRADES_LIMIT} rules upgrades")
    if upgrades:
        return _replayed(options, entries, ruleset or known)
    if ruleset is not None and ruleset != known:
        message = f"the game was written under ruleset {ruleset[:TEXT_LIMIT]}, this is {known}"
        raise BadNotation("REPLAY_FAILED", message, ruleset=known)
    path = LogReplay(options)
    for (number, _), entry in zip(body, entries, strict=True):
        _play_line(path, number, entry)
    return path.game


def _replayed(options: Options, entries: list[Entry], origin: str) -> Game:
    """Return the game of a log with rules upgrades."""
    try:
        return replay_log(options, entries, origin)
    except BadState as fault:
        raise BadNotation(fault.code, fault.message, **fault.metadata) from fault


def _lines(text: str) -> Iterator[tuple[int, list[_Word]]]:
    for number, line in enumerate(text.split("\n"), 1):
        try:
            yield number, list(_words(line.rstrip("\r")))
        except BadNotation as fault:
            raise _on_line(number, fault) from None


def _on_line(number: int, fault: BadNotation) -> BadNotation:
    return BadNotation(fault.code, f"line {number}: {fault.message}", **{**fault.metadata, "line": number})


def _read_line(number: int, words: list[_Word]) -> Entry:
    try:
        return _read_entry(words)
    except BadNotation as fault:
        raise _on_line(number, fault) from None


def _play_line(path: LogReplay, number: int, entry: Entry) -> None:
    try:
        path.step(entry)
    except IllegalMove as refusal:
        violations = [violation.as_dict() for violation in refusal.violations]
        message = f"line {number}: {refusal.message}"
        raise BadNotation("REPLAY_FAILED", message, line=number, violations=violations) from refusal


def _read_entry(words: list[_Word]) -> Entry:
    seat, *rest = words
    if seat.text == "engine" and not seat.quoted:
        return _read_upgrade(rest)
    if not re.fullmatch("[0-9]", seat.text) or seat.quoted:
        raise _bad(f"a line must start with a seat number, not with {seat.text[:TEXT_LIMIT]!r}", column=seat.column)
    if len(rest) == 1 and rest[0].text in _ENTRY_WORDS and not rest[0].quoted:
        return Entry(rest[0].text, int(seat.text))
    return Entry("move", int(seat.text), _read_words(rest))


def _read_upgrade(words: list[_Word]) -> Entry:
    if len(words) != 2 or any(word.mark or word.quoted for word in words):
        raise _bad("a rules upgrade must have the form: engine RULESET STATE", column=1)
    ruleset, packed = words
    return Entry("engine", NO_SEAT, None, RulesUpgrade(ruleset.text, packed.text))


def _read_header(header: list[tuple[int, list[_Word]]]) -> tuple[Options, str | None]:
    """Return the options and the ruleset id of a header."""
    found: dict[str, Any] = {}
    written = _options_version(header)
    if written > OPTIONS_VERSION:
        newer = too_old("options", written, OPTIONS_VERSION)
        raise BadNotation(newer.code, f"the header: {newer.message}", **newer.metadata)
    for number, (key, *values) in header:
        name = key.text[:-1]
        if name in found and name != "seat":
            raise _bad(f"line {number}: {name} is given twice", line=number)
        if name == "seat":
            found.setdefault("seat", []).append(_read_seat(number, values))
        else:
            found[name] = _read_option(number, name, [word.text for word in values], written == OPTIONS_VERSION)
    if found.pop("notation", None) != FORMAT:
        raise _bad(f'the first line of a game must be "notation: {FORMAT}"', line=1)
    ruleset = found.pop("ruleset", None)
    seats = found.pop("seat", [])
    found = {"modules": [], "variants": [], **found, "seats": seats}
    if "options_version" in found:
        found["version"] = found.pop("options_version")
    try:
        return Options.restore(found), ruleset
    except BadOptions as refusal:
        raise _bad(f"the header: {refusal.message}", reason=refusal.code, **refusal.metadata) from refusal


def _options_version(header: list[tuple[int, list[_Word]]]) -> int:
    """Return the options version of a header; 1 if there is none."""
    for _, (key, *values) in header:
        if key.text == "options_version:" and len(values) == 1 and _WHOLE.fullmatch(values[0].text):
            return int(values[0].text)
    return 1


def _read_seat(number: int, words: list[_Word]) -> dict[str, Any]:
    texts = [word.text for word in words]
    if not 2 <= len(texts) <= 3 or (len(texts) == 3 and not re.fullmatch("[0-9]{1,3}", texts[2])):
        raise _bad(f'line {number}: a seat must have the form: seat: "name" colour age', line=number)
    return {"name": texts[0], "colour": texts[1], "age": int(texts[2]) if len(texts) == 3 else None}


def _read_option(number: int, name: str, texts: list[str], strict: bool) -> Any:
    """Return the value of an option line. Unless `strict`, options of earlier versions are accepted."""
    if name in ("modules", "variants"):
        return texts
    if strict and name not in ("notation", "ruleset", "seed", "edition", "turn_limit", "options_version", *CHOICES):
        raise _bad(f"line {number}: unknown option {name[:TEXT_LIMIT]!r}", line=number)
    if len(texts) != 1:
        raise _bad(f"line {number}: {name} takes one value", line=number)
    if name in ("turn_limit", "options_version"):
        if not _WHOLE.fullmatch(texts[0]):
            raise _bad(f"line {number}: {name} must be a number", line=number)
        return int(texts[0])
    known = {str(value).lower(): value for value in CHOICES.get(name, ())}
    return known.get(texts[0], texts[0])
