"""Many watchers of one game, in a process of their own: `python -m tests.service.crowd PORT GAME WATCHERS`.

Each line on standard input is the id of an event; when every watcher has received it, a line with what they have seen
is written: how many they are, and whether all of them have seen the same events in order, each once.
"""

from __future__ import annotations

import asyncio
import json
import sys

import grpc

from alhambra_api.v1 import events_pb2, service_pb2_grpc

CONNECTIONS = 5
OPENED_AT_ONCE = 50
"""The service refuses a caller that opens hundreds at the same moment."""


class Spectator:
    def __init__(self) -> None:
        self.seen: list[str] = []
        self.snapshot = asyncio.Event()
        self.changed = asyncio.Event()

    async def watch(self, stub: service_pb2_grpc.GameServiceAsyncStub, game: str) -> None:
        async for message in stub.WatchEvents(events_pb2.WatchEventsRequest(game=game)):
            if message.HasField("snapshot"):
                self.snapshot.set()
            elif message.HasField("event"):
                assert not message.event.HasField("private_part")
                self.seen.append(message.event.id)
                self.changed.set()

    async def until(self, event: str) -> None:
        while not self.seen or self.seen[-1] != event:
            self.changed.clear()
            await self.changed.wait()


async def crowd(port: int, game: str, count: int) -> None:
    local = [("grpc.use_local_subchannel_pool", 1)]
    channels = [grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=local) for _ in range(CONNECTIONS)]
    stubs = [service_pb2_grpc.GameServiceStub(channel) for channel in channels]
    spectators = [Spectator() for _ in range(count)]
    streams = []
    for first in range(0, count, OPENED_AT_ONCE):
        group = spectators[first : first + OPENED_AT_ONCE]
        streams += [
            asyncio.create_task(spectator.watch(stubs[number % CONNECTIONS], game))
            for number, spectator in enumerate(group)
        ]
        await asyncio.gather(*(spectator.snapshot.wait() for spectator in group))
    print(json.dumps({"watchers": count}), flush=True)
    while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
        await asyncio.gather(*(spectator.until(line) for spectator in spectators))
        alike = all(spectator.seen == spectators[0].seen for spectator in spectators)
        print(json.dumps({"alike": alike, "seen": spectators[0].seen}), flush=True)
    for stream in streams:
        stream.cancel()


if __name__ == "__main__":
    asyncio.run(crowd(int(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
