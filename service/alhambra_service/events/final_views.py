"""Final views: what seats and spectators see of a finished game, stored when the game ends.

A later version may not have the rules of the game any more, and then cannot read its state. It can still show these
messages: a summary for lists, a view for spectators and one for each seat. Messages of the contract never change their
form within `v1`. The last link of the game comes first, so that views of another game with the same id are not used.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError, Message

from alhambra_api.v1 import games_pb2, views_pb2

from ..messages.encoded_views import view_to
from ..messages.summaries import summary_to
from ..store import DamagedGame

if TYPE_CHECKING:
    from ..games.loaded_game import LoadedGame

PACKING = 6
"""zlib's default level: the views have much in common and are compressed once."""
LENGTH_BYTES = 4


@dataclass(frozen=True, slots=True)
class FinalViews:
    """The summary and the views of a finished game."""

    summary: games_pb2.GameSummary
    views: tuple[views_pb2.View, ...]
    """The view of spectators, then one for each seat."""

    def seen_by(self, seat: int | None) -> views_pb2.View:
        """Return the view of a seat, or of a spectator."""
        return self.views[0 if seat is None else seat + 1]


def write_views(game: str, loaded: LoadedGame) -> bytes:
    """Return the final views of a game as bytes."""
    viewers = (None, *range(len(loaded.seats)))
    messages: list[Message] = [summary_to(game, loaded)]
    messages += [view_to(loaded, viewer, game_id=game) for viewer in viewers]
    parts = [message.SerializeToString(deterministic=True) for message in messages]
    body = b"".join(len(part).to_bytes(LENGTH_BYTES, "big") + part for part in parts)
    return zlib.compress(f"{loaded.stored.link}\n".encode() + body, PACKING)


def read_views(data: bytes, link: str) -> FinalViews | None:
    """Return the views that `write_views` wrote; None if they do not belong to the game whose log ends with this link.
    Raises DamagedGame if they cannot be read."""
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
