"""The faults that are put into one statement: each replaces a node of its syntax by another text.

Left out is what is no rule: texts, annotations, assertions, what `raise` raises, imports.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
SHUFFLE = "shuffled"
DEFINITIONS = {"Module", "Reactions", "TileKind", "DecisionKind", "Verb", "Reserve", "Character", "Ability"}
"""Calls that declare something of a module: each of their keywords can be dropped."""
DESCRIPTIONS = {
    *("number", "key", "name", "scores", "reasons", "events", "texts", "nouns", "public_facts", "piece_kinds", "state"),
    *("outline", "details", "text", "label", "migrations", "variants", "description", "stages", "effects"),
}
"""Keywords of definitions that describe: what is missing there is no rule, and the laws of declarations tell it."""
TELLING = ("game.emit(", "game.mark_revealed(")
HIDING = {"secrets", "private", "private_pieces"}
NOT_MUTATED = (ast.Assert, ast.Raise, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Pass)


class Change(NamedTuple):
    """A node of the syntax, what kind of fault it gets, and the text that replaces it."""

    node: ast.expr | ast.stmt | ast.keyword
    kind: str
    text: str
    last: ast.stmt | None = None
    """For two statements that change places: the second one."""


def is_mutated(node: ast.stmt) -> bool:
    """Tell whether a statement can be wrong: texts, assertions, imports and what is for types only cannot."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return False
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return False
    if isinstance(node, ast.AnnAssign) and node.value is None:
        return False
    return not isinstance(node, NOT_MUTATED) and getattr(node, "name", "") != "__repr__"


def blocks_of(node: ast.stmt | ast.ExceptHandler) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a compound statement."""
    for name in ("body", "orelse", "finalbody"):
        if block := getattr(node, name, None):
            yield block
    for handler in getattr(node, "handlers", ()):
        yield from blocks_of(handler)
    for case in getattr(node, "cases", ()):
        yield case.body


def expressions_of(node: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions of a statement, of a compound one those of its first line; no annotations."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "body", "orelse", "finalbody", "handlers", "targets", "target"):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.expr):
                yield part
            elif isinstance(part, ast.withitem):
                yield part.context_expr


def changes_of(node: ast.stmt) -> Iterator[Change]:
    """Yield the faults of one statement, not those of statements inside of it."""
    match node:
        case ast.Expr(value=ast.Call() | ast.YieldFrom() | ast.Yield()):
            yield Change(node, "dropped call", "pass")
        case ast.Continue() | ast.Break() | ast.Return(value=None):
            yield Change(node, "dropped exit", "pass")
        case ast.AugAssign():
            yield Change(node, "dropped call", "pass")
        case ast.If() | ast.While():
            yield Change(node.test, "condition", "False")
            if isinstance(node, ast.If):
                yield Change(node.test, "condition", "True")
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            if isinstance(value, ast.Call | ast.Tuple | ast.List | ast.Dict | ast.GeneratorExp) and (
                ast.unparse(value) != "()"
            ):
                yield Change(value, "return", "()")
    for part in expressions_of(node):
        yield from _of_expression(part)


def swaps_of(block: list[ast.stmt]) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    """Yield pairs of neighbours in a block whose order may be a rule: two calls. An event that is told before or after
    a change, and two changes that do not need each other, are in no order that a game shows."""
    for first, second in pairwise(block):
        if _is_call(first) and _is_call(second) and _tells(first) == _tells(second):
            yield first, second


def _is_call(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom)


def _tells(node: ast.stmt) -> str:
    """Return the call by which a statement tells what happened; "" if it does something else."""
    return next((call for call in TELLING if ast.unparse(node).startswith(call)), "")


def _of_expression(node: ast.expr) -> Iterator[Change]:
    """Yield the faults of an expression and of everything in it."""
    yield from _of_node(node)
    if isinstance(node, ast.JoinedStr):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield from _of_expression(child)
        elif isinstance(child, ast.keyword) and not (_is_definition(node) and child.arg in DESCRIPTIONS):
            yield from _of_expression(child.value)
        elif isinstance(child, ast.comprehension):
            yield from _of_expression(child.iter)
            for condition in child.ifs:
                yield Change(condition, "condition", "True")
                yield from _of_expression(condition)


def _of_node(node: ast.expr) -> Iterator[Change]:
    match node:
        case ast.Compare(left=left, ops=operators, comparators=right):
            for at, operator in enumerate(operators):
                changed = [*operators[:at], COMPARISONS[type(operator)](), *operators[at + 1 :]]
                yield Change(node, "comparison", ast.unparse(ast.Compare(left, changed, right)))
            if isinstance(operators[0], ast.In | ast.NotIn) and isinstance(right[0], ast.Tuple):
                yield from _dropped_elements(right[0], "comparison")
        case ast.Constant(value=bool() as value):
            yield Change(node, "flag", str(not value))
        case ast.Constant(value=int() as value):
            yield Change(node, "number", str(value + 1))
        case ast.IfExp(body=body, orelse=otherwise):
            yield Change(node, "condition", f"({ast.unparse(body)})")
            yield Change(node, "condition", f"({ast.unparse(otherwise)})")
        case ast.BoolOp(values=values):
            for left_out in range(len(values)):
                left_over = [value for at, value in enumerate(values) if at != left_out]
                kept = ast.BoolOp(node.op, left_over) if len(left_over) > 1 else left_over[0]
                yield Change(node, "condition", f"({ast.unparse(kept)})")
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield Change(node, "condition", f"({ast.unparse(operand)})")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield Change(node, "sign", f"({ast.unparse(operand)})")
        case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right):
            turned = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            yield Change(node, "sign", f"({ast.unparse(ast.BinOp(left, turned, right))})")
        case ast.Call():
            yield from _of_call(node)


def _is_definition(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in DEFINITIONS


def _of_call(node: ast.Call) -> Iterator[Change]:
    called = ast.unparse(node.func)
    if called in FUNCTIONS:
        yield Change(node.func, "min or max", FUNCTIONS[called])
    if called.endswith(f".{SHUFFLE}") and node.args:
        yield Change(node, "order", f"sorted({ast.unparse(node.args[-1])}, key=str)")
    for keyword in node.keywords:
        if keyword.arg in HIDING:
            yield Change(keyword, "hiding", "")
        elif keyword.arg == "reverse":
            yield Change(keyword, "order", "")
        elif _is_definition(node) and keyword.arg and keyword.arg not in DESCRIPTIONS:
            yield Change(keyword, "hook", "")
            if isinstance(keyword.value, ast.Tuple) and len(keyword.value.elts) > 1:
                yield from _dropped_elements(keyword.value, "hook")
            elif isinstance(keyword.value, ast.Dict) and len(keyword.value.keys) > 1:
                yield from _dropped_entries(keyword.value)


def _dropped_elements(node: ast.Tuple, kind: str) -> Iterator[Change]:
    for left_out in range(len(node.elts)):
        kept = [element for at, element in enumerate(node.elts) if at != left_out]
        yield Change(node, kind, ast.unparse(ast.Tuple(kept, ast.Load())))


def _dropped_entries(node: ast.Dict) -> Iterator[Change]:
    for left_out in range(len(node.keys)):
        kept = [entry for at, entry in enumerate(zip(node.keys, node.values, strict=True)) if at != left_out]
        yield Change(node, "hook", ast.unparse(ast.Dict([key for key, _ in kept], [value for _, value in kept])))
