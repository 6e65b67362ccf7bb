"""Rules are compiled from records: what clashes does not compile, and what is off costs nothing."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra import BadOptions, Game, Module, Options, Ruleset, load_module, register
from alhambra.base import BASE
from alhambra.components import MONEY_CARDS, Card
from alhambra.hook_types import REACTIONS
from alhambra.module import Layer, Modify, Verb
from alhambra.procedures import PROCEDURES
from alhambra.ruleset import compile_ruleset
from tests.rules.example_modules.bells import BELLS, ring, ringings, verify_ring
from tests.rules.example_modules.shelves import SHELVES
from tests.rules.hooks.compiled import EDITION, rules
from tests.rules.situations import table

TUPLES = ("variations", "tenders", "open_cards", "licences", "closes", "locks", "drawn")
"""Hooks that are one function for each module and become a tuple."""

# -- Compiling -------------------------------------------------------------------------------------------------------


def number(value: int) -> Any:
    """An operand that is always this."""

    def operand(_game: Game, *_args: Any) -> int:
        return value

    return operand


def modifier(key: str, layer: Layer, value: int, *, order: int = 950, final: bool = False) -> Module:
    return Module(order, key, modify=(Modify("take_limit", layer, number(value), final),))


def test_two_modules_that_set_the_same_value_do_not_compile() -> None:
    with pytest.raises(BadOptions) as error:
        rules(modifier("set_a", Layer.SET, 6), modifier("set_b", Layer.SET, 7))
    assert error.value.code == "MODULES_CLASH"
    assert error.value.metadata["value"] == "take_limit"


def test_of_two_sets_one_may_be_final() -> None:
    for first, second in (("set_c", "set_d"), ("set_e", "set_f")):
        final = modifier(first, Layer.SET, 7, final=True, order=951 if first == "set_c" else 953)
        other = modifier(second, Layer.SET, 6, order=952)
        rules(final, other)
        game = table(modules=[first, second])
        assert game.value("take_limit", 5, 0, ()) == 7


def test_two_modules_that_replace_the_reserve_do_not_compile() -> None:
    with pytest.raises(BadOptions) as error:
        rules(SHELVES, Module(951, "example_cellar", reserve=SHELVES.reserve))
    assert error.value.code == "MODULES_CLASH"
    assert error.value.metadata["modules"] == ["example_shelves", "example_cellar"]


@pytest.mark.parametrize(
    "second",
    [
        Module(951, "clash_verb", verbs=(Verb("ring", "", verify_ring, ring, ringings),)),
        Module(951, "clash_base_verb", verbs=(Verb("buy", "", verify_ring, ring, ringings),)),
        Module(951, "clash_card", cards=(MONEY_CARDS["denar-1"],)),
        Module(951, "clash_tile", tiles=BASE.tiles[:1]),
        Module(951, "clash_kind", kinds=BASE.kinds[:1]),
        Module(951, "clash_decision", decisions=BELLS.decisions),
        Module(951, "clash_route", cards=(Card("gong", "scoring"),), routes=BASE.routes),
    ],
    ids=lambda module: module.key,
)
def test_what_is_contributed_twice_does_not_compile(second: Module) -> None:
    with pytest.raises(BadOptions) as error:
        rules(BELLS, second)
    assert error.value.code == "MODULES_CLASH"


def test_layers_run_set_add_scale_floor_cap_whatever_the_order_of_modules() -> None:
    layers = {Layer.CAP: 17, Layer.FLOOR: 3, Layer.SCALE: 2, Layer.ADD: 4, Layer.SET: 5}
    modules = [
        modifier(f"layer_{layer.name}", layer, value, order=951 + n) for n, (layer, value) in enumerate(layers.items())
    ]
    rules(*modules)
    game = table(modules=[module.key for module in modules])
    assert game.value("take_limit", 99, 0, ()) == min(17, max(3, (5 + 4) * 2))
    ordered = [change.layer for change in game.ruleset.modifiers["take_limit"]]
    assert ordered == sorted(ordered)


def test_an_operand_of_none_changes_nothing() -> None:
    rules(Module(951, "shy", modify=(Modify("take_limit", Layer.SET, lambda *_: None),)))
    assert table(modules=["shy"]).value("take_limit", 5, 0, ()) == 5


def keys(*modules: Module) -> tuple[str, ...]:
    return rules(*modules).keys


def test_modules_run_by_number_but_never_before_one_named_in_after() -> None:
    first, second, third = Module(961, "m_x"), Module(962, "m_b"), Module(963, "m_a")
    assert keys(third, first, second) == ("m_x", "m_b", "m_a")
    late = Module(960, "m_late", after=("m_b", "not_there"))
    assert keys(late, first, second, third) == ("m_x", "m_b", "m_late", "m_a")


def test_modules_that_wait_for_each_other_do_not_compile() -> None:
    with pytest.raises(BadOptions) as error:
        keys(Module(961, "m_hen", after=("m_egg",)), Module(962, "m_egg", after=("m_hen",)))
    assert error.value.code == "MODULES_CLASH"


def test_the_order_in_which_options_name_modules_does_not_matter() -> None:
    one = Game.new(Options(seats=3, seed="x", modules=["example_bells", "example_ladders"]))
    two = Game.new(Options(seats=3, seed="x", modules=["example_ladders", "example_bells"]))
    assert one.ruleset is two.ruleset


def test_explain_lists_who_takes_part_in_the_order_in_which_they_run() -> None:
    ruleset = rules(BELLS, load_module("example_ladders"), load_module("example_bargains"))
    assert ruleset.explain("setup").splitlines()[:3] == [
        "setup:",
        "  deal: example_bells.hang_bells",
        "  deal: example_bargains.deal_bargains",
    ]
    assert ruleset.explain("majority_count") == "majority_count:\n  ADD: example_bargains.patron_adds"
    assert "permits: example_ladders: ladder" in ruleset.explain("placement")
    assert "base.lock_start" in ruleset.explain("locks")
    assert ruleset.explain("built") == "built: nobody"
    assert ruleset.explain("asks") == "asks:\n  example_bells: window"
    for procedure in PROCEDURES:
        assert ruleset.explain(procedure).startswith(procedure)


# -- Off costs nothing -----------------------------------------------------------------------------------------------


def compiled(ruleset: Ruleset) -> dict[str, Any]:
    """Everything that runs, by name."""
    found: dict[str, Any] = {hook: getattr(ruleset, hook) for hook in TUPLES}
    tables = ("procedures", "steps", "asks", "offers", "helpers", "vetoes", "items", "routes", "side_slots", "permits")
    for name in (*tables, "modifiers", "reactions"):
        found[name] = getattr(ruleset, name)
    found["verbs"] = ruleset.verbs
    found["tiles"] = ruleset.tiles
    found["cards"] = ruleset.cards
    return found


def identical(one: Any, two: Any) -> bool:
    """The same objects, inside tuples and tables too."""
    if isinstance(one, dict):
        return list(one) == list(two) and all(identical(one[key], two[key]) for key in one)
    if isinstance(one, tuple) and not hasattr(one, "_fields"):
        return len(one) == len(two) and all(identical(a, b) for a, b in zip(one, two, strict=True))
    return one is two


def test_a_module_that_is_loadable_but_off_leaves_every_compiled_function_the_very_same() -> None:
    before = compile_ruleset.__wrapped__(3, EDITION)
    reactions: Any = dict.fromkeys(REACTIONS, number(0))
    everything = Module(999, "example_everything", reactions=reactions, **dict.fromkeys(TUPLES, number(0)))
    register(everything)
    load_module("example_everything")
    after = compile_ruleset.__wrapped__(3, EDITION)
    assert identical(compiled(before), compiled(after))
    assert before.check_placement is after.check_placement
    assert before.reserve is after.reserve is BASE.reserve
    assert before.id == after.id
    assert compile_ruleset(3, EDITION) is compile_ruleset(3, EDITION)


def test_where_nobody_hooks_in_the_tuple_is_empty() -> None:
    ruleset = compile_ruleset.__wrapped__(3, EDITION)
    assert {hook for hook in TUPLES if getattr(ruleset, hook)} == {"licences", "locks"}
    assert {what for what, hooks in ruleset.reactions.items() if hooks} == {"resigned"}
    for table_of_hooks in ("asks", "vetoes", "helpers", "items", "side_slots", "permits", "modifiers"):
        assert getattr(ruleset, table_of_hooks) == {}


def test_a_module_that_is_on_leaves_the_hooks_it_does_not_use_the_very_same() -> None:
    base, with_bells = compile_ruleset.__wrapped__(3, EDITION), rules(BELLS)
    for hook in TUPLES:
        assert identical(getattr(base, hook), getattr(with_bells, hook))
    assert identical(base.reactions, with_bells.reactions)
    assert with_bells.check_placement is base.check_placement
    added = [step for step in with_bells.procedures["turn"] if step not in base.procedures["turn"]]
    assert [step.__name__ for step in added] == ["open_window"], "a shared question needs a module"
    assert identical(base.procedures["scoring"], with_bells.procedures["scoring"])
    assert all(with_bells.verbs[name] is verb for name, verb in base.verbs.items())


def test_a_module_that_is_on_but_unused_shifts_no_shuffle() -> None:
    plain = Game.new(Options(seats=3, seed="same"))
    with_module = Game.new(Options(seats=3, seed="same", modules=["example_ladders", "example_bells"]))
    for name in ("market", "display", "deck", "tower", "first"):
        assert getattr(plain.state, name) == getattr(with_module.state, name)
