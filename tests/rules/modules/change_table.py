"""A table with change: what the tests of the module begin with."""

from __future__ import annotations

from alhambra import Event, Game
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from tests.rules.situations import deck, display, events_of, market, table, take_turn


def change(seats: int = 3, *modules: str, tile: str = "garden-10", turn_of: int = 0) -> Game:
    """A tile on the denar space, and all coins in the bag."""
    game = table(seats, turn_of=turn_of, modules=["change", *modules])
    market(game, denar=tile)
    return game


def coins(game: Game, seat: int, *own: str) -> None:
    """The seat has exactly these coins, named by their currencies."""
    kept = game.module_state(Coins)
    bag = [*kept.bag, *kept.held[seat]]
    for currency in own:
        bag.remove(f"coin-{currency}")
    kept.bag = tuple(bag)
    mine = tuple(sorted(f"coin-{currency}" for currency in own))
    kept.held = (*kept.held[:seat], mine, *kept.held[seat + 1 :])


def bag(game: Game, *left: str) -> None:
    """Only these coins are in the bag; the last seat has all others."""
    kept = game.module_state(Coins)
    everywhere = [*kept.bag, *kept.held[-1]]
    for currency in left:
        everywhere.remove(f"coin-{currency}")
    kept.bag = tuple(f"coin-{currency}" for currency in left)
    kept.held = (*kept.held[:-1], tuple(sorted(everywhere)))


def drawn(events: list[Event]) -> int:
    return sum(len(event["items"]) for event in events_of(events, "coins_drawn"))


def auction(game: Game, piece: str = "trader") -> None:
    """Seat 0 ends its turn, and the character comes up: seat 1 bids first."""
    characters = game.module_state(Characters)
    if piece in characters.aside:
        other = next(card for card in game.state.deck if card in game.ruleset.cards and card in game.ruleset.pieces)
        characters.aside = tuple(other if card == piece else card for card in characters.aside)
        game.state.deck = tuple(piece if card == other else card for card in game.state.deck)
    display(game, "gulden-1")
    deck(game, piece)
    take_turn(game)
