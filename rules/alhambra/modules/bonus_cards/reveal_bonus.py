"""Turning bonus cards up, at any time and during a scoring, and taking them back into the hand."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.dirk import FINAL
from ...base.purchase import STANDARD
from ...base.scoring import types_of
from ...base.supply import without
from ...base.turn_order import soonest
from ...components import WALL
from ...declarations import PASS, in_turn
from ...game import Game
from ...module import DecisionKind, Verb, freely
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .cards import SHOWN, BonusCards, changed, in_hand


def is_shown(game: Game, card: str, tile_id: str) -> bool:
    """Return whether the tile is the finished building that the card shows. Wooden walls and rotation do not matter."""
    tile = game.ruleset.tiles[tile_id]
    return (
        tile.kind == STANDARD.name
        and (tile.type, tile.price) == SHOWN[card]
        and WALL not in tile.parts[0].edges
        and bool(types_of(game, tile_id))
    )


def is_built(game: Game, seat: int, card: str) -> bool:
    """Return whether the Alhambra of a seat holds the building that the card shows."""
    return any(is_shown(game, card, tile) for tile in game.state.seats[seat].board.placed)


def reveal(game: Game, seat: int, card: str, **facts: object) -> None:
    """The card is turned up for all to see."""
    cards = game.module_state(BonusCards)
    held = "unseen" if card in cards.unseen[seat] else "returned"
    own: tuple[tuple[str, ...], ...] = getattr(cards, held)
    setattr(cards, held, changed(own, seat, without(own[seat], (card,))))
    cards.revealed = changed(cards.revealed, seat, (*cards.revealed[seat], card))
    game.mark_revealed()
    game.emit("bonus_revealed", seat=seat, piece=card, **facts)


def verify_reveal(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One's own card that is not turned up, and its building in their own Alhambra."""
    if move.piece not in game.ruleset.pieces:
        yield Violation("ID_UNKNOWN", "piece", id=move.piece)
    elif move.piece not in in_hand(game, decision.seat):
        yield Violation("NOT_THERE", "piece", id=move.piece, place="hand")
    elif not is_built(game, decision.seat, move.piece):
        yield Violation("CONDITION_UNMET", "piece", what="shown_building", need=1, have=0)


def reveal_bonus(game: Game, decision: Decision, move: Move) -> None:
    """Turning a card up is free."""
    reveal(game, decision.seat, need(move.piece))


def reveals(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every own card whose building is built."""
    for card in in_hand(game, decision.seat):
        if is_built(game, decision.seat, card):
            yield Move("reveal_bonus", piece=card)


def could_reveal(game: Game, decision: Decision) -> bool:
    """Return whether the seat has a card that is not turned up: everybody can see that (03.32)."""
    return bool(in_hand(game, decision.seat))


def take_back(game: Game, seat: int, tile: str, _how: str) -> None:
    """A building left the Alhambra: a card that shows it returns to the hand. Everybody knows which one it is."""
    cards = game.module_state(BonusCards)
    for card in cards.revealed[seat]:
        if is_shown(game, card, tile):
            cards.revealed = changed(cards.revealed, seat, without(cards.revealed[seat], (card,)))
            cards.returned = changed(cards.returned, seat, (*cards.returned[seat], card))
            game.emit("bonus_returned", seat=seat, piece=card)


def lay_down(game: Game, seat: int) -> None:
    """The cards in the hand of a player who leaves are out of the game; those that are turned up stay and count."""
    cards = game.module_state(BonusCards)
    cards.rest = tuple(sorted((*cards.rest, *cards.unseen[seat])))
    game.state.box = (*game.state.box, *cards.returned[seat])
    cards.unseen, cards.returned = changed(cards.unseen, seat, ()), changed(cards.returned, seat, ())


# -- During a scoring --------------------------------------------------------------------------------------------------


def open_reveals(game: Game, number: int) -> None:
    """Before the counting everybody may turn cards up. In the last scoring all that can be turned up are (03.31)."""
    if number != FINAL:
        ask_reveals(game, (), None)
        return
    for seat in soonest(game):
        for card in in_hand(game, seat):
            if is_built(game, seat, card):
                reveal(game, seat, card, forced=True)


def ask_reveals(game: Game, passed: tuple[int, ...], last: int | None) -> None:
    """Ask whoever holds a card, the player due next first, until all have passed since a card was turned up last. The
    seat that turned it up is asked on. Everybody with a card is asked, for only the owner may know whether it fits."""
    holders = [seat for seat in soonest(game) if in_hand(game, seat) and seat not in passed]
    if holders:
        game.ask("reveals", last if last in holders else holders[0], passed=passed)


def ask_on(game: Game, decision: Decision, move: Move) -> None:
    """After a pass the next seat is asked; after a card was turned up all decide afresh."""
    if move.verb == "pass":
        game.push(ask_reveals, (*decision.context["passed"], decision.seat), None)
    else:
        game.push(ask_reveals, (), decision.seat)


REVEAL = Verb(
    "reveal_bonus",
    "piece",
    verify_reveal,
    reveal_bonus,
    reveals,
    at=("*",),
    free=True,
    possible=could_reveal,
)
REVEALS = DecisionKind(
    "reveals",
    verbs=(REVEAL.name,),
    passing=freely,
    answered=ask_on,
    concerns_others=True,
    orders=(PASS, in_turn("reveal_all", "Turn up every bonus card that can be turned up.", REVEAL.name)),
)
