"""Sentences for people: refusals, moves, decisions and events, with their facts told in the same language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

from ..declarations import Reason
from ..moves import NOUNS, Move, shown
from ..violations import AlhambraError, IllegalMove, Violation
from .catalogues import DEFAULT, find, keys
from .messages import PreparedText, facts_of, parsed, written
from .names import colours_of_types, name_of, names_of, player_name, printable

CLOSED = ("what", "because", "by", "for", "place", "decision")
"""Metadata with a short list of words; a violation can have a sentence of its own for one, `violation.LOCKED.gate`."""
REFUSED_FOR = (*(word for word in CLOSED if word not in ("because", "decision")), "purchase")
"""Metadata whose word chooses a module's own sentence, `refused.squares.LIMIT_REACHED.squares`. A violation that says
`because` keeps the general sentence, which tells that reason."""
MEANS = {"direction": "side", "sides": "side", "types": "type", "removed": "tile", "colour_list": "colour"}
"""Facts that are told in the words of another one."""
SEATS = ("seat", "auctioneer", "seller", "payee", "receiver", "winner", "seats", "winners")
"""Facts that are numbers of seats, told by the names of the players. `seats` alone can be how many there are."""
QUOTED = ("known", "value")
"""Facts that are shown as they are, because somebody has to recognise what was written."""
LIST_SHOWN = 8
PAID_WITH = ("cards", "display", "items")
"""Lists that a player has to read in full. Equal things in them are counted."""
PAYMENT_SHOWN = 24
UNKNOWN = "…"
BASE_KEY = "base"


def text(key: str, /, language: str = DEFAULT, names: Sequence[str] = (), **facts: Any) -> str:
    """The text of a key in a language, else in English, else the last word of the key itself. `names` are those of the
    players, by seat."""
    return _written(language, names, facts, key)


def has_text(key: str, language: str = DEFAULT) -> bool:
    """Whether a key has a text, in this language or in English."""
    return find(language, key) is not None


def sentence_form(key: str, language: str = DEFAULT) -> str:
    """The text of a key with the names of its facts in their places, as `{seat}`; empty if it has no text."""
    found = find(language, key)
    if found is None:
        return ""
    parts = parsed(found[0])
    return written(parts, {name: name for name in facts_of(parts)}, found[1], lambda name, _fact: f"{{{name}}}")


def explain(refusal: Violation | AlhambraError, language: str = DEFAULT, names: Sequence[str] = ()) -> str:
    """Why something is refused, in a sentence or two; every violation of an illegal move once, in its order."""
    if isinstance(refusal, IllegalMove):
        return " ".join(dict.fromkeys(explain(violation, language, names) for violation in refusal))
    noun = refusal.noun if isinstance(refusal, Violation) else None
    facts = {"noun": noun, **refusal.metadata}
    key = f"violation.{refusal.code}"
    special = [f"{key}.{facts[word]}" for word in CLOSED if isinstance(facts.get(word), str)]
    own = _own_keys(refusal, facts) if isinstance(refusal, Violation) else []
    return _written(language, names, facts, *own, *special, key)


def _own_keys(violation: Violation, facts: Mapping[str, Any]) -> list[str]:
    """The keys of sentences in which a module says why it refuses, the most exact one first: of the module that the
    violation names, else of the only one that has a sentence for a word of the violation."""
    words = [word for name in REFUSED_FOR if isinstance(word := facts.get(name), str)]
    if violation.module is not None:
        key = f"refused.{violation.module}.{violation.code}"
        return [*(f"{key}.{word}" for word in words), key]
    general = (f"violation.{violation.code}.{word}" for word in words)
    return [] if find(DEFAULT, *general) else [only for word in words if (only := _only_own_key(violation.code, word))]


@cache
def _own_sentences() -> Mapping[str, list[str]]:
    """By code and word: the keys of the sentences of modules in this library."""
    found: dict[str, list[str]] = {}
    for key in keys():
        if key.startswith("refused."):
            found.setdefault(key.split(".", 2)[2], []).append(key)
    return found


def _only_own_key(code: str, word: str) -> str | None:
    known = _own_sentences().get(f"{code}.{word}", [])
    return known[0] if len(known) == 1 else None


def reason_key(module: str, reason: Reason) -> str:
    """The key of the text that says when a module refuses a move: `refused.<module>.<CODE>`, behind it the first of the
    words that the reason lists."""
    return ".".join(("refused", module, reason.code, *reason.words[:1]))


def special_keys(reason: Reason) -> tuple[str, ...]:
    """The key of a violation's sentence for the first word that a reason lists; empty if it lists none."""
    return tuple(f"violation.{reason.code}.{word}" for word in reason.words[:1])


def tell_reason(module: str, reason: Reason, language: str = DEFAULT) -> str:
    """When a module refuses a move: its own text or the violation's sentence for the first word of the reason, and the
    sentences for its further words; without any, what the module declares. For the base game the violation's general
    sentence stands in."""
    general = (f"violation.{reason.code}",) if module == BASE_KEY else ()
    wanted = (reason_key(module, reason), *special_keys(reason), *general)
    if find(language, *wanted) is None:
        return reason.meaning
    further = [f"violation.{reason.code}.{word}" for word in reason.words[1:] if module != BASE_KEY]
    told = [_written(language, (), {}, key) for key in further if find(language, key) is not None]
    return " ".join([_written(language, (), {}, *wanted), *told])


def tell_move(move: Move, language: str = DEFAULT, names: Sequence[str] = (), **facts: Any) -> str:
    """A move for people: `move.<verb>`, or where the move has a choice, `move.<verb>.<choice>`. Further facts: `thing`,
    what is paid for, `price`, `paid`, `over` and `exact`. Without such a text, the verb and everything it names."""
    return MoveTexts(language, names).tell(move, **facts)


class MoveTexts:
    """The texts of many moves in one language, with the names of the players. What recurs in them is worded once."""

    def __init__(self, language: str = DEFAULT, names: Sequence[str] = ()) -> None:
        self._language, self._names = language, names
        self._known: dict[tuple[str, str | None], PreparedText | None] = {}
        """By verb and choice: their text, if they have one."""

    def tell(self, move: Move, **facts: Any) -> str:
        """The text of a move, as `tell_move` has it."""
        nouns = {noun: value for noun, value in zip(NOUNS, move[1:], strict=True) if value not in (None, ())}
        key = (move.verb, move.choice)
        if key not in self._known:
            self._known[key] = self._prepared(*key)
        prepared = self._known[key]
        if prepared is not None:
            return prepared.write(_with_colours({**nouns, **facts}))
        name = text(f"verb.{move.verb}", self._language)
        told = ", ".join(_told(self._language, self._names, noun, value) for noun, value in nouns.items())
        return f"{name}: {told}" if told else name

    def _prepared(self, verb: str, choice: str | None) -> PreparedText | None:
        key = f"move.{verb}"
        found = find(self._language, *(() if choice is None else (f"{key}.{choice}",)), key)
        if found is None:
            return None
        template, spoken = found
        return PreparedText(template, spoken, partial(_told, spoken, self._names))


def tell_decision(kind: str, context: Mapping[str, Any], language: str = DEFAULT, names: Sequence[str] = ()) -> str:
    """The question that a decision puts to its seat."""
    return _written(language, names, context, f"decision.{kind}")


def tell_event(kind: str, facts: Mapping[str, Any], language: str = DEFAULT, names: Sequence[str] = ()) -> str:
    """Something that happened, as everybody may know it. Points have a sentence for each of their reasons."""
    special = (f"scored.{facts.get('reason')}",) if kind == "scored" else ()
    if "parts" in facts and type(count := facts.get("count")) is int:  # majorities are counted in half buildings
        facts = {**facts, "buildings": f"{count // 2}{'½' * (count % 2)}"}
    return _written(language, names, facts, *special, f"event.{kind}")


def _written(language: str, names: Sequence[str], facts: Mapping[str, Any], *wanted: str) -> str:
    """The text found, its facts told in the same language: an English sentence gets English facts."""
    found = find(language, *wanted)
    if found is None:
        return printable(wanted[-1].rpartition(".")[2]).replace("_", " ")
    template, spoken = found
    return written(parsed(template), _with_colours(facts), spoken, partial(_told, spoken, names))


def _with_colours(facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """The facts, and the colours of building types beside those: residents, servants and chests are told by colour."""
    known = colours_of_types()
    found = dict(facts)
    if isinstance(name := facts.get("type"), str):
        found["colour"] = known.get(name, name)
    if isinstance(names := facts.get("types"), list | tuple):
        found["colour_list"] = [known.get(name, name) if isinstance(name, str) else name for name in names]
    return found


def _told(language: str, names: Sequence[str], word: str, fact: object, depth: int = 0) -> str:
    """A fact for people: known words translated, components and players named, cells as pairs, long lists cut."""
    if fact is None or depth > 2:
        return UNKNOWN
    if isinstance(fact, bool):
        return text("word.yes" if fact else "word.no", language)
    if isinstance(fact, list | tuple):
        return _list(language, names, word, fact, depth)
    if type(fact) is int and word in SEATS and (word != "seats" or depth):
        return player_name(fact, language, names)
    plain = printable(shown(fact))
    if word in QUOTED:
        return plain
    found = find(language, f"{MEANS.get(word, word)}.{plain}")
    if found is not None:
        return written(parsed(found[0]), {}, language, partial(_told, language, names))
    if not isinstance(fact, str):
        return plain
    name = name_of(plain, language, names)
    choice = find(language, f"choice.{plain}") if word == "id" and name == plain else None
    return choice[0] if choice is not None else name


def _list(language: str, names: Sequence[str], word: str, fact: Sequence[object], depth: int) -> str:
    if len(fact) == 2 and all(type(at) is int for at in fact) and word not in SEATS:
        return f"({shown(fact[0])}, {shown(fact[1])})"
    limit = LIST_SHOWN
    if all(isinstance(entry, str) for entry in fact) and word in PAID_WITH:
        limit = PAYMENT_SHOWN
        told = names_of([str(entry) for entry in fact], language, names)
    elif all(isinstance(entry, str) for entry in fact) and word == "colour_list":
        copies = ((_told(language, names, word, entry, depth + 1), number) for entry, number in Counter(fact).items())
        told = [entry if number == 1 else f"{number} × {entry}" for entry, number in copies]
    else:
        told = [_told(language, names, word, entry, depth + 1) for entry in fact[: limit + 1]]
    return ", ".join(told if len(told) <= limit else [*told[:limit], UNKNOWN]) or UNKNOWN
