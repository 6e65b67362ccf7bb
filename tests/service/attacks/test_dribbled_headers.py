"""Headers that come a few bytes at a time and never end."""

from contextlib import ExitStack

from .conftest import Attacked
from .peers import connected, dribbled


def test_headers_that_never_end_disturb_nobody(attacked: Attacked) -> None:
    with ExitStack() as stack:
        peers = connected(stack, attacked.port, 8, "dribbled headers")
        for _ in range(3):
            dribbled(peers, 40, attacked.callers.game)
            assert attacked.answers_as_before()
        assert not any(peer.closed for peer in peers), "they are still there"
