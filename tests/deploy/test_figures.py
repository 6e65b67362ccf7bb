"""What the dashboard and the alerts ask for is there: every metric with its labels, and every word in them."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from prometheus_client.metrics import MetricWrapperBase

import alhambra_gateway.metrics
import alhambra_service.metrics
import alhambra_service.webhooks.sender
from alhambra_api.v1 import reasons_pb2, service_pb2

from .files import DASHBOARDS, DEPLOY, document

SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
OF_PROMETHEUS = {"job", "instance", "le"}


def known() -> dict[str, set[str]]:
    """The labels of every series that the servers tell, by its name."""
    found: dict[str, set[str]] = {}
    for module in (alhambra_service.metrics, alhambra_service.webhooks.sender, alhambra_gateway.metrics):
        for metric in vars(module).values():
            if isinstance(metric, MetricWrapperBase):
                (about,) = metric.describe()
                found |= {about.name + end: set(metric._labelnames) for end in SUFFIXES[about.type]}
    return found


def expressions() -> Iterator[str]:
    for path in DASHBOARDS:
        for panel in json.loads(path.read_text(encoding="utf-8"))["panels"]:
            yield from (target["expr"] for target in panel.get("targets", ()))
    for group in document(DEPLOY / "prometheus" / "alerts.yml")["groups"]:
        yield from (rule["expr"] for rule in group["rules"])


EXPRESSIONS = sorted(set(expressions()))
each_expression = pytest.mark.parametrize("expression", EXPRESSIONS)


@each_expression
def test_every_metric_exists(expression: str) -> None:
    named = set(re.findall(r"\balhambra_[a-z_]+\b", re.sub(r'"[^"]*"', "", expression)))
    assert named <= known().keys()
    assert named or "up{" in expression


@each_expression
def test_every_label_is_one_of_its_metric(expression: str) -> None:
    bare = re.sub(r'"[^"]*"', '""', expression)
    grouped = {label.strip() for labels in re.findall(r"by \(([^)]*)\)", bare) for label in labels.split(",")}
    for name, labels in re.findall(r"\b(alhambra_[a-z_]+)(?:\{([^}]*)\})?", bare):
        chosen = set(re.findall(r"(\w+)(?:=|!)", labels))
        assert chosen | grouped <= known()[name] | OF_PROMETHEUS


@each_expression
def test_parentheses_and_quotes_are_closed(expression: str) -> None:
    assert expression.count('"') % 2 == 0
    for opened, closed in ("()", "[]", "{}"):
        assert expression.count(opened) == expression.count(closed)


def values(label: str) -> set[str]:
    """The words that expressions compare a label with."""
    texts = [text for each in EXPRESSIONS for text in re.findall(rf'\b{label}=~?"([^"]*)"', each)]
    return {word for text in texts for word in text.split("|")}


def test_every_reason_in_them_is_one_of_the_contract() -> None:
    assert values("reason") <= {name.removeprefix("REASON_") for name in reasons_pb2.Reason.keys()}  # noqa: SIM118


def test_every_method_in_them_is_one_of_the_contract() -> None:
    services = service_pb2.DESCRIPTOR.services_by_name.values()
    assert values("method") <= {method.name for service in services for method in service.methods}


def test_every_job_in_them_is_asked_by_prometheus() -> None:
    jobs = {found["job_name"] for found in document(DEPLOY / "prometheus" / "prometheus.yml")["scrape_configs"]}
    assert values("job") == jobs


def test_every_metric_of_the_servers_is_shown() -> None:
    shown = "\n".join(EXPRESSIONS)
    families = {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in known()}
    assert [name for name in sorted(families) if name not in shown] == []


def test_panels_have_numbers_and_places_of_their_own() -> None:
    for path in DASHBOARDS:
        panels: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["panels"]
        assert len({panel["id"] for panel in panels}) == len(panels)
        cells = [
            (x, y)
            for place in (panel["gridPos"] for panel in panels)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        ]
        assert len(cells) == len(set(cells))
