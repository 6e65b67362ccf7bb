"""The end of the game: leftover tiles, the last scoring, the winner.

Each tile left on the market goes to the player with strictly the most money in hand of that space's currency, for free.
Recipients may build it. After scoring 3 the highest score wins; tied leaders share the win.
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
    """Clear the agenda and start the end of the game."""
    game.clear_agenda()
    game.state.phase = "END"
    game.state.actions = 0
    game.emit("end_began", because=because)
    game.push_procedure("end")


def stop_game(game: Game) -> None:
    """Stop the game without a ranking, because the turn limit is reached."""
    game.clear_agenda()
    game.state.phase = "END"
    game.state.over = True
    game.emit("game_ended", because="turn_limit", ranking=(), winners=(), scores=game.scores, **_laid_open(game))


def money_in_hand(game: Game, seat: int, currency: str) -> int:
    """Return a seat's money of a currency when leftover tiles are awarded."""
    known = game.ruleset.cards
    cards = sum(known[card].value for card in game.state.seats[seat].hand if known[card].currency == currency)
    return game.value("money_in_hand", cards, seat, currency)


def distribute(game: Game, place: int = 0) -> None:
    """Award the leftover tiles, space by space."""
    if place < len(SLOTS):
        game.push(distribute, place + 1)
        game.push_procedure("leftover", place)


def money_of_seats(game: Game, place: int) -> dict[int, int]:
    """Return the money of each remaining seat in a space's currency, which decides who gets its leftover tile."""
    return {seat: money_in_hand(game, seat, CURRENCIES[place]) for seat in seats_from(game, 0)}


def award_to_richest(game: Game, place: int) -> None:
    """Award the tile on a space to the seat with strictly the most money of its currency."""
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
    """Announce who gets a leftover tile, with the totals of money, and hand it over. Without a seat, it stays."""
    game.mark_revealed()  # the totals reveal hands
    game.emit("leftover_awarded", slot=SLOTS[place], tile=tile, seat=seat, totals=tuple(totals.items()))
    if seat is not None:
        acquire(game, seat, tile, "leftover", giftable=False)


def build_leftovers(game: Game) -> None:
    """Let recipients build or leave their tiles, in turn order from the next player. A seat that visibly cannot build
    any of its tiles is not asked."""
    for seat in seats_after(game, game.state.active):
        pending = game.state.seats[seat].pending
        if any(may_be_built(game, seat, game.ruleset.tiles[tile]) for tile in pending):
            game.push(build_leftovers)
            game.ask("leftover_tiles", seat, tiles=pending)
            return
        for tile in pending:
            box_pending(game, seat, tile, forced=True)


def score_finally(game: Game) -> None:
    """Hold scoring 3."""
    hold_scoring(game, FINAL)


def declare_result(game: Game, because: str = "scored") -> None:
    """Declare the result: the highest score wins, or the only seat left."""
    state = game.state
    state.over = True
    game.clear_agenda()
    ranked = state.ranking = ranking(game)
    winners = tuple(seat for seat, place in ranked if place == 1)
    tie = game.options.rules["win_tie"] if len(winners) > 1 else None
    result = {"ranking": ranked, "winners": winners, "tie": tie, "scores": game.scores}
    game.emit("game_ended", because=because, **result, **_laid_open(game))


def ranking(game: Game) -> tuple[tuple[int, int], ...]:
    """Return (seat, place) pairs, best first. Resigned seats come last; Dirk is included only if he can win."""
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
    """Return everything that becomes public when the game is over. Nothing can be undone after that."""
    game.mark_revealed()
    return {"hands": tuple(seat.hand for seat in game.state.seats), "seed": game.options.seed}


STEPS = (
    Step("end.distribution", distribute),
    Step("leftover.award", award_to_richest),
    Step("end.building", build_leftovers),
    Step("end.scoring", score_finally),
    Step("end.result", declare_result),
)
AGENDA: Agenda = {"distribute": distribute, "build_leftovers": build_leftovers}
