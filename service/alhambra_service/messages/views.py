"""The fields of a view: the game as a seat or a spectator sees it, in the messages of the contract. `encoded_views.py`
puts them together.

A view has two sources. The rules build `Game.view(viewer)` from what the viewer may see. The service adds what it keeps
beside the game; of that, the secret, the seed and the entropies are shown only after the end, and standing orders only
to their own seat. A view is never made by removing fields from a fuller message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from google.protobuf.timestamp_pb2 import Timestamp

from alhambra import Game, ModuleView
from alhambra.boards import Board, board_view
from alhambra.options import CHOICES
from alhambra.texts import tell_decision
from alhambra_api.v1 import nouns_pb2, views_pb2
from alhambra_api.values import set_value

from .. import limits
from .events import put_facts
from .nouns import edge_to, number_of

if TYPE_CHECKING:
    from ..games.automatic.clocks import Clocks
    from ..games.automatic.orders import Order
    from ..games.loaded_game import LoadedGame, SeatHolder

_OCCUPANCY = {
    "open": views_pb2.OCCUPANCY_OPEN,
    "claimed": views_pb2.OCCUPANCY_CLAIMED,
    "server": views_pb2.OCCUPANCY_SERVER,
}
_UNTIL = {
    "revoked": views_pb2.ORDER_UNTIL_REVOKED,
    "my_turn": views_pb2.ORDER_UNTIL_MY_TURN,
    "scoring": views_pb2.ORDER_UNTIL_SCORING,
    "end": views_pb2.ORDER_UNTIL_END,
}


class ViewFields(NamedTuple):
    """A view without its setup and its modules."""

    rest: views_pb2.View
    """The fields that are no part of their own (`ViewParts` in the contract)."""
    orders: bytes
    """The bytes of a View with the orders alone."""
    table: bytes
    """The bytes of a View with the table alone."""
    seats: list[tuple[bytes, bytes]]
    """Each seat as the bytes of two SeatViews: without its Alhambra, and the Alhambra with its gates."""


def view_fields(loaded: LoadedGame, viewer: int | None, game_id: str, language: str | None) -> ViewFields:
    """Return the game as a seat or a spectator (`viewer` None) sees it, without setup and modules. With `language`, the
    open decision has a text."""
    game, holders = loaded.game, loaded.seats
    rest = _rest(loaded, viewer, game_id)
    given = loaded.orders[viewer] if viewer is not None else ()
    orders = views_pb2.View(orders=map(order_to, given)).SerializeToString() if given else b""
    if game is None:
        waiting = [(_waiting_seat(number, facts).SerializeToString(), b"") for number, facts in enumerate(holders)]
        return ViewFields(rest, orders, b"", waiting)
    view = game.view(viewer, boards=False, modules=False)
    _put_turn(rest, loaded, game, view, language)
    table = views_pb2.View()
    _put_table(table.table, view["table"])
    seats = [
        (_seat(number, shown, facts).SerializeToString(), _alhambra(game, number, shown))
        for number, (shown, facts) in enumerate(zip(view["seats"], holders, strict=True))
    ]
    if viewer is not None:
        rest.can_undo = loaded.can_undo(viewer)
    return ViewFields(rest, orders, table.SerializeToString(), seats)


def _rest(loaded: LoadedGame, viewer: int | None, game_id: str) -> views_pb2.View:
    stored, game = loaded.stored, loaded.game
    message = views_pb2.View(game=game_id, version=stored.version, status=status_of(game))
    _put_fairness(message.fairness, loaded)
    if loaded.proposal is not None:
        message.undo_proposal.seat, message.undo_proposal.version = loaded.proposal.seat, loaded.proposal.version
        message.undo_proposal.waiting_for.extend(loaded.proposal.waiting_for)
    if viewer is not None:
        message.viewer = viewer
    return message


def constant_to(loaded: LoadedGame) -> views_pb2.View:
    """Return the fields of a view that never change in a running game, besides its setup: the id of its rules, and the
    commitments to its draws."""
    game = loaded.game
    message = views_pb2.View(ruleset=loaded.stored.ruleset if game is None else game.ruleset.id)
    message.fairness.commitment = loaded.commitment
    if any(commitments := loaded.entropy_commitments):
        message.fairness.entropy_commitments.extend(commitments)
    return message


def status_of(game: Game | None) -> views_pb2.GameStatus.ValueType:
    """Return whether a game waits for seats (None), runs, or is over."""
    if game is None:
        return views_pb2.GAME_STATUS_WAITING
    return views_pb2.GAME_STATUS_OVER if game.over else views_pb2.GAME_STATUS_RUNNING


def setup_to(loaded: LoadedGame) -> views_pb2.GameSetup:
    """Return what was agreed when the game was created."""
    options = loaded.options.as_dict()
    message = views_pb2.GameSetup(
        edition=options["edition"],
        modules=options["modules"],
        variants=options["variants"],
        turn_limit=options["turn_limit"],
        turn_seconds=loaded.turn_seconds,
        visibility=visibility_of(loaded),
        spectator_delay=loaded.spectator_delay,
        no_hints=loaded.no_hints,
    )
    if loaded.clocks is not None:
        message.clock_seconds = loaded.clocks.start // 1000
        message.clock_increment_seconds = loaded.clocks.increment // 1000
        resigns = loaded.clocks.resigns
        message.flag_fall = views_pb2.FLAG_FALL_RESIGNS if resigns else views_pb2.FLAG_FALL_SERVER_PLAYS
    for option in CHOICES:
        set_value(message.options[option], options[option])
    return message


def visibility_of(loaded: LoadedGame) -> views_pb2.Visibility.ValueType:
    """Return who sees the game."""
    if loaded.spectator_delay:
        return views_pb2.VISIBILITY_SPECTATORS_DELAYED
    return views_pb2.VISIBILITY_SEATS if loaded.seats_only else views_pb2.VISIBILITY_PUBLIC


def _put_turn(
    message: views_pb2.View, loaded: LoadedGame, game: Game, view: Mapping[str, Any], language: str | None
) -> None:
    """Add phase, turn, decision and result of a dealt game to the other fields of a view."""
    turn = view["turn"]
    message.phase = view["phase"]
    message.turn.number, message.turn.seat = turn["number"], turn["seat"]
    message.turn.actions_left = turn["actions_left"]
    message.turn.taken_actions.extend(turn["taken_actions"])
    message.turn.used.extend(turn["used"])
    if view["decision"] is not None:
        _put_decision(message.decision, view, loaded, language)
    if loaded.clocks is not None and loaded.clocks.left:
        _put_clocks(message.clocks, loaded, loaded.clocks)
    if view["over"]:
        message.result.CopyFrom(_result(game, view["ranking"]))


def _put_clocks(message: views_pb2.Clocks, loaded: LoadedGame, clocks: Clocks) -> None:
    message.left_milliseconds.extend(clocks.left)
    seat = loaded.seat_on_clock
    if seat is not None:
        message.running = seat
        message.since.CopyFrom(timestamp(clocks.since))


def _put_decision(
    message: views_pb2.Decision, view: Mapping[str, Any], loaded: LoadedGame, language: str | None
) -> None:
    asked = view["decision"]
    message.kind, message.seat, message.phase = asked["kind"], asked["seat"], view["phase"]
    message.since_version = loaded.since
    message.verbs.extend(asked.get("verbs", ()))
    for name, fact in asked["context"].items():
        set_value(message.context[name], fact)
    for name, fact in asked.get("private", {}).items():
        set_value(message.private_context[name], fact)
    if language is not None:
        message.text = tell_decision(asked["kind"], asked["context"], language, loaded.names)
    if loaded.deadline is not None:
        message.deadline.CopyFrom(timestamp(loaded.deadline))


def _put_table(message: views_pb2.Table, shown: Mapping[str, Any]) -> None:
    """Write the middle of the table."""
    for slot, tile in shown["market"].items():
        message.market.add(slot=slot, tile=tile)
    message.display.extend(shown["display"])
    message.deck_count, message.discard_count = shown["deck"], shown["discard"]
    message.tower_count = shown["tower"]
    message.scorings_due.extend(shown["scorings_due"])
    message.scorings_held.extend(shown["scorings_held"])
    message.first_seat, message.next_seat = shown["first_seat"], shown["next_seat"] or 0
    for slot, tiles in shown.get("beside", {}).items():
        message.beside.add(slot=slot, tiles=tiles)
    message.covered.extend(shown.get("covered", ()))
    if "dirk" in shown:
        message.dirk.tiles.extend(shown["dirk"]["tiles"])
        message.dirk.score = shown["dirk"]["score"]
    if shown["auction"] is not None:
        message.auction.CopyFrom(_auction(shown["auction"]))


def _auction(shown: Mapping[str, Any]) -> views_pb2.Auction:
    return views_pb2.Auction(
        piece=shown["piece"],
        bids=[views_pb2.Bid(seat=seat, amount=amount) for seat, amount in shown["bids"]],
        out=shown["out"],
        most_payable=shown.get("most_payable"),
    )


# -- Seats -----------------------------------------------------------------------------------------------------------


def _waiting_seat(number: int, facts: SeatHolder) -> views_pb2.SeatView:
    """Return a seat before the cards are dealt."""
    message = views_pb2.SeatView(
        seat=number,
        name=facts.name,
        colour=facts.colour,
        occupancy=_OCCUPANCY[facts.occupancy],
        server_player=facts.server_player,
    )
    if facts.age is not None:
        message.age = facts.age
    return message


def _seat(number: int, shown: Mapping[str, Any], facts: SeatHolder) -> views_pb2.SeatView:
    """Return a seat without its Alhambra."""
    message = _waiting_seat(number, facts)
    message.name, message.colour = shown["name"], shown["colour"]
    message.resigned, message.score = shown["resigned"], shown["score"]
    message.reserve.extend(shown["reserve"])
    message.pending.extend(shown["pending"])
    message.hand_count = shown["hand_count"]
    message.hand.extend(shown.get("hand", ()))
    return message


def _alhambra(game: Game, number: int, shown: Mapping[str, Any]) -> bytes:
    """Return the Alhambra of a seat and its gates as the bytes of a SeatView without other fields. A move changes at
    most one Alhambra, so each board caches its bytes until it changes. If tiles count as another type than the printed
    one, the bytes are not cached."""
    board, types = game.state.seats[number].board, game.state.types
    tiles = _tiles(board, types) if types else board.cached(_printed_tiles)
    if not shown["gates"]:
        return tiles
    gates = views_pb2.SeatView(gates=[edge_to((x, y), side) for x, y, side in shown["gates"]])
    return tiles + gates.SerializeToString()


def _printed_tiles(board: Board) -> bytes:
    return _tiles(board, {})


def _tiles(board: Board, types: Mapping[str, str]) -> bytes:
    tiles = [_placed_to(placed, types) for placed in board_view(board)]
    return views_pb2.SeatView(alhambra=tiles).SerializeToString()


def _placed_to(shown: Mapping[str, Any], types: Mapping[str, str]) -> views_pb2.PlacedTile:
    """Return a tile of an Alhambra from what `board_view` shows. Its wooden walls are turned with the tile."""
    tile, cell = shown["tile"], shown["cell"]
    plain = _plain_tile(tile, cell["x"], cell["y"], shown.get("rotation"), types.get(tile))
    if "wooden_walls" not in shown:
        return plain
    message = views_pb2.PlacedTile()
    message.CopyFrom(plain)
    for wall in shown["wooden_walls"]:
        message.wooden_walls.append(edge_to((wall["cell"]["x"], wall["cell"]["y"]), wall["side"]))
    return message


@lru_cache(limits.PLACED_TILES_KEPT)
def _plain_tile(tile: str, x: int, y: int, rotation: int | None, kind: str | None) -> views_pb2.PlacedTile:
    """Return a tile without wooden walls. The message is cached: copy it, never change it."""
    return views_pb2.PlacedTile(
        tile=tile, cell=nouns_pb2.Cell(x=x, y=y), type=number_of("type", kind), rotation=rotation
    )


# -- Modules ---------------------------------------------------------------------------------------------------------


def module_to(shown: ModuleView) -> views_pb2.ModuleView:
    """Return what a module shows: its pieces, which a client can draw by their kinds and nouns, and its facts."""
    message = views_pb2.ModuleView()
    for name, fact in shown.facts.items():
        set_value(message.facts[name], fact)
    for seen in shown.pieces:
        piece = message.pieces.add(kind=seen["kind"])
        put_facts(piece, {noun: value for noun, value in seen.items() if noun != "kind"})
    return message


# -- Fairness, result, orders ------------------------------------------------------------------------------------------


def _put_fairness(message: views_pb2.Fairness, loaded: LoadedGame) -> None:
    stored, game = loaded.stored, loaded.game
    message.seed_given, message.link = loaded.seed_given, stored.link
    if game is None:
        message.entropy_awaited.extend(loaded.entropy_awaited)
    elif loaded.over:
        message.secret, message.seed = stored.secret.hex(), game.options.seed
        message.entropies.extend(entropy.hex() for entropy in loaded.entropies)


def _result(game: Game, ranking: Iterable[Mapping[str, int]]) -> views_pb2.Result:
    scores = game.scores
    message = views_pb2.Result(because=_ended_because(game))
    for place in ranking:
        message.ranking.add(seat=place["seat"], place=place["place"], score=scores[place["seat"]])
    message.winners.extend(place.seat for place in message.ranking if place.place == 1)
    if len(message.winners) > 1:
        message.tie = game.options.rules["win_tie"]
    return message


def _ended_because(game: Game) -> str:
    """Return why the game ended, in the word that the event `game_ended` has."""
    if not game.state.ranking:
        return "turn_limit"
    playing = sum(not seat.resigned for seat in game.state.seats)
    return "scored" if playing > 1 else "resigned"


def order_to(order: Order) -> views_pb2.Order:
    """Return a standing order as a message."""
    return views_pb2.Order(
        decision=order.decision,
        answer=order.answer,
        unless_types=[number_of("type", word) for word in order.unless_types],
        unless_currencies=[number_of("currency", word) for word in order.unless_currencies],
        unless_slots=order.unless_slots,
        until=_UNTIL[order.until],
    )


def timestamp(milliseconds: int) -> Timestamp:
    """Return a time given in milliseconds of Unix time as a message."""
    return Timestamp(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000)
