"""15 The invaders.

After each scoring Alhambras are attacked from one direction, and every side open to it costs points: 1 each after the
first scoring, 2 after the second, 3 after the third, when the open sides towards both neighbouring directions cost 1 as
well. Nobody falls below 0. The attack cards lie face down. Two of six scouts lie open, one for each building type: who
buys a building of that type for exactly its price wins the scout and looks at the next attack card. After the first two
scorings two others are turned up. In the variant `open_attack` all know the next attack, and there are no scouts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..base.dirk import FINAL
from ..base.payment.offers import Purchase
from ..base.scoring import score, types_of
from ..components import SIDES, module_data
from ..declarations import PieceKind, outline_of
from ..determinize import Secrets
from ..game import Game
from ..module import Module, Stage, Step

_DATA = module_data("invaders")
DIRECTIONS: dict[str, str] = {card["id"]: card["direction"] for card in _DATA["invasion_cards"]}
SCOUTS: dict[str, str] = {scout["id"]: scout["type"] for scout in _DATA["scouts"]}
OPEN_SCOUTS: int = _DATA["scouts_revealed"]
PER_SIDE: list[int] = _DATA["penalty_main"]
PER_NEIGHBOURING_SIDE: list[int] = _DATA["penalty_neighbours"]


@dataclass(slots=True)
class Invaders:
    """Attack cards and scouts; who has seen the next attack."""

    attacks: tuple[str, ...] = ()
    """Face down, the next one first."""
    past: tuple[str, ...] = ()
    scouts: tuple[str, ...] = ()
    """Face down, the next one first."""
    open: tuple[str, ...] = ()
    informed: tuple[bool, ...] = ()
    """Which seats have looked at the next attack card."""


def _announced(game: Game) -> bool:
    """Return whether the next attack is known to all."""
    return "invaders.open_attack" in game.ruleset.variants


def shuffle_cards(game: Game) -> None:
    """Both stacks are shuffled; the first scouts go out, or the first attack is announced."""
    invaders = game.module_state(Invaders)
    invaders.attacks = tuple(game.chance("invaders/attacks").shuffled(DIRECTIONS))
    if not _announced(game):
        invaders.scouts = tuple(game.chance("invaders/scouts").shuffled(SCOUTS))
    _expect_attack(game)


def _expect_attack(game: Game) -> None:
    """Nobody knows the next attack yet: other scouts are turned up, those left over leave the game."""
    invaders = game.module_state(Invaders)
    invaders.informed = (False,) * len(game.state.seats)
    if _announced(game):
        game.emit("attack_announced", piece=invaders.attacks[0], direction=DIRECTIONS[invaders.attacks[0]])
    else:
        game.state.box = (*game.state.box, *invaders.open)
        invaders.open, invaders.scouts = invaders.scouts[:OPEN_SCOUTS], invaders.scouts[OPEN_SCOUTS:]
        game.emit("scouts_turned", pieces=invaders.open)


def win_scout(game: Game, purchase: Purchase) -> None:
    """A building of an open scout's type, paid exactly: the buyer looks at the next attack, the scout is used up."""
    if not purchase.exact or "scout" not in purchase.effects:
        return
    invaders = game.module_state(Invaders)
    types = types_of(game, purchase.tile)
    for scout in invaders.open:
        if SCOUTS[scout] in types:
            invaders.open = tuple(other for other in invaders.open if other != scout)
            game.state.box = (*game.state.box, scout)
            invaders.informed = tuple(knew or seat == purchase.seat for seat, knew in enumerate(invaders.informed))
            seen = invaders.attacks[0]
            private = {purchase.seat: {"attack": seen, "direction": DIRECTIONS[seen]}}
            game.emit("scout_won", private, seat=purchase.seat, piece=scout)
            game.mark_revealed()
            return


def attack(game: Game, number: int) -> None:
    """The next attack card is turned up, and everybody pays for the open sides; then the next attack is prepared."""
    invaders = game.module_state(Invaders)
    card, invaders.attacks = invaders.attacks[0], invaders.attacks[1:]
    invaders.past = (*invaders.past, card)
    direction = DIRECTIONS[card]
    game.mark_revealed()
    game.emit("attack", piece=card, direction=direction, scoring=number)
    for seat in range(len(game.state.seats)):
        _suffer(game, seat, direction, number)
    if number != FINAL:
        _expect_attack(game)


def _suffer(game: Game, seat: int, direction: str, number: int) -> None:
    board = game.state.seats[seat].board
    at = SIDES.index(direction)
    costs = {direction: PER_SIDE[number - 1]}
    for side in (SIDES[at - 1], SIDES[(at + 1) % len(SIDES)]):
        costs[side] = PER_NEIGHBOURING_SIDE[number - 1]
    parts = tuple((side, board.open_sides(side)) for side, cost in costs.items() if cost)
    due = sum(costs[side] * count for side, count in parts)
    if due:
        score(game, seat, -due, "attack", scoring=number, side=direction, parts=parts)


# -- What can be seen ----------------------------------------------------------------------------------------------


def _knows(game: Game, viewer: int | None) -> bool:
    """Return whether the viewer has seen the next attack card."""
    if game.state.over:
        return False
    return _announced(game) or (viewer is not None and game.module_state(Invaders).informed[viewer])


def view(game: Game, viewer: int | None) -> dict[str, Any]:
    """Return which seats have seen the next attack card; where the attack comes from only for them."""
    invaders = game.module_state(Invaders)
    coming = DIRECTIONS[invaders.attacks[0]] if _knows(game, viewer) else None
    return {"informed": list(invaders.informed), "next": coming}


def public_pieces(game: Game) -> Iterable[dict[str, Any]]:
    """Return open scouts, past attacks with their directions, the next one if it was announced, and those to come."""
    invaders = game.module_state(Invaders)
    yield from ({"kind": "scout", "piece": scout, "type": SCOUTS[scout]} for scout in invaders.open)
    yield from ({"kind": "invasion", "side": DIRECTIONS[card], "choice": "past"} for card in invaders.past)
    known = int(_knows(game, None))
    yield from ({"kind": "invasion", "side": DIRECTIONS[card], "choice": "next"} for card in invaders.attacks[:known])
    if invaders.attacks[known:]:
        yield {"kind": "invasion", "amount": len(invaders.attacks[known:]), "choice": "face_down"}


def secrets(game: Game, viewer: int | None, secrets: Secrets) -> None:
    """The face-down cards could lie in any order, apart from an attack card that the viewer has seen."""
    invaders = game.module_state(Invaders)
    known = int(_knows(game, viewer))
    secrets.add("invaders/attacks", invaders.attacks[known:], partial(_put_attacks, game, invaders.attacks[:known]))
    secrets.add("invaders/scouts", invaders.scouts, partial(_put_scouts, game))


def _put_attacks(game: Game, known: tuple[str, ...], rest: tuple[str, ...]) -> None:
    game.module_state(Invaders).attacks = known + rest


def _put_scouts(game: Game, scouts: tuple[str, ...]) -> None:
    game.module_state(Invaders).scouts = scouts


def census(game: Game) -> Iterable[str]:
    """Return every card but the scouts that left the game."""
    invaders = game.module_state(Invaders)
    return (*invaders.attacks, *invaders.past, *invaders.scouts, *invaders.open)


MODULE = Module(
    number=15,
    key="invaders",
    variants=("open_attack",),
    events={
        "attack": "Alhambras were attacked from one direction.",
        "attack_announced": "Everybody learned where the next attack comes from.",
        "scouts_turned": "Other scouts lie open.",
        "scout_won": "A seat won a scout and looked at the next attack.",
    },
    scores={
        "attack": "Sides open to an attack.",
    },
    public_facts={
        "informed": "By seat: whether it has seen the next attack card.",
        "next": "The direction of the next attack, for those who know it.",
    },
    piece_kinds=(
        PieceKind(
            "scout",
            "An open scout.",
            outline_of("scout"),
        ),
        PieceKind(
            "invasion",
            "Attack cards: past ones, the next one if everybody knows it, and those to come.",
            outline_of("invasion"),
            dim=("past",),
        ),
    ),
    nouns={"piece": (*DIRECTIONS, *SCOUTS), "choice": ("past", "next")},
    effects={"scout": "An exact payment wins the scout of the type."},
    state=Invaders,
    stages=(
        Stage("purchase.scout", before="purchase.bonus"),
        Stage("scoring.attack", before="scoring.dirk", score_stage="S5", beyond_boards=True),
    ),
    steps=(
        Step("setup.deal", shuffle_cards),
        Step("purchase.scout", win_scout),
        Step("scoring.attack", attack),
    ),
    view=view,
    public_pieces=public_pieces,
    secrets=secrets,
    census=census,
)
