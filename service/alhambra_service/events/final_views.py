"""Final views: how a finished game is shown to everybody who may look, put into the store when it ends.

A later version may not have the rules any more that a game ended under, and then cannot read its state. It can still
show these: one summary for lists, one view for spectators and one for each seat, as messages of the contract, whose
form never changes within `v1`. The link of the chain stands in front, so that views of another game are not taken for
views of this.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError, Message

from alhambra_api.v1 import games_pb2, views_pb2

from ..messages.summaries import summary_to
from ..messages.views import view_to
from ..store import DamagedGame

if TYPE_CHECKING:
    from ..games.loaded_game import LoadedGame

PACKING = 6
"""zlib's usual level: the views repeat each other, and are packed once."""
LENGTH_BYTES = 4


@dataclass(frozen=True, slots=True)
class FinalViews:
    """A finished game as it is shown."""

    summary: games_pb2.GameSummary
    views: tuple[views_pb2.View, ...]
    """The spectators' first, then one for each seat."""

    def seen_by(self, seat: int | None) -> views_pb2.View:
        """The view of a seat, or of a spectator."""
        return self.views[0 if seat is None else seat + 1]


def write_views(game: str, loaded: LoadedGame) -> bytes:
    """The final views of a game as bytes."""
    viewers = (None, *range(len(loaded.seats)))
    messages: list[Message] = [summary_to(game, loaded)]
    messages += [view_to(loaded, viewer, game_id=game) for viewer in viewers]
    parts = [message.SerializeToString(deterministic=True) for message in messages]
    body = b"".join(len(part).to_bytes(LENGTH_BYTES, "big") + part for part in parts)
    return zlib.compress(f"{loaded.stored.link}\n".encode() + body, PACKING)


def read_views(data: bytes, link: str) -> FinalViews | None:
    """The views that were written, if they belong to the game whose chain ends with this link; otherwise None. Raises
    DamagedGame if they cannot be read."""
    try:
        written, _, body = zlib.decompress(data).partition(b"\n")
        if written.decode() != link:
            return None
        parts = []
        while body:
            size = LENGTH_BYTES + int.from_bytes(body[:LENGTH_BYTES], "big")
            parts.append(body[LENGTH_BYTES:size])
            body = body[size:]
        summary, *views = parts
        return FinalViews(
            games_pb2.GameSummary.FromString(summary), tuple(views_pb2.View.FromString(view) for view in views)
        )
    except (zlib.error, ValueError, DecodeError) as fault:
        raise DamagedGame("the final views of a game cannot be read") from fault
