"""What is printed on the components, in the shapes that the tests of the data compare."""

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from alhambra.components import component_data

TYPES = ["pavilion", "seraglio", "arcades", "chambers", "garden", "tower"]
CURRENCIES = {"gulden", "dirham", "denar", "dukat"}
SIDES = ["N", "E", "S", "W"]


def base() -> dict[str, Any]:
    data: dict[str, Any] = component_data()["base"]
    return data


def base_tiles() -> list[dict[str, Any]]:
    tiles: list[dict[str, Any]] = base()["tiles"]
    return tiles


def components(module: str) -> dict[str, int]:
    return {entry["item"]: entry["count"] for entry in component_data()["modules"][module]["components"]}


def each(kinds: Iterable[str], count: int) -> dict[str, int]:
    return dict.fromkeys(kinds, count)


def by_type(counts: Iterable[int]) -> dict[str, int]:
    return dict(zip(TYPES, counts, strict=True))


def pairs_of(kinds: Iterable[str]) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in combinations(sorted(kinds), 2)}
