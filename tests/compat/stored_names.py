"""What stored games rely on: every name and form as a line of `tests/compat/stored_names.txt`, and what breaks one.

    python -m tests.compat --names    writes down what is new; refuses if something is missing without a migration

A line is one fact about the rules or the store that stands in stored games:

    step city_gates place_gate             a name on the agenda
    moment base turn.money                 a step of a frame with which a game may have to go on
    frame turn.money                       a moment of a frame
    decision thieves thief                 a question that may stand open
    form thieves 1 hands,hidden            what the slice of a module holds in its version 1
    data thieves 1 0011223344556677        what decides play beside the code: tiles, cards, pieces, printed values
    options 1 undo=free_moves|none         an option and its values
    storage 1 seat=name,colour             what a record of the store holds

A step, moment or decision may disappear if a migration of its module says what becomes of it. A form, data, options or
storage of a version may change if the version grows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path

from alhambra import BASE, Module, known_modules, load_module, options
from alhambra.codec import STORED_NAMES, storable_types
from alhambra.components import START_TILES
from alhambra.procedures import PROCEDURES
from alhambra.ruleset import fingerprint
from alhambra.state import Seat, State
from alhambra_service.games.automatic.clocks import Clocks
from alhambra_service.games.loaded_game import PLAIN, Proposal, SeatHolder
from alhambra_service.store.stored_game import STORAGE_VERSION, StoredGame

NAMES = Path(__file__).with_name("stored_names.txt")
HEADING = """\
# What stored games rely on: one line for each fact. Lines are added by `python -m tests.compat --names`. See
# docs/versioning.md.
"""
RECORD_NAMES = {"rules_upgrades": "seams"}
"""Fields of a stored game that are written under another name."""
WITH_VERSION = ("form", "data")


def modules() -> dict[str, Module]:
    """The base game and every module of this library, by key."""
    return {"base": BASE} | {key: load_module(key) for key in known_modules() if not key.startswith("example_")}


def facts(modules: Mapping[str, Module]) -> Iterator[str]:
    """Every fact that stored games rely on."""
    yield from (f"frame {procedure}.{stage}" for procedure, stages in PROCEDURES.items() for stage in stages)
    yield from (f"frame {stage.name}" for module in modules.values() for stage in module.stages)
    for key, module in modules.items():
        yield from (f"step {key} {name}" for name in module.agenda)
        yield from (f"moment {key} {step.stage}{step.name and '.' + step.name}" for step in module.steps)
        yield from (f"decision {key} {kind.name}" for kind in module.decisions)
        yield from (f"form {key} {module.version} {form}" for form in _forms(key, module))
        yield f"data {key} {module.version} {fingerprint(module)}"
    for option, values in options.CHOICES.items():
        yield f"options {options.OPTIONS_VERSION} {option}={'|'.join(map(str, values))}"
    yield f"options {options.OPTIONS_VERSION} seat={','.join(field.name for field in fields(options.SeatInfo))}"
    yield from (f"storage {STORAGE_VERSION} {form}" for form in _stored())


def _forms(key: str, module: Module) -> Iterator[str]:
    if key == "base":
        yield "state=" + ",".join(STORED_NAMES.get(name, name) for name in vars(State([Seat(START_TILES[0])])))
        yield "seat=" + ",".join(Seat.__slots__)
        yield from (f"{name}={','.join(found)}" for name, found in storable_types().items())
    elif module.state is not None:
        yield "slice=" + ",".join(module.state.__slots__)  # type: ignore[attr-defined]


def _stored() -> Iterator[str]:
    yield "record=" + ",".join(RECORD_NAMES.get(field.name, field.name) for field in fields(StoredGame))
    yield "seat=" + ",".join(field.name for field in fields(SeatHolder))
    yield "proposal=" + ",".join(field.name for field in fields(Proposal))
    yield "clocks=" + ",".join(field.name for field in fields(Clocks))
    yield "beside=" + ",".join(PLAIN)


def broken(promised: Iterable[str], modules: Mapping[str, Module]) -> list[str]:
    """The facts of stored games that do not hold any more, and that nothing carries forward."""
    present = set(facts(modules))
    return [line for line in promised if line not in present and not _carried_forward(line, modules)]


def _carried_forward(line: str, modules: Mapping[str, Module]) -> bool:
    kind, *words = line.split(" ", 3)
    if kind == "options":
        return int(words[0]) < options.OPTIONS_VERSION
    if kind == "storage":
        return int(words[0]) < STORAGE_VERSION
    module = modules.get(words[0])
    if kind == "frame" or module is None:
        return False
    if kind in WITH_VERSION:
        return int(words[1]) < module.version
    tables = {"step": "steps", "moment": "stages", "decision": "decisions"}
    return any(words[1] in getattr(migration, tables[kind]) for migration in module.migrations)


def written() -> list[str]:
    """The facts, as they are written down."""
    lines = NAMES.read_text(encoding="utf-8").splitlines() if NAMES.exists() else []
    return [line for line in lines if line and not line.startswith("#")]


def write_down(*, released: bool) -> int:
    """Writes down the facts of today; the number of new ones. If a version was released, the old ones stay, and
    ValueError is raised if one of them is broken. Nobody has stored games of a version that was not released."""
    known = modules()
    before = written() if released else []
    faults = broken(before, known)
    if faults:
        raise ValueError("Stored games rely on what has changed without a migration:\n" + "\n".join(faults))
    lines = list(dict.fromkeys((*before, *facts(known))))
    NAMES.write_text(HEADING + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines) - len(before)
