"""A game as a document: what is handed out after its end, what one seat gets before, and how a stranger checks it.

`export_game` writes a finished game as JSON-ready data: options, every entry of the log, the result, and, if there is
a secret, everything needed to check that the draws were fair. `export_view` writes a running game as one seat has seen
it. An entry of the log is a line of text, too (`write_entry`, `read_entry`), and `Retracing` plays a log again entry by
entry. `read_export` trusts nothing and replays; `verify_export` says in plain words what holds and what does not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from .codec import MAGIC
from .events import Event
from .fairness import ENTROPY_LIMIT, SECRET_BYTES, chain, commitment, seed_from
from .game import Game
from .moves import TEXT_LIMIT, Move
from .notation import read_entry, write_entry
from .options import Options
from .replay import ENTRY_LIMIT, Retracing, history, retrace
from .undo import Entry
from .violations import AlhambraError, BadOptions, BadState, IllegalMove

__all__ = [
    "VIEW_FORMAT",
    "Entry",
    "Finding",
    "Report",
    "Retracing",
    "chain_texts",
    "export_game",
    "export_view",
    "history",
    "is_game_bytes",
    "read_entry",
    "read_export",
    "verify_export",
    "write_entry",
]

FORMAT = "alhambra-game/1"
VIEW_FORMAT = "alhambra-view/1"
KINDS = ("move", "undo", "resign")
_HEX = re.compile(r"(?:[0-9a-f]{2})*")
_DIGEST = re.compile(r"[0-9a-f]{64}")


# -- Writing ---------------------------------------------------------------------------------------------------------


def export_game(
    game: Game, secret: bytes | None = None, entropies: Sequence[bytes] = (), *, replay: bool = True
) -> dict[str, Any]:
    """A finished game with everything that was hidden; raises BadState while it is still running, or if its log does
    not lead to it. Without `replay` the caller vouches for the log, and it is not played again."""
    if not game.over:
        message = "the game is not over: only what a seat has seen may be handed out, see export_view"
        raise BadState("CONDITION_UNMET", message, what="over", need=True, have=False)
    if replay:
        history(game)
    document = {
        "format": FORMAT,
        "ruleset": game.ruleset.id,
        "options": game.options.as_dict(),
        "entries": [_write_entry(entry) for entry in game.log],
        "result": {
            "scores": list(game.scores),
            "ranking": [list(place) for place in game.state.ranking],
            "digest": game_digest(game),
        },
    }
    if secret is not None:
        document["fairness"] = _fairness(game, secret, entropies)
    return document


def export_view(game: Game, viewer: int | None, events: Iterable[Event] | None = None) -> dict[str, Any]:
    """What a seat, or a spectator, has seen of the game up to now: every event as it was shown, and its view. A caller
    that has all events of the game can give them; otherwise its log is played again."""
    if viewer is not None and viewer not in range(len(game.state.seats)):
        raise BadState("NOT_THERE", f"there is no seat {viewer!r}", noun="seat", place="table")
    return {
        "format": VIEW_FORMAT,
        "ruleset": game.ruleset.id,
        "viewer": viewer,
        "events": [event.seen_by(viewer) for event in (history(game) if events is None else events)],
        "view": game.view(viewer),
    }


def game_digest(game: Game) -> str:
    """A fingerprint of the whole game: options, state and log."""
    return sha256(game.to_bytes()).hexdigest()


def is_game_bytes(data: bytes) -> bool:
    """Whether the data begins like what `Game.to_bytes` writes."""
    return data.startswith(MAGIC)


def chain_texts(game: Game) -> list[str]:
    """What the links of the chain are about: first the ruleset and options, then each entry as a line of notation."""
    options = {**game.options.as_dict(), "seed": None}
    opening = json.dumps([game.ruleset.id, options], sort_keys=True, separators=(",", ":"))
    return [opening, *(write_entry(entry) for entry in game.log)]


def _write_entry(entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": entry.kind, "seat": entry.seat}
    return {**found, "move": entry.move.as_dict()} if entry.move else found


def _fairness(game: Game, secret: bytes, entropies: Sequence[bytes]) -> dict[str, Any]:
    if len(secret) != SECRET_BYTES:
        raise BadOptions("OPTION_INVALID", f"a secret has {SECRET_BYTES} bytes", option="secret")
    if game.options.seed != seed_from(secret, entropies):
        message = "the seed of the game does not come from this secret and these entropies"
        raise BadOptions("OPTION_INVALID", message, option="seed")
    return {
        "secret": secret.hex(),
        "commitment": commitment(secret),
        "entropies": [entropy.hex() for entropy in entropies],
        "chain": chain(secret, chain_texts(game)),
    }


# -- Reading what a stranger sent --------------------------------------------------------------------------------------


class _Fairness(NamedTuple):
    secret: bytes
    commitment: str
    entropies: tuple[bytes, ...]
    chain: tuple[str, ...]


class _Document(NamedTuple):
    """An export whose form is good; whether it is true is another question."""

    ruleset: str
    options: Options
    entries: list[Entry]
    scores: tuple[int, ...]
    ranking: tuple[tuple[int, int], ...]
    digest: str
    fairness: _Fairness | None


def read_export(data: object) -> Game:
    """The game in an export, replayed move by move; raises BadState, BadOptions or IllegalMove if it cannot be."""
    document = _read_document(data)
    return _replay(document)


def _replay(document: _Document) -> Game:
    start = Game.new(document.options)
    if start.ruleset.id != document.ruleset:
        message = f"recorded under ruleset {document.ruleset[:TEXT_LIMIT]}, this is {start.ruleset.id}"
        raise BadState("REPLAY_FAILED", message, ruleset=start.ruleset.id)
    return retrace(document.options, document.entries)


def _bad(message: str, **where: Any) -> BadState:
    return BadState("STATE_MALFORMED", message, **where)


def _read_document(data: object) -> _Document:
    fields = _mapping(data, "an export", {"format", "ruleset", "options", "entries", "result"}, {"fairness"})
    if fields["format"] != FORMAT:
        raise _bad(f"the format of an export is {FORMAT}", field="format")
    result = _mapping(fields["result"], "the result", {"scores", "ranking", "digest"})
    entries = _list(fields["entries"], "entries", ENTRY_LIMIT)
    return _Document(
        _text(fields["ruleset"], "ruleset"),
        Options.read(fields["options"]),
        [_read_entry(number, entry) for number, entry in enumerate(entries, 1)],
        tuple(_number(score, "scores") for score in _list(result["scores"], "scores", 7)),
        tuple(_place(place) for place in _list(result["ranking"], "ranking", 7)),
        _hash(result["digest"], "digest"),
        _read_fairness(fields["fairness"]) if "fairness" in fields else None,
    )


def _read_entry(number: int, data: object) -> Entry:
    where = f"entry {number}"
    fields = _mapping(data, where, {"kind", "seat"}, {"move"})
    kind, seat = fields["kind"], _number(fields["seat"], where)
    if kind not in KINDS or (kind == "move") != ("move" in fields):
        raise _bad(f"{where} is a move, an undo or a resignation", entry=number)
    try:
        return Entry(kind, seat, Move.read(fields["move"]) if kind == "move" else None)
    except IllegalMove as refusal:
        violations = [violation.as_dict() for violation in refusal.violations]
        raise _bad(f"{where}: {refusal.message}", entry=number, violations=violations) from refusal


def _read_fairness(data: object) -> _Fairness:
    fields = _mapping(data, "fairness", {"secret", "commitment", "entropies", "chain"})
    entropies = _list(fields["entropies"], "entropies", 6)
    links = _list(fields["chain"], "chain", ENTRY_LIMIT + 1)
    return _Fairness(
        bytes.fromhex(_hash(fields["secret"], "secret")),
        _hash(fields["commitment"], "commitment"),
        tuple(_bytes(entropy) for entropy in entropies),
        tuple(_hash(link, "chain") for link in links),
    )


def _mapping(data: object, what: str, needed: Set[str], allowed: Set[str] = frozenset()) -> Mapping[str, Any]:
    if not isinstance(data, Mapping) or not needed <= set(data) <= needed | allowed:
        raise _bad(f"{what} is an object with the fields {', '.join(sorted(needed))}", fields=sorted(needed))
    return data


def _list(data: object, field: str, limit: int) -> Sequence[Any]:
    if not isinstance(data, list | tuple) or len(data) > limit:
        raise _bad(f"{field} is a list of at most {limit}", field=field)
    return data


def _text(data: object, field: str) -> str:
    if not isinstance(data, str) or len(data) > 1_000:
        raise _bad(f"{field} is a text", field=field)
    return data


def _number(data: object, field: str) -> int:
    if not isinstance(data, int) or isinstance(data, bool) or not 0 <= data < 2**31:
        raise _bad(f"{field}: a number is needed", field=field)
    return data


def _place(data: object) -> tuple[int, int]:
    pair = _list(data, "ranking", 2)
    if len(pair) != 2:
        raise _bad("ranking is a list of pairs, seat and place", field="ranking")
    return _number(pair[0], "ranking"), _number(pair[1], "ranking")


def _hash(data: object, field: str) -> str:
    text = _text(data, field)
    if not _DIGEST.fullmatch(text):
        raise _bad(f"{field} has 64 hexadecimal digits", field=field)
    return text


def _bytes(data: object) -> bytes:
    text = _text(data, "entropies")
    if len(text) > 2 * ENTROPY_LIMIT or not _HEX.fullmatch(text):
        raise _bad(f"an entropy has at most {ENTROPY_LIMIT} bytes, in hexadecimal digits", field="entropies")
    return bytes.fromhex(text)


# -- Checking ----------------------------------------------------------------------------------------------------------


class Finding(NamedTuple):
    """One thing that was looked at: it holds, it does not, or (None) nothing was claimed."""

    good: bool | None
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a check of an export found, in plain words."""

    ok: bool
    findings: tuple[Finding, ...]


def verify_export(data: object, published: str | None = None) -> Report:
    """Computes everything in an export again. `published` is the commitment as it was shown before the game."""
    try:
        document = _read_document(data)
    except AlhambraError as fault:
        return _report([Finding(False, f"The export cannot be read: {fault.message}.")])
    findings = []
    game = None
    try:
        game = _replay(document)
    except AlhambraError as fault:
        findings.append(Finding(False, f"The game does not replay: {fault.message}."))
    else:
        findings.append(Finding(True, f"Every move is legal: all {len(game.log)} entries of the log were replayed."))
        findings += _check_result(document, game)
    if document.fairness is None:
        findings.append(Finding(None, "The export tells no secret: it claims nothing about the fairness of the draws."))
        if published is not None:
            findings.append(Finding(False, "A commitment was published, but the export does not tell the secret."))
    else:
        findings += _check_fairness(document, document.fairness, published, game)
    return _report(findings)


def _report(findings: list[Finding]) -> Report:
    return Report(all(finding.good is not False for finding in findings), tuple(findings))


def _either(holds: bool, good: str, bad: str) -> Finding:
    return Finding(holds, good if holds else bad)


def _check_result(document: _Document, game: Game) -> list[Finding]:
    ranking = tuple(tuple(place) for place in history(game)[-1].public.get("ranking", ()))
    return [
        _either(game.over, "The game is over.", "The log ends before the game is over."),
        _either(
            document.scores == game.scores,
            f"The scores are right: {', '.join(map(str, game.scores))}.",
            f"The scores are wrong: {', '.join(map(str, document.scores))} is written, "
            f"{', '.join(map(str, game.scores))} comes out.",
        ),
        _either(document.ranking == ranking, "The ranking is right.", "The ranking is wrong."),
        _either(
            document.digest == game_digest(game),
            "The final state is the recorded one, byte for byte.",
            "The final state differs from the recorded one.",
        ),
    ]


def _check_fairness(document: _Document, claim: _Fairness, published: str | None, game: Game | None) -> list[Finding]:
    known = claim.commitment if published is None else published.strip().lower()
    findings = [
        _either(
            commitment(claim.secret) == known == claim.commitment,
            "The secret is the one that the commitment was made for.",
            "The secret is not the one that the commitment was made for.",
        ),
        _either(
            seed_from(claim.secret, claim.entropies) == document.options.seed,
            "The seed comes from the secret and the entropy of the seats.",
            "The seed does not come from the secret and the entropy of the seats.",
        ),
    ]
    if game is not None:
        findings.append(
            _either(
                chain(claim.secret, chain_texts(game)) == list(claim.chain),
                "The chain over the log is intact.",
                "The chain over the log is broken: entries were changed, added or left out.",
            )
        )
    return findings
