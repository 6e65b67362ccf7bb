"""Every accepted move is made exactly once and in order, whoever repeats, retries or talks out of turn."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random

import grpc
import pytest

from alhambra import Game as RulesGame
from alhambra.export import read_entry
from alhambra_api.v1 import games_pb2, moves_pb2, nouns_pb2, views_pb2
from alhambra_service.games.loaded_game import LoadedGame, decode
from alhambra_service.store import EmbeddedStore, GameStore, first_broken

from .conftest import StartProcess
from .playing import Failure, Game, Host, NotAsked, Seat, failure, play, random_move, refused
from .serving import GameServer

CLIENTS = 50
GAMES = 5
MOVES = 24
CALLS_OF_A_CLIENT = 400


def first_move(game: Game) -> tuple[nouns_pb2.Move, int]:
    view = game.view()
    return random_move(game.seats[view.decision.seat], view.version, Random(1))


def asked(game: Game) -> int:
    return game.view().decision.seat


def test_the_same_request_again_is_answered_with_the_first_outcome(host: Host) -> None:
    game = host.create(2)
    seat = game.seats[asked(game)]
    move, version = first_move(game)
    first = seat.apply(move, version, request_id="one")
    assert seat.apply(move, version, request_id="one") == first
    view = play(game, Random(2), moves=6)
    again = seat.apply(move, version, request_id="one")
    assert (again.version, list(again.events)) == (first.version, list(first.events))
    assert again.view.seats == first.view.seats
    assert again.view.fairness.link == first.view.fairness.link
    assert game.view().version == view.version


def test_the_same_request_id_with_another_content_is_refused(host: Host) -> None:
    game = host.create(2)
    seat = game.seats[asked(game)]
    move, version = first_move(game)
    answer = seat.apply(move, version, request_id="one")
    other = nouns_pb2.Move(verb="pass")
    for call in (
        lambda: seat.apply(other, version, request_id="one"),
        lambda: seat.apply(move, version + 1, request_id="one"),
        lambda: seat.resign(request_id="one"),
    ):
        found = failure(call)
        assert (found.code, found.reason) == (grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED")
    assert game.view().version == answer.version


def test_an_opponent_who_gives_orders_again_and_again_flushes_no_request(host: Host) -> None:
    game = host.create(2, modules=["thieves"])
    view = game.view()
    seat, other = game.seats[view.decision.seat], game.seats[1 - view.decision.seat]
    move, version = random_move(seat, view.version, Random(1))
    first = seat.apply(move, version, request_id="one")
    order = views_pb2.Order(decision="window", answer="pass")
    for number in range(70):
        other.set_orders(*[order] * (number % 2), request_id=f"orders {number}")
    assert seat.apply(move, version, request_id="one") == first


def test_orders_that_change_nothing_are_no_commit(host: Host, game_server: GameServer) -> None:
    game = host.create(2, modules=["thieves"])
    order = views_pb2.Order(decision="window", answer="pass")
    game.seats[0].set_orders(order)
    revision = game_server.store.read_game(game.id).revision
    game.seats[0].set_orders(order, request_id="again")
    game.seats[1].set_orders()
    assert game_server.store.read_game(game.id).revision == revision
    game.seats[0].set_orders()
    assert game_server.store.read_game(game.id).revision == revision + 1


def test_request_ids_of_different_seats_do_not_meet(host: Host) -> None:
    game = host.create(2)
    view = play(game, Random(3), moves=1)
    versions = {view.version}
    for _ in range(6):
        seat = game.seats[view.decision.seat]
        move, version = random_move(seat, view.version, Random(4))
        view = seat.apply(move, version, request_id=f"turn {view.turn.number} {view.version // 2}").view
        versions.add(view.version)
    assert len(versions) == 7


def test_a_stale_version_is_refused_with_the_current_one(host: Host) -> None:
    game = host.create(2)
    seat = game.seats[asked(game)]
    move, version = first_move(game)
    answer = seat.apply(move, version)
    for sent in (version, answer.version + 5):
        found = failure(partial(seat.apply, move, sent))
        assert found.code == grpc.StatusCode.ABORTED
        assert found.reason == "VERSION_STALE"
        assert found.info.metadata["version"] == str(answer.version)


def test_nobody_stalls_a_table_by_writing_out_of_turn(host: Host) -> None:
    game = host.create(3)
    view = game.view()
    decides = view.decision.seat
    others = [seat for number, seat in game.seats.items() if number != decides]
    move, version = random_move(game.seats[decides], view.version, Random(5))
    assert refused(lambda: others[0].apply(move, version)) == "NOT_YOUR_DECISION"
    left = others[0].resign()
    assert left.version > version
    assert left.view.decision.since_version == view.decision.since_version
    answer = game.seats[decides].apply(move, version)
    assert answer.version > left.version


def test_a_dry_run_judges_and_changes_nothing(host: Host) -> None:
    game = host.create(2)
    seat = game.seats[asked(game)]
    listed = seat.moves(verb="buy", payments=moves_pb2.PAYMENTS_ALL)
    offer = listed.offers[0]
    unpaid = nouns_pb2.Move(verb="buy", slot=offer.move.slot)
    answer = seat.apply(unpaid, listed.version, validate_only=True, request_id="dry")
    assert not answer.events
    assert not answer.HasField("view")
    assert not answer.verdict.legal
    assert answer.verdict.violations[0].code == "UNDERPAID"
    assert (answer.verdict.price, answer.verdict.paid) == (offer.price, 0)
    take = seat.moves(verb="take_money").moves[0].move
    good = seat.apply(take, listed.version, validate_only=True, request_id="dry")
    assert good.verdict.legal
    assert not good.events
    nonsense = seat.apply(nouns_pb2.Move(verb="take_money", seat=-1), listed.version, validate_only=True)
    assert [one.code for one in nonsense.verdict.violations] == ["NOUN_MALFORMED"]
    other = game.seats[1 - seat.number].apply(take, listed.version, validate_only=True)
    assert [one.code for one in other.verdict.violations] == ["NOT_YOUR_DECISION"]
    assert game.view().version == listed.version
    assert seat.apply(take, listed.version, request_id="dry").version > listed.version


# -- Two processes, one store ----------------------------------------------------------------------------------------


class Client:
    """Plays whatever seat is asked, repeats itself, and hurries others."""

    def __init__(self, number: int, games: list[list[Game]], accepted: dict[tuple[str, int], bytes]) -> None:
        self._rng = Random(number)
        self._games = games
        self._accepted = accepted
        self._number = number
        self.refusals: list[str] = []

    def run(self) -> None:
        for call in range(CALLS_OF_A_CLIENT):
            open_games = [game for game in self._games if self._one_call(game, call)]
            if not open_games:
                return

    def _one_call(self, doors: list[Game], call: int) -> bool:
        game = self._rng.choice(doors)
        view = game.view()
        if view.version >= MOVES or view.status != views_pb2.GAME_STATUS_RUNNING:
            return False
        seat = game.seats[view.decision.seat]
        try:
            move, version = random_move(seat, view.version, self._rng)
        except NotAsked:
            return True
        if self._rng.random() < 0.2:
            version = max(0, version - 1)
        request_id = f"{self._number} {call}"
        for _ in range(self._rng.choice((1, 1, 2, 3))):  # the same again, through any door
            door = self._rng.choice(doors).seats[seat.number]
            if self._rng.random() < 0.1:
                door = self._rng.choice(doors).seats[(seat.number + 1) % len(game.seats)]
                self._try(door, move, version, "")
            else:
                self._try(door, move, version, request_id)
        return True

    def _try(self, seat: Seat, move: nouns_pb2.Move, version: int, request_id: str) -> None:
        try:
            answer = seat.apply(move, version, request_id=request_id)
        except grpc.RpcError as error:
            self.refusals.append(Failure(error).reason)
            return
        line = b"%d %b" % (seat.number, move.SerializeToString(deterministic=True))
        key = (seat.game.id, answer.events[0].version)
        assert self._accepted.setdefault(key, line) == line, "two moves were told the same version"


@pytest.mark.check_only
def test_two_processes_and_fifty_clients_make_each_move_once_and_in_order(
    start_process: StartProcess, connect: Callable[[str], Host], embedded: EmbeddedStore
) -> None:
    doors = [connect(start_process()) for _ in range(2)]
    games = []
    for number in range(GAMES):
        first = doors[number % 2].create(2 + number % 3)
        tokens = {seat.number: seat.token for seat in first.seats.values()}
        games.append([first, doors[1 - number % 2].game(first.id, tokens)])
    accepted: dict[tuple[str, int], bytes] = {}
    clients = [Client(number, games, accepted) for number in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as pool:
        for done in [pool.submit(client.run) for client in clients]:
            done.result()
    reasons = {reason for client in clients for reason in client.refusals}
    assert reasons <= {"VERSION_STALE", "NOT_YOUR_DECISION", "GAME_OVER"}, reasons
    assert "VERSION_STALE" in reasons
    store: GameStore[LoadedGame] = GameStore.open(embedded.url, decode)
    try:
        for game, _ in games:
            assert_intact(store, game.id, {version for played, version in accepted if played == game.id})
    finally:
        store.close()


def assert_intact(store: GameStore[LoadedGame], game: str, told: set[int]) -> None:
    """The log has no gap, its chain holds, it leads to the stored state, and it is what clients were told."""
    loaded = store.load(game, fresh=True)
    log = store.log(game)
    assert [entry.version for entry in log] == list(range(1, loaded.version + 1))
    assert loaded.version >= MOVES
    opening = loaded.stored.dealt(RulesGame.new(loaded.options)).link
    assert first_broken(loaded.stored.secret, opening, log) is None
    replayed = RulesGame.replay(loaded.options, [read_entry(entry.text) for entry in log])
    assert replayed.state_bytes() == loaded.stored.state
    assert told == set(range(1, loaded.version + 1))


def test_a_lost_creation_is_repeated_with_the_same_game_and_the_same_keys(host: Host) -> None:
    seats = [{"claim": True}, {}]
    first = host.create(seats, request_id="a game of mine")
    again = host.create(seats, request_id="a game of mine")
    assert again.id == first.id
    assert again.created.seat_keys == first.created.seat_keys
    assert refused(lambda: host.create(3, request_id="a game of mine")) == "REQUEST_ID_REUSED"
    first.claim(1)
    view = play(first, Random(7), moves=100)
    late = host.create(seats, request_id="a game of mine")
    assert late.created.seat_keys == first.created.seat_keys
    assert late.created.version >= view.version


def test_creations_at_once_under_one_request_id_are_one_game(host: Host) -> None:
    barrier = threading.Barrier(8)

    def create() -> games_pb2.CreateGameResponse:
        barrier.wait()
        return host.create(2, request_id="all at once").created

    with ThreadPoolExecutor(8) as pool:
        made = [done.result() for done in [pool.submit(create) for _ in range(8)]]
    assert {one.game for one in made} == {made[0].game}
    assert all(one.seat_keys == made[0].seat_keys for one in made)


def test_a_server_that_is_behind_asks_the_store_before_it_refuses(
    start_server: Callable[..., GameServer], connect: Callable[[str], Host]
) -> None:
    one, two = (connect(start_server().address) for _ in range(2))
    game = one.create(2)
    tokens = {seat.number: seat.token for seat in game.seats.values()}
    doors = [game, two.game(game.id, tokens)]
    view = game.view()
    for turn in range(30):
        seat = doors[turn % 2].seats[view.decision.seat]
        move, version = random_move(seat, view.version, Random(turn))
        view = seat.apply(move, version).view
    assert view.version >= 30
