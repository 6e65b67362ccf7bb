"""The table of money items as printed, and where a bureau or diamonds may lie in a payment.

The expected values of `test_money_items.py` come from here and from nowhere else.
"""

from __future__ import annotations

PRINTED = """
item                 | value payment                  | card demanded     | project bid | final distribution
base money card      | yes                            | yes               | yes         | yes
diamond              | alone only                     | yes (not 39)      | alone       | no
builder card         | yes, then out of game          | yes               | yes         | yes
coin                 | yes                            | no                | yes         | yes
caravanserai amount  | yes                            | no                | no          | yes
certificate amount   | purchases only                 | no                | no          | no
treasure             | price reduction, buildings only | no               | no          | no
bureau               | mixes two currencies           | no                | no          | no
"""


def _read() -> dict[str, dict[str, str]]:
    (_, *columns), *rows = ([cell.strip() for cell in line.split("|")] for line in PRINTED.strip().splitlines())
    return {item: dict(zip(columns, cells, strict=True)) for item, *cells in rows}


MONEY = _read()
"""By item and column: what is printed there."""

BY_VALUE = (
    *("standard building", "magical building", "ground", "medina", "camp", "bazaar", "bathhouse", "well"),
    *("sultan card", "caravanserai card", "site start", "site completion", "personal market", "vizier purchase"),
    *("key bonus", "chests", "project bid", "character auction"),
)
"""The purchases of the purchase table that are paid by value."""
BIDS = ("project bid", "character auction")
OWN_CURRENCY = ("caravanserai card", "chests", "key bonus", "project bid", "character auction")
"""Those in which the buyer is not told the currency; a bureau serves in none of them but the auction."""


def takes(item: str, purchase: str) -> bool:
    """Whether the item may lie in a payment for a purchase, by the table and the note on bureaux and diamonds."""
    if purchase == "project bid":
        return MONEY[item]["project bid"] != "no"
    if item == "certificate amount":
        return purchase not in BIDS
    if item == "bureau":
        return purchase not in OWN_CURRENCY or purchase == "character auction"
    return MONEY[item]["value payment"] != "no"


CARD_DEMANDED = ("falcon", "animals", "extension", "stonemason", "money changer")
"""Where a card is demanded, whatever it is worth: 21, 36, 39, the stonemason of 31 and the money changer of 07."""


def hands_over(item: str, place: str) -> bool:
    """Whether the item may be handed over where a card is demanded."""
    printed = MONEY[item]["card demanded"]
    return printed != "no" and not (place == "extension" and "not 39" in printed)
