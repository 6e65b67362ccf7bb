"""A store of our own: one owner, watched over, gone with its owner, and nothing acknowledged is ever lost."""

import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from alhambra_service import limits
from alhambra_service.store import (
    EmbeddedStore,
    GameStore,
    OutcomeUnknown,
    Request,
    Stale,
    StoredGame,
    StoreMisconfigured,
    StoreUnavailable,
)
from alhambra_service.store.connection.connect import connect
from alhambra_service.store.embedded import embedded_store

from .conftest import OpenStore
from .samples import assert_intact, commit, created, same
from .servers import alive, await_true


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a path that is short enough for a socket."""
    with TemporaryDirectory(prefix="alh-test-") as name:
        yield Path(name) / "data"


def test_data_survive_a_restart_and_nobody_else_can_enter(folder: Path) -> None:
    store: GameStore[StoredGame] = GameStore.open(f"embedded:{folder}", same)
    game = created(store)
    commit(store, game, store.load(game), ["0 pass"])
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "store.sock").stat().st_mode) == 0o700
    store.close()
    store = GameStore.open(f"embedded:{folder}", same)
    try:
        assert len(assert_intact(store, game)) == 1
        assert store.unready() is None
    finally:
        store.close()


@pytest.mark.parametrize(("mib", "bound"), [(None, limits.EMBEDDED_MEMORY_MIB << 20), (5, 5 << 20), (0, 0)])
def test_the_memory_for_games_is_bounded_and_none_is_thrown_away(folder: Path, mib: int | None, bound: int) -> None:
    with EmbeddedStore(folder) if mib is None else EmbeddedStore(folder, memory_mib=mib) as one:
        client = connect(one.url)
        try:
            about = client.servers()[0].info("memory")
            assert (int(about["maxmemory"]), about["maxmemory_policy"]) == (bound, "noeviction")
        finally:
            client.close()


def test_a_folder_has_one_owner(folder: Path) -> None:
    with EmbeddedStore(folder) as first:
        with pytest.raises(StoreMisconfigured, match=rf"process {os.getpid()}\): stop that one, or name another"):
            EmbeddedStore(folder, lock_seconds=0.1).start()
        assert first.pid is not None
        assert alive(first.pid)
    with EmbeddedStore(folder, lock_seconds=0.1):
        pass


def test_stopping_ends_the_process_that_was_started(folder: Path) -> None:
    with EmbeddedStore(folder) as one:
        pid = one.pid
        assert pid is not None
        assert alive(pid)
    assert not alive(pid)


def test_a_path_too_long_for_a_socket_is_no_obstacle(folder: Path) -> None:
    deep = folder / ("a" * 60) / ("b" * 60)
    with EmbeddedStore(deep) as one:
        store: GameStore[StoredGame] = GameStore.open(one.url, same)
        game = created(store)
        assert store.load(game).version == 0
        store.close()
        elsewhere = Path(one.url.removeprefix("unix://")).parent
        assert elsewhere != deep
        assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o700
    assert not elsewhere.exists()


def test_a_store_that_is_killed_under_load_comes_back_with_everything_it_acknowledged(
    folder: Path, open_store: OpenStore
) -> None:
    kills, writers, moves = 3, 3, 60
    with EmbeddedStore(folder) as one:
        store = open_store(one.url)
        game = created(store)
        acknowledged: list[str] = []

        def write(writer: int) -> None:
            for number in range(moves):
                text = f"{writer} move{number}"
                commit_somehow(store, game, text, f"seat{writer}")
                acknowledged.append(text)

        with ThreadPoolExecutor(writers) as pool:
            tasks = [pool.submit(write, writer) for writer in range(writers)]
            for kill in range(kills):
                await_length(acknowledged, (kill + 1) * writers * moves // (kills + 2))
                assert one.pid is not None
                os.kill(one.pid, signal.SIGKILL)
                await_restart(one, kill + 1)
            for task in tasks:
                task.result(30)
        log = assert_intact(store, game)
        assert sorted(entry.text for entry in log) == sorted(acknowledged)
        assert len(log) == writers * moves


def await_length(acknowledged: list[str], length: int) -> None:
    await_true(lambda: len(acknowledged) >= length, "some moves are made")


def await_restart(store: EmbeddedStore, times: int) -> None:
    await_true(lambda: store.restarts >= times, "the store is started again")


def commit_somehow(store: GameStore[StoredGame], game: str, text: str, owner: str) -> None:
    """Commits as a patient client would: the same request until there is an answer. Each writer needs an owner of its
    own: the store may forget a request after `REQUESTS_KEPT` later ones of the same owner."""
    request = Request.of(owner, text, text.encode())
    for _ in range(1_000):
        try:
            commit(store, game, store.load(game, fresh=True), [text], request)
            return
        except (OutcomeUnknown, Stale, StoreUnavailable):
            continue
    raise AssertionError("the store stayed away")


def test_the_server_outlives_the_thread_that_asked_for_it(folder: Path) -> None:
    one = EmbeddedStore(folder)
    asker = threading.Thread(target=one.start)
    asker.start()
    asker.join()
    try:
        time.sleep(0.1)
        assert one.pid is not None
        assert alive(one.pid)
        assert one.restarts == 0
    finally:
        one.stop()


OWNER = """
import sys, time
from pathlib import Path
from alhambra_service.store import EmbeddedStore
one = EmbeddedStore(Path(sys.argv[1]))
one.start()
print(one.pid, flush=True)
time.sleep(60)
"""


def test_killing_the_owner_leaves_no_server_behind_and_frees_the_folder(folder: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", OWNER, str(folder)], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline())
        assert alive(pid)
        owner.kill()
    await_true(lambda: not alive(pid), "the server ends", 5)
    with EmbeddedStore(folder) as one:
        assert one.pid != pid


def test_a_server_that_cannot_start_says_why(folder: Path) -> None:
    folder.mkdir()
    aof = folder / "appendonlydir"
    aof.mkdir()
    (aof / "appendonly.aof.manifest").write_text("this is no manifest\n")
    with pytest.raises(StoreMisconfigured, match=r"does not start: .*AOF"):
        EmbeddedStore(folder).start()
    with pytest.raises(StoreMisconfigured, match="does not start"):  # and the folder is free again
        EmbeddedStore(folder, lock_seconds=0.1).start()


def test_a_machine_without_a_server_is_told_what_to_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_store, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(StoreMisconfigured, match=r"install `alhambra-rules\[embedded\]`"):
        EmbeddedStore(folder).start()


def test_a_server_on_the_path_will_do(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = embedded_store.find_program()
    (tmp_path / "valkey-server").symlink_to(program)
    monkeypatch.setattr(embedded_store, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert embedded_store.find_program() == tmp_path / "valkey-server"
    with EmbeddedStore(folder) as one:
        assert one.pid is not None


# -- Whose folder it is ------------------------------------------------------------------------------------------------


def test_a_folder_that_others_can_open_is_closed_to_them_and_the_log_says_so(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    (folder / "lost+found").mkdir()
    with EmbeddedStore(folder):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert "(mode 755)" in caplog.text and "Other users could open the folder" in caplog.text
    caplog.clear()
    with EmbeddedStore(folder):
        assert "could be opened" not in caplog.text
    folder.chmod(0o750)
    with EmbeddedStore(folder):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert "(mode 750)" in caplog.text


def test_a_folder_with_things_of_others_is_refused_and_left_as_it_is(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o755)
    (folder / "letters").touch()
    with pytest.raises(StoreMisconfigured, match="contains something else than a store"):
        EmbeddedStore(folder).start()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert [entry.name for entry in folder.iterdir()] == ["letters"]
    folder.chmod(0o700)
    with EmbeddedStore(folder):
        assert (folder / "letters").exists(), "nobody else can open it: its owner knows best"
