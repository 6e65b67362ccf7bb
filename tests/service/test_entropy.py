"""Seats commit to their entropy with the claim and reveal it when all seats are there; then the game is dealt."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from random import Random
from secrets import token_bytes
from typing import Any

import pytest

from alhambra import verify_export
from alhambra_api.v1 import games_pb2, views_pb2
from alhambra_service.games.game_commands import SeatProof
from alhambra_service.games.loaded_game import decode
from alhambra_service.games.seats import claim_seat
from alhambra_service.messages.refusals import Refusal
from alhambra_service.store.stored_game import read_stored_game, write_stored_game

from .playing import PATIENCE, Failure, Game, Host, Seat, failure, play, refused
from .serving import GameServer
from .watchers import Place, Seats

WAITING, RUNNING = views_pb2.GAME_STATUS_WAITING, views_pb2.GAME_STATUS_RUNNING
ONE, TWO = (sha256(text).digest() for text in (b"one", b"two"))


def sealed(entropy: bytes) -> str:
    """The commitment to some entropy."""
    return sha256(entropy).hexdigest()


def reveal(seat: Seat, entropy: bytes, **fields: Any) -> views_pb2.View:
    """The seat reveals; the game as it sees it then."""
    request = games_pb2.RevealEntropyRequest(game=seat.game.id, entropy=entropy.hex(), **fields)
    answer: games_pb2.RevealEntropyResponse = seat.call("RevealEntropy", request)
    assert answer.version == answer.view.version
    return answer.view


def not_revealed(seat: Seat, entropy: bytes) -> Failure:
    """How a reveal fails."""
    return failure(lambda: reveal(seat, entropy))


def committed(host: Host) -> tuple[Game, Seat, Seat]:
    """A game of two seats that have committed to ONE and TWO and revealed nothing."""
    game = host.create([{}, {}])
    return game, game.claim(0, entropy_commitment=sealed(ONE)), game.claim(1, entropy_commitment=sealed(TWO))


# -- From the claim to the deal ----------------------------------------------------------------------------------------


def test_the_last_reveal_deals_and_the_record_proves_it(host: Host) -> None:
    game = host.create([{"name": "Ada"}, {}])
    first = game.claim(0, entropy_commitment=sealed(ONE))
    waiting = first.view().fairness
    assert (list(waiting.entropy_commitments), list(waiting.entropy_awaited)) == ([sealed(ONE), ""], [])
    second = game.claim(1, entropy_commitment=sealed(TWO))
    view = second.view()
    assert (view.status, list(view.fairness.entropy_awaited)) == (WAITING, [0, 1])
    shown = list(view.fairness.entropy_commitments)
    assert shown == [sealed(ONE), sealed(TWO)]
    assert refused(second.moves) == "GAME_WAITING"
    view = reveal(first, ONE)
    assert (view.status, list(view.fairness.entropy_awaited), view.viewer) == (WAITING, [1], 0)
    view = reveal(second, TWO)
    assert (view.status, list(view.fairness.entropy_awaited)) == (RUNNING, [])
    assert list(view.fairness.entropy_commitments) == shown
    assert not view.fairness.entropies
    assert view.seats[1].hand
    over = play(game, Random(1))
    assert list(over.fairness.entropies) == [ONE.hex(), TWO.hex()]
    document = game.export()
    assert document["fairness"]["entropy_commitments"] == shown
    assert document["fairness"]["revealed"] == [0, 1]
    report = verify_export(document, game.created.view.fairness.commitment, shown)
    assert report.ok
    assert any(finding.good and "not even a host who plays" in finding.text for finding in report.findings)


def test_a_creator_commits_when_the_game_is_created_and_server_seats_contribute_nothing(host: Host) -> None:
    game = host.create([{"claim": True, "entropy_commitment": sealed(ONE)}, {"server_player": "random"}])
    fairness = game.created.view.fairness
    assert (list(fairness.entropy_commitments), list(fairness.entropy_awaited)) == ([sealed(ONE), ""], [0])
    assert game.created.view.status == WAITING
    view = reveal(game.seats[0], ONE)
    assert view.status == RUNNING
    assert view.decision.seat == 0, "the seat of the server has moved if it was first"


def test_a_seat_that_contributes_nothing_is_not_waited_for(host: Host) -> None:
    game = host.create([{}, {}, {}])
    first = game.claim(0, entropy_commitment=sealed(ONE))
    game.claim(1)
    game.claim(2)
    assert list(first.view().fairness.entropy_awaited) == [0]
    assert reveal(first, ONE).status == RUNNING


def test_a_seat_that_never_reveals_is_never_dealt_around(host: Host) -> None:
    game, first, second = committed(host)
    reveal(first, ONE)
    for attempt in (first.moves, second.moves, first.resign, first.set_orders, game.export):
        assert refused(attempt) == "GAME_WAITING"
    view = game.view()
    assert (view.status, list(view.fairness.entropy_awaited)) == (WAITING, [1]), (
        "everybody sees whose entropy is missing"
    )
    assert not view.HasField("table")
    assert reveal(second, TWO).status == RUNNING, "a late reveal is as good as an early one"


def test_what_a_seat_told_at_once_is_shown_as_a_commitment_to_those_that_reveal_later(host: Host) -> None:
    game = host.create([{}, {"claim": True, "entropy": "00ff"}])
    first = game.claim(0, entropy_commitment=sealed(ONE))
    shown = list(first.view().fairness.entropy_commitments)
    assert shown == [sealed(ONE), sealed(b"\x00\xff")]
    assert reveal(first, ONE).status == RUNNING
    game.seats[1].resign()
    document = game.export()
    assert document["fairness"]["revealed"] == [0]
    report = verify_export(document, game.created.view.fairness.commitment, shown)
    assert report.ok
    assert any("To seat 1 less is proved" in finding.text for finding in report.findings)


def test_games_of_old_clients_are_dealt_and_exported_as_before(host: Host) -> None:
    game = host.create([{}, {"claim": True}])
    assert game.claim(0, entropy="00ff").view().status == RUNNING
    game.seats[0].resign()
    assert sorted(game.export()["fairness"]) == ["chain", "commitment", "entropies", "secret"]


# -- What is refused ---------------------------------------------------------------------------------------------------


def test_entropy_is_not_taken_while_a_seat_is_open(host: Host) -> None:
    game = host.create([{}, {}])
    first = game.claim(0, entropy_commitment=sealed(ONE))
    assert not_revealed(first, ONE).reason == "GAME_WAITING"
    game.claim(1, entropy_commitment=sealed(TWO))
    assert list(first.view().fairness.entropy_awaited) == [0, 1], "the early reveal was not kept"


def test_entropy_that_the_commitment_was_not_made_for_is_refused(host: Host) -> None:
    _, first, _ = committed(host)
    for wrong in (TWO, ONE[:-1], b"\0"):
        found = not_revealed(first, wrong)
        assert (found.reason, found.info.metadata["because"]) == ("ENTROPY_REFUSED", "mismatch")
    assert list(first.view().fairness.entropy_awaited) == [0, 1]


def test_a_seat_that_committed_to_nothing_has_nothing_to_reveal(host: Host) -> None:
    game = host.create([{"claim": True, "entropy_commitment": sealed(ONE)}, {"claim": True}])
    found = not_revealed(game.seats[1], TWO)
    assert (found.reason, found.info.metadata["because"]) == ("ENTROPY_REFUSED", "uncommitted")


def test_only_the_token_of_a_seat_reveals(host: Host) -> None:
    game, first, _ = committed(host)
    request = games_pb2.RevealEntropyRequest(game=game.id, entropy=ONE.hex())
    assert refused(lambda: host.stub.RevealEntropy(request, timeout=PATIENCE)) == "TOKEN_INVALID"
    replaced = first.token
    first.call("ClaimSeat", games_pb2.ClaimSeatRequest(game=game.id, seat=0))
    assert not_revealed(Seat(game, 0, replaced), ONE).reason == "TOKEN_INVALID"


def test_a_token_that_is_replaced_between_the_check_and_the_commit_reveals_nothing(
    host: Host, game_server: GameServer
) -> None:
    game, first, _ = committed(host)
    proof = SeatProof(0, game_server.commands.load(game.id).tokens[0])
    first.call("ClaimSeat", games_pb2.ClaimSeatRequest(game=game.id, seat=0))
    request = games_pb2.RevealEntropyRequest(game=game.id, entropy=ONE.hex())
    with pytest.raises(Refusal, match="TOKEN_INVALID"):
        claim_seat.reveal(game_server.commands, request, proof, None)


@pytest.mark.parametrize("text", ["", "0", "XY", "00" * 257])
def test_a_malformed_reveal_names_its_field(host: Host, text: str) -> None:
    game, first, _ = committed(host)
    request = games_pb2.RevealEntropyRequest(game=game.id, entropy=text)
    found = failure(lambda: first.call("RevealEntropy", request))
    assert (found.reason, found.info.metadata["field"]) == ("REQUEST_MALFORMED", "entropy")


@pytest.mark.parametrize(
    ("setup", "field"),
    [
        ({"claim": True, "entropy_commitment": "00"}, "seats[0].entropy_commitment"),
        ({"claim": True, "entropy_commitment": sealed(ONE).upper()}, "seats[0].entropy_commitment"),
        ({"claim": True, "entropy": "00", "entropy_commitment": sealed(ONE)}, "seats[0].entropy_commitment"),
        ({"entropy_commitment": sealed(ONE)}, "seats[0].entropy"),
        ({"server_player": "random", "entropy_commitment": sealed(ONE)}, "seats[0].entropy"),
    ],
)
def test_a_malformed_commitment_names_its_field(host: Host, setup: dict[str, Any], field: str) -> None:
    found = failure(lambda: host.create([setup, {}]))
    assert (found.reason, found.info.metadata["field"]) == ("REQUEST_MALFORMED", field)
    if setup.get("claim"):
        game = host.create([{}, {}])
        contribution = {name: value for name, value in setup.items() if name != "claim"}
        found = failure(lambda: game.claim(0, **contribution))
        assert (found.reason, found.info.metadata["field"]) == ("REQUEST_MALFORMED", "entropy_commitment")


def test_a_copied_commitment_is_refused(host: Host) -> None:
    game = host.create([{"claim": True, "entropy_commitment": sealed(ONE)}, {}])
    found = failure(lambda: game.claim(1, entropy_commitment=sealed(ONE)))
    assert (found.reason, found.info.metadata["because"]) == ("ENTROPY_REFUSED", "copied")
    assert game.claim(1, entropy_commitment=sealed(TWO)).number == 1, "the invitation is still good"
    found = failure(lambda: host.create([{"claim": True, "entropy_commitment": sealed(ONE)}] * 2))
    assert (found.reason, found.info.metadata["field"]) == ("REQUEST_MALFORMED", "seats.entropy_commitment")


# -- Lost answers and repetitions --------------------------------------------------------------------------------------


def test_a_claim_whose_answer_was_lost_is_repeated_with_the_same_commitment(host: Host) -> None:
    game = host.create([{}, {"claim": True, "entropy_commitment": sealed(TWO)}])
    lost = game.claim(0, entropy_commitment=sealed(ONE), request_id="claim")
    assert game.claim(0, entropy_commitment=sealed(ONE), request_id="claim").token == lost.token
    found = game.claim(0, entropy_commitment=sealed(ONE))
    assert found.token != lost.token
    reveal(game.seats[1], TWO)
    assert reveal(found, ONE).status == RUNNING


def test_a_commitment_is_replaced_while_a_seat_is_open(host: Host) -> None:
    game = host.create([{}, {}])
    game.claim(0, entropy_commitment=sealed(b"lost with the browser"))
    again = game.claim(0, entropy_commitment=sealed(ONE))
    game.claim(1)
    assert reveal(again, ONE).status == RUNNING


def test_a_commitment_is_not_replaced_once_no_seat_is_open(host: Host) -> None:
    game = host.create([{}, {"claim": True, "entropy_commitment": sealed(TWO)}])
    game.claim(0, entropy_commitment=sealed(ONE))
    shown = list(game.view().fairness.entropy_commitments)
    again = game.claim(0, entropy_commitment=sealed(b"another"))
    fresh = again.call("ClaimSeat", games_pb2.ClaimSeatRequest(game=game.id, seat=0, entropy="00ff")).token
    assert list(game.view().fairness.entropy_commitments) == shown
    assert not_revealed(Seat(game, 0, fresh), b"another").info.metadata["because"] == "mismatch"
    reveal(game.seats[1], TWO)
    assert reveal(Seat(game, 0, fresh), ONE).status == RUNNING


def test_a_repeated_reveal_changes_nothing_and_is_answered(host: Host, game_server: GameServer) -> None:
    game, first, second = committed(host)
    reveal(first, ONE)
    revision = game_server.store.read_game(game.id).revision
    assert list(reveal(first, ONE).fairness.entropy_awaited) == [1]
    assert list(reveal(first, ONE, request_id="reveal").fairness.entropy_awaited) == [1]
    assert game_server.store.read_game(game.id).revision == revision
    begun = reveal(second, TWO, request_id="reveal")
    assert begun.status == RUNNING
    again = reveal(second, TWO, request_id="reveal")
    assert (again.fairness.link, again.version) == (begun.fairness.link, begun.version)
    assert reveal(first, ONE).fairness.link == begun.fairness.link
    assert not_revealed(first, TWO).reason == "ENTROPY_REFUSED"
    assert game.view().version == 0


def test_seats_that_reveal_at_the_same_moment_are_dealt_once(host: Host) -> None:
    entropies = [token_bytes(32) for _ in range(6)]
    game = host.create([{"claim": True, "entropy_commitment": sealed(entropy)} for entropy in entropies])
    with ThreadPoolExecutor(6) as pool:
        links = {
            view.fairness.link
            for view in pool.map(lambda seat: reveal(game.seats[seat], entropies[seat]), range(6))
            if view.status == RUNNING
        }
    view = game.view()
    assert view.status == RUNNING
    assert links == {view.fairness.link}


# -- What is stored and told -------------------------------------------------------------------------------------------


def test_another_process_goes_on_with_what_was_committed(
    host: Host, start_server: Callable[[], GameServer], connect: Callable[[str], Host]
) -> None:
    game, first, second = committed(host)
    reveal(first, ONE)
    elsewhere = connect(start_server().address).game(game.id, {1: second.token})
    assert reveal(elsewhere.seats[1], TWO).status == RUNNING


def test_a_record_of_the_version_before_has_no_commitments(host: Host, game_server: GameServer) -> None:
    game = host.create([{"claim": True, "entropy": "00ff"}, {}])
    data = write_stored_game(game_server.store.read_game(game.id))
    assert data.startswith(b"2:")
    loaded = decode(read_stored_game(b"1" + data[1:]))
    assert loaded.entropy_commitments == (sealed(b"\x00\xff"), "")
    assert (loaded.entropies, loaded.entropy_awaited) == ((b"\x00\xff", b""), ())


def test_streams_tell_whose_entropy_is_awaited(place: Place) -> None:
    setup = games_pb2.SeatSetup(claim=True, entropy_commitment=sealed(ONE))
    seats = Seats(place, seats=[setup, games_pb2.SeatSetup()], seed="")
    with seats.watched() as reader:
        assert list(reader.snapshot().view.fairness.entropy_awaited) == []
        place.stub.ClaimSeat(games_pb2.ClaimSeatRequest(game=seats.game, invitation=seats.invitations[1]))
        assert list(reader.snapshot().view.fairness.entropy_awaited) == [0]
        request = games_pb2.RevealEntropyRequest(game=seats.game, entropy=ONE.hex())
        place.stub.RevealEntropy(request, metadata=seats.headers(0))
        *_, snapshot = reader.until("snapshot")
        assert snapshot.snapshot.view.status == RUNNING
