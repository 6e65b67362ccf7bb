"""The dancer: before the turn, one market tile against one drawn blind.

The tile goes back into the tower, under all others, and the space is filled from the top. So there must be a tile in
the tower. A tile that does not stay on the space, because it is claimed, is replaced in its turn: at worst the old tile
comes back.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.market import fill_space
from ...base.supply import SLOTS, clear_space, sink_tile
from ...declarations import Reason
from ...game import Game
from ...module import Verb, those_that_verify
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .character import Character, is_usable, unusable, use


def is_asked(game: Game, seat: int) -> bool:
    """Return whether the seat can still use her at the start of this turn."""
    return DANCE.rank >= game.state.rank and is_usable(game, seat, "dancer")


def verify_dance(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """An occupied market space, and a tile in the tower to replace it."""
    yield from unusable(game, decision.seat, "dancer")
    if move.slot not in SLOTS or not game.state.market[SLOTS.index(move.slot)]:
        yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")
    if not game.state.tower:
        yield Violation("CONDITION_UNMET", "verb", what="tower", need=1, have=0)


def dance(game: Game, decision: Decision, move: Move) -> None:
    """The tile goes under all others of the tower, where it is drawn last, and the space is filled anew."""
    slot = need(move.slot)
    place = SLOTS.index(slot)
    tile = clear_space(game, place)
    sink_tile(game, tile)
    use(game, decision.seat, "dancer", slot=slot, tile=tile)
    game.push(fill_space, place)


def every_space(_game: Game, _decision: Decision) -> list[Move]:
    """Return the dance on each of the four market spaces."""
    return [Move("dance", slot=slot) for slot in SLOTS]


DANCE = Verb("dance", "slot", verify_dance, dance, those_that_verify(verify_dance, every_space), at=("start",), rank=1)
DANCER = Character(
    id="dancer",
    reasons=(Reason("CONDITION_UNMET", "The dancer needs a tile in the tower.", ("tower",)),),
    verbs=(DANCE,),
    asks={"start": is_asked},
)
