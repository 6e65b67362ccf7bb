"""What the engine judges, lists and draws agrees with every subset of a hand, judged by the rules alone."""

from __future__ import annotations

from random import Random

import pytest

from tests.rules import module_payment_oracle, payment_oracle
from tests.rules.payment_oracle import Deal, Thing, judged


@pytest.mark.rule("00.17", "99.48", "99.52")
@pytest.mark.parametrize("part", range(4))
def test_payments_agree_with_brute_force(part: int) -> None:
    assert payment_oracle.compare(75, f"every run {part}") == []


@pytest.mark.rule("00.17", "99.44", "99.48", "99.52")
@pytest.mark.parametrize("part", range(4))
def test_payments_with_the_modules_of_the_box_agree_with_brute_force(part: int) -> None:
    assert module_payment_oracle.compare(75, f"every run {part}") == []


def test_hands_for_every_occasion_can_be_paid_with_everything_that_it_takes() -> None:
    """Else the comparison would say little."""
    rng, paid = Random("occasions"), dict[str, set[str]]()
    for _ in range(300):
        hand = module_payment_oracle.random_hand(rng)
        for laid in payment_oracle.subsets(hand.things):
            if module_payment_oracle.allowed(hand.occasion, hand.deal, laid) is not None:
                paid.setdefault(hand.occasion.name, set()).update(map(module_payment_oracle.sort_of, laid))
    for occasion in module_payment_oracle.OCCASIONS:
        assert paid[occasion.name] == {"", *occasion.takes.split()}


def test_the_oracle_knows_the_examples_of_the_rules() -> None:
    nine, seven, two = (Thing("cards", f"denar-{n}", "money", "denar", n) for n in (9, 7, 2))
    guldens = Thing("cards", "gulden-9", "money", "gulden", 9)
    bureau = Thing("items", "licence-gulden-denar", "mixer", pair=("gulden", "denar"))
    treasure = Thing("items", "jewel-3", "filler", value=3)
    carpenter = Thing("items", "plane:2", "change", value=-2, pair=("craft",))
    pavilion = Deal(7, "gulden", exact=False, never_exact=False)
    assert judged(pavilion, (seven, bureau)) == (7, 7, True)
    assert judged(pavilion._replace(currency="denar"), (seven, bureau)) is None
    assert judged(pavilion._replace(currency="denar"), (guldens, two, bureau)) == (7, 11, False)
    arcades = Deal(9, "denar", exact=False, never_exact=False)
    assert judged(arcades, (seven, treasure)) == (9, 7, True)
    assert judged(arcades, (nine, treasure)) is None
    assert judged(arcades, (seven, carpenter)) == (7, 7, True)
    site = Deal(7, "denar", exact=False, never_exact=True)
    assert judged(site, (seven,)) == (7, 7, False)
