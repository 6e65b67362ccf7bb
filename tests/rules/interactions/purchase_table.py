"""The purchase table as printed: which effects and helpers of modules apply to which purchase.

A dot means that the column applies. "never" and "sum ≤ number" stand in the column of the further action, "o>0" means
"if it was overpaid", "deferred" means that the key waits for the owner's next turn, and "–" that the question makes no
sense. The expected values of `test_purchases.py` come from here and from nowhere else.
"""

from __future__ import annotations

COLUMNS = ("B", "11", "24", "34", "42", "C", "W", "H", "22", "23", "P", "M", "V", "S", "K")
MEANING = {
    "B": "an exact payment grants a further action",
    "11": "overpaying brings coins",
    "24": "overpaying can be saved on a certificate",
    "34": "overpaying brings colours or a project",
    "42": "a treasure fills what is missing",
    "C": "the carpenter lowers the price",
    "W": "a white die lowers the price",
    "H": "handymen change the price",
    "22": "a watchtower can be bought along",
    "23": "only a site can be started",
    "P": "the rich patron pays",
    "M": "the coiner lets open cards pay",
    "V": "a vizier can buy it between turns",
    "S": "an exact payment wins the scout of its type",
    "K": "standard arcades bring a key",
}
"""What each column says."""

PRINTED = """
standard building                  | ● | ● | ● | ● | ● | ● | ● | ● | ● | ● | ● | ● | ● | ● | ●
magical building                   | ● | ● | ● | ● | ● | ● | ● | ● |   | ● | ● | ● | ● | ● |
ground, medina                     | ● | ● | ● | ● | ● | ● | ● | ● |   | ● | ● | ● | ● |   |
camp                               | ● | ● | ● | ● | ● | ● | ● | ● |   |   | ● | ● | ● |   |
bazaar                             | ● |   |   |   | ● | ● | ● |   |   |   | ● | ● | ● |   |
bathhouse, well                    | ● | ● | ● | ● | ● | ● | ● |   |   |   | ● | ● | ● |   |
sultan card, caravanserai card     | ● | ● | ● |   |   |   |   |   |   |   |   |   |   |   |
site start                         | never | ● | ● | o>0 |   |   |   |   |   | – |   | ● |   |   | ●
site completion                    | ● | ● | ● |   |   |   |   |   |   | – |   |   |   |   |
personal market                    | ● | ● | ● | ● | ● | ● | ● |   | ● |   | ● | ● |   | ● | ●
vizier purchase                    |   |   |   |   | ● |   |   | ● | ● |   |   |   | – | ● | deferred
key bonus                          |   | ● | ● |   | ● |   |   |   |   |   |   |   |   |   | deferred
extension                          | sum ≤ number |   |   |   |   |   |   |   |   |   |   |   |   |   |
chests, falcon, project bid, square, plaza |   |   |   |   |   |   |   |   |   |   |   |   |   |   |
character auction                  |   | ● |   |   |   |   |   |   |   |   |   |   |   |   |
sultan claim, final distribution   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |
"""


def _read() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = {}
    for line in PRINTED.strip().splitlines():
        purchases, *cells = (cell.strip() for cell in line.split("|"))
        assert len(cells) == len(COLUMNS), line
        for purchase in purchases.split(", "):
            table[purchase] = dict(zip(COLUMNS, cells, strict=True))
    return table


TABLE = _read()
"""By purchase and column: what is printed in that cell."""
