"""Nothing leaks over the wire: what a seat receives does not depend on anything that it must not know.

By twins: in the middle of random games with all modules, everything that a seat cannot know is dealt anew under the
same id, version and tokens. Views, lists, dry runs, refusals, placements, pictures and the events of moves that reveal
nothing are then the same byte by byte, metadata of the calls included.

By two stories: streams, tails and exports are told by the log, which leads to one game only. Two games are played that
differ in nothing but what one seat chose in secret; everybody else is told the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import grpc
import pytest
from google.protobuf.message import Message

from alhambra import Game as RulesGame
from alhambra import Move, known_modules
from alhambra_api.v1 import boards_pb2, events_pb2, games_pb2, moves_pb2, nouns_pb2, views_pb2
from alhambra_service import limits
from alhambra_service.games.loaded_game import decode
from alhambra_service.messages.nouns import number_of
from alhambra_service.messages.translate import move_to
from alhambra_service.store import EmbeddedStore, StoredGame
from alhambra_service.store.keys import log_key, requests_key, state_key
from alhambra_service.store.stored_game import write_stored_game
from tests.rules.observation import probes
from tests.service.playing import Game, Host, Seat, play, random_move
from tests.service.serving import GameServer

SERVICE = "/alhambra_api.v1.GameService/"
SECONDS = 20.0
SPREAD = 9
"""Moves between two looks."""
LOOKS = 7
PROBES = 12
NEVER = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN)
Viewer = int | None


class Received(NamedTuple):
    """Everything of an answer that reaches the caller."""

    call: str
    code: str
    details: str
    body: bytes
    metadata: tuple[tuple[str, Any], ...]


@pytest.fixture(scope="module")
def server(embedded: EmbeddedStore) -> Iterator[GameServer]:
    running = GameServer(embedded.url)
    yield running
    running.stop()


@pytest.fixture
def loaded(server: GameServer, connect: Callable[[str], Host]) -> Host:
    return connect(server.address)


class Wire:
    """Calls whose answers are kept as bytes."""

    def __init__(self, address: str) -> None:
        self._channel = grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])

    def close(self) -> None:
        self._channel.close()

    def call(self, method: str, request: Message, token: str) -> Received:
        invoke: Any = self._channel.unary_unary(SERVICE + method, _bytes, None)
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        asked = f"{method} {request}"
        try:
            body, call = invoke.with_call(request, metadata=metadata, timeout=SECONDS)
        except grpc.RpcError as error:
            failed: Any = error
            assert failed.code() not in NEVER, (asked, failed.details())
            return Received(asked, failed.code().name, failed.details(), b"", _metadata(failed))
        return Received(asked, "OK", "", body, _metadata(call))


def _bytes(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


def _metadata(call: Any) -> tuple[tuple[str, Any], ...]:
    found = (*(call.initial_metadata() or ()), *(call.trailing_metadata() or ()))
    return tuple((name, value) for name, value in found if name != "grpc-message")


@pytest.fixture
def wire(server: GameServer) -> Iterator[Wire]:
    opened = Wire(server.address)
    yield opened
    opened.close()


# -- By twins ----------------------------------------------------------------------------------------------------------


def put(server: GameServer, game: str, record: StoredGame, state: bytes) -> None:
    """The game as if nothing had happened since the record, with this state."""
    client = server.store.client
    revision = server.store.read_game(game).revision + 1
    key = state_key(game)
    client.write(key, "SET", key, write_stored_game(replace(record, state=state, revision=revision)))
    trimmed = ("LTRIM", log_key(game), 0, record.version - 1) if record.version else ("UNLINK", log_key(game))
    client.write(key, *trimmed)
    client.write(key, "UNLINK", requests_key(game))
    server.store.cache.changed(game)


def questions(game: RulesGame, game_id: str, view: views_pb2.View, rng: Random) -> Iterator[tuple[str, Message]]:
    """Everything that a caller can ask without changing the game; moves among it are refused."""
    version = view.version
    yield "GetGame", games_pb2.GetGameRequest(game=game_id)
    for payments in (moves_pb2.PAYMENTS_BRIEF, moves_pb2.PAYMENTS_OFFERS, moves_pb2.PAYMENTS_ALL):
        yield "ListLegalMoves", moves_pb2.ListLegalMovesRequest(game=game_id, payments=payments, page_size=40)
    found = list(probes(game))
    for move in rng.sample(found, PROBES):
        request = moves_pb2.ApplyMoveRequest(game=game_id, move=move_to(move), version=version)
        if game.verify(move):
            yield "ApplyMove", request
        yield (
            "ApplyMove",
            moves_pb2.ApplyMoveRequest(game=game_id, move=request.move, version=version, validate_only=True),
        )
    tile = next((tile for tile in game.state.market if tile), "garden-8-ne")
    for seat in range(len(game.state.seats)):
        for choice in ("", "gate"):
            cell = nouns_pb2.Cell(x=rng.randint(-2, 2), y=rng.randint(-2, 2))
            placement = boards_pb2.Placement(tile=tile, cell=cell, choice=choice)
            yield "ValidatePlacement", boards_pb2.ValidatePlacementRequest(game=game_id, placement=placement, seat=seat)
        yield "ListLegalPlacements", boards_pb2.ListLegalPlacementsRequest(game=game_id, tile=tile, seat=seat)
        yield "GetBoardPicture", boards_pb2.GetBoardPictureRequest(game=game_id, seat=seat)
    if not view.can_undo:
        yield "Undo", games_pb2.UndoRequest(game=game_id, version=version)
    yield "ApplyMove", moves_pb2.ApplyMoveRequest(game=game_id, move=nouns_pb2.Move(verb="pass"), version=version + 1)


def quiet_moves(game: RulesGame, resampled: RulesGame, rng: Random) -> list[Move]:
    """Moves of the asked seat, legal in both, that draw and reveal nothing in either."""
    found = []
    listed = game.legal_moves()
    for move in rng.sample(listed, min(len(listed), 6)):
        both = [game.clone(), resampled.clone()]
        if not resampled.verify(move):
            for one in both:
                one.apply(move)
            if all(one.state.reveal_floor < one.state.depth and not one.over for one in both):
                found.append(move)
    return found[:2]


def look(server: GameServer, wire: Wire, game: Game, viewer: Viewer, rng: Random) -> int:
    """Compares what the viewer receives from the game and from a twin; answers with how many moves were compared."""
    record = server.store.read_game(game.id)
    stored = decode(record).game
    assert stored is not None
    resampled = stored.determinize(viewer, rng)
    token = "" if viewer is None else game.seats[viewer].token
    view = game.view() if viewer is None else game.seats[viewer].view()
    asked = list(questions(stored, game.id, view, rng))
    asked_seat = stored.decision is not None and stored.decision.seat == viewer
    moves = quiet_moves(stored, resampled, rng) if asked_seat else []
    states = {"game": record.state, "twin": resampled.state_bytes()}
    received: dict[str, list[Received]] = {}
    for name, state in states.items():
        put(server, game.id, record, state)
        answers = [wire.call(method, request, token) for method, request in asked]
        for move in moves:
            request = moves_pb2.ApplyMoveRequest(game=game.id, move=move_to(move), version=record.version)
            answers.append(wire.call("ApplyMove", request, token))
            assert answers[-1].code == "OK", answers[-1]
            put(server, game.id, record, state)
        received[name] = answers
    put(server, game.id, record, record.state)
    for mine, other in zip(received["game"], received["twin"], strict=True):
        assert mine == other, mine.call
    return len(moves)


@pytest.mark.parametrize("seats", [2, pytest.param(4, marks=pytest.mark.check_only)])
def test_what_a_seat_receives_is_byte_identical_in_the_redealt_twin(
    server: GameServer, loaded: Host, wire: Wire, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LISTING_SECONDS", SECONDS)  # a page that CPU time cuts short is never the same twice
    rng = Random(f"twins {seats}")
    game = loaded.create(seats, seed=f"noninterference {seats}", modules=known_modules())
    compared = 0
    for _ in range(LOOKS):
        for viewer in (None, *range(seats)):
            compared += look(server, wire, game, viewer, rng)
        view = play(game, rng, moves=SPREAD)
        assert view.status == views_pb2.GAME_STATUS_RUNNING
    assert compared > LOOKS / 2


# -- By two stories ----------------------------------------------------------------------------------------------------

STORIES = (("pavilion", "seraglio", "arcades", "N"), ("chambers", "garden", "tower", "S"))
"""What seat 1 picks in secret, and where its disc is laid."""
SIDES = {"N": nouns_pb2.Cell(y=-1), "S": nouns_pb2.Cell(y=1)}


def choose_in_secret(seat: Seat, story: tuple[str, ...]) -> None:
    """Three residents and a place for the disc: an answer each, none of them shown to anybody else."""
    *types, side = story
    for name in types:
        seat.apply(nouns_pb2.Move(verb="pick_resident", type=number_of("type", name)), seat.view().version)
    seat.apply(nouns_pb2.Move(verb="lay_disc", cell=SIDES[side]), seat.view().version)


def story_of(loaded: Host, story: tuple[str, ...]) -> Game:
    """A game up to the moment when the last seat has yet to choose."""
    game = loaded.create(3, seed="two stories", modules=["street_trader", "thieves"])
    rng = Random("two stories")
    while game.view().decision.seat != 1:
        asked = game.seats[game.view().decision.seat]
        asked.apply(*random_move(asked, 0, rng))
    choose_in_secret(game.seats[1], story)
    return game


def without_digits(event: str) -> str:
    """The id of an event without the digits of the link."""
    return event.rpartition(".")[0]


def told(game: Game, viewer: Viewer) -> list[bytes]:
    """The stream, the tail and the view of a seat or a spectator, without what names the game and its secret; ids of
    events have digits of links, which are keyed by the secret."""
    seat = game.seats.get(viewer) if viewer is not None else None
    metadata = seat.metadata if seat else ()
    request = events_pb2.WatchEventsRequest(game=game.id, from_version=0, past_only=True)
    found = list(game.stub.WatchEvents(request, metadata=metadata, timeout=SECONDS))
    tail = game.stub.GetGame(games_pb2.GetGameRequest(game=game.id, log_tail=200), metadata=metadata, timeout=SECONDS)
    messages = [*found, tail]
    for view in (found[0].snapshot.view, tail.view):
        view.game = ""
        view.fairness.Clear()
    snapshot = found[0].snapshot
    snapshot.last_event = without_digits(snapshot.last_event)
    for event in (*(message.event for message in found[1:]), *tail.log_tail):
        event.id = without_digits(event.id)
    body = game.stub.ExportGame(games_pb2.ExportGameRequest(game=game.id), metadata=metadata, timeout=SECONDS)
    return [*(_bytes(message) for message in messages), body.data]


@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_what_a_seat_chose_in_secret_is_told_to_nobody_else(loaded: Host, viewer: Viewer) -> None:
    one, other = (story_of(loaded, story) for story in STORIES)
    assert told(one, viewer) == told(other, viewer)
    assert told(one, 1) != told(other, 1)
