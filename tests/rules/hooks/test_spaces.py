"""What happens before a market space is refilled, and before a leftover tile is given out."""

from __future__ import annotations

from alhambra import Game, Move
from alhambra.modules.characters import Characters
from alhambra.modules.power_of_the_sultan import CARDS, Sultan
from tests.rules.example_modules.cellars import Cellars
from tests.rules.example_modules.flags import Flags
from tests.rules.hooks.asking import asked
from tests.rules.situations import display, end_game, events_of, hand, kinds, market, play, table, take_turn, tower

FULL = {"gulden": "garden-10", "dirham": "garden-11", "denar": "tower-11", "dukat": "tower-12"}
SPACES = ("gulden", "dirham", "denar", "dukat")


def hide(game: Game, **tiles: str) -> None:
    """Seat 2 has hidden these tiles under the spaces, named by currency."""
    kept = game.module_state(Cellars)
    names = tuple(tiles.get(currency, "") for currency in SPACES)
    game.state.tower = tuple(tile for tile in game.state.tower if tile not in names)
    kept.hidden = names
    kept.hiders = tuple(2 if tile else None for tile in names)
    kept.used = (0, 1, 2)


def with_gaps(*empty: str, **hidden: str) -> Game:
    """These spaces are empty at the end of the turn of seat 0."""
    game = table(modules=["example_cellars"])
    market(game, **{currency: tile for currency, tile in FULL.items() if currency not in empty})
    hide(game, **hidden)
    display(game, "gulden-1")
    return game


# -- Another source than the tower -----------------------------------------------------------------------------------


def test_a_space_is_filled_from_another_source_instead_of_the_tower() -> None:
    game = with_gaps("denar", denar="arcades-9")
    before = game.state.tower
    events = take_turn(game)
    assert game.state.market[2] == "arcades-9"
    assert game.state.tower == before
    assert "tile_drawn" not in kinds(events)
    assert events_of(events, "hidden_tile_turned") == [{"tile": "arcades-9", "slot": "market-denar"}]


def test_a_space_without_another_source_is_filled_from_the_tower() -> None:
    game = with_gaps("gulden", "denar", denar="arcades-9")
    tower(game, "chambers-10")
    take_turn(game)
    assert game.state.market[0] == "chambers-10"
    assert game.state.market[2] == "arcades-9"


def test_a_later_space_is_filled_although_an_earlier_one_stays_empty_and_the_game_ends() -> None:
    game = with_gaps("gulden", "denar", denar="arcades-9")
    tower(game, only=True)
    events = take_turn(game)
    order = kinds(events)
    assert order.index("hidden_tile_turned") < order.index("market_filled") < order.index("end_began")
    assert events_of(events, "market_filled") == [{"market": ("", "garden-11", "arcades-9", "tower-12"), "tower": 0}]
    assert events_of(events, "end_began") == [{"because": "market"}]


def test_an_empty_tower_does_not_end_the_game_while_every_space_can_be_filled_from_elsewhere() -> None:
    game = with_gaps("denar", denar="arcades-9")
    tower(game, only=True)
    take_turn(game)
    assert not game.over
    assert game.state.phase != "END"
    assert asked(game)[1] == 1


# -- The dancer draws for a space out of turn ------------------------------------------------------------------------


def dancing(*coming: str, only: bool = False, hidden: str = "", cards: int = 0) -> Game:
    """Seat 1 may dance before its turn. Seat 2 has that many sultan cards marked arcades."""
    game = table(modules=["example_cellars", "characters", "power_of_the_sultan"])
    market(game, **{**FULL, "denar": "arcades-10"})
    hide(game, denar=hidden)
    game.module_state(Characters).owners = {"dancer": 1}
    game.state.deck = tuple(card for card in game.state.deck if card not in (*CARDS, "dancer"))
    game.state.piles = (len(game.state.deck),)
    own = sorted(CARDS)[:cards]
    game.module_state(Sultan).marks, game.module_state(Sultan).owners = (
        dict.fromkeys(own, "arcades"),
        dict.fromkeys(own, 2),
    )
    display(game, "gulden-1")
    tower(game, *coming, only=only)
    take_turn(game)
    assert asked(game) == ("start", 1)
    return game


def dance_and_claim_everything(game: Game) -> None:
    play(game, "dance market-denar")
    for _ in range(2):
        assert asked(game) == ("claim", 2)
        game.apply(next(move for move in game.moves() if move.verb == "claim"))
        assert game.decision is not None
        game.apply(Move("reserve", game.decision.context["tiles"][0]))


def test_whoever_draws_for_a_space_out_of_turn_leaves_what_is_hidden_there() -> None:
    game = dancing("chambers-10", hidden="arcades-9")
    play(game, "dance market-denar")
    assert game.state.market[2] == "chambers-10"
    assert game.module_state(Cellars).hidden[2] == "arcades-9"


def test_if_the_tower_is_exhausted_out_of_turn_the_space_still_has_its_other_source() -> None:
    game = dancing("arcades-8-e", only=True, hidden="arcades-9", cards=2)
    dance_and_claim_everything(game)
    assert game.state.market[2] == "arcades-9"
    assert game.state.phase != "END"
    assert asked(game) == ("action", 1)


def test_if_the_tower_is_exhausted_out_of_turn_a_space_that_stays_empty_ends_the_game_at_once() -> None:
    game = dancing("arcades-8-e", only=True, cards=2)
    dance_and_claim_everything(game)
    assert game.over or game.state.phase == "END"
    assert game.state.turn == 2


# -- A question before the refill ------------------------------------------------------------------------------------


def sold() -> Game:
    """Seat 0 bought from the denar space, where flags of all seats fly."""
    game = table(modules=["example_flags"])
    market(game, **FULL)
    hand(game, 0, "denar-9 denar-8")
    display(game, "gulden-1")
    game.module_state(Flags).flying = ((), (), (2, 1), ())
    play(game, "buy market-denar denar-9 denar-8")
    play(game, "reserve tower-11")
    return game


def test_before_a_sold_space_is_refilled_owners_are_asked_from_the_first_player_on() -> None:
    game = sold()
    order = []
    while asked(game)[0] == "take_back":
        assert game.state.market[2] == ""
        order.append(asked(game)[1])
        play(game, "choose", choice="take" if asked(game)[1] == 1 else "leave")
    assert order == [0, 1, 2]
    assert game.module_state(Flags).flying[2] == (2, 0)
    assert game.state.market[2]


def test_spaces_whose_tile_was_not_sold_are_refilled_without_a_question() -> None:
    game = table(modules=["example_flags"])
    market(game, gulden="garden-10")
    game.module_state(Flags).flying = ((), (), (2, 1), ())
    display(game, "gulden-1")
    take_turn(game)
    assert asked(game) == ("action", 1)
    assert "" not in game.state.market


def test_a_game_stored_while_a_space_waits_goes_on_as_if_it_had_not_been() -> None:
    game = sold()
    again = game.with_state(game.state_bytes())
    for copy in (game, again):
        while asked(copy)[0] == "take_back":
            play(copy, "choose", choice="leave")
    assert again.state_bytes() == game.state_bytes()


# -- Leftovers -------------------------------------------------------------------------------------------------------


def left_over(*hands: str) -> Game:
    game = with_gaps("gulden", denar="arcades-9")
    for seat, cards in enumerate(hands):
        hand(game, seat, cards)
    return game


def test_what_is_hidden_under_a_leftover_tile_is_given_out_before_it() -> None:
    game = left_over("denar-9", "denar-2", "denar-1")
    awarded = [event for event in events_of(end_game(game), "leftover_awarded") if event["slot"] == "market-denar"]
    assert [(event["tile"], event["seat"]) for event in awarded] == [("arcades-9", 0), ("tower-11", 0)]


def test_a_leftover_that_no_seat_gets_can_leave_the_game() -> None:
    game = left_over("denar-9", "denar-9", "denar-1")
    events = end_game(game)
    assert events_of(events, "boxed") == [{"tile": "arcades-9"}]
    assert "arcades-9" in game.state.box
    assert game.state.market[2] == "tower-11", "the tile above stays unsold"


def test_a_leftover_tile_that_a_seat_gets_leaves_its_space() -> None:
    game = left_over("denar-9", "denar-2", "denar-1")
    end_game(game)
    assert asked(game) == ("leftover_tiles", 0)
    assert game.state.market[2] == ""
    assert sorted(game.state.seats[0].pending) == ["arcades-9", "tower-11"]
