"""What may be seen: hands, deck and tower stay hidden; twins of a game look the same to whoever they are made for."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from alhambra import Game, Move, Options, registry
from alhambra.components import MONEY_CARDS
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
    end_game,
    hand,
    market,
    own,
    play,
    refused,
    reserve,
    table,
)


def middle(seats: int = 3, moves: int = 40, **options: Any) -> Game:
    """A game somewhere in the middle."""
    game = Game.new(Options(seats=seats, seed=f"views {seats} {moves}", **options))
    rng = Random(moves)
    while game.version < moves and not game.over:
        game.apply(game.random_move(rng))
    assert not game.over
    return game


# -- Views -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.108")
def test_a_spectator_sees_no_hand_but_how_many_cards_each_holds() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-5")
    hand(game, 1, "gulden-9")
    seats = game.view(None)["seats"]
    assert [seat["hand_count"] for seat in seats] == [2, 1, 0]
    assert not [seat for seat in seats if "hand" in seat]


@pytest.mark.rule("00.57")
def test_a_seat_sees_its_own_hand_and_no_other() -> None:
    game = table()
    hand(game, 0, "denar-4 denar-5")
    hand(game, 1, "gulden-9")
    seats = game.view(1)["seats"]
    assert ["hand" in seat for seat in seats] == [False, True, False]
    assert seats[1]["hand"] == ["gulden-9"]


@pytest.mark.rule("00.58")
def test_display_market_alhambras_reserves_pending_tiles_and_scores_are_public() -> None:
    game = table()
    display(game, "denar-1 denar-2")
    market(game, denar="garden-10", dukat="tower-11")
    alhambra(game, 1, {(1, 0): "garden-11"})
    reserve(game, 2, "pavilion-8")
    hand(game, 0, "denar-4 denar-6")
    game.state.seats[2].score = 7
    play(game, "buy market-denar denar-4 denar-6")
    view = game.view(None)
    assert view["table"]["display"] == ["denar-1", "denar-2"]
    assert view["table"]["market"] == {
        **{"market-gulden": "", "market-dirham": ""},
        **{"market-denar": "", "market-dukat": "tower-11"},
    }
    assert view["seats"][0]["pending"] == ["garden-10"]
    assert view["seats"][1]["alhambra"] == [
        {"tile": "start-1", "cell": {"x": 0, "y": 0}},
        {"tile": "garden-11", "cell": {"x": 1, "y": 0}},
    ]
    assert view["seats"][2]["reserve"] == ["pavilion-8"]
    assert view["seats"][2]["score"] == 7


@pytest.mark.rule("00.108")
def test_of_deck_discard_and_tower_only_the_number_is_seen() -> None:
    game = middle()
    counts = game.view(0)["table"]
    state = game.state
    assert (counts["deck"], counts["discard"], counts["tower"]) == (
        len(state.deck),
        len(state.discard),
        len(state.tower),
    )


@pytest.mark.rule("00.57")
@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_no_tile_of_the_tower_is_named_in_any_view(viewer: int | None) -> None:
    game = middle()
    text = json.dumps(game.view(viewer))
    assert not [tile for tile in game.state.tower if f'"{tile}"' in text]


@pytest.mark.rule("00.57")
def test_a_view_does_not_depend_on_the_order_of_deck_and_tower() -> None:
    game = middle()
    views = [game.view(viewer) for viewer in (None, 0, 1, 2)]
    game.state.deck = game.state.deck[::-1]
    game.state.tower = game.state.tower[::-1]
    assert [game.view(viewer) for viewer in (None, 0, 1, 2)] == views


@pytest.mark.rule("99.89")
def test_only_the_seat_that_is_asked_sees_what_it_may_answer() -> None:
    game = table()
    display(game, "denar-1")
    assert "take_money" in game.view(0)["decision"]["verbs"]
    for viewer in (None, 1, 2):
        assert set(game.view(viewer)["decision"]) == {"kind", "seat", "context"}


def shown_verbs(game: Game) -> list[str]:
    found: list[str] = game.view(0)["decision"]["verbs"]
    return found


@pytest.mark.rule("00.96")
def test_passing_is_shown_only_where_no_open_card_can_be_taken() -> None:
    game = table()
    display(game, "denar-1")
    assert shown_verbs(game) == ["take_money"]
    display(game)
    assert shown_verbs(game) == ["pass"]


def test_verbs_that_public_facts_rule_out_are_not_shown() -> None:
    game = table()
    display(game, "denar-1")
    reserve(game, 0, "garden-8-ne")
    assert shown_verbs(game) == ["take_money", "add"]
    market(game, denar="garden-10-n")
    assert shown_verbs(game) == ["take_money", "buy", "add"], "whatever money the seat has"


@pytest.mark.rule("00.52")
@pytest.mark.parametrize(("seats", "shown"), [(2, True), (3, False)])
def test_giving_a_tile_to_dirk_is_shown_with_two_players_only(seats: int, shown: bool) -> None:
    game = table(seats)
    hand(game, 0, "denar-9 denar-2")
    market(game, denar="garden-10-n")
    play(game, "buy market-denar denar-2 denar-9")
    assert game.decision is not None and game.decision.kind == "place_tiles"
    assert ("give_to_dirk" in shown_verbs(game)) is shown


def test_a_view_is_plain_json() -> None:
    for moves in range(12):
        game = middle(moves=moves)
        for viewer in (None, 0):
            again = json.loads(json.dumps(game.view(viewer)))
            assert json.dumps(again) == json.dumps(game.view(viewer))


@pytest.mark.rule("00.58")
def test_with_two_players_dirks_tiles_and_score_are_public() -> None:
    game = Game.new(Options(seats=2, seed="dirk"))
    assert game.view(None)["table"]["dirk"] == {"tiles": list(game.state.dirk), "score": 0}


@pytest.mark.rule("00.109")
def test_after_the_end_all_hands_are_open() -> None:
    game = table()
    hand(game, 1, "denar-5")
    end_game(game)
    assert game.view(None)["seats"][1]["hand"] == ["denar-5"]


def spoil(value: Any) -> None:
    """Changes everything in a view that can be changed, at every depth."""
    for entry in [*(value.values() if isinstance(value, dict) else value)]:
        if isinstance(entry, dict | list | tuple):
            spoil(entry)
    if isinstance(value, dict):
        value.update(dict.fromkeys(value, "spoilt"), spoilt=True)
    elif isinstance(value, list):
        value[:] = ["spoilt", *value]


@pytest.mark.parametrize("modules", [(), tuple(sorted(registry.known_modules()))], ids=["base", "everything"])
def test_changing_a_view_does_not_change_the_game(modules: tuple[str, ...]) -> None:
    game = Game.new(Options(seats=2, seed="spoilt views", modules=modules))
    rng, asked = Random(5), set()
    while not game.over:
        assert game.decision is not None
        asked.add(game.decision.kind)
        if game.version % (40 if modules else 1) == 0:
            before = game.to_bytes()
            for viewer in (None, 0, 1):
                spoil(game.view(viewer))
            assert game.to_bytes() == before
        game.play(game.random_move(rng))
    assert len(asked) > (2 if not modules else 8)


def test_nobody_makes_a_tile_legal_by_changing_a_view() -> None:
    game = table()
    market(game, denar="garden-10")
    hand(game, 0, "denar-5 denar-6")
    play(game, "buy market-denar denar-5 denar-6")
    for viewer in (None, 0):
        game.view(viewer)["decision"]["context"]["tiles"] = ("tower-12",)
    assert codes(refused(game, "reserve tower-12")) == ["NOT_THERE"]


# -- Events ----------------------------------------------------------------------------------------------------------


def test_everybody_sees_the_same_events_of_the_base_game() -> None:
    game = Game.new(Options(seats=3, seed="events"))
    rng = Random(1)
    while not game.over:
        for event in game.events:
            assert event.private is None
            assert event.seen_by(0) == event.seen_by(None) == event.as_dict()
        game.apply(game.random_move(rng))


def test_every_event_of_a_game_has_an_id_of_its_own() -> None:
    game = Game.new(Options(seats=2, seed="ids"))
    rng = Random(1)
    ids = [event.id for event in game.events]
    while not game.over:
        ids += [event.id for event in game.apply(game.random_move(rng))]
    assert len(set(ids)) == len(ids)


@pytest.mark.rule("00.109")
def test_the_seed_is_in_no_event_before_the_end() -> None:
    game = Game.new(Options(seats=3, seed="a very secret seed"))
    rng = Random(1)
    while not game.over:
        assert "a very secret seed" not in json.dumps([event.as_dict() for event in game.events])
        assert "a very secret seed" not in json.dumps(game.view(0))
        game.apply(game.random_move(rng))
    assert game.events[-1].public["seed"] == "a very secret seed"


# -- Twins -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.57")
@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("moves", [0, 25, 60])
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_a_twin_looks_the_same_to_the_viewer(seats: int, moves: int, viewer: int | None) -> None:
    game = middle(seats, moves)
    sample = game.determinize(viewer, Random(3))
    assert sample.view(viewer) == game.view(viewer)
    if game.decision is not None and game.decision.seat == viewer:
        assert sample.legal_moves() == game.legal_moves()


def test_in_a_twin_deck_and_tower_lie_in_another_order_and_hold_the_same() -> None:
    game = middle()
    sample = game.determinize(0, Random(3))
    assert sample.state.deck != game.state.deck
    assert sorted(sample.state.deck) == sorted(game.state.deck)
    assert sample.state.tower != game.state.tower
    assert sorted(sample.state.tower) == sorted(game.state.tower)
    assert sample.state.discard == game.state.discard


def test_making_a_twin_leaves_the_game_as_it_was() -> None:
    game = middle()
    before = game.to_bytes()
    game.determinize(0, Random(3))
    assert game.to_bytes() == before


def piles(game: Game) -> list[tuple[str, ...]]:
    found, at = [], 0
    for size in game.state.piles:
        found.append(game.state.deck[at : at + size])
        at += size
    assert at == len(game.state.deck)
    return found


@pytest.mark.parametrize("placement", ["shuffled", "on_top"])
@pytest.mark.parametrize("moves", [0, 12, 30])
def test_in_a_twin_every_scoring_card_stays_in_its_pile(placement: str, moves: int) -> None:
    game = middle(4, moves, scoring_card_placement=placement)
    for number in range(20):
        sample = game.determinize(None, Random(number))
        for own_pile, twin_pile in zip(piles(game), piles(sample), strict=True):
            assert len(own_pile) == len(twin_pile)
            special = [card for card in own_pile if card not in MONEY_CARDS]
            assert [card for card in twin_pile if card not in MONEY_CARDS] == special
            if special and placement == "on_top":
                assert own_pile[-1] == twin_pile[-1] == special[0]


def test_in_twins_a_shuffled_scoring_card_moves_within_its_pile() -> None:
    game = middle(3, 0)
    places = {game.determinize(None, Random(n)).state.deck.index("scoring-1") for n in range(30)}
    assert len(places) > 5


@pytest.mark.rule("00.58")
def test_hands_are_known_in_the_base_game_because_all_cards_were_seen() -> None:
    game = middle()
    sample = game.determinize(0, Random(3))
    assert [seat.hand for seat in sample.state.seats] == [seat.hand for seat in game.state.seats]


def test_a_card_that_was_drawn_unseen_is_dealt_anew_for_others_but_not_for_its_owner() -> None:
    game = table()
    hand(game, 1, "denar-9 denar-8")
    game.state.seats[1].unseen = ("denar-9",)
    samples = [game.determinize(0, Random(number)) for number in range(30)]
    assert len({sample.state.seats[1].hand for sample in samples}) > 5
    for sample in samples:
        assert "denar-8" in sample.state.seats[1].hand
        assert len(sample.state.seats[1].hand) == 2
        assert sample.view(0) == game.view(0)
        cards = sorted((*sample.state.deck, *sample.state.seats[1].hand))
        assert cards == sorted((*game.state.deck, *game.state.seats[1].hand))
    assert {game.determinize(1, Random(n)).state.seats[1].hand for n in range(10)} == {("denar-8", "denar-9")}


def test_a_twin_can_be_played_to_the_end() -> None:
    rng = Random(3)
    sample = middle(moves=20).determinize(0, rng)
    while not sample.over:
        sample.apply(sample.random_move(rng))
    assert sample.scores


def test_different_twins_have_different_futures() -> None:
    game = table()
    own(game, 0, tower=1)
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    deck(game)
    shown = set()
    for number in range(8):
        sample = game.determinize(0, Random(number))
        sample.apply(Move("take_money", display=("gulden-1",)))
        shown.add(sample.state.display)
    assert len(shown) > 3
