"""What can go wrong between the service and the store, and what each failure promises.

    StoreError
    ├── StoreUnavailable     nothing was changed; a later attempt may work; `trouble` says what kind of failure it was
    ├── OutcomeUnknown       a commit was sent and its answer was lost; the same request again gives the outcome
    ├── GameNotFound         there is no such game, or it was deleted
    ├── GameExists           another request created a game under this id
    ├── Stale                another commit came first; contains the present revision and version
    ├── VersionAhead         the game has not reached the version that the reader demands
    │   └── WentBack         the store lost the newest commits, which the reader has seen
    ├── RequestReused        the request id is known with other content
    ├── TooEarly             the commit answers a decision whose time is not up by the store's clock
    ├── QuotaExceeded        the tenant has reached its number of games or stored bytes
    ├── WrittenElsewhere     another service wrote the game, and this one cannot read it
    │   ├── NewerGame        a newer service wrote it
    │   └── RulesChanged     it was played under other rules and cannot be carried forward to these
    ├── DamagedGame          the stored bytes are not what was written
    └── StoreMisconfigured   the store is not as durable as promised, or cannot be started

After OutcomeUnknown the game may or may not have changed. After every other error it is unchanged.
"""

from __future__ import annotations

from enum import StrEnum


class StoreError(Exception):
    """The store refused or failed. The message is one sentence without secrets."""


class Trouble(StrEnum):
    """Why the store cannot be used just now."""

    UNREACHABLE = "unreachable"
    """No connection, or the server that has the key is not known."""
    CROWDED = "crowded"
    """No more connections can be opened, because it has too many, or because this process has no more descriptors."""
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
    """The store lost its newest commits, which the reader has seen. This can happen when a replica takes over."""


class RequestReused(StoreError):
    """A request id came again with other content."""


class TooEarly(StoreError):
    """A commit answers a decision whose deadline has not passed. Nothing was changed."""

    def __init__(self, now: int) -> None:
        super().__init__("the time of the decision is not up by the store's clock")
        self.now = now
        """The store's time, in milliseconds of Unix time."""


class QuotaExceeded(StoreError):
    """A tenant has reached a quota. Nothing was changed."""

    def __init__(self, quota: str, limit: int, used: int) -> None:
        super().__init__(f"the quota {quota} is {limit}, and {used} are used")
        self.quota = quota
        """Which quota: `running_games` or `stored_bytes`."""
        self.limit = limit
        self.used = used


class WrittenElsewhere(StoreError):
    """The game was written by another service and cannot be read by this one, which must not change it."""

    def __init__(self, message: str, *, written_by: str = "", known: str = "") -> None:
        super().__init__(message)
        self.facts = {name: fact for name, fact in (("written_by", written_by), ("known", known)) if fact}
        """`written_by` and `known`: ids of rulesets or storage formats, of the writer and of this service."""


class NewerGame(WrittenElsewhere):
    """The game was written by a newer service."""


class RulesChanged(WrittenElsewhere):
    """The game was played under other rules than this service has, and cannot be carried forward to these."""


class DamagedGame(StoreError):
    """A stored game cannot be read, or its state does not match its log."""


class StoreMisconfigured(StoreError):
    """The store is not as durable as promised. The message says what is wrong and how to fix it."""
