"""Lines between processes that can be made worse: a TCP proxy for each, all in one thread.

A proxy knows who speaks on a connection by its first words (`speaker`), so that a fault can hit replicas and spare
services. Bytes of one connection always keep their order, as TCP promises; only connections overtake each other.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

HOST = "127.0.0.1"
CHUNK = 1 << 16
SNIFFED = 4096
"""How many of the first bytes of a connection are looked at to find out who speaks."""
REORDER_SECONDS = 0.05
TRICKLE_BYTES, TRICKLE_SECONDS = 40, 0.004

Result = TypeVar("Result")


@dataclass(eq=False)
class Weather:
    """What a line does to its connections just now. Empty `hits` means everybody."""

    delay: float = 0.0
    trickle: bool = False
    reorder: bool = False
    refuse: bool = False
    lose_answers: bool = False
    blocked: bool = False
    hits: frozenset[str] = frozenset()


@dataclass(eq=False)
class _Link:
    """One connection through a proxy."""

    client: asyncio.StreamWriter
    server: asyncio.StreamWriter | None = None
    speaker: str = ""
    sniffed: int = 0
    closed_ways: set[bool] = field(default_factory=set)
    """Directions that were closed, True for requests: what still comes that way is thrown away."""
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def abort(self) -> None:
        """Reset the connection on both sides."""
        for writer in (self.client, self.server):
            if writer is not None:
                with suppress(OSError):
                    found = writer.get_extra_info("socket")
                    if found is not None:  # RST instead of FIN
                        found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                writer.transport.abort()


class Proxy:
    """A line to one port of this machine. Made by `Network.line`; its methods may be called from any thread."""

    def __init__(self, network: Network, target: int, names: Iterable[tuple[bytes, str]], seed: int) -> None:
        self.port = 0
        self._network = network
        self._target = target
        self.names: list[tuple[bytes, str]] = list(names)
        """Words in the first bytes of a connection, and the speaker they give away."""
        self._rng = Random(seed)
        self._weathers: dict[str, Weather] = {}
        self._changed = asyncio.Event()
        self._links: set[_Link] = set()
        self._queue: list[asyncio.Future[None]] = []
        self._listener: asyncio.Server | None = None

    # -- Faults ----------------------------------------------------------------------------------------------------

    def change(self, cause: str, weather: Weather) -> None:
        """From now on the line behaves like this, beside what other causes do to it."""
        self._network.call(self._change, cause, weather)

    def clear(self, cause: str, *, reset: bool = False) -> None:
        """End what a cause did to the line. With `reset` everything that was under way is lost, as behind a firewall
        that forgot its connections."""
        if reset:
            self.cut()
        self._network.call(self._change, cause, None)

    def cut(self, hits: frozenset[str] = frozenset()) -> None:
        """Reset all connections of these speakers, or all."""
        self._network.call(self._each, lambda link: link.abort(), hits)

    def half_close(self, *, towards_client: bool) -> None:
        """Close one direction of every connection; what is sent that way from now on is thrown away."""

        def close(link: _Link) -> None:
            link.closed_ways.add(not towards_client)
            writer = link.client if towards_client else link.server
            if writer is not None and writer.can_write_eof():
                with suppress(OSError, RuntimeError):
                    writer.write_eof()

        self._network.call(self._each, close, frozenset())

    def _change(self, cause: str, weather: Weather | None) -> None:
        self._weathers.pop(cause, None)
        if weather is not None:
            self._weathers[cause] = weather
            if weather.refuse:
                self._each(lambda link: link.abort(), weather.hits)
        self._changed.set()
        self._changed = asyncio.Event()

    def _each(self, act: Callable[[_Link], None], hits: frozenset[str]) -> None:
        for link in [*self._links]:
            if not hits or link.speaker in hits:
                act(link)

    def _felt(self, link: _Link) -> list[Weather]:
        """The weathers that this connection feels."""
        return [one for one in self._weathers.values() if not one.hits or link.speaker in one.hits]

    async def _unblocked(self, link: _Link) -> None:
        while any(one.blocked for one in self._felt(link)):
            await self._changed.wait()

    # -- Passing on ------------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Begin to listen."""
        self._listener = await asyncio.start_server(self._serve, HOST, self.port, limit=CHUNK)
        self.port = self._listener.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Stop listening and reset everything."""
        self._weathers.clear()
        self._changed.set()
        if self._listener is not None:
            self._listener.close()
        for link in [*self._links]:
            link.abort()
            for task in link.tasks:
                task.cancel()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = _Link(writer)
        self._links.add(link)
        try:
            if any(one.refuse for one in self._felt(link)):
                return
            await self._unblocked(link)
            answers, link.server = await asyncio.open_connection(HOST, self._target, limit=CHUNK)
            link.tasks = [
                asyncio.create_task(self._pump(link, reader, link.server, asking=True)),
                asyncio.create_task(self._pump(link, answers, writer, asking=False)),
            ]
            await asyncio.wait(link.tasks)
        except OSError:
            pass  # the target is not there: the client is reset below
        finally:
            link.abort()
            self._links.discard(link)

    async def _pump(
        self, link: _Link, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, asking: bool
    ) -> None:
        try:
            while data := await source.read(CHUNK):
                if asking and link.sniffed < SNIFFED:
                    self._sniff(link, data)
                await self._suffer(link, asking=asking)
                if asking in link.closed_ways:
                    continue
                await self._pass(link, data, sink)
            if sink.can_write_eof():
                sink.write_eof()
        except (OSError, RuntimeError):
            link.abort()

    async def _suffer(self, link: _Link, *, asking: bool) -> None:
        """Wait as long as the weather says; abort the link if it says so."""
        await self._unblocked(link)
        for weather in self._felt(link):
            if weather.refuse or (weather.lose_answers and not asking):
                link.abort()
            if weather.delay:
                await asyncio.sleep(self._rng.uniform(0, weather.delay))
            if weather.reorder:
                await self._shuffled()

    async def _pass(self, link: _Link, data: bytes, sink: asyncio.StreamWriter) -> None:
        while len(data) > TRICKLE_BYTES and any(one.trickle for one in self._felt(link)):
            sink.write(data[:TRICKLE_BYTES])
            data = data[TRICKLE_BYTES:]
            await asyncio.sleep(TRICKLE_SECONDS)
        if sink.is_closing():
            raise ConnectionResetError
        sink.write(data)
        await sink.drain()

    async def _shuffled(self) -> None:
        """Wait with others for a moment; all are let go in random order."""
        turn = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        if len(self._queue) == 1:
            await asyncio.sleep(REORDER_SECONDS)
            waiting, self._queue = self._queue, []
            self._rng.shuffle(waiting)
            for place, one in enumerate(waiting):
                asyncio.get_running_loop().call_later(place * 0.002, _let_go, one)
        await turn

    def _sniff(self, link: _Link, data: bytes) -> None:
        """Find out who speaks: the first of the known words decides, since speakers also tell of others."""
        link.sniffed += len(data)
        places = [(place, name) for word, name in self.names if (place := data.find(word)) >= 0]
        if places:
            link.speaker = min(places)[1]
            link.sniffed = SNIFFED


def _let_go(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


class Network:
    """All lines of a world, in one thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="network", daemon=True)
        self._thread.start()
        self._lines: list[Proxy] = []

    def line(self, target: int, names: Iterable[tuple[bytes, str]] = (), seed: int = 0) -> Proxy:
        """Open a line to a port; it has a port of its own that stays the same."""
        line = Proxy(self, target, names, seed)
        self._await(line.open)
        self._lines.append(line)
        return line

    def call(self, act: Callable[..., None], *arguments: object) -> None:
        """Do something in the network's thread and wait until it is done."""

        async def done() -> None:
            act(*arguments)

        self._await(done)

    def _await(self, make: Callable[[], Awaitable[Result]]) -> Result:
        async def run() -> Result:
            return await make()

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result(10.0)

    def close(self) -> None:
        """Close all lines and end the thread."""
        for line in self._lines:
            self._await(line.close)

        async def settle() -> None:
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        self._await(settle)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
