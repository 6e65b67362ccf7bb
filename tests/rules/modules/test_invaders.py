"""15 The invaders: open sides cost points after every scoring; scouts tell their owners where from."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from alhambra import Event, Game, Move
from alhambra.base.supply import draw_from_deck, draw_tile
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.city_walls import Walls
from alhambra.modules.invaders import DIRECTIONS, SCOUTS, Invaders, attack
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.squares import Stacks
from alhambra.modules.street_trader import Residents
from tests.rules.situations import (
    alhambra,
    deck,
    display,
    end_game,
    events_of,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
    table,
    take_turn,
    tower,
)

OPEN_ROW = {(-1, 0): "garden-8-sw", (1, 0): "tower-11-s", (0, 1): "arcades-10"}
"""Open sides: N 3, E 2, S 1, W 1."""
LONG_ROW = {(-1, 0): "tower-10-w", (1, 0): "garden-12-s", (2, 0): "tower-9-es"}
"""Open sides: N 4, E 0, S 2, W 0."""
STAIRS = {
    (0, 1): "tower-13-e",
    (-1, 0): "arcades-10",
    (0, 2): "chambers-10",
    (-1, -1): "arcades-6-ne",
    (1, 2): "pavilion-6-n",
    (-2, 0): "pavilion-8",
    (1, 0): "seraglio-4-ne",
}
"""Open sides: N 2, E 1, S 5, W 4."""
HOOK = {(1, 0): "arcades-10", (2, 0): "garden-11", (2, -1): "chambers-10", (2, -2): "tower-11", (1, -2): "garden-10"}
"""Nothing but open tiles; the last one looks south across an empty cell at the first."""


def invaded(seats: int = 3, *modules: str, attacks: str = "NESW", scouts: str = "garden tower", **options: Any) -> Game:
    """A table at which the attacks come in this order and these scouts lie open."""
    game = table(seats, modules=["invaders", *modules], **options)
    kept = game.module_state(Invaders)
    kept.attacks = tuple(f"invasion_{side}" for side in attacks)
    kept.open = tuple(f"scout_{name}" for name in scouts.split())
    kept.scouts = tuple(scout for scout in SCOUTS if scout not in kept.open) if kept.open else ()
    return game


def seen(game: Game, viewer: int | None) -> Any:
    return game.view(viewer)["slices"]["invaders"]["next"]


# -- Before the first turn -----------------------------------------------------------------------------------------


@pytest.mark.rule("15.1", "15.2", "15.3")
def test_two_scouts_lie_open_and_nobody_knows_the_first_attack() -> None:
    game = table(4, modules=["invaders"], dealt=True)
    kept = game.module_state(Invaders)
    assert sorted(kept.attacks) == sorted(DIRECTIONS)
    assert sorted(kept.open + kept.scouts) == sorted(SCOUTS)
    assert len(kept.open) == 2
    for viewer in (None, 0, 1, 2, 3):
        assert [piece["piece"] for piece in pieces(game, "invaders", viewer, kind="scout")] == list(kept.open)
        assert pieces(game, "invaders", viewer, kind="invasion") == [
            {"kind": "invasion", "amount": 4, "choice": "face_down"}
        ]
        assert seen(game, viewer) is None


# -- Scouts --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("15.4")
def test_an_exact_payment_for_a_building_of_an_open_scout_wins_the_scout() -> None:
    game = invaded()
    hand(game, 0, "denar-9")
    market(game, denar="garden-9-e")
    events = play(game, "buy market-denar denar-9")
    assert events_of(events, "scout_won") == [{"seat": 0, "piece": "scout_garden"}]
    assert game.module_state(Invaders).open == ("scout_tower",)
    assert "scout_garden" in game.state.box


@pytest.mark.rule("15.5", "15.39")
def test_only_the_buyer_learns_where_the_attack_comes_from() -> None:
    game = invaded(attacks="SNEW")
    hand(game, 0, "denar-9")
    market(game, denar="garden-9-e")
    won = next(event for event in play(game, "buy market-denar denar-9") if event.kind == "scout_won")
    assert won.seen_by(0)["private"] == {"attack": "invasion_S", "direction": "S"}
    for viewer in (None, 1, 2):
        assert "private" not in won.seen_by(viewer)
        assert seen(game, viewer) is None
    assert seen(game, 0) == "S"
    assert game.view(None)["slices"]["invaders"]["informed"] == [True, False, False]


@pytest.mark.rule("15.6")
def test_the_further_action_is_due_as_ever() -> None:
    game = invaded()
    hand(game, 0, "denar-9")
    market(game, denar="garden-9-e")
    play(game, "buy market-denar denar-9")
    assert game.decision is not None
    assert game.decision.kind == "action"
    assert game.state.actions == 1


@pytest.mark.rule("15.4")
@pytest.mark.parametrize(
    ("tile", "card"), [("garden-8-ne", "denar-9"), ("seraglio-9", "denar-9")], ids=["overpaid", "other type"]
)
def test_no_scout_is_won_by_overpaying_or_by_another_building(tile: str, card: str) -> None:
    game = invaded()
    hand(game, 0, card)
    market(game, denar=tile)
    events = play(game, f"buy market-denar {card}")
    assert "scout_won" not in kinds(events)
    assert len(game.module_state(Invaders).open) == 2


@pytest.mark.rule("15.37")
def test_a_scout_is_not_replaced_before_the_next_scoring() -> None:
    game = invaded()
    hand(game, 0, "denar-9 dukat-9")
    market(game, denar="garden-9-e", dukat="tower-9-es")
    play(game, "buy market-denar denar-9")
    play(game, "buy market-dukat dukat-9")
    assert game.module_state(Invaders).open == ()
    assert len(game.module_state(Invaders).scouts) == 4


@pytest.mark.rule("15.5", "00.118")
def test_winning_a_scout_cannot_be_taken_back() -> None:
    game = invaded()
    hand(game, 0, "denar-9 dukat-9")
    market(game, denar="garden-9-e", dukat="seraglio-9")
    play(game, "buy market-dukat dukat-9")
    assert game.can_undo(0) is None
    play(game, "buy market-denar denar-9")
    refusal = game.can_undo(0)
    assert refusal is not None
    assert refusal.metadata["because"] == "revealed"


@pytest.mark.rule("15.39")
def test_the_informed_see_the_same_card_in_every_twin_the_others_any_card() -> None:
    game = invaded()
    hand(game, 0, "denar-9")
    market(game, denar="garden-9-e")
    play(game, "buy market-denar denar-9")
    rng = Random(15)
    for viewer, possible in ((0, {"N"}), (1, set("NESW")), (None, set("NESW"))):
        samples = [game.determinize(viewer, rng) for _ in range(100)]
        assert {DIRECTIONS[sample.module_state(Invaders).attacks[0]] for sample in samples} == possible
        assert len({sample.module_state(Invaders).scouts for sample in samples}) > 1


# -- Attacks -------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("15.10", "15.28")
def test_after_the_first_scoring_an_open_side_costs_1_point() -> None:
    game = invaded(attacks="NESW")
    alhambra(game, 0, OPEN_ROW)
    events = hold_scoring(game, 1)
    assert points(events, "attack", side="N", scoring=1)[0] == -3


@pytest.mark.rule("15.10")
def test_after_the_second_scoring_an_open_side_costs_2_points() -> None:
    game = invaded(attacks="NESW")
    alhambra(game, 0, LONG_ROW)
    events = hold_scoring(game, 2)
    assert points(events, "attack", side="N", scoring=2)[0] == -8


# worked example
@pytest.mark.rule("15.10", "15.31", "15.41")
def test_after_the_last_scoring_a_side_costs_3_points_and_1_to_either_neighbouring_direction() -> None:
    game = invaded(attacks="NESW")
    alhambra(game, 0, STAIRS)
    events = end_game(game)
    assert points(events, "attack", side="N", scoring=3)[0] == -(3 * 2 + 1 + 4)
    line = next(line for line in events_of(events, "scored") if line["reason"] == "attack")
    assert line["parts"] == (("N", 2), ("W", 4), ("E", 1))


# worked example
@pytest.mark.rule("15.29")
def test_after_the_last_scoring_3_sides_to_the_attack_and_3_beside_it_cost_12_points() -> None:
    game = invaded(attacks="NESW")
    alhambra(game, 0, OPEN_ROW)
    assert points(end_game(game), "attack", side="N", scoring=3)[0] == -(3 * 3 + 2 + 1)


@pytest.mark.rule("15.11")
def test_neighbours_of_north_are_west_and_east_and_so_on_around() -> None:
    for direction, expected in {"N": 3 * 2 + 1 + 4, "E": 3 * 1 + 2 + 5, "S": 3 * 5 + 1 + 4, "W": 3 * 4 + 2 + 5}.items():
        game = invaded(attacks=direction)
        alhambra(game, 0, STAIRS)
        assert points(end_game(game), "attack")[0] == -expected


# worked example
@pytest.mark.rule("15.12", "15.30")
def test_nobody_falls_below_0() -> None:
    game = invaded(attacks="N")
    alhambra(game, 0, LONG_ROW)
    game.state.seats[0].score = 5
    attack(game, 2)
    line = events_of(game.events, "scored")[-3]
    assert (line["seat"], line["points"], line["due"]) == (0, -5, -8)
    assert game.state.seats[0].score == 0


@pytest.mark.rule("15.34")
def test_everything_else_is_scored_before_the_attack() -> None:
    game = invaded(3, "military_camps", "street_trader", attacks="N")
    alhambra(game, 0, {**STAIRS, (1, -1): "camp_S"})
    game.module_state(Residents).homes = {"arcades-10": "arcades"}
    reasons = [line["reason"] for line in events_of(end_game(game), "scored") if line["seat"] == 0]
    assert list(dict.fromkeys(reasons)) == ["wall", "majority", "camp", "residents", "attack"]


@pytest.mark.rule("15.9")
def test_a_lone_fountain_is_attacked_too() -> None:
    game = invaded(attacks="W")
    for seat in game.state.seats:
        seat.score = 10
    assert points(hold_scoring(game, 1), "attack") == {0: -1, 1: -1, 2: -1}


@pytest.mark.rule("15.9", "15.32")
def test_tiles_further_out_do_not_shield_a_recess() -> None:
    game = invaded(attacks="S")
    alhambra(game, 0, HOOK)
    assert points(hold_scoring(game, 1), "attack")[0] == -4


@pytest.mark.rule("15.9")
def test_walls_leave_no_point_to_lose() -> None:
    game = invaded(attacks="E")
    alhambra(game, 0, LONG_ROW)
    assert 0 not in points(hold_scoring(game, 2), "attack")


@pytest.mark.rule("15.8", "15.33")
def test_each_attack_uses_the_next_card() -> None:
    game = invaded(attacks="SWNE")
    game.state.seats[0].score = 10
    first = hold_scoring(game, 1)
    second = hold_scoring(game, 2)
    last = end_with_a_space_empty(game)
    told = [line["direction"] for events in (first, second, last) for line in events_of(events, "attack")]
    assert told == ["S", "W", "N"]
    assert [piece["side"] for piece in pieces(game, "invaders", choice="past")] == ["S", "W", "N"]
    assert game.over
    assert pieces(game, "invaders", 0, choice="face_down") == [{"kind": "invasion", "choice": "face_down"}]
    assert seen(game, 0) is None


def end_with_a_space_empty(game: Game) -> list[Event]:
    """Ends a game whose market is full; whatever is left over is left."""
    market(game)
    return end_game(game)


@pytest.mark.rule("15.7")
def test_after_an_attack_nobody_knows_the_next_one_and_other_scouts_lie_open() -> None:
    game = invaded(scouts="garden tower")
    hand(game, 0, "denar-9")
    market(game, denar="garden-9-e")
    play(game, "buy market-denar denar-9")
    new = game.module_state(Invaders).scouts[:2]
    hold_scoring(game, 1)
    events = play(game, "reserve garden-9-e")
    assert events_of(events, "scouts_turned") == [{"pieces": new}]
    assert game.module_state(Invaders).open == new
    assert game.module_state(Invaders).informed == (False, False, False)
    assert {"scout_garden", "scout_tower"} <= set(game.state.box)
    assert seen(game, 0) is None


@pytest.mark.rule("15.38")
def test_after_the_last_attack_no_scouts_are_turned_up() -> None:
    game = invaded()
    events = end_game(game)
    assert "attack" in kinds(events)
    assert "scouts_turned" not in kinds(events)


@pytest.mark.rule("15.14")
def test_the_winner_is_found_after_the_last_attack() -> None:
    game = invaded(attacks="N")
    alhambra(game, 0, OPEN_ROW)
    game.state.seats[0].score = game.state.seats[1].score = 20
    events = end_game(game)
    assert kinds(events).index("attack") < kinds(events).index("game_ended")
    assert events_of(events, "game_ended")[0]["scores"] == game.scores
    assert game.scores[1] == 20 - 5


# -- Two players ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("15.13", "15.34")
def test_with_two_players_dirk_is_not_attacked_and_gets_his_tiles_after_it() -> None:
    game = invaded(2)
    game.state.dirk_score = 10
    events = hold_scoring(game, 1)
    assert 2 not in points(events, "attack")
    order = [kind for kind in kinds(events) if kind in ("attack", "scouts_turned", "dirk_received")]
    assert order == ["attack", "scouts_turned", "dirk_received"]


@pytest.mark.rule("15.35")
def test_a_building_given_to_dirk_still_wins_its_scout() -> None:
    game = invaded(2)
    hand(game, 0, "denar-9")
    market(game, denar="garden-9-e")
    play(game, "buy market-denar denar-9")
    display(game, "dukat-1")
    play(game, "take_money dukat-1")
    play(game, "give_to_dirk garden-9-e")
    assert "garden-9-e" in game.state.dirk
    assert game.module_state(Invaders).informed == (True, False)


# -- The variant ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("15.40")
def test_with_open_attack_everybody_knows_the_next_attack_and_there_are_no_scouts() -> None:
    game = table(3, modules=["invaders"], variants=["invaders.open_attack"], dealt=True)
    kept = game.module_state(Invaders)
    assert kept.open == kept.scouts == ()
    assert {seen(game, viewer) for viewer in (None, 0, 1, 2)} == {DIRECTIONS[kept.attacks[0]]}
    for sample in [game.determinize(1, Random(n)) for n in range(20)]:
        assert sample.module_state(Invaders).attacks[0] == kept.attacks[0]


@pytest.mark.rule("15.40")
def test_with_open_attack_the_next_card_is_shown_after_each_attack_but_the_last() -> None:
    game = invaded(variants=["invaders.open_attack"], attacks="SWNE", scouts="")
    events = hold_scoring(game, 1)
    assert events_of(events, "attack")[0]["direction"] == "S"
    assert events_of(events, "attack_announced") == [{"piece": "invasion_W", "direction": "W"}]
    assert "scouts_turned" not in kinds(events)
    assert seen(game, None) == "W"
    last = end_with_a_space_empty(game)
    assert "attack_announced" not in kinds(last)


@pytest.mark.rule("15.40")
def test_with_open_attack_no_purchase_wins_anything() -> None:
    game = invaded(variants=["invaders.open_attack"], scouts="")
    hand(game, 0, "denar-9")
    market(game, denar="garden-9-e")
    assert "scout_won" not in kinds(play(game, "buy market-denar denar-9"))


# -- With other modules --------------------------------------------------------------------------------------------


@pytest.mark.rule("15.15", "01.28")
def test_a_vizier_can_win_a_scout() -> None:
    game = invaded(3, "viziers_favour")
    hand(game, 1, "denar-9")
    market(game, gulden="garden-10", dirham="seraglio-9", denar="garden-9-e", dukat="tower-9-es")
    display(game, "dukat-1")
    take_turn(game)
    events = play(game, "buy market-denar denar-9")
    assert events_of(events, "scout_won") == [{"seat": 1, "piece": "scout_garden"}]


@pytest.mark.rule("15.16", "07.31")
def test_the_rich_patron_wins_a_scout() -> None:
    game = invaded(3, "characters")
    _own_character(game, 0, "rich_patron")
    market(game, denar="garden-9-e")
    events = play(game, "buy market-denar", items=("rich_patron",))
    assert events_of(events, "scout_won") == [{"seat": 0, "piece": "scout_garden"}]


def _own_character(game: Game, seat: int, piece: str) -> None:
    kept = game.module_state(Characters)
    if piece in kept.aside:
        kept.aside = tuple(other for other in kept.aside if other != piece)
    else:
        deck(game, piece)
        draw_from_deck(game)
    kept.owners = {**kept.owners, piece: seat}


@pytest.mark.rule("15.17")
def test_an_exact_payment_with_coins_wins_a_scout() -> None:
    game = invaded(3, "change")
    coins = game.module_state(Coins)
    coins.held = (("coin-denar",), (), ())
    hand(game, 0, "denar-8")
    market(game, denar="garden-9-e")
    events = play(game, "buy market-denar denar-8", items=("coin-denar",))
    assert events_of(events, "scout_won")


@pytest.mark.rule("15.17")
@pytest.mark.parametrize(
    ("module", "cards"),
    [
        ("bureaux_de_change", "denar-5 gulden-4 exchange_gulden_denar"),
        ("diamonds", "diamond-5 diamond-4"),
        ("master_builders", "denar-6 builder-denar"),
    ],
)
def test_an_exact_payment_with_other_money_wins_a_scout(module: str, cards: str) -> None:
    game = invaded(3, module)
    hand(game, 0, cards)
    market(game, denar="garden-9-e")
    assert events_of(play(game, f"buy market-denar {cards}"), "scout_won")


@pytest.mark.rule("15.19")
def test_a_building_bought_exactly_from_another_player_wins_a_scout() -> None:
    game = invaded(3, "personal_building_market")
    tower(game, "garden-9-e")
    draw_tile(game)
    game.module_state(Markets).lying = (("",) * 4, ("", "", "garden-9-e", ""), ("",) * 4)
    hand(game, 0, "denar-9")
    events = play(game, "buy denar-9", slot="personal-1-denar")
    assert events_of(events, "scout_won") == [{"seat": 0, "piece": "scout_garden"}]


@pytest.mark.rule("15.18")
def test_with_a_watchtower_the_whole_price_must_be_paid_exactly() -> None:
    for card, won in (("denar-6", True), ("denar-7", False)):
        game = invaded(3, "watchtowers")
        hand(game, 0, f"denar-9 {card}")
        market(game, denar="garden-9-e")
        events = play(game, f"buy market-denar denar-9 {card}", choice="watchtower")
        assert bool(events_of(events, "scout_won")) is won


@pytest.mark.rule("15.20")
def test_a_square_wins_no_scout() -> None:
    game = invaded(3, "squares")
    assert "scout_won" not in kinds(play(game, "take_square", slot="square-garden"))


@pytest.mark.rule("15.22", "04.26")
def test_a_square_is_attacked_like_a_building() -> None:
    game = invaded(3, "squares", attacks="N")
    kept = game.module_state(Stacks)
    kept.stacks = {**kept.stacks, "pavilion": ("square_pavilion_1", "square_pavilion_3", "square_pavilion_2")}
    game.state.seats[0].score = 10
    deck(game, "scoring-1")
    play(game, "take_square", slot="square-pavilion")
    assert points(play(game, "place square_pavilion_2 @1,0"), "attack")[0] == -2


@pytest.mark.rule("15.20")
def test_a_camp_wins_no_scout() -> None:
    game = invaded(3, "military_camps")
    price = game.ruleset.tiles["camp_E"].price
    market(game, gulden="camp_E")
    hand(game, 0, f"gulden-{price}")
    events = play(game, f"buy market-gulden gulden-{price}")
    assert events_of(events, "paid")[0]["exact"]
    assert "scout_won" not in kinds(events)


@pytest.mark.rule("15.23", "08.26")
def test_a_camp_is_not_attacked() -> None:
    game = invaded(3, "military_camps", attacks="W")
    alhambra(game, 0, {(-1, 0): "tower-10-w"})
    without = game.state.seats[0].board.open_sides("W")
    alhambra(game, 0, {(-1, 0): "tower-10-w", (-2, 0): "camp_E"})
    game.state.seats[0].score = 10
    assert without == 0
    assert 0 not in points(hold_scoring(game, 1), "attack")


@pytest.mark.rule("15.24")
def test_wooden_walls_protect() -> None:
    game = invaded(3, "city_walls", attacks="N")
    deck(game, "wallcard_N")
    draw_from_deck(game)
    game.module_state(Walls).open = ("wallcard_N",)
    for seat in game.state.seats:
        seat.score = 10
    deck(game, "scoring-1")
    events = play(game, "build_wall start-0", piece="wallcard_N")
    assert points(events, "attack") == {1: -1, 2: -1}


@pytest.mark.rule("15.25")
def test_a_gate_changes_nothing() -> None:
    game = invaded(3, "city_gates", attacks="N")
    board = alhambra(game, 0, LONG_ROW)
    before = [board.open_sides(side) for side in "NESW"]
    board.add_passage(0, 0, "E")
    assert [board.open_sides(side) for side in "NESW"] == before


@pytest.mark.rule("15.26")
def test_the_traders_disc_is_no_protection() -> None:
    game = invaded(3, "street_trader", attacks="N")
    game.module_state(Residents).discs = ((0, -1), (0, -1), (0, 1))
    for seat in game.state.seats:
        seat.score = 10
    assert points(hold_scoring(game, 1), "attack") == {0: -1, 1: -1, 2: -1}


@pytest.mark.rule("15.20")
def test_a_sultan_card_wins_no_scout_and_neither_does_a_claim() -> None:
    game = invaded(3, "power_of_the_sultan", scouts="garden tower")
    deck(game, "sultan_denar_1")
    draw_from_deck(game)
    game.module_state(Sultan).marks = {"sultan_denar_1": "garden"}
    hand(game, 0, "denar-7")
    events = play(game, "buy denar-7", slot="sultan", piece="sultan_denar_1")
    play(game, "choose", choice="keep")
    display(game, "dukat-1")
    tower(game, "garden-9-e")
    events += play(game, "take_money dukat-1")
    events += play(game, "claim", piece="sultan_denar_1")
    assert "scout_won" not in kinds(events)
    assert legal(game, "reserve garden-9-e")
    assert refused(game, Move("claim", piece="sultan_denar_1"))


@pytest.mark.rule("15.22")
@pytest.mark.parametrize(
    ("module", "tile"),
    [
        ("bazaars", "bazaar_1"),
        ("medina", "medina_10"),
        ("new_building_grounds", "ground_9_1"),
        ("bathhouses", "bathhouse_1"),
    ],
)
def test_every_full_tile_is_attacked(module: str, tile: str) -> None:
    lost = []
    for built in (False, True):
        game = invaded(3, module, attacks="N")
        if built:
            alhambra(game, 0, {(1, 0): tile})
        game.state.seats[0].score = 10
        lost.append(points(hold_scoring(game, 1), "attack")[0])
    assert lost == [-1, -2]
