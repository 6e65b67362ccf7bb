"""A ramp goes on while it gains, and says why it ended."""

from loadtests import limits
from loadtests.ramp import Ramp


def climb(ramp: Ramp, *steps: tuple[float, float, int]) -> Ramp:
    for calls, slow, failed in steps:
        ramp.next(calls, slow, failed)
    return ramp


def test_a_ramp_adds_users_while_throughput_grows() -> None:
    ramp = climb(Ramp(8, limit_ms=100), (100, 5, 0), (160, 8, 0))
    assert not ramp.ended
    assert [step.users for step in ramp.steps] == [8, 13]
    assert ramp.users > 13


def test_a_ramp_of_one_user_grows() -> None:
    assert climb(Ramp(1, limit_ms=100), (100, 5, 0)).users == 2


def test_a_ramp_ends_where_answers_become_slow() -> None:
    assert "100 ms with 13 users" in climb(Ramp(8, limit_ms=100), (100, 5, 0), (160, 101, 0)).ended


def test_a_ramp_ends_with_the_first_wrong_answer() -> None:
    assert climb(Ramp(8, limit_ms=100), (100, 5, 1)).ended.startswith("1 answers were wrong")


def test_a_ramp_ends_where_more_users_bring_no_more_calls() -> None:
    flat = [(100.0, 5.0, 0)] * (1 + limits.STEPS_WITHOUT_GAIN)
    assert "more than 8 users brought no more" in climb(Ramp(8, limit_ms=100), *flat).ended


def test_a_ramp_always_ends() -> None:
    ramp = Ramp(1, limit_ms=1e9)
    for step in range(limits.STEPS_MOST):
        assert not ramp.ended
        ramp.next(2.0**step, 1, 0)
    assert ramp.ended
