"""Changes of webhooks, and what they led to: a repeated request changes nothing and gets the first answer again.

The newest changes of a webhook are stored beside it. A script that makes a change begins with `ONCE`, so that the
change and its outcome are stored in one step.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from .. import limits
from ..store import Request
from ..store.connection.wire import Reply
from ..store.errors import RequestReused

ONCE = Path(__file__).with_name("requests.lua").read_text(encoding="utf-8")


class Outcome(NamedTuple):
    """What a request led to."""

    text: str
    repeated: bool
    """Whether the change was made before, by the same request."""

    @classmethod
    def read(cls, reply: Reply) -> Outcome:
        """Return the outcome from the answer of a script. Raises RequestReused if the request had other content."""
        state, text = reply
        if state == b"reused":
            raise RequestReused("the request id was used with other content")
        return cls(text.decode(), state == b"again")


def arguments(request: Request) -> tuple[str, str, int]:
    """Return the arguments of a script that tell a request: its key, the digest of its content, how many are kept."""
    return request.key, request.digest, limits.WEBHOOK_REQUESTS_KEPT
