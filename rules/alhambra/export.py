"""Exported games: write, read, replay and verify them.

`export_game` writes a finished game as JSON-ready data: options, log, result and, if there is a secret, everything
needed to verify that the draws were fair. `export_view` writes a running game as one seat has seen it. `write_entry`
and `read_entry` convert log entries to text, and `LogReplay` replays a log entry by entry. `read_export` trusts nothing
and replays the game; `verify_export` reports in plain words what holds and what does not.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from .codec import MAGIC
from .events import Event
from .export_reader import FORMAT, Claim, ExportDocument, read_document
from .fairness import SECRET_BYTES, UNGUESSABLE_BYTES, chain, commitment, seed_from
from .game import Game
from .game_bytes import stored_rules
from .notation import read_entry, write_entry
from .replay import LogReplay, history, replay_log, replay_segment, replays_to
from .rules_upgrades import Segment, segments
from .ruleset import rules_for
from .undo import Entry
from .violations import AlhambraError, BadOptions, BadState

__all__ = [
    "VIEW_FORMAT",
    "Entry",
    "Finding",
    "LogReplay",
    "Report",
    "chain_texts",
    "export_game",
    "export_view",
    "history",
    "is_game_bytes",
    "opening_text",
    "read_entry",
    "read_export",
    "stored_rules",
    "verify_export",
    "write_entry",
]

VIEW_FORMAT = "alhambra-view/1"


# -- Writing ---------------------------------------------------------------------------------------------------------


def export_game(
    game: Game,
    secret: bytes | None = None,
    entropies: Sequence[bytes] = (),
    *,
    revealed: Sequence[int] = (),
    replay: bool = True,
) -> dict[str, Any]:
    """Return a finished game with all hidden information. Raise BadState if it is still running, or if its log does not
    lead to it. `revealed` are the seats that published a commitment before they revealed their entropy. With
    `replay=False` the log is trusted and not replayed."""
    if not game.over:
        message = "the game is not over: only what a seat has seen may be handed out, see export_view"
        raise BadState("CONDITION_UNMET", message, what="over", need=True, have=False)
    if replay:
        history(game)
    document = {
        "format": FORMAT,
        "ruleset": game.origin,
        "options": game.options.document(),
        "entries": [_write_entry(entry) for entry in game.log],
        "result": {
            "scores": list(game.scores),
            "ranking": [list(place) for place in game.state.ranking],
            "digest": game_digest(game),
        },
    }
    if secret is not None:
        document["fairness"] = _fairness(game, secret, entropies, revealed)
    return document


def export_view(game: Game, viewer: int | None, events: Iterable[Event] | None = None) -> dict[str, Any]:
    """Return what a seat or a spectator has seen so far: every event as it was shown, and the view. Pass `events` if
    they are known; otherwise the log is replayed."""
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
    """Return a hash of the whole game: options, state and log."""
    return sha256(game.to_bytes()).hexdigest()


def is_game_bytes(data: bytes) -> bool:
    """Return whether the data starts like bytes written by `Game.to_bytes`."""
    return data.startswith(MAGIC)


def chain_texts(game: Game) -> list[str]:
    """Return the texts that the hash chain covers: first ruleset and options at the start of the game, then each entry
    as a line of notation."""
    return [opening_text(game.origin, game.options.document()), *(write_entry(entry) for entry in game.log)]


def opening_text(ruleset: str, options: Mapping[str, Any]) -> str:
    """Return the text that the first link of the chain covers. `options` come from `Options.document`."""
    return json.dumps([ruleset, {**options, "seed": None}], sort_keys=True, separators=(",", ":"))


def _write_entry(entry: Entry) -> dict[str, Any]:
    if entry.upgrade is not None:
        return {"kind": entry.kind, "ruleset": entry.upgrade.ruleset, "state": entry.upgrade.packed}
    found: dict[str, Any] = {"kind": entry.kind, "seat": entry.seat}
    return {**found, "move": entry.move.as_dict()} if entry.move else found


def _fairness(game: Game, secret: bytes, entropies: Sequence[bytes], revealed: Sequence[int]) -> dict[str, Any]:
    if len(secret) != SECRET_BYTES:
        raise BadOptions("OPTION_INVALID", f"a secret has {SECRET_BYTES} bytes", option="secret")
    if game.options.seed != seed_from(secret, entropies):
        message = "the seed of the game does not come from this secret and these entropies"
        raise BadOptions("OPTION_INVALID", message, option="seed")
    document: dict[str, Any] = {
        "secret": secret.hex(),
        "commitment": commitment(secret),
        "entropies": [entropy.hex() for entropy in entropies],
        "chain": chain(secret, chain_texts(game)),
    }
    if revealed:
        document["entropy_commitments"] = [commitment(entropy) if entropy else "" for entropy in entropies]
        document["revealed"] = list(revealed)
    return document


# -- Reading and checking ---------------------------------------------------------------------------------------------


def read_export(data: object) -> Game:
    """Return the game in an export, replayed move by move. Raise BadState, BadOptions or IllegalMove if that fails.
    Entries of rules that this version does not have are accepted only if these rules lead to the same state."""
    document = read_document(data)
    return replay_log(document.options, document.entries, document.ruleset)


class Finding(NamedTuple):
    """One result of a verification: it holds, it does not, or (None) nothing was claimed or could be decided."""

    good: bool | None
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """The results of verifying an export."""

    ok: bool
    """Whether nothing is wrong. Entries that could not be checked are not wrong; see `unchecked`."""
    findings: tuple[Finding, ...]
    unchecked: int = 0
    """Number of log entries that could not be checked, because this version does not have their rules."""


def verify_export(
    data: object, published: str | None = None, published_by_seats: Sequence[str] | None = None
) -> Report:
    """Verify everything in an export. `published` is the commitment shown before the game, `published_by_seats` are the
    commitments of the seats, in seat order, shown before the reveals."""
    try:
        document = read_document(data)
    except AlhambraError as fault:
        return _report([Finding(False, f"The export cannot be read: {fault.message}.")])
    checks = [_check_stretch(document, *part) for part in _parts(document)]
    findings = [check.finding for check in checks]
    last = checks[-1]
    if last.game is not None:
        last.game.origin = document.ruleset
        findings += _check_result(document, last.game)
    elif last.finding.good is None:
        findings.append(Finding(False, "The result was not checked: the last moves are those of other rules."))
    if document.fairness is None:
        findings.append(Finding(None, "The export tells no secret: it claims nothing about the fairness of the draws."))
        if published is not None or published_by_seats is not None:
            findings.append(Finding(False, "A commitment was published, but the export does not tell the secret."))
    else:
        findings += _check_fairness(document, document.fairness, published)
        findings += _check_entropies(document.fairness, published_by_seats)
        if all(check.finding.good is not False for check in checks):
            findings.append(_check_chain(document, document.fairness))
        if all(finding.good is not False for finding in findings):
            findings += _proves(document.fairness, published is not None and published_by_seats is not None)
    return _report(findings, sum(check.unchecked for check in checks))


def _report(findings: list[Finding], unchecked: int = 0) -> Report:
    return Report(all(finding.good is not False for finding in findings), tuple(findings), unchecked)


class _Check(NamedTuple):
    """The result of checking one segment of a log."""

    finding: Finding
    unchecked: int = 0
    """Number of entries that could not be checked."""
    game: Game | None = None
    """The game at the end of the segment, if it was played under the current rules."""


def _parts(document: ExportDocument) -> list[tuple[Segment, Segment | None]]:
    """Return the segments of a log, each with the following one."""
    found = segments(document.ruleset, document.entries)
    return list(zip(found, (*found[1:], None), strict=True))


def _check_stretch(document: ExportDocument, segment: Segment, following: Segment | None) -> _Check:
    options, entries = document.options, document.entries
    earlier, count = entries[: segment.first], len(segment.entries)
    which = f"Entries {segment.first + 1} to {segment.last}"
    try:
        known = rules_for(options).id
        if segment.ruleset == known:
            game = replay_segment(options, segment, earlier)
            told = "Every move is legal: all" if count == len(entries) else f"{which}: every move is legal, all"
            return _Check(Finding(True, f"{told} {count} entries of the log were replayed."), 0, game)
        if following is not None and following.upgrade is not None:
            begun = Game.from_state(options, following.upgrade.state, entries[: following.first])
            if replays_to(options, segment, earlier, begun):
                text = f"{which} were played under {segment.ruleset}. These rules lead to the same state."
                return _Check(Finding(True, text))
    except AlhambraError as fault:
        if fault.code != "ENGINE_TOO_OLD":
            return _Check(Finding(False, f"The game does not replay: {fault.message}."))
    text = f"{which} were played under {segment.ruleset}, which this version does not have: they were not checked."
    return _Check(Finding(None, text), count)


def _either(holds: bool, good: str, bad: str) -> Finding:
    return Finding(holds, good if holds else bad)


def _check_result(document: ExportDocument, game: Game) -> list[Finding]:
    return [
        _either(game.over, "The game is over.", "The log ends before the game is over."),
        _either(
            document.scores == game.scores,
            f"The scores are right: {', '.join(map(str, game.scores))}.",
            f"The scores are wrong: {', '.join(map(str, document.scores))} is written, "
            f"{', '.join(map(str, game.scores))} comes out.",
        ),
        _either(document.ranking == game.state.ranking, "The ranking is right.", "The ranking is wrong."),
        _either(
            document.digest == game_digest(game),
            "The final state is the recorded one, byte for byte.",
            "The final state differs from the recorded one.",
        ),
    ]


def _check_fairness(document: ExportDocument, claim: Claim, published: str | None) -> list[Finding]:
    known = claim.commitment if published is None else published.strip().lower()
    return [
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


def _check_entropies(claim: Claim, published: Sequence[str] | None) -> list[Finding]:
    """Compare the revealed entropies with their commitments, and these with the published ones."""
    findings: list[Finding] = []
    if published is not None:
        shown = tuple(text.strip().lower() for text in published)
        findings.append(
            _either(
                shown == claim.entropy_commitments,
                "The commitments of the seats are those that were shown before the reveals.",
                "The commitments of the seats are not those that were shown before the reveals.",
            )
        )
    if not claim.entropy_commitments:
        return findings
    expected = tuple(commitment(entropy) if entropy else "" for entropy in claim.entropies)
    kept = expected == claim.entropy_commitments and all(claim.entropy_commitments[seat] for seat in claim.revealed)
    findings.append(
        _either(
            kept,
            "Every seat contributed the entropy that its commitment was made for.",
            "A seat contributed other entropy than its commitment was made for.",
        )
    )
    committed = [claim.entropy_commitments[seat] for seat in claim.revealed]
    if len(set(committed)) < len(committed):
        findings.append(Finding(False, "Two seats have the same commitment: one of them was copied."))
    return findings


def _proves(claim: Claim, compared: bool) -> list[Finding]:
    """Return what a faultless export proves about the draws, and what it does not. `compared`: all commitments were
    compared with those shown before the reveals."""
    late = [seat for seat in claim.revealed if len(claim.entropies[seat]) >= UNGUESSABLE_BYTES]
    short = [seat for seat in claim.revealed if seat not in late]
    early = [seat for seat, entropy in enumerate(claim.entropies) if entropy and seat not in claim.revealed]
    findings: list[Finding] = []
    if not late:
        text = "It is not proved that nobody chose the draws: no seat committed to entropy and revealed it later."
        findings.append(Finding(None, text))
    elif compared:
        text = f"To {_seats(late)} it is proved that nobody chose the draws, not even a host who plays."
        findings.append(Finding(True, text))
    else:
        text = (
            f"To {_seats(late)} it is proved that nobody chose the draws, not even a host who plays, if the "
            "commitments in this file are those that were shown before the reveals. That was not compared: give what "
            "was shown."
        )
        findings.append(Finding(None, text))
    if early:
        text = f"To {_seats(early)} less is proved: the host knew this entropy before all seats were claimed."
        findings.append(Finding(None, text))
    if short:
        text = f"To {_seats(short)} less is proved: entropy of fewer than {UNGUESSABLE_BYTES} bytes can be guessed."
        findings.append(Finding(None, text))
    text = "It is never proved that the host did not look at hidden cards, or did not throw other games away."
    return [*findings, Finding(None, text)]


def _seats(numbers: Sequence[int]) -> str:
    """Return seat numbers in words: "seat 1", "seats 0, 2 and 3"."""
    *others, last = map(str, numbers)
    return f"seats {', '.join(others)} and {last}" if others else f"seat {last}"


def _check_chain(document: ExportDocument, claim: Claim) -> Finding:
    opening = opening_text(document.ruleset, document.options.document())
    texts = [opening, *(write_entry(entry) for entry in document.entries)]
    return _either(
        chain(claim.secret, texts) == list(claim.chain),
        "The chain over the log is intact.",
        "The chain over the log is broken: entries were changed, added or left out.",
    )
