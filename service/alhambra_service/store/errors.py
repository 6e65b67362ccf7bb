"""What can go wrong between the service and the store, and what each failure promises.

    StoreError
    ├── StoreUnavailable     nothing was changed; later it may work; its `trouble` says what kind of failure it was
    ├── OutcomeUnknown       a commit was sent and its answer lost; the same request again will tell
    ├── GameNotFound         no such game, or no longer
    ├── GameExists           another request created a game under this id
    ├── Stale                another commit came first; has the revision and version of now
    ├── VersionAhead         the game has not come as far as the reader demands
    │   └── WentBack         what the reader has seen is no part of the game any more
    ├── RequestReused        the request id is known with other content
    ├── TooEarly             the commit answers a decision whose time is not up by the store's clock
    ├── QuotaExceeded        the tenant has as many games, or as much stored, as it may
    ├── WrittenElsewhere     written by a service that knows what this one does not
    │   ├── NewerGame        by a newer one
    │   └── RulesChanged     under other rules, which nothing carries forward to those of this service
    ├── DamagedGame          what is stored cannot be what was written
    └── StoreMisconfigured   the store cannot keep what the service promises, or cannot be started

Only OutcomeUnknown leaves a doubt; after every other failure the game is as it was.
"""

from __future__ import annotations

from enum import StrEnum


class StoreError(Exception):
    """Anything that the store refuses or fails at. The message is one sentence, without secrets."""


class Trouble(StrEnum):
    """Why the store cannot be used just now."""

    UNREACHABLE = "unreachable"
    """No connection, or the server that has the key is not known."""
    SLOW = "slow"
    """Connected, but no answer within STORE_ANSWER_SECONDS, or no free connection within that time."""
    FULL = "full"
    """Its memory is used up: it refuses writes that need more (OOM)."""
    READ_ONLY = "read-only"
    """It takes no writes: it is a replica (READONLY), or it cannot write to its disk (MISCONF)."""
    REPLICAS_MISSING = "replicas missing"
    """It takes no writes because too few replicas are connected (NOREPLICAS)."""


class StoreUnavailable(StoreError):
    """The store cannot be reached or refuses to work just now. Nothing was changed."""

    def __init__(self, message: str, trouble: Trouble = Trouble.UNREACHABLE) -> None:
        super().__init__(message)
        self.trouble = trouble


class OutcomeUnknown(StoreError):
    """A commit may or may not have happened. Sending the same request again is safe and gives its outcome."""


class GameNotFound(StoreError):
    """There is no such game."""


class GameExists(StoreError):
    """The id of a new game is taken."""


class Stale(StoreError):
    """The game has moved on since it was loaded."""

    def __init__(self, revision: int, version: int) -> None:
        super().__init__(f"the game is at version {version} by now")
        self.revision = revision
        self.version = version


class VersionAhead(StoreError):
    """A reader demanded a version that the game has not reached."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the game is only at version {version}")
        self.version = version


class WentBack(VersionAhead):
    """The store lost its newest commits, as a replica may that takes over, and what a reader has seen with them."""


class RequestReused(StoreError):
    """A request id came again with other content."""


class TooEarly(StoreError):
    """A commit answers a decision in place of a seat whose time is not up yet. Nothing was changed."""

    def __init__(self, now: int) -> None:
        super().__init__("the time of the decision is not up by the store's clock")
        self.now = now
        """The store's time, in milliseconds of Unix time."""


class QuotaExceeded(StoreError):
    """A tenant has as much of something as it may have. Nothing was changed."""

    def __init__(self, quota: str, limit: int, used: int) -> None:
        super().__init__(f"the quota {quota} is {limit}, and {used} are used")
        self.quota = quota
        """Which quota: `running_games` or `stored_bytes`."""
        self.limit = limit
        self.used = used


class WrittenElsewhere(StoreError):
    """The game was written by a service that knows what this one does not; this one must not touch it."""

    def __init__(self, message: str, *, written_by: str = "", known: str = "") -> None:
        super().__init__(message)
        self.facts = {name: fact for name, fact in (("written_by", written_by), ("known", known)) if fact}
        """What wrote it, and what this service has instead: ids of rulesets, or formats of the store."""


class NewerGame(WrittenElsewhere):
    """The game was written by a newer service."""


class RulesChanged(WrittenElsewhere):
    """The game was written under other rules than this service has, and nothing carries it forward to these."""


class DamagedGame(StoreError):
    """A record cannot be read, or state and log do not belong together."""


class StoreMisconfigured(StoreError):
    """The store is not as promised. The message says what is wrong and how to put it right."""
