"""Pages of legal moves as answers: the moves of a page, and the token that asks for the next one."""

from __future__ import annotations

import json
from typing import NamedTuple

from alhambra_api.v1 import moves_pb2

from ... import limits
from ...auth import seat_keys
from ...messages.move_texts import Wording
from ...messages.refusals import Refusal
from ..game_commands import running
from ..legal_moves import ALL, BRIEF, Cursor, MoveFilter, Page, page, page_token_invalid
from ..loaded_game import LoadedGame


class MovePage(NamedTuple):
    """Which page of which list is wanted."""

    wanted: MoveFilter = MoveFilter()
    mode: moves_pb2.Payments.ValueType = BRIEF
    size: int = limits.MOVES_PAGE_USUAL
    token: str = ""
    language: str = ""
    """The language of the texts; empty for none."""


def encoded_page(key: bytes, game: str, loaded: LoadedGame, seat: int, wanted: MovePage) -> bytes:
    """Return a page of the legal moves of a seat, as the bytes of a ListLegalMovesResponse. Kept with the loaded game.
    `key` signs page tokens."""
    return loaded.cached_answer(("ListLegalMoves", seat, *wanted), lambda: _answer(key, game, loaded, seat, wanted))


def _answer(
    key: bytes, game_id: str, loaded: LoadedGame, seat: int, wanted: MovePage
) -> moves_pb2.ListLegalMovesResponse:
    wording = Wording(wanted.language, loaded.names) if wanted.language else None
    mode, size = wanted.mode, wanted.size

    def purpose() -> str:
        return json.dumps([game_id, seat, *wanted.wanted, mode, size])

    after = _cursor(key, purpose(), wanted.token, loaded) if wanted.token else None
    game = running(loaded)
    asked = game.decision is not None and game.decision.seat == seat
    found = page(game, wanted.wanted, mode, size, after, wording) if asked else Page(total=None if mode == ALL else 0)
    answer = moves_pb2.ListLegalMovesResponse(
        version=loaded.version,
        moves=found.moves,
        offers=found.offers,
        total=found.total,
        groups=found.groups,
        language=wanted.language,
        link=loaded.stored.link,
    )
    if found.next is not None:
        answer.next_page_token = seat_keys.signed(key, purpose(), f"{loaded.version}:{found.next}")
    return answer


def _cursor(key: bytes, purpose: str, token: str, loaded: LoadedGame) -> Cursor:
    """Return the position after which the page of a token begins."""
    text = seat_keys.verified(key, purpose, token)
    if text is None:
        raise page_token_invalid()
    version, _, cursor = text.partition(":")
    if int(version) != loaded.version:
        raise Refusal.stale(loaded.version)
    return Cursor.read(cursor)
