"""Values on their way: set, set for good, added to, capped."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alhambra import BadOptions, Game, Module, register
from alhambra.components import MAJORITY_VALUES, TYPES
from alhambra.module import Layer, Modify
from tests.rules.example_modules.fashion import DECREE, FASHION, Fashion
from tests.rules.situations import hold_scoring, own, points, table

# -- set, set for good, scale, cap -------------------------------------------------------------------------------------

UPSIDE_DOWN = (5, 4, 3, 2, 1, 0)


def fashionable(*modules: str) -> Game:
    """Pavilions are scored like towers and the other way round."""
    game = table(modules=["example_fashion", *modules])
    game.module_state(Fashion).rows = UPSIDE_DOWN
    return game


@pytest.mark.rule("99.73")
def test_a_module_can_set_the_row_by_which_a_type_is_scored() -> None:
    game = fashionable()
    own(game, 0, pavilion=1)
    own(game, 1, tower=1)
    events = hold_scoring(game, 1)
    assert points(events, "majority", type="pavilion") == {0: MAJORITY_VALUES["tower"][1][0]}
    assert points(events, "majority", type="tower") == {1: MAJORITY_VALUES["pavilion"][1][0]}


def test_of_two_that_set_the_same_value_the_final_one_counts() -> None:
    game = fashionable("example_decree")
    rows = [game.value("majority_row", row, name, 1) for row, name in enumerate(TYPES)]
    assert rows == [5, 4, 3, 2, 1, 0]
    game.module_state(Fashion).rows = (0, 1, 2, 3, 4, 5)
    rows = [game.value("majority_row", row, name, 1) for row, name in enumerate(TYPES)]
    assert rows == [0, 1, 2, 3, 4, 0], "towers by decree, the others by fashion"


def test_the_final_one_counts_whatever_the_numbers() -> None:
    register(replace(DECREE, number=900))
    game = fashionable("example_decree")
    game.module_state(Fashion).rows = (0, 1, 2, 3, 4, 5)
    assert game.ruleset.keys == ("example_decree", "example_fashion")
    assert game.value("majority_row", 5, "tower", 1) == 0
    assert game.ruleset.explain("majority_row").splitlines()[1:] == [
        "  SET: example_fashion.fashionable_row",
        "  SET: example_decree.decreed_row",
    ]


@pytest.mark.parametrize("final", [False, True])
def test_two_of_the_same_rank_do_not_compile(final: bool) -> None:
    (row, cap), (fashion,) = DECREE.modify, FASHION.modify
    register(replace(DECREE, modify=(replace(row, final=final), cap)))
    register(replace(FASHION, modify=(replace(fashion, final=final),)))
    with pytest.raises(BadOptions) as error:
        table(modules=["example_decree", "example_fashion"])
    assert (error.value.code, error.value.metadata["value"]) == ("MODULES_CLASH", "majority_row")


def test_a_cap_comes_after_everything_that_adds() -> None:
    register(Module(999, "example_barn", modify=(Modify("majority_count", Layer.ADD, lambda *_: 3),)))
    game = table(modules=["example_decree", "example_barn"])
    own(game, 0, garden=4)
    own(game, 1, garden=3)
    own(game, 2, garden=1)
    assert [game.value("majority_count", count, 0, "garden") for count in (2, 4, 8)] == [5, 6, 6]
    first, second = MAJORITY_VALUES["garden"][2]
    shared = (first + second) // 2
    assert points(hold_scoring(game, 2), "majority", type="garden") == {0: shared, 1: shared}
