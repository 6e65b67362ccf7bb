"""The end: leftover tiles, the last scoring, the winner.

Each tile left on the market goes to the player with strictly most money of that space's currency in hand; nothing is
paid. Recipients may build it. After scoring 3 the highest score wins; tied leaders share the win.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..components import CURRENCIES
from ..module import Agenda, Step
from .build import may_be_built
from .dirk import FINAL
from .place_tiles import acquire, box_pending
from .scoring import hold_scoring
from .supply import SLOTS, clear_space
from .turn_order import seats_after, seats_from

if TYPE_CHECKING:
    from ..game import Game


def end_game(game: Game, because: str) -> None:
    """Nothing else happens any more: the end begins."""
    game.clear_agenda()
    game.state.phase = "END"
    game.state.actions = 0
    game.emit("end_began", because=because)
    game.enter("end")


def stop_game(game: Game) -> None:
    """The turn limit is reached: the game stops without a ranking."""
    game.clear_agenda()
    game.state.phase = "END"
    game.state.over = True
    game.emit("game_ended", because="turn_limit", ranking=(), winners=(), scores=game.scores, **_laid_open(game))


def money_in_hand(game: Game, seat: int, currency: str) -> int:
    """What a seat has of a currency when leftover tiles are given out."""
    known = game.ruleset.cards
    cards = sum(known[card].value for card in game.state.seats[seat].hand if known[card].currency == currency)
    return game.value("money_in_hand", cards, seat, currency)


def distribute(game: Game, place: int = 0) -> None:
    """Gives the leftover tiles out, space by space."""
    if place < len(SLOTS):
        game.push(distribute, place + 1)
        game.enter("leftover", place)


def money_of_seats(game: Game, place: int) -> dict[int, int]:
    """By seat still playing: its money of a space's currency, which decides who gets what is left there."""
    return {seat: money_in_hand(game, seat, CURRENCIES[place]) for seat in seats_from(game, 0)}


def award_to_richest(game: Game, place: int) -> None:
    """The seat with strictly most money of its currency gets the tile on a space."""
    tile = game.state.market[place]
    if not tile:
        return
    totals = money_of_seats(game, place)
    most = max(totals.values())
    richest = [seat for seat, total in totals.items() if total == most]
    winner = richest[0] if len(richest) == 1 and most else None
    if winner is not None:
        clear_space(game, place)
    award_leftover(game, place, tile, winner, totals)


def award_leftover(game: Game, place: int, tile: str, seat: int | None, totals: dict[int, int]) -> None:
    """Tells who gets a leftover tile, by what totals of money, and hands it over. No seat: it stays where it is."""
    game.revealed()  # the totals tell about hands
    game.emit("leftover_awarded", slot=SLOTS[place], tile=tile, seat=seat, totals=tuple(totals.items()))
    if seat is not None:
        acquire(game, seat, tile, "leftover", giftable=False)


def build_leftovers(game: Game) -> None:
    """Recipients build their tiles or leave them, in turn order from the next player. If everybody can see that a
    seat can build none of its tiles, they are left without a question."""
    for seat in seats_after(game, game.state.active):
        pending = game.state.seats[seat].pending
        if any(may_be_built(game, seat, game.ruleset.tiles[tile]) for tile in pending):
            game.push(build_leftovers)
            game.ask("leftover_tiles", seat, tiles=pending)
            return
        for tile in pending:
            box_pending(game, seat, tile, forced=True)


def score_finally(game: Game) -> None:
    """Scoring 3."""
    hold_scoring(game, FINAL)


def declare_result(game: Game, because: str = "scored") -> None:
    """The highest score wins, or the one seat left."""
    state = game.state
    state.over = True
    game.clear_agenda()
    ranked = state.ranking = ranking(game)
    winners = tuple(seat for seat, place in ranked if place == 1)
    tie = game.options.rules["win_tie"] if len(winners) > 1 else None
    result = {"ranking": ranked, "winners": winners, "tie": tie, "scores": game.scores}
    game.emit("game_ended", because=because, **result, **_laid_open(game))


def ranking(game: Game) -> tuple[tuple[int, int], ...]:
    """Seats with their places, best first. Seats that resigned come last; Dirk only if he can win."""
    state = game.state
    playing = [seat for seat, owner in enumerate(state.seats) if not owner.resigned]
    if len(playing) == 1:
        return ((playing[0], 1), *((seat, 2) for seat in range(len(state.seats)) if seat != playing[0]))
    if len(state.seats) == 2 and game.options.rules["dirk_can_win"]:
        playing.append(2)
    scores = game.scores
    ranked = [(seat, 1 + sum(scores[other] > scores[seat] for other in playing)) for seat in playing]
    last = len(playing) + 1
    gone = [(seat, last) for seat, owner in enumerate(state.seats) if owner.resigned]
    return tuple(sorted(ranked, key=lambda entry: (entry[1], entry[0]))) + tuple(gone)


def _laid_open(game: Game) -> dict[str, object]:
    """What everybody may know once the game is over. From then on nothing can be taken back."""
    game.revealed()
    return {"hands": tuple(seat.hand for seat in game.state.seats), "seed": game.options.seed}


STEPS = (
    Step("end.distribution", distribute),
    Step("leftover.award", award_to_richest),
    Step("end.building", build_leftovers),
    Step("end.scoring", score_finally),
    Step("end.result", declare_result),
)
AGENDA: Agenda = {"distribute": distribute, "build_leftovers": build_leftovers}
