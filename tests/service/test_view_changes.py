"""Views as changes: applied to an earlier view they give the whole view, and they tell no more than it does."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from alhambra import Game, Options, known_modules
from alhambra.players import MOVERS
from alhambra_api.v1 import events_pb2, games_pb2, included_pb2, views_pb2
from alhambra_gateway.json_messages import writer
from alhambra_service.games.answers.game_answer import GameAnswer, Include, Viewer
from alhambra_service.games.loaded_game import LoadedGame
from alhambra_service.messages.encoded_views import checksum, view_to
from tests.gateway.conformity import faults_of

from .conftest import StartProcess
from .playing import PATIENCE, Host
from .random_games import seated

GAME_ID = "abcdefghijkl"
KEY = b"key of a test"
ALL = Include(changes=True, moves=True, scores=True, pictures=True)
EVERYTHING = [number for number in included_pb2.Include.values() if number]
MOVES = 25


def applied(view: views_pb2.View, marks: dict[str, int], changes: views_pb2.View) -> views_pb2.View:
    """The view after changes, as the contract says how: each part that has a mark is replaced."""
    new = views_pb2.View()
    new.CopyFrom(changes)
    for name in ("setup", "orders", "table", "seats", "modules", "parts"):
        new.ClearField(name)
    named = changes.parts.marks
    for name in ("setup", "table"):
        source = changes if name in named else view
        if source.HasField(name):  # type: ignore[arg-type]
            getattr(new, name).CopyFrom(getattr(source, name))
    new.orders.extend((changes if "orders" in named else view).orders)
    sent = {seat.seat: seat for seat in changes.seats}
    old = {seat.seat: seat for seat in view.seats}
    for number in sorted(sent | old):
        seat = new.seats.add()
        seat.CopyFrom(sent[number] if f"seats.{number}" in named else old[number])
        board = sent[number] if f"seats.{number}.alhambra" in named else old[number]
        for field in ("alhambra", "gates"):
            seat.ClearField(field)
            getattr(seat, field).extend(getattr(board, field))
    for key in view.modules.keys() | changes.modules.keys():
        new.modules[key].CopyFrom((changes if f"modules.{key}" in named else view).modules[key])
    marks.update(named)
    assert checksum(marks) == changes.parts.checksum
    return new


def moves(seed: str, modules: tuple[str, ...]) -> Iterator[LoadedGame]:
    """One game after each of its moves, as the service hands it on."""
    loaded = seated(Game.new(Options(seats=3, seed=seed, modules=modules)))
    rng = Random(seed)
    for _ in range(MOVES):
        yield loaded
        assert loaded.game is not None
        game = loaded.game.clone()
        game.apply(MOVERS["random"](game, rng))
        loaded = replace(loaded, game=game)


@pytest.mark.parametrize("modules", [(), tuple(known_modules())], ids=["base", "all"])
@pytest.mark.parametrize("seat", [None, 1])
def test_changes_give_the_whole_view(seat: int | None, modules: tuple[str, ...]) -> None:
    view, marks, known = views_pb2.View(), dict[str, int](), None
    for loaded in moves("changes", modules):
        told = GameAnswer(KEY, GAME_ID, loaded, Viewer(seat, None, ALL))
        changes = views_pb2.View.FromString(told.view(known))
        assert faults_of(writer(changes.DESCRIPTOR)(changes), "components", "schemas", "View") == []
        view = applied(view, marks, changes)
        assert view == view_to(loaded, seat, game_id=GAME_ID)
        known = told.marks


def test_changes_name_a_few_parts_of_a_game_with_all_modules() -> None:
    sizes, known = [], None
    for loaded in moves("few parts", tuple(known_modules())):
        told = GameAnswer(KEY, GAME_ID, loaded, Viewer(0, None, ALL))
        if known is not None:
            changes = views_pb2.View.FromString(told.view(known))
            sizes.append(len(changes.parts.marks) / len(told.marks))
        known = told.marks
    assert sum(sizes) / len(sizes) < 0.3


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_marks_tell_nothing_that_the_viewer_cannot_see(seat: int | None) -> None:
    for number, loaded in enumerate(moves("twins", tuple(known_modules()))):
        assert loaded.game is not None
        other = loaded.game.determinize(seat, Random(number))
        twin = seated(other)
        mine = GameAnswer(KEY, GAME_ID, loaded, Viewer(seat, None, ALL))
        theirs = GameAnswer(KEY, GAME_ID, replace(twin, stored=loaded.stored), Viewer(seat, None, ALL))
        assert mine.marks == theirs.marks


def test_a_seat_whose_alhambra_alone_differs_has_all_that_the_api_document_promises() -> None:
    *_, loaded = moves("an Alhambra", ())
    told = GameAnswer(KEY, GAME_ID, loaded, Viewer(0, None, ALL))
    known = {**told.marks, "seats.1.alhambra": told.marks["seats.1.alhambra"] ^ 1}
    changes = views_pb2.View.FromString(told.view(known))
    assert list(changes.parts.marks) == ["seats.1.alhambra"]
    assert faults_of(writer(changes.DESCRIPTOR)(changes), "components", "schemas", "View") == []
    (seat,) = changes.seats
    whole = view_to(loaded, 0, game_id=GAME_ID).seats[1]
    assert (seat.seat, seat.occupancy, seat.name) == (1, whole.occupancy, "")
    assert seat.alhambra == whole.alhambra


def test_a_part_that_changed_in_hidden_ways_is_not_named() -> None:
    *_, loaded = moves("hidden", tuple(known_modules()))
    assert loaded.game is not None
    twin = replace(loaded, game=loaded.game.determinize(0, Random(5)))
    known = GameAnswer(KEY, GAME_ID, loaded, Viewer(0, None, ALL)).marks
    told = GameAnswer(KEY, GAME_ID, twin, Viewer(0, None, ALL))
    assert twin.game is not None and twin.game.state.deck != loaded.game.state.deck
    assert not views_pb2.View.FromString(told.view(known)).parts.marks


def test_pictures_and_scores_are_sent_only_if_they_differ() -> None:
    known, told_scores, told_pictures = None, 0, 0
    for loaded in moves("pictures", ()):
        told = GameAnswer(KEY, GAME_ID, loaded, Viewer(0, None, ALL))
        included = included_pb2.Included.FromString(told.included(known))
        if known is None:
            assert [picture.seat for picture in included.pictures] == [0, 1, 2]
            assert len(included.scores.scores) == 3
        else:
            told_scores += included.HasField("scores")
            told_pictures += len(included.pictures)
        known = told.marks
    assert 0 < told_scores < MOVES
    assert 0 < told_pictures < MOVES


# -- Over gRPC -------------------------------------------------------------------------------------------------------


def test_an_answer_to_a_move_holds_what_is_drawn_next(host: Host) -> None:
    game = host.create(3, seed="drawn next")
    seat = game.seats[game.view().decision.seat]
    first = seat.call("GetGame", games_pb2.GetGameRequest(game=game.id, include=EVERYTHING))
    assert not first.view.parts.changes_only
    assert first.included.moves == seat.moves(page_size=500)
    marks = dict(first.view.parts.marks)
    answer = seat.apply(
        first.included.moves.moves[0].move,
        first.view.version,
        include=EVERYTHING,
        known_checksum=first.view.parts.checksum,
    )
    assert answer.view.parts.changes_only
    assert applied(first.view, marks, answer.view) == seat.view(answer.version)
    asked = answer.view.decision.seat == seat.number
    assert answer.included.HasField("moves") == asked


def test_an_unknown_view_is_answered_with_the_whole_one(host: Host) -> None:
    game = host.create(2, seed="unknown view")
    request = games_pb2.GetGameRequest(game=game.id, include=EVERYTHING, known_checksum=12345)
    view = game.seats[0].call("GetGame", request).view
    assert not view.parts.changes_only
    assert checksum(view.parts.marks) == view.parts.checksum


def test_a_view_of_another_seat_is_unknown(host: Host) -> None:
    game = host.create(2, seed="another seat")
    request = games_pb2.GetGameRequest(game=game.id, include=EVERYTHING)
    other = game.seats[1].call("GetGame", request).view.parts.checksum
    request.known_checksum = other
    assert not game.seats[0].call("GetGame", request).view.parts.changes_only


def test_a_view_that_another_process_sent_is_known_to_the_one_that_moves(
    host: Host, start_process: StartProcess
) -> None:
    elsewhere = Host(start_process())
    game = host.create(2, seed="two processes")
    seats = elsewhere.game(game.id, {number: seat.token for number, seat in game.seats.items()}).seats
    number = game.view().decision.seat
    first = seats[number].call("GetGame", games_pb2.GetGameRequest(game=game.id, include=EVERYTHING))
    answer = game.seats[number].apply(
        first.included.moves.moves[0].move,
        first.view.version,
        include=EVERYTHING,
        known_checksum=first.view.parts.checksum,
    )
    assert answer.view.parts.changes_only
    elsewhere.close()


def test_a_stream_of_changes_needs_no_other_call(host: Host) -> None:
    game = host.create(2, seed="stream of changes", modules=["thieves", "change"])
    watcher = game.seats[1]
    request = events_pb2.WatchEventsRequest(game=game.id, snapshots=True, include=EVERYTHING)
    stream = game.stub.WatchEvents(request, metadata=watcher.metadata, timeout=PATIENCE)
    marks: dict[str, int] = {}
    view = applied(views_pb2.View(), marks, next(stream).snapshot.view)
    for _ in range(6):
        mover = game.seats[view.decision.seat]
        move = mover.moves().moves[0].move
        answer = mover.apply(move, view.version, include=EVERYTHING, known_checksum=checksum(marks))
        if mover is watcher:
            view = applied(view, marks, answer.view)
        snapshot = next(message.snapshot for message in stream if message.HasField("snapshot"))
        assert snapshot.view.parts.changes_only
        view = applied(view, marks, snapshot.view)
        assert view == watcher.view(view.version)
        assert snapshot.included.HasField("moves") == (view.decision.seat == watcher.number and mover is not watcher)
    stream.cancel()
