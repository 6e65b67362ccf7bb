"""The handymen: before their owners, at the market spaces, on tiles; what they score and who sees them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ...base.scoring import score
from ...base.supply import SLOTS
from ...components import module_data
from ...game import Game

PER_PLAYER: int = module_data("handymen")["per_player"]


@dataclass(slots=True)
class Crew:
    """Where the handymen of each seat are. Those that were used have left the game."""

    supply: tuple[int, ...] = ()
    """By seat: how many it has before it."""
    at_spaces: tuple[tuple[int, ...], ...] = ()
    """By market space, then by seat: how many lie there."""
    on_tiles: dict[str, int] = field(default_factory=dict)
    """By tile: the seat whose handyman is on it."""
    sold: tuple[int, ...] = ()
    """The market spaces whose tiles were bought since they were last filled."""


def hire(game: Game) -> None:
    """Everybody has all handymen before them."""
    crew, seats = game.module_state(Crew), len(game.state.seats)
    crew.supply = (PER_PLAYER,) * seats
    crew.at_spaces = ((0,) * seats,) * len(SLOTS)


def add_to_supply(game: Game, seat: int, count: int) -> None:
    """So many more lie before a seat, or fewer if the count is negative."""
    crew = game.module_state(Crew)
    crew.supply = _added(crew.supply, seat, count)


def add_to_space(game: Game, place: int, seat: int, count: int) -> None:
    """So many more of a seat lie at a market space, or fewer if the count is negative."""
    crew = game.module_state(Crew)
    changed = _added(crew.at_spaces[place], seat, count)
    crew.at_spaces = (*crew.at_spaces[:place], changed, *crew.at_spaces[place + 1 :])


def _added(counts: tuple[int, ...], seat: int, count: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + count, *counts[seat + 1 :])


# -- On tiles --------------------------------------------------------------------------------------------------------


def leave_tile(game: Game, tile: str) -> None:
    """The handyman of a tile that its owner does not have any more returns to that owner."""
    crew = game.module_state(Crew)
    seat = crew.on_tiles.get(tile)
    if seat is not None:
        crew.on_tiles = {other: owner for other, owner in crew.on_tiles.items() if other != tile}
        add_to_supply(game, seat, 1)
        game.emit("handymen_taken_back", seat=seat, tile=tile, amount=1)


def leave_with_buyer(game: Game, _seat: int, tile: str, _how: str) -> None:
    """A tile that another seat gets was sold by the one whose handyman is on it."""
    leave_tile(game, tile)


def come_home(game: Game, seat: int) -> None:
    """The handymen of a seat that resigned leave the market; those on its tiles stay there."""
    for place, slot in enumerate(SLOTS):
        count = game.module_state(Crew).at_spaces[place][seat]
        if count:
            add_to_space(game, place, seat, -count)
            add_to_supply(game, seat, count)
            game.emit("handymen_taken_back", seat=seat, slot=slot, amount=count)


# -- Scoring, and what is seen ---------------------------------------------------------------------------------------


def largest_group(game: Game, seat: int) -> int:
    """Return how many tiles with handymen adjoin each other in an Alhambra; walls between them do not matter."""
    board, on_tiles = game.state.seats[seat].board, game.module_state(Crew).on_tiles
    left = {tile for tile in board.placed if tile in on_tiles}
    largest = 0
    while left:
        reached, group = [left.pop()], 0
        while reached:
            group += 1
            cells = board.cells_of(reached.pop())
            beside = {part.tile.id for cell in cells for _, part in board.neighbours(*cell) if part is not None} & left
            left -= beside
            reached.extend(beside)
        largest = max(largest, group)
    return largest


def score_groups(game: Game, number: int) -> None:
    """Every seat scores its largest group."""
    for seat in range(len(game.state.seats)):
        count = largest_group(game, seat)
        if count:
            score(game, seat, count, "handymen", scoring=number, count=count)


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield handymen before their owners, at the market spaces and on tiles."""
    crew = game.module_state(Crew)
    for seat, count in enumerate(crew.supply):
        if count:
            yield {"kind": "handyman", "seat": seat, "amount": count}
    for slot, counts in zip(SLOTS, crew.at_spaces, strict=True):
        for seat, count in enumerate(counts):
            if count:
                yield {"kind": "handyman", "seat": seat, "slot": slot, "amount": count}
    for tile, seat in sorted(crew.on_tiles.items()):
        yield {"kind": "handyman", "seat": seat, "tile": tile}


def handyman_of(seat: int) -> str:
    """Return the name of any one handyman of a seat, where all pieces of the game are counted."""
    return f"handyman-{seat}"


def census(game: Game) -> Iterator[str]:
    """Yield all handymen that are still in the game."""
    crew = game.module_state(Crew)
    for counts in (crew.supply, *crew.at_spaces):
        for seat, count in enumerate(counts):
            yield from [handyman_of(seat)] * count
    yield from map(handyman_of, crew.on_tiles.values())
