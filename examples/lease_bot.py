"""A bot over gRPC that plays all games of `alhambra arena` in one process: it leases decisions and answers them.

    alhambra arena "lease:python examples/lease_bot.py {address}" random --seats 2 --games 20

With each decision it gets a determinization of the game for its seat, and the token of that seat.
"""

import sys
import threading
from base64 import b64decode
from random import Random

import grpc

from alhambra import Game
from alhambra.players import peer_move
from alhambra_api.v1 import games_pb2, moves_pb2, service_pb2_grpc
from alhambra_service.messages.translate import move_to


def run(address: str) -> None:
    """Answer decisions until the arena ends."""
    rng = Random(1)
    with grpc.insecure_channel(address) as channel:
        games = service_pb2_grpc.GameServiceStub(channel)
        while True:
            leased = games.LeaseBotDecision(games_pb2.LeaseBotDecisionRequest(), wait_for_ready=True)
            if not leased.HasField("decision"):
                continue
            decision = leased.decision
            move = peer_move(Game.from_bytes(b64decode(decision.twin)), rng)
            request = moves_pb2.ApplyMoveRequest(game=decision.game, move=move_to(move), version=decision.version)
            games.ApplyMove(request, metadata=(("authorization", f"Bearer {decision.token}"),))


if __name__ == "__main__":
    threading.Thread(target=lambda: run(sys.argv[1]), daemon=True).start()
    sys.stdin.read()  # the arena closes it when it ends
