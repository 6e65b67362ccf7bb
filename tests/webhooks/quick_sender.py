"""A sender with short pauses and leases, as a process of its own: python -m tests.webhooks.quick_sender URL"""

import sys

from alhambra_runtime import log_lines
from alhambra_runtime.signals import received
from alhambra_service import limits
from alhambra_service.store.connection.connect import connect
from alhambra_service.webhook_addresses import AddressPolicy
from alhambra_service.webhooks.http_post import Poster
from alhambra_service.webhooks.sender import Sender

limits.WEBHOOK_RETRY_SECONDS = tuple(range(1, 40))  # type: ignore[assignment]
limits.WEBHOOK_TOTAL_SECONDS = 2.0
limits.WEBHOOK_LEASE_SECONDS = 6
limits.WEBHOOK_SWEEP_SECONDS = 1.0
limits.WEBHOOK_TICK_SECONDS = 0.05
limits.WEBHOOK_LIST_SECONDS = 0.5
limits.WEBHOOK_CONCURRENCY = 16


def main() -> None:
    """Send until a signal arrives."""
    log_lines.begin("info", "text", (), str)
    client = connect(sys.argv[1])
    poster = Poster(AddressPolicy.read("127.0.0.0/8", http=True), total=limits.WEBHOOK_TOTAL_SECONDS)
    with received() as signals:
        sender = Sender(client, poster, threads=64)
        sender.run(signals.wait_to_stop, lambda: bool(signals.stopping))
    client.close()


if __name__ == "__main__":
    main()
