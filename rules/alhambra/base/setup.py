"""Setup: the market, Dirk's first tiles, the money deck, starting money, the first player, the display.

Starting money: each player in turn turns cards up until they are worth 20 or more. The first player is the one with the
fewest cards, then the lowest total, then the youngest. The rest of the deck is split into five piles; scoring cards go
into piles 2 and 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..components import component_data
from .market import fill_market
from .supply import PILES, DeckPlan, TowerPlan, fill_display, gain, split, stack
from .turn_order import seats_from

if TYPE_CHECKING:
    from ..game import Game

START_MONEY: int = component_data()["base"]["start_money"]
SCORING_PILES = {int(n): int(pile) for n, pile in component_data()["base"]["scoring_cards_in_piles"].items()}


def build_tower(game: Game) -> None:
    """Shuffle the tiles into the tower and fill the market."""
    plan = TowerPlan(game)
    for module in game.ruleset.modules:
        if module.tower is not None:
            module.tower(plan)
    game.state.tower = tuple(game.chance("tower").shuffled(plan.tiles))
    game.push(fill_market)


def deal_money(game: Game) -> None:
    """Build the money deck, deal starting money, choose the first player and stack the piles."""
    plan = DeckPlan(game)
    for module in game.ruleset.modules:
        if module.deck is not None:
            module.deck(plan)
    state = game.state
    state.box = (*state.box, *plan.box)
    for seat, cards in plan.hands.items():
        gain(game, seat, cards, unseen=True, of_known_kind=True)
        if not state.seats[seat].resigned:
            game.emit("hand_dealt", {seat: {"cards": tuple(sorted(cards))}}, seat=seat, count=len(cards))
    cards = plan.shuffled("money", plan.money)
    dealt = {seat: _starting_money(game, seat, cards) for seat in _deal_order(game)}
    _choose_first_player(game, dealt)
    state.deck, state.piles = tuple(cards), (len(cards),)
    fill_display(game)
    _stack_piles(game, plan)


def _ages(game: Game) -> dict[int, int]:
    ages = {seat: game.options.seats[seat].age for seat in seats_from(game, 0)}
    return {seat: age for seat, age in ages.items() if age is not None}


def _deal_order(game: Game) -> list[int]:
    """Return the seats in dealing order. A seat that resigned during setup gets no money and does not start."""
    ages = _ages(game)
    if game.options.rules["starting_deal_order"] == "youngest_first" and ages:
        return seats_from(game, min(ages, key=lambda seat: (ages[seat], seat)))
    return seats_from(game, 0)


def _starting_money(game: Game, seat: int, cards: list[str]) -> list[str]:
    known = game.ruleset.cards
    dealt: list[str] = []
    missing = START_MONEY
    while missing > 0:
        dealt.append(cards.pop())
        missing -= known[dealt[-1]].value
    gain(game, seat, dealt)
    game.emit("hand_dealt", seat=seat, cards=tuple(dealt))
    return dealt


def _choose_first_player(game: Game, dealt: dict[int, list[str]]) -> None:
    known = game.ruleset.cards
    value = {seat: sum(known[card].value for card in cards) for seat, cards in dealt.items()}
    ages = _ages(game)
    tied = list(dealt)
    why = "fewest_cards"
    fewest = min(len(cards) for cards in dealt.values())
    tied = [seat for seat in tied if len(dealt[seat]) == fewest]
    if len(tied) > 1 and game.options.rules["first_player_tiebreak"] == "lowest_value_then_youngest":
        why = "lowest_value"
        lowest = min(value[seat] for seat in tied)
        tied = [seat for seat in tied if value[seat] == lowest]
    if len(tied) > 1 and all(seat in ages for seat in tied):
        why = "youngest"
        youngest = min(ages[seat] for seat in tied)
        tied = [seat for seat in tied if ages[seat] == youngest]
    if len(tied) > 1:
        why = "lot"
        tied = [tied[game.chance("first_player").randbelow(len(tied))]]
    game.state.first = game.state.active = tied[0]
    game.emit("first_player", seat=tied[0], why=why)


def _stack_piles(game: Game, plan: DeckPlan) -> None:
    state = game.state
    piles = split(list(reversed(state.deck)))
    on_top = game.options.rules["scoring_card_placement"] == "on_top"
    scoring = {pile: [f"scoring-{n}"] for n, pile in SCORING_PILES.items()}
    for number in range(1, PILES + 1):
        inserted = plan.piles[number] + ([] if on_top else scoring.get(number, []))
        pile = piles[number - 1] + inserted
        if inserted:
            pile = plan.shuffled(f"pile_{number}", pile)
        if on_top:
            pile = scoring.get(number, []) + pile
        piles[number - 1] = pile
    state.deck, state.piles = stack(piles)
    game.emit("deck_built", piles=tuple(len(pile) for pile in piles))
