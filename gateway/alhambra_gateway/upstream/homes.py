"""The home of a game: the process of the services that gets its calls and streams, whichever gateway passes them on.

Every process can answer every call. But the one that made the last move has the new game in memory, with its views and
events; any other process has to read and decode it first, or begins a move with an old game and has to make it again.

A process gives its name in answers about its health. The home of a game is the process whose name, hashed together with
the game, gives the highest number: gateways that know the same processes agree without asking each other, and if a
process is lost, only its own games move. If no process gives its name, there are no homes.

The processes of a service share a port, and the kernel draws which one gets a connection. So a channel whose process
others lead to is opened anew until some channel leads to each process (`Spread`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING

from .. import limits
from .service_addresses import Target

if TYPE_CHECKING:
    from .service_channels import ServiceChannel


class Homes:
    """The homes that some channels lead to. Never changed, so that threads need no lock."""

    def __init__(self, channels: Iterable[ServiceChannel] = ()) -> None:
        self._channels: dict[str, tuple[ServiceChannel, ...]] = {}
        """By process: the channels that lead to it."""
        for channel in channels:
            if channel.process:
                self._channels[channel.process] = (*self._channels.get(channel.process, ()), channel)
        self._names = [(name, name.encode()) for name in self._channels]

    def home(self, game: str) -> str:
        """Return the name of the home of a game; "" if there are no homes."""
        if len(self._names) < 2:
            return self._names[0][0] if self._names else ""
        data = game.encode()
        return max(self._names, key=lambda name: blake2b(data, digest_size=8, key=name[1]).digest())[0]

    def channels(self, game: str) -> tuple[ServiceChannel, ...]:
        """Return the channels to the home of a game; none if there are no homes."""
        return self._channels.get(self.home(game), ())


class Spread:
    """Finds the channels that should be opened anew so that some lead to each process of a service."""

    def __init__(self) -> None:
        self._tries: Counter[Target] = Counter()
        """How many channels were opened anew since channels led to all processes: a proxy may lead all of them to the
        same process for ever."""

    def superfluous(self, usable: Iterable[ServiceChannel]) -> Iterator[ServiceChannel]:
        """Generate the channels to replace now, at most one for each service. All channels of a service must be usable:
        the new one is tried before another is replaced."""
        by_target: dict[Target, list[ServiceChannel]] = {}
        for channel in usable:
            by_target.setdefault(channel.target, []).append(channel)
        for target, channels in by_target.items():
            names = Counter(channel.process for channel in channels)
            if len(names) >= min(channels[0].processes, limits.CHANNELS):
                del self._tries[target]
            elif len(channels) == limits.CHANNELS and self._tries[target] < limits.SPREAD_TRIES:
                self._tries[target] += 1
                yield next(channel for channel in channels if names[channel.process] > 1)
