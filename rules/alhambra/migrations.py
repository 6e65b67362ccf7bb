"""Migrations of stored games.

Every module has a version; that of the base game also covers the state. A stored state names the versions that wrote
it. If one of them is newer than the installed one, the state is refused with ENGINE_TOO_OLD. If one is older, the
migrations of the module are run in order:

    MODULE = Module(
        …,
        migrations=(
            Migration(steps={"ask_gate": "place_gate"}),        # from version 1 to version 2
            Migration(change=add_field("watched", [])),         # from version 2 to version 3
        ),
    )

A migration works on plain data as written by `codec.pack_state`, never on current classes, because those will change
again. A version that changes only rules needs an empty `Migration()`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .violations import BadState

if TYPE_CHECKING:
    from .module import Module

Document = dict[str, Any]
"""A stored state or a part of it, as JSON-ready data."""
BASE_KEY = "base"


@dataclass(frozen=True, slots=True)
class Migration:
    """The changes from one version of a module to the next."""

    steps: Mapping[str, str] = field(default_factory=dict)
    """Renamed steps of `Module.agenda`. An empty new name removes the step."""
    stages: Mapping[str, str] = field(default_factory=dict)
    """Renamed steps of procedures: `turn.money` or `turn.money.name` → the step at which waiting procedures continue,
    with the key of its module (`turn.scoring.base`)."""
    decisions: Mapping[str, str] = field(default_factory=dict)
    """Renamed decisions."""
    change: Callable[[Document, Document], None] | None = None
    """Changes the module's stored state and the whole stored state in place. For the base game both are the whole
    state."""


def add_field(name: str, value: Any) -> Callable[[Document, Document], None]:
    """Return a change that adds a field with this value to the module states of running games."""

    def change(kept: Document, _state: Document) -> None:
        kept[name] = value

    return change


def too_old(what: str, written: object, known: object) -> BadState:
    """Return the error for data that a newer version has written."""
    message = f"{what} was written by version {written}, and this is version {known}: a newer version is needed"
    return BadState("ENGINE_TOO_OLD", message, what=what, written_by=str(written), known=str(known))


def versions_of(modules: Iterable[Module]) -> dict[str, int]:
    """Return the versions that a stored state names: all except version 1."""
    return {module.key: module.version for module in modules if module.version != 1}


def migrate_state(document: Document, modules: Iterable[Module]) -> None:
    """Migrate a stored state in place to the versions of these modules. Raise BadState with ENGINE_TOO_OLD if a newer
    version wrote it."""
    written: Mapping[str, int] = document.pop("versions", {})
    known = tuple(modules)
    strangers = written.keys() - {module.key for module in known}
    for key in sorted(strangers):
        raise too_old(key, written[key], "none")
    for module in known:
        version = written.get(module.key, 1)
        if version > module.version:
            raise too_old(module.key, version, module.version)
    for module in known:
        for migration in module.migrations[written.get(module.key, 1) - 1 :]:
            _migrate(document, module.key, migration)


def _migrate(document: Document, key: str, migration: Migration) -> None:
    steps = {f"{key}.{old}": new and f"{key}.{new}" for old, new in migration.steps.items()}
    if steps:
        gone = {old for old, new in steps.items() if not new}
        document["agenda"] = [_renamed(entry, steps) for entry in document["agenda"] if entry[0] not in gone]
        document["auction"] = _renamed(document["auction"], steps)  # an auction names the steps that follow it
    if migration.stages:
        places = dict(_renamed_stage(key, *pair) for pair in migration.stages.items())
        document["agenda"] = [_at_renamed_stage(entry, places) for entry in document["agenda"]]
    asked = document["decision"]
    if asked is not None and asked[0] in migration.decisions:
        asked[0] = migration.decisions[asked[0]]
    if migration.change is not None:
        kept = document if key == BASE_KEY else document["slices"].setdefault(key, {})
        migration.change(kept, document)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return packed data with all old names replaced."""
    if isinstance(value, str):
        return names.get(value) or value
    if isinstance(value, list):
        return [_renamed(entry, names) for entry in value]
    return {word: _renamed(entry, names) for word, entry in value.items()} if isinstance(value, dict) else value


def _renamed_stage(key: str, old: str, new: str) -> tuple[tuple[str, str], str]:
    procedure, stage, *own_name = old.split(".")
    return (procedure, ".".join((stage, key, *own_name))), new.partition(".")[2]


def _at_renamed_stage(entry: list[Any], places: Mapping[tuple[str, str], str]) -> list[Any]:
    if entry[0] != "frame" or (entry[1], entry[2]) not in places:
        return entry
    return ["frame", entry[1], places[entry[1], entry[2]], *entry[3:]]
