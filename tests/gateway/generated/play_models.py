"""Plays with models that datamodel-code-generator has generated as the module `alhambra_models`.

python play_models.py http://127.0.0.1:8080 12
"""

import json
import sys
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import alhambra_models as models


def call(model: Any, address: str, body: Any = None, token: str = "") -> Any:
    """What an address answers, as a model; a Problem if the call was refused."""
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = body.model_dump_json(exclude_none=True).encode() if body is not None else None
    try:
        with urlopen(Request(address, data, headers), timeout=60) as answer:
            return model.model_validate_json(answer.read())
    except HTTPError as refused:
        with refused:
            return models.Problem.model_validate_json(refused.read())


def main(address: str, wanted: int) -> None:
    """Makes this many moves, each the first legal one, and prints what came of it."""
    seats = [models.SeatSetup(name="Ada", claim=True), models.SeatSetup(name="Grace", claim=True)]
    created = call(models.CreateGameResponse, f"{address}/v1/games", models.CreateGameRequest(seats=seats))
    path = f"{address}/v1/games/{created.game}"
    view, moves = created.view, 0
    while moves < wanted and view.decision is not None:
        token = created.seatKeys[view.decision.seat].token
        legal = call(models.ListLegalMovesResponse, f"{path}/moves?pageSize=20", token=token).moves[0]
        body = models.ApplyMoveRequest(move=legal.move, version=view.version)
        view = call(models.ApplyMoveResponse, f"{path}/moves", body, token).view
        moves += 1
    page = call(models.EventPage, f"{path}/events?fromVersion=0")
    dance = models.ApplyMoveRequest(move=models.Move(verb="dance"), version=0)
    refused = call(models.ApplyMoveResponse, f"{path}/moves", dance, created.seatKeys[0].token)
    said = {"game": created.game, "moves": moves, "version": view.version, "events": len(page.events)}
    print(json.dumps({**said, "refused": refused.reason}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
