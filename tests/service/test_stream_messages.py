"""Streams of events: what is told while one is open, signs of life, and the end."""

import time
from dataclasses import replace

import grpc
import pytest

from alhambra_api.v1 import events_pb2, games_pb2, moves_pb2, views_pb2
from alhambra_service import limits
from alhambra_service.games.game_change import GameChange
from alhambra_service.games.game_commands import SeatProof
from alhambra_service.games.loaded_game import Proposal
from alhambra_service.messages.translate import move_to
from alhambra_service.store.keys import state_key

from .store.servers import RealServer
from .watchers import PATIENCE, Place, Seats, ids, reason_of

# -- Moves, wherever they are made -------------------------------------------------------------------------------------


def test_moves_over_the_wire_are_told_too(seats: Seats) -> None:
    with seats.watched() as reader:
        reader.snapshot()
        loaded = seats.loaded
        assert loaded.game is not None and loaded.decision is not None
        move = move_to(loaded.game.legal_moves()[0])
        request = moves_pb2.ApplyMoveRequest(game=seats.game, move=move, version=0)
        answer = seats.place.stub.ApplyMove(request, metadata=seats.headers(loaded.decision.seat))
        assert ids(reader.events(len(answer.events))) == ids(list(answer.events))


def test_what_happens_through_another_process_is_told_at_once(
    store_url: str, seats: Seats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only when the game is compared with the store, because nothing was heard of it for a while."""
    monkeypatch.setattr(limits, "STREAM_SILENCE_SECONDS", 100 * PATIENCE)
    other = Place(store_url)
    with seats.watched() as reader:
        reader.snapshot()
        seats.place, first = other, seats.place
        seats.play(5)
        expected = seats.past(first=1)
        assert reader.events(len(expected)) == expected
        seats.place = first
    other.stop()


# -- What changes beside the events ------------------------------------------------------------------------------------


def test_seats_that_are_claimed_are_told_by_snapshots_and_the_last_one_deals(place: Place) -> None:
    seats = Seats(place, seats=[games_pb2.SeatSetup()] * 2, seed="")
    with seats.watched() as reader:
        waiting = reader.snapshot()
        assert waiting.view.status == views_pb2.GAME_STATUS_WAITING
        assert waiting.last_event == ""
        claim = games_pb2.ClaimSeatRequest(game=seats.game, invitation=seats.invitations[0])
        place.stub.ClaimSeat(claim)
        assert reader.snapshot().view.seats[0].occupancy == views_pb2.OCCUPANCY_CLAIMED
        place.stub.ClaimSeat(games_pb2.ClaimSeatRequest(game=seats.game, invitation=seats.invitations[1]))
        *events, snapshot = reader.until("snapshot")
        assert [message.event for message in events] == seats.past()
        assert snapshot.snapshot.view.status == views_pb2.GAME_STATUS_RUNNING
        assert snapshot.snapshot.last_event == events[-1].event.id


def test_standing_orders_are_shown_to_their_own_seat_alone(seats: Seats) -> None:
    seats = Seats(seats.place, modules=["viziers_favour"])
    with seats.watched(0) as own, seats.watched(1) as other, seats.watched() as spectator:
        for reader in (own, other, spectator):
            reader.snapshot()
        order = views_pb2.Order(decision="window", answer="pass")
        request = games_pb2.SetOrdersRequest(game=seats.game, orders=[order])
        seats.place.stub.SetOrders(request, metadata=seats.headers(0))
        assert own.snapshot().view.orders[0].decision == "window"
        assert other.quiet() and spectator.quiet()


def test_an_undo_that_is_proposed_is_told_by_a_snapshot(place: Place) -> None:
    options = games_pb2.CreateGameRequest().options
    options["undo"].text = "by_consent"
    seats = Seats(place, options=options)
    with seats.watched() as reader:
        reader.snapshot()
        loaded = seats.loaded
        changed = replace(loaded, proposal=Proposal(0, loaded.version, (1,)))
        place.commands.save(seats.game, GameChange.of_seats(changed))
        assert reader.snapshot().view.undo_proposal.waiting_for == [1]


def test_undo_and_resignation_are_told(seats: Seats) -> None:
    seat, purchase = seats.play_until("buy")
    with seats.watched() as reader:
        proof = SeatProof(seat, seats.loaded.tokens[seat])
        bought = seats.place.commands.apply(seats.game, proof, purchase, reader.snapshot().view.version)
        assert "paid" in [event.kind for event in reader.events(len(bought.events))]
        undo = games_pb2.UndoRequest(game=seats.game, version=bought.loaded.version)
        undone = seats.place.stub.Undo(undo, metadata=seats.headers(seat))
        assert "undone" in [event.kind for event in reader.events(len(undone.events))]
        resign = games_pb2.ResignRequest(game=seats.game)
        resigned = seats.place.stub.Resign(resign, metadata=seats.headers(1))
        assert "resigned" in [event.kind for event in reader.events(len(resigned.events))]


def test_a_fresh_snapshot_follows_each_group_of_events_for_who_wants_it(seats: Seats) -> None:
    with seats.watched(snapshots=True) as reader:
        reader.snapshot()
        for version in (1, 2, 3):
            seats.play()
            *events, snapshot = reader.until("snapshot")
            assert {message.event.version for message in events} == {version}
            assert snapshot.snapshot.view.version == version
            assert snapshot.snapshot.last_event == events[-1].event.id


def test_a_decision_whose_time_is_up_is_answered_while_somebody_watches(place: Place) -> None:
    seats = Seats(place, turn_seconds=1)
    with seats.watched() as reader:
        deadline = reader.snapshot().view.decision.deadline
        assert reader.next().event.version == 1
        assert time.time() >= deadline.ToMilliseconds() / 1000


# -- Signs of life, and the end ----------------------------------------------------------------------------------------


def test_a_quiet_stream_gets_signs_of_life_with_the_version(seats: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STREAM_SILENCE_SECONDS", 0.3)
    seats.play(2)
    with seats.watched() as reader:
        reader.snapshot()
        assert [reader.next().keep_alive.version for _ in range(3)] == [2, 2, 2]


def test_what_no_one_was_told_of_is_found_at_the_next_sign_of_life(
    seats: Seats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the word of a change was lost: the version is compared with the store."""
    monkeypatch.setattr(limits, "STREAM_SILENCE_SECONDS", 0.5)
    monkeypatch.setattr(seats.place.watching.open, "check", lambda following: None)
    with seats.watched() as reader:
        reader.snapshot()
        seats.play()
        found = reader.until("event")
        assert found[-1].event.version == 1


def test_a_deletion_that_was_told_together_with_an_own_commit_ends_the_streams_soon(
    seats: Seats, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, key = seats.place.store.cache, state_key(seats.game)
    hear, heard = cache.changed, list[str]()

    def hear_once(game: str) -> None:
        if not heard:
            heard.append(game)
            seats.place.store.client.write(key, "UNLINK", key)
            hear(game)

    with seats.watched() as reader:
        reader.snapshot()
        loaded = seats.loaded
        assert loaded.game is not None and loaded.decision is not None
        seat = loaded.decision.seat
        monkeypatch.setattr(cache, "changed", hear_once)
        seats.place.commands.apply(seats.game, SeatProof(seat, loaded.tokens[seat]), loaded.game.legal_moves()[0], 0)
        told = reader.until("resume")
        assert told[0].event.version == 1
        assert told[-1].resume.because == "deleted"


def test_a_deleted_game_ends_its_streams_with_a_clear_status(seats: Seats) -> None:
    with seats.watched() as reader, seats.watched(0) as own:
        last = reader.snapshot().last_event
        own.snapshot()
        seats.place.stub.DeleteGame(games_pb2.DeleteGameRequest(game=seats.game))
        for stream in (reader, own):
            assert stream.next().resume == events_pb2.Resume(after=last, because="deleted")
            assert stream.at_end() is grpc.StatusCode.NOT_FOUND
            assert reason_of(stream.call)[1] == "GAME_NOT_FOUND"


def test_a_stream_outlives_a_store_that_is_away_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STREAM_SILENCE_SECONDS", 0.3)
    server = RealServer()
    place = Place(server.url)
    seats = Seats(place)
    with seats.watched() as reader:
        reader.snapshot()
        server.kill()
        assert reader.next().keep_alive.version == 0
        server.start()
        seats.play(2)
        found = [message.event for message in reader.until("event")[-1:]]
        while found[-1].id != seats.past()[-1].id:
            found += [message.event for message in [reader.next()] if message.HasField("event")]
        assert found == seats.past(first=1)
        monkeypatch.setattr(limits, "STORE_LOST_SECONDS", 0.0)
        server.kill()
        reader.until_end()
        assert reason_of(reader.call)[:2] == (grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")
    place.stop()
    server.stop()


def test_watchers_are_told_to_resume_when_the_server_goes_away(store_url: str, place: Place) -> None:
    """And the next server goes on where this one stopped."""
    going = Place(store_url)
    seats = Seats(going)
    seats.play(4)
    with seats.watched(after="2.0") as reader:
        assert reader.snapshot().view.version == 4
        missed = seats.past(first=2)[1:]
        assert reader.events(len(missed)) == missed
        going.watching.stop()
        resume = reader.next().resume
        assert resume == events_pb2.Resume(after=missed[-1].id, because="stopping")
        assert reader.at_end() is grpc.StatusCode.OK
    assert seats.read(past_only=True, page_size=1)[0].HasField("snapshot"), "plain questions are still answered"
    assert seats.read()[-1].resume.because == "stopping"
    seats.play(2)
    going.stop()
    seats.place = place
    with seats.watched(after=resume.after) as reader:
        assert reader.snapshot().view.version == 6
        expected = seats.past(first=5)
        assert reader.events(len(expected)) == expected
