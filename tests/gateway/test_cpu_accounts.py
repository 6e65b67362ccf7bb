"""One account of CPU time for each address: of gateway and service together, for all processes of a gateway."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from alhambra_gateway import limits
from alhambra_gateway.environ_keys import ADDRESS
from alhambra_gateway.middleware.cpu_accounts import SPENT, CpuAccounts, CpuCharges
from alhambra_gateway.refusals.problem import Problem
from alhambra_service import limits as service_limits
from alhambra_service.rpc import guard
from tests.service.store.servers import await_true

from .costs.installation import PATIENCE, Installation, keyed
from .costs.meter import Meter
from .costs.shapes import LARGEST

RATE = 0.2
BURST = RATE * limits.CPU_BURST_SECONDS


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def accounts(clock: Clock) -> CpuAccounts:
    return CpuAccounts(clock=clock)


# -- Accounts ----------------------------------------------------------------------------------------------------------


def test_an_account_is_emptied_by_requests_and_filled_by_time(accounts: CpuAccounts, clock: Clock) -> None:
    assert accounts.seconds_to_wait("a", RATE) == 0
    accounts.charge("a", RATE, BURST)
    assert accounts.seconds_to_wait("a", RATE) == 0, "it is empty and not overdrawn"
    accounts.charge("a", RATE, 0.1)
    assert accounts.seconds_to_wait("a", RATE) == pytest.approx(0.5)
    assert accounts.seconds_to_wait("b", RATE) == 0, "everybody has an account"
    clock.now += 0.6
    assert accounts.seconds_to_wait("a", RATE) == 0
    clock.now += 1_000
    accounts.charge("a", RATE, BURST + 0.02)
    assert accounts.seconds_to_wait("a", RATE) == pytest.approx(0.1), "a full account does not get fuller"


def test_a_debt_has_an_end(accounts: CpuAccounts) -> None:
    accounts.charge("a", RATE, 1_000_000)
    assert accounts.seconds_to_wait("a", RATE) == pytest.approx(limits.CPU_DEBT_SECONDS)


def test_when_there_are_too_many_holders_the_one_that_was_quiet_longest_is_forgotten(clock: Clock) -> None:
    accounts = CpuAccounts(8, clock)
    for number in range(9):
        clock.now += 0.001
        accounts.charge(f"holder {number}", RATE, 1.0)
    waiting = [accounts.seconds_to_wait(f"holder {number}", RATE) > 0 for number in range(9)]
    assert waiting == [False] + [True] * 8


def test_processes_share_the_accounts() -> None:
    accounts = CpuAccounts()
    child = os.fork()
    if not child:
        accounts.charge("a", RATE, 10.0)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert accounts.seconds_to_wait("a", RATE) > 1


# -- Charges -----------------------------------------------------------------------------------------------------------


def sent(address: str = "192.0.2.1", credentials: str = "") -> dict[str, str]:
    return {ADDRESS: address, **({"HTTP_AUTHORIZATION": credentials} if credentials else {})}


def refused(charges: CpuCharges, environ: dict[str, str]) -> bool:
    try:
        charges.admit(environ)
    except Problem as problem:
        assert (problem.status, problem.reason) == (429, "RATE_LIMITED")
        assert int(problem.metadata["retry_after"]) >= 1
        return True
    return False


def answer(charges: CpuCharges, environ: dict[str, str], told: str) -> None:
    charges.admit(environ)
    charges.note_trailers([("other", "x"), (SPENT, told)])
    charges.finish(environ, "200 OK")


def test_the_time_of_the_service_is_charged_too(accounts: CpuAccounts) -> None:
    charges = CpuCharges(accounts)
    answer(charges, sent(), f"{BURST * 1e6 + 1:.0f} {RATE}")
    assert refused(charges, sent())
    assert not refused(charges, sent("192.0.2.2"))
    assert refused(charges, sent("::ffff:192.0.2.1")), "it is the same address"


def test_an_address_of_ipv6_is_a_network(accounts: CpuAccounts) -> None:
    charges = CpuCharges(accounts)
    answer(charges, sent("2001:db8::1"), f"1000000 {RATE}")
    assert refused(charges, sent("2001:db8::ffff"))
    assert not refused(charges, sent("2001:db8:0:1::1"))


def test_a_key_has_its_own_account_as_soon_as_the_service_has_told(accounts: CpuAccounts) -> None:
    charges, key = CpuCharges(accounts), "Bearer alh_key_good"
    answer(charges, sent(credentials=key), "1000000 0.8 key")
    assert not refused(charges, sent()), "the address is not charged for the key"
    assert not refused(charges, sent(credentials=key)), "it may use 1.6 s at once"
    answer(charges, sent(credentials=key), "1000000 0.8 key")
    assert refused(charges, sent("192.0.2.9", key)), "from wherever it is used"
    assert not refused(charges, sent("192.0.2.9"))
    assert not refused(charges, sent(credentials="Bearer alh_key_invented"))


def test_invented_credentials_do_not_help(accounts: CpuAccounts) -> None:
    charges = CpuCharges(accounts)
    answer(charges, sent(credentials="Bearer one"), f"1000000 {RATE}")
    assert refused(charges, sent(credentials="Bearer two"))


def test_the_operator_of_the_service_sets_the_rate(accounts: CpuAccounts) -> None:
    charges = CpuCharges(accounts)
    answer(charges, sent("192.0.2.9"), "1 0")
    answer(charges, sent(), "100000000 0")
    assert not refused(charges, sent()), "0 is any number"
    answer(charges, sent("192.0.2.9"), "1 0.01")
    answer(charges, sent(), "100000 0.01")
    assert refused(charges, sent())


def test_gateway_and_service_use_the_same_word() -> None:
    assert guard.SPENT == SPENT


def test_the_poller_and_the_middleware_mean_the_same_account(accounts: CpuAccounts) -> None:
    charges, key = CpuCharges(accounts), "Bearer alh_key_good"
    answer(charges, sent(credentials=key), "400000 0.8 key")
    answer(charges, sent("2001:db8::1"), f"{BURST * 0.75 * 1e6:.0f} {RATE}")
    assert charges.account_of("192.0.2.1", key)[1] == pytest.approx(0.75, abs=0.01)
    assert charges.account_of("192.0.2.1", None) == ("192.0.2.1", 1.0)
    assert charges.account_of("192.0.2.1", "Bearer alh_key_invented") == ("192.0.2.1", 1.0)
    name, left = charges.account_of("2001:db8::2", None)
    assert name == "2001:db8::/64"
    assert left == pytest.approx(0.25, abs=0.01)


# -- A gateway with strangers ------------------------------------------------------------------------------------------


CALLS_PER_SECOND = 12.5
SMALL_RATE = CALLS_PER_SECOND * service_limits.CALL_CPU_SECONDS
"""So small that it can be used up on a machine where the servers get a tenth of a core."""


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    with keyed("--calls-per-second", str(CALLS_PER_SECOND)) as found:
        yield found


EXPENSIVE = json.dumps(LARGEST["ScoreBoard"]["six boards of 256 tiles"]).encode()
CREATED = b'{"seats":[{"claim":true},{"claim":true}]}'
JSON = {"Content-Type": "application/json"}


def ask(client: HTTPConnection, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, str]:
    """The status of an answer and its header Retry-After. A connection that was closed is opened again."""
    client.request(method, path, body or None, {**JSON, **headers})
    found = client.getresponse()
    found.read()
    return found.status, found.headers.get("Retry-After", "")


@pytest.mark.check_only
def test_an_address_gets_its_share_of_gateway_and_service_together_and_no_more(installation: Installation) -> None:
    meter, stop = Meter(installation.processes()), threading.Event()
    statuses: list[tuple[int, str]] = []

    def attack() -> None:
        client = installation.connection("127.0.0.2")
        while not stop.is_set():
            statuses.append(ask(client, "POST", "/v1/boards:score", EXPENSIVE))
        client.close()

    others = installation.connection("127.0.0.3")
    ask(others, "GET", "/v1/catalog/editions")
    attackers = [threading.Thread(target=attack) for _ in range(4)]
    meter.start()
    began = time.monotonic()
    for attacker in attackers:
        attacker.start()
    try:
        time.sleep(2.0)
        assert ask(others, "GET", "/v1/catalog/editions")[0] == 200, "others are answered"
        key = f"Bearer {installation.keys.secrets['host']}"
        host = installation.connection("127.0.0.4")
        assert ask(host, "POST", "/v1/games", CREATED, Authorization=key)[0] == 200
        host.close()
        time.sleep(2.0)
        await_true(lambda: [status for status, _ in statuses].count(429) >= 4, "attackers are refused", PATIENCE)
    finally:
        stop.set()
        for attacker in attackers:
            attacker.join()
    used, took = sum(meter.used().values()), time.monotonic() - began
    others.close()
    good, refusals = ([found for found in statuses if (found[0] == 429) is late] for late in (False, True))
    assert {status for status, _ in good} == {400}
    assert all(int(wait) >= 1 for _, wait in refusals)
    # In each second SMALL_RATE, twice that at first, one request of each socket that was begun before the account was
    # overdrawn; and what nobody is charged for: reading requests, writing answers, the processes' own work.
    assert used < 1.5 * SMALL_RATE * (took + limits.CPU_BURST_SECONDS) + 4 * 0.05 + 0.1 * took, (used, took, len(good))
    assert used > 0.5 * SMALL_RATE * limits.CPU_BURST_SECONDS, "the share can be used"


@pytest.mark.check_only
def test_refusals_do_not_keep_a_process_busy(installation: Installation) -> None:
    """Who has overdrawn the account is read from once a second, over old connections and new ones."""
    client = installation.connection("127.0.0.5")
    overdraw(client)
    began = time.monotonic()
    assert ask(client, "GET", "/no/such/address")[0] in (404, 429)
    assert time.monotonic() - began > 0.5 * limits.REFUSED_PAUSE_SECONDS
    client.close()


def overdraw(client: HTTPConnection) -> None:
    """Ask until the CPU time of an address is used up."""
    until = time.monotonic() + PATIENCE
    while ask(client, "POST", "/v1/boards:score", EXPENSIVE)[0] != 429:
        assert time.monotonic() < until, "never refused"


LARGE = ("POST /v1/boards:score HTTP/1.1", "Host: localhost", "Content-Length: 1000000", "Expect: 100-continue")


def answer_to_a_head(installation: Installation, client: HTTPConnection, address: str, *headers: str) -> bytes:
    """Use up the CPU time of an address, then send the head of a request with a large body and nothing of the body.
    The connection is opened before, because a new one would not be read from at once."""
    parts = urlsplit(installation.front.http)
    assert parts.hostname is not None and parts.port is not None
    with socket.create_connection((parts.hostname, parts.port), PATIENCE, (address, 0)) as asked:
        overdraw(client)
        asked.sendall("".join(f"{line}\r\n" for line in (*LARGE, *headers)).encode() + b"\r\n")
        return asked.recv(1 << 16)


@pytest.mark.check_only
def test_a_body_is_not_read_from_an_address_whose_time_is_used_up(installation: Installation) -> None:
    client = installation.connection("127.0.0.7")
    for _ in range(20):
        answered = answer_to_a_head(installation, client, "127.0.0.7")
        if not answered.startswith(b"HTTP/1.1 100 "):  # its debt was paid off when the head arrived
            break
    client.close()
    assert answered.startswith(b"HTTP/1.1 429 ")
    assert b"\r\nRetry-After: " in answered
    assert b"\r\nConnection: close\r\n" in answered
    assert b'"reason":"RATE_LIMITED"' in answered


@pytest.mark.check_only
def test_a_body_with_an_api_key_is_read_although_the_time_of_the_address_is_used_up(installation: Installation) -> None:
    key = f"Bearer {installation.keys.secrets['host']}"
    client = installation.connection("127.0.0.8")
    assert ask(client, "POST", "/v1/games", CREATED, Authorization=key)[0] == 200, "now the gateway knows the key"
    for _ in range(3):
        answered = answer_to_a_head(installation, client, "127.0.0.8", f"Authorization: {key}")
        assert answered.startswith(b"HTTP/1.1 100 ")
    client.close()


@pytest.mark.check_only
def test_many_sockets_of_one_address_are_all_answered(installation: Installation) -> None:
    """Those that wait for their turn are not forgotten."""
    statuses: list[int] = []

    def ask_often() -> None:
        client = installation.connection("127.0.0.9")
        for _ in range(4):
            statuses.append(ask(client, "POST", "/v1/boards:score", EXPENSIVE)[0])
        client.close()

    askers = [threading.Thread(target=ask_often) for _ in range(12)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert len(statuses) == 48
    assert set(statuses) <= {400, 429}


@pytest.mark.check_only
def test_a_call_without_credentials_is_refused_before_its_body_is_read(installation: Installation) -> None:
    client = installation.connection("127.0.0.6")
    for path in ("/v1/games", "/v1/games/abcdefghijkl/moves", "/v1/games:leaseBotDecision"):
        for header in ({}, {"Authorization": "Bearer "}, {"Authorization": "Basic abc"}):
            client.request("POST", path, b"this is not JSON", {**JSON, **header})
            found = client.getresponse()
            problem = json.loads(found.read())
            assert (found.status, problem["reason"], found.headers["WWW-Authenticate"]) == (
                401,
                "TOKEN_INVALID",
                "Bearer",
            )
    wrong = {"Authorization": "Bearer alh_key_invented"}
    client.request("POST", "/v1/games", CREATED, {**JSON, **wrong})
    by_service = json.loads(client.getresponse().read())
    assert by_service == problem, "the service says the same"
    client.request("GET", "/v1/games", headers={"Accept-Language": "de"})
    german = json.loads(client.getresponse().read())
    client.request("GET", "/v1/games", headers={"Accept-Language": "de", **wrong})
    assert json.loads(client.getresponse().read()) == german
    client.close()
