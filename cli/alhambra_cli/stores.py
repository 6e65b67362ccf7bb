"""The commands that work on a whole store: backup, restore, reindex, doctor.

They need the extra `[server]`, as the commands of `serve.py` do. `backup` writes one file. With a folder it writes a
file named after the time, and can remove old files. `restore` reads such a file, or the append-only file of a store as
it was at a given time.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from alhambra_runtime.signals import STOP, received
from alhambra_service.config import Settings

from .bad_input import BadInput
from .serve import server_extra

if TYPE_CHECKING:
    from alhambra_service.process.backup import Step
    from alhambra_service.store.connection.connect import StoreClient

Command = TypeVar("Command", bound=Callable[..., Any])
FAILED = 1
STORE = Settings.__dataclass_fields__["store"]
NAME, NAMES = "alhambra-%Y%m%dT%H%M%SZ.jsonl", "alhambra-[0-9]*T[0-9]*Z.jsonl"
"""The name of a file in a folder of backups, and the pattern of such names. The names sort by time."""
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def store_option(command: Command) -> Command:
    """Give a command the option --store."""
    text = "Address of the store; an embedded store may be in use by a running service."
    return click.option(
        "--store", envvar="ALHAMBRA_STORE", default=STORE.default, show_default=True, metavar="URL", help=text
    )(command)


class Period(click.ParamType[int]):
    """A length of time such as 90s, 30m, 6h or 1d, as seconds."""

    name = "period"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of seconds."""
        found = re.fullmatch(r"([1-9]\d{0,5})([smhd])", str(value))
        if found is None:
            self.fail(f"{value} is not a duration: use 90s, 30m, 6h or 1d.", param, ctx)
        return int(found[1]) * UNITS[found[2]]


@click.command()
@click.argument("target", type=click.Path(path_type=Path))
@store_option
@click.option("--every", type=Period(), help="Repeat the backup at this interval, such as 6h.")
@click.option("--keep", type=click.IntRange(min=1), help="Keep this number of backups, and delete older ones.")
def backup(target: Path, store: str, every: int | None, keep: int | None) -> None:
    """Write all games of a store to a file. It contains the secrets of running games: keep it safe.

    TARGET is a file, or a folder for files named after the time. With --every or --keep it is a folder.
    """
    if every is None and keep is None and not target.is_dir():
        _write(target, store)
        return
    try:
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as fault:
        raise BadInput(f"Cannot create the folder {target}: {(fault.strerror or str(fault)).lower()}.") from None
    if every is None:
        _write_dated(target, store, keep)
        return
    with received(STOP) as signals:
        due = time.monotonic()
        while not signals.stopping:
            try:
                _write_dated(target, store, keep)
            except (BadInput, SystemExit) as fault:
                message = fault.message if isinstance(fault, BadInput) else "The backup is incomplete."
                click.echo(f"{message} Retrying in {every} s.", err=True)
            due = max(due + every, time.monotonic())
            signals.wait_to_stop(due - time.monotonic())


def _write_dated(folder: Path, store: str, keep: int | None) -> None:
    """Write a backup that is named after the time, then remove the oldest ones; a backup that failed removes none."""
    _write(folder / datetime.now(UTC).strftime(NAME), store)
    for old in sorted(folder.glob(NAMES))[: -keep if keep else 0]:
        old.unlink()


def _write(file: Path, store: str) -> None:
    with open_store(store) as client, _private(file) as out:
        from alhambra_service.process.backup import write

        count, faults = _report_faults(write(client, out))
    click.echo(f"Games written to {file}: {count}.")
    if faults:
        sys.exit(FAILED)


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@store_option
@click.option(
    "--at",
    "moment",
    metavar="TIME",
    help="For a folder: restore its state at the end of this second, such as 2026-11-17T04:00:00Z; now by default.",
)
@click.option(
    "--skip-damage",
    is_flag=True,
    help="For a damaged folder: continue after the damage. A game that lost a move ends before that move.",
)
def restore(source: Path, store: str, moment: str | None, skip_damage: bool) -> None:
    """Restore games into a store. Existing games are not changed.

    SOURCE is a backup, or the folder of a Valkey or Redis with its append-only file, which may be running. Of a damaged
    folder everything before the first damage is restored, and what is missing is named.
    """
    when = _moment(moment)
    if source.is_dir():
        with server_extra():
            from alhambra_service.process.backup import write
            from alhambra_service.store.append_only.salvage import salvaged
        with (
            _store_errors(),
            salvaged(source, when, skip_damage=skip_damage) as found,
            TemporaryFile("w+", encoding="utf-8") as lines,
        ):
            for sentence in (*found.notes, *found.missing):
                click.echo(sentence, err=True)
            with open_store(found.url) as past:
                _report_faults(write(past, lines))
            lines.seek(0)
            _restore(source, lines, store)
        if found.missing:
            sys.exit(FAILED)
        return
    if when is not None:
        raise BadInput(f"{source} is not a folder: --at needs the folder of an append-only file.")
    try:
        with source.open(encoding="utf-8") as lines:
            _restore(source, lines, store)
    except OSError as fault:
        raise BadInput(f"Cannot read {source}: {(fault.strerror or str(fault)).lower()}.") from None


def _restore(source: Path, lines: IO[str], store: str) -> None:
    with open_store(store) as client:
        from alhambra_service.process.backup import BadBackup
        from alhambra_service.process.backup import restore as restored

        try:
            count, faults = _report_faults(restored(client, lines))
        except (BadBackup, UnicodeDecodeError) as fault:
            raise BadInput(f"{source}: {fault}") from None
    click.echo(f"Games of {source} that are in the store: {count - faults} of {count}.")
    if faults:
        sys.exit(FAILED)


def _moment(text: str | None) -> datetime | None:
    """Return a time from its text, in UTC unless the text names a zone; None for None. Raise BadInput for any other
    text."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(f"{text} is not a time: use the form 2026-11-17T04:00:00Z.") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


@click.command()
@store_option
def reindex(store: str) -> None:
    """Rebuild the list of games and the counts for quotas."""
    with open_store(store) as client:
        from alhambra_service.games.loaded_game import is_over
        from alhambra_service.store import rebuild

        count = len(set(rebuild(client, is_over)))
    click.echo(f"Games listed: {count}.")


@click.command()
@store_option
@click.option("--durability", type=click.Choice(["always", "everysec", "replicated"]), default="always")
@click.option("--replicas", default=1, show_default=True, help="Number of replicas that `replicated` waits for.")
def doctor(store: str, durability: str, replicas: int) -> None:
    """Check a store and its games, and suggest fixes. Changes nothing."""
    with server_extra():
        from alhambra_service.process.doctor import Finding, examine, examine_files
        from alhambra_service.store import Durability
    wrong = 0

    def report(findings: Iterable[Finding]) -> None:
        nonlocal wrong
        for finding in findings:
            wrong += finding.good is False
            mark = {True: "fine ", False: "WRONG", None: "note "}[finding.good]
            click.echo(f"{mark}  {finding.text}")
            if finding.advice:
                click.echo(f"       {finding.advice}")

    mode = Durability(durability)
    folder = Settings(store=store).embedded_folder
    if folder is not None:
        report(examine_files(folder))
    try:
        with open_store(store) as client:
            report(examine(client, mode, replicas if mode is Durability.REPLICATED else 0))
    except BadInput as fault:
        if not wrong:
            raise
        report([Finding(False, fault.message)])
    if wrong:
        sys.exit(FAILED)


def _report_faults(steps: Iterator[Step]) -> tuple[int, int]:
    """Run all steps and print their faults. Return the number of games and the number of faults."""
    count = faults = 0
    for step in steps:
        count += 1
        if step.fault:
            faults += 1
            click.echo(step.fault, err=True)
    return count, faults


@contextmanager
def _private(file: Path) -> Iterator[IO[str]]:
    """Open a new file that only its owner can read. It gets its name when it is complete."""
    unfinished = file.with_name(file.name + ".unfinished")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        unfinished.replace(file)
    except OSError as fault:
        raise BadInput(f"Cannot write {file}: {(fault.strerror or str(fault)).lower()}.") from None
    finally:
        with suppress(OSError):
            unfinished.unlink()


@contextmanager
def open_store(url: str) -> Iterator[StoreClient]:
    """Connect to a store. An embedded store is started unless it is running. Raise BadInput if the store fails."""
    with server_extra():
        from alhambra_service.store.connection.connect import connect
    with _store_errors():
        client = connect(_running(url) or url, embedded_mib=0)  # no memory limit: every game must fit
        try:
            client.discover_masters()
            for server in client.servers():
                server.ask("PING")
            yield client
        finally:
            client.close()


@contextmanager
def _store_errors() -> Iterator[None]:
    """Raise BadInput with one sentence in place of an error of the store."""
    from alhambra_service.store import StoreError

    try:
        yield
    except StoreError as fault:
        message = str(fault)
        raise BadInput(f"{message[:1].upper()}{message[1:].rstrip('.')}.") from None


def _running(url: str) -> str | None:
    """Return the address of the embedded store that this URL names, if it is running; otherwise None."""
    from alhambra_service.store import StoreError
    from alhambra_service.store.connection.connect import connect

    folder = Settings(store=url).embedded_folder
    if folder is None or not (folder / "store.sock").exists():
        return None
    address = f"unix://{(folder / 'store.sock').absolute()}"
    client = connect(address)
    try:
        client.servers()[0].ask("PING")
    except StoreError:
        return None
    finally:
        client.close()
    return address


COMMANDS = (backup, restore, reindex, doctor)
