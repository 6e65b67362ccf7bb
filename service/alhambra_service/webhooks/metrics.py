"""Metrics of a sender of webhooks for Prometheus: attempts by what came of them, and what waits.

No label names a webhook, a tenant or an address. The gauges count the deliveries of all webhooks in the store, so every
sender tells the same: take the largest, not the sum.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

ATTEMPTS = Counter("alhambra_delivery_attempts", "Attempts to deliver a notice, by what came of them.", ["outcome"])
"""The outcomes are the states of a delivery after the attempt: delivered, pending (it failed and is tried again),
parked (it failed and was given up)."""
SECONDS = Histogram(
    "alhambra_delivery_seconds",
    "How long receivers of webhooks took to answer, or to fail.",
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15),
)
WAITING = Gauge("alhambra_deliveries_waiting", "Deliveries of all webhooks that wait.")
PARKED = Gauge("alhambra_deliveries_parked", "Deliveries of all webhooks that were given up and can be replayed.")
DROPPED = Gauge(
    "alhambra_deliveries_dropped", "Deliveries of all webhooks that were left out, because too many waited."
)
