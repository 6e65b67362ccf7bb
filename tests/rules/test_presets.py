"""Presets: sets of modules by name."""

from __future__ import annotations

import pytest

from alhambra import BadOptions, Game, Options, component_data, known_modules, languages, load_module, text
from alhambra.presets import BOXES, MIXES, PRESETS, preset_modules


def test_every_printed_module_was_sold_in_exactly_one_box() -> None:
    sold = [key for box in BOXES for key in preset_modules(box)]
    assert sorted(sold) == sorted(component_data()["modules"])


def test_everything_is_every_module_that_can_be_switched_on() -> None:
    assert sorted(preset_modules("everything")) == known_modules()


@pytest.mark.parametrize("preset", PRESETS)
def test_the_modules_of_a_preset_exist_and_stand_in_the_order_of_the_rule_books(preset: str) -> None:
    numbers = [load_module(key).number for key in preset_modules(preset)]
    assert numbers == sorted(numbers)
    assert numbers


@pytest.mark.parametrize("preset", MIXES)
def test_a_game_of_a_mix_is_dealt_and_begins(preset: str) -> None:
    game = Game.new(Options(seats=3, seed=preset, modules=preset_modules(preset)))
    assert game.decision is not None


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("language", languages())
def test_a_preset_has_a_name_and_a_text_in_every_language(preset: str, language: str) -> None:
    assert text(f"preset.{preset}", language) != f"preset.{preset}"
    assert text(f"preset.{preset}.text", language) != f"preset.{preset}.text"


def test_an_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadOptions) as refused:
        preset_modules("a quiet afternoon")
    assert refused.value.code == "OPTION_INVALID"
    assert refused.value.metadata["known"] == list(PRESETS)
