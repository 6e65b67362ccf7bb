"""The hooks, proved by small example modules: what one file can add, and that it costs nothing while it is off."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from itertools import combinations
from random import Random
from typing import Any

import pytest

from alhambra import BadOptions, Game, Module, Move, Options, Ruleset, known_modules, load_module, register
from alhambra import registry as registry_module
from alhambra.base import BASE
from alhambra.base.payment import Offer, Payment, judge, payments, sample_payment
from alhambra.components import MONEY_CARDS, Card
from alhambra.module import FRAMES, Layer, Modify, Step, Verb
from alhambra.ruleset import TUPLES, compile_ruleset
from tests.rules.example_modules import (
    BELLS,
    CAMELS,
    HELPERS,
    SHELVES,
    give_bargains,
    register_examples,
    ring,
    ringings,
    shelf_of,
    verify_ring,
)
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    end_game,
    events_of,
    fact,
    hand,
    hold_scoring,
    legal,
    market,
    own,
    play,
    points,
    refused,
    table,
    take_turn,
)

EDITION = "de_revised_2019"


@pytest.fixture(autouse=True)
def examples_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples are known in these tests only."""
    monkeypatch.setattr(registry_module, "_registered", {})
    register_examples()


def rules(*modules: Module, seats: int = 3) -> Ruleset:
    """A ruleset with these modules, freshly compiled."""
    for module in modules:
        register(module)
    return compile_ruleset.__wrapped__(seats, EDITION, tuple(sorted(module.key for module in modules)))


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


# -- A verb and a decision in the window -----------------------------------------------------------------------------


def belfry(seats: int = 3, **options: Any) -> Game:
    game = table(seats, modules=["example_bells"], **options)
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    return game


def test_after_a_turn_everybody_is_asked_from_the_player_due_next_to_the_one_who_finished() -> None:
    game = belfry()
    take_turn(game)
    order = []
    while asked(game)[0] == "window":
        order.append(asked(game)[1])
        play(game, "pass")
    assert order == [1, 2, 0]
    assert asked(game) == ("action", 1)


def test_an_interrupt_asks_another_seat_and_then_the_same_seat_is_asked_on() -> None:
    game = belfry()
    take_turn(game)
    play(game, "pass")
    assert asked(game) == ("window", 2)
    play(game, "ring")
    assert asked(game) == ("echo", 0)
    assert game.decision is not None
    assert game.decision.context == {"ringer": 2}
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert codes(refused(game, "ring")) == ["VERB_NOT_OFFERED"]
    assert codes(refused(game, "answer", choice="perhaps")) == ["NOUN_MALFORMED"]
    events = play(game, "answer", choice="yes")
    assert points(events, "echo") == {0: 1, 2: 1}
    assert asked(game) == ("window", 2)


def test_after_a_run_with_any_interrupt_everybody_decides_afresh() -> None:
    game = belfry()
    take_turn(game)
    play(game, "pass")
    play(game, "ring")
    play(game, "answer", choice="no")
    play(game, "pass")
    order = []
    while asked(game)[0] == "window":
        order.append(asked(game)[1])
        play(game, "pass")
    assert order == [1, 2, 0]


def test_a_seat_is_asked_by_public_facts_only_and_not_without_a_bell() -> None:
    game = belfry()
    take_turn(game)
    for _ in range(2):
        play(game, "ring")
        play(game, "answer", choice="no")
    assert asked(game) == ("window", 2), "seat 1 has no bell left and is not asked on"
    assert game.view(None)["slices"]["example_bells"] == {"left": [2, 0, 2]}


def test_a_seat_that_resigns_in_the_window_is_skipped_and_nobody_else_is() -> None:
    for gone, expected in ((1, [2, 0]), (0, [2])):
        game = belfry()
        take_turn(game)
        play(game, "pass")
        assert asked(game) == ("window", 2)
        game.resign(gone)
        order = []
        while asked(game)[0] == "window":
            order.append(asked(game)[1])
            play(game, "pass")
        assert order == expected, f"seat {gone} resigned"


def test_an_interrupt_cannot_be_taken_back_because_others_were_asked() -> None:
    game = Game.new(Options(seats=3, seed="bells", modules=["example_bells"]))
    take_turn(game)
    seat = asked(game)[1]
    game.apply(Move("ring"))
    reason = game.can_undo(seat)
    assert reason is not None
    assert reason.metadata == {"because": "other_seat"}


def test_a_modules_slice_survives_bytes_clones_and_replay() -> None:
    game = Game.new(Options(seats=3, seed="bells", modules=["example_bells"]))
    take_turn(game)
    twin = game.clone()
    game.apply(Move("ring"))
    assert Game.from_bytes(game.to_bytes()) == game
    assert Game.replay(game.options, game.log) == game
    assert twin != game
    assert twin.view(None)["slices"]["example_bells"] == {"left": [2, 2, 2]}


# -- A rule relaxed at a price ---------------------------------------------------------------------------------------


def walled(**options: Any) -> Game:
    """Seat 0 is to place a tower that would stand behind walls only."""
    game = table(modules=["example_ladders"], **options)
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    market(game, denar="tower-10-w")
    hand(game, 0, "denar-5 denar-6 gulden-3 dukat-7")
    play(game, "buy market-denar denar-5 denar-6")
    return game


def test_with_a_permit_a_rule_may_be_broken_and_its_price_is_due() -> None:
    game = walled()
    assert codes(refused(game, "place tower-10-w @2,0")) == ["NOT_REACHABLE"]
    events = play(game, "place tower-10-w @2,0", choice="ladder")
    assert events_of(events, "ladder_set") == [{"seat": 0, "cell": (2, 0), "card": "gulden-3"}]
    assert game.state.seats[0].hand == ("dukat-7",)
    assert "gulden-3" in game.state.discard
    assert "tower-10-w" in game.state.seats[0].board.placed


def test_a_permit_lifts_its_own_code_only() -> None:
    faults = refused(walled(), "place tower-10-w @0,1", choice="ladder")
    assert codes(faults) == ["NO_EFFECT"]
    faults = refused(walled(), "place tower-10-w @5,5", choice="ladder")
    assert codes(faults) == ["NO_EFFECT", "NO_CONTACT"]
    faults = refused(walled(), "place tower-10-w @-1,0", choice="gate")
    assert "NOUN_MALFORMED" in codes(faults)


def test_a_permit_that_is_not_needed_is_refused_as_without_effect() -> None:
    faults = refused(walled(), "place tower-10-w @0,1", choice="ladder")
    assert fact(faults, "NO_EFFECT") == {"id": "ladder"}
    assert faults[0].noun == "choice"


def test_without_its_price_a_permit_is_refused() -> None:
    game = walled()
    hand(game, 0)
    faults = refused(game, "place tower-10-w @2,0", choice="ladder")
    assert fact(faults, "CONDITION_UNMET") == {"what": "ladder", "need": 1, "have": 0}


def test_a_permit_holds_for_adding_and_swapping_too() -> None:
    game = walled()
    play(game, "reserve tower-10-w")
    while asked(game) != ("action", 0):
        take_turn(game)
    assert legal(game, "add tower-10-w @2,0", choice="ladder")
    assert not legal(game, "add tower-10-w @2,0")


def test_what_was_built_by_a_permit_stays_legal_afterwards() -> None:
    game = walled()
    play(game, "place tower-10-w @2,0", choice="ladder")
    board = game.state.seats[0].board
    assert (2, 0) in board.walk(1, 0)
    assert board.violations(game.ruleset.tiles["garden-10"], 3, 0) == []


# -- Price and majority ----------------------------------------------------------------------------------------------


def bargain(cards: str, *items: str, price_tile: str = "garden-10") -> Game:
    game = table(modules=["example_bargains"])
    hand(game, 0, cards)
    give_bargains(game, 0, *items)
    market(game, denar=price_tile)
    return game


def test_a_helper_lowers_the_price_and_decides_what_is_exact() -> None:
    game = bargain("denar-8 denar-9", "coupon-2")
    events = play(game, "buy market-denar denar-8", items=("coupon-2",))
    paid = events_of(events, "paid")[0]
    assert (paid["due"], paid["paid"], paid["exact"]) == (8, 8, True)
    assert asked(game) == ("action", 0)


def test_a_helper_can_raise_the_price_to_make_it_exact() -> None:
    game = bargain("denar-5 denar-6", "duty")
    events = play(game, "buy market-denar denar-5 denar-6", items=("duty",))
    assert events_of(events, "paid")[0]["exact"]


def test_a_used_item_is_laid_down_and_then_spent() -> None:
    game = bargain("denar-8", "coupon-2")
    events = play(game, "buy market-denar denar-8", items=("coupon-2",))
    assert [event["stage"] for event in events_of(events, "bargain")] == ["laid_down", "spent"]
    assert fact(refused_again(game), "NOT_THERE") == {"id": "coupon-2", "place": "held"}


def refused_again(game: Game) -> tuple[Any, ...]:
    market(game, denar="garden-11")
    return refused(game, "buy market-denar", items=("coupon-2",))


def test_a_price_of_0_is_paid_exactly_with_nothing_but_the_helper() -> None:
    game = bargain("denar-1", "coupon-2", price_tile="pavilion-2-new")
    events = play(game, "buy market-denar", items=("coupon-2",))
    paid = events_of(events, "paid")[0]
    assert (paid["due"], paid["paid"], paid["exact"]) == (0, 0, True)
    assert asked(game) == ("action", 0)


def test_a_filler_makes_up_for_a_shortage_and_counts_as_exact() -> None:
    game = bargain("denar-7 denar-9", "filler-3")
    assert legal(game, "buy market-denar denar-7", items=("filler-3",))
    events = play(game, "buy market-denar denar-9", items=("filler-3",))
    assert events_of(events, "paid")[0]["exact"]


def test_a_filler_is_refused_where_nothing_is_short_or_too_much() -> None:
    game = bargain("denar-6 denar-7 denar-9", "filler-3")
    assert fact(refused(game, "buy market-denar denar-6 denar-9", items=("filler-3",)), "NO_EFFECT") == {
        "id": "filler-3"
    }
    faults = refused(game, "buy market-denar denar-6", items=("filler-3",))
    assert fact(faults, "UNDERPAID") == {"due": 10, "paid": 9}


def test_a_mixing_helper_needs_a_foreign_card_to_have_an_effect() -> None:
    game = bargain("denar-6 denar-9 gulden-4 dukat-9", "bridge")
    assert codes(refused(game, "buy market-denar denar-6 gulden-4")) == ["WRONG_CURRENCY"]
    assert legal(game, "buy market-denar denar-6 gulden-4", items=("bridge",))
    assert codes(refused(game, "buy market-denar denar-6 denar-9", items=("bridge",))) == ["NO_EFFECT"]
    assert codes(refused(game, "buy market-denar denar-6 dukat-9", items=("bridge",))) == ["WRONG_CURRENCY"]


def test_a_patron_pays_everything_alone_and_exactly() -> None:
    game = bargain("denar-9", "patron", "coupon-1")
    faults = refused(game, "buy market-denar denar-9", items=("patron",))
    assert fact(faults, "COMBINATION_FORBIDDEN") == {"a": "patron", "b": "denar-9"}
    assert codes(refused(game, "buy market-denar", items=("coupon-1", "patron"))) == ["COMBINATION_FORBIDDEN"]
    events = play(game, "buy market-denar", items=("patron",))
    assert events_of(events, "paid")[0]["exact"]
    assert game.state.seats[0].hand == ("denar-9",)


def test_of_the_helpers_of_one_group_only_one_may_be_used() -> None:
    game = bargain("denar-7 denar-8 denar-9", "coupon-1", "coupon-2")
    faults = refused(game, "buy market-denar denar-7", items=("coupon-1", "coupon-2"))
    assert fact(faults, "COMBINATION_FORBIDDEN") == {"a": "coupon-1", "b": "coupon-2"}
    assert legal(game, "buy market-denar denar-8", items=("coupon-2",))
    assert legal(game, "buy market-denar denar-9", items=("coupon-1",))


def test_items_can_be_money() -> None:
    game = bargain("denar-9", "coin-denar")
    events = play(game, "buy market-denar denar-9", items=("coin-denar",))
    assert events_of(events, "paid")[0]["exact"]


def test_a_tender_can_be_refused_for_other_purposes() -> None:
    game = bargain("denar-9", "coin-denar")
    bid = Offer("project", 10, "denar", purpose="bid")
    faults = judge(game, 0, bid, Payment(("denar-9",), (), ("coin-denar",))).violations
    assert codes(faults) == ["NOT_THERE", "UNDERPAID"]


def test_cards_that_are_no_money_are_not_accepted_and_taken_alone() -> None:
    deed = Module(number=910, key="example_deed", cards=(Card("deed", "deed"),))
    register(deed)
    game = table(modules=["example_deed"])
    game.state.seats[0].hand = ("deed", "denar-9")
    game.state.display = ("deed", "denar-1")
    market(game, denar="pavilion-8")
    faults = refused(game, "buy market-denar deed denar-9")
    assert fact(faults, "NOT_ACCEPTED") == {"id": "deed", "purchase": "buy"}
    assert fact(refused(game, "take_money deed denar-1"), "TAKEN_ALONE") == {"id": "deed"}
    assert legal(game, "take_money deed")


def outcomes(game: Game, offer: Offer, payment: Payment) -> bool | None:
    """Whether a payment is exact; None if it is not legal."""
    verdict = judge(game, 0, offer, payment)
    return None if verdict.violations else verdict.exact


def smaller(payment: Payment) -> Iterator[Payment]:
    """The payment with one entry left out; a mixing helper may go together with the money it was needed for."""
    cards, _, items = payment
    for kept in {items, tuple(item for item in items if item != "bridge")}:
        yield from (Payment(cards[:n] + cards[n + 1 :], (), kept) for n in range(len(cards)))
        yield from (Payment(cards, (), kept[:n] + kept[n + 1 :]) for n in range(len(kept)))


def parts(things: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {chosen for size in range(len(things) + 1) for chosen in combinations(things, size)}


HELD = [chosen for size in range(4) for chosen in combinations(HELPERS, size)]


@pytest.mark.parametrize("cards", ["denar-1 denar-2 denar-4 gulden-3", "denar-5 denar-5 gulden-5 dukat-1", "gulden-9"])
def test_with_up_to_three_helpers_judging_and_listing_agree(cards: str) -> None:
    game = bargain(cards)
    held = game.state.seats[0].hand
    for helpers in HELD:
        give_bargains(game, 0, *helpers)
        for price, currency, exact in ((6, "denar", False), (6, "denar", True), (2, "", False), (9, "*", False)):
            offer = Offer("market-denar", price, currency, exact=exact)
            listed = list(payments(game, 0, offer))
            assert len(listed) == len(set(listed)), (helpers, offer)
            found = set(listed)
            for items in parts(tuple(sorted(helpers))):
                for chosen in parts(held):
                    payment = Payment(chosen, (), items)
                    assert (payment in found) == (outcomes(game, offer, payment) is not None), (payment, offer)


@pytest.mark.parametrize("cards", ["denar-1 denar-2 denar-4 gulden-3", "denar-5 denar-5 gulden-5 dukat-1"])
def test_with_helpers_too_exact_payments_come_first_and_the_brief_list_has_no_dominated_one(cards: str) -> None:
    game = bargain(cards)
    for helpers in HELD:
        give_bargains(game, 0, *helpers)
        for price, currency in ((6, "denar"), (3, ""), (2, "denar")):
            offer = Offer("market-denar", price, currency)
            whole = list(payments(game, 0, offer))
            dominated = {
                payment: outcomes(game, offer, payment) in [outcomes(game, offer, less) for less in smaller(payment)]
                for payment in whole
            }
            order = [2 if dominated[payment] else 0 if outcomes(game, offer, payment) else 1 for payment in whole]
            assert order == sorted(order), (helpers, offer)
            brief = list(payments(game, 0, offer, brief=True))
            assert brief == [payment for payment in whole if not dominated[payment]], (helpers, offer)


def test_a_payment_drawn_at_random_with_helpers_is_legal() -> None:
    game = bargain("denar-1 denar-2 denar-4 gulden-3")
    rng = Random(3)
    for helpers in HELD:
        give_bargains(game, 0, *helpers)
        offer = Offer("market-denar", 6, "denar")
        found = sample_payment(game, 0, offer, rng.randrange)
        assert (found is not None) == any(True for _ in payments(game, 0, offer))
        if found is not None:
            assert outcomes(game, offer, found) is not None


def test_a_majority_is_modified_in_half_buildings() -> None:
    game = table(modules=["example_bargains"])
    own(game, 0, garden=1)
    own(game, 1, garden=1)
    give_bargains(game, 1, "patron")
    assert points(hold_scoring(game, 2), "majority", type="garden") == {1: 12, 0: 5}


def test_nothing_is_added_to_a_type_that_a_seat_does_not_have() -> None:
    game = table(modules=["example_bargains"])
    own(game, 0, tower=1)
    give_bargains(game, 1, "patron")
    assert points(hold_scoring(game, 2), "majority", type="garden") == {}


# -- Another reserve -------------------------------------------------------------------------------------------------


def shelved(*tiles: str) -> Game:
    """Seat 0 has these tiles on its shelves and is to place garden-10."""
    game = table(modules=["example_shelves"])
    market(game, denar="garden-10")
    hand(game, 0, "denar-5 denar-6")
    for tile in tiles:
        game.state.tower = tuple(other for other in game.state.tower if other != tile)
        game.ruleset.reserve.stow(game, 0, tile)
    play(game, "buy market-denar denar-5 denar-6")
    return game


def test_another_reserve_may_want_a_place_named() -> None:
    game = shelved("tower-11")
    assert [found.slot for found in game.moves() if found.verb == "reserve"] == ["shelf-2", "shelf-3"]
    assert codes(refused(game, "reserve garden-10")) == ["NOUN_MISSING"]
    assert codes(refused(game, "reserve garden-10", slot="shelf-9")) == ["NOT_THERE"]
    assert fact(refused(game, "reserve garden-10", slot="shelf-1"), "PLACE_TAKEN") == {"slot": "shelf-1"}
    play(game, "reserve garden-10", slot="shelf-3")
    assert shelf_of(game, 0) == ("tower-11", "", "garden-10")
    assert game.state.seats[0].reserve == ()


def test_a_full_one_may_give_something_up() -> None:
    game = shelved("tower-11", "tower-12", "garden-11")
    play(game, "reserve garden-10", slot="shelf-2")
    assert shelf_of(game, 0) == ("tower-11", "garden-10", "garden-11")
    assert "tower-12" in game.state.box


def test_redesigns_take_from_it_and_put_into_it() -> None:
    game = shelved("tower-11")
    play(game, "place garden-10 @1,0")
    while asked(game) != ("action", 0):
        take_turn(game)
    twin = game.clone()
    play(game, "swap tower-11 @1,0")
    assert shelf_of(game, 0) == ("garden-10", "", "")
    play(twin, "remove garden-10")
    assert shelf_of(twin, 0) == ("tower-11", "garden-10", "")
    assert game.view(None)["seats"][0]["reserve"] == ["garden-10"]


def test_a_seat_that_resigns_puts_its_tiles_away_there() -> None:
    game = shelved()
    game.resign(0)
    assert shelf_of(game, 0) == ("garden-10", "", "")


# -- A question inside a frame ---------------------------------------------------------------------------------------


def recorded() -> Game:
    game = table(modules=["example_notary"])
    market(game, denar="garden-10")
    hand(game, 0, "denar-4 denar-6")
    display(game, "gulden-1")
    play(game, "buy market-denar denar-4 denar-6")
    assert asked(game) == ("notary", 0)
    return game


def test_a_question_in_the_middle_of_a_purchase_delays_what_comes_after_it() -> None:
    game = recorded()
    assert game.state.actions == 0
    events = play(game, "record")
    assert events_of(events, "bonus_action") == [{"seat": 0, "because": "exact"}]
    assert asked(game) == ("action", 0)


def test_a_game_stored_in_the_middle_of_a_purchase_goes_on_as_if_it_had_not_been() -> None:
    game = recorded()
    again = Game.from_bytes(game.to_bytes())
    play(game, "record")
    play(again, "record")
    assert again == game


# -- Compiling -------------------------------------------------------------------------------------------------------


def number(value: int) -> Any:
    """An operand that is always this."""

    def operand(_game: Game, *_args: Any) -> int:
        return value

    return operand


def modifier(key: str, layer: Layer, value: int, *, order: int = 950, final: bool = False) -> Module:
    return Module(order, key, modify=(Modify("take_limit", layer, number(value), final),))


def test_two_modules_that_set_the_same_value_do_not_compile() -> None:
    with pytest.raises(BadOptions) as error:
        rules(modifier("set_a", Layer.SET, 6), modifier("set_b", Layer.SET, 7))
    assert error.value.code == "MODULES_CLASH"
    assert error.value.metadata["value"] == "take_limit"


def test_of_two_sets_one_may_be_final() -> None:
    for first, second in (("set_c", "set_d"), ("set_e", "set_f")):
        final = modifier(first, Layer.SET, 7, final=True, order=951 if first == "set_c" else 953)
        other = modifier(second, Layer.SET, 6, order=952)
        rules(final, other)
        game = table(modules=[first, second])
        assert game.value("take_limit", 5, 0, ()) == 7


def test_two_modules_that_replace_the_reserve_do_not_compile() -> None:
    with pytest.raises(BadOptions) as error:
        rules(SHELVES, Module(951, "example_cellar", reserve=SHELVES.reserve))
    assert error.value.code == "MODULES_CLASH"
    assert error.value.metadata["modules"] == ["example_shelves", "example_cellar"]


@pytest.mark.parametrize(
    "second",
    [
        Module(951, "clash_verb", verbs=(Verb("ring", "", verify_ring, ring, ringings),)),
        Module(951, "clash_base_verb", verbs=(Verb("buy", "", verify_ring, ring, ringings),)),
        Module(951, "clash_card", cards=(MONEY_CARDS["denar-1"],)),
        Module(951, "clash_tile", tiles=BASE.tiles[:1]),
        Module(951, "clash_kind", kinds=BASE.kinds[:1]),
        Module(951, "clash_decision", decisions=BELLS.decisions),
        Module(951, "clash_route", routes=BASE.routes),
    ],
    ids=lambda module: module.key,
)
def test_what_is_contributed_twice_does_not_compile(second: Module) -> None:
    with pytest.raises(BadOptions) as error:
        rules(BELLS, second)
    assert error.value.code == "MODULES_CLASH"


def test_a_step_at_an_unknown_moment_does_not_compile() -> None:
    with pytest.raises(AssertionError, match="no moment"):
        rules(Module(951, "lost", steps=(Step("turn.siesta", lambda game: None),)))


def test_layers_run_set_add_scale_floor_cap_whatever_the_order_of_modules() -> None:
    layers = {Layer.CAP: 17, Layer.FLOOR: 3, Layer.SCALE: 2, Layer.ADD: 4, Layer.SET: 5}
    modules = [
        modifier(f"layer_{layer.name}", layer, value, order=951 + n) for n, (layer, value) in enumerate(layers.items())
    ]
    rules(*modules)
    game = table(modules=[module.key for module in modules])
    assert game.value("take_limit", 99, 0, ()) == min(17, max(3, (5 + 4) * 2))
    ordered = [change.layer for change in game.ruleset.modifiers["take_limit"]]
    assert ordered == sorted(ordered)


def test_an_operand_of_none_changes_nothing() -> None:
    rules(Module(951, "shy", modify=(Modify("take_limit", Layer.SET, lambda *_: None),)))
    assert table(modules=["shy"]).value("take_limit", 5, 0, ()) == 5


def keys(*modules: Module) -> tuple[str, ...]:
    return rules(*modules).keys


def test_modules_run_by_number_but_never_before_one_named_in_after() -> None:
    first, second, third = Module(961, "m_x"), Module(962, "m_b"), Module(963, "m_a")
    assert keys(third, first, second) == ("m_x", "m_b", "m_a")
    late = Module(960, "m_late", after=("m_b", "not_there"))
    assert keys(late, first, second, third) == ("m_x", "m_b", "m_late", "m_a")


def test_modules_that_wait_for_each_other_do_not_compile() -> None:
    with pytest.raises(BadOptions) as error:
        keys(Module(961, "m_hen", after=("m_egg",)), Module(962, "m_egg", after=("m_hen",)))
    assert error.value.code == "MODULES_CLASH"


def test_the_order_in_which_options_name_modules_does_not_matter() -> None:
    one = Game.new(Options(seats=3, seed="x", modules=["example_bells", "example_ladders"]))
    two = Game.new(Options(seats=3, seed="x", modules=["example_ladders", "example_bells"]))
    assert one.ruleset is two.ruleset


def test_explain_lists_who_takes_part_in_the_order_in_which_they_run() -> None:
    ruleset = rules(BELLS, load_module("example_ladders"), load_module("example_bargains"))
    assert ruleset.explain("setup").splitlines()[:3] == [
        "setup:",
        "  deal: example_bells.hang_bells",
        "  deal: example_bargains.deal_bargains",
    ]
    assert ruleset.explain("majority_count") == "majority_count:\n  ADD: example_bargains.patron_adds"
    assert "permits: example_ladders: ladder" in ruleset.explain("placement")
    assert "base.lock_start" in ruleset.explain("locks")
    assert ruleset.explain("built") == "built: nobody"
    assert ruleset.explain("asks") == "asks:\n  example_bells: window"
    for frame in FRAMES:
        assert ruleset.explain(frame).startswith(frame)


# -- Off costs nothing -----------------------------------------------------------------------------------------------


def compiled(ruleset: Ruleset) -> dict[str, Any]:
    """Everything that runs, by name."""
    found: dict[str, Any] = {hook: getattr(ruleset, hook) for hook in TUPLES}
    for name in ("frames", "steps", "asks", "offers", "helpers", "vetoes", "items", "routes", "permits", "modifiers"):
        found[name] = getattr(ruleset, name)
    found["verbs"] = ruleset.verbs
    found["tiles"] = ruleset.tiles
    found["cards"] = ruleset.cards
    return found


def identical(one: Any, two: Any) -> bool:
    """The same objects, inside tuples and tables too."""
    if isinstance(one, dict):
        return list(one) == list(two) and all(identical(one[key], two[key]) for key in one)
    if isinstance(one, tuple) and not hasattr(one, "_fields"):
        return len(one) == len(two) and all(identical(a, b) for a, b in zip(one, two, strict=True))
    return one is two


def test_a_module_that_is_loadable_but_off_leaves_every_compiled_function_the_very_same() -> None:
    before = compile_ruleset.__wrapped__(3, EDITION)
    everything = Module(999, "example_everything", **dict.fromkeys(TUPLES, number(0)))
    register(everything)
    load_module("example_everything")
    after = compile_ruleset.__wrapped__(3, EDITION)
    assert identical(compiled(before), compiled(after))
    assert before.check_placement is after.check_placement
    assert before.reserve is after.reserve is BASE.reserve
    assert before.id == after.id
    assert compile_ruleset(3, EDITION) is compile_ruleset(3, EDITION)


def test_where_nobody_hooks_in_the_tuple_is_empty() -> None:
    ruleset = compile_ruleset.__wrapped__(3, EDITION)
    assert {hook for hook in TUPLES if getattr(ruleset, hook)} == {"licences", "locks", "resigned"}
    for table_of_hooks in ("asks", "vetoes", "helpers", "items", "permits", "modifiers"):
        assert getattr(ruleset, table_of_hooks) == {}


def test_a_module_that_is_on_leaves_the_hooks_it_does_not_use_the_very_same() -> None:
    base, with_bells = compile_ruleset.__wrapped__(3, EDITION), rules(BELLS)
    for hook in TUPLES:
        assert identical(getattr(base, hook), getattr(with_bells, hook))
    assert with_bells.check_placement is base.check_placement
    added = [step for step in with_bells.frames["turn"] if step not in base.frames["turn"]]
    assert [step.__name__ for step in added] == ["open_window"], "a shared question needs a module"
    assert identical(base.frames["scoring"], with_bells.frames["scoring"])
    assert all(with_bells.verbs[name] is verb for name, verb in base.verbs.items())


def test_a_module_that_is_on_but_unused_shifts_no_shuffle() -> None:
    plain = Game.new(Options(seats=3, seed="same"))
    with_module = Game.new(Options(seats=3, seed="same", modules=["example_ladders", "example_bells"]))
    for name in ("market", "display", "deck", "tower", "first"):
        assert getattr(plain.state, name) == getattr(with_module.state, name)


# -- Being found -----------------------------------------------------------------------------------------------------


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    """Entry points as if packages were installed."""
    points: list[EntryPoint] = []
    monkeypatch.setattr(registry_module, "entry_points", lambda *, group: [p for p in points if p.group == group])
    registry_module._announced.cache_clear()
    yield points
    registry_module._announced.cache_clear()


def announce(points: list[EntryPoint], name: str, value: str) -> None:
    points.append(EntryPoint(name, value, registry_module.GROUP))


def test_a_package_announces_its_module_by_an_entry_point(announced: list[EntryPoint]) -> None:
    announce(announced, "example_camels", "tests.rules.example_modules:CAMELS")
    assert "example_camels" in known_modules()
    assert load_module("example_camels") is CAMELS
    game = Game.new(Options(seats=3, seed="camels", modules=["example_camels"]))
    assert game.ruleset.keys == ("example_camels",)
    compile_ruleset.cache_clear()


def test_nothing_is_imported_before_a_game_asks_for_it(announced: list[EntryPoint]) -> None:
    announce(announced, "example_ghost", "no.such.package:MODULE")
    assert "example_ghost" in known_modules()


@pytest.mark.parametrize("value", ["tests.rules.example_modules:BELLS", "tests.rules.example_modules:EXAMPLES"])
def test_an_entry_point_that_leads_elsewhere_is_refused(announced: list[EntryPoint], value: str) -> None:
    announce(announced, "example_wrong", value)
    with pytest.raises(BadOptions) as error:
        load_module("example_wrong")
    assert error.value.code == "MODULE_UNKNOWN"


def test_an_unknown_module_is_refused() -> None:
    with pytest.raises(BadOptions) as error:
        Game.new(Options(seats=3, seed="x", modules=["example_dragons"]))
    assert (error.value.code, error.value.metadata["module"]) == ("MODULE_UNKNOWN", "example_dragons")


def test_a_module_of_the_library_cannot_be_registered_over() -> None:
    own_key = next(key for key in known_modules() if not key.startswith("example_") and key in registry_module._own())
    with pytest.raises(BadOptions) as error:
        register(Module(1, own_key))
    assert error.value.code == "MODULES_CLASH"


def test_a_variant_must_belong_to_a_module_that_is_on() -> None:
    register(Module(952, "example_variants", variants=("harder",)))
    Game.new(Options(seats=3, seed="x", modules=["example_variants"], variants=["example_variants.harder"]))
    bad: list[dict[str, Any]] = [
        {"modules": ["example_variants"], "variants": ["example_variants.softer"]},
        {"variants": ["x.y"]},
    ]
    for options in bad:
        with pytest.raises(BadOptions) as error:
            Game.new(Options(seats=3, seed="x", **options))
        assert error.value.code == "OPTION_INVALID"


# -- All together ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_with_all_examples_plays_to_the_end_and_replays(seats: int) -> None:
    modules = ["example_bells", "example_ladders", "example_bargains", "example_shelves", "example_notary"]
    game = Game.new(Options(seats=seats, seed=f"all {seats}", modules=modules))
    rng = Random(seats)
    while not game.over:
        game.apply(game.random_move(rng))
    assert Game.replay(game.options, game.log) == game


def test_a_leftover_tile_may_be_built_by_a_permit() -> None:
    game = table(modules=["example_ladders"])
    alhambra(game, 1, {(1, 0): "garden-9-e"})
    market(game, denar="tower-10-w")
    hand(game, 1, "denar-1")
    display(game, "gulden-1")
    end_game(game)
    play(game, "place tower-10-w @2,0", choice="ladder")
    assert game.over
