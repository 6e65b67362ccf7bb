"""What stored games rely on is written down, and nothing of it disappears without a migration."""

from __future__ import annotations

from dataclasses import dataclass, replace

from alhambra.module import Migration, Module
from tests.compat.lamps import KEY, V1, V2, Lamps
from tests.compat.stored_names import broken, facts, modules, written

OWN = {KEY: V1}


@dataclass(slots=True)
class OtherLamps(Lamps):
    """The slice with one more field."""

    wick: int = 0


def breaks(module: Module) -> list[str]:
    """What a change of the module breaks."""
    return broken(facts(OWN), {KEY: module})


def test_what_is_written_down_holds_or_is_carried_forward() -> None:
    assert broken(written(), modules()) == []


def test_everything_that_stored_games_rely_on_is_written_down() -> None:
    missing = set(facts(modules())) - set(written())
    assert not missing, "run  python -m tests.compat --names"


def test_a_removed_or_renamed_step_is_refused_without_a_migration() -> None:
    renamed = replace(V1, agenda={"ask_light": V1.agenda["ask_lamp"], "notice": V1.agenda["notice"]})
    assert breaks(renamed) == [f"step {KEY} ask_lamp"]
    migrated = replace(renamed, migrations=(Migration(steps={"ask_lamp": "ask_light"}),))
    assert breaks(migrated) == []


def test_a_renamed_function_breaks_nothing() -> None:
    def another_name(*_args: object) -> None: ...

    assert breaks(replace(V1, agenda=dict.fromkeys(V1.agenda, another_name))) == []


def test_a_removed_step_of_a_frame_and_a_removed_decision_are_refused_without_a_migration() -> None:
    assert breaks(replace(V1, steps=())) == [f"moment {KEY} turn.after"]
    assert breaks(replace(V1, decisions=())) == [f"decision {KEY} lamp"]
    moved = Migration(stages={"turn.after": "turn.window.base"}, decisions={"lamp": "action"})
    assert breaks(replace(V1, steps=(), decisions=(), migrations=(moved,))) == []


def test_a_slice_changes_only_with_the_version() -> None:
    assert breaks(replace(V1, state=OtherLamps)) == [f"form {KEY} 1 slice=lit"]
    assert breaks(V2) == []


def test_tiles_cards_and_pieces_change_only_with_the_version() -> None:
    (line,) = breaks(replace(V1, pieces=("lamp-1",)))
    assert line.startswith(f"data {KEY} 1 ")


def test_a_module_that_disappears_breaks_all_its_games() -> None:
    assert f"step {KEY} ask_lamp" in broken(facts(OWN), {})
