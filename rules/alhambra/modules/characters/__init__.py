"""07 The characters.

Six of ten characters lie in the money deck, the others are set aside face down. One that is turned up is auctioned at
once, whatever is going on: the player due next begins, then everybody in turn raises or is out. Money of one currency
must cover a bid. The highest bidder pays, which never grants an action, and the character lies open before him from now
on; without a bid it leaves the game.

    juggler         worth 8 points at once, or exchanged for a character set aside; leaves the game
    dancer          before the turn: one market tile against one drawn blind
    money_changer   before the turn: a money card against an open one of at most its value
    beggar          at the start of the turn, with two money cards at most: draws the top card of the deck
    trader          several cards taken together may be worth 7
    rich_patron     pays the exact price of a building, once; leaves the game
    miser           after buying a building for 10 or more: one open money card
    master_builder  after placing: one more redesign
    wise_man        at each scoring, half a building more of one type
    city_watch      at each scoring, a point for every three segments of the wall that is scored

Each has a file of its own. Of dancer, money changer, beggar, miser and master builder only one may be used in a turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ...abilities import add_up
from ...base.auction import begin_auction
from ...base.supply import DeckPlan
from ...components import Card
from ...declarations import PieceKind, Reason, outline_of
from ...determinize import Secrets
from ...game import Game
from ...module import Module
from .beggar import BEGGAR
from .character import DATA, ONE_A_TURN, Characters, dismiss, lay_open
from .city_watch import CITY_WATCH
from .dancer import DANCER
from .juggler import JUGGLER
from .master_builder import MASTER_BUILDER
from .miser import MISER
from .money_changer import MONEY_CHANGER
from .rich_patron import RICH_PATRON
from .trader import TRADER
from .wise_man import WISE_MAN

__all__ = ["CHARACTERS", "MODULE", "ONE_A_TURN", "Characters"]

ABILITIES = (
    *(JUGGLER, DANCER, MONEY_CHANGER, BEGGAR, TRADER, RICH_PATRON, MISER, MASTER_BUILDER, WISE_MAN, CITY_WATCH),
)
GAINED = {ability.id: ability.gained for ability in ABILITIES if ability.gained is not None}
CARDS = tuple(Card(data["id"], "character", leaves=True) for data in DATA["cards"])
CHARACTERS = tuple(card.id for card in CARDS)


# -- Coming into play ----------------------------------------------------------------------------------------------


def insert(plan: DeckPlan) -> None:
    """Two characters go into each of the piles 2, 3 and 4; the others are set aside."""
    order = plan.shuffled("characters", CHARACTERS)
    for pile, count in DATA["deck_piles"].items():
        plan.insert(int(pile), [order.pop() for _ in range(count)])
    plan.game.module_state(Characters).aside = tuple(order)


def auction_off(game: Game, card: str) -> None:
    """A character was turned up: it is auctioned at once, and leaves the game if nobody wants it."""
    game.emit("card_revealed", card=card, to="auction")
    begin_auction(game, card, won=gain_character, unsold=dismiss)


def gain_character(game: Game, seat: int, piece: str) -> None:
    """The highest bidder has paid: the character is his, and some want a decision at once."""
    lay_open(game, seat, piece)
    if piece in GAINED:
        GAINED[piece](game, seat)


def leave_table(game: Game, seat: int) -> None:
    """The characters of a player who leaves the table leave the game."""
    for piece in [piece for piece, owner in game.module_state(Characters).owners.items() if owner == seat]:
        dismiss(game, piece)


# -- What can be seen ----------------------------------------------------------------------------------------------


def view(game: Game, _viewer: int | None) -> dict[str, Any]:
    """Return how many characters are set aside, and what the wise man has named; the others are pieces."""
    kept = game.module_state(Characters)
    return {
        "set_aside": len(kept.aside),
        "declared": kept.declared or None,
    }


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the characters before their owners."""
    owners = game.module_state(Characters).owners
    for piece in CHARACTERS:
        if piece in owners:
            used = {"choice": "used"} if piece in game.state.used else {}
            yield {"kind": "character", "piece": piece, "seat": owners[piece], **used}


def secrets(game: Game, _viewer: int | None, pools: Secrets) -> None:
    """Nobody knows which characters lie in the deck and which were set aside."""
    kept = game.module_state(Characters)
    pools.add("character", kept.aside, partial(setattr, kept, "aside"))


def census(game: Game) -> Iterator[str]:
    """Yield the characters that are owned or set aside."""
    kept = game.module_state(Characters)
    yield from (*kept.owners, *kept.aside)


MODULE = add_up(
    Module(
        number=7,
        key="characters",
        events={
            "character_gained": "A seat gained a character.",
            "character_used": "A seat used a character.",
        },
        reasons=(Reason("USED_UP", "Of these characters only one may be used in a turn.", ("character", "turn")),),
        public_facts={
            "set_aside": "How many characters lie aside, face down.",
            "declared": "The building type that the wise man named for this scoring.",
        },
        piece_kinds=(
            PieceKind(
                "character",
                "A character before its owner; `choice` is `used` if it was used this turn.",
                outline_of("character"),
                dim=("used",),
                individual=True,
            ),
        ),
        state=Characters,
        cards=CARDS,
        nouns={"piece": CHARACTERS},
        deck=insert,
        routes={"character": auction_off},
        answers={"auction": ("bid",)},
        agenda={"gain_character": gain_character, "dismiss": dismiss},
        reactions={"resigned": leave_table},
        view=view,
        public_pieces=public_pieces,
        secrets=secrets,
        census=census,
    ),
    ABILITIES,
)
