"""Debian's Firefox, driven by Playwright over WebDriver BiDi.

Playwright calls commands that Firefox ESR does not have yet, and gives up when Firefox says so. No test here needs what
they do, so this file is also a program that starts Firefox and stands between the two: it hands everything on, and
answers those commands itself where Firefox does not know them. Nothing is lost when Firefox learns them; delete
this program when Debian's Firefox knows them all.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sys
from asyncio import IncompleteReadError, StreamReader, StreamWriter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

PROGRAM = "firefox-esr"
CHANNEL = "moz-firefox"
"""What Playwright calls a Firefox that it has not built itself."""
ANSWERS = {
    "emulation.setMediaFeaturesOverride": {},  # tests of the dark theme are for Chromium
    "network.addDataCollector": {"collector": "none"},  # tests that read bodies of answers are for Chromium
}
"""The commands that Firefox may not know, each with the answer that Playwright expects."""
LISTENING = re.compile(rb"(WebDriver BiDi listening on ws://127\.0\.0\.1:)(\d+)")
HOST = re.compile(rb"(?i)(\r\nhost: )[^\r]*")
END_OF_HEADERS = b"\r\n\r\n"
CHUNK = 65_536
TEXT_FRAME = 0x81
SMALL, MIDDLE = 125, 126
"""The length of a WebSocket frame stands in its second byte up to SMALL; MIDDLE says that the next two bytes hold it, a
larger number that the next eight do."""


def start_firefox(playwright: Playwright, folder: Path) -> Browser:
    """Start Firefox without a window; the folder takes the program that Playwright starts."""
    program = folder / PROGRAM
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {__file__} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return playwright.firefox.launch(channel=CHANNEL, executable_path=program)


async def frames(reader: StreamReader) -> AsyncIterator[tuple[bytes, bytes]]:
    """Generate head and content of each frame that a server sends; those are never masked."""
    while True:
        head = await reader.readexactly(2)
        size = head[1]
        if size > SMALL:
            longer = await reader.readexactly(2 if size == MIDDLE else 8)
            head, size = head + longer, int.from_bytes(longer, "big")
        yield head, await reader.readexactly(size)


def answered(content: bytes) -> bytes | None:
    """Return a frame with the answer to a command that Firefox does not know; None for every other message."""
    if b"unknown command" not in content:
        return None
    message = json.loads(content)
    command = next((name for name in ANSWERS if name in message.get("message", "")), None)
    if message.get("error") != "unknown command" or command is None:
        return None
    answer = json.dumps({"type": "success", "id": message["id"], "result": ANSWERS[command]}).encode()
    assert len(answer) <= SMALL
    return bytes([TEXT_FRAME, len(answer)]) + answer


async def hand_on(reader: StreamReader, writer: StreamWriter) -> None:
    """Hand on what Playwright sends, until it hangs up."""
    try:
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


class Relay:
    """Playwright's connection to Firefox."""

    port = 0
    """Where Firefox listens."""

    async def connect(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Connect Playwright to Firefox, which wants to be called by its own address."""
        firefox_reader, firefox_writer = await asyncio.open_connection("127.0.0.1", self.port)
        request = await reader.readuntil(END_OF_HEADERS)
        firefox_writer.write(HOST.sub(rb"\g<1>127.0.0.1:%d" % self.port, request))
        upwards = asyncio.create_task(hand_on(reader, firefox_writer))
        try:
            writer.write(await firefox_reader.readuntil(END_OF_HEADERS))
            async for head, content in frames(firefox_reader):
                writer.write(answered(content) or head + content)
                await writer.drain()
        except (ConnectionError, IncompleteReadError):
            pass  # one of the two has hung up
        finally:
            writer.close()
            await upwards


async def main() -> int:
    """Start Firefox with the arguments of this program, and tell Playwright the address of the relay instead."""
    program = shutil.which(PROGRAM)
    assert program is not None
    relay = Relay()
    server = await asyncio.start_server(relay.connect, "127.0.0.1", 0)
    own_port = server.sockets[0].getsockname()[1]
    firefox = await asyncio.create_subprocess_exec(program, *sys.argv[1:], stderr=asyncio.subprocess.PIPE)
    assert firefox.stderr is not None
    async for line in firefox.stderr:
        if found := LISTENING.search(line):
            relay.port = int(found[2])
        sys.stderr.buffer.write(LISTENING.sub(rb"\g<1>%d" % own_port, line))
        sys.stderr.buffer.flush()
    return await firefox.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
