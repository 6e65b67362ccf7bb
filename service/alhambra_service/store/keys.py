"""The names under which things lie in the store. No other file spells a key.

    alh:state:{<game>}    the game as it stands; one string, replaced whole by each commit
    alh:log:{<game>}      the log; a list that only grows
    alh:req:{<game>}      the newest requests and their outcomes; a bounded hash
    alh:index:{<tenant>}  a tenant's games by time of creation; a sorted set
    alh:running:{<tenant>} those of them that are not over; a set
    alh:sizes:{<tenant>}  bytes of each of them, and of all in the field `total`; a hash
    alh:pending:{<tenant>} games that were admitted and not created yet, by time; a sorted set
    alh:ticket:{<digest>} what a ticket for one stream of events stands for; a string that expires
    alh:probe:{<random>}  what a probe of readiness writes; a string that expires
    alh:bots:{<tenant>}   its games in which a bot is asked, by the time from which that is given out; a sorted set
    alh:botsalive:{<tenant>} is there while a process that plays for its bots is alive; a string that expires
    alh:key:{service}     the key that tokens of seats are made from, if the operator gave none

The kind stands before the tag, because tracking filters by prefix: a listener to `alh:state:` hears one message per
commit. All keys of one game have the same tag, so that a cluster keeps them on one server.
"""

from __future__ import annotations

import re
import secrets
from base64 import b32encode
from hashlib import blake2b

STATE_PREFIX = "alh:state:"
SIZES_PREFIX = "alh:sizes:"
SERVICE_KEY = "alh:key:{service}"
"""Where the service's own key stands. It is the only key of its kind, and belongs to no game."""
GAME_ID_BYTES = 15
"""120 random bits, 24 letters and digits."""
DEFAULT_TENANT = "local"
"""Whose games they are where nobody needs a key."""

_GAME = re.compile(r"[a-z0-9]{12,32}")
_TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_SIZES_KEY = re.compile(rb"alh:sizes:\{([A-Za-z0-9][A-Za-z0-9_.-]{0,63})\}")
_STATE_KEY = re.compile(rb"alh:state:\{([a-z0-9]{12,32})\}")


def is_game(text: str) -> bool:
    """Whether it has the form of a game's id."""
    return _GAME.fullmatch(text) is not None


def is_tenant(text: str) -> bool:
    """Whether it has the form of a tenant's name."""
    return _TENANT.fullmatch(text) is not None


def state_key(game: str) -> str:
    """Where the game stands."""
    return f"{STATE_PREFIX}{{{_checked(game)}}}"


def log_key(game: str) -> str:
    """Where its log stands."""
    return f"alh:log:{{{_checked(game)}}}"


def requests_key(game: str) -> str:
    """Where its newest requests stand."""
    return f"alh:req:{{{_checked(game)}}}"


def game_keys(game: str) -> tuple[str, str, str]:
    """State, log and requests: everything there is of a game."""
    return state_key(game), log_key(game), requests_key(game)


def marks_key(game: str) -> str:
    """Where earlier states of a game stand, which are a help and no part of it."""
    return f"alh:marks:{{{_checked(game)}}}"


def final_key(game: str) -> str:
    """Where the document of a finished game stands, which every later version can hand out."""
    return f"alh:final:{{{_checked(game)}}}"


def index_key(tenant: str) -> str:
    """Where the list of a tenant's games stands."""
    if not is_tenant(tenant):
        raise ValueError(f"no name of a tenant: {tenant[:64]!r}")
    return f"alh:index:{{{tenant}}}"


def running_key(tenant: str) -> str:
    """Where the set of a tenant's running games stands."""
    return index_key(tenant).replace("alh:index:", "alh:running:", 1)


def sizes_key(tenant: str) -> str:
    """Where the bytes of a tenant's games stand."""
    return index_key(tenant).replace("alh:index:", SIZES_PREFIX, 1)


def pending_key(tenant: str) -> str:
    """Where a tenant's games stand that are about to be created."""
    return index_key(tenant).replace("alh:index:", "alh:pending:", 1)


def bots_key(tenant: str) -> str:
    """Where a tenant's games stand in which a bot is asked."""
    return index_key(tenant).replace("alh:index:", "alh:bots:", 1)


def bots_alive_key(tenant: str) -> str:
    """What is there while a process that plays for a tenant's bots is alive."""
    return index_key(tenant).replace("alh:index:", "alh:botsalive:", 1)


def tenant_of(sizes_key: bytes) -> str | None:
    """The tenant that such a key belongs to; None for a stranger's key."""
    found = _SIZES_KEY.fullmatch(sizes_key)
    return found[1].decode() if found else None


def ticket_key(digest: str) -> str:
    """Where a ticket is noted that was used, by its digest."""
    return f"alh:ticket:{{{digest}}}"


def game_of(state_key: bytes) -> str | None:
    """The game that a state key belongs to; None for an echo or a stranger's key."""
    found = _STATE_KEY.fullmatch(state_key)
    return found[1].decode() if found else None


def probe_key() -> str:
    """A fresh key for probing writes. Listeners do not hear of it."""
    return f"alh:probe:{{{secrets.token_hex(8)}}}"


def echo_key() -> str:
    """A fresh key that listeners hear of and that can never be a game's."""
    return f"{STATE_PREFIX}{{echo-{secrets.token_hex(8)}}}"


def new_game() -> str:
    """A fresh id that nobody can guess."""
    return _id(secrets.token_bytes(GAME_ID_BYTES))


def game_for_request(tenant: str, request_id: str, secret: bytes = b"") -> str:
    """The id of the game that this request creates: the same request always means the same game."""
    name = f"{len(tenant)}:{tenant}:{request_id}".encode()
    return _id(blake2b(name, digest_size=GAME_ID_BYTES, key=secret, person=b"alhambra-game").digest())


def _id(data: bytes) -> str:
    return b32encode(data).decode().lower()


def _checked(game: str) -> str:
    if not is_game(game):
        raise ValueError(f"no id of a game: {game[:64]!r}")
    return game
