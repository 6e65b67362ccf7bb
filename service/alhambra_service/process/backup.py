"""Writes all games of a store to a file, with their logs, and restores them. The chain of every log is checked.

The file is JSON lines: a header, one line for each game, and the number of games, so that a truncated file is noticed.
It contains the secrets of running games: protect it like the store itself.

A game that changes during the backup is written as it stood when it was read: the state is read first, and then the
entries of the log up to its version, which never change. The newest request ids are not part of a backup. A restored
game is written completely or not at all, and never over another one. A finished game is backed up with the documents
from which versions without its rules show it.

The service's key is not in the file: with it, a reader of the file could play every seat. Tokens and invitations stay
valid without it, because each game contains their digests. With another key, a repeated CreateGame creates another
game, and old page tokens are refused. To keep these too, give the service a key file (`--service-key`) and back it
up.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from .. import limits
from ..games.loaded_game import is_over
from ..store import GameNotFound, StoreError, StoreUnavailable, is_game, usage
from ..store.connection.connect import StoreClient
from ..store.connection.wire import Command, ReplyLost
from ..store.index import scan
from ..store.keys import STATE_PREFIX, final_key, game_keys, game_of, log_key, state_key, views_key
from ..store.stored_game import check, read_stored_game

FORMAT = "alhambra-backup/1"
RESTORE = """
if redis.call('EXISTS', KEYS[1]) == 1 then
  return redis.call('GET', KEYS[1]) == ARGV[1] and 'there' or 'other'
end
redis.call('DEL', unpack(KEYS, 2))
for place = #KEYS, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[place]) end
redis.call('SET', KEYS[1], ARGV[1])
for place = 4, #KEYS do
  if ARGV[place - 1] ~= '' then redis.call('SET', KEYS[place], ARGV[place - 1]) end
end
if tonumber(ARGV[2]) > 0 then
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[2]) end
end
return 'restored'
"""
RESTORED, THERE, OTHER = "restored", "there", "other"


class BadBackup(ValueError):
    """The file is not a complete backup. The message is a sentence."""


@dataclass(frozen=True, slots=True)
class Step:
    """The result for one game."""

    game: str
    fault: str = ""
    """What is wrong with it, in a sentence; empty if nothing is."""
    restored: bool = False
    """Whether it was written, and not there already."""


# -- Writing ---------------------------------------------------------------------------------------------------------


def games(client: StoreClient) -> Iterator[str]:
    """Generate the id of every game of the store once."""
    seen: set[str] = set()
    for game in filter(None, map(game_of, scan(client, STATE_PREFIX))):
        if game not in seen:
            seen.add(game)
            yield game


def write(client: StoreClient, file: IO[str]) -> Iterator[Step]:
    """Write all games to a file and generate a step for each. A damaged game is written as it is, with a fault."""
    _put(file, {"format": FORMAT})
    count = 0
    for game in games(client):
        try:
            found, fault = _read(client, game)
        except GameNotFound:
            continue  # it has been deleted, or has expired
        _put(file, found)
        count += 1
        yield Step(game, fault)
    _put(file, {"games": count})


def _read(client: StoreClient, game: str) -> tuple[dict[str, Any], str]:
    key = state_key(game)
    data, left = client.read(key, "GET", key), client.read(key, "PTTL", key)
    if data is None:
        raise GameNotFound("there is no such game")
    fault = ""
    lines: list[bytes] = []
    try:
        version = read_stored_game(data).version
        while len(lines) < version:
            last = min(version, len(lines) + limits.LOG_PAGE) - 1
            page = client.read(log_key(game), "LRANGE", log_key(game), len(lines), last)
            if not page:
                break
            lines += page
        check(data, lines)
    except StoreUnavailable:
        raise
    except StoreError as found:
        fault = f"Game {game}: {found}."
    log = [line.decode("utf-8", "surrogateescape") for line in lines]
    line = {"game": game, "left": max(left, 0), "record": b64encode(data).decode(), "log": log}
    for name, key in _document_keys(game).items():
        document = client.read(key, "GET", key)
        if document is not None:
            line[name] = b64encode(document).decode()
    return line, fault


def _document_keys(game: str) -> dict[str, str]:
    """Return the keys of the documents that a finished game can have, by their names in the file."""
    return {"final": final_key(game), "views": views_key(game)}


def _put(file: IO[str], document: dict[str, Any]) -> None:
    file.write(json.dumps(document, separators=(",", ":")) + "\n")


# -- Reading ---------------------------------------------------------------------------------------------------------


def restore(client: StoreClient, file: IO[str]) -> Iterator[Step]:
    """Write the games of a file into the store, list them, and generate a step for each. Raises BadBackup."""
    if _take(file) != {"format": FORMAT}:
        raise BadBackup(f"The file is not a backup of the format {FORMAT}.")
    count = 0
    while True:
        document = _take(file)
        if document.keys() == {"games"}:
            break
        count += 1
        yield _restored(client, document)
    if document["games"] != count:
        raise BadBackup(f"The file says that it has {document['games']} games and has {count}.")


def _take(file: IO[str]) -> dict[str, Any]:
    line = file.readline(limits.BACKUP_LINE_BYTES)
    if not line.endswith("\n"):
        raise BadBackup("The file is truncated.")
    try:
        document = json.loads(line)
    except ValueError:
        raise BadBackup("The file has a line that is not JSON.") from None
    if not isinstance(document, dict):
        raise BadBackup("The file has a line that is not a game.")
    return document


def _restored(client: StoreClient, document: dict[str, Any]) -> Step:
    try:
        game, left = document["game"], int(document["left"])
        data = b64decode(document["record"], validate=True)
        lines = [line.encode("utf-8", "surrogateescape") for line in document["log"]]
        if not is_game(game):
            raise ValueError(game)
        documents = [b64decode(document.get(name, ""), validate=True) for name in _document_keys(game)]
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadBackup("The file has a line that is not a game.") from None
    try:
        stored = check(data, lines)
    except StoreError as fault:
        return Step(game, f"Game {game} was left out: {fault}.")
    answer = _write(client, game, data, left, documents, lines)
    if answer == OTHER:
        return Step(game, f"Game {game} was left out: the store has another state of it.")
    try:
        running = not is_over(stored)
    except StoreError:
        running = True  # this service cannot read the game, so it counts as running
    usage.count(client, stored.tenant, game, stored.created, running=running)
    return Step(game, restored=answer == RESTORED)


def _write(client: StoreClient, game: str, data: bytes, left: int, documents: list[bytes], lines: list[bytes]) -> str:
    keys = (*game_keys(game), *_document_keys(game).values())
    command: Command = ("EVAL", RESTORE, len(keys), *keys, data, left, *documents, *lines)
    try:
        reply = client.write(keys[0], *command)
    except ReplyLost:
        reply = client.write(keys[0], *command)  # if the first attempt wrote the game, it exists now
    answer: str = reply.decode()
    return answer
