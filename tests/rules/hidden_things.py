"""The hidden things, each in a situation where it could slip out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple

from alhambra import CURRENCIES, Event, Game, Move, Options
from alhambra.base.peek import peek, take_out
from alhambra.base.supply import gain, without
from alhambra.known_positions import DECK, TOWER, learn_positions
from alhambra.modules.bonus_cards import BonusCards
from alhambra.modules.building_sites import Sites
from alhambra.modules.buildings_of_power import Powers
from alhambra.modules.buildings_of_power.powers import put_under
from alhambra.modules.characters import CHARACTERS, Characters
from alhambra.modules.city_walls import SHOWN as WALL_CARDS
from alhambra.modules.gates_without_end import KEYS, Gates
from alhambra.modules.invaders import DIRECTIONS, SCOUTS, Invaders
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.menagerie import SPECIES, Menagerie
from alhambra.modules.power_of_the_sultan import CARDS as SULTAN_CARDS
from alhambra.modules.squares import Stacks
from alhambra.modules.street_trader import Residents
from alhambra.modules.thieves import PACK, Thieves
from alhambra.modules.travelling_craftsmen import Craftsmen
from tests.rules.observation import Viewer
from tests.rules.situations import alhambra, deck, display, hand, market, play, table, take_turn, tower

EVERYBODY: tuple[Viewer, ...] = (None, 0, 1, 2)
COMING = ("dirham-1", "dirham-2", "dirham-3", "dirham-4", "dirham-5", "dirham-6", "dirham-7", "dirham-8")
"""What is turned up next in most situations: money, so that nothing hidden comes to light by the rules."""


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
    thieves = game.module_state(Thieves)
    own = (("thief-denar", "thief-dukat"), ("thief-dirham", "thief-dukat"))[variant]
    thieves.held = (("thief-gulden",), ("thief-gulden",), own)
    rest = list(PACK)
    for thief in (thief for held in thieves.held for thief in held):
        rest.remove(thief)
    thieves.rest = tuple(rest)
    return game, take_turn(game)


def thieves_of_seat_2(game: Game) -> Hashable:
    return game.module_state(Thieves).held[2]


def their_names(game: Game, _viewer: Viewer) -> Iterable[str]:
    return {f"thief-{currency}" for currency in CURRENCIES if currency != "gulden"}


# Bonus cards in another seat's hand.


def with_bonus_cards(variant: int) -> tuple[Game, list[Event]]:
    """Seat 2 holds two bonus cards and has built what one of them may show; a scoring asks whether it shows one."""
    game = laid_out("bonus_cards")
    alhambra(game, 2, {(1, 0): "garden-10"})
    own = (("bonus_garden-10", "bonus_tower-11"), ("bonus_arcades-9", "bonus_tower-12"))[variant]
    cards = game.module_state(BonusCards)
    pack = {card for held in cards.unseen for card in held} | set(cards.rest)
    cards.unseen = ((), (), own)
    cards.rest = tuple(sorted(pack - set(own)))
    deck(game, "scoring-1")
    return game, take_turn(game)


def bonus_cards_of_seat_2(game: Game) -> Hashable:
    return game.module_state(BonusCards).unseen[2]


def their_bonus_cards(game: Game, _viewer: Viewer) -> Iterable[str]:
    return (*game.module_state(BonusCards).unseen[2], *game.module_state(BonusCards).rest)


# Characters: set aside, still in the deck, offered to the juggler; the beggar's card.


def characters_hidden(game: Game, _viewer: Viewer = None) -> tuple[str, ...]:
    return (*game.module_state(Characters).aside, *(card for card in game.state.deck if card in CHARACTERS))


def set_aside(game: Game) -> Hashable:
    return game.module_state(Characters).aside


def with_others_aside(game: Game, variant: int) -> None:
    """The uppermost of those set aside changes places with one in the deck."""
    if variant:
        kept = game.module_state(Characters)
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
    kept = game.module_state(Characters)
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
    kept = game.module_state(Characters)
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
    kept = game.module_state(Residents)
    return kept.discs[0], kept.aboard[0]


# Attack cards and scouts.


def with_invaders(variant: int) -> tuple[Game, list[Event]]:
    """Seat 0 won a scout and looked at the next attack card."""
    game = laid_out("invaders")
    kept = game.module_state(Invaders)
    by_direction = {direction: card for card, direction in DIRECTIONS.items()}
    kept.attacks = tuple(by_direction[side] for side in ("NESW", "WSEN")[variant])
    kept.open = ("scout_garden", "scout_tower")
    hidden = tuple(sorted(set(SCOUTS) - set(kept.open)))
    kept.scouts = hidden[::-1] if variant else hidden
    hand(game, 0, "denar-9")
    market(game, denar="garden-9-e")
    return game, play(game, "buy market-denar denar-9")


def attack_order(game: Game) -> Hashable:
    return game.module_state(Invaders).attacks[0]


def attack_cards(game: Game, _viewer: Viewer) -> Iterable[str]:
    return (*game.module_state(Invaders).attacks, *game.module_state(Invaders).scouts)


def later_attacks(game: Game) -> Hashable:
    return game.module_state(Invaders).attacks[1:]


def with_later_attacks(variant: int) -> tuple[Game, list[Event]]:
    """Seat 0 has looked at the next attack card, and knows nothing of those that follow."""
    game, events = with_invaders(0)
    kept = game.module_state(Invaders)
    if variant:
        kept.attacks = (kept.attacks[0], *reversed(kept.attacks[1:]))
    return game, events


def later_attack_cards(game: Game, _viewer: Viewer) -> Iterable[str]:
    return (*game.module_state(Invaders).attacks[1:], *game.module_state(Invaders).scouts)


# Squares and projects face down.


def with_squares(variant: int) -> tuple[Game, list[Event]]:
    """Two squares of each type lie face down under the third."""
    game = laid_out("squares")
    kept = game.module_state(Stacks)
    if variant:
        kept.stacks = {name: (*reversed(stack[:-1]), stack[-1]) for name, stack in kept.stacks.items()}
    return game, play(game, "take_square", slot="square-garden")


def squares_hidden(game: Game, _viewer: Viewer = None) -> tuple[str, ...]:
    return tuple(square for stack in game.module_state(Stacks).stacks.values() for square in stack[:-1])


def with_squares_untouched(variant: int) -> tuple[Game, list[Event]]:
    game = laid_out("squares")
    kept = game.module_state(Stacks)
    if variant:
        kept.stacks = {name: (*reversed(stack[:-1]), stack[-1]) for name, stack in kept.stacks.items()}
    return game, []


def with_projects(variant: int) -> tuple[Game, list[Event]]:
    """One project is open, the others are not; seat 0 bids."""
    game = laid_out("major_construction_projects")
    kept = game.module_state(Projects)
    if variant:
        kept.hidden = kept.hidden[::-1]
    hand(game, 0, "denar-9 denar-8")
    return game, play(game, "bid_project denar-8 denar-9")


def projects_hidden(game: Game, _viewer: Viewer = None) -> tuple[str, ...]:
    return game.module_state(Projects).hidden


# Animals that left the game unseen.


def with_animals(variant: int) -> tuple[Game, list[Event]]:
    """Seat 0 has animals and is asked at the end of its turn; no garden comes up for a while."""
    game = laid_out("menagerie")
    market(game, gulden="tower-11", dirham="seraglio-9", denar="arcades-10", dukat="chambers-10")
    kept, animals = game.module_state(Menagerie), tuple(sorted(SPECIES * 3))
    kept.removed = (("dove", "dove"), ("dove", "snake"))[variant]
    kept.lying = {"start-0": ((0, "cheetah"), (0, "monkey"))}
    kept.supply = without(animals, (*kept.removed, "cheetah", "monkey"))
    return game, take_turn(game)


def animals_removed(game: Game) -> tuple[str, ...]:
    return game.module_state(Menagerie).removed


# Markers of building sites.


def looking_at(*pair: str) -> tuple[Game, list[Event]]:
    """Seat 0 starts a site and looks at these two markers."""
    game = laid_out("building_sites")
    market(game, denar="garden-11", gulden="tower-11", dirham="tower-12", dukat="arcades-9")
    hand(game, 0, "denar-5")
    events = play(game, "buy market-denar denar-5", choice="site")
    kept = game.module_state(Sites)
    everything = [*kept.stack, *kept.drawn]
    for marker in pair:
        everything.remove(marker)
    kept.stack, kept.drawn = tuple(sorted(everything)), tuple(sorted(pair))
    for event in events:
        if event.private and event.kind == "site_started":
            event.private[0]["currencies"] = kept.drawn
    return game, events


def with_markers_to_choose_from(variant: int) -> tuple[Game, list[Event]]:
    """One of the two markers is the same in both games."""
    return looking_at("denar", ("dukat", "gulden")[variant])


def with_a_site(variant: int) -> tuple[Game, list[Event]]:
    """Seat 0 looked at the same two markers, kept one or the other, and has built the site."""
    game, events = looking_at("dukat", "gulden")
    events += play(game, "keep_marker", currency=("dukat", "gulden")[variant])
    return game, [*events, *play(game, "place garden-11 @1,0")]


def markers_of_sites(game: Game) -> Hashable:
    kept = game.module_state(Sites)
    return kept.stack, kept.drawn, tuple(kept.on.items()), kept.put_back


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


# What a seat has looked at: tiles hidden under the market, the order of those returned, a card kept.

LOOKED_AT = ("tower-9-es", "tower-9-ne")


def with_hidden_tile(variant: int) -> tuple[Game, list[Event]]:
    """Seat 0 has hidden one of two tiles under the market; the other one is drawn last."""
    game = laid_out("buildings_of_power")
    market(game, gulden="tower-11", dirham="garden-10", denar="garden-9-e", dukat="tower-11-n")
    hidden, other = LOOKED_AT if variant else LOOKED_AT[::-1]
    game.state.tower = (other, *(tile for tile in game.state.tower if tile not in LOOKED_AT))
    put_under(game, 0, hidden, 0)
    return game, []


def under_the_market(game: Game) -> Hashable:
    return game.module_state(Powers).hidden


def with_tiles_in_order(variant: int) -> tuple[Game, list[Event]]:
    """Seat 0 has laid two tiles on the tower."""
    game = laid_out("buildings_of_power")
    market(game, gulden="tower-11", dirham="garden-10", denar="garden-9-e", dukat="tower-11-n")
    tower(game, *(LOOKED_AT if variant else LOOKED_AT[::-1]))
    learn_positions(game.state, TOWER, 0, (len(game.state.tower) - 1, len(game.state.tower) - 2))
    return game, []


def next_tiles(game: Game) -> Hashable:
    return game.state.tower[-2:]


def names_looked_at(_game: Game, _viewer: Viewer) -> Iterable[str]:
    return LOOKED_AT


def with_kept_card(variant: int) -> tuple[Game, list[Event]]:
    """Seat 1 has looked at a card and kept it."""
    game = laid_out("buildings_of_power")
    deck(game, ("dukat-9", "gulden-9")[variant])
    (card,) = peek(game, 1, DECK, 1)
    take_out(game, 1, DECK, card, 1)
    gain(game, 1, (card,), unseen=True)
    return game, []


def with_a_key(number: int) -> tuple[Game, list[Event]]:
    """Seat 0 has bought arcades and so has a key that waits for its next turn."""
    game = laid_out("gates_without_end")
    kept = game.module_state(Gates)
    first, second, *rest = KEYS
    key, other = (first, second) if number else (second, first)
    kept.stack, kept.held, kept.waiting = (*rest, other), ((key,), (), ()), (1, 0, 0)
    return game, []


def key_held(game: Game) -> Hashable:
    return game.module_state(Gates).held[0]


def every_key(_game: Game, _viewer: Viewer) -> Iterable[str]:
    return KEYS


def with_a_craftsman_face_down(number: int) -> tuple[Game, list[Event]]:
    """The first turn: only seat 0 knows the craftsman that lies face down before it."""
    game = laid_out("travelling_craftsmen")
    kept = game.module_state(Craftsmen)
    pair = sorted((kept.hidden, kept.undealt[0]))
    kept.hidden, kept.undealt = pair[number], (pair[1 - number], *kept.undealt[1:])
    kept.holder, kept.secret = 0, True
    return game, []


def craftsman_face_down(game: Game) -> Hashable:
    return game.module_state(Craftsmen).hidden


def unknown_craftsmen(game: Game, _viewer: Viewer) -> Iterable[str]:
    kept = game.module_state(Craftsmen)
    return (kept.hidden, *kept.undealt)


IN_THE_DECK: dict[str, Iterable[str]] = {
    "power_of_the_sultan": SULTAN_CARDS,
    "city_walls": WALL_CARDS,
    "city_gates": ("gate",),
}
SITUATIONS = (
    Situation("thieves of another seat", with_thieves, thieves_of_seat_2, their_names, (None, 0, 1)),
    Situation("bonus cards of another seat", with_bonus_cards, bonus_cards_of_seat_2, their_bonus_cards, (None, 0, 1)),
    Situation("characters set aside and in the deck", with_characters, set_aside, characters_hidden),
    Situation("what the juggler would bring", with_juggler, set_aside, characters_hidden, plays=6),
    Situation("the card that the beggar drew", with_beggar, hand_of_seat_1, unseen_card, (None, 0, 2)),
    Situation("residents picked in secret", with_residents, choice_of_seat_0, nothing, (None, 1, 2), plays=7),
    Situation("the attack card that one seat saw", with_invaders, attack_order, attack_cards, (None, 1, 2)),
    Situation("the attacks after the one seen", with_later_attacks, later_attacks, later_attack_cards, (0,)),
    Situation("squares face down", with_squares_untouched, squares_hidden, squares_hidden),
    Situation("animals that left the game unseen", with_animals, animals_removed, nothing),
    Situation("a key before a seat", with_a_key, key_held, every_key, plays=2),
    Situation(
        *("the craftsman dealt face down", with_a_craftsman_face_down, craftsman_face_down, unknown_craftsmen),
        viewers=(None, 1, 2),
        plays=0,
    ),
    Situation("projects face down", with_projects, projects_hidden, projects_hidden, plays=2),
    Situation("site markers to choose from", with_markers_to_choose_from, markers_of_sites, nothing, (None, 1, 2)),
    Situation("the marker on a building site", with_a_site, markers_of_sites, nothing, (None, 1, 2)),
    Situation("a tile hidden under the market", with_hidden_tile, under_the_market, names_looked_at, (None, 1, 2)),
    Situation("the order of tiles returned", with_tiles_in_order, next_tiles, names_looked_at, (None, 1, 2)),
    Situation("a card kept by wisdom", with_kept_card, hand_of_seat_1, unseen_card, (None, 0, 2)),
    *(
        Situation(
            f"cards of {module} in the deck", with_cards_of(module, names), deck_places(names), in_the_deck(names)
        )
        for module, names in IN_THE_DECK.items()
    ),
)
