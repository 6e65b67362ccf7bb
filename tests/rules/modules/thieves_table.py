"""A table with thieves: what the tests of the module begin with."""

from __future__ import annotations

from alhambra import Event, Game
from alhambra.modules.thieves import PACK, Thieves
from tests.rules.hooks.asking import asked
from tests.rules.situations import deck, display, market, play, table

MARKET = {"gulden": "tower-11", "dirham": "garden-11", "denar": "garden-9-e", "dukat": "tower-12"}


def thieves(seats: int = 3, *modules: str, turn_of: int = 0) -> Game:
    """Nobody holds a thief; a full market, and open are two denars, a dirham and a gulden."""
    game = table(seats, turn_of=turn_of, modules=["thieves", *modules])
    held(game)
    market(game, **MARKET)
    display(game, "denar-1 denar-9 dirham-4 gulden-1")
    deck(game, "dukat-2 dukat-3 dukat-4 dukat-5 dukat-6")
    return game


def held(game: Game, **thieves_of: str) -> None:
    """`held(game, s0="denar denar", s2="dukat")`: exactly these thieves are held, all others were never dealt."""
    kept = game.module_state(Thieves)
    hands = [tuple(f"thief-{word}" for word in thieves_of.get(f"s{n}", "").split()) for n in _seats(game)]
    rest = list(PACK)
    for own_thieves in hands:
        for thief in own_thieves:
            rest.remove(thief)
    kept.held, kept.rest, kept.played = tuple(tuple(sorted(own_thieves)) for own_thieves in hands), tuple(rest), ()


def _seats(game: Game) -> range:
    return range(len(game.state.seats))


def finish(game: Game) -> list[Event]:
    """The seat to move takes the gulden, which is replaced by the dukat 2."""
    return play(game, "take_money gulden-1")


def steal(game: Game, card: str) -> list[Event]:
    return play(game, f"play_thief {card}", currency=card.partition("-")[0])


def all_pass(game: Game) -> list[int]:
    """Passes until the window closes. Answers with the seats that were asked, in order."""
    order = []
    while asked(game)[0] == "window":
        order.append(asked(game)[1])
        play(game, "pass")
    return order
