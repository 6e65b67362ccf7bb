"""Between moves the keys of all dictionaries stand sorted: no list depends on when something was put into one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from alhambra import Game, Options, known_modules
from alhambra.players.peer import peer_move
from alhambra.state import MAPPINGS, State, mapping_fields, sort_mappings

MOVES = 400
SEATS = 4


def dictionaries(value: Any) -> Iterator[dict[Any, Any]]:
    """Those in a field, by themselves or in a tuple."""
    if isinstance(value, dict):
        yield value
    elif type(value) is tuple:
        for entry in value:
            yield from dictionaries(entry)


def unsorted(state: State) -> list[tuple[str, str]]:
    fields = [("", name, value) for name, value in vars(state).items() if name != "module_states"]
    for key, kept in state.module_states.items():
        fields += [(key, name, getattr(kept, name)) for name in type(kept).__slots__]
    return [(key, name) for key, name, value in fields for found in dictionaries(value) if [*found] != sorted(found)]


def test_the_dictionaries_of_all_modules_stand_sorted_after_every_move_and_resignation() -> None:
    game = Game.new(Options(seats=SEATS, seed="sorted", modules=known_modules()))
    rng = Random(7)
    filled = set()
    mappings = [*zip(*game.ruleset.mappings, strict=True)]
    while not game.over and game.version < MOVES:
        game.apply(peer_move(game, rng))
        assert unsorted(game.state) == []
        filled |= {(key, name) for key, name in mappings if getattr(game.state.module_states[key], name)}
    game.resign(2)
    assert unsorted(game.state) == []
    assert len(filled) > len(mappings) // 2, "dictionaries without entries prove nothing"


def test_every_field_of_a_slice_that_holds_a_dictionary_is_known() -> None:
    game = Game.new(Options(seats=SEATS, seed="known", modules=known_modules()))
    for key, kept in game.state.module_states.items():
        for name in type(kept).__slots__:
            if any(True for _ in dictionaries(getattr(kept, name))):
                assert (key, name) in zip(*game.ruleset.mappings, strict=True)


def test_an_unsorted_dictionary_is_replaced_and_a_sorted_one_stays_the_same_object() -> None:
    game = Game.new(Options(seats=2, seed="replaced", modules=["squares", "orchards"]))
    state = game.state
    stacks, planted = state.module_states["squares"], state.module_states["orchards"]
    mine = {"b": ("x",), "a": ("y",)}
    stacks.stacks, planted.planted, state.types = mine, (mine, {}), {"tower-9": "z", "garden-8": "y"}
    fields = mapping_fields([("squares", type(stacks)), ("orchards", type(planted))])
    sort_mappings(state, fields, ())
    assert [*stacks.stacks] == [*planted.planted[0]] == ["a", "b"]
    assert [*state.types] == ["garden-8", "tower-9"]
    assert [*mine] == ["b", "a"], "an earlier state may hold it, too"
    kept = {name: getattr(state, name) for name in MAPPINGS}
    sort_mappings(state, fields, ())
    assert all(getattr(state, name) is value for name, value in kept.items())


def test_keys_that_are_numbers_are_sorted_as_numbers_also_in_bytes() -> None:
    game = Game.new(Options(seats=2, seed="numbers", modules=["new_building_grounds"]))
    back = game.with_state(game.state_bytes())
    columns = [*game.state.module_states["new_building_grounds"].columns]
    assert columns == sorted(columns)
    assert [*back.state.module_states["new_building_grounds"].columns] == columns
    assert max(columns) >= 10 > min(columns)
