"""A table with viziers: what the tests of the module begin with."""

from __future__ import annotations

from alhambra import Event, Game
from alhambra.modules.viziers_favour import Viziers
from tests.rules.situations import deck, display, hand, market, play, table, tower

MARKET = {"gulden": "tower-11", "dirham": "garden-11", "denar": "garden-9-e", "dukat": "tower-12"}
NEXT_TILE = "seraglio-9"


def viziers(seats: int = 3, *modules: str, turn_of: int = 0) -> Game:
    """A full market, four open cards, and it is known what comes next."""
    game = table(seats, turn_of=turn_of, modules=["viziers_favour", *modules])
    market(game, **MARKET)
    tower(game, NEXT_TILE)
    display(game, "dukat-1 dukat-6 dukat-7 dukat-8")
    deck(game, "gulden-1 gulden-2 gulden-3")
    return game


def window(seats: int = 3, *modules: str, cards: str = "denar-4 denar-5") -> Game:
    """Seat 0 has finished its turn; seat 1 is due next, holds these cards and is asked."""
    game = viziers(seats, *modules)
    hand(game, 1, cards)
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 1)
    return game


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def awake(game: Game, *seats: int) -> None:
    """The viziers of these seats are awake, all others asleep."""
    game.module_state(Viziers).awake = tuple(seat in seats for seat in range(len(game.state.seats)))


def all_pass(game: Game) -> list[int]:
    """Passes until the window closes. Answers with the seats that were asked, in order."""
    order = []
    while asked(game)[0] == "window":
        order.append(asked(game)[1])
        play(game, "pass")
    return order


def index(events: list[Event], kind: str, **facts: object) -> int:
    """Where the first such event stands."""
    return next(
        number
        for number, event in enumerate(events)
        if event.kind == kind and all(event.public.get(key) == value for key, value in facts.items())
    )
