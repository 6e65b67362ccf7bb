"""No request costs much: not even the most expensive ones that anybody could think of, sent to every operation.

The CPU time of the processes is judged, which a busy machine changes little. `python -m tests.gateway.costs` sends all
shapes to all operations; here each operation gets the shapes that cost most, and each shape goes to one operation.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from tests.budget import calibration

from .costs.campaign import GATEWAY, SERVICE, dearest_of, everything, measured, most_seconds, processes
from .costs.meter import Meter
from .costs.shapes import ADDRESSES, BODIES, HEADS, LARGEST, MODULES, Request
from .http import Client
from .product import Product, running
from .rest import Table

REPEATS = 2
DEAREST = ("empty objects", "many members, one of them twice", "many types")
"""Shapes that every operation gets."""


@pytest.fixture(scope="module")
def own() -> Iterator[Product]:
    """A product of its own: nobody else may be measured."""
    with running("--workers", "1") as found:
        yield found


@pytest.fixture(scope="module")
def table(own: Product) -> Iterator[Table]:
    with Table.create(own.http, 6, modules=MODULES) as found:
        yield found


@pytest.fixture(scope="module")
def meter(own: Product) -> Meter:
    return Meter(processes(own))


def sample(table: Table) -> list[tuple[str, str, Request]]:
    """Every operation with the dearest shapes, every other shape with one operation."""
    found: list[tuple[str, str, Request]] = []
    rest: dict[str, list[tuple[str, str, Request]]] = {}
    for one in everything(table.id, table.seats[0].token):
        shape = one[1]
        if shape not in DEAREST and (shape in BODIES or shape in HEADS):
            rest.setdefault(shape, []).append(one)
        else:
            found.append(one)
    turn = count()
    return found + [choices[next(turn) % len(choices)] for choices in rest.values()]


def test_no_request_costs_much(own: Product, table: Table, meter: Meter) -> None:
    chosen = sample(table)
    largest = {name for of_one in LARGEST.values() for name in of_one}
    assert {shape for _, shape, _ in chosen} >= {*BODIES, *HEADS, *ADDRESSES, *largest}
    most = most_seconds(calibration())
    with Client(own.http) as client:
        costs = [dearest_of(client, meter, *one, repeats=REPEATS, most=most) for one in chosen]
    assert {cost.status for cost in costs} >= {200, 400, 404}
    assert not [cost for cost in costs if cost.status >= 500]
    dear = [cost for cost in costs if cost.worst > most]
    assert not dear, f"more than {1000 * most:.0f} ms: {dear}"


def test_the_meter_sees_what_a_process_does(own: Product, table: Table, meter: Meter) -> None:
    """A request that is known to cost something in both processes is seen to cost something in both."""
    (boards,) = (
        request for _, shape, request in everything(table.id, "", ["ScoreBoard"]) if shape == "six boards of 256 tiles"
    )
    with Client(own.http) as client:
        cost = measured(client, meter, "ScoreBoard", "", boards, REPEATS)
    assert cost.seconds[GATEWAY] > 0.001
    assert cost.seconds[SERVICE] > 0.001
