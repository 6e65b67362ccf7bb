"""Who is let in: everybody else is refused, and those with bad credentials all in the same way."""

import base64
import hmac
import io
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any, cast

import grpc
import pytest

from alhambra_api.v1 import games_pb2, moves_pb2
from alhambra_runtime.log_lines import SECRETS, JsonLines, cut
from alhambra_service import limits
from alhambra_service.auth import api_keys
from alhambra_service.auth.access import ANYONE, HOST, Access, Caller, Rule, contract_rules, peer_address
from alhambra_service.auth.api_keys import ApiKey, BadKeys, KeyRing, read_keys
from alhambra_service.auth.credentials import INVITATION, SEAT, digest, matching_index, new_secret
from alhambra_service.auth.rates import Rates
from alhambra_service.auth.seat_keys import invitation_for, stored_key, token_for
from alhambra_service.auth.tickets import Ticket, Tickets
from alhambra_service.config import Settings
from alhambra_service.current_call import request_id
from alhambra_service.logs import FIELDS
from alhambra_service.messages.refusals import Refusal
from alhambra_service.store import StoreMisconfigured
from alhambra_service.store.connection.connect import StoreClient, connect
from alhambra_service.store.keys import ticket_key

from .small import Keys, Running, failure, key_file, running
from .store.servers import RealServer

GAME, OTHER_GAME = "gameaaaaaaaaaaaa", "gamebbbbbbbbbbbb"
ASK = games_pb2.GetGameRequest(game=GAME)
MOVE = moves_pb2.ApplyMoveRequest(game=GAME)
CREATE = games_pb2.CreateGameRequest()


@pytest.fixture
def keys() -> Iterator[Keys]:
    with key_file() as found:
        yield found


@pytest.fixture(scope="module")
def client() -> Iterator[StoreClient]:
    server = RealServer()
    found = connect(server.socket_url)
    yield found
    found.close()
    server.stop()


def test_every_rpc_says_who_may_call_it() -> None:
    rules = contract_rules()
    assert len(rules) == 46
    assert [name for name, rule in rules.items() if rule.caller == 0] == []
    assert [name for name, rule in rules.items() if (rule.caller == HOST) != bool(rule.scope)] == []


def test_a_rpc_that_does_not_say_is_for_nobody() -> None:
    with pytest.raises(Refusal, match="TOKEN_INVALID"):
        Access().admit(Rule(0), (), "ipv4:127.0.0.1:1")


# -- Seats ----------------------------------------------------------------------------------------------------------


def test_a_token_is_its_seat_and_no_token_a_spectator() -> None:
    with running() as here:
        tokens = here.games.seat_tokens(GAME)
        assert [here.call("GetGame", ASK, token).view.viewer for token in tokens] == [0, 1]
        assert not here.call("GetGame", ASK).view.HasField("viewer")
        assert here.call("ApplyMove", MOVE, tokens[1]).version == 1


def test_bad_tokens_are_refused_alike(keys: Keys) -> None:
    host = keys.add("host", "games.create")
    with running(keys.ring()) as here:
        good, other_seat = here.games.seat_tokens(GAME)
        other_game, _ = here.games.seat_tokens(OTHER_GAME)
        revoked = new_secret(SEAT)
        bad = {
            "of another game": other_game,
            "revoked": revoked,
            "truncated": good[:-1],
            "truncated much": good[:12],
            "lengthened": good + "A",
            "other case": good.swapcase(),
            "naked": good.removeprefix("alh_seat_"),
            "made up": token_for(b"key", GAME, "", 0, 0),
            "an invitation": new_secret(INVITATION),
            "a digest": digest(good),
            "too long": "A" * (limits.BEARER_CHARS + 1),
            "a host's key with a letter changed": host[:-1] + ("A" if host[-1] != "A" else "B"),
        }
        for method, request in (("GetGame", ASK), ("ApplyMove", MOVE)):
            found = {what: failure(here.call, method, request, token) for what, token in bad.items()}
            one = found["revoked"]
            assert (one.code, one.reason, one.metadata) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID", {})
            assert {what: fault for what, fault in found.items() if fault != one} == {}
            assert not any(token[:12] in repr(one) for token in bad.values())
        for header in ("", "Bearer", "Bearer ", f"Basic {good}", good, f"Bearer{good}"):
            assert failure(here.call, "GetGame", ASK, headers={"authorization": header}) == one
        twice = [("authorization", f"Bearer {good}"), ("authorization", f"Bearer {other_seat}")]
        assert failure(here.stub.GetGame, ASK, metadata=twice) == one
        assert failure(here.call, "ApplyMove", MOVE) == one
        assert failure(here.call, "ApplyMove", MOVE, host) == one


def test_a_comparison_looks_at_every_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[bool] = []
    compare = hmac.compare_digest

    def counted(one: str, other: str) -> bool:
        looks.append(compare(one, other))
        return looks[-1]

    monkeypatch.setattr(hmac, "compare_digest", counted)
    digests = [digest(new_secret(SEAT)) for _ in range(6)]
    for wanted, place in ((digests[0], 0), (digests[5], 5), (digest("stranger"), None)):
        looks.clear()
        assert matching_index(wanted, digests) == place
        assert len(looks) == len(digests)


def test_secrets_have_256_bits_and_keys_to_seats_depend_on_everything() -> None:
    assert len(base64.urlsafe_b64decode(new_secret(SEAT).removeprefix("alh_seat_") + "=")) == 32
    keys = [
        token_for(b"key", "game", "commitment", 0, 1),
        token_for(b"other", "game", "commitment", 0, 1),
        token_for(b"key", "game0", "commitment", 0, 1),
        token_for(b"key", "game", "another", 0, 1),
        token_for(b"key", "game", "commitment", 1, 1),
        token_for(b"key", "game", "commitment", 0, 2),
        invitation_for(b"key", "game", "commitment", 0),
    ]
    assert len(set(keys)) == len(keys)
    assert token_for(b"key", "game", "commitment", 0, 1) == keys[0]


# -- Hosts ----------------------------------------------------------------------------------------------------------


def test_without_keys_everybody_is_host_of_one_tenant() -> None:
    with running() as here:
        assert here.call("CreateGame", CREATE).game == "local"
        assert here.call("CreateGame", CREATE, new_secret(SEAT)).game == "local"
    assert Caller("local", None).may("anything")
    assert not Caller().may("anything")


def test_with_keys_a_host_needs_one_and_its_scope(keys: Keys) -> None:
    creator, lister = keys.add("creator", "games.create"), keys.add("lister", "games.list")
    with running(keys.ring()) as here:
        assert here.call("CreateGame", CREATE, creator).game == "tenant-creator"
        missing = failure(here.call, "CreateGame", CREATE, lister)
        assert (missing.code, missing.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_MISSING")
        assert missing.metadata == {"scope": "games.create"}
        nobody = failure(here.call, "CreateGame", CREATE)
        assert nobody.reason == "TOKEN_INVALID"
        assert failure(here.call, "CreateGame", CREATE, new_secret(SEAT)) == nobody
        assert failure(here.call, "CreateGame", CREATE, creator[:-1]) == nobody
        assert not here.call("GetGame", ASK, creator).view.HasField("viewer")


def test_keys_are_read_again_and_a_faulty_file_changes_nothing(keys: Keys) -> None:
    old = keys.add("old", "games.create")
    with running(keys.ring()) as here:
        keys.path.write_text("not TOML = [", encoding="utf-8")
        here.server.reload()
        assert here.call("CreateGame", CREATE, old).game == "tenant-old"
        keys.path.write_text("", encoding="utf-8")
        new = keys.add("new", "games.create")
        here.server.reload()
        assert here.call("CreateGame", CREATE, new).game == "tenant-new"
        assert failure(here.call, "CreateGame", CREATE, old).reason == "TOKEN_INVALID"


def test_keys_are_read_again_when_their_file_has_changed(keys: Keys, caplog: pytest.LogCaptureFixture) -> None:
    old = keys.add("old", "games.create")
    ring = keys.ring()
    good = keys.path.read_text(encoding="utf-8")
    new = keys.add("new", "games.create")
    ring.refresh()
    assert (len(ring), ring.holder(new) is not None) == (2, True)
    caplog.clear()
    keys.path.write_text("not TOML = [", encoding="utf-8")
    for _ in range(3):
        ring.refresh()
        assert ring.holder(new) is not None, "a faulty file changes nothing"
    keys.path.unlink()
    for _ in range(3):
        ring.refresh()
        assert ring.holder(new) is not None, "neither does a missing one"
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"], "each fault is logged once"
    replacement = keys.path.with_name("replacement")
    replacement.write_text(good, encoding="utf-8")
    replacement.rename(keys.path)
    ring.refresh()
    assert (ring.holder(old) is not None, ring.holder(new)) == (True, None)


def test_keys_whose_file_stays_the_same_are_not_read_again(keys: Keys, monkeypatch: pytest.MonkeyPatch) -> None:
    keys.add("old", "games.create")
    ring = keys.ring()

    def read(path: Path) -> list[ApiKey]:
        raise AssertionError("the file was read again")

    monkeypatch.setattr(api_keys, "read_keys", read)
    ring.refresh()


GOOD_KEY = f'[[keys]]\nname = "a"\nsha256 = "{"0" * 64}"\ntenant = "t"\n'


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "must hold"),
        ("keys = 1", "must hold"),
        (f"{GOOD_KEY}more = 1", "a field other than"),
        (f"{GOOD_KEY}gateway = 1", "gateway of the wrong type"),
        (f"{GOOD_KEY}calls_per_second = true", "calls_per_second of the wrong type"),
        (f"{GOOD_KEY}calls_per_second = 0", "not above 0"),
        (f"{GOOD_KEY}running_games = 1.5", "running_games of the wrong type"),
        (f"{GOOD_KEY}running_games = -1", "running_games below 0"),
        (f"{GOOD_KEY}stored_bytes = -1", "stored_bytes below 0"),
        (
            GOOD_KEY.replace('tenant = "t"', "gateway = true") + "running_games = 1",
            "is a gateway's and has no quotas",
        ),
        (f"{GOOD_KEY}gateway = true", "neither tenant nor scopes"),
        (f'{GOOD_KEY}scopes = ["games.create", "games.fly"]', "do not exist"),
        (f"{GOOD_KEY}scopes = [1]", "do not exist"),
        (GOOD_KEY + GOOD_KEY, "same name"),
        (GOOD_KEY.replace("0" * 64, "0" * 63), "64 lower-case"),
        (GOOD_KEY.replace('"a"', '"a b"'), "needs a name"),
        (GOOD_KEY.replace('"t"', '""'), "needs a tenant"),
    ],
)
def test_a_faulty_file_of_keys_is_refused_with_a_sentence(text: str, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadKeys, match=fault):
        read_keys(path)


def test_a_file_of_keys_that_is_not_there_or_too_long_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadKeys, match="cannot be read"):
        KeyRing(tmp_path / "missing.toml")
    (tmp_path / "long.toml").write_bytes(b"#" * (limits.KEYS_FILE_BYTES + 1))
    with pytest.raises(BadKeys, match="bytes"):
        KeyRing(tmp_path / "long.toml")


# -- Rates ----------------------------------------------------------------------------------------------------------


def test_who_calls_too_often_is_told_when_to_come_back(keys: Keys) -> None:
    slow = keys.add("slow", "games.create", more="calls_per_second = 1")
    quick = keys.add("quick", "games.create")
    with running(keys.ring()) as here:
        for _ in range(int(limits.BURST_SECONDS)):
            here.call("CreateGame", CREATE, slow)
        fault = failure(here.call, "CreateGame", CREATE, slow)
        assert (fault.code, fault.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
        assert fault.metadata["retry_after"] in ("1", "2")
        assert (fault.metadata["calls"], fault.metadata["seconds"]) == ("2", "2")
        here.call("CreateGame", CREATE, quick)
        here.call("GetGame", ASK)


def test_addresses_without_a_key_are_counted_one_by_one(keys: Keys) -> None:
    keys.add("host", "games.create")
    access = Access(keys.ring(), calls_per_second=1)
    rule = Rule(ANYONE)
    for _ in range(int(limits.BURST_SECONDS)):
        access.admit(rule, (), "ipv4:192.0.2.1:1000")
    with pytest.raises(Refusal, match="RATE_LIMITED"):
        access.admit(rule, [("authorization", f"Bearer {new_secret(SEAT)}")], "ipv4:192.0.2.1:2000")
    access.admit(rule, (), "ipv4:192.0.2.2:1000")


def test_a_bucket_fills_with_time_and_strangers_do_not_fill_the_memory() -> None:
    now = 0.0
    rates = Rates(lambda: now, size=10)
    assert [rates.wait("a", 2.0) for _ in range(4)] == [0.0] * 4
    assert rates.wait("a", 2.0) == 0.5
    now = 0.5
    assert rates.wait("a", 2.0) == 0.0
    assert rates.wait("a", 2.0) > 0
    for stranger in range(100):
        rates.wait(str(stranger), 2.0)
    assert len(rates) == 10


# -- Gateways and proxies -------------------------------------------------------------------------------------------


def test_a_gateway_proves_itself_and_passes_its_caller_on(keys: Keys) -> None:
    host, gateway = keys.add("host", "games.create"), keys.add("gateway", gateway=True)
    access = Access(keys.ring(), calls_per_second=0)
    rule, peer = Rule(HOST, "games.create"), "ipv4:192.0.2.1:1000"
    own = ("authorization", f"Bearer {host}")
    forwarded = ("x-forwarded-for", "203.0.113.9")
    through = [own, ("gateway-authorization", f"Bearer {gateway}"), forwarded]
    assert access.admit(rule, through, peer).address == "203.0.113.9"
    assert access.admit(rule, [own, forwarded], peer).address == "192.0.2.1"
    for wrong in (host, gateway[:-1], new_secret(SEAT)):
        with pytest.raises(Refusal, match="TOKEN_INVALID"):
            access.admit(rule, [own, ("gateway-authorization", f"Bearer {wrong}"), forwarded], peer)
    with pytest.raises(Refusal, match="TOKEN_INVALID"):
        access.admit(rule, [("authorization", f"Bearer {gateway}")], peer)


def test_forwarding_headers_are_believed_from_trusted_proxies_only(keys: Keys) -> None:
    keys.add("host", "games.create")
    networks = Settings(trusted_proxies="10.0.0.0/8, 2001:db8::/32").proxies()
    access = Access(keys.ring(), calls_per_second=0, trusted_proxies=networks)
    forwarded = [("x-forwarded-for", "198.51.100.1, 203.0.113.9")]
    assert access.admit(Rule(ANYONE), forwarded, "ipv4:10.1.2.3:1").address == "203.0.113.9"
    assert access.admit(Rule(ANYONE), forwarded, "ipv6:%5B2001:db8::1%5D:1").address == "203.0.113.9"
    assert access.admit(Rule(ANYONE), forwarded, "ipv4:192.0.2.1:1").address == "192.0.2.1"
    assert access.admit(Rule(ANYONE), [("x-forwarded-for", "no address")], "ipv4:10.1.2.3:1").address == "10.1.2.3"


@pytest.mark.parametrize("header", ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"])
def test_without_keys_nobody_comes_through_a_proxy(header: str) -> None:
    with running() as here:
        fault = failure(here.stub.GetGame, ASK, metadata=[(header, "203.0.113.9")])
        assert (fault.code, fault.reason) == (grpc.StatusCode.PERMISSION_DENIED, "HOST_REFUSED")


def test_a_peer_is_known_by_its_address() -> None:
    peers = {"ipv4:192.0.2.1:4242": "192.0.2.1", "ipv6:%5B::1%5D:4242": "::1", "unix:": "local", "": "local"}
    peers |= {"unix:/run/alhambra:1": "local", "vsock:3:4242": "local"}
    assert {peer: peer_address(peer) for peer in peers} == peers


def test_a_caller_that_is_printed_shows_neither_its_token_nor_the_digest() -> None:
    caller = Caller(bearer="the token", token_digest="its digest", address="192.0.2.1")
    assert "192.0.2.1" in repr(caller)
    assert "the token" not in repr(caller)
    assert "its digest" not in repr(caller)


# -- Tickets --------------------------------------------------------------------------------------------------------


def test_a_ticket_opens_one_stream_of_its_game(client: StoreClient) -> None:
    access = Access(None, Tickets(client))
    token = new_secret(SEAT)
    caller, tokens = Caller(bearer=token, token_digest=digest(token)), ["", digest(token)]
    ticket, expires = access.issue_ticket(caller, GAME)
    assert SECRETS.fullmatch(ticket)
    assert access.redeem_ticket(ticket, GAME, tokens) == 1
    spectators, _ = access.issue_ticket(Caller(), GAME)
    assert access.redeem_ticket(spectators, GAME, tokens) is None
    elsewhere, _ = access.issue_ticket(caller, GAME)
    revoked, _ = access.issue_ticket(caller, GAME)
    attempts: list[tuple[str, str, list[str]]] = [
        (ticket, GAME, tokens),
        (elsewhere, OTHER_GAME, tokens),
        (revoked, GAME, ["", digest(new_secret(SEAT))]),
        (ticket[:-1], GAME, tokens),
        ("", GAME, tokens),
        ("A" * 100_000, GAME, tokens),
    ]
    faults = set()
    for attempt in attempts:
        with pytest.raises(Refusal) as refused:
            access.redeem_ticket(*attempt)
        faults.add((refused.value.reason, refused.value.message))
    assert len(faults) == 1
    assert expires > 0
    assert access.redeem_ticket(elsewhere, GAME, tokens) == 1, "shown for another game it was not spent"


def ticket_keys(client: StoreClient) -> list[str]:
    return [key.decode() for key in client.servers()[0].ask("KEYS", ticket_key("*"))]


def test_asking_for_tickets_writes_nothing_and_a_used_one_is_noted_for_a_minute(client: StoreClient) -> None:
    tickets, before = Tickets(client, b"a key"), ticket_keys(client)
    given = [tickets.issue(Ticket(GAME, who))[0] for who in ("", "digest") for _ in range(20)]
    assert len(set(given)) == len(given)
    assert ticket_keys(client) == before
    assert tickets.redeem(given[-1], GAME, ["other", "digest"]) == Ticket(GAME, "digest")
    (key,) = set(ticket_keys(client)) - set(before)
    assert given[-1].removeprefix("alh_ticket_") not in key
    assert 0 < client.read(key, "PTTL", key) <= 1000 * limits.TICKET_SECONDS


def test_a_ticket_spelt_in_another_way_is_the_same_ticket(client: StoreClient) -> None:
    tickets = Tickets(client, b"a key")
    ticket, _ = tickets.issue(Ticket(GAME))
    assert tickets.redeem(ticket, GAME, ()) is not None
    for other in (f"{ticket}====", f"{ticket[:20]}\n{ticket[20:]}", f"{ticket[:20]}!{ticket[20:]}", f"{ticket} "):
        assert tickets.redeem(other, GAME, ()) is None


def test_of_many_processes_one_takes_a_ticket(client: StoreClient) -> None:
    desks = [Tickets(client) for _ in range(8)]
    ticket, _ = desks[0].issue(Ticket(GAME))
    with ThreadPoolExecutor(len(desks)) as pool:
        taken = list(pool.map(lambda desk: desk.redeem(ticket, GAME, ()), desks))
    assert [found for found in taken if found is not None] == [Ticket(GAME)]


def test_a_ticket_expires_and_nobody_can_make_one_up(client: StoreClient) -> None:
    now = [1_000_000.0]
    tickets = Tickets(client, b"a key", clock=lambda: now[0])
    late, in_time = (tickets.issue(Ticket(GAME, "digest"))[0] for _ in range(2))
    assert Tickets(client, b"another key", clock=lambda: now[0]).redeem(in_time, GAME, ["digest"]) is None
    for place in range(len("alh_ticket_"), len(in_time), 5):
        other = "A" if in_time[place] != "A" else "B"
        assert tickets.redeem(in_time[:place] + other + in_time[place + 1 :], GAME, ["digest"]) is None
    now[0] += limits.TICKET_SECONDS - 0.1
    assert tickets.redeem(in_time, GAME, ["digest"]) is not None
    now[0] += 0.2
    assert tickets.redeem(late, GAME, ["digest"]) is None


# -- Logs -----------------------------------------------------------------------------------------------------------


def test_no_secret_appears_in_any_line_of_the_log(keys: Keys) -> None:
    host, gateway = keys.add("host", "games.create", "games.delete"), keys.add("gateway", gateway=True)
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(JsonLines(FIELDS, request_id))
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        with running(keys.ring()) as here:
            tokens = here.games.seat_tokens(GAME)
            secrets = [host, gateway, *tokens, new_secret(SEAT), new_secret(INVITATION)]
            _call_everything(here, secrets)
            here.server.reload()
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
    written = lines.getvalue().encode()
    assert b"cannot delete" in written, "the defect was logged"
    assert b"TOKEN_INVALID" in written
    assert b"GetGame" in written
    pieces = chain.from_iterable((secret, secret[9:], secret[-16:], secret[9:25]) for secret in secrets)
    assert [piece for piece in pieces if piece.encode() in written] == []


def _call_everything(here: Running, secrets: list[str]) -> None:
    for secret in secrets:
        requests: list[tuple[str, Any]] = [
            ("GetGame", ASK),
            ("ApplyMove", MOVE),
            ("CreateGame", CREATE),
            ("DeleteGame", games_pb2.DeleteGameRequest(game=secret)),
            ("ClaimSeat", games_pb2.ClaimSeatRequest(game=GAME, invitation=secret)),
        ]
        for method, request in requests:
            ways: list[dict[str, str]] = [{}, {"x-request-id": secret}, {"gateway-authorization": f"Bearer {secret}"}]
            for headers in ways:
                try:
                    here.call(method, request, secret, headers)
                except grpc.RpcError:
                    continue


def test_what_looks_like_a_secret_is_cut_out_of_every_text() -> None:
    token = new_secret(SEAT)
    for text in (token, f"Bearer {token}", f"('authorization', 'Bearer {token[:20]}')", f"x{token}x", token[9:]):
        assert token[9:20] not in cut(text)
    assert cut("redis://user:hunter2@store:6379 is gone") == "redis://[cut]@store:6379 is gone"
    assert cut("a worker ended with code 1") == "a worker ended with code 1"


class Forgetful:
    """A client of a store that keeps nothing."""

    def __init__(self) -> None:
        self.written: list[Any] = []

    def read(self, *_command: Any, **_more: Any) -> Any:
        """Nothing is there."""
        return

    def write(self, *command: Any, **_more: Any) -> Any:
        """Take note of what should be kept."""
        self.written.append(command)


def test_a_store_that_does_not_keep_the_key_of_the_service_is_said_to_be_misconfigured() -> None:
    client = Forgetful()
    with pytest.raises(StoreMisconfigured, match="dropped the service key"):
        stored_key(cast("StoreClient", client))
    assert len(client.written) == 1
