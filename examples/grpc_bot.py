"""A bot over gRPC: claims a seat by its invitation and plays it to the end, across lost connections.

`python examples/grpc_bot.py ADDRESS GAME INVITATION` joins a game that another program created.
"""

import hashlib
import secrets
import sys
import time

import grpc

from alhambra_api.v1 import events_pb2, games_pb2, moves_pb2, service_pb2_grpc, views_pb2

TASTE = ("buy", "place", "take_money", "add")  # what this bot likes to do, best first
AGAIN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.RESOURCE_EXHAUSTED}
PAUSE = 0.2  # seconds, before something is tried again that failed through no fault of its own


def dislike(legal: moves_pb2.LegalMove) -> tuple[int, bool]:
    """How little the bot likes a move: by its verb, and an exact payment better than another."""
    verb = legal.move.verb
    return TASTE.index(verb) if verb in TASTE else len(TASTE), not legal.exact


class Bot:
    """One seat of one game."""

    def __init__(self, channel: grpc.Channel, game: str, invitation: str) -> None:
        self.games = service_pb2_grpc.GameServiceStub(channel)
        self.game = game
        self.entropy = secrets.token_bytes(32)  # its part of the shuffle, revealed after all seats have committed
        commitment = hashlib.sha256(self.entropy).hexdigest()
        request = games_pb2.ClaimSeatRequest(game=game, invitation=invitation, entropy_commitment=commitment)
        claimed = self.games.ClaimSeat(request)
        self.seat, self.token = claimed.seat, (("authorization", f"Bearer {claimed.token}"),)

    def play(self) -> views_pb2.View:
        """Plays until the game is over; its last view."""
        while True:
            request = events_pb2.WatchEventsRequest(game=self.game, snapshots=True)
            try:
                for message in self.games.WatchEvents(request, metadata=self.token):
                    view = message.snapshot.view if message.HasField("snapshot") else None
                    if view is not None and view.status == views_pb2.GAME_STATUS_OVER:
                        return view
                    if view is not None and self.seat in view.fairness.entropy_awaited:
                        reveal = games_pb2.RevealEntropyRequest(game=self.game, entropy=self.entropy.hex())
                        self.games.RevealEntropy(reveal, metadata=self.token, timeout=5)
                    if view is not None and view.HasField("decision") and view.decision.seat == self.seat:
                        self.move(view.version)
            except grpc.RpcError as fault:
                if fault.code() not in AGAIN:
                    raise
            time.sleep(PAUSE)  # the stream has ended, or the server is away: watch again, nothing is lost

    def move(self, version: int) -> None:
        """Answers the decision that is open at this version, once, however often it has to be sent."""
        wanted = moves_pb2.ListLegalMovesRequest(game=self.game, min_version=version)
        legal = self.games.ListLegalMoves(wanted, metadata=self.token, timeout=5)
        if not legal.moves:
            return  # decided already: the snapshot was an older one
        move = min(legal.moves, key=dislike).move
        name = f"answer to {legal.version}"  # sent again under the same name, it is not made twice
        request = moves_pb2.ApplyMoveRequest(
            game=self.game, move=move, version=legal.version, link=legal.link, request_id=name
        )
        while True:
            try:
                self.games.ApplyMove(request, metadata=self.token, timeout=5)
                return
            except grpc.RpcError as fault:
                if fault.code() is grpc.StatusCode.ABORTED:
                    return  # VERSION_STALE: another call changed the game; wait for the next snapshot
                if fault.code() not in AGAIN:
                    raise
                time.sleep(PAUSE)


if __name__ == "__main__":
    with grpc.insecure_channel(sys.argv[1]) as opened:
        final = Bot(opened, *sys.argv[2:4]).play()
    print("final scores:", [seat.score for seat in final.seats])
