"""The client of a stream, while the event loop uses its socket: nothing waits for it, and nothing of it is lost."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

from alhambra_gateway import limits
from alhambra_gateway.connections.connection import ClientSocket
from alhambra_gateway.streams.sse_client import END, SseClient
from alhambra_gateway.streams.sse_parts import chunk_of

PATIENCE = 30.0
LONG = b"x" * (1 << 20)
"""More than the system keeps for a client that does not read."""


class Peer:
    """Both ends of a connection: the gateway's, and that of a client which reads when it is told to."""

    def __init__(self, *, in_chunks: bool) -> None:
        near, self.far = socket.socketpair()
        self.near = ClientSocket(near)
        self.ended: list[bool] = []
        self.client = SseClient(self.near, self.ended.append, in_chunks=in_chunks)

    async def read(self, length: int) -> bytes:
        self.far.setblocking(False)
        loop, found = asyncio.get_running_loop(), b""
        while len(found) < length:
            data = await loop.sock_recv(self.far, length - len(found))
            assert data, "the answer has ended too early"
            found += data
        return found


@asynccontextmanager
async def connected(*, in_chunks: bool = False) -> AsyncIterator[Peer]:
    peer = Peer(in_chunks=in_chunks)
    try:
        yield peer
    finally:
        peer.client.disconnect()
        peer.near.hang_up()
        peer.far.close()


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), PATIENCE))


async def until(holds: Callable[[], object]) -> None:
    while not holds():
        await asyncio.sleep(0.001)


def test_what_a_client_does_not_take_at_once_follows_when_it_reads() -> None:
    async def test() -> None:
        async with connected() as peer:
            drained: list[bool] = []
            peer.client.drained = lambda: drained.append(True)
            peer.client.send_text(LONG)
            peer.client.send_text(b"behind it")
            assert peer.near.unsent
            assert await peer.read(len(LONG) + 9) == LONG + b"behind it"
            await until(lambda: drained)
            assert peer.client.idle
            assert not peer.ended

    run(test)


@pytest.mark.parametrize("text", [b"short", LONG], ids=["read at once", "read later"])
def test_an_answer_is_whole_when_its_last_chunk_was_sent(text: bytes) -> None:
    async def test() -> None:
        async with connected(in_chunks=True) as peer:
            peer.client.send_text(text)
            peer.client.finish()
            peer.client.send_text(b"too late")
            whole = chunk_of(text) + END
            assert await peer.read(len(whole)) == whole
            await until(lambda: peer.ended)
            assert peer.ended == [True]
            peer.far.setblocking(False)
            with pytest.raises(BlockingIOError):
                peer.far.recv(1)

    run(test)


def test_a_client_that_disconnects_is_noticed_although_nothing_is_sent() -> None:
    async def test() -> None:
        async with connected() as peer:
            peer.far.close()
            await until(lambda: peer.ended)
            peer.client.send_text(b"nobody reads this")
            peer.client.finish()
            assert peer.ended == [False]

    run(test)


def test_a_client_that_sends_something_is_not_taken_for_one_that_disconnects() -> None:
    async def test() -> None:
        async with connected() as peer:
            peer.far.send(b"GET / HTTP/1.1\r\n")
            await asyncio.sleep(0.01)
            peer.client.send_text(b"more")
            assert await peer.read(4) == b"more"
            assert not peer.ended
            assert peer.near.recv(4) == b"GET ", "the next request is still there"

    run(test)


def test_a_client_that_reads_nothing_is_disconnected_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STALLED_SECONDS", 0.02)

    async def test() -> None:
        async with connected() as peer:
            peer.client.send_text(LONG)
            await asyncio.wait_for(peer.client.until_drained(), PATIENCE)
            assert peer.ended == [False]

    run(test)


def test_a_client_that_has_everything_may_be_quiet_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STALLED_SECONDS", 0.02)

    async def test() -> None:
        async with connected() as peer:
            peer.client.send_text(LONG)
            monkeypatch.setattr(limits, "STALLED_SECONDS", PATIENCE)
            await peer.read(len(LONG))
            await until(lambda: peer.client.idle)
            await asyncio.sleep(0.05)
            assert not peer.ended

    run(test)
