"""The hooks that no module of the library uses yet, proved by example modules that use them as later ones will."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from alhambra import BadOptions, Decision, Game, Module, Move, Options, Violation, register
from alhambra import registry as registry_module
from alhambra.components import MAJORITY_VALUES, TYPES
from alhambra.module import Layer, Modify
from tests.conformance.invariants import Watch
from tests.rules.example_modules import (
    CUSTOMS,
    DECREE,
    EXAMPLES,
    FASHION,
    MASONS,
    Fashion,
    Fortunes,
    Parcels,
    Tools,
    Trowels,
    register_examples,
)
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    dirk,
    display,
    end_game,
    events_of,
    fact,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    own,
    play,
    points,
    refused,
    reserve,
    table,
    take_turn,
    tower,
)


@pytest.fixture(autouse=True)
def examples_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples are known in these tests only."""
    monkeypatch.setattr(registry_module, "_registered", {})
    register_examples()


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def verbs(game: Game) -> set[str]:
    return {found.verb for found in game.moves()}


# -- helpers: rotate ---------------------------------------------------------------------------------------------------


def at_the_site() -> Game:
    """Seat 0 is to place a garden whose wall in the east forbids to build it west of the fountain."""
    game = table(modules=["example_tools"])
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-4 denar-6")
    play(game, "buy market-denar denar-4 denar-6")
    assert asked(game) == ("place_tiles", 0)
    return game


def one_more(game: Game) -> Game:
    """Plain turns until seat 0 is asked for an action again."""
    while asked(game) != ("action", 0):
        kind, _ = asked(game)
        if kind == "action":
            take_turn(game)
        else:
            play(game, "pass")
    return game


def test_with_a_helper_a_tile_is_laid_turned_and_the_helper_is_spent() -> None:
    game = at_the_site()
    assert codes(refused(game, "place garden-9-e @-1,0")) == ["EDGE_MISMATCH", "NOT_REACHABLE"]
    assert codes(refused(game, "place garden-9-e @-1,0", rotation=90)) == ["ROTATION_REFUSED"]
    events = play(game, "place garden-9-e @-1,0", rotation=90, items=("turntable",))
    assert events_of(events, "placed")[0]["rotation"] == 90
    assert events_of(events, "tool_used") == [{"seat": 0, "item": "turntable"}]
    assert game.state.seats[0].board.placed["garden-9-e"].rotation == 90
    assert game.slice(Tools).held[0] == ("purse",)


def test_a_helper_for_turning_is_refused_where_nothing_is_turned() -> None:
    faults = refused(at_the_site(), "place garden-9-e @1,0", items=("turntable",))
    assert fact(faults, "NO_EFFECT") == {"id": "turntable"}


def test_a_helper_turns_but_lifts_no_other_rule() -> None:
    faults = refused(at_the_site(), "place garden-9-e @-1,0", rotation=180, items=("purse",))
    assert codes(faults) == ["NOT_THERE", "ROTATION_REFUSED"]
    faults = refused(at_the_site(), "place garden-9-e @1,0", rotation=180, items=("turntable",))
    assert codes(faults) == ["EDGE_MISMATCH", "NOT_REACHABLE"]


def test_a_helper_that_was_spent_or_never_held_is_not_there() -> None:
    game = at_the_site()
    game.slice(Tools).held = ((), ("turntable",), ())
    faults = refused(game, "place garden-9-e @-1,0", rotation=90, items=("turntable",))
    assert fact(faults, "NOT_THERE") == {"id": "turntable", "place": "held"}


def test_helpers_for_turning_serve_adding_and_swapping_too() -> None:
    game = table(modules=["example_tools"])
    reserve(game, 0, "garden-9-e tower-13-e")
    alhambra(game, 0, {(1, 0): "arcades-9", (-1, 0): "arcades-10"})
    assert legal(game, "add garden-9-e @-2,0", rotation=180, items=("turntable",))
    assert not legal(game, "swap tower-13-e @-1,0")
    events = play(game, "swap tower-13-e @-1,0", rotation=180, items=("turntable",))
    assert events_of(events, "swapped")[0]["rotation"] == 180
    assert [event["item"] for event in events_of(events, "tool_used")] == ["turntable"]


def test_a_turned_tile_stays_turned_through_bytes_and_replay() -> None:
    game = Game.new(Options(seats=3, seed="turned", modules=["example_tools"]))
    rng = Random(4)
    while not any(placed.rotation for owner in game.state.seats for placed in owner.board.placed.values()):
        turning = [found for found in game.legal_moves() if found.items == ("turntable",)]
        game.apply(turning[0] if turning else game.random_move(rng))
    assert Game.from_bytes(game.to_bytes()) == game
    assert Game.replay(game.options, game.log) == game


# -- helpers: take_money -----------------------------------------------------------------------------------------------


def at_the_bank() -> Game:
    game = table(modules=["example_tools"])
    display(game, "denar-2 gulden-3 gulden-4 dukat-9")
    return game


def test_with_a_helper_more_money_is_taken_and_the_helper_is_spent() -> None:
    game = at_the_bank()
    assert fact(refused(game, "take_money denar-2 gulden-4"), "SUM_TOO_HIGH") == {"sum": 6, "limit": 5}
    events = play(game, "take_money denar-2 gulden-3 gulden-4", items=("purse",))
    assert game.state.seats[0].hand == ("denar-2", "gulden-3", "gulden-4")
    assert kinds(events)[:2] == ["tool_used", "money_taken"]
    assert game.slice(Tools).held[0] == ("turntable",)


def test_a_helper_for_taking_has_a_limit_of_its_own() -> None:
    faults = refused(at_the_bank(), "take_money denar-2 dukat-9", items=("purse",))
    assert fact(faults, "SUM_TOO_HIGH") == {"sum": 11, "limit": 10}


def test_a_helper_for_taking_is_refused_where_it_is_not_needed_or_not_held() -> None:
    game = at_the_bank()
    assert codes(refused(game, "take_money denar-2 gulden-3", items=("purse",))) == ["NO_EFFECT"]
    assert codes(refused(game, "take_money dukat-9", items=("purse",))) == ["NO_EFFECT"]
    assert "NOT_THERE" in codes(refused(game, "take_money denar-2 gulden-4", items=("turntable",)))
    game.slice(Tools).held = ((), (), ())
    assert codes(refused(game, "take_money denar-2 gulden-4", items=("purse",))) == ["NOT_THERE"]


def test_a_purse_doubles_whatever_the_limit_has_become() -> None:
    register(Module(999, "example_bonus", modify=(Modify("take_limit", Layer.ADD, lambda *_: 1),)))
    game = table(modules=["example_tools", "example_bonus"])
    assert game.value("take_limit", 5, 0, ()) == 6
    assert game.value("take_limit", 5, 0, ("purse",)) == 12


# -- licences by a card, at `late` -------------------------------------------------------------------------------------


def mason_of(game: Game) -> str:
    """A mason that lies in the deck."""
    return next(card for card in game.state.deck if game.ruleset.cards[card].kind == "mason")


def late(*cards: str) -> Game:
    """Seat 0 has taken money, holds these cards and a mason, and has a tower in reserve."""
    game = table(modules=["example_masons"])
    reserve(game, 0, "tower-11")
    alhambra(game, 0, {(1, 0): "garden-10"})
    hand(game, 0, mason_of(game), *cards)
    display(game, "gulden-1 gulden-2")
    play(game, "take_money gulden-1")
    assert asked(game) == ("late", 0)
    return game


def masons_in_hand(game: Game, seat: int = 0) -> list[str]:
    return [card for card in game.state.seats[seat].hand if game.ruleset.cards[card].kind == "mason"]


def test_a_card_named_in_the_move_entitles_to_a_redesign_after_placing_and_leaves_the_game() -> None:
    game = late()
    (mason,) = masons_in_hand(game)
    events = play(game, f"add tower-11 @-1,0 {mason}")
    assert events_of(events, "mason_hired") == [{"seat": 0, "card": mason}]
    assert "tower-11" in game.state.seats[0].board.placed
    assert masons_in_hand(game) == []
    assert mason in game.state.box
    assert mason not in game.state.discard


def test_a_redesign_after_placing_takes_no_action_up() -> None:
    game = late()
    assert game.state.taken == ("take_money",)
    play(game, f"remove garden-10 {masons_in_hand(game)[0]}")
    assert asked(game) == ("late", 0), "asked on, for the others cannot know whether there is a second one"
    assert game.state.taken == ("take_money",)
    play(game, "pass")
    assert asked(game) == ("action", 1)


def test_without_its_card_a_redesign_after_placing_is_refused() -> None:
    game = late("denar-4")
    other = next(card.id for card in MASONS.cards if card.id not in masons_in_hand(game))
    assert fact(refused(game, "remove garden-10"), "NOUN_MISSING") == {"noun": "items"}
    assert fact(refused(game, "remove garden-10 denar-4"), "NOT_THERE") == {"id": "denar-4", "place": "hand"}
    assert codes(refused(game, f"remove garden-10 {other}")) == ["NOT_THERE"]
    both = ("denar-4", *masons_in_hand(game))
    assert codes(refused(game, Move("remove", "garden-10", cards=tuple(sorted(both))))) == ["NOT_THERE"]


def test_a_card_is_no_licence_at_another_moment() -> None:
    game = one_more(late())
    (mason,) = masons_in_hand(game)
    assert codes(refused(game, f"remove garden-10 {mason}")) == ["NOT_THERE"]
    assert legal(game, "remove garden-10"), "by the action, without a card"


def test_of_two_like_cards_a_move_is_listed_once() -> None:
    game = late()
    (mason,) = masons_in_hand(game)
    game.state.seats[0].hand = (*game.state.seats[0].hand, mason)
    assert [found for found in game.moves() if found.verb == "remove"] == [
        Move("remove", "garden-10", cards=(mason,))
    ], "whichever of the two"


def test_whoever_has_any_cards_is_asked_after_placing_mason_or_not() -> None:
    game = table(modules=["example_masons"])
    display(game, "gulden-1 gulden-2 gulden-3")
    play(game, "take_money gulden-1")
    assert asked(game) == ("late", 0)
    assert list(game.moves()) == [Move("pass")]


def test_a_dealt_card_could_be_one_that_was_not_dealt() -> None:
    game = table(modules=["example_masons"], dealt=True)
    viewer, other = 0, 1
    seen = {masons_in_hand(game.determinize(viewer, Random(n)), other)[0] for n in range(40)}
    assert len(seen) > 1
    assert all(masons_in_hand(game.determinize(viewer, Random(n))) == masons_in_hand(game) for n in range(5))


def test_a_card_and_a_helper_may_stand_in_one_move() -> None:
    game = table(modules=["example_masons", "example_tools"])
    reserve(game, 0, "tower-13-e")
    hand(game, 0, mason_of(game))
    display(game, "gulden-1 gulden-2")
    play(game, "take_money gulden-1")
    (mason,) = masons_in_hand(game)
    events = play(game, f"add tower-13-e @-1,0 {mason}", rotation=180, items=("turntable",))
    assert {"mason_hired", "tool_used"} <= set(kinds(events))


# -- laid, acquired, given ---------------------------------------------------------------------------------------------


def parcels(game: Game) -> Parcels:
    return game.slice(Parcels)


def courtyard(seats: int = 2, *modules: str) -> Game:
    """Seat 0 can buy garden-10 with a parcel on it that is worth three points; the market is full without it."""
    game = table(seats, modules=["example_parcels", *modules])
    market(game, gulden="tower-11", dirham="tower-12", denar="garden-10", dukat="arcades-9")
    hand(game, 0, "denar-5 denar-6")
    kept = parcels(game)
    everything = sorted((*kept.stock, *kept.on.values()))
    everything.remove("parcel-3")
    kept.stock, kept.on = tuple(everything), {"garden-10": "parcel-3"}
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    return game


def test_when_a_tile_is_laid_on_the_market_modules_react_to_it() -> None:
    game = courtyard()
    market(game, gulden="tower-11", dirham="tower-12")
    tower(game, "garden-11 arcades-10")
    top = parcels(game).stock[-1]
    events = take_turn(game)
    assert events_of(events, "parcel_laid") == [{"tile": "garden-11", "piece": top, "space": 2}]
    assert parcels(game).on["garden-11"] == top
    assert "arcades-10" not in parcels(game).on


def test_when_the_market_is_filled_at_setup_modules_react_too() -> None:
    game = table(modules=["example_parcels"], dealt=True, seed="a garden")
    gardens = [tile for tile in game.state.market if tile.startswith("garden")]
    assert gardens, "another seed, please"
    assert sorted(parcels(game).on) == sorted(gardens)
    assert game.view(None)["slices"]["example_parcels"]["stock"] == 12 - len(gardens)


def test_a_buyer_is_asked_about_what_comes_with_the_tile_before_the_purchase_goes_on() -> None:
    game = courtyard()
    hand(game, 0, "denar-4 denar-6")
    play(game, "buy market-denar denar-4 denar-6")
    assert asked(game) == ("parcel", 0)
    assert game.decision is not None
    assert game.decision.context["how"] == "buy"
    assert game.state.actions == 0
    events = play(game, "choose", choice="keep")
    assert events_of(events, "bonus_action") == [{"seat": 0, "because": "exact"}]
    assert parcels(game).owners == {"garden-10": 0}


def test_who_gets_a_tile_that_is_left_over_is_asked_too_and_the_rest_is_given_out_afterwards() -> None:
    game = courtyard(3)
    market(game, denar="garden-10", dukat="arcades-9")
    hand(game, 0)
    hand(game, 1, "denar-5")
    hand(game, 2, "dukat-5")
    events = end_game(game)
    assert asked(game) == ("parcel", 1)
    assert [event["tile"] for event in events_of(events, "leftover_awarded")] == ["garden-10"]
    events = play(game, "choose", choice="keep")
    assert [event["tile"] for event in events_of(events, "leftover_awarded")] == ["arcades-9"]
    play(game, "place garden-10 @1,0")
    events = play(game, "place arcades-9 @1,0")
    assert points(events, "parcels") == {1: 3}


def test_a_tile_that_is_given_to_dirk_loses_what_came_with_it() -> None:
    game = courtyard()
    play(game, "buy market-denar denar-5 denar-6")
    play(game, "choose", choice="keep")
    events = play(game, "give_to_dirk garden-10")
    assert events_of(events, "parcel_lost") == [{"tile": "garden-10", "piece": "parcel-3"}]
    assert (parcels(game).on, parcels(game).owners, parcels(game).lost) == ({}, {}, ("parcel-3",))


def test_modules_hear_of_every_tile_that_dirk_gets_from_the_tower() -> None:
    heard: list[str] = []
    register(Module(999, "example_ear", given=lambda _game, tile: heard.append(tile)))
    game = table(2, modules=["example_ear"])
    assert len(heard) == 6, "his first tiles, at setup"
    dirk(game)
    heard.clear()
    tower(game, "tower-11 tower-12 garden-10 garden-11 arcades-9 arcades-10 chambers-10 chambers-11")
    hold_scoring(game, 1)
    assert heard
    assert tuple(heard) == game.state.dirk


def test_what_was_refused_is_lost_at_once() -> None:
    game = courtyard()
    play(game, "buy market-denar denar-5 denar-6")
    assert codes(refused(game, "choose", choice="burn")) == ["NOUN_MALFORMED"]
    events = play(game, "choose", choice="refuse")
    assert events_of(events, "parcel_lost") == [{"tile": "garden-10", "piece": "parcel-3"}]


def test_a_seat_that_resigns_while_it_is_asked_is_answered_for() -> None:
    game = courtyard(3)
    play(game, "buy market-denar denar-5 denar-6")
    assert asked(game) == ("parcel", 0)
    game.resign(0)
    assert parcels(game).owners == {"garden-10": 0}
    assert asked(game) == ("action", 1)


# -- after -------------------------------------------------------------------------------------------------------------


def with_a_kept_parcel() -> Game:
    game = courtyard(3, "example_customs")
    play(game, "buy market-denar denar-5 denar-6")
    play(game, "choose", choice="keep")
    play(game, "place garden-10 @1,0")
    hand(game, 0)
    hand(game, 1)
    game.state.types = {**game.state.types, "garden-10": ""}
    return game


def final_score(game: Game) -> tuple[int, ...]:
    """Nobody has anything but parcels."""
    for owner in game.state.seats:
        owner.score = 0
    display(game, "gulden-1")
    market(game)
    end_game(game)
    assert game.over
    return game.scores


def test_a_module_comes_after_one_with_a_higher_number_if_it_says_so() -> None:
    game = with_a_kept_parcel()
    assert game.ruleset.keys == ("example_parcels", "example_customs")
    lines = game.ruleset.explain("scoring").splitlines()
    assert [line for line in lines if "gains" in line] == [
        "  gains: example_parcels.open_parcels",
        "  gains: example_customs.pay_customs",
    ]
    assert final_score(game) == (1, 0, 0)


def test_without_saying_so_its_number_would_decide_and_the_outcome_be_another() -> None:
    register(replace(CUSTOMS, after=()))
    game = with_a_kept_parcel()
    assert game.ruleset.keys == ("example_customs", "example_parcels")
    assert final_score(game) == (3, 0, 0)


def test_a_module_may_come_after_one_that_is_not_on() -> None:
    assert table(modules=["example_customs", "example_vows"]).ruleset.keys == ("example_customs", "example_vows")


# -- vetoes ------------------------------------------------------------------------------------------------------------


def sworn(*cards: str, vow: bool = True, modules: tuple[str, ...] = ()) -> Game:
    """Seat 1 has just begun its turn, and has vowed or not."""
    game = table(modules=["example_vows", *modules])
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    market(game, gulden="tower-11", dirham="tower-12", denar="garden-10", dukat="arcades-9")
    hand(game, 1, *cards)
    alhambra(game, 1, {(1, 0): "chambers-10"})
    deck(game, "gulden-5")
    take_turn(game)
    assert asked(game) == ("start", 1)
    play(game, "vow" if vow else "pass")
    assert asked(game) == ("action", 1)
    return game


def test_a_veto_refuses_what_would_be_legal_and_it_is_no_longer_listed() -> None:
    for vow, offered in ((False, {"buy", "take_money", "remove"}), (True, {"take_money"})):
        game = sworn("denar-4 denar-6", vow=vow)
        assert verbs(game) == offered
        assert {found.verb for found in game.legal_moves()} == offered
    faults = refused(game, "buy market-denar denar-4 denar-6")
    assert fact(faults, "FORCED_ACTION") == {"verb": "take_money"}
    assert codes(refused(game, "remove chambers-10")) == ["FORCED_ACTION"]


def test_vetoes_come_on_top_of_the_verbs_own_reasons() -> None:
    game = sworn("denar-4")
    assert codes(refused(game, "buy market-denar denar-4")) == ["FORCED_ACTION", "UNDERPAID"]


def test_an_action_can_forbid_another_one_after_it() -> None:
    game = sworn("denar-4 denar-6", vow=False)
    play(game, "buy market-denar denar-4 denar-6")
    assert asked(game) == ("action", 1), "paid exactly"
    assert fact(refused(game, "take_money gulden-2"), "SOLE_ACTION") == {"verb": "buy"}
    assert legal(game, "remove chambers-10")


def test_what_is_vetoed_keeps_nobody_from_passing() -> None:
    game = sworn("denar-4 denar-6")
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    display(game)
    assert list(game.moves()) == [Move("pass")]
    play(game, "pass")
    assert asked(game)[1] == 2


def test_a_pass_can_be_vetoed_at_one_decision_only() -> None:
    game = sworn()
    while asked(game) != ("start", 2):
        take_turn(game)
    assert game.state.seats[2].hand == ()
    assert fact(refused(game, "pass"), "PASS_REFUSED") == {"decision": "start"}
    hand(game, 2, "denar-1")
    assert legal(game, "pass")


def test_a_random_move_is_never_one_that_is_vetoed() -> None:
    game = sworn("denar-4 denar-6 gulden-8 gulden-9 dukat-9")
    rng = Random(1)
    assert {game.random_move(rng).verb for _ in range(30)} == {"take_money"}


def test_for_a_seat_that_resigns_nothing_is_answered_that_is_vetoed() -> None:
    game = sworn("denar-4")
    take_turn(game)
    assert asked(game) == ("start", 2)
    events = game.resign(2)
    assert points(events, "vow") == {2: 1}, "without a card it may not pass"
    assert asked(game)[1] == 0


def test_vetoes_of_several_modules_add_up() -> None:
    def silence(_game: Game, _decision: Decision, _move: Move) -> Iterator[Violation]:
        yield Violation("USED_UP", "verb", what="actions", limit=1, per="turn")

    register(Module(999, "example_silence", vetoes={"buy": silence}))
    game = sworn("denar-4 denar-6", modules=("example_silence",))
    assert codes(refused(game, "buy market-denar denar-4 denar-6")) == ["FORCED_ACTION", "USED_UP"]
    game = sworn("denar-4 denar-6", vow=False, modules=("example_silence",))
    assert codes(refused(game, "buy market-denar denar-4 denar-6")) == ["USED_UP"]
    assert "buy" not in verbs(game)


# -- what only the asked seat sees -------------------------------------------------------------------------------------


def looking() -> Game:
    """Seat 0 looks at two fortunes."""
    game = table(modules=["example_fortunes"])
    game.slice(Fortunes).stack = ("fortune-1", "fortune-9", "fortune-4")
    display(game, "gulden-1 gulden-2")
    take_turn(game)
    assert asked(game) == ("after", 0)
    play(game, "look")
    assert asked(game) == ("fortune", 0)
    return game


def test_only_the_asked_seat_sees_the_private_part_of_a_question() -> None:
    game = looking()
    shown = game.view(0)["decision"]
    assert shown["context"] == {"count": 2}
    assert shown["private"] == {"pieces": ["fortune-9", "fortune-4"]}
    for viewer in (1, 2, None):
        seen = game.view(viewer)
        assert "private" not in seen["decision"]
        assert seen["decision"]["context"] == {"count": 2}
        assert "fortune-9" not in str(seen)


def test_a_question_without_a_private_part_shows_none() -> None:
    game = looking()
    play(game, "keep_fortune fortune-9")
    assert "private" not in game.view(game.state.active)["decision"]


def test_what_a_seat_looks_at_is_not_dealt_anew_for_itself() -> None:
    game = looking()
    mine = {game.determinize(0, Random(n)).slice(Fortunes).looked for n in range(20)}
    others = {game.determinize(1, Random(n)).slice(Fortunes).looked for n in range(20)}
    assert mine == {("fortune-9", "fortune-4")}
    assert len(others) > 1


def test_what_was_seen_cannot_be_taken_back() -> None:
    game = Game.new(Options(seats=3, seed="fortune", modules=["example_fortunes"]))
    take_turn(game)
    seat = asked(game)[1]
    game.apply(Move("look"))
    reason = game.can_undo(seat)
    assert reason is not None
    assert reason.metadata == {"because": "revealed"}


def test_the_answer_is_known_to_its_owner_and_to_others_when_it_is_shown() -> None:
    game = looking()
    assert codes(refused(game, "keep_fortune fortune-1")) == ["NOT_THERE"]
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    events = play(game, "keep_fortune fortune-9")
    (kept,) = [event for event in events if event.kind == "fortune_kept"]
    assert "fortune-9" in str(kept.seen_by(0))
    assert "fortune-9" not in str(kept.seen_by(1))
    assert game.view(0)["slices"]["example_fortunes"]["own"] == ["fortune-9"]
    assert game.view(1)["slices"]["example_fortunes"] == {"stack": 2, "kept": [1, 0, 0], "own": []}
    assert asked(game) == ("action", 1)
    hand(game, 0)
    market(game)
    assert points(end_game(game), "fortunes") == {0: 9, 1: 0, 2: 0}


def test_what_a_question_is_about_survives_bytes() -> None:
    game = looking()
    again = game.restored(game.state_bytes())
    assert again.view(0) == game.view(0)
    play(again, "keep_fortune fortune-4")
    assert again.slice(Fortunes).kept[0] == ("fortune-4",)


# -- set, set for good, scale, cap -------------------------------------------------------------------------------------

UPSIDE_DOWN = (5, 4, 3, 2, 1, 0)


def fashionable(*modules: str) -> Game:
    """Pavilions are scored like towers and the other way round."""
    game = table(modules=["example_fashion", *modules])
    game.slice(Fashion).rows = UPSIDE_DOWN
    return game


def test_a_module_can_set_the_row_by_which_a_type_is_scored() -> None:
    game = fashionable()
    own(game, 0, pavilion=1)
    own(game, 1, tower=1)
    events = hold_scoring(game, 1)
    assert points(events, "majority", type="pavilion") == {0: MAJORITY_VALUES["tower"][1][0]}
    assert points(events, "majority", type="tower") == {1: MAJORITY_VALUES["pavilion"][1][0]}


def test_of_two_that_set_the_same_value_the_final_one_counts() -> None:
    game = fashionable("example_decree")
    rows = [game.value("majority_row", row, name, 1) for row, name in enumerate(TYPES)]
    assert rows == [5, 4, 3, 2, 1, 0]
    game.slice(Fashion).rows = (0, 1, 2, 3, 4, 5)
    rows = [game.value("majority_row", row, name, 1) for row, name in enumerate(TYPES)]
    assert rows == [0, 1, 2, 3, 4, 0], "towers by decree, the others by fashion"


def test_the_final_one_counts_whatever_the_numbers() -> None:
    register(replace(DECREE, number=900))
    game = fashionable("example_decree")
    game.slice(Fashion).rows = (0, 1, 2, 3, 4, 5)
    assert game.ruleset.keys == ("example_decree", "example_fashion")
    assert game.value("majority_row", 5, "tower", 1) == 0
    assert game.ruleset.explain("majority_row").splitlines()[1:] == [
        "  SET: example_fashion.fashionable_row",
        "  SET: example_decree.decreed_row",
    ]


@pytest.mark.parametrize("final", [False, True])
def test_two_of_the_same_rank_do_not_compile(final: bool) -> None:
    (row, cap), (fashion,) = DECREE.modify, FASHION.modify
    register(replace(DECREE, modify=(replace(row, final=final), cap)))
    register(replace(FASHION, modify=(replace(fashion, final=final),)))
    with pytest.raises(BadOptions) as error:
        table(modules=["example_decree", "example_fashion"])
    assert (error.value.code, error.value.metadata["value"]) == ("MODULES_CLASH", "majority_row")


def test_a_cap_comes_after_everything_that_adds() -> None:
    register(Module(999, "example_barn", modify=(Modify("majority_count", Layer.ADD, lambda *_: 3),)))
    game = table(modules=["example_decree", "example_barn"])
    own(game, 0, garden=4)
    own(game, 1, garden=3)
    own(game, 2, garden=1)
    assert [game.value("majority_count", count, 0, "garden") for count in (2, 4, 8)] == [5, 6, 6]
    first, second = MAJORITY_VALUES["garden"][2]
    shared = (first + second) // 2
    assert points(hold_scoring(game, 2), "majority", type="garden") == {0: shared, 1: shared}


# -- an item beside the action -----------------------------------------------------------------------------------------


def masonry() -> Game:
    game = table(modules=["example_trowels"])
    reserve(game, 0, "tower-11")
    alhambra(game, 0, {(1, 0): "garden-10"})
    display(game, "gulden-1 gulden-2")
    return game


@pytest.mark.parametrize("text", ["add tower-11 @-1,0", "remove garden-10", "swap tower-11 @1,0"])
def test_an_item_named_in_the_move_entitles_to_a_redesign_beside_the_action(text: str) -> None:
    game = masonry()
    events = play(game, text, items=("trowel",))
    assert events_of(events, "trowel_used") == [{"seat": 0}]
    assert game.slice(Trowels).left == (1, 2, 2)
    assert (game.state.actions, game.state.taken) == (1, ())
    assert asked(game) == ("action", 0)


def test_without_the_item_the_same_redesign_is_the_action() -> None:
    game = masonry()
    play(game, "add tower-11 @-1,0")
    assert (game.state.actions, game.state.taken) == (0, ("add",))
    assert game.slice(Trowels).left == (2, 2, 2)


def test_with_no_action_due_the_item_still_serves_and_a_pass_ends_it() -> None:
    game = masonry()
    play(game, "take_money gulden-1")
    assert asked(game) == ("action", 0)
    assert verbs(game) == {"add", "remove", "swap", "pass"}
    assert codes(refused(game, "add tower-11 @-1,0")) == ["NOUN_MISSING"]
    play(game, "add tower-11 @-1,0", items=("trowel",))
    play(game, "pass")
    assert asked(game) == ("action", 1)


def test_a_trowel_and_a_turntable_may_stand_in_one_move() -> None:
    game = table(modules=["example_trowels", "example_tools"])
    reserve(game, 0, "tower-13-e")
    events = play(game, "add tower-13-e @-1,0", rotation=180, items=("trowel", "turntable"))
    assert {"trowel_used", "tool_used"} <= set(kinds(events))
    assert game.state.actions == 1


@pytest.mark.parametrize(
    ("modules", "code"), [([], "NOT_THERE"), (["example_trowels"], "NOT_THERE"), (["example_tools"], "NO_EFFECT")]
)
def test_an_item_that_a_removal_has_no_use_for_is_refused(modules: list[str], code: str) -> None:
    game = table(modules=modules)
    alhambra(game, 0, {(1, 0): "garden-10"})
    assert legal(game, "remove garden-10")
    assert codes(refused(game, "remove garden-10", items=("turntable",))) == [code]


def test_an_item_named_twice_is_refused() -> None:
    game = masonry()
    play(game, "take_money gulden-1")
    assert codes(refused(game, "add tower-11 @-1,0", items=("trowel", "trowel"))) == ["NOT_THERE"]
    assert codes(refused(game, "remove garden-10", items=("trowel", "trowel"))) == ["NOT_THERE"]


# -- what a permit opened stays open -----------------------------------------------------------------------------------


def test_a_tile_that_a_ladder_leans_on_can_neither_be_removed_nor_swapped() -> None:
    game = table(modules=["example_ladders"])
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    reserve(game, 0, "tower-10-w arcades-8-e")
    hand(game, 0, "gulden-3")
    play(game, "add tower-10-w @2,0", choice="ladder")
    while asked(game) != ("action", 0):
        take_turn(game)
    for text in ("remove tower-10-w", "swap arcades-8-e @1,0"):
        assert fact(refused(game, text), "LOCKED")["by"] == "ladder"


# -- Random games ------------------------------------------------------------------------------------------------------

FOR_THREE = {"example_masons", "example_fortunes"}
"""Where it matters that more than one seat is hidden; all others play with Dirk."""


@pytest.mark.parametrize("key", [module.key for module in EXAMPLES])
def test_a_game_with_an_example_keeps_all_invariants(key: str) -> None:
    watch = Watch(Options(seats=2 + (key in FOR_THREE), seed=key, modules=[key]), 7, every=5)
    game = watch.play()
    played = [entry.move for entry in game.log if entry.move is not None]
    expected = {
        "example_ladders": any(move.choice == "ladder" for move in played),
        "example_tools": {item for move in played for item in move.items} == {"purse", "turntable"},
        "example_masons": any(move.verb in ("add", "remove", "swap") and move.cards for move in played),
        "example_parcels": {"choose", "give_to_dirk"} <= set(watch.verbs),
        "example_vows": watch.verbs["vow"] > 0,
        "example_fortunes": watch.verbs["keep_fortune"] > 0,
        "example_trowels": any(move.items == ("trowel",) for move in played),
    }
    assert expected.get(key, True), "the game never came to what the example is about"


def test_a_game_with_all_of_them_keeps_all_invariants() -> None:
    modules = [module.key for module in EXAMPLES]
    watch = Watch(Options(seats=2, seed="all of them", modules=modules), 11, every=5)
    watch.play()
    assert {"vow", "look", "choose", "keep_fortune", "ring", "record"} <= set(watch.verbs)
