"""Reads after acknowledged changes, over two gateways and four processes; `make read-your-writes` makes many more."""

from .read_your_writes import measure

PAIRS = 300


def test_no_read_is_older_than_the_own_change_before_it() -> None:
    found = measure(PAIRS, players=3)
    assert not found.refused
    assert found.older == []
    assert found.pairs == PAIRS
