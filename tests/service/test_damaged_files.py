"""Damaged files of a store: what was acknowledged before the damage is restored, nothing is invented, play goes on.

Copies of the folder of a real store are damaged at random, by seed. `ALHAMBRA_DAMAGED_COPIES=500` tries 500 copies.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner

from alhambra_api.v1 import views_pb2
from alhambra_cli.commands import app
from alhambra_service.games.loaded_game import decode
from alhambra_service.games.retention import Retention
from alhambra_service.process.backup import games
from alhambra_service.store import EmbeddedStore, GameStore, StoreMisconfigured
from alhambra_service.store.append_only.files import FOLDER, MANIFEST, listing
from alhambra_service.store.connection.connect import connect

from .playing import Game, Host, play
from .serving import GameServer
from .store.servers import RealServer, await_true
from .whole_games import assert_whole, whole_log

COPIES, FEW = int(os.environ.get("ALHAMBRA_DAMAGED_COPIES", "30")), 8
"""Copies that `make check` damages, and those of them that `make test` damages."""
LENGTHS = (1, 1, 2, 8, 64, 512, 4096)
BASE, FIRST, SECOND = "appendonly.aof.2.base.rdb", "appendonly.aof.2.incr.aof", "appendonly.aof.3.incr.aof"


@dataclass
class Truth:
    """A folder of a store, and what was acknowledged when its files had which sizes."""

    folder: Path
    acknowledged: list[tuple[str, int, int, str, int]] = field(default_factory=list)
    """In order: the file, the bytes from and to which the change stands in it, the game, its version."""
    logs: dict[str, list[str]] = field(default_factory=dict)
    """The whole log of each game that was not deleted."""
    tokens: dict[str, dict[int, str]] = field(default_factory=dict)
    at_rewriting: dict[str, int] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)


@pytest.fixture(scope="module")
def truth() -> Iterator[Truth]:
    """Games that were played, some before the file was rewritten; one of them is over and one was deleted."""
    with TemporaryDirectory(prefix="alh-test-") as name:
        found = Truth(Path(name) / "played")
        with EmbeddedStore(found.folder) as store:
            server = GameServer(store.url)
            server.commands.retention = Retention(finished=100_000, abandoned=100_000)
            host, rng = Host(server.address), Random(7)
            try:
                old = [host.create(seats) for seats in (2, 3, 2)]
                play(old[0], rng)  # to its end
                for game in old[1:]:
                    play(game, rng, moves=12)
                found.at_rewriting = {game.id: game.view().version for game in old}
                rewrite(store)
                new = [host.create(2) for _ in range(3)]
                running = [*old[1:], *new]
                for number in range(60):
                    step(found, running[rng.randrange(len(running))], rng)
                    if number == 30:
                        server.store.forget(new[2].id, "local")
                        running.remove(new[2])
                        found.deleted.add(new[2].id)
                for game in (*old, *new[:2]):
                    found.logs[game.id] = [entry.text for entry in whole_log(server.store, game.id)]
                    found.tokens[game.id] = {seat: one.token for seat, one in game.seats.items()}
            finally:
                host.close()
                server.stop()
        divide(found)
        yield found


def rewrite(store: EmbeddedStore) -> None:
    client = connect(store.url)
    try:
        client.servers()[0].ask("BGREWRITEAOF")
        await_true(lambda: client.servers()[0].info("persistence")["aof_rewrite_in_progress"] == "0", "it is rewritten")
        await_true(lambda: not list(store.folder.glob(f"{FOLDER}/*.1.*")), "the old files are removed")
    finally:
        client.close()


def step(found: Truth, game: Game, rng: Random) -> None:
    """Make a move, and note between which bytes it stands."""
    file = found.folder / FOLDER / FIRST
    before = file.stat().st_size
    version = play(game, rng, moves=1).version
    found.acknowledged.append((FIRST, before, file.stat().st_size, game.id, version))


def divide(found: Truth) -> None:
    """Make two files of the changes, as a store does whose rewriting failed."""
    folder = found.folder / FOLDER
    data = (folder / FIRST).read_bytes()
    middle = found.acknowledged[len(found.acknowledged) // 2][2]
    (folder / FIRST).write_bytes(data[:middle])
    (folder / SECOND).write_bytes(data[middle:])
    with (folder / MANIFEST).open("a", encoding="utf-8") as manifest:
        manifest.write(f"file {SECOND} seq 3 type i\n")
    found.acknowledged = [
        (FIRST, start, end, game, version) if end <= middle else (SECOND, start - middle, end - middle, game, version)
        for _, start, end, game, version in found.acknowledged
    ]


@pytest.fixture(scope="module")
def target() -> Iterator[EmbeddedStore]:
    """A store to restore into."""
    with TemporaryDirectory(prefix="alh-test-") as name, EmbeddedStore(Path(name) / "target") as store:
        yield store


# -- Damage ---------------------------------------------------------------------------------------------------------


@dataclass
class Damaged:
    """What was done to a copy."""

    file: str
    kind: str
    start: int
    end: int


def damage(folder: Path, rng: Random) -> Damaged:
    """Damage one file of a folder."""
    return spoil(folder, rng.choices((BASE, FIRST, SECOND, MANIFEST), (3, 4, 4, 1))[0], rng)


def spoil(folder: Path, name: str, rng: Random) -> Damaged:
    """Damage this file."""
    path = folder / FOLDER / name
    data = bytearray(path.read_bytes())
    kind = rng.choice(("flip", "flip", "zero", "zero", "cut", "append", "gone"))
    if kind == "gone" and name != MANIFEST:
        kind = "flip"
    start = rng.randrange(len(data))
    end = min(len(data), start + rng.choice(LENGTHS))
    if kind == "flip":
        data[start:end] = bytes(byte ^ rng.randrange(1, 256) for byte in data[start:end])
    elif kind == "zero":
        data[start:end] = bytes(end - start)
    elif kind == "cut":
        end = len(data)
        del data[start:]
    elif kind == "append":
        earlier = bytes(data[start:end])
        start = end = len(data)
        length = rng.choice(LENGTHS)
        data += rng.choice((bytes(length), rng.randbytes(length), earlier))
    path.write_bytes(data)
    if kind == "gone":
        path.unlink()
    return Damaged(name, kind, start, end)


def expected(found: Truth, done: Damaged, *, skip: bool) -> dict[str, int]:
    """The least version that each game must have after the restore."""
    order = (MANIFEST, BASE, FIRST, SECOND)
    least: dict[str, int] = {}
    if done.file == BASE and done.kind != "append":
        least |= {game: found.at_rewriting[game] for game in whole_in_base(found, done)}
    else:
        least |= found.at_rewriting
    touched = lost_games(found, done)
    for file, _, end, game, version in found.acknowledged:
        if game in found.deleted or (done.file == BASE and done.kind == "append" and not skip):
            continue
        if skip:
            present = game not in touched or (order.index(done.file) > order.index(file))
            present = present or (file == done.file and end <= done.start)
        else:
            present = done.file == MANIFEST or order.index(done.file) > order.index(file)
            present = present or (file == done.file and end <= done.start)
        if present and (game in least or version <= len(found.logs[game])) and game_begins(found, done, game, skip):
            least[game] = max(least.get(game, 0), version)
    return least


def game_begins(found: Truth, done: Damaged, game: str, skip: bool) -> bool:
    """Whether the beginning of the game cannot be lost in the base."""
    return done.file != BASE or game not in found.at_rewriting or game in whole_in_base(found, done)


def lost_games(found: Truth, done: Damaged) -> set[str]:
    """Games with a change at damaged bytes."""
    if done.file == MANIFEST:
        return set()
    return {
        game
        for file, start, end, game, _ in found.acknowledged
        if file == done.file and start < max(done.end, done.start + 1) and done.start < end
    }


def whole_in_base(found: Truth, done: Damaged) -> set[str]:
    """Games of the base with all their bytes outside of the damage."""
    data = (found.folder / FOLDER / BASE).read_bytes()
    starts = [match.start() for match in re.finditer(rb"alh:[a-z]+:\{", data)]
    whole = set(found.at_rewriting)
    for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
        key = re.match(rb"alh:(?:state|log):\{(\w+)\}", data[start:])
        # The bytes before a key are its type and length, those before the next key belong to that one.
        if key and start - 2 < max(done.end, done.start + 1) and done.start < end:
            whole.discard(key[1].decode())
    return whole


def behind(found: Truth, done: Damaged, folder: Path) -> bytes:
    """What is left of the changes from the damaged one on; of a damaged base, everything."""
    if done.file in (BASE, MANIFEST):
        return b"".join(path.read_bytes() for path in folder.iterdir())
    starts = [start for file, start, _, _, _ in found.acknowledged if file == done.file and start <= done.start]
    rest = (folder / done.file).read_bytes()[max(starts, default=0) :]
    return rest + ((folder / SECOND).read_bytes() if done.file == FIRST else b"")


def invoke(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, words)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.mark.parametrize(
    "seed", [*range(FEW), *(pytest.param(seed, marks=pytest.mark.check_only) for seed in range(FEW, COPIES))]
)
def test_a_damaged_copy_is_restored_up_to_the_damage_and_plays_on(
    seed: int, truth: Truth, target: EmbeddedStore, tmp_path: Path
) -> None:
    rng = Random(seed)
    copy = tmp_path / "copy"
    shutil.copytree(truth.folder / FOLDER, copy / FOLDER)
    done, skip = damage(copy, rng), rng.random() < 0.5
    empty(target)
    code, output = invoke("restore", str(copy), "--store", target.url, *(["--skip-damage"] if skip else []))
    assert code in (0, 1), output
    server = GameServer(target.url)
    try:
        have = {game: [entry.text for entry in whole_log(server.store, game)] for game in games(server.store.client)}
        assert have.keys() <= truth.logs.keys() | truth.deleted, (done, output)
        for game, log in have.items():
            if game not in truth.deleted:
                assert log == truth.logs[game][: len(log)], (done, game)
                assert_whole(server.store, game)
        short = {
            game: (len(have.get(game, ())) if game in have else None, version)
            for game, version in expected(truth, done, skip=skip).items()
            if game not in have or len(have[game]) < version
        }
        assert not short, (done, skip, short, output)
        lost = [game for game, log in truth.logs.items() if len(have.get(game, ())) < len(log)]
        if lost and not (done.kind == "cut" and done.file == SECOND):
            assert code == 1, (done, output)
            left = behind(truth, done, copy / FOLDER)
            nameable = [game for game in lost if re.search(rb"alh:[a-z]+:\{%b\}" % game.encode(), left)]
            assert all(game in output for game in nameable), (done, nameable, output)
        play_on(server, truth, have, rng)
    finally:
        server.stop()


def play_on(server: GameServer, truth: Truth, have: dict[str, list[str]], rng: Random) -> None:
    """Make a move in each running game."""
    host = Host(server.address)
    try:
        for game in have.keys() & truth.tokens.keys():
            played = host.game(game, truth.tokens[game])
            before = played.view()
            if before.status == views_pb2.GAME_STATUS_RUNNING:
                assert play(played, rng, moves=1).version > before.version
    finally:
        host.close()


def test_a_whole_copy_is_restored_without_a_word(truth: Truth, target: EmbeddedStore) -> None:
    empty(target)
    code, output = invoke("restore", str(truth.folder), "--store", target.url)
    assert (code, output) == (
        0,
        f"Games of {truth.folder} that are in the store: {len(truth.logs)} of {len(truth.logs)}.\n",
    )
    assert versions(target) == {game: len(log) for game, log in truth.logs.items()}


# -- The manifest -----------------------------------------------------------------------------------------------------


def test_a_damaged_manifest_never_hides_a_file(tmp_path: Path) -> None:
    names = [BASE, FIRST, SECOND]
    kinds = ["seq 2 type b", "seq 2 type i", "seq 3 type i"]
    (tmp_path / FOLDER).mkdir()
    for name in names:
        (tmp_path / FOLDER / name).write_bytes(b"x")
    text = "".join(f"file {name} {kind}\n" for name, kind in zip(names, kinds, strict=True))
    faults = 0
    for seed in range(2_000):
        (tmp_path / FOLDER / MANIFEST).write_text(text, "utf-8")
        spoil(tmp_path, MANIFEST, Random(seed))
        found = listing(tmp_path / FOLDER)
        assert [file.name for file in found.files] == names, seed
        faults += bool(found.fault)
    assert faults > 1_500


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / FOLDER).iterdir()}


def lose(folder: Path) -> None:
    (folder / FOLDER / MANIFEST).unlink()


def forget_last(folder: Path) -> None:
    lines = (folder / FOLDER / MANIFEST).read_text("utf-8").splitlines(keepends=True)
    (folder / FOLDER / MANIFEST).write_text("".join(lines[:-1]), "utf-8")


@pytest.mark.parametrize(
    ("lessen", "words"),
    [(lose, f"has no {MANIFEST} beside its data."), (forget_last, f"does not name {SECOND}.")],
)
def test_a_store_does_not_start_beside_data_that_it_would_not_load(
    lessen: Callable[[Path], None], words: str, truth: Truth, target: EmbeddedStore, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(truth.folder / FOLDER, copy / FOLDER)
    lessen(copy)
    before = contents(copy)
    with pytest.raises(StoreMisconfigured) as refusal:
        EmbeddedStore(copy).start()
    assert words in str(refusal.value)
    assert f"alhambra restore {copy} --store embedded:NEW-FOLDER" in str(refusal.value)
    code, output = invoke("doctor", "--store", f"embedded:{copy}")
    assert code == 1
    assert f"WRONG  {refusal.value}"[: len("WRONG  ") + len(str(copy))] in output
    assert words in output
    assert contents(copy) == before
    empty(target)
    code, output = invoke("restore", str(copy), "--store", target.url)
    assert code == 1
    assert words in output
    assert f"that are in the store: {len(truth.logs)} of {len(truth.logs)}." in output


def test_a_store_that_dies_without_its_manifest_is_not_started_empty(truth: Truth, tmp_path: Path) -> None:
    with TemporaryDirectory(prefix="alh-test-") as name:
        copy = Path(name) / "copy"
        shutil.copytree(truth.folder / FOLDER, copy / FOLDER)
        with EmbeddedStore(copy) as store:
            assert store.pid is not None
            lose(copy)
            before = contents(copy)
            os.kill(store.pid, signal.SIGKILL)
            await_true(lambda: store.restarts > 0, "it is started again")
            await_true(lambda: store._failure is not None, "it is refused")
            assert contents(copy) == before


def empty(target: EmbeddedStore) -> None:
    client = connect(target.url)
    try:
        client.servers()[0].ask("FLUSHALL")
    finally:
        client.close()


# -- What is told -----------------------------------------------------------------------------------------------------


def test_restore_and_doctor_say_where_the_damage_is(truth: Truth, target: EmbeddedStore, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(truth.folder / FOLDER, copy / FOLDER)
    _, start, end, game, version = next(
        one for one in truth.acknowledged[8:] if one[0] == FIRST and one[3] in truth.logs
    )
    data = bytearray((copy / FOLDER / FIRST).read_bytes())
    multi = data.index(b"*1\r\n$5\r\nMULTI\r\n", start, end)
    place = data.index(b"alh:state:{", multi, end)
    data[place - 30 : place - 20] = bytes(10)
    (copy / FOLDER / FIRST).write_bytes(data)
    empty(target)
    code, output = invoke("restore", str(copy), "--store", target.url)
    assert code == 1
    told = re.search(rf"{re.escape(FIRST)} is damaged from byte (\d+) to (\d+) \((\d+) bytes\), after (\S+Z): ", output)
    assert told is not None, output
    assert int(told[1]) <= place - 20
    assert place - 30 < int(told[2]) <= end
    assert "Left out after the damage: " in output
    assert f"Game {game}: restored up to version {version - 1}; " in output
    code, output = invoke("doctor", "--store", f"embedded:{copy}")
    assert code == 1
    assert f"WRONG  {told[0]}" in output
    assert f"alhambra restore {copy} --store embedded:NEW-FOLDER" in output


def test_a_changed_value_is_damage_too(truth: Truth, target: EmbeddedStore, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(truth.folder / FOLDER, copy / FOLDER)
    _, start, end, game, version = next(
        one for one in truth.acknowledged[8:] if one[0] == FIRST and one[3] in truth.logs
    )
    data = bytearray((copy / FOLDER / FIRST).read_bytes())
    record = data.index(b"x\x01", data.index(b"alh:state:{", start, end), end)
    data[record + 40] ^= 1
    (copy / FOLDER / FIRST).write_bytes(data)
    code, output = invoke("doctor", "--store", f"embedded:{copy}")
    assert code == 1
    assert f"a stored game cannot be decompressed. Games named there: {game}." in output
    empty(target)
    code, output = invoke("restore", str(copy), "--store", target.url)
    assert code == 1
    assert f"Game {game}: restored up to version {version - 1}; " in output
    empty(target)
    code, output = invoke("restore", str(copy), "--store", target.url, "--skip-damage")
    assert code == 1  # the damage is told, although a later record makes up for it
    assert f"that are in the store: {len(truth.logs)} of {len(truth.logs)}." in output
    assert versions(target) == {one: len(log) for one, log in truth.logs.items()}


def test_a_changed_move_ends_its_game_before_it_and_no_other(
    truth: Truth, target: EmbeddedStore, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(truth.folder / FOLDER, copy / FOLDER)
    _, start, end, game, version = next(
        one for one in truth.acknowledged[8:] if one[0] == FIRST and one[3] in truth.logs
    )
    data = bytearray((copy / FOLDER / FIRST).read_bytes())
    text = truth.logs[game][version - 1].encode()
    place = data.index(text, start, end) + len(text) - 1
    data[place] = ord("1") if data[place] != ord("1") else ord("2")
    (copy / FOLDER / FIRST).write_bytes(data)
    empty(target)
    code, output = invoke("restore", str(copy), "--store", target.url, "--skip-damage")
    assert code == 1
    assert f"a line of a log does not follow the one before it. Games named there: {game}." in output
    whole = {one: len(log) for one, log in truth.logs.items()}
    assert versions(target) == whole | {game: version - 1}
    assert f"Game {game}: restored up to version {version - 1} of {whole[game]}." in output


def versions(target: EmbeddedStore) -> dict[str, int]:
    store = GameStore.open(target.url, decode)
    try:
        return {game: len(whole_log(store, game)) for game in games(store.client)}
    finally:
        store.close()


def test_doctor_checks_the_base_and_a_store_that_does_not_start(truth: Truth, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(truth.folder / FOLDER, copy / FOLDER)
    code, output = invoke("doctor", "--store", f"embedded:{copy}")
    assert (code, f"fine   The files in {copy / FOLDER} are intact." in output) == (0, True), output
    data = bytearray((copy / FOLDER / BASE).read_bytes())
    data[len(data) // 2] ^= 1
    (copy / FOLDER / BASE).write_bytes(data)
    code, output = invoke("doctor", "--store", f"embedded:{copy}")
    assert code == 1
    assert f"WRONG  {BASE} is damaged: " in output
    assert "WRONG  The embedded store in" in output


def test_a_base_of_commands_is_read_too(target: EmbeddedStore) -> None:
    live = RealServer("--aof-use-rdb-preamble", "no", "--aof-timestamp-enabled", "yes")
    server = GameServer(live.url)
    host = Host(server.address)
    try:
        old = [host.create(2) for _ in range(4)]
        for game in old:
            play(game, Random(1), moves=3)
        live.ask("BGREWRITEAOF")
        await_true(lambda: b"aof_rewrite_in_progress:0" in live.ask("INFO", "persistence"), "it is rewritten")  # type: ignore[operator]
        for game in old:
            play(game, Random(2), moves=2)
        (base,) = live.folder.glob(f"{FOLDER}/*.base.aof")
        whole = bytearray(base.read_bytes())
        record = whole.index(b"alh:state:{%b}" % old[1].id.encode())
        broken = whole[:]
        broken[record + 80 : record + 90] = bytes(10)
        for content in (whole, broken):  # the record that is lost in the base comes again with the next move
            base.write_bytes(content)
            empty(target)
            code, output = invoke("restore", str(live.folder), "--store", target.url, "--skip-damage")
            assert code == (content is broken), output
            assert versions(target) == {game.id: 5 for game in old}
    finally:
        host.close()
        server.stop()
        live.stop()
