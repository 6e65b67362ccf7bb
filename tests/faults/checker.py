"""What must be true of every history: pure functions, each of which returns the defects that it found.

    lost         an acknowledged move is not in the log, or not as it was acknowledged
    duplicated   the log has a move of a person that no acknowledged request accounts for, or two requests share one
    forgotten    an answered request was sent again and got another answer
    reordered    a move that was acknowledged before another one was sent comes after it in the log
    unfair       a move that was listed as legal was refused for another reason than that the game had gone on
    invented     a read showed a state that the game was never in
    stale        a read showed an older state than it was promised
    event lost, event twice, event reordered, event invented
                 a spectator did not get exactly the events of the game
    damaged      log and state of a game do not belong together

A durability that may lose acknowledged moves at a fail-over (`may_lose`) allows `lost`; what is left must still be
whole, and no two moves may be acknowledged as the same version of it. Where a fail-over can happen (`may_go_back`), a
move that was written and not acknowledged may have been seen before it was taken back; a read of it must not contradict
what had been acknowledged. A move that was listed for a state that was taken back, and does not name its link, may be
refused for any reason.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from .history import BEHIND, History, Move, Outcome, Read, Truth, Watched

PLAIN_READ_SECONDS = 10.0
"""A read without `min_version` may be this much older than the newest acknowledged move: a process that hears nothing
from the store notices it within about three seconds, and one that stands still notices nothing in that time."""
LOST, DUPLICATED, FORGOTTEN, REORDERED, UNFAIR, INVENTED, STALE, DAMAGED = (
    *("lost", "duplicated", "forgotten", "reordered", "unfair", "invented", "stale", "damaged"),
)
EVENT_LOST, EVENT_TWICE, EVENT_REORDERED, EVENT_INVENTED = (
    *("event lost", "event twice", "event reordered", "event invented"),
)
PASSED_BY = {BEHIND, "NOT_YOUR_DECISION", "GAME_OVER"}
"""Reasons why a move may be refused that was legal when it was chosen."""
FAILED = "failed"
"""A call had no answer although a service was up; found by the simulation itself."""
STUCK = "stuck"
"""A game did not go on after all faults had ended; found by the simulation itself."""


class Defect(NamedTuple):
    """One thing that must not happen."""

    kind: str
    game: str
    about: str


def check(history: History, *, may_lose: bool = False, may_go_back: bool = False) -> list[Defect]:
    """Return everything that is wrong with a history. `may_lose`: acknowledged moves may be missing (they are returned
    as `lost` all the same), and reads and spectators may have seen them. `may_go_back`: reads and spectators may have
    seen moves that were not acknowledged and are missing."""
    may_go_back = may_go_back or may_lose
    moves, reads = _by_game(history.moves), _by_game(history.reads)
    found: list[Defect] = []
    for game, truth in history.truths.items():
        own, seen = moves.get(game, []), reads.get(game, [])
        found += damaged(truth)
        back = may_go_back and went_back(truth, own, seen)
        if may_lose:
            for unfit, words in ((on_a_branch, "lost with its branch"), (made_again, "lost, and made again")):
                gone = unfit(truth, own)
                back, own = back or bool(gone), [move for move in own if move not in gone]
                found += [
                    Defect(LOST, game, f"{move.request_id}: {words}; another request has its place") for move in gone
                ]
        found += lost(truth, own)
        found += duplicated(truth, own, may_fork=may_go_back)
        found += reordered(truth, own)
        found += [] if may_lose else forgotten(own)
        found += unfair([move for move in own if move.with_link or not back])
        if may_go_back:
            found += [] if may_lose else contradicted(truth, own, seen)
        else:
            found += invented(truth, seen)
        found += stale(own, seen, may_lose=may_lose)
    for one in history.watched:
        found += misled(history.truths[one.game], one, may_go_back=may_go_back)
    return found


def _by_game(records: Iterable[Move | Read]) -> Mapping[str, list]:  # type: ignore[type-arg]
    found: dict[str, list[Move | Read]] = {}
    for one in records:
        found.setdefault(one.game, []).append(one)
    return found


def _acknowledged(moves: Iterable[Move]) -> list[Move]:
    return [move for move in moves if move.outcome is Outcome.OK and not move.repeated]


def _stands(truth: Truth, move: Move) -> bool:
    """Whether the log has the move as it was acknowledged."""
    return truth.link(move.version) == move.link


def damaged(truth: Truth) -> list[Defect]:
    """Return a defect if log and state of the game do not belong together."""
    return [Defect(DAMAGED, truth.game, truth.damage)] if truth.damage else []


def lost(truth: Truth, moves: Sequence[Move]) -> list[Defect]:
    """Return the acknowledged moves that the log does not have under the version and link that were told; and the game
    itself, if the store does not have it."""
    whole = [] if truth.opening else [Defect(LOST, truth.game, "the whole game is lost")]
    return whole + [
        Defect(LOST, truth.game, f"{move.request_id}: version {move.version} of {len(truth.log)} has another link")
        for move in _acknowledged(moves)
        if not _stands(truth, move)
    ]


def on_a_branch(truth: Truth, moves: Sequence[Move]) -> list[Move]:
    """Return the acknowledged moves that have a place in the log although a move after that place had been acknowledged
    before they were sent: another master took them, which lost its branch. That branch began with the same moves as
    the log that was kept, so the place belongs to an earlier request; `duplicated` tells if there is none."""
    standing = [move for move in _acknowledged(moves) if _stands(truth, move)]
    return [move for move in standing if any(one.first > move.first and one.ended < move.began for one in standing)]


def made_again(truth: Truth, moves: Sequence[Move]) -> list[Move]:
    """Return the acknowledged moves whose place in the log was given again, later, to the same move under another
    request: the first one was lost."""
    newest: dict[int, Move] = {}
    found = []
    for move in sorted((one for one in _acknowledged(moves) if _stands(truth, one)), key=lambda one: one.began):
        before = newest.get(move.first)
        if before is not None and before.ended < move.began:
            found.append(before)
        newest[move.first] = move
    return found


def duplicated(truth: Truth, moves: Sequence[Move], *, may_fork: bool = False) -> list[Defect]:
    """Return the moves of people in the log that are not acknowledged exactly once.

    `may_fork`: two masters may have taken moves at the same time. Then the first attempt of a request may be in the log
    of one master, unanswered, while the other refuses the second attempt."""
    places = Counter(move.first for move in _acknowledged(moves) if _stands(truth, move))
    unsettled = {
        move.seat
        for move in moves
        if move.outcome is Outcome.UNKNOWN or (may_fork and move.outcome is Outcome.REFUSED and move.attempts > 1)
    }
    """Seats with a move that was never answered for good: it may be in the log."""
    found = []
    for version, entry in enumerate(truth.log, 1):
        if entry.seat not in truth.people or places[version] == 1:
            continue
        if places[version] or entry.seat not in unsettled:
            words = f"version {version}, {entry.text!r}, is accounted for by {places[version]} acknowledged requests"
            found.append(Defect(DUPLICATED, truth.game, words))
    return found


def forgotten(moves: Sequence[Move]) -> list[Defect]:
    """Return the requests that were answered, sent again, and answered in another way."""
    first = {(move.client, move.request_id): move for move in _acknowledged(moves)}
    found = []
    for move in moves:
        before = first.get((move.client, move.request_id))
        if move.repeated and before is not None and _answer(move) != _answer(before):
            words = f"{move.request_id} was version {before.version}, then {move.version or move.reason}"
            found.append(Defect(FORGOTTEN, move.game, words))
    return found


def _answer(move: Move) -> tuple[Outcome, int, int, str]:
    return move.outcome, move.first, move.version, move.link


def reordered(truth: Truth, moves: Sequence[Move]) -> list[Defect]:
    """Return the moves that stand before another one in the log although they were sent after its acknowledgement."""
    found = []
    latest: Move | None = None
    for move in sorted((one for one in _acknowledged(moves) if _stands(truth, one)), key=lambda one: one.first):
        if latest is not None and move.ended < latest.began:
            words = f"{latest.request_id} has version {latest.first} and was sent after {move.request_id}, which has "
            found.append(Defect(REORDERED, truth.game, f"{words}version {move.first}, was acknowledged"))
        if latest is None or move.began > latest.began:
            latest = move
    return found


def unfair(moves: Sequence[Move]) -> list[Defect]:
    """Return the moves that were refused for another reason than that the game had gone on."""
    return [
        Defect(UNFAIR, move.game, f"{move.request_id} was refused: {move.reason}")
        for move in moves
        if move.outcome is Outcome.REFUSED and not move.repeated and move.reason not in PASSED_BY
    ]


def went_back(truth: Truth, moves: Sequence[Move], reads: Sequence[Read]) -> bool:
    """Return whether somebody was told of a state of the game that is not part of it."""
    return bool(invented(truth, reads)) or not all(_stands(truth, move) for move in _acknowledged(moves))


def invented(truth: Truth, reads: Sequence[Read]) -> list[Defect]:
    """Return the reads of states that are not part of the game."""
    return [
        Defect(INVENTED, truth.game, f"{read.client} read version {read.version} with a link that is not in the log")
        for read in reads
        if read.outcome is Outcome.OK and truth.link(read.version) != read.link
    ]


def contradicted(truth: Truth, moves: Sequence[Move], reads: Sequence[Read]) -> list[Defect]:
    """Return the reads of states that are not part of the game although a move of that version or a later one had been
    acknowledged: for some time, or to a reader who asked for it."""
    standing = [move for move in _acknowledged(moves) if _stands(truth, move)]
    found = []
    for read in reads:
        if read.outcome is Outcome.OK and truth.link(read.version) != read.link:
            late = PLAIN_READ_SECONDS if read.min_version < read.version else 0.0
            if any(move.version >= read.version and move.ended < read.began - late for move in standing):
                words = f"{read.client} read version {read.version} otherwise than it had been acknowledged"
                found.append(Defect(STALE, truth.game, words))
    return found


def stale(moves: Sequence[Move], reads: Sequence[Read], *, may_lose: bool = False) -> list[Defect]:
    """Return the reads that are older than promised: than their `min_version`, than what was acknowledged more than
    PLAIN_READ_SECONDS before, or at all if the read is settled; and those that were refused for want of a version that
    was acknowledged before."""
    acknowledged = sorted(_acknowledged(moves), key=lambda move: move.ended)
    times = [move.ended for move in acknowledged]
    newest = [0]
    for move in acknowledged:
        newest.append(max(newest[-1], move.version))
    found = []
    for read in reads:
        if read.outcome is Outcome.OK:
            before = newest[bisect_left(times, read.began - (0.0 if read.settled else PLAIN_READ_SECONDS))]
            if read.version < read.min_version:
                words = f"{read.client} asked for version {read.min_version} and read {read.version}"
                found.append(Defect(STALE, read.game, words))
            elif read.version < before and not may_lose:
                words = f"{read.client} read version {read.version} after {before} had been acknowledged for some time"
                found.append(Defect(STALE, read.game, words))
        elif read.reason == BEHIND and not may_lose and read.min_version <= newest[bisect_left(times, read.began)]:
            words = f"{read.client} was refused version {read.min_version}, which had been acknowledged"
            found.append(Defect(STALE, read.game, words))
    return found


def misled(truth: Truth, watched: Watched, *, may_go_back: bool = False) -> list[Defect]:
    """Return what is wrong with what a spectator was told. A spectator who was told that the game went back, where it
    may, has begun anew, and is judged by what it was told since. One that has seen events which were taken back must be
    told: the ids of events differ with the history of the game, so it has events that are not part of the game."""
    if watched.restarts and not may_go_back:
        return [Defect(EVENT_INVENTED, truth.game, f"{watched.client} was told that the game went back")]
    return [Defect(kind, truth.game, f"{watched.client}: {about}") for kind, about in _differences(truth, watched)]


def _differences(truth: Truth, watched: Watched) -> Iterator[tuple[str, str]]:
    if list(watched.events) == list(truth.events):
        return
    told, true = Counter(watched.events), set(truth.events)
    for event, count in told.items():
        if event not in true:
            yield EVENT_INVENTED, f"{event} is not part of the game"
        elif count > 1:
            yield EVENT_TWICE, f"{event} came {count} times"
    for event in truth.events:
        if event not in told:
            yield EVENT_LOST, f"{event} never came"
    common = [event for event in dict.fromkeys(watched.events) if event in true]
    if common != [event for event in truth.events if event in told]:
        yield EVENT_REORDERED, "events came in another order than they happened"


def unconfirmed_reads(history: History) -> int:
    """Return how many reads showed a state that is not part of the game."""
    return sum(len(invented(history.truths[game], seen)) for game, seen in _by_game(history.reads).items())


def oldest_plain_read(history: History) -> float:
    """Return by how many seconds the oldest read without `min_version` lay behind what had been acknowledged."""
    moves = _by_game(history.moves)
    oldest = 0.0
    for game, seen in _by_game(history.reads).items():
        own = sorted(_acknowledged(moves.get(game, [])), key=lambda move: move.version)
        versions = [move.version for move in own]
        for read in seen:
            if read.outcome is Outcome.OK and not read.min_version:
                later = own[bisect_left(versions, read.version + 1) :]
                first = min((move.ended for move in later), default=read.began)
                oldest = max(oldest, read.began - first)
    return oldest
