"""One turn with many modules: the start, the actions, placing, the end of the turn, refills, keys, and interrupts come
in the printed order."""

from __future__ import annotations

import pytest

from alhambra import Event, Game
from alhambra.modules.buildings_of_power import Powers
from alhambra.modules.characters import Characters
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.palace_staff import Staff
from alhambra.modules.street_trader import Residents
from tests.rules.interactions.story import answer, order, told
from tests.rules.modules.characters_table import give
from tests.rules.modules.craftsmen_table import arrange, lay_before
from tests.rules.modules.gates_without_end_table import facing, give_key
from tests.rules.modules.handymen_table import post
from tests.rules.modules.menagerie_table import put as put_animals
from tests.rules.modules.powers_table import ARCHITECTURE
from tests.rules.modules.test_caravanserai import DENARS, DUKATS
from tests.rules.modules.test_caravanserai import give as give_caravan
from tests.rules.modules.test_treasure_chamber import fill
from tests.rules.situations import alhambra, deck, display, hand, market, play, refused, table, tower

MARKET = {"gulden": "tower-11", "dirham": "seraglio-7-w", "denar": "garden-10", "dukat": "chambers-5-nsw"}


def verbs(game: Game) -> set[str]:
    return {move.verb for move in game.moves()}


# -- START -------------------------------------------------------------------------------------------------------------


def beginning() -> tuple[Game, list[Event]]:
    """Seat 1 begins its turn: it has won a project, and owns dancer, money changer, beggar, stonemason, handymen and
    two cards of the caravanserai. The events of its beginning."""
    modules = ["characters", "caravanserai", "major_construction_projects", "travelling_craftsmen", "handymen"]
    game = table(3, modules=modules)
    market(game, **MARKET)
    display(game, "denar-1 dukat-2 dukat-3 dukat-4 dukat-6")
    deck(game, "gulden-1 gulden-2 gulden-3 gulden-4 gulden-5")
    game.module_state(Characters).owners = {"dancer": 1, "money_changer": 1, "beggar": 1}
    give_caravan(game, 1, **{DUKATS: ("dukat", 2), DENARS: ("denar", 3)})
    arrange(game, "carpenter goldsmith")
    projects = game.module_state(Projects)
    projects.bidder, projects.cards, projects.total = 1, ("denar-6", "denar-9"), 15
    hand(game, 1, "denar-3")
    events = [*play(game, "take_money dukat-6"), *play(game, "pass_craftsman carpenter")]
    lay_before(game, 1, "stonemason")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("start", 1)
    return game, events


@pytest.mark.rule("99.3")
def test_a_won_project_comes_before_everything_else_of_a_turn() -> None:
    _, events = beginning()
    wanted = ("turn_began", "project_won", "project_revealed", "asked start")
    assert order(events, wanted) == list(wanted)


@pytest.mark.rule("99.4")
def test_at_the_start_everything_is_open_at_first() -> None:
    game, _ = beginning()
    assert verbs(game) == {"dance", "change_money", "advance_marker", "draw_card", "cut_stone", "roll_dice", "pass"}


@pytest.mark.rule("99.4", "19.28", "07.42")
def test_moving_a_marker_closes_dancer_and_money_changer() -> None:
    game, _ = beginning()
    play(game, f"advance_marker {DUKATS}", choice="up")
    assert verbs(game) == {"draw_card", "cut_stone", "roll_dice", "pass"}


@pytest.mark.rule("99.4", "07.42")
def test_dancing_leaves_the_marker_but_no_other_character_of_the_turn() -> None:
    game, _ = beginning()
    play(game, "dance market-denar")
    assert verbs(game) == {"advance_marker", "cut_stone", "roll_dice", "pass"}


@pytest.mark.rule("99.4", "40.17", "19.28")
def test_stonemason_beggar_and_dice_close_the_marker_and_come_in_any_order() -> None:
    game, _ = beginning()
    play(game, "cut_stone", cards=("denar-3",), display=("denar-1",), items=("stonemason",))
    assert verbs(game) == {"draw_card", "roll_dice", "pass"}
    assert refused(game, f"advance_marker {DUKATS}", choice="up")
    play(game, "draw_card")
    assert verbs(game) == {"roll_dice", "pass"}


# -- LATE to WINDOW ----------------------------------------------------------------------------------------------------

TURN = (
    *("asked place_tiles", "placed", "asked resident", "asked late", "asked put_chests"),
    *("asked lay_disc", "asked culture", "asked pass_craftsman", "display_filled", "staff_filled"),
    *("scoring_began", "scored wall", "attack", "scouts_turned", "dirk_received"),
    *("asked take_back", "tile_drawn", "market_filled", "asked after", "asked window", "turn_began"),
)


def ending_a_turn() -> list[Event]:
    """Seat 0 of two has bought a tile and chests; everything that the end of a turn can bring comes up. The events."""
    modules = [
        *("viziers_favour", "characters", "street_trader", "treasure_chamber", "invaders", "arts_of_the_moors"),
        *("palace_staff", "travelling_craftsmen", "menagerie", "gates_without_end", "buildings_of_power", "handymen"),
    ]
    game = table(2, modules=modules)
    market(game, **MARKET)
    tower(game, "arcades-8-e", *("pavilion-2-new", "seraglio-3-esw", "arcades-4-nes"), "garden-8-sw")
    display(game, "dukat-1 dukat-2 dukat-3")
    deck(game, "scoring-1 gulden-1 gulden-2 gulden-3 gulden-4 gulden-5")
    alhambra(game, 0, {(1, 0): "tower-11-n", (2, 0): "tower-9-es", (0, 1): "chambers-9-s"})
    put_animals(game, "tower-11-n", "dove")
    give(game, 0, "master_builder")
    arrange(game, "carpenter goldsmith")
    fill(game, "tower garden arcades seraglio")
    post(game, 1, "denar", 1)
    staff = game.module_state(Staff)
    staff.display, staff.supply = staff.display[:3], (*staff.supply, *staff.display[3:])
    give_key(game, 0, "key_1")
    residents = game.module_state(Residents)
    residents.discs = ((-1, 0), *residents.discs[1:])
    hand(game, 0, "denar-9 denar-1 dukat-9")
    events = play(game, "buy market-denar denar-9 denar-1")
    events += play(game, "buy_chests dukat-9", slot="room-1")
    assert game.decision is not None
    assert game.decision.kind == "place_tiles"
    events += play(game, "place garden-10 @-1,0")
    while "turn_began" not in told(events):
        events += answer(game)
    return events


@pytest.mark.rule("99.1", "99.9", "99.10", "99.12", "99.14", "13.32", "20.32")
def test_the_end_of_a_turn_goes_from_placing_to_the_interrupts() -> None:
    assert order(ending_a_turn(), TURN) == list(TURN)


# -- AFTER -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("99.14", "37.44")
def test_keys_and_functions_come_in_the_order_of_the_player_each_followed_by_refills() -> None:
    game = table(3, modules=["gates_without_end", "buildings_of_power"])
    market(game, **MARKET)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    deck(game, "gulden-1 gulden-2 gulden-3 gulden-4 gulden-5")
    key, rotation = facing(game, 0, "money_card")
    give_key(game, 0, key)
    tower(game, ARCHITECTURE)
    game.state.tower = game.state.tower[:-1]
    game.state.seats[0].reserve = (ARCHITECTURE,)
    game.module_state(Powers).functions = ((0, ARCHITECTURE, game.state.turn),)
    play(game, "take_money dukat-4")
    assert verbs(game) == {"use_key", "use_function"}
    play(game, "use_key")
    play(game, "turn_key", **({"rotation": rotation} if rotation else {}))
    while game.decision is not None and game.decision.kind == "key_bonus":
        events = play(game, f"take_open {game.state.display[0]}") if "take_open" in verbs(game) else answer(game)
    assert order(events, ("display_filled", "asked after")) == ["display_filled", "asked after"]
    assert verbs(game) == {"use_function", "pass"}
