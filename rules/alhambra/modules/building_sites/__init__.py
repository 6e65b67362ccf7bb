"""23 Building sites.

Eight site markers, two of each currency, lie face down. Whoever buys a building from a market space may start a site
instead: for at least half of its price, rounded down, which never counts as paid exactly. The buyer looks at two
markers in secret and lays one of them on the tile, face down. The tile is placed, redesigned and walked over like any
other and its walls count, but it is no building until it is completed: as an action its owner pays the whole price in
the currency of the marker, which then leaves the game; paid exactly, that grants a further action. Before leftover
tiles are given out, everybody turns up the markers in their own Alhambra and loses all money cards of their currencies.

    markers.py     the markers, and who may know which of them is which
    starting.py    half of the price, and one of two markers
    completing.py  the whole price, and unfinished sites at the end
"""

from __future__ import annotations

from ...declarations import PieceKind, Reason, outline_of
from ...module import Module, Stage, Step
from .complete_site import COMPLETE_SITE, reveal_sites
from .markers import KEY, SITE, Sites, after_boxing, census, lay_out, private_pieces, public_pieces, secrets
from .start_site import KEEP_MARKER, SITE_MARKER, as_a_site, start_site, why_no_site

__all__ = ["MODULE", "Sites"]

MODULE = Module(
    number=23,
    key=KEY,
    events={
        "site_started": "A seat began a building site and looked at markers.",
        "marker_kept": "A seat laid one of the markers on its site, face down.",
        "site_completed": "A building site was completed: its marker was turned up and left the game.",
        "sites_revealed": "At the end a seat turned up the markers on the sites in its Alhambra.",
        "cards_forfeited": "A seat lost its money cards of the currencies of its unfinished sites.",
    },
    reasons=(
        Reason("NOT_ELIGIBLE", "No site can be started with this tile.", (SITE,)),
        Reason("NOT_ACCEPTED", "This does not help to complete a site.", (SITE,)),
    ),
    piece_kinds=(
        PieceKind(
            SITE,
            "Site markers: in the stack, or on the unfinished `tile` of a seat; `currency` for those who know it.",
            outline_of(SITE),
        ),
    ),
    choices=(SITE,),
    effects={SITE: "The tile can be bought as a building site."},
    state=Sites,
    variations=as_a_site,
    unsold={"action": why_no_site, "window": why_no_site},
    verbs=(KEEP_MARKER, COMPLETE_SITE),
    decisions=(SITE_MARKER,),
    stages=(
        Stage("purchase.marker", after="purchase.building"),
        Stage("end.sites", before="end.distribution", rank=1),
    ),
    steps=(Step("setup.deal", lay_out), Step("purchase.marker", start_site), Step("end.sites", reveal_sites)),
    reactions={"boxed": after_boxing},
    private_pieces=private_pieces,
    public_pieces=public_pieces,
    secrets=secrets,
    census=census,
)
