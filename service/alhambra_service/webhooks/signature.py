"""Signatures of deliveries, as Standard Webhooks describes them (https://www.standardwebhooks.com).

What is signed is `<id>.<timestamp>.<body>`, with HMAC-SHA256. While a secret is being replaced, the header has one
signature for each secret, separated by spaces.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable
from hashlib import sha256

from .. import limits

PREFIX = "whsec_"


def new_secret() -> str:
    """Return a new secret of 256 bits."""
    return PREFIX + b64encode(secrets.token_bytes(limits.SECRET_BYTES)).decode()


def derived_secret(key: bytes, *about: str) -> str:
    """Return the secret that a repeated request gets again."""
    mac = hmac.digest(key, "\0".join(("webhook", *about)).encode(), sha256)
    return PREFIX + b64encode(mac).decode()


def signed_headers(signers: Iterable[str], notice: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers of a delivery at this time, in seconds of Unix time."""
    content = f"{notice}.{timestamp}.".encode() + body
    signatures = []
    for secret in signers:
        mac = hmac.digest(b64decode(secret.removeprefix(PREFIX)), content, sha256)
        signatures.append(f"v1,{b64encode(mac).decode()}")
    return {
        "webhook-id": notice,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }
