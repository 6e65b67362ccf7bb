"""39 Extensions.

Twelve extensions, two for each building type, lie face up on the fields of a board with four columns. To extend a
building is an action: a player plays three money cards of the currencies that stand above a column and takes one
extension below them. If the cards are together worth no more than the number beside it, that counts as an exact
payment and gives a further action. The player must own a building of that type, and puts the extension on it at once:
in the Alhambra, in the reserve, or bought in this turn. It stays there for good, and no building has two. In majorities
an extended building counts as two. Of two players, one may put an extension on a building of Dirk's instead.
"""

from __future__ import annotations

from ...declarations import PieceKind, Reason, outline_of
from ...module import Layer, Modify, Module, Step
from .attach import ATTACH, ATTACH_EXTENSION, lose_taken
from .board import FIELDS, Extensions, buildings_gained, census, lay_out, public_pieces, view
from .extend import EXTEND

__all__ = ["MODULE", "Extensions"]

MODULE = Module(
    number=39,
    key="extensions",
    events={
        "extensions_laid": "An extension was laid on each field of the board; their types in the order of the fields.",
        "extension_taken": "A seat played three cards and took an extension.",
        "extension_attached": "An extension was put on a building of a seat, or of Dirk's.",
    },
    reasons=(
        Reason(
            "CONDITION_UNMET",
            "An extension needs an own building of its type, and one that has none yet to put it on.",
            ("own_building", "unextended_building"),
        ),
        Reason("NOT_ACCEPTED", "The card is no money of one of the four currencies.", ("extension",)),
        Reason("PATTERN_MISMATCH", "The cards are not of the currencies above the column."),
        Reason("NOT_ELIGIBLE", "A tile that is no finished building takes no extension.", ("extension",)),
        Reason("TYPE_MISMATCH", "An extension is put only on a building of its type."),
    ),
    public_facts={"fields": "By slot: the currencies of the three cards above its column, and the number beside it."},
    piece_kinds=(
        PieceKind(
            "extension",
            "An extension of one type: on a field of the board, just taken, or on a building.",
            outline_of("extension"),
        ),
    ),
    slots=tuple(FIELDS),
    state=Extensions,
    verbs=(EXTEND, ATTACH),
    decisions=(ATTACH_EXTENSION,),
    steps=(Step("setup.deal", lay_out),),
    modify=(Modify("majority_count", Layer.ADD, buildings_gained),),
    reactions={"resigned": lose_taken},
    view=view,
    public_pieces=public_pieces,
    census=census,
)
