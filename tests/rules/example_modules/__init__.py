"""Small modules that exist only here, to prove the hooks: one idea each.

bells      a verb and a decision of its own in the window between turns
ladders    a construction rule may be broken, at a price
bargains   money helpers of every kind, and a majority modified
shelves    another reserve
notary     a question inside the purchase frame
camels     nothing at all: found by an entry point
tools      items named in a move: a tile is laid turned, more money is taken
masons     a card named in the move entitles to a redesign after placing
customs    comes after a module with a higher number
parcels    things lie on market tiles, go with them to whoever gets these, and are lost to Dirk
vows       what was done earlier in the turn forbids something else
fortunes   only the asked seat sees what the question is about
fashion    a value is set
decree     a value is set for good, another one is capped
trowels    an item entitles to a redesign at the action without taking it up
pilgrims   figures walk: one without a name, several with names
porters    two market spaces are swapped, without and with a gap
kiosks     tiles that are built or lost, never reserved
"""

from __future__ import annotations

from alhambra import Module, register
from tests.rules.example_modules.bargains import BARGAINS
from tests.rules.example_modules.bells import BELLS
from tests.rules.example_modules.customs import CUSTOMS
from tests.rules.example_modules.fashion import DECREE, FASHION
from tests.rules.example_modules.fortunes import FORTUNES
from tests.rules.example_modules.kiosks import KIOSKS
from tests.rules.example_modules.ladders import LADDERS
from tests.rules.example_modules.masons import MASONS
from tests.rules.example_modules.notary import NOTARY
from tests.rules.example_modules.parcels import PARCELS
from tests.rules.example_modules.pilgrims import PILGRIMS
from tests.rules.example_modules.porters import PORTERS
from tests.rules.example_modules.shelves import SHELVES
from tests.rules.example_modules.tools import TOOLS
from tests.rules.example_modules.trowels import TROWELS
from tests.rules.example_modules.vows import VOWS

CAMELS = Module(number=906, key="example_camels")

EXAMPLES = (
    *(BELLS, LADDERS, BARGAINS, SHELVES, NOTARY),
    *(TOOLS, MASONS, CUSTOMS, PARCELS, VOWS, FORTUNES, FASHION, DECREE, TROWELS, PILGRIMS, PORTERS, KIOSKS),
)


def register_examples() -> None:
    """Makes the examples known in this process."""
    for module in EXAMPLES:
        register(module)
