"""Every row of the interaction matrix and every decision, with the tests that see to it.

`scripts/interactions.py` writes docs/interactions.md from them; `test_rows.py` checks that every named test exists.
"""

from __future__ import annotations

from .decisions import CONTRADICTIONS, IMPOSSIBLE
from .pairs import PAIRS
from .resources import CONFLICTS, HOOKS, STOCK
from .row import ROOT, Row, Section
from .scoring_and_end import ENDING, SCORING
from .silence import SECRETS, SILENCE
from .sources import SOURCES, statements_of
from .tiles_and_money import CELLS, ITEMS_OF_MONEY, PRICE, TILES
from .turn import DRAWING, TURN

__all__ = ["CELLS", "DECISIONS", "MATRIX", "ROOT", "SOURCES", "Row", "Section", "all_rows", "statements_of"]

MATRIX = (TURN, DRAWING, TILES, ITEMS_OF_MONEY, PRICE, SCORING, ENDING, HOOKS, STOCK, CONFLICTS, PAIRS)
"""The sections of the matrix; the cells of the purchase table (`CELLS`) apart."""
DECISIONS = (CONTRADICTIONS, IMPOSSIBLE, SILENCE, SECRETS)
"""The decisions. A decision about the rules is named by its statements (docs/rules/)."""


def all_rows() -> list[Row]:
    """Every row, the cells of the purchase table included."""
    return [*CELLS, *(row for section in (*MATRIX, *DECISIONS) for row in section.rows)]
