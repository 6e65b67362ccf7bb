"""Sends notices to webhooks. Several senders may run at the same time, and any of them may be killed at any time.

One thread looks for work: it queues the notices of each feed for the webhooks that want them, announces deadlines that
are near, and starts threads for deliveries that are due. A delivery is leased to one sender (`deliveries.py`). No
webhook, host or tenant gets more threads than its share, so that a slow receiver delays nobody else.

From time to time the sender looks for games whose notices were not relayed, because the process that committed died.
"""

from __future__ import annotations

import collections
import json
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from prometheus_client import Counter, Gauge, Histogram

from .. import limits
from ..notices.feed import FOR_EVER, NoticeFeed, place_order
from ..notices.upkeep import FeedUpkeep
from ..store import StoreUnavailable
from ..store.clock import StoreClock
from ..store.connection.store_client import StoreClient
from ..store.keys import SENDER_KEY, fanned_key
from ..webhook_addresses import AddressRefused
from .deliveries import PENDING, Deliveries, Lease
from .http_post import Poster
from .messages import body_of
from .registry import GONE, Webhook, Webhooks
from .signature import signed_headers

_log = logging.getLogger(__name__)
HTTP_GONE = 410

# Metrics for Prometheus. No label names a webhook, a tenant or an address. The gauges count the deliveries of all
# webhooks in the store, so every sender shows the same.
ATTEMPTS = Counter("alhambra_delivery_attempts", "Attempts to deliver a notice, by what came of them.", ["outcome"])
"""An outcome is the state of the delivery after the attempt; "pending" has failed and is tried again."""
SECONDS = Histogram(
    "alhambra_delivery_seconds",
    "How long receivers of webhooks took to answer, or to fail.",
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15),
)
WAITING = Gauge("alhambra_deliveries_waiting", "Deliveries of all webhooks that wait.")
GIVEN_UP = Gauge("alhambra_deliveries_parked", "Deliveries of all webhooks that were given up and can be replayed.")
DROPPED = Gauge("alhambra_deliveries_dropped", "Deliveries of all webhooks that were left out: too many waited.")


class Sender:
    """The parts of one process that sends webhooks."""

    def __init__(self, client: StoreClient, poster: Poster, *, threads: int = limits.WEBHOOK_THREADS) -> None:
        self._client = client
        self._poster = poster
        self._feed = NoticeFeed(client)
        self._upkeep = FeedUpkeep(self._feed, client)
        self._webhooks = Webhooks(client)
        self._deliveries = Deliveries(client)
        self._clock = StoreClock(client)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="webhook")
        self._threads = threads
        self._lock = threading.Lock()
        self._busy: collections.Counter[str] = collections.Counter()
        """Threads that are in use, by what they are in use for: a webhook, a host, a tenant, anything."""
        self._known: dict[str, list[Webhook]] = {}
        self._listed = self._swept = self._beaten = float("-inf")
        self._stopping = threading.Event()

    def now(self) -> int:
        """Return the time of the store's clock in milliseconds of Unix time."""
        return int(1000 * self._clock.now())

    def run(self, wait: Callable[[float], object], stopping: Callable[[], bool]) -> None:
        """Send until `stopping` returns true. `wait` pauses for a number of seconds, or less."""
        while not stopping():
            try:
                self.work()
            except StoreUnavailable as fault:
                _log.warning("The store does not answer: %s.", fault)
                wait(1.0)
            wait(limits.WEBHOOK_TICK_SECONDS)
        self.stop()

    def stop(self) -> None:
        """Take no more deliveries, and wait for those that are being made."""
        self._stopping.set()
        end = time.monotonic() + limits.WEBHOOK_TOTAL_SECONDS + 1
        while self._busy["any"] and time.monotonic() < end:
            self._poster.watchdog.check()
            time.sleep(0.05)
        self._pool.shutdown(wait=False)

    def work(self) -> None:
        """Do once what is due."""
        self._poster.watchdog.check()
        moment = time.monotonic()
        if moment - self._beaten > limits.WEBHOOK_ALIVE_SECONDS / 4:
            self._client.write(SENDER_KEY, "SET", SENDER_KEY, "1", "EX", limits.WEBHOOK_ALIVE_SECONDS)
            self._beaten = moment
        if moment - self._listed > limits.WEBHOOK_LIST_SECONDS:
            self._known = {tenant: self._webhooks.all(tenant) for tenant in self._feed.wanting(FOR_EVER)}
            self._listed = moment
            self._measure()
        sweep = moment - self._swept > limits.WEBHOOK_SWEEP_SECONDS
        if sweep:
            self._swept = moment
        for tenant, webhooks in self._known.items():
            if sweep:
                self._upkeep.relay_forgotten(tenant, self._stopping.is_set)
            self._upkeep.announce_deadlines(tenant, self.now())
            self._queue(tenant, webhooks)
            for webhook in webhooks:
                self._start(webhook)

    def _measure(self) -> None:
        """Count what waits."""
        counts = [self._deliveries.counts(tenant, one.id) for tenant, some in self._known.items() for one in some]
        WAITING.set(sum(count.pending for count in counts))
        GIVEN_UP.set(sum(count.parked for count in counts))
        DROPPED.set(sum(count.dropped for count in counts))

    # -- From the feed to the deliveries -------------------------------------------------------------------------------

    def _queue(self, tenant: str, webhooks: list[Webhook]) -> None:
        """Queue the next notices of a feed for the webhooks that want them. A lease keeps other senders from doing the
        same. If it expires before the work is done, two of them do: a notice is queued once all the same, and none
        before an earlier one."""
        key = fanned_key(tenant)
        lease = f"{key}:lease"
        found = self._client.read(key, "GET", key)
        place = found.decode() if found is not None else "0-0"
        if found is None and webhooks:  # webhooks do not get what came about before them
            place = min((webhook.since for webhook in webhooks), key=place_order)
        fed = self._feed.after(tenant, place, limits.WEBHOOK_BATCH)
        if not fed or not self._client.write(lease, "SET", lease, "1", "NX", "PX", limits.WEBHOOK_QUEUEING_MS):
            return
        fresh = self._webhooks.all(tenant)  # one may have been registered a moment ago
        wanted = []
        for one in fed:
            notice = json.loads(one.text)
            wanted += [(webhook.id, notice) for webhook in fresh if webhook.wants(notice, one.place)]
        self._deliveries.add_many(tenant, wanted, self.now())
        self._client.write(key, "SET", key, fed[-1].place)
        self._client.write(lease, "DEL", lease)

    # -- Deliveries ----------------------------------------------------------------------------------------------------

    def _start(self, webhook: Webhook) -> None:
        """Start threads for the deliveries of a webhook, as many as it may have."""
        if webhook.disabled:
            return
        shares = self._shares(webhook)
        while not self._stopping.is_set() and self._reserve(shares):
            lease = None
            try:
                lease = self._deliveries.take(webhook.tenant, webhook.id, self.now())
            finally:
                if lease is None:
                    self._release(shares)
            if lease is None:
                return
            self._pool.submit(self._deliver, webhook, lease, shares)

    def _shares(self, webhook: Webhook) -> dict[str, int]:
        """Return what a delivery of the webhook uses, with the most threads of each."""
        try:
            host = self._poster.policy.target(webhook.address).host
        except AddressRefused:
            host = ""
        return {
            "any": self._threads,
            f"tenant {webhook.tenant}": limits.WEBHOOK_TENANT_CONCURRENCY,
            f"host {host}": limits.WEBHOOK_HOST_CONCURRENCY,
            f"webhook {webhook.id}": limits.WEBHOOK_CONCURRENCY,
        }

    def _reserve(self, shares: dict[str, int]) -> bool:
        with self._lock:
            if any(self._busy[name] >= most for name, most in shares.items()):
                return False
            self._busy.update(shares.keys())
            return True

    def _release(self, shares: dict[str, int]) -> None:
        with self._lock:
            self._busy.subtract(shares.keys())
            for name in shares:
                if not self._busy[name]:
                    del self._busy[name]

    def _deliver(self, webhook: Webhook, lease: Lease, shares: dict[str, int]) -> None:
        """Make a delivery, and then others of the webhook that are due."""
        found: Lease | None = lease
        try:
            for left in reversed(range(limits.WEBHOOK_RUN)):
                if found is None or not self._attempt(webhook, found) or self._stopping.is_set():
                    return
                found = self._deliveries.take(webhook.tenant, webhook.id, self.now()) if left else None
        except StoreUnavailable as fault:  # the lease expires, and the delivery is made again
            _log.warning("The store does not answer: %s.", fault)
        except Exception:
            _log.exception("Cannot make a delivery.")
        finally:
            self._release(shares)

    def _attempt(self, webhook: Webhook, lease: Lease) -> bool:
        """Make one delivery, and return whether it was accepted."""
        last_moment = time.monotonic() + limits.WEBHOOK_LEASE_SECONDS - limits.WEBHOOK_TOTAL_SECONDS - 1
        current = self._webhooks.get(webhook.tenant, webhook.id)
        if current is None or current.disabled:
            if current is not None:
                again = replace(lease.delivery, status=PENDING, next=self.now())
                self._deliveries.settle(webhook.tenant, webhook.id, lease, again)
            return False
        delivery, now = lease.delivery, self.now()
        body = body_of(delivery.notice)
        headers = signed_headers(current.signers(now), delivery.id, now // 1000, body)
        with SECONDS.time():
            answer = self._poster.post(current.address, headers, body, not_after=last_moment)
        made = delivery.attempted(self.now(), answer.status, answer.error)
        ATTEMPTS.labels(made.status).inc()
        if answer.status == HTTP_GONE:
            self._webhooks.change(webhook.tenant, webhook.id, lambda one: replace(one, disabled=GONE))
            _log.warning("Webhook %s is disabled: its receiver answered that it is gone.", webhook.id)
        if not self._deliveries.settle(webhook.tenant, webhook.id, lease, made):
            _log.warning("Another sender has taken over the delivery %s.", delivery.id)
        return answer.delivered
