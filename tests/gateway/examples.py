"""The examples of the API document, recorded from a running gateway:

    python -m tests.gateway.examples

plays the first moves of a seeded game over HTTP and writes what was sent and answered beside the document. What is
different in every game (its id, tokens, times, the links of its chain) is replaced by a text of the same kind. Long
lists of the catalogue are cut to their first entries.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urlencode

import alhambra_gateway.openapi
from alhambra_gateway.openapi.document import EXAMPLES

from .http import Answer, Client

FILE = Path(alhambra_gateway.openapi.__file__).parent / EXAMPLES
SEED = "generalife"
ENTROPY = hashlib.sha256(b"what a seat contributes to the seed").hexdigest()
"""It is the same in every run, so that the recorded calls are. A client draws 32 random bytes instead."""
SENDER_SECONDS = 60.0
SHORT = 2
"""So many entries of a long list are shown."""
NAMES = {"token": "the-token-of-a-seat", "invitation": "an-invitation-to-a-seat", "ticket": "a-ticket-for-one-stream"}
TIMES = {
    "createTime": "2026-03-01T18:00:00Z",
    "updateTime": "2026-03-01T18:04:10Z",
    "expireTime": "2026-03-31T18:04:10Z",
    "time": "2026-03-01T18:04:10Z",
    "nextAttemptTime": "2026-03-01T18:04:10Z",
    "previousExpireTime": "2026-03-02T18:04:10Z",
}
HEXADECIMAL = ("commitment", "link", "secret")
EVENT_IDS = ("id", "lastEvent", "nextAfter")
"""Members with the id of an event, which ends with digits of a link."""
GAME = "k3vq7m2x9c4t8w1z6b5n"


class Recorder:
    """Makes calls and keeps what is worth showing."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.calls: dict[str, Any] = {}
        self.game = ""
        self.webhook = ""

    def call(
        self,
        rpc: str,
        method: str,
        path: str,
        *,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        token: str = "",
        shown: bool = True,
    ) -> Any:
        """A call that is answered, kept under the name of its RPC."""
        filled = path.replace("{game}", self.game).replace("{webhook}", self.webhook)
        address = filled + (f"?{urlencode(query)}" if query else "")
        answer = self.ask(method, address, body, token)
        assert answer.status == 200, (rpc, answer.status, answer.body)
        found: dict[str, Any] = {}
        if "{game}" in path:
            found["path"] = {"game": self.game}
        if "{webhook}" in path:
            found["path"] = {"webhook": self.webhook}
        if query:
            found["query"] = dict(query)
        if body is not None:
            found["body"] = body
        if shown:
            found["answer"] = answer.json()
        self.calls[rpc] = found
        return answer.json()

    def ask(self, method: str, address: str, body: Any = None, token: str = "") -> Answer:
        """A call that is not kept."""
        headers = {"Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        return self._client.send(method, address, None if body is None else json.dumps(body).encode(), headers)


def record(client: Client) -> dict[str, Any]:
    """Plays the first moves of a game and everything around them."""
    recorder = Recorder(client)
    # An older game that runs: lists have a second page, whoever else uses the server.
    assert client.post("/v1/games", {"seats": [{"claim": True}, {"claim": True}]}).status == 200
    tokens = _begin(recorder)
    _play(recorder, tokens)
    _look(recorder, tokens)
    _without_a_game(recorder)
    _be_told(recorder)
    _leave(recorder)
    _end(recorder, tokens)
    calls: dict[str, Any] = _alike(recorder.calls, recorder.game)
    return calls


def _begin(recorder: Recorder) -> list[str]:
    seats = [{"name": "Ada", "claim": True}, {"name": "Boabdil"}]
    created = recorder.call("CreateGame", "POST", "/v1/games", body={"seats": seats, "seed": SEED})
    recorder.game = created["game"]
    first, second = created["seatKeys"]
    commitment = hashlib.sha256(bytes.fromhex(ENTROPY)).hexdigest()
    claim = {"invitation": second["invitation"], "entropyCommitment": commitment, "requestId": "claim-1"}
    claimed = recorder.call("ClaimSeat", "POST", "/v1/games/{game}:claimSeat", body=claim)
    reveal = {"entropy": ENTROPY, "requestId": "reveal-1"}
    recorder.call("RevealEntropy", "POST", "/v1/games/{game}:revealEntropy", body=reveal, token=claimed["token"])
    return [first["token"], claimed["token"]]


def _play(recorder: Recorder, tokens: list[str]) -> None:
    game = recorder.call("GetGame", "GET", "/v1/games/{game}", query={"logTail": SHORT}, token=tokens[0])
    token = tokens[game["view"]["decision"]["seat"]]
    moves = "/v1/games/{game}/moves"
    listed = recorder.call("ListLegalMoves", "GET", moves, query={"verb": "buy", "pageSize": SHORT}, token=token)
    move = {"move": listed["moves"][0]["move"], "version": listed["version"], "requestId": "move-1"}
    made = recorder.call("ApplyMove", "POST", moves, body=move, token=token)
    undo = {"version": made["version"], "requestId": "undo-1"}
    recorder.call("Undo", "POST", "/v1/games/{game}:undo", body=undo, token=token)


def _look(recorder: Recorder, tokens: list[str]) -> None:
    game = "/v1/games/{game}"
    placement = {"tile": "garden-10-n", "cell": {"x": 1, "y": 0}}
    batch = [placement, {"tile": "garden-10-n", "cell": {"x": 0, "y": 0}}]
    recorder.call("ListGames", "GET", "/v1/games", query={"status": "running", "pageSize": 1})
    recorder.call("WatchEvents", "GET", f"{game}/events", query={"fromVersion": 1, "pageSize": SHORT}, token=tokens[0])
    recorder.call("CreateEventTicket", "POST", f"{game}/events:ticket", body={}, token=tokens[0])
    seats = {"seats": [{"game": recorder.game, "token": tokens[0]}]}
    recorder.call("CreateNoticeTicket", "POST", "/v1/notices:ticket", body=seats)
    recorder.call("WatchNotices", "GET", "/v1/notices", query={"kinds": "decision_opened", "pageSize": 1})
    recorder.calls["WatchNotices"]["query"] = {"kinds": ["decision_opened"], "pageSize": 1}
    recorder.calls["WatchNotices"]["answer"] = _a_page_of_notices(recorder.game)
    recorder.call("ExportGame", "GET", f"{game}/replay", token=tokens[0], shown=False)
    players = {"players": ["search_easy", "search_medium"]}
    recorder.call("LeaseBotDecision", "POST", "/v1/games:leaseBotDecision", body=players)
    asked = tokens[recorder.ask("GET", f"/v1/games/{recorder.game}").json()["view"]["decision"]["seat"]]
    recorder.call("SuggestMoves", "POST", f"{game}:suggestMoves", body={}, token=asked, shown=False)
    recorder.call("React", "POST", f"{game}:react", body={"phrase": "well_played"}, token=tokens[0])
    check = {"placement": placement, "seat": 0}
    recorder.call("ValidatePlacement", "POST", f"{game}/placements:validate", body=check)
    check = {"placements": batch, "seat": 0}
    recorder.call("BatchValidatePlacements", "POST", f"{game}/placements:batchValidate", body=check)
    recorder.call("ListLegalPlacements", "GET", f"{game}/placements", query={"tile": "garden-10-n", "seat": 0})
    recorder.calls["GetBoardPicture"] = {"path": {"game": recorder.game}, "query": {"seat": 0, "theme": "dark"}}
    recorder.calls["GetTablePicture"] = {"path": {"game": recorder.game}, "query": {"theme": "dark"}}
    recorder.calls["GetComponentPicture"] = {"path": {"kind": "card", "id": "denar-5"}, "query": {"theme": "dark"}}


def _a_page_of_notices(game: str) -> dict[str, Any]:
    """What is told depends on the other games of the server, so the example is made here."""
    notice = {
        "id": f"msg_{game}_17_0",
        "kind": "decision_opened",
        "time": TIMES["time"],
        "game": game,
        "version": 17,
        "seat": 1,
        "name": "Ada",
        "decisionKind": "action",
    }
    return {"notices": [notice], "nextAfter": "1772388250000-0", "more": False, "missed": False}


def _without_a_game(recorder: Recorder) -> None:
    board = {"tiles": [{"tile": "garden-10-n", "cell": {"x": 1, "y": 0}}]}
    check = {"board": board, "placement": {"tile": "tower-11-s", "cell": {"x": 2, "y": 0}}}
    recorder.call("ValidateBoardPlacement", "POST", "/v1/boards:validatePlacement", body=check)
    recorder.call("ScoreBoard", "POST", "/v1/boards:score", body={"boards": [board, {}], "scoring": 1})
    for rpc, path, query in (
        ("ListModules", "modules", {}),
        ("ListTiles", "tiles", {"kind": "standard", "pageSize": SHORT}),
        ("ListComponents", "components", {"kind": "card", "pageSize": SHORT}),
        ("ListEditions", "editions", {}),
        ("ListVerbs", "verbs", {"modules": "thieves"}),
        ("ListViolations", "violations", {}),
    ):
        recorder.call(rpc, "GET", f"/v1/catalog/{path}", query=query)
        recorder.calls[rpc]["answer"] = _cut(recorder.calls[rpc]["answer"])
    recorder.calls["ListVerbs"]["query"] = {"modules": ["thieves"]}


def _be_told(recorder: Recorder) -> None:
    """Registers a webhook, which is disabled before anything is sent to it."""
    for left in recorder.ask("GET", "/v1/webhooks").json()["webhooks"]:  # by other tests of the same server
        recorder.ask("DELETE", f"/v1/webhooks/{left['webhook']}")
    body: dict[str, Any] = {"address": "https://example.com/alhambra", "kinds": ["decision_opened", "game_ended"]}
    body["requestId"] = token_hex(16)  # requests that are made of the examples use the one that is recorded
    deadline = time.monotonic() + SENDER_SECONDS
    while recorder.ask("POST", "/v1/webhooks", body).status != 200:
        assert time.monotonic() < deadline, "no sender runs"  # it is started last
        time.sleep(0.1)
    created = recorder.call("CreateWebhook", "POST", "/v1/webhooks", body=body)
    recorder.calls["CreateWebhook"]["body"] = {**body, "requestId": "webhook-0"}
    recorder.webhook = created["webhook"]["webhook"]
    webhook = "/v1/webhooks/{webhook}"
    recorder.call("UpdateWebhook", "POST", f"{webhook}:update", body={"disabled": True})
    recorder.call("TestWebhook", "POST", f"{webhook}:test", body={})
    recorder.call("ListDeliveries", "GET", f"{webhook}/deliveries", query={"status": "pending", "pageSize": SHORT})
    recorder.call("ReplayDeliveries", "POST", f"{webhook}/deliveries:replay", body={})
    recorder.call("RotateWebhookSecret", "POST", f"{webhook}:rotateSecret", body={})
    recorder.call("GetWebhook", "GET", webhook)
    recorder.call("ListWebhooks", "GET", "/v1/webhooks")
    recorder.call("DeleteWebhook", "DELETE", webhook)


def _leave(recorder: Recorder) -> None:
    """A friend does not come: the server plays instead, and another game is cancelled."""
    game = recorder.game
    seats = [{"name": "Ada", "claim": True}, {"name": "Boabdil"}]
    created = recorder.ask("POST", "/v1/games", {"seats": seats, "seed": SEED}).json()
    recorder.game = created["game"]
    left = {"seat": 1, "serverPlayer": "greedy", "requestId": "leave-1"}
    token = created["seatKeys"][0]["token"]
    recorder.call("LeaveSeat", "POST", "/v1/games/{game}:leaveSeat", body=left, token=token)
    recorder.calls["LeaveSeat"] = _alike(recorder.calls["LeaveSeat"], recorder.game)
    created = recorder.ask("POST", "/v1/games", {"seats": seats, "seed": SEED}).json()
    recorder.game = created["game"]
    recorder.call("CancelGame", "POST", "/v1/games/{game}:cancel", body={}, token=created["seatKeys"][0]["token"])
    recorder.calls["CancelGame"] = _alike(recorder.calls["CancelGame"], recorder.game)
    recorder.game = game


def _end(recorder: Recorder, tokens: list[str]) -> None:
    recorder.call("SetOrders", "POST", "/v1/games/{game}:setOrders", body={"orders": []}, token=tokens[0])
    recorder.call("Resign", "POST", "/v1/games/{game}:resign", body={"requestId": "resign-1"}, token=tokens[0])
    recorder.call("GetReview", "GET", "/v1/games/{game}/review")
    recorder.call("DeleteGame", "DELETE", "/v1/games/{game}")
    recorder.call("ListAuditEntries", "GET", "/v1/audit", query={"pageSize": 1})


# -- The same in every recording ---------------------------------------------------------------------------------------


def _cut(data: Any) -> Any:
    """Long lists of the catalogue, without most of their entries."""
    if isinstance(data, dict):
        return {name: _cut(value) for name, value in data.items()}
    return [_cut(value) for value in data[:SHORT]] if isinstance(data, list) else data


def _alike(data: Any, game: str, name: str = "") -> Any:
    if isinstance(data, dict):
        return {key: _alike(value, game, key) for key, value in data.items()}
    if isinstance(data, list):
        return [_alike(value, game, name) for value in data]
    if not isinstance(data, str) or not data:
        return data
    if data.startswith("whsec_"):
        return "whsec_the-secret-in-base64"
    if data.startswith("msg_"):
        return f"msg_{GAME}"
    if name == "webhook":
        return "w7h2k9q4m1x8c3v6b5n0"
    if name in NAMES or name in TIMES:
        return {**NAMES, **TIMES}[name]
    if name in HEXADECIMAL:
        return hashlib.sha256(name.encode()).hexdigest()
    if name in EVENT_IDS and data.count("."):
        return f"{data.rpartition('.')[0]}.{hashlib.sha256(b'link').hexdigest()[:6]}"
    if name == "requestId" and re.fullmatch(r"[0-9a-f]{16}", data):
        return "0123456789abcdef"
    if name == "nextPageToken":
        return "what-the-next-page-is-asked-with"
    if name == "ruleset":
        return re.sub(r"[0-9a-f]{16}$", "0123456789abcdef", data)
    return data.replace(game, GAME)


def as_text(recorded: Mapping[str, Any]) -> str:
    """The recording as it is kept: a text that a person can compare."""
    return json.dumps(recorded, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def main() -> None:
    """Records anew."""
    from .product import running

    with running("--workers", "1") as product:
        FILE.write_text(as_text(record(product.client())), encoding="utf-8")
    print(f"{FILE.name} is written: read the difference, then run the tests.")


if __name__ == "__main__":
    main()
