"""Whatever modules show, tell and ask fits into the contract as it is: as nouns, or as plain values."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alhambra import Game, Options, known_modules
from alhambra.moves import GOOD, NOUNS
from alhambra_api.v1.values_pb2 import Value
from alhambra_api.values import from_value, set_value, to_value

WHOLE = st.integers(min_value=-(2**31), max_value=2**31 - 1)
PLAIN = st.recursive(
    st.none() | st.booleans() | WHOLE | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None)
@given(PLAIN)
def test_plain_data_comes_back_as_it_was(data: object) -> None:
    there = to_value(data).SerializeToString()
    assert from_value(Value.FromString(there)) == data


def test_one_stays_a_whole_number_and_true_a_truth() -> None:
    back = from_value(to_value([1, True, 0, False, None, "", [], {}]))
    assert [type(entry) for entry in back] == [int, bool, int, bool, type(None), str, list, dict]


def test_a_value_is_replaced_whole() -> None:
    value = to_value({"a": 1})
    set_value(value, 7)
    assert value == to_value(7)


@pytest.mark.parametrize("data", [1.5, b"bytes", {1, 2}, object()])
def test_what_is_no_plain_data_is_refused(data: object) -> None:
    with pytest.raises(TypeError):
        to_value(data)


def test_a_number_beyond_32_bits_is_refused() -> None:
    with pytest.raises(ValueError, match="out of range"):
        to_value(2**31)


def games() -> Iterator[Game]:
    """A stretch of a game with every module that there is, then the base game to its end; state by state."""
    for modules, length in ((known_modules(), 250), ([], 10_000)):
        game = Game.new(Options(seats=2, seed="contract", modules=modules))
        rng = Random(1)
        yield game
        while not game.over and game.version < length:
            game.apply(game.random_move(rng))
            yield game


def plain(data: Any) -> Any:
    """Lists for tuples, as JSON has it."""
    if isinstance(data, Mapping):
        return {name: plain(entry) for name, entry in data.items()}
    return [plain(entry) for entry in data] if isinstance(data, list | tuple) else data


def is_noun(name: str, value: Any) -> bool:
    """Whether a fact can stand in the noun of its name; None and an empty list are a noun that is absent."""
    if value is None or value in ([], ()):
        return True
    if name == "cell":
        cell = tuple(value.values()) if isinstance(value, Mapping) else tuple(value)
        return GOOD["cell"](cell)
    if name in {"cards", "display", "items"}:
        return all(isinstance(entry, str) for entry in value)
    if name == "currency":
        return value == "diamond" or GOOD[name](value)
    return GOOD[name](value)


def test_all_that_modules_show_and_tell_fits_into_nouns_and_values() -> None:
    facts: list[tuple[str, Mapping[str, Any]]] = []
    for place, game in enumerate(games()):
        for event in game.events:
            facts += [(event.kind, event.public), *((event.kind, part) for part in (event.private or {}).values())]
        if place % 25 == 0 or game.over:
            for viewer in (None, 0, 1):
                view = game.view(viewer)
                facts += [(f"slice {key}", {"facts": shown}) for key, shown in view["slices"].items()]
                if view["decision"]:
                    facts.append((view["decision"]["kind"], {"context": view["decision"]["context"]}))
    assert len({kind for kind, _ in facts}) > 40
    for kind, told in facts:
        for name, value in told.items():
            if name in NOUNS:
                assert is_noun(name, value), (kind, name, value)
            else:
                assert from_value(to_value(value)) == plain(value), (kind, name, value)
