"""Leading animals: one money card is handed in, and its value is the number of steps."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.supply import discard, lose, missing
from ...base.walk import Figure, Walk, begin_walk
from ...components import Cell
from ...game import Game
from ...module import Verb, those_that_verify
from ...moves import Move
from ...state import Decision
from ...violations import Violation
from .animals import Menagerie, put_animals

LED = "animals"
"""The word in `state.used` that says that animals were led in this turn."""


def figures(game: Game, seat: int) -> Iterator[Figure]:
    """Yield the animals in the Alhambra of a seat. Those of one species on one cell cannot be told apart."""
    board, lying = game.state.seats[seat].board, game.module_state(Menagerie).lying
    for tile in board.placed if lying else ():
        cells = board.cells_of(tile) if tile in lying else ()
        for part, species in dict.fromkeys(lying.get(tile, ())):
            yield Figure(cells[part], species)


def walked(game: Game, seat: int, figure: Figure, cell: Cell) -> None:
    """One animal lies on the next cell."""
    cells, kept = game.state.seats[seat].board.cells, game.module_state(Menagerie)
    old, new = cells[figure.cell], cells[cell]
    left = list(kept.lying[old.tile.id])
    left.remove((old.part, figure.piece))
    put_animals(kept, old.tile.id, left)
    put_animals(kept, new.tile.id, (*kept.lying.get(new.tile.id, ()), (new.part, figure.piece)))
    game.emit("animal_moved", seat=seat, piece=figure.piece, cell=cell)


def is_asked(game: Game, seat: int) -> bool:
    """Return whether the seat may lead animals now, as far as everybody sees: not, which cards it holds."""
    may_lead = game.state.seats[seat].hand and LED not in game.state.used
    return bool(may_lead) and next(figures(game, seat), None) is not None


def verify_lead(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One money card from the hand, once in a turn, for animals in their own Alhambra."""
    if LED in game.state.used:
        yield Violation("USED_UP", "verb", what="animals", limit=1, per="turn")
    if next(figures(game, decision.seat), None) is None:
        yield Violation("NOT_THERE", "verb", id="animal", place="alhambra")
    if len(move.cards) != 1:
        yield Violation("CARD_COUNT", "cards", need=1, got=len(move.cards))
    absent = missing(game.state.seats[decision.seat].hand, move.cards)
    for card in move.cards:
        if card not in game.ruleset.cards:
            yield Violation("ID_UNKNOWN", "cards", id=card)
        elif card in absent:
            yield Violation("NOT_THERE", "cards", id=card, place="hand")
        elif not game.ruleset.cards[card].value:
            yield Violation("NOT_ELIGIBLE", "cards", piece=card, for_="animals")


def lead_animals(game: Game, decision: Decision, move: Move) -> None:
    """The card is spent; its value is the number of steps."""
    steps = game.ruleset.cards[move.cards[0]].value
    game.state.used = (*game.state.used, LED)
    lose(game, decision.seat, move.cards)
    game.emit("animals_led", seat=decision.seat, cards=move.cards, steps=steps)
    discard(game, move.cards)
    begin_walk(game, "animal_walk", decision.seat, steps)


def cards_to_hand_in(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every kind of card in hand."""
    return (Move("lead_animals", cards=(card,)) for card in dict.fromkeys(game.state.seats[decision.seat].hand))


LEAD_ANIMALS = Verb(
    "lead_animals",
    "cards",
    verify_lead,
    lead_animals,
    those_that_verify(verify_lead, cards_to_hand_in),
    at=("late",),
    possible=lambda game, decision: is_asked(game, decision.seat),
)
ANIMAL_WALK = Walk("animal_walk", figures=figures, moved=walked, orders=())
