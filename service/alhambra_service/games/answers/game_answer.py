"""What an answer or a snapshot holds of a game: the view, whole or as changes, and what `include` asks for.

Legal moves, scores and pictures are here so that a table can be drawn from one answer. Scores and pictures are parts of
the view (`messages/encoded_views.py`): they are made of public information alone, kept for all versions of a game, and
made again only if something that they show has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from google.protobuf.message import Message

from alhambra import Game
from alhambra.boards import StandaloneBoards
from alhambra.players import next_scoring
from alhambra.svg import cells_content, draw_cells
from alhambra.texts import DEFAULT
from alhambra_api.v1 import boards_pb2, included_pb2

from ... import limits
from ...boards.scored_boards import score_to
from ...messages.encoded_views import EncodedView, Marks, Part, checksum, encoded_view, field_bytes
from ..loaded_game import LoadedGame
from .move_pages import MovePage, encoded_page

SEATS_WITH_DIRK = 2
_MOVES = included_pb2.Included.DESCRIPTOR.fields_by_name["moves"].number


class Include(NamedTuple):
    """What an answer holds besides what it always holds."""

    changes: bool = False
    moves: bool = False
    scores: bool = False
    pictures: bool = False

    @classmethod
    def of(cls, asked: Iterable[included_pb2.Include.ValueType]) -> Include:
        """Read the field `include` of a request. Values that are not known are ignored."""
        found = frozenset(asked)
        if not found:
            return NOTHING
        return cls(
            included_pb2.INCLUDE_CHANGES in found,
            included_pb2.INCLUDE_MOVES in found,
            included_pb2.INCLUDE_SCORES in found,
            included_pb2.INCLUDE_PICTURES in found,
        )


NOTHING = Include()


class Viewer(NamedTuple):
    """Who reads an answer, and what it shall hold."""

    seat: int | None
    """None for a spectator."""
    language: str | None = None
    """None if the call names no language."""
    include: Include = NOTHING


class GameAnswer:
    """A game as one reader sees it, with everything that the reader asked for."""

    def __init__(self, key: bytes, game: str, loaded: LoadedGame, viewer: Viewer) -> None:
        """`key` signs page tokens."""
        self._key, self._game, self._loaded, self._viewer = key, game, loaded, viewer
        self._view: EncodedView = encoded_view(loaded, viewer.seat, game, viewer.language)
        self._extra = list(self._extra_parts()) if viewer.include is not NOTHING else []
        """Parts that are not in a View: their bytes are those of an Included."""

    @property
    def marks(self) -> Marks:
        """The marks of all parts."""
        return {**self._view.marks, **self.extra_marks}

    @property
    def extra_marks(self) -> Marks:
        """The marks of scores and pictures."""
        return {part.name: part.mark for part in self._extra}

    def known(self, known_checksum: int, before: LoadedGame | None = None) -> Marks | None:
        """Return the marks of the view that the reader has, by its checksum; None if it is not known. `before` is an
        earlier version that the reader may have been sent by another process."""
        if not self._viewer.include.changes or not known_checksum:
            return None
        found = self._loaded.view_cache.sent(self._viewer.seat, known_checksum)
        if found is None and before is not None:
            marks = GameAnswer(self._key, self._game, before, self._viewer).marks
            found = marks if checksum(marks) == known_checksum else None
        return found

    def added_to(self, answer: Message, known: Marks | None, *, whole: bool = True, moves: bool = True) -> bytes:
        """Return the bytes of an answer with the fields `view` and `included`. See `view` for `known` and `whole`.
        Without `moves`, legal moves are left out although the reader asked for them."""
        fields, data = answer.DESCRIPTOR.fields_by_name, answer.SerializeToString()
        if self._viewer.include is NOTHING:
            return data + field_bytes(fields["view"].number, self._view.encoded(whole=whole))
        data += field_bytes(fields["view"].number, self.view(known, whole=whole))
        included = self.included(known, moves=moves)
        return data + field_bytes(fields["included"].number, included) if included else data

    def view(self, known: Marks | None = None, *, whole: bool = True) -> bytes:
        """Return the bytes of the view. With INCLUDE_CHANGES and the marks of the view that the reader has, only what
        differs. Without `whole`, leave out what never changes in a game, unless parts are asked for."""
        if not self._viewer.include.changes:
            return self._view.encoded(whole=whole)
        marks = self.marks
        self._loaded.view_cache.remember(self._viewer.seat, marks)
        return self._view.encoded_parts(marks, known)

    def included(self, known: Marks | None = None, *, moves: bool = True) -> bytes:
        """Return the bytes of Included; those of parts that the reader has are left out."""
        parts = [part.data for part in self._extra if known is None or known.get(part.name) != part.mark]
        if self._viewer.include.moves and moves:
            parts.append(self._moves())
        return b"".join(parts)

    def _moves(self) -> bytes:
        seat, decision = self._viewer.seat, self._loaded.decision
        if seat is None or decision is None or decision.seat != seat:
            return b""
        page = MovePage(size=limits.MOVES_INCLUDED, language=self._viewer.language or "")
        return field_bytes(_MOVES, encoded_page(self._key, self._game, self._loaded, seat, page))

    # -- Scores and pictures -----------------------------------------------------------------------------------------

    def _extra_parts(self) -> Iterator[Part]:
        game, include = self._loaded.game, self._viewer.include
        if include.scores:
            yield self._scores(game) if game is not None else Part.of("scores", b"")
        if include.pictures and game is not None:
            kept = self._loaded.view_cache.modules
            modules = kept[None] = game.module_views(None, kept.get(None, {}))
            pieces = [piece for shown in modules.values() for piece in shown.pieces]
            for seat in range(len(self._loaded.seats)):
                yield self._picture(game, seat, pieces)

    def _scores(self, game: Game) -> Part:
        state = game.state
        scoring = next_scoring(game)
        made_of = scoring, *(seat.board for seat in state.seats), state.types, state.wooden_walls, state.dirk
        return self._loaded.view_cache.part("scores", "", made_of, lambda: _scores(game, scoring))

    def _picture(self, game: Game, seat: int, pieces: list[Mapping[str, Any]]) -> Part:
        language = self._viewer.language or DEFAULT
        made_of = cells_content(game, seat, pieces, language)

        def drawn() -> bytes:
            svg = draw_cells(game, seat, pieces, language=language)
            picture = included_pb2.BoardPicture(seat=seat, svg=svg)
            return included_pb2.Included(pictures=[picture]).SerializeToString()

        return self._loaded.view_cache.part(f"pictures.{seat}", language, made_of, drawn)


def _scores(game: Game, scoring: int) -> bytes:
    boards = StandaloneBoards.of_game(game)
    seats = len(game.state.seats)
    lines = boards.score_lines(scoring)
    scores = [score_to(boards, seat, lines, boards.longest_wall(seat)) for seat in range(seats)]
    if seats == SEATS_WITH_DIRK:
        scores.append(score_to(boards, seats, lines))
    answer = boards_pb2.ScoreBoardResponse(scores=scores)
    return included_pb2.Included(scores=answer).SerializeToString(deterministic=True)
