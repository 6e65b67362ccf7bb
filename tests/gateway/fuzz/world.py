"""The games that strange requests are about: one that runs, one that waits for a seat, one that is over. What can be
seen of all of them is one fingerprint, so that a change by a call that was refused is found at once.
"""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Any

from ..http import Client
from ..rest import Table

RUNNING, WAITING, OVER = "running", "waiting", "over"
ENTROPY = b"what the first seat of the game that waits contributes"
SETUPS: dict[str, dict[str, Any]] = {
    RUNNING: {"seats": [{"claim": True}] * 2, "modules": ["thieves", "city_gates"]},
    WAITING: {"seats": [{"claim": True, "entropyCommitment": sha256(ENTROPY).hexdigest()}, {}]},
    OVER: {"seats": [{"claim": True}] * 2, "turnLimit": 1},
}


class World:
    """Three games on a gateway; those that were changed too much are replaced."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._host = Client(base)
        self.tables = {status: self._new(status) for status in SETUPS}
        self.print = self.fingerprint()

    def close(self) -> None:
        self._host.close()
        for table in self.tables.values():
            table.close()

    def _new(self, status: str) -> Table:
        table = Table.create(self.base, **SETUPS[status])
        if status == OVER:
            table.play(Random(status))
        return table

    def fingerprint(self) -> tuple[str, ...]:
        """What every seat sees of its game, and which game is the newest."""
        seen = [str(self._host.get("/v1/games", pageSize=1).json())]
        for table in self.tables.values():
            for client in table.seats.values():
                answer = client.get(table.path)
                seen.append(answer.headers["etag"] if answer.status == 200 else answer.reason)
        return tuple(seen)

    def go_on(self) -> None:
        """After a call that may have changed something: games that are no longer what they were for are replaced, and
        those whose tokens were."""
        for status, table in self.tables.items():
            answers = [client.get(table.path) for client in table.seats.values()]
            if any(answer.status != 200 or answer.json()["view"]["status"] != status for answer in answers):
                table.close()
                self.tables[status] = self._new(status)
        self.print = self.fingerprint()

    def token(self, status: str, seat: int | None) -> str:
        """The token of a seat, of the first one if that seat is open; empty if no game or no seat is meant."""
        if not status or seat is None or seat < 0:
            return ""
        seats = self.tables[status].seats
        return seats.get(seat, seats[0]).token

    def good_claim(self) -> tuple[str, str, dict[str, Any]]:
        """For the game that waits, without a token: the body of a request that claims its open seat."""
        return WAITING, "", {"invitation": self.tables[WAITING].created["seatKeys"][1]["invitation"]}

    def good_reveal(self) -> tuple[str, str, dict[str, Any]]:
        """For the game that waits, with the token of its first seat: the body of a request that reveals its entropy.
        The open seat is claimed first."""
        _, _, claim = self.good_claim()
        self._host.post(f"{self.tables[WAITING].path}:claimSeat", claim)
        self.go_on()
        return WAITING, self.tables[WAITING].seats[0].token, {"entropy": ENTROPY.hex()}

    def good_leave(self) -> tuple[str, str, dict[str, Any]]:
        """For the game that waits, with the token of its organiser: the body that opens its second seat."""
        return WAITING, self.tables[WAITING].seats[0].token, {"seat": 1, "serverPlayer": ""}

    def good_ticket(self) -> dict[str, Any]:
        """The body of a request for a ticket about the seats of the game that runs."""
        table = self.tables[RUNNING]
        return {"seats": [{"game": table.id, "token": seat.token} for seat in table.seats.values()]}

    def good_move(self) -> tuple[str, str, dict[str, Any]]:
        """For the game that runs, with the token of who is asked: the body of a request with a legal move."""
        table = self.tables[RUNNING]
        view = table.view()
        move = table.random_move(view, Random(view["version"]))
        return RUNNING, table.seats[view["decision"]["seat"]].token, {"move": move, "version": view["version"]}
