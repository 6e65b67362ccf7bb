"""Reading exported games from untrusted sources.

`read_document` validates the form of an export; `export.py` verifies its contents.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple

from .fairness import ENTROPY_LIMIT
from .migrations import too_old
from .moves import Move
from .options import Options
from .replay import ENTRY_LIMIT, UPGRADES_LIMIT
from .rules_upgrades import NO_SEAT, STATE_LIMIT, RulesUpgrade
from .undo import Entry
from .violations import BadState, IllegalMove

FORMAT = "alhambra-game/1"
KINDS = ("move", "undo", "resign")
_HEX = re.compile(r"(?:[0-9a-f]{2})*")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_NEWER = re.compile(r"alhambra-game/([1-9][0-9]{0,3})")


class Claim(NamedTuple):
    """The fairness data of an export."""

    secret: bytes
    commitment: str
    entropies: tuple[bytes, ...]
    chain: tuple[str, ...]
    entropy_commitments: tuple[str, ...] = ()
    """Published commitments in seat order, "" for a seat without entropy. Empty if no seat committed."""
    revealed: tuple[int, ...] = ()
    """Seats that committed first and revealed their entropy later. The others sent it with their claim."""


class ExportDocument(NamedTuple):
    """A well-formed export. Its contents are not verified yet."""

    ruleset: str
    options: Options
    entries: list[Entry]
    scores: tuple[int, ...]
    ranking: tuple[tuple[int, int], ...]
    digest: str
    fairness: Claim | None


def _bad(message: str, **where: Any) -> BadState:
    return BadState("STATE_MALFORMED", message, **where)


def read_document(data: object) -> ExportDocument:
    """Return a well-formed export. Raise BadState or BadOptions if the form is invalid."""
    fields = _mapping(data, "an export", {"format", "ruleset", "options", "entries", "result"}, {"fairness"})
    newer = _NEWER.fullmatch(fields["format"]) if isinstance(fields["format"], str) else None
    if newer is not None and int(newer[1]) > int(FORMAT.rpartition("/")[2]):
        raise too_old("the format of this export", newer[1], FORMAT)
    if fields["format"] != FORMAT:
        raise _bad(f"the format of an export must be {FORMAT}", field="format")
    result = _mapping(fields["result"], "the result", {"scores", "ranking", "digest"})
    entries = _list(fields["entries"], "entries", ENTRY_LIMIT)
    if sum(isinstance(entry, Mapping) and entry.get("kind") == "engine" for entry in entries) > UPGRADES_LIMIT:
        raise _bad(f"a log must have at most {UPGRADES_LIMIT} rules upgrades", field="entries")
    return ExportDocument(
        _text(fields["ruleset"], "ruleset"),
        Options.restore(fields["options"]),
        [_read_entry(number, entry) for number, entry in enumerate(entries, 1)],
        tuple(_number(score, "scores") for score in _list(result["scores"], "scores", 7)),
        tuple(_place(place) for place in _list(result["ranking"], "ranking", 7)),
        _hash(result["digest"], "digest"),
        _read_fairness(fields["fairness"]) if "fairness" in fields else None,
    )


def _read_entry(number: int, data: object) -> Entry:
    where = f"entry {number}"
    if isinstance(data, Mapping) and data.get("kind") == "engine":
        fields = _mapping(data, where, {"kind", "ruleset", "state"})
        return Entry(
            "engine", NO_SEAT, None, RulesUpgrade(_text(fields["ruleset"], where), _packed(fields["state"], where))
        )
    fields = _mapping(data, where, {"kind", "seat"}, {"move"})
    kind, seat = fields["kind"], _number(fields["seat"], where)
    if kind not in KINDS or (kind == "move") != ("move" in fields):
        raise _bad(f"{where} must be a move, an undo or a resignation", entry=number)
    try:
        return Entry(kind, seat, Move.read(fields["move"]) if kind == "move" else None)
    except IllegalMove as refusal:
        violations = [violation.as_dict() for violation in refusal.violations]
        raise _bad(f"{where}: {refusal.message}", entry=number, violations=violations) from refusal


def _read_fairness(data: object) -> Claim:
    later = {"entropy_commitments", "revealed"}
    fields = _mapping(data, "fairness", {"secret", "commitment", "entropies", "chain"}, later)
    if len(later & set(fields)) == 1:
        raise _bad(f"fairness must have both or none of the fields {', '.join(sorted(later))}", fields=sorted(later))
    entropies = _list(fields["entropies"], "entropies", 6)
    links = _list(fields["chain"], "chain", ENTRY_LIMIT + 1)
    commitments = _list(fields.get("entropy_commitments", ()), "entropy_commitments", 6)
    revealed = tuple(_number(seat, "revealed") for seat in _list(fields.get("revealed", ()), "revealed", 6))
    if later <= set(fields) and (len(commitments) != len(entropies) or not set(revealed) <= set(range(len(entropies)))):
        raise _bad("entropy_commitments needs an entry for each seat, and revealed a list of seats", field="revealed")
    return Claim(
        bytes.fromhex(_hash(fields["secret"], "secret")),
        _hash(fields["commitment"], "commitment"),
        tuple(_bytes(entropy) for entropy in entropies),
        tuple(_hash(link, "chain") for link in links),
        tuple("" if found == "" else _hash(found, "entropy_commitments") for found in commitments),
        revealed,
    )


def _mapping(data: object, what: str, needed: Set[str], allowed: Set[str] = frozenset()) -> Mapping[str, Any]:
    if not isinstance(data, Mapping) or not needed <= set(data) <= needed | allowed:
        raise _bad(f"{what} must be an object with the fields {', '.join(sorted(needed))}", fields=sorted(needed))
    return data


def _list(data: object, field: str, limit: int) -> Sequence[Any]:
    if not isinstance(data, list | tuple) or len(data) > limit:
        raise _bad(f"{field} must be a list of at most {limit}", field=field)
    return data


def _text(data: object, field: str) -> str:
    if not isinstance(data, str) or len(data) > 1_000:
        raise _bad(f"{field} must be a text", field=field)
    return data


def _packed(data: object, field: str) -> str:
    if not isinstance(data, str) or len(data) > STATE_LIMIT:
        raise _bad(f"{field}: a state must be a text of at most {STATE_LIMIT} characters", field=field)
    return data


def _number(data: object, field: str) -> int:
    if not isinstance(data, int) or isinstance(data, bool) or not 0 <= data < 2**31:
        raise _bad(f"{field} must be a number", field=field)
    return data


def _place(data: object) -> tuple[int, int]:
    pair = _list(data, "ranking", 2)
    if len(pair) != 2:
        raise _bad("ranking must be a list of [seat, place] pairs", field="ranking")
    return _number(pair[0], "ranking"), _number(pair[1], "ranking")


def _hash(data: object, field: str) -> str:
    text = _text(data, field)
    if not _DIGEST.fullmatch(text):
        raise _bad(f"{field} must have 64 hexadecimal digits", field=field)
    return text


def _bytes(data: object) -> bytes:
    text = _text(data, "entropies")
    if len(text) > 2 * ENTROPY_LIMIT or not _HEX.fullmatch(text):
        raise _bad(f"entropy must have at most {ENTROPY_LIMIT} bytes, in hexadecimal", field="entropies")
    return bytes.fromhex(text)
