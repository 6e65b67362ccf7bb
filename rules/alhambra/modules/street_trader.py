"""12 The street trader.

Everybody has a trader's disc with three residents of different colours, picked in secret, and lays it on a free cell
beside the own Alhambra. When a tile is built on that cell the disc is set aside. If the building's colour stands on
the disc, one such resident may move in, and another one comes onto the disc from the general supply; if not, one
resident of the disc may be exchanged with the supply. At the end of the turn the disc is laid out again; after a
placement out of turn, at once; when the game ends, no more. At each scoring the residents in the buildings form sets of
different colours. A resident whose building is taken out returns to the supply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from ..base.scoring import score, type_at
from ..base.seating import in_own_turn
from ..components import STEP, TYPES, Cell, module_data
from ..declarations import PieceKind, Reason
from ..game import Game
from ..module import DecisionKind, Module, Step, Verb, freely, those_that_verify
from ..moves import Move
from ..state import Decision
from ..violations import Violation

if TYPE_CHECKING:
    from ..determinize import Secrets

RESIDENTS: dict[str, int] = module_data("street_trader")["citizens"]
PICKED: int = module_data("street_trader")["on_tile_at_start"]
SET_POINTS = {int(size): int(points) for size, points in module_data("street_trader")["set_points"].items()}
Verifier = Callable[[Game, Decision, Move], Iterator[Violation]]
Doer = Callable[[Game, Decision, Move], None]
Lister = Callable[[Game, Decision], Iterable[Move]]


@dataclass(slots=True)
class Residents:
    """Where the discs lie and the residents stand."""

    discs: tuple[Cell | None, ...] = ()
    """A disc without a cell is set aside."""
    aboard: tuple[tuple[str, ...], ...] = ()
    """The residents on each disc."""
    homes: dict[str, str] = field(default_factory=dict)
    """By tile: the resident who moved in."""
    supply: tuple[str, ...] = ()
    published: bool = False
    """Until everybody has chosen, a seat knows only its own disc."""


def _lay(game: Game, seat: int, cell: Cell | None) -> None:
    kept = game.slice(Residents)
    kept.discs = (*kept.discs[:seat], cell, *kept.discs[seat + 1 :])


def _board(game: Game, seat: int, residents: Iterable[str]) -> None:
    """These residents stand on the disc."""
    kept = game.slice(Residents)
    kept.aboard = (*kept.aboard[:seat], _group(residents), *kept.aboard[seat + 1 :])


def _group(residents: Iterable[str], less: str = "") -> tuple[str, ...]:
    """Residents in the order of their colours, one of them left out."""
    found = sorted(residents, key=TYPES.index)
    if less:
        found.remove(less)
    return tuple(found)


def _of_each_colour(verb: str) -> Callable[[Game, Decision], Iterable[Move]]:
    return lambda _game, _decision: [Move(verb, type=colour) for colour in TYPES]


def _verb(name: str, nouns: str, verify: Verifier, apply: Doer, conceivable: Lister, *at: str) -> Verb:
    return Verb(name, nouns, verify, apply, those_that_verify(verify, conceivable), at=at)


# -- Before the first turn: three residents and a cell, in secret ----------------------------------------------------


def deal_discs(game: Game) -> None:
    """Everybody gets a disc."""
    kept = game.slice(Residents)
    kept.discs = (None,) * len(game.state.seats)
    kept.aboard = ((),) * len(game.state.seats)


def choose(game: Game) -> None:
    """Asks one seat after another until its disc lies. Then all are shown, and whom nobody picked is the supply."""
    kept = game.slice(Residents)
    if None in kept.discs:
        seat = kept.discs.index(None)
        game.push(choose)
        game.ask("pick_residents", seat, left=PICKED - len(kept.aboard[seat]))
        return
    kept.published = True
    picked = [name for aboard in kept.aboard for name in aboard]
    kept.supply = tuple(name for name in TYPES for _ in range(RESIDENTS[name] - picked.count(name)))
    game.revealed()
    for seat, cell in enumerate(kept.discs):
        game.tell("residents_picked", seat=seat, types=kept.aboard[seat])
        game.tell("disc_laid", seat=seat, cell=cell)


def _within_reach(picks: int) -> tuple[str, ...]:
    """The colours that so many picks can be of, if all three are named in ascending order."""
    return TYPES[: len(TYPES) - PICKED + picks]


def verify_pick(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Everybody has one resident of each colour, and names three of them in ascending order."""
    picked = game.slice(Residents).aboard[decision.seat]
    if len(picked) == PICKED:
        yield Violation("LIMIT_REACHED", "verb", what="residents", limit=PICKED)
        return
    after = TYPES.index(picked[-1]) + 1 if picked else 0
    fitting = _within_reach(len(picked) + 1)[after:]
    if move.type not in fitting:
        yield Violation("TYPE_MISMATCH", "type", expected=list(fitting), got=move.type)


def pick_resident(game: Game, decision: Decision, move: Move) -> None:
    """He gets on the disc; only his owner sees it."""
    assert move.type is not None
    seat = decision.seat
    _board(game, seat, (*game.slice(Residents).aboard[seat], move.type))
    game.tell("residents_picked", {seat: {"types": game.slice(Residents).aboard[seat]}}, seat=seat)


# -- Laying the disc -------------------------------------------------------------------------------------------------


def verify_disc(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A free cell at a side of an own tile; walls do not matter. Camps and watchtowers are no neighbours for it."""
    assert move.cell is not None
    board = game.state.seats[decision.seat].board
    aboard = len(game.slice(Residents).aboard[decision.seat])
    if decision.kind == "pick_residents" and aboard < PICKED:
        yield Violation("CONDITION_UNMET", "verb", what="residents", need=PICKED, have=aboard)
    if move.cell in board.cells:
        yield Violation("PLACE_TAKEN", "cell", cell=list(move.cell))
    elif not any(board.full(lot) for _, lot in board.neighbours(*move.cell)):
        yield Violation("NO_CONTACT", "cell", cell=list(move.cell))


def lay_disc(game: Game, decision: Decision, move: Move) -> None:
    """There it lies; as long as the choices are secret only its owner knows where."""
    seat = decision.seat
    _lay(game, seat, move.cell)
    if game.slice(Residents).published:
        game.tell("disc_laid", seat=seat, cell=move.cell)
    else:
        game.tell("disc_laid", {seat: {"cell": move.cell}}, seat=seat)


def cells_around(game: Game, decision: Decision) -> Iterator[Move]:
    """The disc on every cell at or beside a tile, row by row from the north."""
    cells = game.state.seats[decision.seat].board.cells
    around = {(x + dx, y + dy) for x, y in cells for dx, dy in STEP.values()}
    return (Move("lay_disc", cell=cell) for cell in sorted(around, key=lambda cell: (cell[1], cell[0])))


def return_disc(game: Game) -> None:
    """At the end of the turn a disc that was set aside is laid out again."""
    if game.slice(Residents).discs[game.state.active] is None:
        game.ask("lay_disc", game.state.active)


def return_disc_now(game: Game, seat: int) -> None:
    """After a placement out of turn at once; in the own turn it waits for its end, when the game ends for ever."""
    waits = game.state.phase == "END" or in_own_turn(game, seat)
    if not waits and game.slice(Residents).discs[seat] is None:
        game.ask("lay_disc", seat)


# -- A tile is built where the trader stands ---------------------------------------------------------------------------


def make_way(game: Game, seat: int, tile: str, _how: str) -> None:
    """The disc is set aside. Where tiles are exchanged it never lies: its cell is free."""
    cell = game.slice(Residents).discs[seat]
    if cell is None or cell not in game.state.seats[seat].board.cells_of(tile):
        return
    _lay(game, seat, None)
    game.push(meet_trader, seat, tile, type_at(game, game.state.seats[seat].board.cells[cell]))


def meet_trader(game: Game, seat: int, tile: str, colour: str) -> None:
    """Asks who moves in or is exchanged, unless everybody can see that nobody can."""
    kept = game.slice(Residents)
    if colour in kept.aboard[seat] or (kept.aboard[seat] and kept.supply):
        game.ask("resident", seat, tile=tile, **{"type": colour} if colour else {})
    else:
        game.tell("passed", seat=seat, decision="resident", forced=True)


def verify_move_in(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Only into a building, and one of the colour of somebody on the disc."""
    aboard = game.slice(Residents).aboard[decision.seat]
    colour = decision.context.get("type")
    if colour is None:
        yield Violation("NOT_ELIGIBLE", "verb", tile=decision.context["tile"], for_="resident")
    elif colour not in aboard:
        yield Violation("TYPE_MISMATCH", "verb", expected=list(dict.fromkeys(aboard)), got=colour)


def move_in(game: Game, decision: Decision, _move: Move) -> None:
    """From the disc into the building; another one comes onto the disc."""
    seat, tile, colour = decision.seat, decision.context["tile"], decision.context["type"]
    kept = game.slice(Residents)
    _board(game, seat, _group(kept.aboard[seat], less=colour))
    kept.homes = {**kept.homes, tile: colour}
    game.tell("resident_moved_in", seat=seat, tile=tile, type=colour)
    game.push(replace_resident, seat, "")


def verify_exchange(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Only if nobody could move in, and for somebody of the supply."""
    kept = game.slice(Residents)
    aboard = kept.aboard[decision.seat]
    if move.type not in aboard:
        yield Violation("NOT_THERE", "type", id=move.type, place="held")
    if decision.context.get("type") in aboard:
        yield Violation("CONDITION_UNMET", "verb", what="matching_resident", need=False, have=True)
    if not kept.supply:
        yield Violation("CONDITION_UNMET", "verb", what="supply", need=1, have=0)


def exchange(game: Game, decision: Decision, move: Move) -> None:
    """He will get off the disc for whoever is taken."""
    game.push(replace_resident, decision.seat, move.type)


def replace_resident(game: Game, seat: int, given: str) -> None:
    """One of the supply comes onto the disc: by choice, if it has several colours. An empty one gives nobody."""
    supply = game.slice(Residents).supply
    if len(set(supply)) > 1:
        game.ask("take_resident", seat, **{"given": given} if given else {})
    elif supply:
        _change(game, seat, given, supply[0], forced=True)


def verify_take(game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """The supply has one; whoever is given for him does not belong to it yet."""
    if move.type not in game.slice(Residents).supply:
        yield Violation("NOT_THERE", "type", id=move.type, place="supply")


def take_resident(game: Game, decision: Decision, move: Move) -> None:
    """He gets on the disc."""
    assert move.type is not None
    _change(game, decision.seat, decision.context.get("given", ""), move.type)


def _change(game: Game, seat: int, given: str, taken: str, **facts: object) -> None:
    kept = game.slice(Residents)
    _board(game, seat, _group((*kept.aboard[seat], taken), less=given))
    kept.supply = _group((*kept.supply, given) if given else kept.supply, less=taken)
    if given:
        facts["given"] = given
    game.tell("resident_changed", seat=seat, type=taken, **facts)


def move_out(game: Game, seat: int, tile: str, _how: str) -> None:
    """Whose building leaves the Alhambra returns to the supply."""
    kept = game.slice(Residents)
    if tile in kept.homes:
        left = dict(kept.homes)
        resident = left.pop(tile)
        kept.homes = left
        kept.supply = _group((*kept.supply, resident))
        game.tell("resident_left", seat=seat, tile=tile, type=resident)


# -- Scoring -------------------------------------------------------------------------------------------------------


def score_residents(game: Game, number: int) -> None:
    """Sets of different colours: the first takes one of every colour there is, the next one of every colour left."""
    homes = game.slice(Residents).homes
    for seat, owner in enumerate(game.state.seats):
        residents = [resident for tile, resident in homes.items() if tile in owner.board.placed]
        counts = [residents.count(colour) for colour in TYPES]
        for used in range(max(counts)):
            size = sum(count > used for count in counts)
            score(game, seat, SET_POINTS[size], "residents", scoring=number, count=size)


# -- What can be seen ----------------------------------------------------------------------------------------------


def view(game: Game, viewer: int | None) -> dict[str, Any]:
    """Discs, residents and supply; before the discs are shown, only the own one."""
    kept = game.slice(Residents)
    discs = [
        {"cell": {"x": cell[0], "y": cell[1]} if cell else None, "residents": list(aboard)}
        if kept.published or seat == viewer
        else None
        for seat, (cell, aboard) in enumerate(zip(kept.discs, kept.aboard, strict=True))
    ]
    supply = {colour: kept.supply.count(colour) for colour in TYPES} if kept.published else {}
    return {"discs": discs, "residents": dict(kept.homes), "supply": supply}


def things(game: Game) -> Iterator[dict[str, Any]]:
    """Once they are shown: each seat's disc with its residents, on its cell or set aside; residents in their homes."""
    kept = game.slice(Residents)
    if not kept.published:
        return
    for seat, (disc, aboard) in enumerate(zip(kept.discs, kept.aboard, strict=True)):
        board = game.state.seats[seat].board
        for cell, kind in sorted(marks(game, seat).items()):
            if cell == disc:
                yield {"kind": kind, "seat": seat, "cell": cell, "residents": aboard}
            else:
                yield {"kind": kind, "seat": seat, "cell": cell, "type": type_at(game, board.cells[cell])}
        if disc is None:
            yield {"kind": "trader", "seat": seat, "residents": aboard}
    for name in TYPES:
        count = kept.supply.count(name)
        if count:
            yield {"kind": "resident", "type": name, "amount": count}


def secrets(game: Game, viewer: int | None, found: Secrets) -> None:
    """Until they are shown, the others' residents could be any of their six, and their discs could lie at any side."""
    kept = game.slice(Residents)
    for seat, (cell, picked) in enumerate(zip(kept.discs, kept.aboard, strict=True)):
        if kept.published or seat == viewer:
            continue
        others = tuple(colour for colour in _within_reach(len(picked)) if colour not in picked)
        found.add(f"street_trader/residents-{seat}", picked, partial(_board, game, seat))
        found.add(f"street_trader/residents-{seat}", others, _leave_out)
        if cell is not None:
            sides = tuple(sorted(STEP, key=lambda side: STEP[side] != cell))
            found.add(f"street_trader/disc-{seat}", sides[:1], partial(_lay_at, game, seat))
            found.add(f"street_trader/disc-{seat}", sides[1:], _leave_out)


def _lay_at(game: Game, seat: int, sides: tuple[str, ...]) -> None:
    _lay(game, seat, STEP[sides[0]])


def _leave_out(_others: tuple[str, ...]) -> None:
    """Residents who were not picked and sides that were not chosen are nowhere."""


def marks(game: Game, seat: int) -> dict[Cell, str]:
    """The disc, and the residents in the buildings."""
    kept = game.slice(Residents)
    board = game.state.seats[seat].board
    built = [(tile, colour) for tile, colour in kept.homes.items() if tile in board.placed]
    homes = ((cell, colour) for tile, colour in built for cell in board.cells_of(tile))
    found = {cell: "resident" for cell, colour in homes if type_at(game, board.cells[cell]) == colour}
    disc = kept.discs[seat] if kept.published else None
    return {**found, disc: "trader"} if disc else found


def census(game: Game) -> Iterator[str]:
    """All residents, wherever they are."""
    kept = game.slice(Residents)
    for group in (kept.supply, kept.homes.values(), *kept.aboard):
        yield from (f"resident-{colour}" for colour in group)


MODULE = Module(
    number=12,
    key="street_trader",
    events={
        "residents_picked": "A seat picked residents for its disc.",
        "disc_laid": "A seat laid its disc beside its Alhambra.",
        "resident_moved_in": "A resident moved into a building.",
        "resident_changed": "A resident came onto a disc from the supply.",
        "resident_left": "A resident went back to the supply, because its building was taken out.",
    },
    reasons=(
        Reason("LIMIT_REACHED", "There are as many residents on the disc as there may be.", ("residents",)),
        Reason("TYPE_MISMATCH", "No resident of this colour can be named or moved in here."),
        Reason(
            "CONDITION_UNMET",
            "The exchange needs residents, and a supply, and nobody who could move in.",
            ("residents", "matching_resident", "supply"),
        ),
        Reason("NOT_ELIGIBLE", "Nobody moves into a tile that is no building.", ("resident",)),
    ),
    scores={
        "residents": "A set of residents of different colours.",
    },
    facts={
        "discs": "By seat: the cell of its disc and the residents on it.",
        "residents": "By tile: the resident who moved in.",
        "supply": "By colour: how many residents are in the supply.",
    },
    shows=(
        PieceKind(
            "trader",
            "A seat's disc with the residents on it, on its cell or set aside.",
            "M24 3a8.5 8.5 0 0 1 5 15.4C34 22 35 31 36 38h4v8H8v-8h4c1-7 2-16 7-19.6A8.5 8.5 0 0 1 24 3z",
            carries="residents",
        ),
        PieceKind(
            "resident",
            "A resident in a building, or residents in the supply.",
            "M24 3a8.5 8.5 0 0 1 5 15.4C34 22 35 31 36 38h4v8H8v-8h4c1-7 2-16 7-19.6A8.5 8.5 0 0 1 24 3z",
        ),
    ),
    state=Residents,
    verbs=(
        _verb("pick_resident", "type", verify_pick, pick_resident, _of_each_colour("pick_resident"), "pick_residents"),
        _verb("lay_disc", "cell", verify_disc, lay_disc, cells_around, "pick_residents", "lay_disc"),
        _verb("move_in", "", verify_move_in, move_in, lambda _game, _decision: [Move("move_in")], "resident"),
        _verb("swap_resident", "type", verify_exchange, exchange, _of_each_colour("swap_resident"), "resident"),
        _verb("take_resident", "type", verify_take, take_resident, _of_each_colour("take_resident"), "take_resident"),
    ),
    decisions=(
        DecisionKind("pick_residents"),
        DecisionKind("resident", passing=freely),
        DecisionKind("take_resident"),
        DecisionKind("lay_disc"),
    ),
    steps=(
        Step("setup.deal", deal_discs),
        Step("setup.choices", choose),
        Step("turn.disc", return_disc),
        Step("placed_now.disc", return_disc_now),
        Step("scoring.gains", score_residents),
    ),
    agenda=(choose, meet_trader, replace_resident),
    built=make_way,
    unbuilt=move_out,
    view=view,
    things=things,
    secrets=secrets,
    marks=marks,
    census=census,
)
