"""A whole game as bytes and back: options, state and log.

The same game gives the same bytes, always. Bytes that an older version wrote are carried forward (`migrations.py`);
bytes of a newer version are refused with ENGINE_TOO_OLD.
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


class Stored(NamedTuple):
    """What the bytes of a game hold."""

    options: Options
    ruleset: Ruleset
    state: State
    log: list[Entry]
    origin: str
    """The id of the ruleset that the log begins with."""
    written_under: str
    """The id of the ruleset that the state was written under."""


def write_state(game: Game) -> bytes:
    """The state of a game, with the versions of the modules that wrote it."""
    return seal_text(state_text(game.state, game.ruleset.versions, game.texts))


def read_state(data: bytes, ruleset: Ruleset) -> State:
    """The state that `write_state` wrote, carried forward to these rules."""
    return unpack_state(unseal(data), ruleset)


def write_game_bytes(game: Game) -> bytes:
    """The whole game."""
    document = {
        "ruleset": game.ruleset.id,
        "options": game.options.document(),
        "state": pack_state(game.state, game.ruleset.versions),
        "log": [_write_entry(entry) for entry in game.log],
    }
    if game.origin != game.ruleset.id:
        document["origin"] = game.origin
    return seal(document)


def read_game_bytes(data: bytes) -> Stored:
    """What `write_game_bytes` wrote."""
    document = unseal(data)
    written_under = document["ruleset"]
    options, ruleset = stored_rules(document["options"], written_under)
    state = unpack_state(document["state"], ruleset)
    log = [_read_entry(*entry) for entry in document["log"]]
    return Stored(options, ruleset, state, log, document.get("origin", written_under), written_under)


def stored_rules(document: Any, written_under: str) -> tuple[Options, Ruleset]:
    """The options in a stored document, and their rules. Raises BadState with ENGINE_TOO_OLD if a newer version wrote
    them: its options, its modules or its engine are not known here."""
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
