"""12 The street trader.

Everybody has a trader's disc with three residents of different colours, picked in secret, and lays it on a free cell
beside the own Alhambra. When a tile is built on that cell the disc is set aside. If the building's colour stands on
the disc, one such resident may move in, and another one comes onto the disc from the general supply; if not, one
resident of the disc may be exchanged with the supply. At the end of the turn the disc is laid out again; after a
placement out of turn, at once; when the game ends, no more. At each scoring the residents in the buildings form sets of
different colours. A resident whose building is taken out returns to the supply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from ..base.placing import place_now
from ..base.scoring import score, types_of
from ..components import STEP, TYPES, Cell, module_data
from ..game import Game
from ..module import DecisionKind, Module, Step, Verb, freely
from ..moves import Move
from ..state import Decision
from ..violations import Violation

if TYPE_CHECKING:
    from ..board import Board
    from ..determinize import Secrets

RESIDENTS: dict[str, int] = module_data("street_trader")["citizens"]
PICKED: int = module_data("street_trader")["on_tile_at_start"]
SET_POINTS = {int(size): int(points) for size, points in module_data("street_trader")["set_points"].items()}
OWN_TURN = ("START", "MAIN", "PLACE", "LATE")
"""Who builds in these phases of the own turn lays the disc out again when the turn ends."""


@dataclass(slots=True)
class Residents:
    """Where the residents are, and where the discs lie. A disc without a cell is set aside."""

    discs: tuple[Cell | None, ...] = ()
    aboard: tuple[tuple[str, ...], ...] = ()
    """The residents on each seat's disc."""
    homes: dict[str, str] = field(default_factory=dict)
    """By tile: the resident who moved in."""
    supply: dict[str, int] = field(default_factory=dict)
    published: bool = False
    """Until everybody has chosen, a seat knows only its own disc."""


def _lay(game: Game, seat: int, cell: Cell | None) -> None:
    kept = game.slice(Residents)
    kept.discs = (*kept.discs[:seat], cell, *kept.discs[seat + 1 :])


def _board(game: Game, seat: int, residents: Iterable[str]) -> None:
    """These residents stand on the disc."""
    kept = game.slice(Residents)
    aboard = tuple(sorted(residents, key=TYPES.index))
    kept.aboard = (*kept.aboard[:seat], aboard, *kept.aboard[seat + 1 :])


def _leave(game: Game, seat: int, name: str) -> None:
    """One resident of that colour gets off the disc."""
    left = list(game.slice(Residents).aboard[seat])
    left.remove(name)
    _board(game, seat, left)


def _stock(game: Game, name: str, change: int) -> None:
    kept = game.slice(Residents)
    kept.supply = {**kept.supply, name: kept.supply[name] + change}


def in_supply(game: Game) -> list[str]:
    """The colours that the supply still has."""
    return [name for name, count in game.slice(Residents).supply.items() if count]


# -- Before the first turn: three residents and a cell, in secret ----------------------------------------------------


def begin_choices(game: Game) -> None:
    """One seat after another chooses."""
    seats = len(game.state.seats)
    kept = game.slice(Residents)
    kept.discs = (None,) * seats
    kept.aboard = ((),) * seats
    choose(game, 0)


def choose(game: Game, seat: int) -> None:
    """Asks a seat until its disc lies; after the last one everything is shown."""
    kept = game.slice(Residents)
    if seat == len(kept.discs):
        publish(game)
    elif kept.discs[seat] is None:
        game.push(choose, seat)
        game.ask("pick_residents", seat, left=PICKED - len(kept.aboard[seat]))
    else:
        choose(game, seat + 1)


def publish(game: Game) -> None:
    """All discs are shown together; the residents that nobody picked are the supply."""
    kept = game.slice(Residents)
    kept.published = True
    kept.supply = {name: RESIDENTS[name] - sum(name in aboard for aboard in kept.aboard) for name in TYPES}
    game.revealed()
    for seat, cell in enumerate(kept.discs):
        game.tell("residents_picked", seat=seat, types=kept.aboard[seat])
        game.tell("disc_laid", seat=seat, cell=cell)


def pickable(game: Game, seat: int) -> tuple[str, ...]:
    """Everybody has one resident of each colour and names the three in ascending order, so that three can be named."""
    picked = game.slice(Residents).aboard[seat]
    after = TYPES.index(picked[-1]) + 1 if picked else 0
    return TYPES[after : _first_types(len(picked) + 1)]


def _first_types(count: int) -> int:
    """How far up the types so many picks can reach, if all three are to be named."""
    return len(TYPES) - PICKED + count


def verify_pick(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Three different ones, in ascending order."""
    if len(game.slice(Residents).aboard[decision.seat]) == PICKED:
        yield Violation("LIMIT_REACHED", "verb", what="residents", limit=PICKED)
    elif move.type not in (fitting := pickable(game, decision.seat)):
        yield Violation("TYPE_MISMATCH", "type", expected=list(fitting), got=move.type)


def pick_resident(game: Game, decision: Decision, move: Move) -> None:
    """He gets on the disc; only his owner sees it."""
    assert move.type is not None
    seat = decision.seat
    _board(game, seat, (*game.slice(Residents).aboard[seat], move.type))
    game.tell("residents_picked", {seat: {"types": game.slice(Residents).aboard[seat]}}, seat=seat)


def picks(game: Game, decision: Decision) -> Iterator[Move]:
    """Every resident who may come next."""
    if len(game.slice(Residents).aboard[decision.seat]) < PICKED:
        for name in pickable(game, decision.seat):
            yield Move("pick_resident", type=name)


# -- Laying the disc -------------------------------------------------------------------------------------------------


def _beside(board: Board, cell: Cell) -> bool:
    """Does a side of this cell touch the Alhambra? Camps and watchtowers are no neighbours for a disc."""
    return any(board.full(lot) for _, lot in board.neighbours(*cell))


def verify_disc(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A free cell beside an own tile, not across a corner; walls do not matter. At the beginning the picks come first."""
    assert move.cell is not None
    board = game.state.seats[decision.seat].board
    aboard = len(game.slice(Residents).aboard[decision.seat])
    if decision.kind == "pick_residents" and aboard < PICKED:
        yield Violation("CONDITION_UNMET", "verb", what="residents", need=PICKED, have=aboard)
    if move.cell in board.cells:
        yield Violation("PLACE_TAKEN", "cell", cell=list(move.cell))
    elif not _beside(board, move.cell):
        yield Violation("NO_CONTACT", "cell", cell=list(move.cell))


def lay_disc(game: Game, decision: Decision, move: Move) -> None:
    """There it lies; during the secret choices only its owner knows where."""
    seat = decision.seat
    _lay(game, seat, move.cell)
    if game.slice(Residents).published:
        game.tell("disc_laid", seat=seat, cell=move.cell)
    else:
        game.tell("disc_laid", {seat: {"cell": move.cell}}, seat=seat)


def disc_cells(game: Game, decision: Decision) -> Iterator[Move]:
    """Every free cell beside the Alhambra, row by row from the north."""
    board = game.state.seats[decision.seat].board
    around = {(x + dx, y + dy) for x, y in board.cells for dx, dy in STEP.values()} - board.cells.keys()
    for cell in sorted(around, key=lambda cell: (cell[1], cell[0])):
        move = Move("lay_disc", cell=cell)
        if not any(verify_disc(game, decision, move)):
            yield move


def return_disc(game: Game) -> None:
    """At the end of the turn the disc is laid out again."""
    _ask_disc(game, game.state.active)


def return_disc_now(game: Game, seat: int) -> None:
    """Out of turn it is laid out again as soon as everything is placed that was gained with the tile."""
    agenda = game.state.agenda
    if agenda and agenda[-1][:2] == (game.ruleset.step_names[place_now], seat):
        game.resume(len(agenda) - 1, return_disc_now, seat)
    else:
        _ask_disc(game, seat)


def _ask_disc(game: Game, seat: int) -> None:
    if game.slice(Residents).discs[seat] is None:
        game.ask("lay_disc", seat)


# -- A tile is built where the trader stands ---------------------------------------------------------------------------


def make_way(game: Game, seat: int, tile: str, _how: str) -> None:
    """The disc is set aside. Exchanging tiles never does that: the disc lies where no tile is."""
    cell = game.slice(Residents).discs[seat]
    if cell is None or cell not in game.state.seats[seat].board.cells_of(tile):
        return
    _lay(game, seat, None)
    if game.state.phase != "END" and (seat != game.state.active or game.state.phase not in OWN_TURN):
        game.push(return_disc_now, seat)
    game.push(meet_trader, seat, tile, _colour_at(game, seat, cell))


def _colour_at(game: Game, seat: int, cell: Cell) -> str:
    """The building's type, of a double tile that of the half in this cell; empty if it is no building."""
    lot = game.state.seats[seat].board.cells[cell]
    types = types_of(game, lot.tile.id)
    return types[lot.part] if types else ""


def meet_trader(game: Game, seat: int, tile: str, name: str) -> None:
    """Asks whether a resident moves in or is exchanged; with nobody to move and nobody to exchange there is no question."""
    aboard = game.slice(Residents).aboard[seat]
    if name in aboard or (aboard and in_supply(game)):
        game.ask("resident", seat, tile=tile, type=name or None)
    else:
        game.tell("passed", seat=seat, decision="resident", forced=True)


def verify_move_in(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Only into a building of the colour of somebody on the disc."""
    aboard = game.slice(Residents).aboard[decision.seat]
    tile, name = decision.context["tile"], decision.context["type"]
    if name is None:
        yield Violation("NOT_ELIGIBLE", "verb", tile=tile, for_="resident")
    elif name not in aboard:
        yield Violation("TYPE_MISMATCH", "verb", expected=list(dict.fromkeys(aboard)), got=name)


def move_in(game: Game, decision: Decision, _move: Move) -> None:
    """From the disc into the building; another one comes onto the disc."""
    tile, name = decision.context["tile"], decision.context["type"]
    kept = game.slice(Residents)
    _leave(game, decision.seat, name)
    kept.homes = {**kept.homes, tile: name}
    game.tell("resident_moved_in", seat=decision.seat, tile=tile, type=name)
    game.push(replace_resident, decision.seat, None)


def movings_in(game: Game, decision: Decision) -> Iterator[Move]:
    """One move, if somebody fits."""
    move = Move("move_in")
    if not any(verify_move_in(game, decision, move)):
        yield move


def verify_exchange(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Only if nobody could move in; for one of the supply."""
    aboard = game.slice(Residents).aboard[decision.seat]
    if move.type not in aboard:
        yield Violation("NOT_THERE", "type", id=move.type, place="held")
    if decision.context["type"] in aboard:
        yield Violation("CONDITION_UNMET", "verb", what="matching_resident", need=False, have=True)
    if not in_supply(game):
        yield Violation("CONDITION_UNMET", "verb", what="supply", need=1, have=0)


def exchange(game: Game, decision: Decision, move: Move) -> None:
    """He gets off the disc for whoever is taken."""
    game.push(replace_resident, decision.seat, move.type)


def exchanges(game: Game, decision: Decision) -> Iterator[Move]:
    """Every colour on the disc, if an exchange is possible."""
    for name in dict.fromkeys(game.slice(Residents).aboard[decision.seat]):
        move = Move("swap_resident", type=name)
        if not any(verify_exchange(game, decision, move)):
            yield move


def replace_resident(game: Game, seat: int, given: str | None) -> None:
    """One of the supply comes onto the disc: by choice, if it has several colours. An empty one gives nobody."""
    names = in_supply(game)
    if len(names) > 1:
        game.ask("take_resident", seat, given=given)
    elif names:
        _change(game, seat, given, names[0], forced=True)


def _change(game: Game, seat: int, given: str | None, taken: str, **facts: object) -> None:
    if given is not None:
        _leave(game, seat, given)
        _stock(game, given, 1)
        facts["given"] = given
    _stock(game, taken, -1)
    _board(game, seat, (*game.slice(Residents).aboard[seat], taken))
    game.tell("resident_changed", seat=seat, type=taken, **facts)


def verify_take(game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """The supply must have one. Whoever gets off the disc for him is not in it yet."""
    if move.type not in in_supply(game):
        yield Violation("NOT_THERE", "type", id=move.type, place="supply")


def take_resident(game: Game, decision: Decision, move: Move) -> None:
    """He gets on the disc."""
    assert move.type is not None
    _change(game, decision.seat, decision.context["given"], move.type)


def takings(game: Game, _decision: Decision) -> Iterator[Move]:
    """Every colour of the supply."""
    for name in in_supply(game):
        yield Move("take_resident", type=name)


def move_out(game: Game, seat: int, tile: str, _how: str) -> None:
    """Whose building is taken out of the Alhambra returns to the supply."""
    kept = game.slice(Residents)
    if tile in kept.homes:
        name = kept.homes[tile]
        kept.homes = {home: resident for home, resident in kept.homes.items() if home != tile}
        _stock(game, name, 1)
        game.tell("resident_left", seat=seat, tile=tile, type=name)


# -- Scoring -------------------------------------------------------------------------------------------------------


def residents_of(game: Game, seat: int) -> list[str]:
    """The residents in the buildings of a seat."""
    placed = game.state.seats[seat].board.placed
    return [name for tile, name in game.slice(Residents).homes.items() if tile in placed]


def score_residents(game: Game, number: int) -> None:
    """Sets of different colours: the first takes one of every colour there is, the next one of what is left."""
    for seat in range(len(game.state.seats)):
        residents = residents_of(game, seat)
        counts = [residents.count(name) for name in TYPES]
        for taken in range(max(counts)):
            size = sum(count > taken for count in counts)
            score(game, seat, SET_POINTS[size], "residents", scoring=number, count=size)


# -- What can be seen ----------------------------------------------------------------------------------------------


def view(game: Game, viewer: int | None) -> dict[str, Any]:
    """Discs, residents and supply; before the discs are shown together only the own one."""
    kept = game.slice(Residents)
    discs = [
        {"cell": {"x": cell[0], "y": cell[1]} if cell else None, "residents": list(kept.aboard[seat])}
        if kept.published or seat == viewer
        else None
        for seat, cell in enumerate(kept.discs)
    ]
    return {"discs": discs, "residents": dict(kept.homes), "supply": dict(kept.supply)}


def secrets(game: Game, viewer: int | None, found: Secrets) -> None:
    """What the others picked could be any of their own six, and their discs could lie at any side."""
    kept = game.slice(Residents)
    for seat, (cell, picked) in enumerate(zip(kept.discs, kept.aboard, strict=True)):
        if kept.published or seat == viewer:
            continue
        others = tuple(name for name in TYPES[: _first_types(len(picked))] if name not in picked)
        found.add(f"street_trader/residents-{seat}", picked, partial(_board, game, seat))
        found.add(f"street_trader/residents-{seat}", others, _stay_out)
        if cell is not None:
            sides = tuple(sorted(STEP, key=lambda side: STEP[side] != cell))
            found.add(f"street_trader/disc-{seat}", sides[:1], partial(_lay_at, game, seat))
            found.add(f"street_trader/disc-{seat}", sides[1:], _stay_out)


def _stay_out(_things: tuple[str, ...]) -> None:
    """Residents not picked and sides not chosen."""


def _lay_at(game: Game, seat: int, sides: tuple[str, ...]) -> None:
    _lay(game, seat, STEP[sides[0]])


def marks(game: Game, seat: int) -> dict[Cell, str]:
    """The disc, and the residents in the buildings."""
    kept = game.slice(Residents)
    board = game.state.seats[seat].board
    found = {}
    for tile, name in kept.homes.items():
        if tile in board.placed:
            found.update({cell: "resident" for cell in board.cells_of(tile) if _colour_at(game, seat, cell) == name})
    disc = kept.discs[seat] if kept.published else None
    return {**found, disc: "trader"} if disc else found


def census(game: Game) -> Iterator[str]:
    """All residents, wherever they are."""
    kept = game.slice(Residents)
    for name in (*kept.homes.values(), *(name for aboard in kept.aboard for name in aboard)):
        yield f"resident-{name}"
    for name, count in kept.supply.items():
        yield from [f"resident-{name}"] * count


MODULE = Module(
    number=12,
    key="street_trader",
    state=Residents,
    verbs=(
        Verb("pick_resident", "type", verify_pick, pick_resident, picks, at=("pick_residents",)),
        Verb("lay_disc", "cell", verify_disc, lay_disc, disc_cells, at=("pick_residents", "lay_disc")),
        Verb("move_in", "", verify_move_in, move_in, movings_in, at=("resident",)),
        Verb("swap_resident", "type", verify_exchange, exchange, exchanges, at=("resident",)),
        Verb("take_resident", "type", verify_take, take_resident, takings, at=("take_resident",)),
    ),
    decisions=(
        DecisionKind("pick_residents"),
        DecisionKind("resident", passing=freely),
        DecisionKind("take_resident"),
        DecisionKind("lay_disc"),
    ),
    steps=(
        Step("setup.choices", begin_choices),
        Step("turn.disc", return_disc),
        Step("scoring.gains", score_residents),
    ),
    agenda=(choose, return_disc_now, meet_trader, replace_resident),
    built=make_way,
    unbuilt=move_out,
    view=view,
    secrets=secrets,
    marks=marks,
    census=census,
)
