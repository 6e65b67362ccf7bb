"""What is hidden stays hidden: from every seat that must not know it, in all that such a seat can observe.

Observed are its view, every event as it reaches the seat, the public part of a decision; and, when the seat is asked,
the moves listed, how many there are, and the reasons of every refusal. Three proofs, each for every hidden thing:

    by its name     where the secret has a name of its own, that name stands nowhere
    by twins        where everything hidden was dealt anew, the seat observes the same
    by two stories  two games that differ in nothing but the secret are played on with the same moves; the seat observes
                    the same all along, who is asked what included
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice, product
from random import Random
from typing import Any, NamedTuple

import pytest

from alhambra import CURRENCIES, TYPES, Event, Game, Move, Options
from alhambra.modules.characters import CHARACTERS, Characters
from alhambra.modules.city_walls import SHOWN as WALL_CARDS
from alhambra.modules.invaders import DIRECTIONS, SCOUTS, Invaders
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.power_of_the_sultan import CARDS as SULTAN_CARDS
from alhambra.modules.squares import Stacks
from alhambra.modules.street_trader import Residents
from alhambra.modules.thieves import PACK, Thieves
from alhambra.moves import noun_form
from alhambra.record import export_view
from tests.rules.situations import deck, display, hand, market, play, table, take_turn

Viewer = int | None
EVERYBODY: tuple[Viewer, ...] = (None, 0, 1, 2)
COMING = ("dirham-1", "dirham-2", "dirham-3", "dirham-4", "dirham-5", "dirham-6", "dirham-7", "dirham-8")
"""What is turned up next in most situations: money, so that nothing hidden comes to light by the rules."""
TWINS = 10
COUNTED_AT_MOST = 1_500
PROBES_PER_VERB = 40


# -- What a seat observes ----------------------------------------------------------------------------------------------


def probes(game: Game) -> Iterator[Move]:
    """Moves of every verb with nouns of every sort: most are refused, and the reasons must not tell anything."""
    tiles = [*(tile for tile in game.state.market if tile), *sorted(game.ruleset.tiles)[::7]]
    nouns: dict[str, list[Any]] = {
        "tile": tiles,
        "piece": sorted(game.ruleset.pieces),
        "cell": [(1, 0), (0, 0)],
        "rotation": [90],
        "side": ["N", "NE"],
        "slot": ["market-denar", "square-garden", "project", "sultan"],
        "cards": [("denar-1",), ("dirham-1",)],
        "display": [(card,) for card in game.state.display] or [("denar-1",)],
        "items": [("master_builder",)],
        "currency": list(CURRENCIES),
        "type": list(TYPES),
        "seat": [1],
        "amount": [1, 15, 99],
        "choice": ["keep", "gate", "watchtower"],
    }
    for verb in game.ruleset.verbs.values():
        required = sorted(noun_form(verb.nouns)[0])
        for values in islice(product(*(nouns[noun] for noun in required)), PROBES_PER_VERB):
            yield Move(verb.name, **dict(zip(required, values, strict=True)))


def as_text(thing: object) -> str:
    return json.dumps(thing, sort_keys=True, default=str)


def reaching(viewer: Viewer, events: Iterable[Event]) -> list[dict[str, Any]]:
    return [event.seen_by(viewer) for event in events]


def shown(game: Game, viewer: Viewer) -> dict[str, Any]:
    """What the game shows a seat without being asked: its view, and the moves it may make."""
    found: dict[str, Any] = {"view": game.view(viewer)}
    if game.decision is not None and game.decision.seat == viewer:
        found["moves"] = [move.as_dict() for move in game.legal_moves()]
        found["count"] = sum(1 for _ in islice(game.moves(), COUNTED_AT_MOST))
    return found


def observed(game: Game, viewer: Viewer) -> str:
    """All that, and what a seat can find out by trying."""
    found = shown(game, viewer)
    if viewer is not None:
        found["refusals"] = [[fault.as_dict() for fault in game.verify(move, viewer)] for move in probes(game)]
        undo = game.can_undo(viewer)
        found["undo"] = undo.as_dict() if undo else None
    return as_text(found)


# -- The hidden things, each in a situation where it could slip out ----------------------------------------------------


class Situation(NamedTuple):
    """A game with a secret. `build(0)` and `build(1)` differ in the secret only."""

    name: str
    build: Callable[[int], tuple[Game, list[Event]]]
    """The game, and everything that was told while the secret came about."""
    secret: Callable[[Game], Hashable]
    words: Callable[[Game, Viewer], Iterable[str]]
    """Names that may stand nowhere in what the viewer observes."""
    viewers: tuple[Viewer, ...] = EVERYBODY
    """Those who must not know."""
    plays: int = 8
    """So many plain moves do not reveal the secret by the rules."""


def nothing(_game: Game, _viewer: Viewer) -> Iterable[str]:
    return ()


def laid_out(*modules: str) -> Game:
    """A table where the next cards are money."""
    game = table(3, modules=list(modules))
    display(game, "dukat-1 dukat-2 gulden-1 denar-1")
    deck(game, *COMING)
    return game


def deep(game: Game, kinds: Iterable[str]) -> list[int]:
    """Where cards of these names lie in the deck, those on top left out."""
    names = set(kinds)
    return [place for place, card in enumerate(game.state.deck[: -len(COMING)]) if card in names]


def exchange(game: Game, one: int, other: int) -> None:
    """Two cards of the deck change places."""
    cards = list(game.state.deck)
    cards[one], cards[other] = cards[other], cards[one]
    game.state.deck = tuple(cards)


# Thieves in another seat's hand.


def with_thieves(variant: int) -> tuple[Game, list[Event]]:
    """Seat 2 holds two thieves, one of which is denar or dirham; it is asked in the window whether it plays one."""
    game = laid_out("thieves")
    display(game, "dukat-1 dirham-9 gulden-1 denar-1")
    thieves = game.slice(Thieves)
    own = (("thief-denar", "thief-dukat"), ("thief-dirham", "thief-dukat"))[variant]
    thieves.held = (("thief-gulden",), ("thief-gulden",), own)
    rest = list(PACK)
    for thief in (thief for held in thieves.held for thief in held):
        rest.remove(thief)
    thieves.rest = tuple(rest)
    return game, take_turn(game)


def thieves_of_seat_2(game: Game) -> Hashable:
    return game.slice(Thieves).held[2]


def their_names(game: Game, _viewer: Viewer) -> Iterable[str]:
    return {f"thief-{currency}" for currency in CURRENCIES if currency != "gulden"}


# Characters: set aside, still in the deck, offered to the juggler; the beggar's card.


def characters_hidden(game: Game, _viewer: Viewer = None) -> tuple[str, ...]:
    return (*game.slice(Characters).aside, *(card for card in game.state.deck if card in CHARACTERS))


def set_aside(game: Game) -> Hashable:
    return game.slice(Characters).aside


def with_others_aside(game: Game, variant: int) -> None:
    """The uppermost of those set aside changes places with one in the deck."""
    if variant:
        kept = game.slice(Characters)
        place = deep(game, CHARACTERS)[0]
        cards = list(game.state.deck)
        first, *rest = kept.aside
        cards[place], first = first, cards[place]
        game.state.deck, kept.aside = tuple(cards), (first, *rest)


def with_characters(variant: int) -> tuple[Game, list[Event]]:
    """Four are set aside, six lie in the deck."""
    game = laid_out("characters")
    with_others_aside(game, variant)
    return game, []


def turn_up_next(game: Game, piece: str) -> None:
    """The character is the next card of the deck, wherever it was before."""
    kept = game.slice(Characters)
    if piece in kept.aside:
        place = deep(game, CHARACTERS)[-1]
        other = game.state.deck[place]
        game.state.deck = (*game.state.deck[:place], piece, *game.state.deck[place + 1 :])
        kept.aside = tuple(other if found == piece else found for found in kept.aside)
    deck(game, piece)


def with_juggler(variant: int) -> tuple[Game, list[Event]]:
    """Seat 1 won the juggler and is asked whether to exchange her for what lies on top of those set aside."""
    game = laid_out("characters")
    hand(game, 1, "gulden-1 denar-1")
    turn_up_next(game, "juggler")
    with_others_aside(game, variant)
    events = take_turn(game)
    while game.decision is not None and game.decision.kind == "auction":
        if game.decision.seat == 1:
            events += game.apply(Move("bid", amount=1))
        else:
            events += game.apply(Move("pass"))
    events += play(game, "pay denar-1")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("juggler", 1)
    return game, events


def with_beggar(variant: int) -> tuple[Game, list[Event]]:
    """Seat 1 owns the beggar and drew a card that nobody else saw; soon a character is auctioned."""
    game = laid_out("characters")
    hand(game, 0, "gulden-3")
    hand(game, 1, "gulden-2")
    turn_up_next(game, "dancer")
    deck(game, "dirham-9")
    kept = game.slice(Characters)
    turn_up_next(game, "beggar")
    game.state.deck, game.state.piles = game.state.deck[:-1], (*game.state.piles[:-1], game.state.piles[-1] - 1)
    kept.owners = {"beggar": 1}
    events = take_turn(game)
    deck(game, ("dukat-9", "gulden-9")[variant])
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("start", 1)
    return game, [*events, *play(game, "draw_card")]


def hand_of_seat_1(game: Game) -> Hashable:
    return game.state.seats[1].hand


def unseen_card(_game: Game, _viewer: Viewer) -> Iterable[str]:
    return ("dukat-9", "gulden-9")


# Residents picked in secret.


def with_residents(variant: int) -> tuple[Game, list[Event]]:
    """Seat 0 has chosen, seat 1 is asked."""
    game = Game.new(Options(seats=3, seed="residents", modules=["street_trader"]))
    events = list(game.events)
    picks, cell = ((("pavilion", "garden", "tower"), (0, 1)), (("seraglio", "arcades", "chambers"), (1, 0)))[variant]
    for name in picks:
        events += game.apply(Move("pick_resident", type=name))
    events += game.apply(Move("lay_disc", cell=cell))
    return game, events


def choice_of_seat_0(game: Game) -> Hashable:
    kept = game.slice(Residents)
    return kept.discs[0], kept.aboard[0]


# Attack cards and scouts.


def with_invaders(variant: int) -> tuple[Game, list[Event]]:
    """Seat 0 won a scout and looked at the next attack card."""
    game = laid_out("invaders")
    kept = game.slice(Invaders)
    by_direction = {direction: card for card, direction in DIRECTIONS.items()}
    kept.attacks = tuple(by_direction[side] for side in ("NESW", "WSEN")[variant])
    kept.open = ("scout_garden", "scout_tower")
    hidden = tuple(sorted(set(SCOUTS) - set(kept.open)))
    kept.scouts = hidden[::-1] if variant else hidden
    hand(game, 0, "denar-9")
    market(game, denar="garden-9-e")
    return game, play(game, "buy market-denar denar-9")


def attack_order(game: Game) -> Hashable:
    return game.slice(Invaders).attacks[0]


def attack_cards(game: Game, _viewer: Viewer) -> Iterable[str]:
    return (*game.slice(Invaders).attacks, *game.slice(Invaders).scouts)


def later_attacks(game: Game) -> Hashable:
    return game.slice(Invaders).attacks[1:]


def with_later_attacks(variant: int) -> tuple[Game, list[Event]]:
    """Seat 0 has looked at the next attack card, and knows nothing of those that follow."""
    game, events = with_invaders(0)
    kept = game.slice(Invaders)
    if variant:
        kept.attacks = (kept.attacks[0], *reversed(kept.attacks[1:]))
    return game, events


def later_attack_cards(game: Game, _viewer: Viewer) -> Iterable[str]:
    return (*game.slice(Invaders).attacks[1:], *game.slice(Invaders).scouts)


# Squares and projects face down.


def with_squares(variant: int) -> tuple[Game, list[Event]]:
    """Two squares of each type lie face down under the third."""
    game = laid_out("squares")
    kept = game.slice(Stacks)
    if variant:
        kept.stacks = {name: (*reversed(stack[:-1]), stack[-1]) for name, stack in kept.stacks.items()}
    return game, play(game, "take_square", slot="square-garden")


def squares_hidden(game: Game, _viewer: Viewer = None) -> tuple[str, ...]:
    return tuple(square for stack in game.slice(Stacks).stacks.values() for square in stack[:-1])


def with_squares_untouched(variant: int) -> tuple[Game, list[Event]]:
    game = laid_out("squares")
    kept = game.slice(Stacks)
    if variant:
        kept.stacks = {name: (*reversed(stack[:-1]), stack[-1]) for name, stack in kept.stacks.items()}
    return game, []


def with_projects(variant: int) -> tuple[Game, list[Event]]:
    """One project is open, the others are not; seat 0 bids."""
    game = laid_out("major_construction_projects")
    kept = game.slice(Projects)
    if variant:
        kept.hidden = kept.hidden[::-1]
    hand(game, 0, "denar-9 denar-8")
    return game, play(game, "bid_project denar-8 denar-9")


def projects_hidden(game: Game, _viewer: Viewer = None) -> tuple[str, ...]:
    return game.slice(Projects).hidden


# Cards of modules in the money deck.


def with_cards_of(module: str, names: Iterable[str]) -> Callable[[int], tuple[Game, list[Event]]]:
    """Two of the module's cards change places, or one with money of the same pile, where they are all alike."""
    own = set(names)

    def build(variant: int) -> tuple[Game, list[Event]]:
        game = laid_out(module)
        places = deep(game, own)
        if variant and len(own) > 1:
            exchange(game, places[0], places[-1])
        elif variant:
            bottom = game.state.piles[0]
            other = next(place for place in range(bottom) if game.ruleset.cards[game.state.deck[place]].kind == "money")
            assert places[0] < bottom
            exchange(game, places[0], other)
        return game, []

    return build


def deck_places(names: Iterable[str]) -> Callable[[Game], Hashable]:
    own = set(names)
    return lambda game: tuple((place, card) for place, card in enumerate(game.state.deck) if card in own)


def in_the_deck(names: Iterable[str]) -> Callable[[Game, Viewer], Iterable[str]]:
    own = set(names)
    return lambda game, _viewer: own & set(game.state.deck)


IN_THE_DECK: dict[str, Iterable[str]] = {
    "power_of_the_sultan": SULTAN_CARDS,
    "city_walls": WALL_CARDS,
    "city_gates": ("gate",),
}
SITUATIONS = (
    Situation("thieves of another seat", with_thieves, thieves_of_seat_2, their_names, (None, 0, 1)),
    Situation("characters set aside and in the deck", with_characters, set_aside, characters_hidden),
    Situation("what the juggler would bring", with_juggler, set_aside, characters_hidden, plays=6),
    Situation("the card that the beggar drew", with_beggar, hand_of_seat_1, unseen_card, (None, 0, 2)),
    Situation("residents picked in secret", with_residents, choice_of_seat_0, nothing, (None, 1, 2), plays=7),
    Situation("the attack card that one seat saw", with_invaders, attack_order, attack_cards, (None, 1, 2)),
    Situation("the attacks after the one seen", with_later_attacks, later_attacks, later_attack_cards, (0,)),
    Situation("squares face down", with_squares_untouched, squares_hidden, squares_hidden),
    Situation("projects face down", with_projects, projects_hidden, projects_hidden, plays=2),
    *(
        Situation(
            f"cards of {module} in the deck", with_cards_of(module, names), deck_places(names), in_the_deck(names)
        )
        for module, names in IN_THE_DECK.items()
    ),
)
each_situation = pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)


def plain_move(game: Game) -> Move:
    """A pass if that is possible, else the lowest open card, else whatever comes first."""
    if not game.verify(Move("pass")):
        return Move("pass")
    for card in sorted(game.state.display):
        move = Move("take_money", display=(card,))
        if not game.verify(move):
            return move
    return game.legal_moves()[0]


# -- By its name -------------------------------------------------------------------------------------------------------


def names_in(text: str, words: Iterable[str]) -> list[str]:
    """Those of the words that stand in the text as a whole string."""
    return [word for word in words if f'"{word}"' in text]


@each_situation
def test_the_name_of_a_hidden_thing_stands_nowhere(situation: Situation) -> None:
    for variant in (0, 1):
        game, events = situation.build(variant)
        for _ in range(situation.plays):
            for viewer in situation.viewers:
                text = as_text([shown(game, viewer), reaching(viewer, events)])
                assert names_in(text, situation.words(game, viewer)) == [], f"seen by {viewer}"
            events = game.apply(plain_move(game))


ALL = (
    *("characters", "city_gates", "city_walls", "invaders", "major_construction_projects"),
    *("power_of_the_sultan", "squares", "street_trader", "thieves"),
)


def face_down(game: Game, viewer: Viewer) -> set[str]:
    """Every name that the viewer cannot have seen yet, of all modules that are on."""
    names = {*CHARACTERS, *WALL_CARDS, *SULTAN_CARDS}
    found = {card for card in game.state.deck if card in names}
    for kept in game.state.slices.values():
        if isinstance(kept, Characters):
            found.update(kept.aside)
        elif isinstance(kept, Stacks):
            found.update(squares_hidden(game))
        elif isinstance(kept, Projects):
            found.update(kept.hidden)
        elif isinstance(kept, Invaders):
            knows = viewer is not None and kept.informed[viewer]
            found.update((*kept.attacks[int(knows) :], *kept.scouts))
    return found


NAMED = ("characters", "city_walls", "invaders", "major_construction_projects", "power_of_the_sultan", "squares")
"""Modules whose hidden things have names of their own."""
LISTED_EVERY = 10
"""In a rich game listing moves takes longer than everything else."""


@pytest.mark.parametrize(("modules", "seats"), [*(((key,), 2 + n % 3) for n, key in enumerate(NAMED)), (ALL, 2)])
def test_in_a_whole_game_no_name_is_seen_before_its_time(modules: tuple[str, ...], seats: int) -> None:
    """Told or shown; the moves of whoever is asked included."""
    game = Game.new(Options(seats=seats, seed=f"{modules} {seats}", modules=modules))
    rng, events = Random(seats), game.events
    viewers: list[Viewer] = [None, *range(seats)]
    while not game.over:
        assert game.decision is not None
        for viewer in viewers:
            texts: list[Any] = [game.view(viewer), reaching(viewer, events)]
            if viewer == game.decision.seat and game.version % LISTED_EVERY == 0:
                texts += [move.as_dict() for move in game.legal_moves()]
            assert names_in(as_text(texts), face_down(game, viewer)) == [], f"seen by {viewer}"
        events = game.apply(game.random_move(rng))


def test_what_a_seat_may_export_of_a_running_game_names_nothing_hidden() -> None:
    game = Game.new(Options(seats=3, seed="export", modules=ALL))
    rng = Random(4)
    for _ in range(120):
        game.apply(game.random_move(rng))
    assert not game.over
    for viewer in EVERYBODY:
        text = as_text(export_view(game, viewer))
        assert names_in(text, face_down(game, viewer)) == []
        assert game.options.seed not in text


def test_thieves_are_dealt_to_their_owners_eyes_only() -> None:
    game = Game.new(Options(seats=4, seed="thieves", modules=["thieves"]))
    dealt = [event for event in game.events if event.kind == "thieves_dealt"]
    assert len(dealt) == 4
    for event in dealt:
        assert event.private is not None
        assert set(event.private) == {event.public["seat"]}
        assert "thief-" not in as_text(event.public)
    assert "thief-" not in as_text([game.view(None), reaching(None, game.events)])


# -- By twins ----------------------------------------------------------------------------------------------------------


@each_situation
def test_where_hidden_things_are_dealt_anew_a_seat_observes_the_same(situation: Situation) -> None:
    game, _ = situation.build(0)
    for viewer in situation.viewers:
        twins = [game.determinize(viewer, Random(number)) for number in range(TWINS)]
        secrets = {situation.secret(twin) for twin in twins}
        assert len(secrets) > 1, f"nothing was hidden from {viewer}"
        mine = observed(game, viewer)
        for twin in twins:
            assert observed(twin, viewer) == mine, f"seen by {viewer}"


@each_situation
def test_twins_stay_alike_at_every_later_question(situation: Situation) -> None:
    """Twins of later moments, when other seats are asked and the viewer too."""
    game, _ = situation.build(0)
    for number in range(situation.plays):
        for viewer in situation.viewers:
            twin = game.determinize(viewer, Random(number))
            assert observed(twin, viewer) == observed(game, viewer), f"seen by {viewer} after {number} moves"
        game.apply(plain_move(game))


# -- By two stories ----------------------------------------------------------------------------------------------------


@each_situation
def test_two_games_that_differ_in_a_secret_only_go_on_alike_for_whoever_must_not_know(situation: Situation) -> None:
    (one, told), (two, told_otherwise) = situation.build(0), situation.build(1)
    assert situation.secret(one) != situation.secret(two)
    for _ in range(situation.plays):
        for viewer in situation.viewers:
            assert reaching(viewer, told) == reaching(viewer, told_otherwise), f"told to {viewer}"
            assert observed(one, viewer) == observed(two, viewer), f"seen by {viewer}"
        assert one.decision == two.decision
        move = plain_move(one)
        told, told_otherwise = one.apply(move), two.apply(move)
    assert situation.secret(one) != situation.secret(two), "the secret came out: play less"


@each_situation
def test_both_games_hold_the_same_things(situation: Situation) -> None:
    """Control: the two games of a situation differ in where things lie, not in what there is."""
    found = []
    for variant in (0, 1):
        game, _ = situation.build(variant)
        things = [*game.state.deck, *game.state.tower, *game.state.discard, *game.state.display]
        things += [card for seat in game.state.seats for card in seat.hand]
        for record in game.ruleset.modules:
            things += record.census(game) if record.census else ()
        found.append(sorted(thing for thing in things if not thing.startswith("resident-")))
    assert found[0] == found[1]


def test_those_who_know_can_tell_the_two_games_apart() -> None:
    """Control: the owner of the thieves, the beggar, the picker and the informed seat do see a difference."""
    who_knows = {
        "thieves of another seat": 2,
        "the card that the beggar drew": 1,
        "residents picked in secret": 0,
        "the attack card that one seat saw": 0,
    }
    for situation in SITUATIONS:
        if situation.name in who_knows:
            seat = who_knows[situation.name]
            assert observed(situation.build(0)[0], seat) != observed(situation.build(1)[0], seat)


# -- Refusals ----------------------------------------------------------------------------------------------------------


@each_situation
def test_whoever_is_not_asked_hears_only_who_is(situation: Situation) -> None:
    game, _ = situation.build(0)
    assert game.decision is not None
    expected = {"seat": game.decision.seat, "decision": game.decision.kind}
    for seat in {0, 1, 2} - {game.decision.seat}:
        for move in probes(game):
            faults = game.verify(move, seat)
            assert [(fault.code, dict(fault.metadata)) for fault in faults] == [("NOT_YOUR_DECISION", expected)]


@each_situation
def test_the_public_part_of_a_question_names_nothing_hidden(situation: Situation) -> None:
    game, _ = situation.build(0)
    for _ in range(situation.plays):
        assert game.decision is not None
        for viewer in situation.viewers:
            assert names_in(as_text(game.decision.context), situation.words(game, viewer)) == []
            question = game.view(viewer)["decision"]
            assert ("verbs" in question) == (viewer == game.decision.seat)
            assert "private" not in question or viewer == game.decision.seat
        game.apply(plain_move(game))


def test_the_turned_up_square_is_shown_and_the_one_below_it_is_not() -> None:
    game, events = with_squares(0)
    top, *_ = [event.public["tile"] for event in events if event.kind == "square_turned"]
    stack = game.slice(Stacks).stacks["garden"]
    assert stack[-1] == top
    for viewer in EVERYBODY:
        text = as_text([shown(game, viewer), reaching(viewer, events)])
        assert names_in(text, [top]) == [top]
        assert names_in(text, stack[:-1]) == []


def test_whether_a_seat_could_bid_on_with_a_card_drawn_unseen_shows_in_no_question() -> None:
    """The beggar's owner is asked in the auction whatever was drawn, and only that seat sees how much it can pay."""
    most = []
    for variant in (0, 1):
        game, _ = with_beggar(variant)
        while game.decision is not None and game.decision.kind != "auction":
            game.apply(plain_move(game))
        while game.decision is not None and game.decision.seat != 1:
            game.apply(Move("pass"))
        assert game.decision is not None
        assert game.decision.kind == "auction"
        for viewer in (None, 0, 2):
            view = as_text(game.view(viewer))
            assert "dukat-9" not in view
            assert "gulden-9" not in view
        most.append(len(game.legal_moves()))
    assert most[0] != most[1]
