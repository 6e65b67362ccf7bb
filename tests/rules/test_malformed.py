"""Whatever strangers send: the library's own errors, and nothing changes."""

from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alhambra import AlhambraError, BadNotation, BadOptions, BadState, Game, IllegalMove, Move, Options
from alhambra.export import export_game, read_export, verify_export
from alhambra.moves import NOUNS
from alhambra.notation import read_game, read_move, write_game, write_move
from alhambra.options import CHOICES

bounded = settings(max_examples=150, derandomize=True, deadline=None)

words = st.sampled_from(
    (
        *("buy", "place", "pass", "take_money", "add", "swap", "remove", "reserve", "give_to_dirk", "undo", ""),
        *(
            "market-denar",
            "denar-5",
            "gulden-1",
            "garden-10-n",
            "tower-9-es",
            "start-0",
            "NE",
            "denar",
            "tower",
            "gate",
        ),
    )
)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 200)
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | words
    | st.text(max_size=12)
    | st.text(st.characters(categories=["Cs", "Cc"]), max_size=3)
)
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words | st.text(max_size=5), inner, max_size=4)
)
nearly_cells = st.dictionaries(st.sampled_from(["x", "y", "z"]), st.integers(-200, 200), max_size=3)
nearly_moves = st.dictionaries(
    st.sampled_from([*NOUNS, "verb", "note"]), words | st.lists(words, max_size=4) | nearly_cells | scalars, max_size=6
)


@cache
def positions() -> tuple[Game, ...]:
    """Games waiting for different decisions, and one that is over."""
    found: dict[str, Game] = {}
    for seats in (2, 3):
        game, rng = Game.new(Options(seats, "malformed", confirm_turn=True)), Random(1)
        while not game.over:
            assert game.decision is not None
            found.setdefault(f"{seats}{game.decision.kind}", game.clone())
            game.apply(game.random_move(rng))
        found[f"{seats}over"] = game
    return tuple(found.values())


@cache
def finished() -> dict[str, Any]:
    game, rng = Game.new(Options(2, "finished", turn_limit=20)), Random(2)
    while not game.over:
        game.apply(game.random_move(rng))
    return export_game(game)


@bounded
@given(nearly_moves | json_values, st.data())
def test_no_malformed_move_breaks_the_game(data: object, draw: st.DataObject) -> None:
    try:
        move = Move.read(data)
    except IllegalMove:
        return
    game = draw.draw(st.sampled_from(positions()))
    before = game.to_bytes()
    violations = game.verify(move)
    assert game.to_bytes() == before
    if violations:
        try:
            game.apply(move)
        except IllegalMove as refusal:
            assert refusal.violations == violations
        assert game.to_bytes() == before


@bounded
@given(st.data())
def test_no_mutated_legal_move_breaks_the_game(draw: st.DataObject) -> None:
    game = draw.draw(st.sampled_from([position for position in positions() if not position.over]))
    data = draw.draw(st.sampled_from(game.legal_moves()[:50])).as_dict()
    data |= draw.draw(nearly_moves)
    before = game.to_bytes()
    sample = game.clone()
    try:
        sample.apply(Move.read(data), draw.draw(st.none() | st.integers(-2, 7)))
    except IllegalMove:
        assert sample.to_bytes() == before
    assert game.to_bytes() == before


@bounded
@given(st.integers(-5, 10) | st.integers(), st.booleans(), st.data())
def test_no_seat_number_breaks_undo_or_resignation(seat: int, consent: bool, draw: st.DataObject) -> None:
    game = draw.draw(st.sampled_from(positions())).clone()
    before = game.to_bytes()
    try:
        if consent:
            game.undo(seat)
        else:
            game.resign(seat)
    except IllegalMove:
        assert game.to_bytes() == before


lines = st.lists(
    words | st.text(max_size=6) | st.sampled_from(["@1,2", "+denar-1", "r90", "^N", "%x", "=3", "#1", '"'])
)


@bounded
@given(st.text(max_size=60) | lines.map(" ".join))
def test_no_text_breaks_reading_a_move(text: str) -> None:
    try:
        move = read_move(text)
    except BadNotation as fault:
        assert fault.code == "TEXT_MALFORMED"
    else:
        assert read_move(write_move(move)) == move


@cache
def short_game() -> str:
    game, rng = Game.new(Options(2, "short")), Random(3)
    for _ in range(12):
        game.apply(game.random_move(rng))
    return write_game(game)


@bounded
@given(st.integers(0, 10_000), st.integers(0, 40), st.text(max_size=20) | lines.map(" ".join))
def test_no_text_breaks_reading_a_game(at: int, cut: int, text: str) -> None:
    whole = short_game()
    at %= len(whole)
    with suppress(BadNotation):
        read_game(whole[:at] + text + whole[at + cut :])


@bounded
@given(json_values)
def test_no_value_breaks_reading_an_export(data: object) -> None:
    with suppress(BadState, BadOptions, IllegalMove):
        read_export(data)
    assert not verify_export(data).ok


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, entry in inner for found in _paths(entry, (*path, key)))]


def _replaced(value: Any, path: tuple[Any, ...], new: object) -> Any:
    """A copy of the value with something else at one place."""
    if not path:
        return new
    changed = value.copy()
    changed[path[0]] = _replaced(value[path[0]], path[1:], new)
    return changed


@bounded
@given(st.data(), json_values)
def test_no_mutated_export_breaks_reading_it(draw: st.DataObject, value: object) -> None:
    path = draw.draw(st.sampled_from(_paths(finished())))
    data = _replaced(finished(), path, value)
    with suppress(BadState, BadOptions, IllegalMove):
        read_export(data)
    verify_export(data)


nearly_options = st.fixed_dictionaries(
    {"seats": st.integers(0, 7) | json_values, "seed": st.text(max_size=5) | json_values},
    optional=dict.fromkeys(["edition", "modules", "variants", "turn_limit", "rules", "self", *CHOICES], json_values),
)


@pytest.mark.parametrize(
    "data",
    [
        {"seats": 2, "seed": "x", "self": 1},
        {"seats": 2, "seed": "x", "edition": []},
        {"seats": 2, "seed": "\ud800"},
        {"seats": {"name": "A", "colour": "red"}, "seed": "x"},
        {"seats": 2, "seed": "x", "modules": "squares"},
        {"seats": 2, "seed": "x", "modules": [["squares"]]},
        {"seats": 2, "seed": "x", "turn_limit": 10**5_000},
        {"seats": 2, "seed": "x", "undo": 10**5_000},
    ],
    ids=["self", "edition", "surrogate", "one seat", "modules", "nested modules", "turn limit", "endless number"],
)
def test_options_that_no_game_can_have_are_refused(data: object) -> None:
    with pytest.raises(BadOptions):
        Game.new(Options.read(data))


def _deep() -> object:
    nested: object = 1
    for _ in range(10_000):
        nested = [nested]
    return nested


@pytest.mark.parametrize(
    "data",
    [{"verb": "bid", "amount": 10**5_000}, {"verb": "pass", "tile": _deep()}, {"verb": "pass", 10**5_000: 1}],
    ids=["an endless number", "an endless list", "an endless name"],
)
def test_a_noun_that_cannot_be_printed_is_refused_like_any_other(data: object) -> None:
    with pytest.raises(IllegalMove):
        Move.read(data)


@bounded
@given(nearly_options | json_values)
def test_no_options_break_creating_a_game(data: object) -> None:
    with suppress(BadOptions):
        Game.new(Options.read(data))


@bounded
@given(st.binary(max_size=40) | st.binary(max_size=40).map(lambda data: b"alh1" + data))
def test_no_bytes_break_restoring_a_game(data: bytes) -> None:
    with suppress(AlhambraError):
        Game.from_bytes(data)
