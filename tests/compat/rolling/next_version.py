"""The next version of the rules, made from the present one: a copy of the package with three changes.

- A changed module: the slice of *Vizier's Favour* counts the viziers that fell asleep, and has a migration.
- An added option: `siesta`, which older games have with the value `short`.
- A renamed function: `end_turn` of the base game. The name on the agenda stays.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import alhambra

RULES = Path(alhambra.__file__).parent
MODULE = "viziers_favour"
OPTION = "siesta"

CHANGES: dict[str, tuple[tuple[str, str], ...]] = {
    f"modules/{MODULE}.py": (
        ("    awake: tuple[bool, ...] = ()\n", "    awake: tuple[bool, ...] = ()\n    slept: int = 0\n"),
        (
            "    viziers = game.module_state(Viziers)\n",
            "    viziers = game.module_state(Viziers)\n    viziers.slept += not awake\n",
        ),
        (
            f'    key="{MODULE}",\n',
            f'    key="{MODULE}",\n    migrations=(Migration(change=add_field("slept", 0)),),\n',
        ),
        (
            "from ..module import ",
            "from ..migrations import Migration, add_field\nfrom ..module import ",
        ),
    ),
    "options.py": (
        ('    "undo": (', f'    "{OPTION}": ("short", "long"),\n    "undo": ('),
        ("OPTIONS_VERSION = 1\n", "OPTIONS_VERSION = 2\n"),
        (
            "OPTION_MIGRATIONS: tuple[Callable[[dict[str, Any]], None], ...] = ()\n",
            "OPTION_MIGRATIONS: tuple[Callable[[dict[str, Any]], None], ...] = (\n"
            f'    lambda document: document.update({OPTION}="short"),\n)\n',
        ),
    ),
    "base/turn.py": (
        ("def end_turn(", "def finish_turn("),
        ('"end_turn": end_turn,', '"end_turn": finish_turn,'),
        ("game.push(end_turn)", "game.push(finish_turn)"),
    ),
}


def make(folder: Path) -> Path:
    """Writes the next version into a folder; put it before all others in PYTHONPATH."""
    target = folder / "alhambra"
    shutil.copytree(RULES, target, ignore=shutil.ignore_patterns("__pycache__"))
    for name, changes in CHANGES.items():
        path = target / name
        text = path.read_text(encoding="utf-8")
        for before, after in changes:
            assert before in text, f"{name} has changed: {before!r} is not in it"
            text = text.replace(before, after)
        path.write_text(text, encoding="utf-8")
    return folder
