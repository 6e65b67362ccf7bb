"""Laws that every module keeps, read from the code itself: no other code names it, no hook is dead, all is reached."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from alhambra import EDITIONS, Module, Ruleset, load_module
from alhambra.base import BASE
from alhambra.components import component_data
from alhambra.module import DecisionKind, Licence, Modify, Permit, TileKind, Verb
from alhambra.ruleset import compile_ruleset
from scripts.module_files import MODULES, key_of, module_files
from tests.rules.example_modules import CAMELS, EXAMPLES

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "rules" / "alhambra"
FILES = module_files()
SOURCES = [path for paths in FILES.values() for path in paths]
MAIN = {key: paths[0] for key, paths in FILES.items()}
"""The file with the record of each module."""
ALL_KEYS = tuple(component_data()["modules"])
"""The 43 modules of the rulebooks in their order, written or not."""
CONTRACT_LINES = 300
EDITION = next(iter(EDITIONS))
SEATS = range(2, 7)
CODE_FOLDERS = ("rules", "cli", "scripts", "bench", "service", "gateway", "kit", "proto", ".ci")
CODE_SUFFIXES = (".py", ".sh", ".proto", ".toml", ".lua", "")
"""Data (.json) and tests may name modules; code may not."""
MODULE_LINES = 250
RECORD_MAY_NAME = ("after",)
NO_HOOKS = {"number", "key", "version", "migrations"}

each_module = pytest.mark.parametrize("key", FILES)
each_file = pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.relative_to(MODULES).as_posix()) for path in SOURCES],
)


@cache
def syntax(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), path.name)


def line_of(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 1))


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{line_of(node)}"


def nodes(key: str) -> Iterator[ast.AST]:
    """The syntax of all files of a module."""
    for path in FILES[key]:
        yield from ast.walk(syntax(path))


def record(key: str) -> Module:
    return load_module(key)


def records() -> list[Module]:
    return [record(key) for key in FILES]


# -- Nobody names a module -------------------------------------------------------------------------------------------


def code_files() -> Iterator[Path]:
    """Every code file of the project but tests and the module files themselves."""
    for folder in CODE_FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in CODE_SUFFIXES and "__pycache__" not in path.parts:
                yield path
    yield from (ROOT / name for name in ("Makefile", "pyproject.toml"))


def docstrings(tree: ast.AST) -> set[ast.AST]:
    """Texts that stand alone: they are prose for readers."""
    return {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def words_of(text: str) -> set[str]:
    """The words that a string names: none if it is a sentence, else its parts (`invaders.open_attack` names two)."""
    return set() if re.search(r"\s", text) else set(re.findall(r"\w+", text))


def named(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Every word that the code of a file names: in strings, as variables, functions, arguments, attributes, imports."""
    prose = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in prose:
            yield from ((node, word) for word in words_of(node.value))
        elif isinstance(node, ast.Name):
            yield node, node.id
        elif isinstance(node, ast.Attribute):
            yield node, node.attr
        elif isinstance(node, ast.arg | ast.keyword):
            yield node, node.arg or ""
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            yield node, node.name
        elif isinstance(node, ast.alias):
            yield from ((node, word) for word in f"{node.name}.{node.asname or ''}".split(".") if word)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node, word) for word in (node.module or "").split("."))


def said(path: Path, keys: set[str]) -> Iterator[tuple[int, str]]:
    """Keys of several words in plain text, comments and docstrings included: no ordinary word looks like that."""
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(key for key in keys if '_' in key)) or '(?!)'})(?!\w)")
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        yield from ((number, found) for found in pattern.findall(line))


def calls_of(tree: ast.AST, name: str) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == name]


def in_the_record(tree: ast.Module) -> set[ast.AST]:
    """Everything inside `after` of the module's record."""
    (made,) = calls_of(tree, "Module")
    allowed = [keyword.value for keyword in made.keywords if keyword.arg in RECORD_MAY_NAME]
    return {node for value in allowed for node in ast.walk(value)}


def namings(path: Path, keys: set[str]) -> list[str]:
    """Where a file names one of the modules, apart from what a record may name."""
    others = keys - {key_of(path)}
    if path.suffix != ".py":
        return [f"{path.relative_to(ROOT)}:{line} {word}" for line, word in said(path, others)]
    tree = syntax(path)
    allowed = in_the_record(tree) if path in MAIN.values() else set()
    # A variable that is called `change` names no module; a text or an import of that word does.
    telling = (ast.Constant, ast.alias, ast.ImportFrom)
    found = {
        (line_of(node), word)
        for node, word in named(tree)
        if word in others and node not in allowed and ("_" in word or isinstance(node, telling))
    }
    lines = {line_of(node) for node in allowed if isinstance(node, ast.Constant)}
    found |= {(line, word) for line, word in said(path, others) if line not in lines}
    return [f"{path.relative_to(ROOT)}:{line} {word}" for line, word in sorted(found)]


def imports_modules(path: Path, node: ast.ImportFrom) -> bool:
    """Whether an import leads to a module's file from outside: to another module, or to all of them."""
    inside = len(path.relative_to(MODULES).parts)
    parts = ((node.module or "") + ".").split(".")
    if node.level == 0:
        return parts[:2] == ["alhambra", "modules"] or ast.unparse(node) == "from alhambra import modules"
    if node.level <= inside:
        return node.level == inside
    return parts[0] == "modules" or (not node.module and "modules" in {alias.name for alias in node.names})


def test_no_module_imports_another() -> None:
    found = []
    for path in SOURCES:
        for node in ast.walk(syntax(path)):
            if isinstance(node, ast.ImportFrom) and imports_modules(path, node):
                found.append(place(path, node))
            elif isinstance(node, ast.Import):
                found += [place(path, node) for alias in node.names if alias.name.startswith("alhambra.modules")]
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "load_module")):
                found.append(place(path, node))
    assert found == []


@pytest.mark.parametrize(
    ("path", "line", "found"),
    [
        ("bakers.py", "from .camels import ride", True),
        ("bakers.py", "from . import camels", True),
        ("bakers.py", "from .. import modules", True),
        ("bakers.py", "from ..modules.camels import ride", True),
        ("bakers.py", "from alhambra.modules.camels import ride", True),
        ("bakers.py", "from alhambra import modules", True),
        ("bakers.py", "from ..game import Game", False),
        ("bakers/oven.py", "from .flour import mill", False),
        ("bakers/oven.py", "from . import flour", False),
        ("bakers/oven.py", "from ..camels import ride", True),
        ("bakers/oven.py", "from .. import camels", True),
        ("bakers/oven.py", "from ... import modules", True),
        ("bakers/oven.py", "from ...modules import camels", True),
        ("bakers/oven.py", "from ...game import Game", False),
    ],
)
def test_an_import_of_another_module_is_found_from_a_file_and_from_a_folder(path: str, line: str, found: bool) -> None:
    (node,) = ast.parse(line).body
    assert isinstance(node, ast.ImportFrom)
    assert imports_modules(MODULES / path, node) == found


def test_no_code_file_names_a_module_that_is_written() -> None:
    outside = [path for path in code_files() if not path.is_relative_to(MODULES)]
    assert [naming for path in outside for naming in namings(path, set(FILES))] == []


def test_no_code_file_names_a_module_that_is_still_to_come() -> None:
    outside = [path for path in code_files() if not path.is_relative_to(MODULES)]
    assert [naming for path in outside for naming in namings(path, set(ALL_KEYS) - set(FILES))] == []


@each_module
def test_a_module_names_others_only_in_its_record(key: str) -> None:
    assert [naming for path in FILES[key] for naming in namings(path, set(ALL_KEYS))] == []


@each_module
def test_a_record_names_only_modules_that_exist_and_never_itself(key: str) -> None:
    for name in RECORD_MAY_NAME:
        listed = getattr(record(key), name)
        assert set(listed) <= set(ALL_KEYS) - {key}
        assert len(set(listed)) == len(listed)


# -- The core never asks which modules are on --------------------------------------------------------------------------

TABLES_OF_MODULES = {"keys", "modules", "slices", "slice_keys", "variants"}
"""What a ruleset, a state or the options hold by module: asking what is in it asks which modules are on."""
REGISTRY = RULES / "registry.py"
"""It looks modules up by key, whether they are on or not."""
MAY_SHOW_KEYS = {"views.py", "ruleset.py"}
"""A view lists the keys, a ruleset makes them."""
MAY_READ_THE_CHOICE = {"options.py", "notation.py", "record.py", "ruleset.py"}
"""The options hold which modules were chosen; they are written, read, and handed to the compiler."""


def core_files() -> list[Path]:
    return [path for path in sorted(RULES.rglob("*.py")) if not path.is_relative_to(MODULES)]


def without_calls(tree: ast.AST) -> Iterator[ast.Attribute]:
    """Attributes that are not called: `ruleset.keys`, but not `table.keys()`."""
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and id(node) not in called)


def asks_for_modules(node: ast.Compare) -> bool:
    """`x in ruleset.keys`, `game.ruleset.modules == …`, `record.key == "…"`, `record.number > 3` and the like."""
    compares_sets = any(isinstance(operator, ast.In | ast.NotIn) for operator in node.ops)
    for side in (node.left, *node.comparators):
        for inner in without_calls(side):
            if inner.attr in ("key", "number") and ast.unparse(inner.value) in ("record", "module", "self"):
                return True
            if inner.attr in TABLES_OF_MODULES and (compares_sets or inner.attr in ("keys", "modules")):
                return True
        if compares_sets and "known_modules" in ast.unparse(side):
            return True
    return False


def test_the_core_never_tests_which_modules_are_on() -> None:
    asking = [
        place(path, node)
        for path in core_files()
        if path != REGISTRY
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.Compare) and asks_for_modules(node)
    ]
    assert asking == []


def test_the_registry_knows_which_modules_there_are_and_nothing_of_a_game() -> None:
    imported = {node.module for node in ast.walk(syntax(REGISTRY)) if isinstance(node, ast.ImportFrom) and node.level}
    assert imported <= {None, "module", "violations"}


def test_no_module_tests_which_modules_are_on() -> None:
    tables = TABLES_OF_MODULES - {"variants"}
    asking = [
        place(path, node)
        for path in SOURCES
        for node in without_calls(syntax(path))
        if node.attr in tables | {"options"}
    ]
    assert asking == []


@each_module
def test_a_module_asks_only_for_its_own_variants(key: str) -> None:
    texts = [node.value for node in nodes(key) if isinstance(node, ast.Constant)]
    asked = [text for text in texts if isinstance(text, str) and re.fullmatch(r"[a-z_]+\.[a-z_]+", text)]
    variants = {f"{key}.{variant}" for variant in record(key).variants}
    moments = {step.moment for step in record(key).steps}
    assert set(asked) <= variants | moments
    uses = any(node.attr == "variants" for path in FILES[key] for node in without_calls(syntax(path)))
    assert uses == bool(variants)


def test_the_keys_of_a_ruleset_are_only_shown() -> None:
    reading = [
        place(path, node)
        for path in core_files()
        for node in without_calls(syntax(path))
        if node.attr == "keys" and path.name not in MAY_SHOW_KEYS
    ]
    assert reading == []


def test_the_choice_of_modules_is_only_written_read_and_compiled() -> None:
    reading = [
        place(path, node)
        for path in core_files()
        for node in without_calls(syntax(path))
        if node.attr == "modules"
        and ast.unparse(node.value).endswith("options")
        and path.name not in MAY_READ_THE_CHOICE
    ]
    assert reading == []


def test_the_core_asks_a_record_only_whether_it_uses_a_hook() -> None:
    """`if record.tower is not None`: any other condition on a record would ask which module it is."""
    wrong = []
    for path in core_files():
        tree = syntax(path)
        tests = [node.test for node in ast.walk(tree) if isinstance(node, ast.If | ast.IfExp)]
        tests += [test for node in ast.walk(tree) if isinstance(node, ast.comprehension) for test in node.ifs]
        for test in tests:
            for inner in without_calls(test):
                if inner.attr in ("key", "number") and ast.unparse(inner.value) == "record":
                    wrong.append(place(path, inner))
    assert wrong == []


# -- All compile -----------------------------------------------------------------------------------------------------


def compiled(keys: tuple[str, ...], seats: int) -> Ruleset:
    return compile_ruleset.__wrapped__(seats, EDITION, tuple(sorted(keys)))


@pytest.mark.parametrize("seats", SEATS)
def test_all_modules_compile_together(seats: int) -> None:
    ruleset = compiled(tuple(FILES), seats)
    assert set(ruleset.keys) == set(FILES)
    for key in FILES:
        after = set(record(key).after) & set(FILES)
        assert after <= set(ruleset.keys[: ruleset.keys.index(key)])


@pytest.mark.parametrize("seats", SEATS)
def test_every_module_and_every_pair_compiles(seats: int) -> None:
    chosen = [*combinations(FILES, 1), *combinations(FILES, 2)]
    assert len(chosen) == len(FILES) * (len(FILES) + 1) // 2
    ids = {compiled(keys, seats).id for keys in chosen}
    assert len(ids) == len(chosen)


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_modules_compile_under_every_edition_with_all_variants(edition: str) -> None:
    variants = tuple(sorted(f"{module.key}.{variant}" for module in records() for variant in module.variants))
    compile_ruleset.__wrapped__(4, edition, tuple(sorted(FILES)), variants)


def test_no_two_modules_share_a_number() -> None:
    numbers = [module.number for module in records()]
    assert len(set(numbers)) == len(numbers)
    assert BASE.number == 0


# -- The contract, and the form of a module's file ---------------------------------------------------------------------


def test_the_contract_stays_under_300_lines() -> None:
    assert len((RULES / "module.py").read_text(encoding="utf-8").splitlines()) < CONTRACT_LINES


@each_module
def test_a_module_opens_with_its_number_and_the_rule(key: str) -> None:
    text = ast.get_docstring(syntax(MAIN[key])) or ""
    assert text.startswith(f"{record(key).number:02} ")
    title, _, rule = text.partition("\n\n")
    assert re.fullmatch(r"\d\d [A-Z].*\.", title), title
    assert len(rule.split()) >= 20, "the rule in the game's words"


@each_file
def test_a_file_of_a_module_opens_with_the_rule_that_it_implements(path: Path) -> None:
    assert len((ast.get_docstring(syntax(path)) or "").split()) >= 12, "the rule in the game's words"


@each_file
def test_a_module_in_a_folder_has_short_files(path: Path) -> None:
    if path.parent != MODULES:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= MODULE_LINES


@each_module
def test_a_module_is_one_file_or_one_folder(key: str) -> None:
    assert MAIN[key] in (MODULES / f"{key}.py", MODULES / key / "__init__.py")
    assert {path.parent for path in FILES[key]} == {MAIN[key].parent}
    assert MAIN[key].parent != MODULES or len(FILES[key]) == 1


@each_module
def test_a_module_ends_with_its_record(key: str) -> None:
    """`MODULE = Module(…)`, or with abilities `MODULE = add_up(Module(…), …)`; it is the only record."""
    last = syntax(MAIN[key]).body[-1]
    assert isinstance(last, ast.Assign)
    assert [ast.unparse(target) for target in last.targets] == ["MODULE"]
    made = last.value
    if calls_of(last, "add_up") == [made]:
        assert isinstance(made, ast.Call)
        made = made.args[0]
    assert [call for path in FILES[key] for call in calls_of(syntax(path), "Module")] == [made]


@each_module
def test_a_module_is_called_like_its_file_and_numbered_like_the_component_data(key: str) -> None:
    assert record(key).key == key
    assert record(key).number == ALL_KEYS.index(key) + 1


# -- No dead hooks -----------------------------------------------------------------------------------------------------


def used(owner: type, things: list[Any]) -> set[str]:
    """The fields of a record that some of these fill with more than the default."""
    needed = {part.name for part in fields(owner) if part.default is MISSING and part.default_factory is MISSING}
    filled = {
        part.name
        for part in fields(owner)
        if any(getattr(thing, part.name) not in (None, (), {}, False, 0, "") for thing in things)
    }
    return needed | filled


def everybody() -> list[Module]:
    """The base game, the modules, the examples of the tests."""
    return [BASE, *records(), *EXAMPLES, CAMELS]


def test_every_hook_of_the_contract_is_used_somewhere() -> None:
    unused = {field.name for field in fields(Module)} - used(Module, everybody()) - NO_HOOKS
    assert sorted(unused) == []


@pytest.mark.parametrize(
    ("owner", "field"),
    [(Verb, "verbs"), (DecisionKind, "decisions"), (Modify, "modify"), (Permit, "permits"), (TileKind, "kinds")],
    ids=lambda part: getattr(part, "__name__", part),
)
def test_every_part_of_a_hook_is_used_somewhere(owner: type, field: str) -> None:
    things = [thing for module in everybody() for thing in getattr(module, field)]
    assert sorted({part.name for part in fields(owner)} - used(owner, things)) == []


def test_every_part_of_a_licence_is_used_somewhere() -> None:
    """Licences are made when they are asked for: their parts stand in the calls of the code."""
    filled = set()
    sources = [*core_files(), *SOURCES, *Path(__file__).with_name("example_modules").glob("*.py")]
    for path in sources:
        for node in ast.walk(syntax(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Licence":
                filled |= {keyword.arg for keyword in node.keywords}
                filled |= {part.name for part in fields(Licence)[: len(node.args)]}
    assert sorted({part.name for part in fields(Licence)} - filled) == []


# -- Slices, verbs, decisions ------------------------------------------------------------------------------------------


@each_module
def test_a_slice_is_a_plain_dataclass_with_slots(key: str) -> None:
    kept = record(key).state
    if kept is None:
        return
    assert is_dataclass(kept)
    assert kept.__bases__ == (object,)  # a copy is made of its own slots only
    assert set(vars(kept)["__slots__"]) == {field.name for field in fields(kept)}
    assert not hasattr(kept(), "__dict__")
    assert kept.__module__.split(".")[:3] == ["alhambra", "modules", key]


@each_module
def test_the_fields_of_a_slice_are_never_changed_inside(key: str) -> None:
    """Two fresh slices share nothing, and no field begins as a list or a set, which invite changing."""
    kept = record(key).state
    if kept is None:
        return
    one, two = kept(), kept()
    for field in fields(kept):
        value = getattr(one, field.name)
        assert isinstance(value, tuple | dict | str | int | bool | None), f"{field.name} is a {type(value).__name__}"
        assert not isinstance(value, dict) or value is not getattr(two, field.name)


def verbs_and_decisions(key: str) -> tuple[dict[str, set[str]], Ruleset]:
    """By verb of a module: the decisions that it answers when the module is on alone."""
    ruleset = compiled((key,), 3)
    answers = {verb.name: set[str]() for verb in record(key).verbs}
    for name, question in ruleset.questions.items():
        for verb in question.verbs:
            if verb.name in answers:
                answers[verb.name].add(name)
    return answers, ruleset


@each_module
def test_every_verb_of_a_module_answers_a_decision(key: str) -> None:
    answers, _ = verbs_and_decisions(key)
    assert [verb for verb, decisions in answers.items() if not decisions] == []


def test_every_verb_of_the_base_game_answers_a_decision_of_the_game_or_of_a_module() -> None:
    ruleset = compiled(tuple(FILES), 3)
    answering = {verb.name for question in ruleset.questions.values() for verb in question.verbs}
    # A verb that modules still to come share has an example until then.
    for example in EXAMPLES:
        answering |= {verb for kind in example.decisions for verb in kind.verbs}
        answering |= {verb for verbs in example.answers.values() for verb in verbs}
    assert [verb.name for verb in BASE.verbs if verb.name not in answering] == []


@each_module
def test_every_decision_of_a_module_can_be_answered(key: str) -> None:
    _, ruleset = verbs_and_decisions(key)
    for kind in record(key).decisions:
        verbs = {verb.name for verb in ruleset.questions[kind.name].verbs}
        assert verbs - {"pass"}, f"{kind.name} can only be passed"
        assert set(kind.verbs) <= verbs, f"{kind.name} names unknown verbs"


@each_module
def test_a_module_lets_only_verbs_that_exist_answer_decisions_that_exist(key: str) -> None:
    _, ruleset = verbs_and_decisions(key)
    for decision, verbs in record(key).answers.items():
        assert decision in ruleset.questions
        assert set(verbs) <= set(ruleset.verbs)
    assert set(record(key).vetoes) <= set(ruleset.verbs)
    assert set(record(key).offers) <= set(ruleset.questions)


def asked_in(path: Path) -> set[str]:
    """The kinds of decision that a file asks: `game.ask("claim", …)`, `ask_shared(game, "late")`, or
    `begin_walk(game, "staff_walk", …)`."""
    found = set()
    for node in ast.walk(syntax(path)):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr == "ask":
            first = node.args[:1]
        elif isinstance(node.func, ast.Name) and node.func.id in ("ask_shared", "begin_walk"):
            first = node.args[1:2]
        else:
            continue
        found |= {word.value for word in first if isinstance(word, ast.Constant) and isinstance(word.value, str)}
    return found


@each_module
def test_every_decision_of_a_module_is_asked_in_its_files(key: str) -> None:
    declared = {kind.name for kind in record(key).decisions}
    asked = set().union(*map(asked_in, FILES[key]))
    assert declared - asked == set(), "never asked"
    assert asked - declared - {kind.name for kind in BASE.decisions} == set(), "asked, but not declared"


def test_every_decision_of_the_base_game_is_asked_there() -> None:
    asked = set().union(*(asked_in(path) for path in core_files()))
    assert {kind.name for kind in BASE.decisions} - asked == set()


Place = tuple[str, str]
"""A name at the top of a file of a module: the file's own name, and the name."""


def imported_names(tree: ast.Module) -> dict[str, Place]:
    """By the name that a file gives it: what the file imports from a file beside it; a whole file has no name in it."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            for alias in node.names:
                place = (node.module, alias.name) if node.module else (alias.name, "")
                found[alias.asname or alias.name] = place
    return found


def places_named(file: str, node: ast.AST, imported: dict[str, Place]) -> set[Place]:
    """The top names that a piece of code uses, of its own file and of those beside it."""
    found = set[Place]()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name):
            beside, name = imported.get(inner.value.id, ("", "x"))
            found |= set() if name else {(beside, inner.attr)}
        elif isinstance(inner, ast.Name):
            found.add(imported.get(inner.id, (file, inner.id)))
    return found


def names_made(node: ast.AST) -> set[str]:
    """The names that a statement at the top of a file gives: a function, a class, a constant."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    names = {inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name)}
    return names - {"__all__"}


@each_module
def test_every_function_of_a_module_is_reached_from_its_record(key: str) -> None:
    """So every question is asked from a step, a verb or a hook, and nothing lies about unused."""
    bodies: dict[Place, set[Place]] = {}
    for path in FILES[key]:
        imported = imported_names(syntax(path))
        for node in syntax(path).body:
            used = places_named(path.stem, node, imported)
            for name in names_made(node):
                bodies[path.stem, name] = bodies.get((path.stem, name), set()) | used
    reached, waiting = set[Place](), [(MAIN[key].stem, "MODULE")]
    while waiting:
        found = waiting.pop()
        if found not in reached:
            reached.add(found)
            waiting += bodies.get(found, ())
    assert sorted(set(bodies) - reached) == []


@each_module
def test_every_step_that_is_pushed_stands_in_the_agenda(key: str) -> None:
    pushed = set()
    for node in nodes(key):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("push", "resume"):
            at = 0 if node.func.attr == "push" else 1
            pushed.add(ast.unparse(node.args[at]))
    agenda = {step.__name__ for step in record(key).agenda.values()}
    base = {step.__name__ for step in BASE.agenda.values()}
    assert pushed - agenda - base == set()
