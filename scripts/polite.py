"""A client that waits and retries when it is rate limited (RATE_LIMITED)."""

from __future__ import annotations

import time
from collections.abc import Mapping

from tests.gateway.http import Answer, Client

TOO_MANY = 429
ATTEMPTS = 60


class PoliteClient(Client):
    """Asks again after as many seconds as the answer says; gives the answer back if that never helps."""

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Any request."""
        answer = super().send(method, path, body, headers)
        for _ in range(ATTEMPTS):
            if answer.status != TOO_MANY:
                break
            time.sleep(float(answer.headers["retry-after"]))
            answer = super().send(method, path, body, headers)
        return answer
