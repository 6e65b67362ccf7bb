"""07 The characters.

Six of ten characters lie in the money deck, the others are set aside face down. One that is turned up is auctioned at
once, whatever is going on: the player due next begins, then everybody in turn raises or is out. Money of one currency
must cover a bid. The highest bidder pays, which never grants an action, and the character lies open before him from now
on; without a bid it leaves the game.

    juggler         worth 8 points at once, or exchanged for a character set aside; leaves the game
    rich_patron     pays the exact price of a building, once; leaves the game
    trader          several cards taken together may be worth 7
    wise_man        at each scoring, half a building more of one type
    city_watch      at each scoring, a point for every three segments of the wall that is scored
    beggar          at the start of the turn, with two money cards at most: draws the top card of the deck
    dancer          before the turn: one market tile against one drawn blind
    money_changer   before the turn: a money card against an open one of at most its value
    miser           after buying a building for 10 or more: one open money card
    master_builder  after placing: one more redesign

Of the last five only one may be used in a turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..base.auction import begin_auction
from ..base.choosing import Choice
from ..base.market import fill_space
from ..base.offers import Offer, Purchase, Tender
from ..base.scoring import count_buildings, hold_scorings, score
from ..base.supply import SLOTS, DeckPlan, clear_space, discard, draw, gain, lose, missing, sink_tile, turn_up
from ..base.taking import take_open
from ..components import TYPES, Card, module_data
from ..declarations import PieceKind, Reason
from ..determinize import Secrets
from ..game import Game
from ..module import DecisionKind, Layer, Licence, Modify, Module, Step, Verb, freely
from ..moves import Move
from ..outline import longest_wall
from ..state import Decision
from ..violations import Violation

DATA = module_data("characters")
VALUES = DATA["values"]
CARDS = tuple(Card(data["id"], "character", leaves=True) for data in DATA["cards"])
CHARACTERS = tuple(card.id for card in CARDS)
ONE_A_TURN = tuple(data["id"] for data in DATA["cards"] if data["symbol"] == "per_round")
AT_START = {"dancer": 1, "money_changer": 1, "beggar": 3}
"""Who is used at the start of the turn, with the rank of the verb."""


@dataclass(slots=True)
class Characters:
    """Whose characters they are, those set aside (the top one first), the wise man's type, the beggar's draws."""

    owners: dict[str, int] = field(default_factory=dict)
    aside: tuple[str, ...] = ()
    declared: str = ""
    begging: int = 0
    """How many further cards the beggar may draw this turn, because the last one was no money. In one turn he draws at
    most as many as there were when he began: cards that go to the discard come round again."""


def insert(plan: DeckPlan) -> None:
    """Two characters go into each of the piles 2, 3 and 4; the others are set aside."""
    order = plan.shuffled("characters", CHARACTERS)
    for pile, count in DATA["deck_piles"].items():
        plan.insert(int(pile), [order.pop() for _ in range(count)])
    plan.game.slice(Characters).aside = tuple(order)


# -- Owning and using ----------------------------------------------------------------------------------------------


def owns(game: Game, seat: int, piece: str) -> bool:
    """Whether the character lies before the seat."""
    return game.slice(Characters).owners.get(piece) == seat


def is_unused(game: Game) -> bool:
    """None of those characters was used this turn of which only one may be."""
    return not set(ONE_A_TURN) & set(game.state.used)


def use(game: Game, seat: int, piece: str, **facts: object) -> None:
    """A character is used, for all to see."""
    if piece in ONE_A_TURN and piece not in game.state.used:
        game.state.used = (*game.state.used, piece)
    game.tell("character_used", seat=seat, piece=piece, **facts)


def dismiss(game: Game, piece: str) -> None:
    """A character leaves the game."""
    kept = game.slice(Characters)
    kept.owners = {other: seat for other, seat in kept.owners.items() if other != piece}
    discard(game, (piece,))


def _unusable(game: Game, seat: int, piece: str) -> Iterator[Violation]:
    if not owns(game, seat, piece):
        yield Violation("NOT_THERE", "verb", id=piece, place="held")
    elif not is_unused(game) and not (piece == "beggar" and _goes_on_begging(game)):
        yield Violation("USED_UP", "verb", what="character", limit=1, per="turn")


def _goes_on_begging(game: Game) -> bool:
    """The beggar was used this turn and may draw again."""
    return "beggar" in game.state.used and game.slice(Characters).begging > 0


def is_asked_at_start(game: Game, seat: int) -> bool:
    """Whoever owns a character for this moment, usable or not: that may depend on the hand."""
    rank = game.state.rank
    return any(AT_START[piece] >= rank and not any(_unusable(game, seat, piece)) for piece in AT_START)


# -- Coming into play ----------------------------------------------------------------------------------------------


def auction_off(game: Game, card: str) -> None:
    """A character was turned up: it is auctioned at once, and leaves the game if nobody wants it."""
    game.tell("card_revealed", card=card, to="auction")
    begin_auction(game, card, won=gain_character, unsold=dismiss)


def gain_character(game: Game, seat: int, piece: str) -> None:
    """The character lies open before its owner. The juggler's fate is decided at once."""
    kept = game.slice(Characters)
    kept.owners = {**kept.owners, piece: seat}
    game.tell("character_gained", seat=seat, piece=piece)
    if piece == "juggler":
        if kept.aside:
            game.ask("juggler", seat, choices=("keep", "exchange"))
        else:
            keep_juggler(game, seat)


# -- The juggler ---------------------------------------------------------------------------------------------------


def decide_juggler(game: Game, decision: Decision, choice: str) -> None:
    """Points now, or the uppermost character that was set aside."""
    if choice == "keep":
        keep_juggler(game, decision.seat)
        return
    use(game, decision.seat, "juggler", choice=choice)
    dismiss(game, "juggler")
    kept = game.slice(Characters)
    piece, kept.aside = kept.aside[0], kept.aside[1:]
    game.revealed()
    gain_character(game, decision.seat, piece)


def keep_juggler(game: Game, seat: int) -> None:
    """Her points count at once."""
    use(game, seat, "juggler", choice="keep")
    score(game, seat, VALUES["juggler_vp"], "juggler", piece="juggler")
    dismiss(game, "juggler")


# -- At the start of the turn: dancer, money changer, beggar -------------------------------------------------------


def verify_dance(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """An occupied market space, and a tile in the tower to replace it."""
    yield from _unusable(game, decision.seat, "dancer")
    if move.slot not in SLOTS or not game.state.market[SLOTS.index(move.slot)]:
        yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")
    if not game.state.tower:
        yield Violation("CONDITION_UNMET", "verb", what="tower", need=1, have=0)


def dance(game: Game, decision: Decision, move: Move) -> None:
    """The tile goes under all others of the tower, where it is drawn last, and the space is filled anew."""
    assert move.slot is not None
    place = SLOTS.index(move.slot)
    tile = clear_space(game, place)
    sink_tile(game, tile)
    use(game, decision.seat, "dancer", slot=move.slot, tile=tile)
    game.push(fill_space, place)


def dances(game: Game, decision: Decision) -> Iterator[Move]:
    """Every occupied space."""
    found = (Move("dance", slot=slot) for slot in SLOTS)
    return (move for move in found if not any(verify_dance(game, decision, move)))


def _is_money(game: Game, card: str) -> bool:
    return bool(game.ruleset.cards[card].value)


def verify_change(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One money card from the hand, one open money card that is not worth more."""
    yield from _unusable(game, decision.seat, "money_changer")
    hand, known = game.state.seats[decision.seat].hand, game.ruleset.cards
    places = (("cards", move.cards, hand, "hand"), ("display", move.display, game.state.display, "display"))
    for noun, named, held, place in places:
        if len(named) != 1:
            yield Violation("CARD_COUNT", noun, need=1, got=len(named))
        for card in missing(held, named):
            yield Violation("NOT_THERE", noun, id=card, place=place)
        for card in named:
            if card in held and not _is_money(game, card):
                yield Violation("NOT_ELIGIBLE", noun, piece=card, for_="money_changer")
    if len(move.cards) == len(move.display) == 1 and {*move.cards, *move.display} <= set(known):
        limit, value = known[move.cards[0]].value, known[move.display[0]].value
        if value > limit:
            yield Violation("VALUE_TOO_HIGH", "display", value=value, limit=limit)


def change_money(game: Game, decision: Decision, move: Move) -> None:
    """The card from the hand is spent, the open one taken."""
    use(game, decision.seat, "money_changer")
    lose(game, decision.seat, move.cards)
    discard(game, move.cards)
    take_open(game, decision.seat, move.display, "changer", cards=move.cards)


def changes(game: Game, decision: Decision) -> Iterator[Move]:
    """Every money card of the hand against every open one."""
    if any(_unusable(game, decision.seat, "money_changer")):
        return
    for own in dict.fromkeys(game.state.seats[decision.seat].hand):
        for card in dict.fromkeys(sorted(game.state.display)):
            move = Move("change_money", cards=(own,), display=(card,))
            if not any(verify_change(game, decision, move)):
                yield move


def verify_draw(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Two money cards in hand at most, and a card to draw."""
    yield from _unusable(game, decision.seat, "beggar")
    if owns(game, decision.seat, "beggar"):
        have = sum(_is_money(game, card) for card in game.state.seats[decision.seat].hand)
        if have > VALUES["beggar_max_cards"]:
            yield Violation("CONDITION_UNMET", "verb", what="money_cards", need=VALUES["beggar_max_cards"], have=have)
    if not game.state.deck and not game.state.discard:
        yield Violation("NO_EFFECT", "verb", id="beggar")


def draw_card(game: Game, decision: Decision, _move: Move) -> None:
    """Money goes into the hand unseen. Any other card is turned up, has its effect at once, and he may draw again."""
    seat, state, kept = decision.seat, game.state, game.slice(Characters)
    left = kept.begging if _goes_on_begging(game) else len(state.deck) + len(state.discard)
    use(game, seat, "beggar")
    card = draw(game)
    assert card is not None
    is_routed = game.ruleset.cards[card].kind in game.ruleset.routes
    kept.begging = left - 1 if is_routed else 0
    if is_routed:
        game.push(hold_scorings)
        turn_up(game, card)
    else:
        gain(game, seat, (card,), unseen=True)
        game.tell("card_drawn", {seat: {"card": card}}, seat=seat, count=1)


def draws(game: Game, decision: Decision) -> Iterator[Move]:
    """One move, if he may."""
    move = Move("draw_card")
    if not any(verify_draw(game, decision, move)):
        yield move


# -- While taking, buying and building: trader, patron, miser, master builder --------------------------------------


def traders_limit(game: Game, seat: int, _items: tuple[str, ...]) -> int | None:
    """The trader's owner may take more, always."""
    return VALUES["trader_sum_limit"] if owns(game, seat, "trader") else None


def patron(game: Game, seat: int, offer: Offer) -> Iterator[Tender]:
    """The patron pays for a building, all of it and exactly."""
    if "patron" in offer.effects and offer.purpose == "buy" and owns(game, seat, "rich_patron"):
        yield Tender("items", "rich_patron", free=True)


def spend_patron(game: Game, seat: int, piece: str, stage: str, _payee: int | None) -> None:
    """Once he has paid he leaves."""
    if stage == "spent":
        use(game, seat, piece)
        dismiss(game, piece)


def ask_miser(game: Game, purchase: Purchase) -> None:
    """He looks at the price of a building bought in the own turn, not at what was paid for it."""
    is_building = purchase.at == "action" and "patron" in purchase.effects
    if not is_building or purchase.price < VALUES["miser_min_price"] or not owns(game, purchase.seat, "miser"):
        return
    if is_unused(game) and any(_is_money(game, card) for card in game.state.display):
        game.push(after_miser, purchase.seat, len(game.state.display))
        game.ask("miser", purchase.seat)


def after_miser(game: Game, seat: int, before: int) -> None:
    """If a card was taken, the miser was used."""
    if len(game.state.display) < before:
        use(game, seat, "miser")


def is_asked_late(game: Game, seat: int) -> bool:
    """The master builder can be used after placing."""
    return owns(game, seat, "master_builder") and is_unused(game)


def builders_licence(game: Game, decision: Decision) -> Iterator[Licence]:
    """One more redesign, named in the move."""
    if decision.kind == "late" and is_asked_late(game, decision.seat):
        yield Licence(items=("master_builder",), spend=partial(use, piece="master_builder"))


# -- At a scoring: wise man, city watch ----------------------------------------------------------------------------


def ask_wise_man(game: Game, _scoring: int) -> None:
    """The owner names a type, before anything is counted."""
    seat = game.slice(Characters).owners.get("wise_man")
    if seat is not None and any(count_buildings(game, seat).values()):
        game.ask("wise_man", seat)


def verify_declare(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Half a building is worth nothing without a whole one."""
    assert move.type is not None
    if not count_buildings(game, decision.seat)[move.type]:
        yield Violation("CONDITION_UNMET", "type", what="buildings", need=1, have=0)


def declare(game: Game, decision: Decision, move: Move) -> None:
    """The type counts half a building more in this scoring."""
    assert move.type is not None
    game.slice(Characters).declared = move.type
    use(game, decision.seat, "wise_man", type=move.type)


def declarations(game: Game, decision: Decision) -> Iterator[Move]:
    """Every type that the owner has built."""
    built = count_buildings(game, decision.seat)
    return (Move("declare", type=name) for name in TYPES if built[name])


def wise_mans_half(game: Game, seat: int, name: str) -> int | None:
    """Half a building of the declared type."""
    wise = owns(game, seat, "wise_man") and game.slice(Characters).declared == name
    return round(2 * VALUES["wise_man_bonus"]) if wise else None


def forget_declaration(game: Game, _scoring: int) -> None:
    """He chooses anew each time."""
    game.slice(Characters).declared = ""


def score_city_watch(game: Game, number: int) -> None:
    """A point for every three segments of the wall."""
    seat = game.slice(Characters).owners.get("city_watch")
    if seat is not None:
        length = longest_wall(game.state.seats[seat].board)
        points = length // VALUES["city_watch_segments_per_point"]
        if points:
            score(game, seat, points, "wall_guard", scoring=number, count=length, piece="city_watch")


# -- Leaving, looking ----------------------------------------------------------------------------------------------


def leave_table(game: Game, seat: int) -> None:
    """Whoever leaves takes the own characters along, and decides nothing about the juggler."""
    decision = game.state.decision
    if decision is not None and decision.kind == "juggler" and decision.seat == seat:
        game.state.decision = None
    for piece in [piece for piece, owner in game.slice(Characters).owners.items() if owner == seat]:
        dismiss(game, piece)


def view(game: Game, _viewer: int | None) -> dict[str, Any]:
    """Characters lie open, those set aside are only counted."""
    kept = game.slice(Characters)
    return {
        "characters": [
            [piece for piece in CHARACTERS if kept.owners.get(piece) == seat] for seat in range(len(game.state.seats))
        ],
        "used": [piece for piece in ONE_A_TURN if piece in game.state.used],
        "set_aside": len(kept.aside),
        "declared": kept.declared or None,
    }


def things(game: Game) -> Iterator[dict[str, Any]]:
    """The characters before their owners."""
    owners = game.slice(Characters).owners
    for piece in CHARACTERS:
        if piece in owners:
            used = {"choice": "used"} if piece in game.state.used else {}
            yield {"kind": "character", "piece": piece, "seat": owners[piece], **used}


def secrets(game: Game, _viewer: int | None, pools: Secrets) -> None:
    """Nobody knows which characters lie in the deck and which were set aside."""
    kept = game.slice(Characters)
    pools.add("character", kept.aside, partial(setattr, kept, "aside"))


def census(game: Game) -> Iterator[str]:
    """Those owned and set aside."""
    kept = game.slice(Characters)
    yield from (*kept.owners, *kept.aside)


MODULE = Module(
    number=7,
    key="characters",
    events={
        "character_gained": "A seat gained a character.",
        "character_used": "A seat used a character.",
        "card_drawn": "A seat drew the top card of the deck unseen.",
    },
    reasons=(
        Reason("USED_UP", "Of these characters only one may be used in a turn.", ("character", "turn")),
        Reason(
            "CONDITION_UNMET",
            "The character can be used only under its condition.",
            ("buildings", "money_cards", "tower"),
        ),
        Reason("NOT_ELIGIBLE", "The money changer takes and gives money only.", ("money_changer",)),
        Reason("VALUE_TOO_HIGH", "The card taken may not be worth more than the card given."),
    ),
    scores={
        "juggler": "The juggler was kept.",
        "wall_guard": "The city watch: a point for every three segments of the wall.",
    },
    facts={
        "characters": "By seat: its characters.",
        "used": "The characters that were used this turn, of which only one may be.",
        "set_aside": "How many characters lie aside, face down.",
        "declared": "The building type that the wise man named for this scoring.",
    },
    shows=(
        PieceKind(
            "character",
            "A character before its owner; `choice` is `used` if it was used this turn.",
            "M24 4a9 9 0 0 1 6 15.7c8 2.3 13 9 13 19.3v6H5v-6c0-10.3 5-17 13-19.3A9 9 0 0 1 24 4zM24 24l-"
            "5 5 5 13 5-13z",
            dim=("used",),
            individual=True,
        ),
    ),
    state=Characters,
    cards=CARDS,
    pieces=CHARACTERS,
    deck=insert,
    routes={"character": auction_off},
    tenders=patron,
    items={"rich_patron": spend_patron},
    verbs=(
        Verb("dance", "slot", verify_dance, dance, dances, at=("start",), rank=AT_START["dancer"]),
        Verb(
            *("change_money", "cards display", verify_change, change_money, changes),
            at=("start",),
            rank=AT_START["money_changer"],
        ),
        Verb("draw_card", "", verify_draw, draw_card, draws, at=("start",), rank=AT_START["beggar"]),
        Verb("declare", "type", verify_declare, declare, declarations, at=("wise_man",)),
    ),
    decisions=(
        Choice("juggler", chosen=decide_juggler),
        DecisionKind("miser", verbs=("take_open",), passing=freely),
        DecisionKind("wise_man", passing=freely, concerns_others=True),
    ),
    steps=(
        Step("purchase.miser", ask_miser),
        Step("scoring.declare", ask_wise_man),
        Step("scoring.walls", score_city_watch),
        Step("scoring.dirk", forget_declaration),
    ),
    agenda=(gain_character, dismiss, after_miser),
    asks={"start": is_asked_at_start, "late": is_asked_late},
    licences=builders_licence,
    modify=(
        Modify("take_limit", Layer.FLOOR, traders_limit),
        Modify("majority_count", Layer.ADD, wise_mans_half),
    ),
    resigned=leave_table,
    view=view,
    things=things,
    secrets=secrets,
    census=census,
)
