"""A restore drill: games are played, backups are made meanwhile, and the store comes back as it was at a moment."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from alhambra_cli.commands import app
from alhambra_service.process.backup import games
from alhambra_service.store import GameStore, StoredGame
from alhambra_service.store.append_only.changes import Change, Damage, Time, read_changes
from alhambra_service.store.append_only.files import MANIFEST

from .store.samples import assert_intact, commit, created, same
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


def opened(server: RealServer) -> GameStore[StoredGame]:
    return GameStore.open(server.socket_url, same)


def next_second(server: RealServer) -> datetime:
    """The present second by the clock of the server, after which the next one has begun."""
    (now, _) = map(int, server.ask("TIME"))  # type: ignore[call-overload]
    await_true(lambda: int(server.ask("TIME")[0]) > now, "a second passes")  # type: ignore[index]
    return datetime.fromtimestamp(now, UTC)


def moved(store: GameStore[StoredGame], game: str, *moves: str) -> None:
    for move in moves:
        commit(store, game, store.load(game, fresh=True), [move])


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
    assert "is not a time" in invoke("restore", str(tmp_path), "--at", "yesterday", "--store", empty.url)[1]
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


def read(*pieces: bytes) -> list[Change | Time | Damage]:
    return list(read_changes(BytesIO(b"".join(pieces))))


def test_a_time_inside_a_transaction_counts_from_its_end() -> None:
    first, times, change, inside = read(
        words_of("#TS:10", "SET a 1"), words_of("MULTI", "SET a 2", "#TS:11", "SET b 2", "EXEC")
    )
    assert isinstance(change, Change)
    assert (first, inside) == (Time(0, 10), Time(77, 11))
    assert change.commands == [[b"SET", b"a", b"2"], [b"SET", b"b", b"2"]]
    assert isinstance(times, Change)


def test_a_word_that_looks_like_a_time_or_a_command_is_none() -> None:
    word = b"#TS:99\r\n*1\r\n$4\r\nPING\r\n"
    (found,) = read(b"*2\r\n$4\r\nECHO\r\n$%d\r\n%b\r\n" % (len(word), word))
    assert isinstance(found, Change)
    assert found.commands == [[b"ECHO", word]]


def test_a_change_that_was_being_written_is_the_end_and_no_damage_in_the_middle() -> None:
    whole = words_of("SET a 1")
    for rest in (b"*", b"*3\r\n$3\r\nSET\r\n$1\r\na", words_of("MULTI", "SET a 2"), b"#TS:1"):
        first, last = read(whole, rest)
        assert isinstance(first, Change)
        assert isinstance(last, Damage)
        assert (last.start, last.end, last.at_end) == (len(whole), len(whole + rest), True)


@pytest.mark.parametrize(
    "damage",
    [b"nonsense\r\n", b"*1\r\nnonsense\r\n", bytes(100), b"*3\r\n$3\r\nSET\r\n$900\r\na\r\n$1\r\n1\r\n", b"*0\r\n"],
)
def test_reading_goes_on_with_the_next_whole_command(damage: bytes) -> None:
    before, behind = words_of("SET a 1"), words_of("SET b 2")
    first, broken, second = read(before, damage, behind)
    assert isinstance(broken, Damage)
    assert (broken.start, broken.end, broken.at_end) == (len(before), len(before + damage), False)
    assert [change.commands for change in (first, second) if isinstance(change, Change)] == [
        [[b"SET", b"a", b"1"]],
        [[b"SET", b"b", b"2"]],
    ]


def test_a_transaction_without_its_end_is_told_and_its_commands_are_parts() -> None:
    parts, broken, whole = read(words_of("MULTI", "SET a 1"), words_of("MULTI", "SET b 2", "EXEC"))
    assert isinstance(parts, Change)
    assert not parts.whole
    assert isinstance(broken, Damage)
    assert isinstance(whole, Change)
    assert whole.whole


def test_damage_is_found_across_pieces_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alhambra_service.store.append_only.changes._PIECE", 64)
    for length in range(1, 200):
        *_, found = read(bytes(length), words_of("SET b 2"))
        assert isinstance(found, Change), length
        assert found.start == length


def test_parts_after_the_moment_are_left_out(live: RealServer, empty: RealServer, tmp_path: Path) -> None:
    store = opened(live)
    try:
        game = created(store)
        moved(store, game, "0 pass")
        good = next_second(live)
        moved(store, game, "1 pass")
    finally:
        store.close()
    folder = tmp_path / "copy"
    shutil.copytree(live.folder / "appendonlydir", folder)
    (first,) = folder.glob("*.incr.aof")
    data = first.read_bytes()
    middle = data.rindex(b"#TS:")
    first.write_bytes(data[:middle])
    (folder / "appendonly.aof.2.incr.aof").write_bytes(data[middle:])
    with (folder / MANIFEST).open("a", encoding="utf-8") as manifest:
        manifest.write("file appendonly.aof.2.incr.aof seq 2 type i\n")
    assert invoke("restore", str(folder), "--at", good.isoformat(), "--store", empty.url)[0] == 0
    assert versions(empty) == {game: 1}


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
        assert "Retrying in 1 s." in process.stderr.readline()
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
    assert "use 90s, 30m, 6h or 1d" in invoke("backup", str(tmp_path), "--every", "soon")[1]
    assert time.strftime("%Y") in sorted(path.name for path in tmp_path.iterdir())[0]
