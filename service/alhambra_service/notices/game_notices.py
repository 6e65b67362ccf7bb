"""The notices of a commit: the game has started, a seat has to decide, the game has ended.

A notice contains what a spectator of the game may see. It is a JSON object with these members, of which `near` and
`private` are not sent to anyone:

    kind, game, version, time    always; the time is in milliseconds of Unix time
    id                           the same for every receiver and at every attempt
    seat, name, decision         of a decision
    deadline, turn               of a decision with a deadline, in milliseconds: when it is, and the time for it
    private                      true if the game is hidden from spectators or shown to them with a delay
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from alhambra.players import STRENGTHS
from alhambra_api.v1 import webhooks_pb2

from .. import limits
from ..store import StoredGame
from .feed import Stored

if TYPE_CHECKING:
    from ..games.loaded_game import LoadedGame

GAME_STARTED, GAME_ENDED = "game_started", "game_ended"
DECISION_OPENED, BOT_DECISION_OPENED, DEADLINE_NEAR = "decision_opened", "bot_decision_opened", "deadline_near"
PING = "ping"
USUAL_KINDS = (GAME_STARTED, DECISION_OPENED, DEADLINE_NEAR, GAME_ENDED)
"""The kinds that are told if a host does not say which."""
PER_COMMIT = 16
"""More than the notices of one commit: their numbers are the revision times this, plus 0, 1, 2."""


def notices_of(game: str, before: StoredGame, loaded: LoadedGame, now: int, *, started: bool) -> list[bytes]:
    """Return the notices of a commit that leads from `before` to a loaded game. `started` says whether the commit deals
    the cards."""
    found: list[dict[str, Any]] = []
    revision = before.revision + 1
    if started:
        found.append({"kind": GAME_STARTED})
    if started or loaded.since > before.version:
        found += _decisions(loaded, now)
    if loaded.over and (started or loaded.version > before.version):
        found.append({"kind": GAME_ENDED})
    if not found:
        return []
    about: dict[str, Any] = {"game": game, "version": loaded.version, "time": now}
    if loaded.seats_only or loaded.spectator_delay:
        about["private"] = True
    stored = []
    for place, notice in enumerate(found):
        full = {"id": f"msg_{game}_{revision}_{place}", **notice, **about}
        stored.append(Stored(PER_COMMIT * revision + place, text_of(full), near_time(full)).encoded())
    return stored


def _decisions(loaded: LoadedGame, now: int) -> list[dict[str, Any]]:
    decision = loaded.decision
    if decision is None:
        return []
    holder = loaded.seats[decision.seat]
    if holder.server_player and holder.server_player not in STRENGTHS:
        return []  # the next call takes it
    kind = BOT_DECISION_OPENED if holder.server_player else DECISION_OPENED
    notice: dict[str, Any] = {"kind": kind, "seat": decision.seat, "name": holder.name, "decision": decision.kind}
    if loaded.deadline is not None:
        notice |= {"deadline": loaded.deadline, "turn": loaded.deadline - now}
    return [notice]


def near_time(notice: Mapping[str, Any]) -> int:
    """Return when the deadline of a person's decision is near, in milliseconds of Unix time; 0 if it has none."""
    if notice["kind"] != DECISION_OPENED or "deadline" not in notice:
        return 0
    left: int = min(notice["turn"] // 4, 1000 * limits.NEAR_SECONDS)
    return int(notice["deadline"]) - left


def deadline_near(opened: Mapping[str, Any], now: int) -> dict[str, Any]:
    """Return the notice that the deadline of a decision is near, from the notice that it was opened."""
    return {**opened, "id": f"{opened['id']}_near", "kind": DEADLINE_NEAR, "time": now}


def text_of(notice: Mapping[str, Any]) -> bytes:
    """Return a notice as bytes."""
    return json.dumps(notice, separators=(",", ":"), ensure_ascii=False).encode()


def kinds_allowed() -> frozenset[str]:
    """Return the kinds that a host can ask for: all but tests, which every webhook gets."""
    words = {name.removeprefix("NOTICE_KIND_").lower() for name in webhooks_pb2.NoticeKind.DESCRIPTOR.values_by_name}
    return frozenset(words - {"unspecified", PING})
