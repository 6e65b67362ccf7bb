"""Scoring: the longest outer wall of every player, and the majorities of the six building types.

A wall segment is worth a point. Tied players share the places they occupy: the sum of the place values, divided,
rounded down; the next group starts behind them. Without a building of the type nobody scores it. With two players
Dirk's tiles compete like a player's. Counts are compared in half buildings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..components import MAJORITY_VALUES, TYPES
from ..module import Agenda, Step
from ..placement.contacts import PlacedPart
from ..placement.outline import longest_wall
from .dirk import reward_dirk

if TYPE_CHECKING:
    from ..events import Event
    from ..game import Game
    from ..ruleset import Ruleset


def hold_scorings(game: Game) -> None:
    """Holds the scorings whose cards were turned up, in order."""
    due = game.state.due
    if due:
        game.state.due = due[1:]
        game.push(hold_scorings)
        hold_scoring(game, due[0])


def hold_scoring(game: Game, number: int) -> None:
    """One scoring from declarations to Dirk's tiles."""
    game.emit("scoring_began", scoring=number)
    game.push(end_scoring, number)
    game.enter("scoring", number)


def end_scoring(game: Game, number: int) -> None:
    """The scoring is over."""
    game.state.held = (*game.state.held, number)
    game.emit("scoring_ended", scoring=number, scores=game.scores)


def score(game: Game, seat: int, points: int, /, reason: str, *, scoring: int = 0, **facts: object) -> None:
    """Adds a score line. A deduction stops at 0 points and then says what was due. A seat that resigned scores what is
    in its Alhambra, at scorings: neither what lies before it nor anything between scorings."""
    state = game.state
    due = points
    if seat == len(state.seats):
        points = max(points, -state.dirk_score)
        state.dirk_score += points
    else:
        owner = state.seats[seat]
        if owner.resigned and (not scoring or reason in game.ruleset.scores_before_seats):
            return
        points = max(points, -owner.score)
        owner.score += points
    if points != due:
        facts["due"] = due
    stage = game.score_stage if scoring else "now"
    game.emit("scored", seat=seat, scoring=scoring, frame=stage or "now", reason=reason, points=points, **facts)


def tiles_of(game: Game, seat: int) -> list[str]:
    """The tiles that count for a seat: those in its Alhambra; Dirk's lie open."""
    state = game.state
    return list(state.dirk) if seat == len(state.seats) else list(state.seats[seat].board.placed)


def types_of(game: Game, tile_id: str) -> tuple[str, ...]:
    """The building types that a tile counts as: one for each of its parts. None if it is no building, or not finished
    because something covers it."""
    state = game.state
    if tile_id in state.covered:
        return ()
    changed = state.types.get(tile_id)
    if changed is not None:
        return (changed,)
    return game.ruleset.table(_printed_types)[tile_id]


def _printed_types(ruleset: Ruleset) -> dict[str, tuple[str, ...]]:
    return {
        tile.id: tuple(part.type for part in tile.parts) if ruleset.kinds[tile.kind].typed else ()
        for tile in ruleset.tiles.values()
    }


def type_at(game: Game, placed_part: PlacedPart) -> str:
    """The building type that a cell of an Alhambra counts as, or an empty text."""
    types = types_of(game, placed_part.tile.id)
    return types[placed_part.part] if types else ""


def count_buildings(game: Game, seat: int) -> dict[str, int]:
    """Finished buildings of each type."""
    counts = dict.fromkeys(TYPES, 0)
    for tile in tiles_of(game, seat):
        for name in types_of(game, tile):
            counts[name] += 1
    return counts


def split_places(counts: Mapping[int, int], values: tuple[int, ...]) -> dict[int, tuple[int, int, int]]:
    """For every seat that scores: its points, its place (from 1), and how many share it."""
    found: dict[int, tuple[int, int, int]] = {}
    place = 0
    for count in sorted({count for count in counts.values() if count}, reverse=True):
        tied = [seat for seat, own in counts.items() if own == count]
        points = sum(values[place : place + len(tied)]) // len(tied)
        for seat in tied:
            found[seat] = (points, place + 1, len(tied))
        place += len(tied)
        if place >= len(values):
            break
    return found


def score_walls(game: Game, number: int) -> None:
    """A point for each segment of the longest outer wall."""
    for seat, owner in enumerate(game.state.seats):
        length = longest_wall(owner.board)
        if length:
            score(game, seat, length, "wall", scoring=number, count=length)


def score_majorities(game: Game, number: int) -> None:
    """The place values of each type, shared where players are tied."""
    state = game.state
    seats = range(len(state.seats) + (len(state.seats) == 2))
    built = {seat: count_buildings(game, seat) for seat in seats}
    for name in TYPES:
        parts = {seat: _half_units(game, seat, name, own[name]) for seat, own in built.items()}
        counts = {seat: sum(count for _, count in found) for seat, found in parts.items()}
        values = majority_values(game, name, number)
        for seat, (points, place, shared) in split_places(counts, values).items():
            if points:
                facts = {"type": name, "count": counts[seat], "parts": parts[seat], "place": place, "shared": shared}
                score(game, seat, points, "majority", scoring=number, **facts)


def _half_units(game: Game, seat: int, name: str, built: int) -> tuple[tuple[str, int], ...]:
    """How much a seat has of a type, in half buildings: `base` are its buildings, then what each module adds, by its
    key. Nothing counts without a real building."""
    return game.value_parts("majority_count", 2 * built, seat, name) if built else ()


def majority_values(game: Game, name: str, number: int) -> tuple[int, ...]:
    """The place values of a type: those of another row of the ladder, if a module says so."""
    row = game.value("majority_row", TYPES.index(name), name, number)
    return MAJORITY_VALUES[TYPES[row]][number]


def lines_of_boards(game: Game, number: int) -> list[Event]:
    """Holds one scoring as far as the Alhambras alone decide it, and returns the events of its score lines. For a game
    that serves no other purpose: what the rules ask on the way is dropped."""
    game.events = []
    score_boards(game, number)
    return [event for event in game.events if event.kind == "scored"]


def score_boards(game: Game, number: int) -> None:
    """Holds one scoring as far as the Alhambras alone decide it: adds the points to the scores, and drops what the
    rules ask on the way. For a game that serves no other purpose."""
    state = game.state
    for run, procedure in game.ruleset.table(steps_of_boards):
        game.score_stage = procedure
        run(game, number)
        state.decision, state.agenda = None, []


def steps_of_boards(ruleset: Ruleset) -> tuple[tuple[Callable[..., None], str], ...]:
    """The steps of a scoring that are about the Alhambras alone, in order, each with the name of its moment in score
    lines."""
    stages, _, score_stages, beyond_boards = ruleset.procedure_table
    return tuple(
        (step.run, score_stages.get(step.stage, ""))
        for stage in stages["scoring"]
        for module in ruleset.modules
        for step in module.steps
        if step.stage == f"scoring.{stage}" and step.stage not in beyond_boards
    )


STEPS = (
    Step("scoring.walls", score_walls),
    Step("scoring.majorities", score_majorities),
    Step("scoring.dirk", reward_dirk),
)
AGENDA: Agenda = {"hold_scorings": hold_scorings, "end_scoring": end_scoring}
