"""A restore drill: games are played, backups are made meanwhile, and the store comes back as it was at a moment."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from alhambra_cli.commands import app
from alhambra_service.process.backup import games
from alhambra_service.store import GameStore, Record
from alhambra_service.store.append_only_file import MANIFEST, BadLog, cut_files

from .store.samples import assert_intact, created, same
from .store.servers import RealServer, await_true

TIMES = ("--aof-timestamp-enabled", "yes")


def invoke(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, words)
    return done.exit_code, done.output


@pytest.fixture
def live() -> Iterator[RealServer]:
    one = RealServer(*TIMES)
    yield one
    one.stop()


@pytest.fixture
def empty() -> Iterator[RealServer]:
    one = RealServer()
    yield one
    one.stop()


def opened(server: RealServer) -> GameStore[Record]:
    return GameStore.open(server.socket_url, same)


def next_second(server: RealServer) -> datetime:
    """The present second by the clock of the server, after which the next one has begun."""
    (now, _) = map(int, server.ask("TIME"))  # type: ignore[call-overload]
    await_true(lambda: int(server.ask("TIME")[0]) > now, "a second passes")  # type: ignore[index]
    return datetime.fromtimestamp(now, UTC)


def moved(store: GameStore[Record], game: str, *moves: str) -> None:
    for move in moves:
        store.commit(game, store.load(game, fresh=True), [move])


def versions(server: RealServer) -> dict[str, int]:
    """The games of a store, each intact, by their version."""
    store = opened(server)
    try:
        return {game: len(assert_intact(store, game)) for game in games(store.client)}
    finally:
        store.close()


# -- A moment of the past -------------------------------------------------------------------------------------------


def test_a_store_comes_back_as_it_was_before_a_mistake(live: RealServer, empty: RealServer) -> None:
    store = opened(live)
    try:
        game, doomed = created(store), created(store)
        moved(store, game, "0 pass", "1 pass")
        good = next_second(live)
        moved(store, game, "0 pass")
        live.ask("FLUSHALL")  # the mistake
    finally:
        store.close()
    code, output = invoke("restore", str(live.folder), "--at", good.isoformat(), "--store", empty.socket_url)
    assert (code, output) == (0, f"Games of {live.folder} that are in the store: 2 of 2.\n")
    assert versions(empty) == {game: 2, doomed: 0}


def test_a_moment_may_lie_after_the_last_rewriting_of_the_file_and_not_before(
    live: RealServer, empty: RealServer
) -> None:
    store = opened(live)
    try:
        game = created(store)
        live.ask("BGREWRITEAOF")
        await_true(lambda: b"aof_rewrite_in_progress:0" in live.ask("INFO", "persistence"), "it is rewritten")  # type: ignore[operator]
        moved(store, game, "0 pass")
        moment = next_second(live)
        moved(store, game, "1 pass")
    finally:
        store.close()
    assert invoke("restore", str(live.folder), "--at", f"{moment:%Y-%m-%dT%H:%M:%S}", "--store", empty.url)[0] == 0
    assert versions(empty) == {game: 1}
    code, output = invoke(
        "restore", str(live.folder), "--at", (moment - timedelta(hours=1)).isoformat(), "--store", empty.url
    )
    assert code == 2
    assert "reaches back to" in output
    assert "restore a backup from before that" in output


def test_without_a_moment_the_newest_state_is_restored(live: RealServer, empty: RealServer) -> None:
    store = opened(live)
    try:
        game = created(store)
        moved(store, game, "0 pass")
    finally:
        store.close()
    live.kill()
    assert invoke("restore", str(live.folder / "appendonlydir"), "--store", empty.url)[0] == 0
    assert versions(empty) == {game: 1}


def test_a_file_without_times_is_refused(empty: RealServer) -> None:
    store = opened(empty)
    try:
        created(store)
    finally:
        store.close()
    code, output = invoke("restore", str(empty.folder), "--at", "2040-01-01T00:00:00Z", "--store", empty.url)
    assert code == 2
    assert "aof-timestamp-enabled yes" in output


def test_a_moment_that_cannot_be_read_or_used_is_told(tmp_path: Path, empty: RealServer) -> None:
    assert "is no time" in invoke("restore", str(tmp_path), "--at", "yesterday", "--store", empty.url)[1]
    assert "has no appendonly.aof.manifest" in invoke("restore", str(tmp_path), "--store", empty.url)[1]
    file = tmp_path / "backup.jsonl"
    file.touch()
    assert "--at needs" in invoke("restore", str(file), "--at", "2026-01-01T00:00:00Z", "--store", empty.url)[1]


def words_of(*commands: str) -> bytes:
    """Commands as they stand in an append-only file; a time is written as #TS:."""
    lines = []
    for command in commands:
        words = command.split()
        lines += [command] if command.startswith("#") else [f"*{len(words)}", *(f"${len(w)}\r\n{w}" for w in words)]
    return "".join(f"{line}\r\n" for line in lines).encode()


def parts(folder: Path, *changes: bytes) -> list[Path]:
    """An append-only file of several parts."""
    files = [folder / f"appendonly.aof.{number}.incr.aof" for number in range(1, len(changes) + 1)]
    for file, content in zip(files, changes, strict=True):
        file.write_bytes(content)
    lines = [f"file {file.name} seq {number} type i\n" for number, file in enumerate(files, 1)]
    (folder / MANIFEST).write_text("".join(lines), "utf-8")
    return files


def test_parts_after_the_moment_are_left_out(tmp_path: Path) -> None:
    first, second, third = parts(
        tmp_path,
        words_of("#TS:10", "SET a 1"),
        words_of("#TS:20", "SET a 2", "#TS:30", "SET a 3"),
        words_of("#TS:40", "SET a 4"),
    )
    cut_files(tmp_path, 29)
    assert second.read_bytes() == words_of("#TS:20", "SET a 2")
    assert first.read_bytes() == words_of("#TS:10", "SET a 1")
    assert not third.exists()
    assert (tmp_path / MANIFEST).read_text("utf-8").count("\n") == 2


def test_a_cut_never_divides_a_transaction(tmp_path: Path) -> None:
    (only,) = parts(tmp_path, words_of("#TS:10", "SET a 1", "MULTI", "SET a 2", "#TS:11", "SET b 2", "EXEC"))
    cut_files(tmp_path, 10)
    assert only.read_bytes() == words_of("#TS:10", "SET a 1")


def test_a_word_that_looks_like_a_time_is_none(tmp_path: Path) -> None:
    content = b"#TS:10\r\n*2\r\n$4\r\nECHO\r\n$8\r\n#TS:99\r\n\r\n"
    (only,) = parts(tmp_path, content)
    cut_files(tmp_path, 10)
    assert only.read_bytes() == content


def test_a_change_that_was_being_written_is_left_to_the_store(tmp_path: Path) -> None:
    whole = words_of("#TS:10", "SET a 1")
    (only,) = parts(tmp_path, whole + b"*3\r\n$3\r\nSET\r\n$1\r\na")
    cut_files(tmp_path, 10)
    assert only.read_bytes().startswith(whole)


@pytest.mark.parametrize("damage", [b"nonsense\r\n", b"*1\r\nnonsense\r\n"])
def test_a_damaged_file_is_told(tmp_path: Path, damage: bytes) -> None:
    parts(tmp_path, words_of("#TS:10") + damage)
    with pytest.raises(BadLog, match="is damaged"):
        cut_files(tmp_path, 10)


# -- Backups by schedule --------------------------------------------------------------------------------------------


def test_backups_are_made_again_and_again_and_old_ones_are_removed(live: RealServer, tmp_path: Path) -> None:
    store = opened(live)
    folder = tmp_path / "backups"
    words = [sys.executable, "-m", "alhambra_cli", "backup", str(folder), "--store", live.url]
    seen: set[str] = set()
    try:
        game = created(store)
        with subprocess.Popen([*words, "--every", "1s", "--keep", "2"], stdout=subprocess.DEVNULL) as process:

            def several() -> bool:
                seen.update(path.name for path in folder.glob("*.jsonl"))
                return len(seen) >= 4

            await_true(several, "four backups are made", 60)
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
    finally:
        store.close()
    left = sorted(path.name for path in folder.iterdir())
    assert len(left) == 2
    assert left == sorted(seen | set(left))[-2:]
    documents = [json.loads(line) for line in (folder / left[-1]).read_text("utf-8").splitlines()]
    assert [one["game"] for one in documents if "game" in one] == [game]
    assert (folder / left[-1]).stat().st_mode & 0o777 == 0o600


def test_a_store_that_is_away_costs_one_backup_and_no_old_one(live: RealServer, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    words = [sys.executable, "-m", "alhambra_cli", "backup", str(folder), "--store", live.url, "--every", "1s"]
    with subprocess.Popen([*words, "--keep", "1"], stderr=subprocess.PIPE, text=True) as process:
        await_true(lambda: folder.exists() and any(folder.glob("*.jsonl")), "a backup is made", 60)
        live.kill()
        assert process.stderr is not None
        assert "The next one is made in 1 s." in process.stderr.readline()
        kept = [*folder.iterdir()]
        assert [path.suffix for path in kept] == [".jsonl"]
        live.start()
        await_true(lambda: [*folder.glob("*.jsonl")] != kept, "the next backup is made", 60)
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(30) == 0


def test_a_single_backup_goes_into_a_folder_by_its_time(live: RealServer, tmp_path: Path) -> None:
    for _ in range(3):
        assert invoke("backup", str(tmp_path), "--store", live.url, "--keep", "2")[0] == 0
        next_second(live)
    assert len([*tmp_path.iterdir()]) == 2
    assert "write 90s, 30m, 6h or 1d" in invoke("backup", str(tmp_path), "--every", "soon")[1]
    assert time.strftime("%Y") in sorted(path.name for path in tmp_path.iterdir())[0]
