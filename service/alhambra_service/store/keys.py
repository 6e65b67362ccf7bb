"""The names of all keys in the store. No other file spells a key.

    alh:state:{<game>}    the stored game; one string, replaced as a whole by each commit
    alh:log:{<game>}      the log; a list that only grows
    alh:req:{<game>}      the newest requests and their outcomes; a bounded hash
    alh:marks:{<game>}    checkpoints, from which replays start; a hash that expires
    alh:final:{<game>}    the export of a finished game; a string
    alh:notices:{<game>}  notices of commits that are not in the feed of the tenant yet; a list that expires
    alh:views:{<game>}    the final views of a finished game; a string
    alh:index:{<tenant>}  a tenant's games by time of creation; a sorted set
    alh:running:{<tenant>} those of them that are not over; a set
    alh:sizes:{<tenant>}  bytes of each of them, and of all in the field `total`; a hash
    alh:pending:{<tenant>} games that were admitted and not created yet, by time; a sorted set
    alh:open:{<tenant>}   its games that are open to anyone and wait for players, by time of creation; a sorted set
    alh:opened:{<tenant>}:<host> those of them that one host has created; a sorted set
    alh:audit:{<tenant>}  what hosts did with its games; a bounded stream
    alh:ticket:{<digest>} exists while a redeemed ticket could be used again; a string that expires
    alh:probe:{<random>}  written by probes of readiness; a string that expires
    alh:feed:{<tenant>}   notices about its games, in order; a bounded stream
    alh:fed:{<tenant>}:<game> the number of the newest notice of a game in the feed; a string that expires
    alh:near:{<tenant>}   decisions with a deadline, by the time when the deadline is near; a sorted set
    alh:mark:{<tenant>}   the place in the feed before which notices were not wanted for a while; a string
    alh:swept:{<tenant>}  exists for a while after a process has looked for notices that were not relayed
    alh:noticeticket:{<digest>} what a ticket for a stream of notices is good for; a string that expires
    alh:fanned:{<tenant>} the last notice of the feed that was queued for webhooks; a string
    alh:hooks:{<tenant>}  its webhooks with their secrets; a hash
    alh:hook-…:{<tenant>}:<webhook> deliveries and newest changes of one webhook (`webhooks/deliveries.lua`)
    alh:wanted:{all}      tenants whose notices are wanted, by the time until which they are; a sorted set
    alh:sender:{all}      exists while a process that sends webhooks is alive; a string that expires
    alh:bots:{<tenant>}   its games that wait for a bot, by the time from which the decision can be leased; a sorted set
    alh:botsalive:{<tenant>} exists while a process that plays for its bots is alive; a string that expires
    alh:key:{service}     the key that tokens of seats are made from, if the operator gave none

The kind comes before the tag, because tracking filters by prefix: with `alh:state:`, one message is received for each
commit. All keys of one game have the same tag, so that a cluster keeps them on one server.
"""

from __future__ import annotations

import re
import secrets
from base64 import b32encode
from hashlib import blake2b

from alhambra_api.limits import limits_of_form
from alhambra_api.v1 import limits_pb2

STATE_PREFIX = "alh:state:"
REACTIONS_PREFIX = "alh:said:"
LOG_PREFIX = "alh:log:"
REQUESTS_PREFIX = "alh:req:"
SIZES_PREFIX = "alh:sizes:"
SERVICE_KEY = "alh:key:{service}"
"""The key of the service's own secret. It belongs to no game."""
WANTED_KEY = "alh:wanted:{all}"
"""The key of the tenants whose notices are wanted."""
SENDER_KEY = "alh:sender:{all}"
"""The key that exists while a process sends webhooks."""
GAME_ID_BYTES = 15
"""120 random bits, 24 letters and digits."""
DEFAULT_TENANT = "local"
"""The tenant of all games if the service has no API keys."""

_GAME_ID = limits_of_form(limits_pb2.FORM_GAME).pattern
_GAME = re.compile(_GAME_ID)
_TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_SIZES_KEY = re.compile(rb"alh:sizes:\{([A-Za-z0-9][A-Za-z0-9_.-]{0,63})\}")
_STATE_KEY = re.compile(rf"{STATE_PREFIX}\{{({_GAME_ID})\}}".encode())
_REACTIONS_KEY = re.compile(rf"{REACTIONS_PREFIX}\{{({_GAME_ID})\}}".encode())
GAME_PART = re.compile(rf"alh:(state|log|req|marks|final|views):\{{({_GAME_ID})\}}".encode())
"""Any key of a game: which part of the game it holds, and the id of the game."""


def is_game(text: str) -> bool:
    """Return whether a text has the form of a game's id."""
    return _GAME.fullmatch(text) is not None


def is_tenant(text: str) -> bool:
    """Return whether a text has the form of a tenant's name."""
    return _TENANT.fullmatch(text) is not None


def state_key(game: str) -> str:
    """Return the key of a stored game."""
    return f"{STATE_PREFIX}{{{_checked(game)}}}"


def log_key(game: str) -> str:
    """Return the key of the log of a game."""
    return f"{LOG_PREFIX}{{{_checked(game)}}}"


def requests_key(game: str) -> str:
    """Return the key of the newest requests of a game."""
    return f"{REQUESTS_PREFIX}{{{_checked(game)}}}"


def game_keys(game: str) -> tuple[str, str, str]:
    """Return the keys of state, log and requests, which together are the game."""
    tag = f"{{{_checked(game)}}}"
    return STATE_PREFIX + tag, LOG_PREFIX + tag, REQUESTS_PREFIX + tag


def reactions_key(game: str) -> str:
    """Return the key of what players said in the last seconds. Its changes are tracked."""
    return f"{REACTIONS_PREFIX}{{{_checked(game)}}}"


def checkpoints_key(game: str) -> str:
    """Return the key of the checkpoints of a game. They can be deleted at any time."""
    return f"alh:marks:{{{_checked(game)}}}"


def final_key(game: str) -> str:
    """Return the key of the export of a finished game, which every later version of the service can return."""
    return f"alh:final:{{{_checked(game)}}}"


def views_key(game: str) -> str:
    """Return the key of the views of a finished game, which every later version of the service can show."""
    return f"alh:views:{{{_checked(game)}}}"


def index_key(tenant: str) -> str:
    """Return the key of the list of a tenant's games."""
    if not is_tenant(tenant):
        raise ValueError(f"no name of a tenant: {tenant[:64]!r}")
    return f"alh:index:{{{tenant}}}"


def running_key(tenant: str) -> str:
    """Return the key of the set of a tenant's running games."""
    return index_key(tenant).replace("alh:index:", "alh:running:", 1)


def sizes_key(tenant: str) -> str:
    """Return the key of the sizes of a tenant's games."""
    return index_key(tenant).replace("alh:index:", SIZES_PREFIX, 1)


def pending_key(tenant: str) -> str:
    """Return the key of a tenant's games that were admitted and not created yet."""
    return index_key(tenant).replace("alh:index:", "alh:pending:", 1)


def open_key(tenant: str) -> str:
    """Return the key of a tenant's games that are open to anyone and wait for players."""
    return index_key(tenant).replace("alh:index:", "alh:open:", 1)


def opened_key(tenant: str, host: str) -> str:
    """Return the key of the open games that one host of a tenant has created."""
    return f"{open_key(tenant).replace('alh:open:', 'alh:opened:', 1)}:{host}"


def notices_key(game: str) -> str:
    """Return the key of a game's notices that are not in the feed of its tenant yet."""
    return f"alh:notices:{{{_checked(game)}}}"


def feed_key(tenant: str) -> str:
    """Return the key of the notices about a tenant's games."""
    return index_key(tenant).replace("alh:index:", "alh:feed:", 1)


def fed_key(tenant: str, game: str) -> str:
    """Return the key of the number of the newest notice of a game in the feed."""
    return f"{index_key(tenant).replace('alh:index:', 'alh:fed:', 1)}:{_checked(game)}"


def near_key(tenant: str) -> str:
    """Return the key of a tenant's decisions with a deadline."""
    return index_key(tenant).replace("alh:index:", "alh:near:", 1)


def fanned_key(tenant: str) -> str:
    """Return the key of the last notice of the feed that was queued for webhooks."""
    return index_key(tenant).replace("alh:index:", "alh:fanned:", 1)


def mark_key(tenant: str) -> str:
    """Return the key of the place in the feed before which notices were not wanted for a while."""
    return index_key(tenant).replace("alh:index:", "alh:mark:", 1)


def swept_key(tenant: str) -> str:
    """Return the key that exists after a process has looked for a tenant's notices that were not relayed."""
    return index_key(tenant).replace("alh:index:", "alh:swept:", 1)


def notice_ticket_key(digest: str) -> str:
    """Return the key of a ticket for a stream of notices, by the digest of the ticket."""
    return f"alh:noticeticket:{{{digest}}}"


def webhooks_key(tenant: str) -> str:
    """Return the key of a tenant's webhooks."""
    return index_key(tenant).replace("alh:index:", "alh:hooks:", 1)


WEBHOOK_PARTS = ("due", "lanes", "docs", "order", "leases", "counts", "delivered", "parked", "asked")
"""The parts of a webhook's deliveries, in the order of the keys of `webhooks/deliveries.lua`. The last one is the list
of its newest changes."""


def delivery_keys(tenant: str, webhook: str) -> tuple[str, ...]:
    """Return the keys of the deliveries of one webhook, in the order of WEBHOOK_PARTS."""
    tag = index_key(tenant).removeprefix("alh:index:")
    return tuple(f"alh:hook-{part}:{tag}:{webhook}" for part in WEBHOOK_PARTS)


def webhook_requests_key(tenant: str, webhook: str) -> str:
    """Return the key of the newest changes of one webhook."""
    return delivery_keys(tenant, webhook)[-1]


def audit_key(tenant: str) -> str:
    """Return the key of the audit log of a tenant."""
    return index_key(tenant).replace("alh:index:", "alh:audit:", 1)


def bots_key(tenant: str) -> str:
    """Return the key of a tenant's games in which a bot has to decide."""
    return index_key(tenant).replace("alh:index:", "alh:bots:", 1)


def bots_alive_key(tenant: str) -> str:
    """Return the key that exists while a process plays for a tenant's bots."""
    return index_key(tenant).replace("alh:index:", "alh:botsalive:", 1)


def tenant_of(sizes_key: bytes) -> str | None:
    """Return the tenant of such a key; None for any other key."""
    found = _SIZES_KEY.fullmatch(sizes_key)
    return found[1].decode() if found else None


def ticket_key(digest: str) -> str:
    """Return the key of a ticket, by the digest of the ticket."""
    return f"alh:ticket:{{{digest}}}"


def game_of(state_key: bytes) -> str | None:
    """Return the game of a state key; None for an echo or any other key."""
    found = _STATE_KEY.fullmatch(state_key)
    return found[1].decode() if found else None


def reactions_game_of(key: bytes) -> str | None:
    """Return the game of a key of reactions; None for any other key."""
    found = _REACTIONS_KEY.fullmatch(key)
    return found[1].decode() if found else None


def part_of(key: bytes) -> tuple[str, str] | None:
    """Return which part of a game a key holds, such as `log`, and the game; None for any other key."""
    found = GAME_PART.fullmatch(key)
    return (found[1].decode(), found[2].decode()) if found else None


def probe_key() -> str:
    """Return a new key for a probe. Its changes are not tracked."""
    return f"alh:probe:{{{secrets.token_hex(8)}}}"


def echo_key() -> str:
    """Return a new key whose changes are tracked, and that is never the key of a game."""
    return f"{STATE_PREFIX}{{echo-{secrets.token_hex(8)}}}"


def new_game() -> str:
    """Return a new id that cannot be guessed."""
    return _id(secrets.token_bytes(GAME_ID_BYTES))


def game_for_request(tenant: str, request_id: str, secret: bytes = b"") -> str:
    """Return the id of the game that a request creates. The same request always gives the same id."""
    name = f"{len(tenant)}:{tenant}:{request_id}".encode()
    if len(secret) > blake2b.MAX_KEY_SIZE:
        secret = blake2b(secret).digest()
    return _id(blake2b(name, digest_size=GAME_ID_BYTES, key=secret, person=b"alhambra-game").digest())


def _id(data: bytes) -> str:
    return b32encode(data).decode().lower()


def _checked(game: str) -> str:
    if not is_game(game):
        raise ValueError(f"no id of a game: {game[:64]!r}")
    return game
