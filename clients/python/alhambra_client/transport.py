"""What the two clients have in common when they use httpx: requests from calls, errors from failures."""

from __future__ import annotations

from typing import Any

import httpx

from .calls import Call
from .errors import AlhambraError, OutcomeUnknown, Refused, Unreachable, refusal

ANSWER_SECONDS = 20.0
"""How long an answer, or the next bytes of a stream, may take. The server sends a sign of life every ten seconds."""
CONNECT_SECONDS = 5.0
USER_AGENT = "alhambra-client/0.1.0"

TransportError = httpx.TransportError
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_MISTAKES = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)


def settings(address: str, language: str, seconds: float) -> dict[str, Any]:
    """Return the arguments for a client of httpx."""
    headers = {"User-Agent": USER_AGENT} | ({"Accept-Language": language} if language else {})
    timeout = httpx.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
    return {"base_url": address.rstrip("/").removesuffix("/v1"), "headers": headers, "timeout": timeout}


def http_request(call: Call[Any]) -> dict[str, Any]:
    """Return the arguments for a request of httpx."""
    headers = {"Accept": call.accept}
    if call.token:
        headers["Authorization"] = f"Bearer {call.token}"
    body = call.body
    if body is not None:
        headers["Content-Type"] = "application/json"
    return {"method": call.method, "url": call.path, "params": call.query, "content": body, "headers": headers}


def refused(call: Call[Any], response: httpx.Response) -> Refused | None:
    """Return why an answer is a refusal, or None. The body of the answer must have been read."""
    if response.is_success:
        return None
    error = refusal(response.status_code, response.headers, response.content)
    error.call = call
    return error


def no_answer(call: Call[Any], failure: httpx.TransportError) -> AlhambraError:
    """Return the error for a call that was not answered. Raises the failure if it is a mistake of the caller."""
    if isinstance(failure, _MISTAKES):
        raise failure
    text = f"{call.method} {call.path} was not answered: {str(failure) or type(failure).__name__}"
    is_lost = call.changes and not isinstance(failure, _NOT_SENT)
    error: AlhambraError = OutcomeUnknown(text) if is_lost else Unreachable(text)
    error.call = call
    return error
