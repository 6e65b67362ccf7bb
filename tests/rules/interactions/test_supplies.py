"""What all modules together put into the money deck and into the tower."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import Game, Options, known_modules
from tests.rules.situations import table

PILES = {
    1: {"sultan": 3},
    2: {"scoring": 1, "bureau": 2, "character": 2, "wall": 2, "sultan": 2},
    3: {"bureau": 2, "character": 2, "wall": 2, "builder": 3, "sultan": 3},
    4: {"scoring": 1, "bureau": 2, "character": 2, "wall": 2},
    5: {"wall": 2, "builder": 3},
}
"""By pile, the first on top: the cards that are no money. Gates and the sixth player's builder cards apart."""
PREFIXES = {
    "scoring": ("scoring-",),
    "bureau": ("exchange_",),
    "wall": ("wallcard_",),
    "builder": ("builder-",),
    "sultan": ("sultan_",),
    "gate": ("gate",),
}
TOWER = {
    "standard": 54,
    "camp": 8,
    "bazaar": 8,
    "magical": 6,
    "medina": 9,
    "ground": 8,
    "bathhouse": 6,
    "well": 6,
}
"""By kind: how many tiles all modules together put into the tower. Twelve standard ones are special buildings."""
SIDE = ("bazaar", "bathhouse", "well")


def everything(seats: int) -> Game:
    return table(seats, dealt=True, modules=list(known_modules()))


def kind_of(card: str, characters: set[str]) -> str:
    if card in characters:
        return "character"
    return next((kind for kind, prefixes in PREFIXES.items() if card.startswith(prefixes)), "money")


def piles(game: Game) -> list[Counter[str]]:
    """The cards of each pile by kind, the first pile on top."""
    characters = {card for card, known in game.ruleset.cards.items() if known.kind == "character"}
    found, end = [], 0
    for size in game.state.piles:
        found.append(Counter(kind_of(card, characters) for card in game.state.deck[end : end + size]))
        end += size
    return found[::-1]


@pytest.mark.rule("99.39", "14.3")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_every_pile_has_the_cards_that_the_modules_put_into_it(seats: int) -> None:
    found = piles(everything(seats))
    assert len(found) == 5
    for number, pile in enumerate(found, start=1):
        wanted = dict(PILES[number])
        if seats == 6 and number == 5:
            wanted["builder"] = 1
        assert {kind: count for kind, count in pile.items() if kind not in ("money", "gate")} == wanted, number


@pytest.mark.rule("99.39")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_gates_are_spread_evenly_over_the_last_three_piles(seats: int) -> None:
    gates = [pile["gate"] for pile in piles(everything(seats))]
    assert gates[:2] == [0, 0]
    assert sum(gates) == seats
    assert max(gates[2:]) - min(gates[2:]) <= 1


@pytest.mark.rule("99.41", "06.2")
def test_diamonds_are_shuffled_in_before_money_is_dealt_and_two_builder_cards_are_dealt_to_each_player() -> None:
    games = [Game.new(Options(3, f"deal {number}", modules=["diamonds", "master_builders"])) for number in range(12)]
    hands = [seat.hand for game in games for seat in game.state.seats]
    assert any(card.startswith("diamond-") for hand in hands for card in hand)
    assert all(sum(card.startswith("builder-") for card in hand) == 2 for hand in hands)


@pytest.mark.rule("99.42")
def test_the_tower_has_the_tiles_of_all_modules() -> None:
    game = everything(3)
    state = game.state
    tiles = [*state.tower, *state.market, *(tile for lying in state.beside.values() for tile in lying)]
    kinds = Counter(game.ruleset.tiles[tile].kind for tile in tiles)
    kinds["standard"] += kinds.pop("special", 0)
    assert kinds == TOWER
    assert len(tiles) == 105
    assert sum(count for kind, count in TOWER.items() if kind not in SIDE) == 85
    assert sum(tile.startswith("power_") for tile in tiles) == 12


@pytest.mark.rule("99.42", "04.5")
def test_squares_projects_plazas_and_watchtowers_are_not_in_the_tower() -> None:
    game = everything(3)
    assert not any(tile.startswith(("square_", "project_", "plaza_", "watchtower")) for tile in game.state.tower)
