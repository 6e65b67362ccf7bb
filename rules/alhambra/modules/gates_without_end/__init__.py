"""37 Gates without end.

A board has a gate for each colour of the players. Whoever buys arcades takes a key tile, face down. At the end of the
own turn, when everything is placed and refilled, its owner puts the key into the board, turned as the owner likes, and
starting with the owner every player may carry out the bonus in front of the gate of their own colour: a redesign, a
wall piece, a building for 14, a money card, half a building, a swap on the market, points, a plaza. Then the key is
removed, and everything is refilled before the next one. A key that comes out of turn waits for the end of the next own
turn. If the market cannot be refilled after a key, the game ends at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ...components import TYPES
from ...declarations import PieceKind, Reason, outline_of
from ...game import Game
from ...module import Layer, Modify, Module, Stage, Step
from .bonuses import (
    ANSWERS,
    PLAZA,
    PLAZAS,
    POINTS,
    half_counted,
    offers_for_14,
    place_bought,
    redesigning,
    swapping,
)
from .bonuses import VERBS as BONUS_VERBS
from .keys import KEYS, Gates, gain_key, has_key_ready, hold_keys, lay_out, make_ready
from .use_key import DECISIONS, VERBS, ask_turn, keys_are_used_first, open_gates
from .wall_pieces import walls_off_the_board

if TYPE_CHECKING:
    from ...determinize import Secrets

__all__ = ["KEYS", "MODULE", "Gates"]

POOL = "key"


def view(game: Game, _viewer: int | None) -> dict[str, Any]:
    """Return what pieces cannot say: keys that wait, how the key in the board is turned, plazas left."""
    kept = game.module_state(Gates)
    return {"waiting": list(kept.waiting), "rotation": kept.rotation, "plazas": len(kept.plazas)}


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield keys face down, the key in the gate board, half buildings, and wall pieces."""
    kept = game.module_state(Gates)
    for seat, keys in ((None, kept.stack), *enumerate(kept.held)):
        if keys:
            yield {"kind": "key", "seat": seat, "amount": len(keys), "choice": "face_down"}
    if kept.key:
        yield {"kind": "key", "piece": kept.key}
    for name in TYPES:
        yield {"kind": "half", "type": name, "seat": kept.halves.get(name)}
    if kept.walls:
        yield {"kind": "wall_piece", "amount": kept.walls}
    yield from walls_off_the_board(game)


def secrets(game: Game, _viewer: int | None, pools: Secrets) -> None:
    """No player knows a key before it is used, not even one of their own."""
    kept = game.module_state(Gates)
    pools.add(POOL, kept.stack, partial(_put_on_stack, game))
    for seat, keys in enumerate(kept.held):
        pools.add(POOL, keys, partial(hold_keys, game, seat))


def _put_on_stack(game: Game, keys: tuple[str, ...]) -> None:
    game.module_state(Gates).stack = keys


def census(game: Game) -> Iterator[str]:
    """Yield all keys and wall pieces wherever they are, and the plazas that nobody has taken."""
    kept = game.module_state(Gates)
    yield from (key for keys in kept.held for key in keys)
    yield from (*kept.stack, *kept.used, *filter(None, (kept.key,)), *kept.plazas)
    yield from ("wall_piece" for _ in range(kept.walls + sum(map(len, kept.standing.values()))))


MODULE = Module(
    number=37,
    key="gates_without_end",
    events={
        "key_gained": "A seat took a key, face down.",
        "key_shown": "A key was put into the gate board, face up.",
        "key_turned": "A key was turned; the bonus of each seat.",
        "bonus_done": "A seat carries out the bonus at its gate.",
        "bonus_declined": "A seat declined the bonus at its gate, or could not carry it out (`forced`).",
        "wall_added": "A wall piece was built in.",
        "half_taken": "A seat took a half building.",
        "plaza_taken": "A seat took a plaza.",
    },
    reasons=(
        Reason("NOT_ELIGIBLE", "The tile takes no wall piece.", ("wall",)),
        Reason("WALL_REFUSED", "The side has a wall, or faces another tile.", ("covered", "faces_tile")),
    ),
    scores={"key_points": "Points at a gate."},
    public_facts={
        "waiting": "By seat: how many of its keys wait for its next own turn.",
        "rotation": "How the key in the gate board is turned, in degrees clockwise.",
        "plazas": "How many plazas lie beside the gate board.",
    },
    piece_kinds=(
        PieceKind(
            "key",
            "Keys: face down on the stack or before a seat, or the one in the gate board.",
            outline_of("key"),
        ),
        PieceKind(
            "half",
            "A half building, beside the gate board or before its owner.",
            outline_of("half"),
        ),
        PieceKind(
            "wall_piece",
            "Wall pieces: beside the gate board, or at a side of a tile that is not built. `type` names the half of a"
            " double tile.",
            outline_of("wall_piece"),
        ),
    ),
    nouns={"piece": tuple(KEYS), "choice": (*ANSWERS, *POINTS)},
    effects={"key": "Standard arcades bring a key."},
    state=Gates,
    tiles=PLAZAS,
    kinds=(PLAZA,),
    offers={"key_bonus": offers_for_14},
    verbs=(*VERBS, *BONUS_VERBS),
    decisions=DECISIONS,
    stages=(Stage("purchase.key", after="purchase.building"),),
    steps=(
        Step("setup.deal", lay_out),
        Step("turn.award", make_ready),
        Step("purchase.key", gain_key),
        Step("purchase.after", place_bought),
    ),
    agenda={"ask_turn": ask_turn, "open_gates": open_gates},
    asks={"after": has_key_ready},
    licences=redesigning,
    closes=keys_are_used_first,
    closes_at=("after",),
    helpers={"swap_market": swapping},
    modify=(Modify("majority_count", Layer.ADD, half_counted),),
    view=view,
    public_pieces=public_pieces,
    secrets=secrets,
    census=census,
)
