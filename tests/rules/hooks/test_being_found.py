"""Modules of other packages are found by an entry point, and refused where they are none."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from alhambra import BadOptions, Game, Module, Options, known_modules, load_module, modules, register
from alhambra import registry as registry_module
from alhambra.ruleset import compile_ruleset
from alhambra.texts import text
from alhambra.texts.catalogues import foreign_texts
from tests.rules.example_modules import CAMELS

# -- Being found -----------------------------------------------------------------------------------------------------


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    """Entry points as if packages were installed."""
    points: list[EntryPoint] = []
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda *, group: [p for p in points if p.group == group])
    registry_module._entry_points.cache_clear()
    foreign_texts.cache_clear()
    yield points
    registry_module._entry_points.cache_clear()
    foreign_texts.cache_clear()


def announce(points: list[EntryPoint], name: str, value: str) -> None:
    points.append(EntryPoint(name, value, registry_module.GROUP))


def test_a_package_announces_its_module_by_an_entry_point(announced: list[EntryPoint]) -> None:
    announce(announced, "example_camels", "tests.rules.example_modules:CAMELS")
    assert "example_camels" in known_modules()
    assert load_module("example_camels") is CAMELS
    game = Game.new(Options(seats=3, seed="camels", modules=["example_camels"]))
    assert game.ruleset.keys == ("example_camels",)
    compile_ruleset.cache_clear()


def test_a_module_of_another_package_brings_its_texts_and_falls_back_to_english(announced: list[EntryPoint]) -> None:
    announce(announced, "example_camels", "tests.rules.example_modules:CAMELS")
    assert [text("module.example_camels", language) for language in ("en", "de", "hu")] == [
        "Camels",
        "Kamele",
        "Camels",
    ]
    assert text("event.camel_came", "sr", count=3) == "3 camels."


def test_nothing_is_imported_before_a_game_asks_for_it(announced: list[EntryPoint]) -> None:
    announce(announced, "example_ghost", "no.such.package:MODULE")
    assert "example_ghost" in known_modules()


@pytest.mark.parametrize("value", ["tests.rules.example_modules:BELLS", "tests.rules.example_modules:EXAMPLES"])
def test_an_entry_point_that_leads_elsewhere_is_refused(announced: list[EntryPoint], value: str) -> None:
    announce(announced, "example_wrong", value)
    with pytest.raises(BadOptions) as error:
        load_module("example_wrong")
    assert error.value.code == "MODULE_UNKNOWN"


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """An empty folder in which the library looks for its modules, instead of its own."""
    monkeypatch.setattr(modules, "__path__", [str(tmp_path)])
    registry_module._builtin_keys.cache_clear()
    yield tmp_path
    registry_module._builtin_keys.cache_clear()


def test_a_folder_of_the_library_is_a_module_of_its_name(library: Path) -> None:
    folder = library / "example_bakery"
    folder.mkdir()
    (folder / "oven.py").write_text("HEAT = 951\n")
    (folder / "__init__.py").write_text(
        "from ...module import Module\nfrom .oven import HEAT\nMODULE = Module(HEAT, 'example_bakery')\n"
    )
    assert "example_bakery" in known_modules()
    assert load_module("example_bakery").number == 951


def test_a_folder_without_a_record_and_names_with_an_underscore_are_no_modules(library: Path) -> None:
    (library / "example_empty").mkdir()
    (library / "example_empty" / "oven.py").write_text("HEAT = 951\n")
    (library / "_example_hidden.py").write_text("")
    assert not {"example_empty", "oven", "_example_hidden"} & set(known_modules())


def test_an_unknown_module_is_refused() -> None:
    with pytest.raises(BadOptions) as error:
        Game.new(Options(seats=3, seed="x", modules=["example_dragons"]))
    assert (error.value.code, error.value.metadata["module"]) == ("MODULE_UNKNOWN", "example_dragons")


def test_a_module_of_the_library_cannot_be_registered_over() -> None:
    own_key = next(
        key for key in known_modules() if not key.startswith("example_") and key in registry_module._builtin_keys()
    )
    with pytest.raises(BadOptions) as error:
        register(Module(1, own_key))
    assert error.value.code == "MODULES_CLASH"


def test_a_variant_must_belong_to_a_module_that_is_on() -> None:
    register(Module(952, "example_variants", variants=("harder",)))
    Game.new(Options(seats=3, seed="x", modules=["example_variants"], variants=["example_variants.harder"]))
    bad: list[dict[str, Any]] = [
        {"modules": ["example_variants"], "variants": ["example_variants.softer"]},
        {"variants": ["x.y"]},
    ]
    for options in bad:
        with pytest.raises(BadOptions) as error:
            Game.new(Options(seats=3, seed="x", **options))
        assert error.value.code == "OPTION_INVALID"
