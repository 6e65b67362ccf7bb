"""Helpers that change nothing are refused, some things need others, some payments are never exact, and a purchase
remembers what it was paid with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from alhambra import Decision, Game, Module, Move, Violation, register
from alhambra.base.payment.listing import payments
from alhambra.base.payment.offers import ANY_ONE, Offer, Payment, Purchase
from alhambra.base.payment.rules import judge, pay
from alhambra.base.payment.verb import paying_verb
from alhambra.module import Step
from tests.rules.example_modules.coffers import fill_coffer
from tests.rules.example_modules.exchanges import give_licences
from tests.rules.example_modules.workshops import give_tools
from tests.rules.situations import codes, display, events_of, fact, hand, legal, market, play, refused, table

MODULES = ["example_coffers", "example_exchanges", "example_workshops"]


def shop(cards: str, *tools: str, tile: str = "garden-10", hands: int = 0) -> Game:
    game = table(modules=MODULES)
    hand(game, 0, cards)
    give_tools(game, 0, *tools, hands=hands)
    market(game, denar=tile)
    return game


# -- Changes of the price --------------------------------------------------------------------------------------------


@pytest.mark.rule("99.48", "99.51")
def test_a_helper_that_leaves_the_price_at_nothing_has_no_effect() -> None:
    game = shop("denar-9", "plane:2", "die:0", tile="pavilion-2-new")
    assert legal(game, "buy market-denar", items=("plane:2",))
    faults = refused(game, "buy market-denar", items=("die:0", "plane:2"))
    assert [fault.metadata["id"] for fault in faults if fault.code == "NO_EFFECT"] == ["die:0"]


@pytest.mark.rule("99.48")
def test_of_two_helpers_that_are_too_much_together_each_has_an_effect_if_both_are_needed() -> None:
    game = shop("denar-9", "plane:2", "die:0", tile="pavilion-2-new", hands=1)
    assert legal(game, "buy market-denar", items=("die:0", "hands:-1"))


@pytest.mark.rule("99.48", "99.51")
def test_a_helper_that_raises_a_price_which_stays_nothing_has_no_effect() -> None:
    game = shop("denar-9", "plane:2", hands=3)
    offer = Offer("market-denar", 1, "denar")
    faults = judge(game, 0, offer, Payment((), (), ("hands:+1", "plane:2"))).violations
    assert {fault.metadata["id"] for fault in faults if fault.code == "NO_EFFECT"} == {"hands:+1"}


def test_a_helper_counts_once_even_if_a_seat_has_two_of_its_kind() -> None:
    game = shop("denar-9", "die:0", "die:1")
    assert legal(game, "buy market-denar denar-9", items=("die:0",))
    assert codes(refused(game, "buy market-denar denar-9", items=("die:0", "die:1"))) == ["COMBINATION_FORBIDDEN"]


# -- What needs something else -----------------------------------------------------------------------------------------


def minting() -> Game:
    game = shop("denar-6 denar-9", "mint", "plane:1")
    display(game, "denar-4 denar-4 gulden-3")
    return game


@pytest.mark.rule("31.13")
def test_open_cards_may_be_paid_with_together_with_the_mint() -> None:
    game = minting()
    events = play(game, "buy market-denar denar-6", display=("denar-4",), items=("mint",))
    assert events_of(events, "paid")[0]["exact"]
    assert game.state.display == ("denar-4", "gulden-3")
    assert "denar-4" in game.state.discard


@pytest.mark.rule("31.13")
def test_open_cards_are_not_accepted_without_the_mint() -> None:
    faults = refused(minting(), "buy market-denar denar-6", display=("denar-4",))
    assert fact(faults, "NOT_ACCEPTED") == {"id": "denar-4", "purchase": "buy"}
    poor = shop("denar-6")
    display(poor, "denar-4")
    assert fact(refused(poor, "buy market-denar denar-6", display=("denar-4",)), "NOT_THERE") == {
        "id": "denar-4",
        "place": "display",
    }


@pytest.mark.rule("31.30", "99.48")
def test_the_mint_has_no_effect_without_an_open_card() -> None:
    faults = refused(minting(), "buy market-denar denar-6 denar-9", items=("mint",))
    assert fact(faults, "NO_EFFECT") == {"id": "mint"}


@pytest.mark.rule("31.30")
def test_the_mint_changes_no_currency_and_excludes_others_of_its_group() -> None:
    faults = refused(minting(), "buy market-denar denar-9", display=("gulden-3",), items=("mint",))
    assert codes(faults) == ["WRONG_CURRENCY"]
    faults = refused(minting(), "buy market-denar denar-6", display=("denar-4",), items=("mint", "plane:1"))
    assert codes(faults) == ["COMBINATION_FORBIDDEN"]


@pytest.mark.rule("31.30")
def test_a_licence_to_mix_lets_open_cards_of_the_other_currency_in() -> None:
    game = minting()
    give_licences(game, 0, "licence-gulden-denar")
    assert legal(game, "buy market-denar denar-9", display=("gulden-3",), items=("licence-gulden-denar", "mint"))


def test_either_of_two_mints_is_enough() -> None:
    game = minting()
    give_tools(game, 0, "mint", "mint_2")
    for mint in ("mint", "mint_2"):
        assert legal(game, "buy market-denar denar-6", display=("denar-4",), items=(mint,))


@pytest.mark.rule("02.8")
def test_two_licences_may_not_be_chained() -> None:
    game = shop("denar-6 gulden-4 dukat-5")
    give_licences(game, 0, "licence-gulden-denar", "licence-denar-dukat")
    faults = refused(game, "buy market-denar denar-6 gulden-4", items=("licence-denar-dukat", "licence-gulden-denar"))
    assert fact(faults, "MIX_FORBIDDEN") == {"ids": ["licence-denar-dukat", "licence-gulden-denar"]}


# -- Never exact -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.4", "99.55")
def test_an_offer_can_be_such_that_no_payment_is_exact() -> None:
    game = shop("denar-2 denar-3 denar-5")
    site = Offer("market-denar", 5, "denar", never_exact=True)
    for cards, paid in ((("denar-5",), 5), (("denar-2", "denar-5"), 7)):
        verdict = judge(game, 0, site, Payment(cards))
        assert (verdict.violations, verdict.due, verdict.paid, verdict.exact) == ([], 5, paid, False)
    assert list(payments(game, 0, site, brief=True)) == [Payment(("denar-5",)), Payment(("denar-2", "denar-3"))]


@pytest.mark.rule("23.4")
def test_meeting_the_price_of_such_an_offer_is_no_overpayment() -> None:
    site = Offer("market-denar", 5, "denar", never_exact=True)
    verdict = judge(shop("denar-5"), 0, site, Payment(("denar-5",)))
    assert Purchase.of(0, site, verdict, "action", Payment(("denar-5",))).over == 0


# -- What a purchase was paid with -------------------------------------------------------------------------------------


@dataclass(slots=True)
class Ledger:
    """The payments of all purchases, and how often a seat gave alms."""

    seen: tuple[Payment, ...] = ()
    alms: int = 0


def note(game: Game, purchase: Purchase) -> None:
    """Whatever was paid with."""
    ledger = game.module_state(Ledger)
    ledger.seen = (*ledger.seen, purchase.payment)


def test_a_purchase_remembers_what_it_was_paid_with_through_the_bytes() -> None:
    register(Module(997, "example_ledger", state=Ledger, steps=(Step("purchase.bonus", note),)))
    game = table(modules=["example_coffers", "example_ledger"])
    hand(game, 0, "denar-4")
    fill_coffer(game, 0, amounts=(("camel-1", "denar", 6),))
    market(game, denar="garden-10")
    play(game, "buy market-denar denar-4", items=("camel-1",))
    paid = Payment(("denar-4",), (), ("camel-1",))
    assert game.module_state(Ledger).seen == (paid,)
    restored = game.with_state(game.state_bytes())
    assert restored.module_state(Ledger).seen == (paid,)
    assert isinstance(restored.module_state(Ledger).seen[0], Payment)


# -- A verb made by the factory ----------------------------------------------------------------------------------------


def alms_box(game: Game, _decision: Decision) -> Iterator[Offer]:
    """Open until somebody has given."""
    if not game.module_state(Ledger).alms:
        yield Offer("box", 3, ANY_ONE)


def give_alms(game: Game, decision: Decision, offer: Offer, payment: Payment) -> None:
    """The money is gone."""
    game.module_state(Ledger).alms += pay(game, decision.seat, offer, payment).paid


def box_is_full(_game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """Why nothing can be given."""
    yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")


def almsgiving(cards: str) -> Game:
    alms = paying_verb(
        "give_alms",
        "slot [cards items]",
        offers=alms_box,
        paid=give_alms,
        unoffered=box_is_full,
        at=("action",),
        action=True,
    )
    register(Module(997, "example_alms", state=Ledger, verbs=(alms,)))
    game = table(modules=["example_alms"])
    hand(game, 0, cards)
    return game


def test_a_verb_that_pays_needs_only_its_offers_and_what_happens() -> None:
    game = almsgiving("denar-2 denar-3 gulden-4")
    given = {move.cards for move in game.legal_moves() if move.verb == "give_alms"}
    assert given == {("denar-3",), ("gulden-4",), ("denar-2", "denar-3")}
    assert codes(refused(game, "give_alms denar-2", slot="box")) == ["UNDERPAID"]
    assert codes(refused(game, "give_alms denar-3", slot="elsewhere")) == ["NOT_THERE"]
    play(game, "give_alms denar-3", slot="box")
    assert game.module_state(Ledger).alms == 3
    assert "denar-3" in game.state.discard
