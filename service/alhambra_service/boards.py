"""BoardService: what the rules say about an Alhambra that is sent along. Nothing is stored, nobody need be known.

A placement is judged by the construction rules alone, those of the wanted modules included: not whose turn it is, not
whether anybody has the tile, the gate or the helper. What boards score is what the rules themselves would score for
them, line by line; what a module scores from things beyond the boards is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import grpc

from alhambra import Board, Event, Game, Move, Tile, Violation
from alhambra.base.building import build_of, verify_build
from alhambra.base.scoring import count_buildings, lines_of_boards
from alhambra.grid import LIMIT
from alhambra.moves import form_faults, shown
from alhambra.violations import in_order
from alhambra_api.v1 import boards_pb2, service_pb2_grpc
from alhambra_api.values import set_value

from . import limits
from .languages import language_of
from .nouns import number_of
from .refusals import Refusal
from .sent_boards import lay_out, table_for
from .translate import violations_to

SCORINGS = (1, 2, 3)
SEATS = (2, 6)
"""The fewest and the most that the rules know. One board is compared with an empty one."""
HELD = ("choice", "items")
"""Nouns that name what a seat must hold: asking about the board says nothing about hands."""
PLACEMENT = "tile cell [rotation items choice]"
"""The nouns of a placement, as of the verb that makes it."""
PlacementJudge: TypeAlias = Callable[[boards_pb2.Placement], Sequence[Violation]]
"""Finds everything that speaks against a placement."""


class BoardServicer(service_pb2_grpc.BoardServiceServicer):
    """The stateless calls."""

    def ValidateBoardPlacement(  # noqa: N802
        self, request: boards_pb2.ValidateBoardPlacementRequest, context: grpc.ServicerContext
    ) -> boards_pb2.ValidateBoardPlacementResponse:
        """Whether a tile may be built on a board."""
        game = table_for(request.rules, SEATS[0])
        lay_out(game, [request.board])
        found = violations_to(placement_faults(game, 0, request.placement), language_of(context))
        return boards_pb2.ValidateBoardPlacementResponse(legal=not found, violations=found)

    def ScoreBoard(  # noqa: N802
        self, request: boards_pb2.ScoreBoardRequest, context: grpc.ServicerContext
    ) -> boards_pb2.ScoreBoardResponse:
        """What boards would score, compared with each other."""
        if not 1 <= len(request.boards) <= SEATS[1]:
            raise Refusal.malformed("boards", f"There are 1 to {SEATS[1]} boards.")
        if request.scoring not in SCORINGS:
            raise Refusal.malformed("scoring", "The scoring is 1, 2 or 3.")
        game = table_for(request.rules, max(SEATS[0], len(request.boards)))
        lay_out(game, request.boards)
        _give_to_dirk(game, request)
        lines = [*lines_of_boards(game, request.scoring)]
        seats = [*range(len(request.boards)), *([SEATS[0]] if request.dirk_tiles else [])]
        return boards_pb2.ScoreBoardResponse(scores=[_board_score(game, seat, lines) for seat in seats])


# -- Placements ------------------------------------------------------------------------------------------------------


def placement_faults(game: Game, seat: int, placement: boards_pb2.Placement) -> Sequence[Violation]:
    """Everything that the construction rules have against a placement in the Alhambra of a seat, whoever asks: the
    answer does not depend on what any seat holds."""
    return placement_judge(game, seat)(placement)


def placement_judge(game: Game, seat: int) -> PlacementJudge:
    """The same for many placements in one Alhambra: what they have in common is looked up once."""
    rules, state = game.ruleset, game.state
    board = state.seats[seat].board
    tile_of, sticks_of, check = rules.tiles.get, state.sticks.get, rules.check_placement
    placed, start, anchors = board.placed, board.start.kind, rules.anchors

    def faults(placement: boards_pb2.Placement) -> Sequence[Violation]:
        cell = placement.cell
        tile, x, y = tile_of(placement.tile), cell.x, cell.y
        if (
            # Most are plain: a tile as it lies, somewhere near. Then the place is all there is to judge, and nothing
            # need be put into a move's words first. Without a cell both are 0, where the fountain stands.
            tile is None
            or not (x or y)
            or not (-LIMIT <= x <= LIMIT and -LIMIT <= y <= LIMIT)
            or tile.kind in anchors
            or placement.choice
            or placement.items
            or placement.HasField("rotation")
        ):
            return _faults_in_words(game, seat, placement)
        if tile.id in placed or tile.kind == start:
            return _not_for_laying(board, tile)
        return check(board, tile, x, y, 0, sticks_of(tile.id, ()))

    return faults


def _faults_in_words(game: Game, seat: int, placement: boards_pb2.Placement) -> tuple[Violation, ...]:
    """The same for whatever can be sent."""
    move = Move(
        "place",
        tile=placement.tile or None,
        cell=(placement.cell.x, placement.cell.y) if placement.HasField("cell") else None,
        rotation=placement.rotation if placement.HasField("rotation") else None,
        items=tuple(sorted(placement.items)),
        choice=placement.choice or None,
    )
    faults = form_faults(move, PLACEMENT)
    if faults:
        return in_order(faults)
    assert move.tile is not None
    board = game.state.seats[seat].board
    tile = game.ruleset.tiles.get(move.tile)
    if tile is None:
        return (Violation("ID_UNKNOWN", "tile", id=move.tile),)
    found = _not_for_laying(board, tile) or verify_build(game, seat, board, tile, build_of(move))
    return in_order(fault for fault in found if not (fault.code == "NOT_THERE" and fault.noun in HELD))


def _not_for_laying(board: Board, tile: Tile) -> Sequence[Violation]:
    if tile.kind == board.start.kind:
        return (Violation("LOCKED", "tile", tile=tile.id, by="start"),)
    if tile.id in board.placed:
        return (Violation("PLACE_TAKEN", "tile", tile=tile.id),)
    return ()


# -- Scores ----------------------------------------------------------------------------------------------------------


def _give_to_dirk(game: Game, request: boards_pb2.ScoreBoardRequest) -> None:
    tiles = tuple(request.dirk_tiles)
    if not tiles:
        return
    if len(request.boards) != SEATS[0]:
        raise Refusal.malformed("dirk_tiles", "Dirk competes with two boards only.")
    if len(tiles) > limits.BOARD_TILES:
        raise Refusal.limit("dirk_tiles", limits.BOARD_TILES)
    faults = []
    for number, tile in enumerate(tiles):
        if tile not in game.ruleset.tiles:
            faults.append(Violation("ID_UNKNOWN", "tile", id=shown(tile)))
        elif tile in tiles[:number] or any(tile in seat.board.placed for seat in game.state.seats):
            faults.append(Violation("PLACE_TAKEN", "tile", tile=tile))
    if faults:
        raise Refusal("BOARD_INVALID", "Dirk cannot have these tiles.", {"board": "dirk"}, violations=in_order(faults))
    game.state.dirk = tiles


def _board_score(game: Game, seat: int, lines: list[Event]) -> boards_pb2.BoardScore:
    own = [_line(event) for event in lines if event.public["seat"] == seat]
    counts = count_buildings(game, seat)
    message = boards_pb2.BoardScore(points=sum(line.points for line in own), lines=own)
    if seat < len(game.state.seats):
        message.longest_wall = game.state.seats[seat].board.longest_wall()
    for name, count in counts.items():
        if count:
            message.type_counts.add(type=number_of("type", name), count=count)
    return message


def _line(event: Event) -> boards_pb2.ScoreLine:
    told = dict(event.public)
    del told["seat"]
    message = boards_pb2.ScoreLine(
        reason=told.pop("reason"),
        points=told.pop("points"),
        type=number_of("type", told.pop("type", None)),
        tile=told.pop("tile", None) or "",
        count=told.pop("count", 0),
        place=told.pop("place", 0),
        shared=told.pop("shared", 0),
    )
    for name, fact in told.items():
        set_value(message.facts[name], fact)
    return message
