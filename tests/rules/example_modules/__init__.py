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
carters    a tile is moved inside its Alhambra, and something is asked while it is lifted
hermits    an action that must be the only one of its turn
heralds    which verbs of the core answer depends on the question's context; the module learns the answer
cellars    a seat looks at the next tiles and hides one, which is turned up instead of drawing
seers      a seat looks at the next cards, keeps one unseen, and lays the others in another order
stands     tiles that lie beside the market, with a price of their own or that of a space
flags      a question before a space is refilled
scaffolds  a tile is covered: it has no type and is not for sale
exchanges  several helpers that mix currencies, and diamonds
workshops  helpers that change a price, and one that opens cards of the display
coffers    helpers that fill a shortage, and money that is no card
strikes    a verb is closed as a whole, another one is free at every decision
"""

from __future__ import annotations

from alhambra import Module, register
from tests.rules.example_modules.bargains import BARGAINS
from tests.rules.example_modules.bells import BELLS
from tests.rules.example_modules.carters import CARTERS
from tests.rules.example_modules.cellars import CELLARS
from tests.rules.example_modules.coffers import COFFERS
from tests.rules.example_modules.customs import CUSTOMS
from tests.rules.example_modules.exchanges import EXCHANGES
from tests.rules.example_modules.fashion import DECREE, FASHION
from tests.rules.example_modules.flags import FLAGS
from tests.rules.example_modules.fortunes import FORTUNES
from tests.rules.example_modules.heralds import HERALDS
from tests.rules.example_modules.hermits import HERMITS
from tests.rules.example_modules.kiosks import KIOSKS
from tests.rules.example_modules.ladders import LADDERS
from tests.rules.example_modules.masons import MASONS
from tests.rules.example_modules.notary import NOTARY
from tests.rules.example_modules.parcels import PARCELS
from tests.rules.example_modules.pilgrims import PILGRIMS
from tests.rules.example_modules.porters import PORTERS
from tests.rules.example_modules.scaffolds import SCAFFOLDS
from tests.rules.example_modules.seers import SEERS
from tests.rules.example_modules.shelves import SHELVES
from tests.rules.example_modules.stands import STANDS_AND_BOOTHS
from tests.rules.example_modules.strikes import STRIKES
from tests.rules.example_modules.tools import TOOLS
from tests.rules.example_modules.trowels import TROWELS
from tests.rules.example_modules.vows import VOWS
from tests.rules.example_modules.workshops import WORKSHOPS

CAMELS = Module(
    number=906,
    key="example_camels",
    texts={
        "en": {
            "module.example_camels": "Camels",
            "event.camel_came": "{count, plural, one {A camel} other {# camels}}.",
        },
        "de": {"module.example_camels": "Kamele"},
    },
)

EXAMPLES = (
    *(BELLS, LADDERS, BARGAINS, SHELVES, NOTARY),
    *(TOOLS, MASONS, CUSTOMS, PARCELS, VOWS, FORTUNES, FASHION, DECREE, TROWELS, PILGRIMS, PORTERS),
    *(KIOSKS, HERALDS, CARTERS, HERMITS, CELLARS, SEERS, STANDS_AND_BOOTHS, FLAGS, SCAFFOLDS),
    *(EXCHANGES, WORKSHOPS, COFFERS, STRIKES),
)


def register_examples() -> None:
    """Makes the examples known in this process."""
    for module in EXAMPLES:
        register(module)
