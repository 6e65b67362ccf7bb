"""Whole games as bytes: options, state and log.

Equal games have equal bytes. Bytes of an older version are migrated (`migrations.py`); bytes of a newer version are
refused with ENGINE_TOO_OLD.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .codec import pack_state, seal, seal_text, state_text, unpack_state, unseal
from .migrations import too_old
from .moves import Move
from .options import Options
from .rules_upgrades import RulesUpgrade
from .ruleset import ENGINE_VERSION, Ruleset, rules_for
from .state import State
from .undo import Entry
from .violations import BadOptions

if TYPE_CHECKING:
    from .game import Game


class StoredGame(NamedTuple):
    """The contents of a stored game."""

    options: Options
    ruleset: Ruleset
    state: State
    log: list[Entry]
    origin: str
    """Id of the ruleset at the start of the log."""
    written_under: str
    """Id of the ruleset under which the state was written."""


def write_state(game: Game) -> bytes:
    """Return the state of a game as bytes, with the module versions that wrote it."""
    return seal_text(state_text(game.state, game.ruleset.versions, game.texts))


def read_state(data: bytes, ruleset: Ruleset) -> State:
    """Return the state that `write_state` wrote, migrated to these rules."""
    return unpack_state(unseal(data), ruleset)


def write_game_bytes(game: Game) -> bytes:
    """Return the whole game as bytes."""
    document = {
        "ruleset": game.ruleset.id,
        "options": game.options.document(),
        "state": pack_state(game.state, game.ruleset.versions),
        "log": [_write_entry(entry) for entry in game.log],
    }
    if game.origin != game.ruleset.id:
        document["origin"] = game.origin
    return seal(document)


def read_game_bytes(data: bytes) -> StoredGame:
    """Return the contents of bytes written by `write_game_bytes`."""
    document = unseal(data)
    written_under = document["ruleset"]
    options, ruleset = stored_rules(document["options"], written_under)
    state = unpack_state(document["state"], ruleset)
    log = [_read_entry(*entry) for entry in document["log"]]
    return StoredGame(options, ruleset, state, log, document.get("origin", written_under), written_under)


def stored_rules(document: Any, written_under: str) -> tuple[Options, Ruleset]:
    """Return the options of a stored game and their rules. Raise BadState with ENGINE_TOO_OLD if a newer version wrote
    them: an option, a module or the engine is unknown."""
    engine = written_under.partition(":")[0]
    if engine.isdecimal() and int(engine) > int(ENGINE_VERSION):
        raise too_old("engine", engine, ENGINE_VERSION)
    options = Options.restore(document)
    try:
        return options, rules_for(options)
    except BadOptions as fault:
        if fault.code == "MODULE_UNKNOWN":
            raise too_old(fault.metadata["module"], "unknown", "none") from fault
        raise


def _write_entry(entry: Entry) -> list[Any]:
    found = [entry.kind, entry.seat, entry.move.as_dict() if entry.move else None]
    return found if entry.upgrade is None else [*found, list(entry.upgrade)]


def _read_entry(kind: str, seat: int, move: Any, upgrade: Any = None) -> Entry:
    return Entry(kind, seat, Move.read(move) if move else None, RulesUpgrade(*upgrade) if upgrade else None)
