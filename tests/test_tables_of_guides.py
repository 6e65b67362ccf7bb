"""What the guides list is true: limits, metrics, scopes, flags, and the tests that hold a promise."""

from __future__ import annotations

import re
from types import ModuleType

import click
import pytest

import alhambra_gateway.limits
import alhambra_service.limits
from alhambra_api import contract
from alhambra_api.limits import limits_of
from alhambra_api.v1 import service_pb2
from alhambra_cli.commands import DESCRIBED, app
from alhambra_service.auth.api_keys import known_scopes

from .deploy.test_figures import known as known_metrics
from .test_guides import ROOT, page


def rows(name: str, pattern: str) -> list[tuple[str, ...]]:
    """The cells of every row of a table that looks like this."""
    return [found.groups() for found in re.finditer(rf"^\| {pattern} \|$", page(name), re.MULTILINE)]


def shown(name: str, value: float | dict[str, float]) -> str:
    """A limit as the page writes it; of several, the lowest and the highest."""
    if isinstance(value, dict):
        return f"{min(value.values()):g} to {max(value.values()):g}"
    if name.endswith("_BYTES"):
        units = [(1 << 20, "MiB"), (1 << 10, "KiB"), (1, "bytes")]
        size, unit = next((size, unit) for size, unit in units if value % size == 0)
        return f"{int(value) // size:,} {unit}"
    if name.endswith("_MS"):
        return f"{value / 1_000:,.15g} s"
    if name.endswith("_PER_SECOND"):
        return f"{value:g} a second"
    return f"{value:,.15g} s" if "_SECONDS" in name else f"{value:,}"


def test_every_limit_of_the_page_is_the_one_in_force() -> None:
    homes: dict[str, ModuleType] = {"service": alhambra_service.limits, "gateway": alhambra_gateway.limits}
    listed = rows("operator", r"[^|]+ \| ([^|]+) \| `(service|gateway) ([A-Z_]+)`")
    assert len(listed) > 30
    assert [(text, name) for text, home, name in listed if text != shown(name, getattr(homes[home], name))] == []


def test_every_limit_of_a_field_on_the_page_is_the_one_in_the_contract() -> None:
    listed = rows("operator", r"[^|]+ \| ([^|]+) \| `contract (\w+\.\w+)`")
    assert len(listed) > 5
    for text, name in listed:
        message, _, field = name.partition(".")
        descriptor = service_pb2.DESCRIPTOR.pool.FindMessageTypeByName(f"{contract.PACKAGE}.{message}")
        limits = limits_of(descriptor.fields_by_name[field])
        assert text.removesuffix(" s") == f"{limits.maximum or limits.max_length or limits.max_items:,}", name


def test_the_page_lists_every_metric() -> None:
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in known_metrics()}
    assert {name for (name,) in rows("operator", r"`(alhambra_[a-z_]+)` \| [^|]+")} == families


def test_the_page_lists_every_scope() -> None:
    listed = rows("operator", r"`((?:games|seats|audit)\.[a-z_]+|bots|webhooks|notices)` \| [^|]+")
    assert {scope for (scope,) in listed} == known_scopes()


@pytest.mark.parametrize("name", ["operator", "security"])
def test_every_flag_on_a_page_exists(name: str) -> None:
    known = {
        flag
        for command in filter(None, (app.get_command(click.Context(app), name) for name in DESCRIBED))
        for part in (command, *getattr(command, "commands", {}).values())
        for each in part.params
        for flag in (*each.opts, *each.secondary_opts)
    }
    prose = re.sub(r"^```.*?^```$", "", page(name), flags=re.DOTALL | re.MULTILINE)
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", prose)) <= known | {"--help"}


def test_every_promise_names_tests_that_exist() -> None:
    named = re.findall(r"`(tests/[\w/.]+)`", page("security"))
    assert len(named) > 8
    assert [path for path in named if not (ROOT / path).exists()] == []
