"""Games that are open to anyone: who finds them, who gets their seats, and how many a host may have."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from alhambra_api.v1 import games_pb2, views_pb2
from alhambra_service import limits
from alhambra_service.auth.access import Access
from alhambra_service.store import EmbeddedStore, keys, open_games, rebuild

from .playing import Failure, Game, Host, failure
from .serving import GameServer
from .small import PATIENCE, Keys, key_file

LONG = "0123456789abcdefghijkl"
"""A request id that is long enough for a claim without an invitation."""


def listed(host: Host, **fields: Any) -> list[str]:
    found: list[str] = []
    token = ""
    while True:
        request = games_pb2.ListGamesRequest(open=True, page_token=token, **fields)
        answer = host.stub.ListGames(request, timeout=PATIENCE)
        found += [game.game for game in answer.games]
        token = answer.next_page_token
        if not token:
            return found


def claim(host: Host, game: str, **fields: Any) -> games_pb2.ClaimSeatResponse:
    request = games_pb2.ClaimSeatRequest(game=game, **fields)
    answer: games_pb2.ClaimSeatResponse = host.stub.ClaimSeat(request, timeout=PATIENCE)
    return answer


def refused(host: Host, game: str, **fields: Any) -> Failure:
    return failure(lambda: claim(host, game, **fields))


def test_an_open_game_is_found_until_its_last_seat_is_claimed(host: Host) -> None:
    game = host.create([{"claim": True}, {}, {}], open=True)
    assert game.id in listed(host)
    claim(host, game.id)
    assert game.id in listed(host)
    last = claim(host, game.id)
    assert last.view.status == views_pb2.GAME_STATUS_RUNNING
    assert game.id not in listed(host)


def test_a_game_that_is_not_open_is_not_found_and_needs_an_invitation(host: Host) -> None:
    game = host.create([{"claim": True}, {}])
    assert game.id not in listed(host)
    assert refused(host, game.id).reason == "REQUEST_MALFORMED"


def test_open_games_are_found_by_seats_modules_and_language(host: Host) -> None:
    plain = host.create([{}, {}], open=True, language="de")
    large = host.create([{}] * 4, open=True, modules=["medina"], language="pt-BR")
    assert {plain.id, large.id} <= set(listed(host))
    assert large.id not in listed(host, seat_count=2)
    assert plain.id in listed(host, seat_count=2)
    assert large.id in listed(host, with_modules=["medina"])
    assert plain.id not in listed(host, with_modules=["medina"])
    assert large.id in listed(host, language="PT-br")
    assert plain.id not in listed(host, language="PT-br")


def test_a_list_of_open_games_has_pages(host: Host) -> None:
    games = {host.create([{}, {}], open=True).id for _ in range(5)}
    assert games <= set(listed(host, page_size=2))


@pytest.mark.parametrize("fields", [{"seat_count": 2}, {"with_modules": ["medina"]}, {"language": "de"}])
def test_filters_without_open_are_refused(host: Host, fields: dict[str, Any]) -> None:
    assert failure(lambda: host.stub.ListGames(games_pb2.ListGamesRequest(**fields))).reason == "REQUEST_MALFORMED"


def test_a_summary_names_the_declared_language(host: Host) -> None:
    game = host.create([{}, {}], open=True, language="hu")
    answer = host.stub.ListGames(games_pb2.ListGamesRequest(open=True, language="hu"), timeout=PATIENCE)
    (found,) = [one for one in answer.games if one.game == game.id]
    assert (found.open, found.language) == (True, "hu")


def test_a_game_that_only_its_seats_see_cannot_be_open(host: Host) -> None:
    found = failure(lambda: host.create([{}, {}], open=True, visibility=views_pb2.VISIBILITY_SEATS))
    assert (found.reason, found.info.metadata["field"]) == ("REQUEST_MALFORMED", "open")


@pytest.mark.parametrize("language", ["d", "deutsch!", "de-", "x" * 50])
def test_a_language_that_is_no_tag_is_refused(host: Host, language: str) -> None:
    assert failure(lambda: host.create([{}, {}], open=True, language=language)).reason == "REQUEST_MALFORMED"


# -- Claims ------------------------------------------------------------------------------------------------------------


def test_of_many_claims_of_one_seat_exactly_one_succeeds(host: Host) -> None:
    game = host.create([{"claim": True}, {}], open=True)

    def attempt(_: int) -> str:
        try:
            return claim(host, game.id, seat=1).token
        except grpc.RpcError as error:
            assert Failure(error).reason == "SEAT_TAKEN"
            return ""

    with ThreadPoolExecutor(8) as pool:
        tokens = [token for token in pool.map(attempt, range(16)) if token]
    assert len(tokens) == 1
    assert host.game(game.id, {1: tokens[0]}).seats[1].view().status == views_pb2.GAME_STATUS_RUNNING


def test_claims_without_a_seat_get_different_seats(host: Host) -> None:
    game = host.create([{}] * 5, open=True)
    with ThreadPoolExecutor(5) as pool:
        seats = list(pool.map(lambda _: claim(host, game.id).seat, range(5)))
    assert sorted(seats) == [0, 1, 2, 3, 4]
    assert refused(host, game.id).reason == "SEAT_TAKEN"


def test_the_invitation_of_a_seat_that_was_claimed_without_it_is_invalid(host: Host) -> None:
    game = host.create([{}, {}], open=True)
    claim(host, game.id, seat=0)
    invitation = game.created.seat_keys[0].invitation
    assert refused(host, game.id, invitation=invitation).reason == "TOKEN_INVALID"


def test_an_invitation_still_opens_the_seat_of_an_open_game(host: Host) -> None:
    game = host.create([{}, {}], open=True)
    assert claim(host, game.id, invitation=game.created.seat_keys[1].invitation).seat == 1


def test_a_repeated_claim_gets_the_same_token(host: Host) -> None:
    game = host.create([{}, {}], open=True)
    first, again = (claim(host, game.id, request_id=LONG) for _ in range(2))
    assert (first.seat, first.token) == (again.seat, again.token)


def test_a_claim_without_an_invitation_needs_a_request_id_that_cannot_be_guessed(host: Host) -> None:
    game = host.create([{}, {}], open=True)
    found = refused(host, game.id, request_id="1")
    assert (found.reason, found.info.metadata["field"]) == ("REQUEST_MALFORMED", "request_id")


def test_no_caller_without_credentials_takes_over_a_seat_of_an_open_game(host: Host) -> None:
    game = host.create([{"claim": True}, {}], open=True)
    assert refused(host, game.id, seat=0).reason == "SEAT_TAKEN"
    assert game.seats[0].view().status == views_pb2.GAME_STATUS_WAITING


# -- Bounds ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(limits, "OPEN_GAMES_PER_HOST", 2)
    return 2


@pytest.fixture
def fresh(embedded: EmbeddedStore) -> Iterator[tuple[GameServer, Host, tuple[tuple[str, str], ...]]]:
    """A server with a key, whose tenant has no games."""
    with key_file() as found:
        secret = found.add("opener", "games.create", "games.list", "games.delete")
        server = GameServer(embedded.url, access=Access(Keys.ring(found), calls_per_second=0))
        one = Host(server.address)
        yield server, one, (("authorization", f"Bearer {secret}"),)
        one.close()
        server.stop()


def test_a_host_has_a_bounded_number_of_open_games(
    fresh: tuple[GameServer, Host, tuple[tuple[str, str], ...]], few: int
) -> None:
    _, host, metadata = fresh
    request = games_pb2.CreateGameRequest(seats=[games_pb2.SeatSetup()] * 2, open=True)

    def create() -> str:
        return str(host.stub.CreateGame(request, timeout=PATIENCE, metadata=metadata).game)

    games = [create() for _ in range(few)]
    found = failure(create)
    assert found.reason == "QUOTA_EXCEEDED"
    assert dict(found.info.metadata) == {"quota": "open_games", "limit": "2", "used": "2"}
    claim(host, games[0])
    claim(host, games[0])
    create()
    host.stub.DeleteGame(games_pb2.DeleteGameRequest(game=games[1]), timeout=PATIENCE, metadata=metadata)
    create()


def test_a_started_game_that_stayed_in_the_list_is_removed_by_its_next_reader(
    game_server: GameServer, host: Host
) -> None:
    game = host.create(2)
    client, tenant = game_server.store.client, keys.DEFAULT_TENANT
    open_games.add(client, tenant, "", game.id, 1)
    assert game.id not in listed(host)
    assert client.read(keys.open_key(tenant), "ZSCORE", keys.open_key(tenant), game.id) is None


def test_a_game_that_was_never_created_leaves_the_list(game_server: GameServer, host: Host) -> None:
    client, tenant, missing = game_server.store.client, keys.DEFAULT_TENANT, "a" * 24
    open_games.add(client, tenant, "", missing, 1)
    assert missing not in listed(host)
    assert client.read(keys.open_key(tenant), "ZSCORE", keys.open_key(tenant), missing) is None


def test_reindexing_lists_open_games_again(game_server: GameServer, host: Host) -> None:
    game = host.create([{}, {}], open=True)
    open_games.remove(game_server.store.client, keys.DEFAULT_TENANT, "", game.id)
    assert game.id in set(rebuild(game_server.store.client))
    assert game.id in listed(host)


def test_an_open_game_expires_a_day_after_the_last_claim_and_stays_once_it_has_begun(
    game_server: GameServer, host: Host
) -> None:
    def left(game: Game) -> int:
        key = keys.state_key(game.id)
        return int(game_server.store.client.read(key, "TTL", key))

    game = host.create([{}, {}], open=True)
    assert 0 < left(game) <= limits.OPEN_GAME_SECONDS
    claim(host, game.id)
    assert 0 < left(game) <= limits.OPEN_GAME_SECONDS
    claim(host, game.id)
    assert left(game) == -1
