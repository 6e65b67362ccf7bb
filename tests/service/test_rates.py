"""Rates: calls count by what they cost, time on a core is charged, and one customer is one caller."""

import time
from collections.abc import Iterator
from functools import partial

import grpc
import pytest

from alhambra_api.v1 import games_pb2
from alhambra_service import blocking, limits
from alhambra_service.auth import access
from alhambra_service.auth.access import ANYONE, Access, Rule, contract_rules
from alhambra_service.auth.rates import Rates, network_of
from alhambra_service.messages.refusals import Refusal

from .small import Keys, Running, SmallGames, failure_of, key_file, running

ASK = games_pb2.GetGameRequest(game="gameaaaaaaaaaaaa")


@pytest.fixture
def keys() -> Iterator[Keys]:
    with key_file() as found:
        yield found


def test_calls_cost_what_the_table_says() -> None:
    rules = contract_rules()
    by_name = {method.rpartition("/")[2]: rule.cost for method, rule in rules.items()}
    assert limits.CALL_COSTS.keys() <= by_name.keys()
    assert all(cost == limits.CALL_COSTS.get(name, 1.0) for name, cost in by_name.items())
    assert by_name["ExportGame"] > by_name["ListLegalMoves"] > by_name["GetGame"] > by_name["ValidatePlacement"]


def test_a_call_that_costs_more_leaves_room_for_fewer() -> None:
    now = 0.0
    rates = Rates(lambda: now)
    assert [rates.wait("a", 5.0, 4.0) for _ in range(2)] == [0.0, 0.0]
    assert rates.wait("a", 5.0, 4.0) == 0.4
    assert rates.wait("a", 5.0) == 0.0, "a cheaper one has room"
    assert rates.wait("b", 1.0, 100.0) == 0.0, "a full bucket is enough for any call"
    assert rates.wait("b", 1.0) > 90


def test_time_on_a_core_is_charged_afterwards_and_waited_off() -> None:
    now = 0.0
    rates = Rates(lambda: now)
    guard = Access(calls_per_second=10.0)
    guard._rates = rates
    caller = guard.admit(Rule(ANYONE), (), "ipv4:192.0.2.1:1000")
    guard.charge(caller, limits.CALL_CPU_SECONDS / 2, 1.0)
    assert rates.wait("address 192.0.2.1", 10.0, 19.0) == 0.0, "what was paid for is not charged again"
    guard.charge(caller, 31 * limits.CALL_CPU_SECONDS, 1.0)
    assert rates.wait("address 192.0.2.1", 10.0) == pytest.approx(3.1)
    now = 3.2
    assert rates.wait("address 192.0.2.1", 10.0) == 0.0
    guard.charge(caller, 1_000_000.0)
    assert rates.wait("address 192.0.2.1", 10.0) == pytest.approx(limits.DEBT_SECONDS + 0.1), "a debt has an end"


def test_nobody_gets_more_of_a_core_than_its_rate_pays_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of calls that take forty milliseconds each, an address gets a few at first and then no more than its share."""
    now = 0.0
    guard = Access(calls_per_second=limits.CLIENT_CALLS_PER_SECOND)
    guard._rates = Rates(lambda: now)
    used = 0.0
    for tick in range(10_000):
        now = tick / 100
        try:
            caller = guard.admit(Rule(ANYONE, cost=2.0), (), "ipv4:192.0.2.1:1000")
        except Refusal:
            continue
        used += 0.04
        guard.charge(caller, 0.04, 2.0)
    share = limits.CLIENT_CALLS_PER_SECOND * limits.CALL_CPU_SECONDS
    assert share <= 0.2
    assert used <= share * (100 + limits.BURST_SECONDS) + 0.04


def test_a_real_call_is_charged_for_the_time_that_it_took_on_a_core(
    keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys.add("host", "games.create")

    def work(self: object, request: object, context: object) -> games_pb2.GetGameResponse:
        until = time.thread_time() + 0.05
        while time.thread_time() < until:
            pass
        return games_pb2.GetGameResponse()

    monkeypatch.setattr(SmallGames, "GetGame", work)
    rate = 20.0
    paid_for = int(rate * limits.BURST_SECONDS)  # calls at once, if nothing but calls were counted
    monkeypatch.setattr(access, "Rates", partial(Rates, lambda: 0.0))  # however long the calls wait for a core
    with running(keys.ring(), calls_per_second=rate) as here:
        answered = 0
        while answered < paid_for and not _refused(here):
            answered += 1
        assert answered < paid_for / 2


def _refused(here: Running) -> bool:
    try:
        here.call("GetGame", ASK)
    except grpc.RpcError as error:
        assert failure_of(error).reason == "RATE_LIMITED"
        return True
    return False


@pytest.mark.parametrize(
    ("address", "counted_by"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("local", "local"),
    ],
)
def test_addresses_are_counted_by_what_one_customer_has(address: str, counted_by: str) -> None:
    assert network_of(address) == counted_by


def test_a_network_of_ipv6_shares_one_rate() -> None:
    guard = Access(calls_per_second=1)
    rule = Rule(ANYONE)
    for number in range(int(limits.BURST_SECONDS)):
        guard.admit(rule, (), f"ipv6:%5B2001:db8::{number + 1}%5D:1000")
    with pytest.raises(Refusal, match="RATE_LIMITED"):
        guard.admit(rule, (), "ipv6:%5B2001:db8::ffff%5D:1000")
    guard.admit(rule, (), "ipv6:%5B2001:db8:0:1::1%5D:1000")


def test_a_call_that_begins_again_is_counted_once() -> None:
    guard = Access(calls_per_second=1)
    rule = Rule(ANYONE)
    with blocking.restarted_call():
        for _ in range(10):
            guard.admit(rule, (), "ipv4:192.0.2.1:1000")
    for _ in range(int(limits.BURST_SECONDS)):
        guard.admit(rule, (), "ipv4:192.0.2.1:1000")
    with pytest.raises(Refusal, match="RATE_LIMITED"):
        guard.admit(rule, (), "ipv4:192.0.2.1:1000")
