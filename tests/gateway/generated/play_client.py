"""Plays with a client that openapi-python-client has generated as the package `alhambra_generated`.

python play_client.py http://127.0.0.1:8080 12
"""

import json
import sys
from contextlib import ExitStack
from typing import Any

from alhambra_generated import AuthenticatedClient, Client
from alhambra_generated.api.games import apply_move, create_game, get_board_picture, list_legal_moves, watch_events
from alhambra_generated.models import ApplyMoveRequest, CreateGameRequest, Move, Problem, SeatSetup
from alhambra_generated.types import Unset


def answered(found: Any) -> Any:
    """An answer that is no problem."""
    assert found is not None
    assert not isinstance(found, Problem), found
    return found


def main(address: str, wanted: int) -> None:
    """Makes this many moves, each the first legal one, and prints what came of it."""
    with ExitStack() as opened:

        def seat(token: str) -> Any:
            return opened.enter_context(AuthenticatedClient(base_url=address, token=token))

        anybody = opened.enter_context(Client(base_url=address))
        pages = opened.enter_context(Client(base_url=address, headers={"Accept": "application/json"}))
        setup = CreateGameRequest(seats=[SeatSetup(name="Ada", claim=True), SeatSetup(name="Grace", claim=True)])
        created = answered(create_game.sync(client=anybody, body=setup))  # on loopback no API key is needed
        players = [seat(key.token) for key in created.seat_keys]
        view, moves = created.view, 0
        while moves < wanted and not isinstance(view.decision, Unset):
            player = players[view.decision.seat]
            legal = answered(list_legal_moves.sync(created.game, client=player, page_size=20)).moves[0]
            body = ApplyMoveRequest(move=legal.move, version=view.version)
            view = answered(apply_move.sync(created.game, client=player, body=body)).view
            moves += 1
        page = answered(watch_events.sync(created.game, client=pages, from_version=0))
        picture = answered(get_board_picture.sync(created.game, client=anybody, seat=0))
        dance = ApplyMoveRequest(move=Move(verb="dance"), version=0)
        refused = apply_move.sync(created.game, client=players[0], body=dance)
    assert isinstance(refused, Problem)
    said = {"game": created.game, "moves": moves, "version": view.version, "events": len(page.events)}
    print(json.dumps({**said, "refused": refused.reason, "picture": picture[:4]}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
