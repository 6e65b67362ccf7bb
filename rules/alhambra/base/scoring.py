"""Scoring: each player's longest outer wall, and the majorities of the six building types.

A wall segment scores one point. Tied players share their places: the sum of the values, divided and rounded down; the
next group follows after them. A player without a building of the type does not score it. With two players, Dirk's tiles
compete like a player's. Counts are compared in half buildings.
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
    """Hold the scorings whose cards were turned up, in order."""
    due = game.state.due
    if due:
        game.state.due = due[1:]
        game.push(hold_scorings)
        hold_scoring(game, due[0])


def hold_scoring(game: Game, number: int) -> None:
    """Hold one scoring, from declarations to Dirk's tiles."""
    game.emit("scoring_began", scoring=number)
    game.push(end_scoring, number)
    game.push_procedure("scoring", number)


def end_scoring(game: Game, number: int) -> None:
    """End the scoring."""
    game.state.held = (*game.state.held, number)
    game.emit("scoring_ended", scoring=number, scores=game.scores)


def score(game: Game, seat: int, points: int, /, reason: str, *, scoring: int = 0, **facts: object) -> None:
    """Add a score line. A deduction stops at 0 points, and the event names the full amount. A resigned seat scores only
    its Alhambra, and only at scorings."""
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
    """Return the tiles that count for a seat: those in its Alhambra, or Dirk's tiles."""
    state = game.state
    return list(state.dirk) if seat == len(state.seats) else list(state.seats[seat].board.placed)


def types_of(game: Game, tile_id: str) -> tuple[str, ...]:
    """Return the building types of a tile, one for each part. Empty if it is no building or is covered."""
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
    """Return the building type of a cell, or an empty string."""
    types = types_of(game, placed_part.tile.id)
    return types[placed_part.part] if types else ""


def count_buildings(game: Game, seat: int) -> dict[str, int]:
    """Return the number of finished buildings of each type."""
    counts = dict.fromkeys(TYPES, 0)
    for tile in tiles_of(game, seat):
        for name in types_of(game, tile):
            counts[name] += 1
    return counts


def split_places(counts: Mapping[int, int], values: tuple[int, ...]) -> dict[int, tuple[int, int, int]]:
    """Return (points, place, number of seats that share it) for every seat that scores."""
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
    """Score a point for each segment of the longest outer wall."""
    for seat, owner in enumerate(game.state.seats):
        length = longest_wall(owner.board)
        if length:
            score(game, seat, length, "wall", scoring=number, count=length)


def score_majorities(game: Game, number: int) -> None:
    """Score the place values of each type; tied players share them."""
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
    """Return a seat's count of a type in half buildings: `base` for its buildings, then the change by each module.
    Without a real building the count is empty."""
    return game.value_parts("majority_count", 2 * built, seat, name) if built else ()


def majority_values(game: Game, name: str, number: int) -> tuple[int, ...]:
    """Return the place values of a type. A module can choose another row of the table."""
    row = game.value("majority_row", TYPES.index(name), name, number)
    return MAJORITY_VALUES[TYPES[row]][number]


def lines_of_boards(game: Game, number: int) -> list[Event]:
    """Hold the part of one scoring that depends only on the Alhambras, and return its score lines as events. Decisions
    are dropped, so use a throwaway game."""
    game.events = []
    score_boards(game, number)
    return [event for event in game.events if event.kind == "scored"]


def score_boards(game: Game, number: int) -> None:
    """Hold the part of one scoring that depends only on the Alhambras, and add the points. Decisions are dropped, so
    use a throwaway game."""
    state = game.state
    for run, procedure in game.ruleset.table(steps_of_boards):
        game.score_stage = procedure
        run(game, number)
        state.decision, state.agenda = None, []


def steps_of_boards(ruleset: Ruleset) -> tuple[tuple[Callable[..., None], str], ...]:
    """Return the steps of a scoring that depend only on the Alhambras, each with its name in score lines."""
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
