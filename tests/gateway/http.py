"""A small HTTP client on the standard library alone, for tests that look at everything a server says.

    client = Client(product.http)
    answer = client.post("/v1/games", {"seats": [{}, {}]})
    answer.status, answer.headers["etag"], answer.json()["game"]

One client keeps one connection; it may be used by one thread at a time.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

PATIENCE = 60.0


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    """By name, in any case."""
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def reason(self) -> str:
        """The reason of a problem document, which this answer has to be."""
        assert self.headers["content-type"] == "application/problem+json", (self.status, self.headers, self.body[:200])
        document = self.json()
        assert document["status"] == self.status
        return str(document["reason"])


class Client:
    """Talks to one server."""

    def __init__(self, base: str, token: str = "", timeout: float = PATIENCE) -> None:
        parts = urlsplit(base)
        assert parts.hostname is not None
        self.base = base.rstrip("/")
        self.token = token
        """Sent as a bearer token with every request; none if empty."""
        self.reconnected = 0
        """How often a request had to be sent again because the server had hung up."""
        self._connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout)

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *about: object) -> None:
        self.close()

    def get(self, path: str, headers: Mapping[str, str] | None = None, **query: object) -> Answer:
        """GET, with a query made of what is named: lists become parameters that come several times."""
        if query:
            path += "?" + urlencode(query, doseq=True, quote_via=quote)
        return self.send("GET", path, None, headers)

    def post(self, path: str, body: object = None, headers: Mapping[str, str] | None = None) -> Answer:
        """POST of JSON; without a body if there is none."""
        data = None if body is None else json.dumps(body).encode()
        more = {} if data is None else {"Content-Type": "application/json"}
        return self.send("POST", path, data, {**more, **(headers or {})})

    def delete(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        return self.send("DELETE", path, None, headers)

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Any request, as it is. A connection that the server closed meanwhile is opened again."""
        sent = dict(headers or {})
        if self.token and not any(name.lower() == "authorization" for name in sent):
            sent["Authorization"] = f"Bearer {self.token}"
        try:
            return self._exchange(method, path, body, sent)
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self._connection.close()
            self.reconnected += 1
            return self._exchange(method, path, body, sent)

    def _exchange(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        try:
            self._connection.request(method, path, body, dict(headers))
            found = self._connection.getresponse()
            return Answer(found.status, found.headers, found.read())
        except Exception:
            self._connection.close()
            raise
