"""Situations for rule tests: a table on which lies exactly what a rule is about.

`table()` gives a game at its first action, seat 0 to move, with the table cleared: nobody holds a card, display and
market are empty, every Alhambra is a lone fountain. Everything that a situation does not name lies in the deck or in
the tower, so nothing is ever there twice, and what luck brings up later comes from there.

    game = table(seats=3)
    hand(game, 0, "denar-4 denar-5")
    market(game, denar="garden-9-e")                        # the other spaces stay empty
    alhambra(game, 0, {(1, 0): "arcades-9"})                # checked: only a legal Alhambra can be set up
    events = play(game, "buy market-denar denar-4 denar-5")
    assert events_of(events, "paid")[0]["exact"]
    play(game, "place garden-9-e @0,1")                     # nouns beyond these by keyword: side="N", amount=3
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]

What comes next is set, too: `deck(game, "scoring-1 denar-2")` is drawn in this order, then the rest; with `only=True`
there is no rest. `tower` does the same for tiles. `take_turn` makes a plain turn of whoever is to move; `hold_scoring`
and `end_game` bring a scoring or the end about in the ordinary way and answer with the events.

A game that was put together like this does not replay from its log. For undo, export and the like take
`table(dealt=True)`: the game as it was dealt, nothing touched; or search one with `dealt_where`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from alhambra import CURRENCIES, TYPES, Board, Decision, Event, Game, IllegalMove, Move, Options, Violation
from alhambra.components import Cell

LISTED_AT_MOST = 20_000
"""So many moves are looked through for one; a rich hand has more payments than anybody wants to see."""

# -- A table ---------------------------------------------------------------------------------------------------------


def table(
    seats: int | list[dict[str, Any]] = 3,
    *,
    seed: str = "a table",
    turn_of: int = 0,
    dealt: bool = False,
    **options: Any,
) -> Game:
    """A game at its first `action`, cleared and with `turn_of` to move; or, `dealt`, as chance would have it."""
    game = Game.new(Options(seats=seats, seed=seed, **options))
    to_action(game)
    if not dealt:
        _clear(game)
        give_turn(game, turn_of)
    return game


def dealt_where(holds: Callable[[Game], object], seats: int = 3, **options: Any) -> Game:
    """The first of many dealt games for which something holds: for rules that need an untouched game."""
    for number in range(10_000):
        game = table(seats, seed=f"search {number}", dealt=True, **options)
        if holds(game):
            return game
    raise AssertionError("no dealt game is like this")


def to_action(game: Game) -> Game:
    """Plays on until an action is due: passes where that is possible, else makes the first legal move."""
    while game.decision is not None and game.decision.kind != "action":
        moves = game.legal_moves()
        game.apply(Move("pass") if Move("pass") in moves else moves[0])
    return game


def give_turn(game: Game, seat: int) -> None:
    """It is the turn of that seat, one action is due."""
    state = game.state
    state.active = state.first = seat
    state.decision = Decision("action", seat, {"actions_left": state.actions})


def _clear(game: Game) -> None:
    state = game.state
    _bury(game, [card for seat in state.seats for card in seat.hand])
    _bury(game, [*state.display, *state.discard])
    for seat in state.seats:
        seat.hand = seat.unseen = seat.unseen_kinds = ()
    state.display = state.discard = ()
    _sink(game, [*state.market, *state.dirk, *(tile for tiles in state.beside.values() for tile in tiles)])
    state.market, state.beside = ("", "", "", ""), {}
    state.dirk = ()


# -- Cards -----------------------------------------------------------------------------------------------------------


def words(things: Iterable[str]) -> tuple[str, ...]:
    """Names given one by one, or several in one text."""
    return tuple(word for text in ([things] if isinstance(things, str) else things) for word in text.split())


def hand(game: Game, seat: int, *cards: str) -> None:
    """The seat holds exactly these cards, and everybody knows it."""
    owner = game.state.seats[seat]
    _bury(game, owner.hand)
    owner.unseen = owner.unseen_kinds = ()
    owner.hand = tuple(sorted(_draw(game, words(cards))))


def display(game: Game, *cards: str) -> None:
    """Exactly these cards lie open."""
    _bury(game, game.state.display)
    game.state.display = _draw(game, words(cards))


def discard(game: Game, *cards: str) -> None:
    """Exactly these cards lie in the discard."""
    _bury(game, game.state.discard)
    game.state.discard = _draw(game, words(cards))


def deck(game: Game, *cards: str, only: bool = False) -> None:
    """These cards are drawn next, in this order; then the rest, or (`only`) nothing: it leaves the game."""
    state = game.state
    coming = _draw(game, words(cards))
    if only:
        state.box = (*state.box, *state.deck)
        state.deck, state.piles = (), ()
    state.deck = (*state.deck, *reversed(coming))
    if coming:
        state.piles = (*state.piles[:-1], state.piles[-1] + len(coming)) if state.piles else (len(coming),)


def _bury(game: Game, cards: Iterable[str]) -> None:
    """Puts cards under the deck."""
    state = game.state
    for card in cards:
        state.deck = (card, *state.deck)
        state.piles = (state.piles[0] + 1, *state.piles[1:]) if state.piles else (1,)


def _draw(game: Game, cards: Iterable[str]) -> tuple[str, ...]:
    """Takes cards out of the deck, wherever they lie in it."""
    state = game.state
    found = tuple(cards)
    for card in found:
        assert card in state.deck, f"no {card} left in the deck: it lies elsewhere, or there are no more copies"
        place = state.deck.index(card)
        state.deck = (*state.deck[:place], *state.deck[place + 1 :])
        sizes, end = list(state.piles), 0
        for pile, size in enumerate(sizes):
            end += size
            if place < end:
                sizes[pile] -= 1
                break
        state.piles = tuple(size for size in sizes if size)
    return found


# -- Tiles -----------------------------------------------------------------------------------------------------------


def market(game: Game, **tiles: str) -> None:
    """Exactly these tiles lie on the market, named by the currency of their space."""
    assert set(tiles) <= set(CURRENCIES), tiles
    _sink(game, game.state.market)
    _lift(game, [tile for tile in tiles.values() if tile])
    game.state.market = tuple(tiles.get(currency, "") for currency in CURRENCIES)


def tower(game: Game, *tiles: str, only: bool = False) -> None:
    """These tiles are drawn next, in this order; then the rest, or (`only`) nothing: it leaves the game."""
    state = game.state
    coming = _lift(game, words(tiles))
    if only:
        state.box = (*state.box, *state.tower)
        state.tower, state.sunk = (), 0
    state.tower = (*state.tower, *reversed(coming))


def reserve(game: Game, seat: int, *tiles: str) -> None:
    """Exactly these tiles lie on the reserve board of the seat."""
    owner = game.state.seats[seat]
    _sink(game, owner.reserve)
    owner.reserve = _lift(game, words(tiles))


def dirk(game: Game, *tiles: str) -> None:
    """Exactly these tiles belong to Dirk."""
    _sink(game, game.state.dirk)
    game.state.dirk = _lift(game, words(tiles))


def beside(game: Game, **tiles: str) -> None:
    """Exactly these tiles lie beside the market, by their slots: `beside(game, bazaar="bazaar_1 bazaar_2")`. An
    underscore stands for the hyphen of a slot."""
    _sink(game, [tile for lying in game.state.beside.values() for tile in lying])
    game.state.beside = {slot.replace("_", "-"): _lift(game, words(lying)) for slot, lying in tiles.items()}


def alhambra(game: Game, seat: int, tiles: Mapping[Cell, str], *, turned: Mapping[str, int] | None = None) -> Board:
    """Exactly these tiles are built around the seat's fountain, in this order and by the rules; some of them turned by
    so many degrees."""
    board = _bare(game, seat)
    _lift(game, tiles.values())
    for cell, tile in tiles.items():
        board.place(game.ruleset.tiles[tile], *cell, (turned or {}).get(tile, 0))
    game.state.seats[seat].board = board
    return board


def own(game: Game, seat: int, **buildings: int) -> Board:
    """The Alhambra holds so many buildings of each type, somehow: `own(game, 0, tower=4, garden=1)`."""
    assert set(buildings) <= set(TYPES), buildings
    board = _bare(game, seat)
    wanted = dict(buildings)
    while any(wanted.values()):
        free = sorted(
            (game.ruleset.tiles[tile] for tile in game.state.tower), key=lambda tile: tile.parts[0].edges.count("w")
        )
        fitting = ((tile, cell) for tile in free if wanted.get(tile.type) for cell in board.legal_cells(tile)[:1])
        found = next(fitting, None)
        assert found is not None, f"these cannot be built: {wanted}"
        tile, cell = found
        board.place(tile, *cell)
        wanted[tile.type] -= 1
        _lift(game, [tile.id])
    game.state.seats[seat].board = board
    return board


def _bare(game: Game, seat: int) -> Board:
    old = game.state.seats[seat].board
    _sink(game, [tile for tile in old.placed if tile != old.start.id])
    return Board(old.start)


def _sink(game: Game, tiles: Iterable[str]) -> None:
    """Puts tiles under the tower."""
    game.state.tower = (*(tile for tile in tiles if tile), *game.state.tower)


def _lift(game: Game, tiles: Iterable[str]) -> tuple[str, ...]:
    """Takes tiles out of the tower, wherever they lie in it, or out of the box."""
    state = game.state
    found = tuple(tiles)
    for tile in found:
        assert tile in (*state.tower, *state.box), f"{tile} is not in the tower: it lies elsewhere, or does not exist"
        state.tower = tuple(other for other in state.tower if other != tile)
        state.box = tuple(other for other in state.box if other != tile)
    return found


# -- Moves -----------------------------------------------------------------------------------------------------------


def move(game: Game, text: str, **nouns: Any) -> Move:
    """A move from a text: the verb, then ids of tiles, pieces, market spaces and cards, and a cell as @x,y."""
    verb, *rest = text.split()
    known = game.ruleset.verbs.get(verb)
    cards = "display" if known and "display" in known.nouns.partition("[")[0].split() else "cards"
    found: dict[str, Any] = {}
    for word in rest:
        if word.startswith("@"):
            x, y = word[1:].split(",")
            found["cell"] = (int(x), int(y))
        elif word in game.ruleset.cards:
            found[cards] = tuple(sorted((*found.get(cards, ()), word)))
        elif word in game.ruleset.tiles:
            found["tile"] = word
        elif word in game.ruleset.pieces:
            found["piece"] = word
        else:
            assert word.startswith("market-"), f"name the noun of {word!r} by keyword"
            found["slot"] = word
    return Move(verb, **(found | nouns))


def play(game: Game, text: str, **nouns: Any) -> list[Event]:
    """Makes the move; it must be legal and among those that are listed."""
    wanted = move(game, text, **nouns)
    listed = _listed(game, wanted)
    events = game.apply(wanted)
    assert listed is not False, f"{wanted} is legal but not listed"
    return events


def refused(game: Game, text: str | Move, **nouns: Any) -> tuple[Violation, ...]:
    """Why the move is refused. It must be, nothing may change, and it may not be listed."""
    wanted = text if isinstance(text, Move) else move(game, text, **nouns)
    before = game.to_bytes()
    violations = game.verify(wanted)
    try:
        game.apply(wanted)
    except IllegalMove as error:
        assert error.violations == violations
    else:
        raise AssertionError(f"{wanted} was not refused")
    assert game.to_bytes() == before, "a refused move changed the game"
    assert not _listed(game, wanted), f"{wanted} is listed but refused"
    return violations


def legal(game: Game, text: str, **nouns: Any) -> bool:
    """Whether the move is legal; it must be listed if so, and only then."""
    wanted = move(game, text, **nouns)
    verified = not game.verify(wanted)
    assert _listed(game, wanted) in (verified, None), f"{wanted}: verified {verified}, listed {not verified}"
    return verified


def _listed(game: Game, wanted: Move) -> bool | None:
    """Whether the move is among those listed; None if there are too many to tell."""
    for number, found in enumerate(game.moves()):
        if found == wanted:
            return True
        if number > LISTED_AT_MOST:
            return None
    return False


def take_turn(game: Game) -> list[Event]:
    """A plain turn of whoever is to move: takes one open card, or passes if none lies there."""
    assert game.decision is not None
    assert game.decision.kind == "action", game.decision
    if game.state.display:
        return play(game, f"take_money {min(game.state.display)}")
    return play(game, "pass")


def hold_scoring(game: Game, number: int) -> list[Event]:
    """Brings scoring 1 or 2 about at the end of a plain turn; 3 is the end of the game."""
    if number == 3:
        return end_game(game)
    _offer_a_card(game)
    deck(game, f"scoring-{number}")
    return take_turn(game)


def end_game(game: Game) -> list[Event]:
    """Ends the game with a plain turn after which the market cannot be refilled; leftover tiles may be asked for.

    A full market would not end it: then the tile on the last space leaves the game.
    """
    state = game.state
    if "" not in state.market:
        state.box = (*state.box, state.market[-1])
        state.market = (*state.market[:-1], "")
    tower(game, only=True)
    _offer_a_card(game)
    return take_turn(game)


def _offer_a_card(game: Game) -> None:
    if not game.state.display:
        display(game, next(card for card in game.state.deck if game.ruleset.cards[card].kind == "money"))


# -- What happened ---------------------------------------------------------------------------------------------------


def codes(violations: Iterable[Violation]) -> list[str]:
    """The codes of the violations, as reported."""
    return [violation.code for violation in violations]


def fact(violations: Iterable[Violation], code: str) -> dict[str, Any]:
    """The metadata of the one violation of that code."""
    found = [violation for violation in violations if violation.code == code]
    assert len(found) == 1, found
    return dict(found[0].metadata)


def events_of(events: Iterable[Event], kind: str) -> list[dict[str, Any]]:
    """What everybody sees of the events of one kind, in order."""
    return [event.public for event in events if event.kind == kind]


def pieces(game: Game, key: str, viewer: int | None = None, **nouns: Any) -> list[dict[str, Any]]:
    """What a viewer sees of the pieces of a module, as far as they have these nouns."""
    seen: list[dict[str, Any]] = game.view(viewer)["pieces"][key]
    return [piece for piece in seen if all(piece.get(noun) == value for noun, value in nouns.items())]


def kinds(events: Iterable[Event]) -> list[str]:
    """The kinds of the events, in order."""
    return [event.kind for event in events]


def points(events: Iterable[Event], reason: str, **facts: Any) -> dict[int, int]:
    """What each seat scored for a reason, `points(events, "majority", type="tower")`; seats without are left out."""
    found: dict[int, int] = {}
    for line in events_of(events, "scored"):
        if line["reason"] == reason and all(line.get(key) == value for key, value in facts.items()):
            found[line["seat"]] = found.get(line["seat"], 0) + line["points"]
    return found


def turns(game: Game, number: int) -> list[Event]:
    """So many plain turns, one after another; the events of all of them."""
    events: list[Event] = []
    for _ in range(number):
        events += take_turn(game)
    return events
