"""Players with habits: each does what its habit says, in any game, and leaves the game as it is until it acts."""

from __future__ import annotations

from collections import Counter
from copy import copy
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from alhambra import CURRENCIES, Game, Move, Options, known_modules
from alhambra.base.supply import SLOTS
from alhambra.players import (
    PLAYERS,
    Hoarder,
    NoveltySeeker,
    Player,
    RandomPlayer,
    Resign,
    Resigner,
    Spoiler,
    Table,
    Undo,
    Undoer,
    apply_action,
)
from alhambra.players.habits.undoer import UNDOS
from alhambra.ruleset import Question

MOVES = 300
"""As far as games are played where their end does not matter."""


def played(kinds: list[type[Player]], seats: int = 3, modules: list[str] | None = None, **options: Any) -> Game:
    """A game between such players, for some moves or to its end."""
    game, rng = Game.new(Options(seats, "habits", modules=modules or [], **options)), Random(1)
    table = Table.of(kinds, seats)
    while not game.over and game.version < MOVES:
        apply_action(game, table.next(game, rng))
    return game


def verbs(game: Game, seat: int) -> Counter[str]:
    return Counter(entry.move.verb for entry in game.log if entry.move is not None and entry.seat == seat)


# -- Every player ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", PLAYERS.values(), ids=PLAYERS)
def test_a_player_does_nothing_illegal_with_all_modules_on_and_looking_does_not_change_the_game(
    kind: type[Player],
) -> None:
    options = Options(3, "legal", modules=known_modules(), undo="by_consent")
    game, rng, table = Game.new(options), Random(2), Table.of([kind], 3)
    while not game.over and game.version < (MOVES // 40 if kind.is_slow else MOVES):
        before = game.state_bytes()
        action = table.next(game, rng)
        assert game.state_bytes() == before
        if isinstance(action, Move):
            assert game.verify(action) == ()
        elif isinstance(action, Undo):
            assert game.can_undo(action.seat, consent=action.consent) is None
        apply_action(game, action)


@pytest.mark.parametrize("kind", [kind for kind in PLAYERS.values() if not kind.is_slow], ids=lambda kind: kind.name)
def test_the_same_chance_leads_to_the_same_actions(kind: type[Player]) -> None:
    assert played([kind], undo="by_consent") == played([kind], undo="by_consent")


def test_the_players_of_a_table_are_seated_in_turn_and_every_seat_has_one_of_its_own() -> None:
    table = Table.of([Undoer, RandomPlayer], 5)
    assert [type(player) for player in table.players] == [Undoer, RandomPlayer, Undoer, RandomPlayer, Undoer]
    assert len({id(player) for player in table.players}) == 5


def test_an_interruption_comes_before_the_answer_and_never_from_a_seat_that_resigned() -> None:
    class Leaver(RandomPlayer):
        def interrupt(self, game: Game, seat: int, chance: Any) -> Resign:
            return Resign(seat)

    game, rng = Game.new(Options(4, "leaving")), Random(1)
    table = Table([RandomPlayer(), Leaver(), RandomPlayer(), Leaver()])
    for seat in (1, 3):
        action = table.next(game, rng)
        assert action == Resign(seat)
        apply_action(game, action)
    assert isinstance(table.next(game, rng), Move)


# -- Each habit --------------------------------------------------------------------------------------------------------


def test_a_hoarder_takes_money_as_long_as_it_can() -> None:
    game = played([Hoarder], turn_limit=30)
    assert {verb for seat in range(3) for verb in verbs(game, seat)} == {"take_money"}


@pytest.mark.parametrize(("last", "taken"), [("gulden-6", ("gulden-6",)), ("gulden-5", ("dirham-2", "dukat-3"))])
def test_a_hoarder_takes_as_much_as_it_may(last: str, taken: tuple[str, ...]) -> None:
    game = Game.new(Options(3, "much money"))
    game.state.display = ("dirham-2", "dukat-3", last)
    drawn = {Hoarder().answer(game, Random(number)) for number in range(20)}
    assert Move("take_money", display=taken) in drawn
    assert {
        sum(game.ruleset.cards[card].value for card in move.display) for move in drawn if isinstance(move, Move)
    } == {int(last[-1])}


def test_a_hoarder_buys_only_if_nothing_else_is_legal() -> None:
    game = Game.new(Options(3, "forced"))
    assert game.decision is not None
    seat = game.state.seats[game.decision.seat]
    seat.hand = tuple(sorted({*seat.hand, "denar-9", "dirham-9", "dukat-9", "gulden-9"}))
    game.state.display = ()
    action = Hoarder().answer(game, Random(1))
    assert isinstance(action, Move)
    assert action.verb == "buy", "passing is refused to a seat that can buy"


def test_a_hoarder_builds_from_its_reserve_rather_than_buying() -> None:
    game = Game.new(Options(3, "forced"))
    assert game.decision is not None
    seat = game.state.seats[game.decision.seat]
    seat.hand = tuple(sorted({*seat.hand, "denar-9", "dirham-9", "dukat-9", "gulden-9"}))
    seat.reserve = tuple(name for name in game.state.tower if game.ruleset.tiles[name].walls == 0)[:3]
    game.state.display = ()
    assert any(move.verb == "buy" for move in game.legal_moves())
    drawn = [Hoarder().answer(game, Random(number)) for number in range(10)]
    assert {move.verb for move in drawn if isinstance(move, Move)} == {"add"}


def test_a_resigner_leaves_sooner_or_later_and_the_game_goes_on_without_it() -> None:
    game = played([Resigner, RandomPlayer, RandomPlayer])
    assert [(entry.kind, entry.seat) for entry in game.log if entry.kind != "move"] == [("resign", 0)]
    left = next(place for place, entry in enumerate(game.log) if entry.kind == "resign")
    assert 0 < left < len(game.log) - 1


def test_resigners_leave_when_they_are_asked_and_while_others_are() -> None:
    own = other = 0
    for number in range(40):
        game, rng = Game.new(Options(4, f"resigning {number}")), Random(number)
        table = Table.of([Resigner], 4)
        while not game.over:
            action = table.next(game, rng)
            if isinstance(action, Resign):
                assert game.decision is not None
                own += action.seat == game.decision.seat
                other += action.seat != game.decision.seat
            apply_action(game, action)
    assert own > 0
    assert other > 0


def test_an_undoer_takes_back_with_and_without_consent_and_several_moves_in_a_row_but_not_for_ever() -> None:
    consents: Counter[bool] = Counter()
    rows = 0
    for number in range(6):
        game, rng = Game.new(Options(3, f"undoing {number}", undo="by_consent")), Random(number)
        table = Table.of([Undoer], 3)
        while not game.over:
            action = table.next(game, rng)
            if isinstance(action, Undo):
                consents[action.consent] += 1
                rows += game.log[-1].kind == "undo"
            apply_action(game, action)
        assert 0 < sum(entry.kind == "undo" for entry in game.log) <= 3 * UNDOS
    assert consents[False] > 0
    assert consents[True] > 0
    assert rows > 0


def test_an_undoer_asks_for_no_consent_where_none_can_be_given() -> None:
    game = played([Undoer], undo="none")
    assert all(entry.kind == "move" for entry in game.log)


def test_a_spoiler_buys_the_tile_that_the_others_have_most_of() -> None:
    game = Game.new(Options(3, "spoiling"))
    assert game.decision is not None
    own = game.decision.seat
    tiles = game.ruleset.tiles
    kind = tiles[game.state.market[0]].parts[0].type
    slots = {slot for slot, tile in zip(SLOTS, game.state.market, strict=True) if tiles[tile].parts[0].type == kind}
    board = game.state.seats[(own + 1) % 3].board.copy()
    for place, tile in enumerate([name for name in game.state.tower if tiles[name].parts[0].type == kind][:4]):
        board.put(tiles[tile], 20 + 2 * place, 20)
    game.state.seats[(own + 1) % 3].board = board
    game.state.seats[own].hand = tuple(sorted(f"{currency}-{value}" for currency in CURRENCIES for value in (7, 8, 9)))
    for number in range(10):
        action = Spoiler().answer(game, Random(number))
        assert isinstance(action, Move)
        assert action.verb == "buy"
        assert action.slot in slots
    assert len(slots) < len(SLOTS)


def test_a_spoiler_builds_nothing_and_takes_single_cards() -> None:
    game = played([Spoiler])
    made = [entry.move for entry in game.log if entry.move is not None]
    assert {move.verb for move in made} >= {"buy", "reserve", "take_money"}
    assert "place" not in {move.verb for move in made}
    assert {len(move.display) for move in made if move.verb == "take_money"} == {1}


def test_a_novelty_seeker_draws_the_verb_it_made_least_often_and_remembers_it_over_games() -> None:
    seeker = NoveltySeeker()
    seeker.made.update(take_money=1)
    game = Game.new(Options(3, "novel"))
    assert game.decision is not None
    seat = game.state.seats[game.decision.seat]
    seat.hand = tuple(sorted({*seat.hand, "denar-9", "dirham-9", "dukat-9", "gulden-9"}))
    action = seeker.answer(game, Random(1))
    assert isinstance(action, Move)
    assert action.verb == "buy"
    assert seeker.made == Counter(take_money=1, buy=1)


def test_a_novelty_seeker_makes_the_choice_that_it_made_least_often() -> None:
    game, seeker = Game.new(Options(2, "novel")), NoveltySeeker()
    rare = Move("add", "a", cell=(1, 0), choice="gate")
    common = rare._replace(choice=None)
    seeker.kinds[("add", None, 0)] = 5
    verb = replace(game.ruleset.verbs["add"], moves=lambda *_given: iter((common, rare, common)), brief=None)
    game.ruleset = copy(game.ruleset)
    game.ruleset.questions = {"action": Question(game.question().kind, (verb,))}
    assert seeker.answer(game, Random(1)) == rare
