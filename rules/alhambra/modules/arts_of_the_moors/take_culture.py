"""Taking culture tiles and moving their markers: at the end of a player's own turn, or right after a gain out of
turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...base.turn_order import in_own_turn
from ...declarations import PASS, in_turn
from ...game import Game
from ...module import DecisionKind, Verb, freely
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .culture import (
    FEWEST,
    SORTS,
    Culture,
    Dial,
    buildings_of,
    dials,
    points_at,
    section_for,
    set_dial,
    sort_of,
    tiles_of,
)


def remember(game: Game, _seat: int, tile: str, _how: str) -> None:
    """A seat acquired a building that may lead to a culture tile."""
    if sort_of(game, tile) is not None:
        culture = game.module_state(Culture)
        culture.received = (*culture.received, tile)


def at_end_of_turn(game: Game) -> None:
    """The active seat moves its markers and may take a tile of every price."""
    game.module_state(Culture).received = ()
    update(game, game.state.active, tuple(SORTS))


def out_of_turn(game: Game, seat: int) -> None:
    """A seat placed what it received out of turn: only the prices of these buildings are looked at. In their own turn
    that is for what was claimed at its start. A tile that is placed anew in the middle of it was not received:
    everything waits for the end of the turn."""
    if in_own_turn(game, seat) and game.state.phase != "START":
        return
    culture, pending = game.module_state(Culture), game.state.seats[seat].pending
    own = tiles_of(game, seat)
    prices = {sort_of(game, tile) for tile in culture.received if tile in own}
    culture.received = tuple(tile for tile in culture.received if tile in pending)
    update(game, seat, tuple(name for name in SORTS if name in prices))


def update(game: Game, seat: int, names: tuple[str, ...]) -> None:
    """Move the markers of these sorts on, never back, and ask which tiles are taken."""
    counts = buildings_of(game, seat)
    for name, dial in dials(game, seat).items():
        if name in names and counts[name] >= FEWEST and section_for(name, counts[name]) > dial.marked:
            mark(game, seat, name, dial._replace(marked=section_for(name, counts[name])))
    ask_culture(game, seat, names)


def mark(game: Game, seat: int, name: str, dial: Dial) -> None:
    """The marker lies on another section."""
    set_dial(game, seat, name, dial)
    game.emit("culture_marked", seat=seat, piece=name, amount=points_at(name, dial.marked))


def ask_culture(game: Game, seat: int, names: Iterable[str]) -> None:
    """Ask which of these tiles the seat takes, if it may take one: everybody sees that."""
    counts = buildings_of(game, seat)
    found = tuple(name for name in names if not any(obstacles(game, seat, name, counts[name])))
    if found:
        game.ask("culture", seat, pieces=found)


def obstacles(game: Game, seat: int, name: str, count: int) -> Iterator[Violation]:
    """Yield why a seat with so many buildings of its price cannot take a tile."""
    if name in game.module_state(Culture).owned[seat]:
        yield Violation("LIMIT_REACHED", "piece", what="culture", limit=1)
    if count < FEWEST:
        yield Violation("CONDITION_UNMET", "piece", what="equal_prices", need=FEWEST, have=count)
    if not game.module_state(Culture).stacks[name]:
        yield Violation("NOT_THERE", "piece", id=name, place="supply")


def verify_take(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One of the tiles that the question is about."""
    if move.piece not in SORTS:
        yield Violation("ID_UNKNOWN", "piece", id=move.piece)
    elif move.piece not in decision.context["pieces"]:
        found = [*obstacles(game, decision.seat, move.piece, buildings_of(game, decision.seat)[move.piece])]
        yield from found or [Violation("NOT_ELIGIBLE", "piece", piece=move.piece, for_="culture_now")]


def take_culture(game: Game, decision: Decision, move: Move) -> None:
    """The tile lies before the seat, marked by its buildings; the next one may be taken."""
    culture, seat, name = game.module_state(Culture), decision.seat, need(move.piece)
    culture.stacks = {**culture.stacks, name: culture.stacks[name] - 1}
    game.emit("culture_taken", seat=seat, piece=name)
    mark(game, seat, name, Dial(0, section_for(name, buildings_of(game, seat)[name])))
    game.push(ask_culture, seat, decision.context["pieces"])


def takings(_game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every tile that the question is about."""
    for name in decision.context["pieces"]:
        yield Move("take_culture", piece=name)


TAKE = Verb("take_culture", "piece", verify_take, take_culture, takings)
CULTURE = DecisionKind(
    "culture",
    verbs=(TAKE.name,),
    passing=freely,
    orders=(PASS, in_turn("take_all", "Take every culture tile that can be taken.", TAKE.name)),
)
