"""Standing orders: answered at once with ordinary moves, known to their own seat alone."""

from functools import partial
from random import Random
from typing import Any

import pytest

from alhambra import Game as RulesGame
from alhambra import Move, Options, verify_export
from alhambra.events import Event
from alhambra_api.v1 import events_pb2, games_pb2, moves_pb2, views_pb2
from alhambra_service.games.automatic.orders import Order, about, answer, in_force
from alhambra_service.games.loaded_game import decode

from .playing import Game, Host, NotAsked, Seat, failure, play, random_move, refused
from .serving import GameServer

MODULES = ["thieves", "viziers_favour"]
PASS_WINDOWS = views_pb2.Order(decision="window", answer="pass")


def with_orders(host: Host, *orders: views_pb2.Order, seats: int = 2) -> Game:
    game = host.create(seats, modules=MODULES, seed="thieves in the night")
    game.seats[1].set_orders(*orders)
    return game


def past(seat: Seat | Game) -> list[events_pb2.Event]:
    """Everything that happened, as the seat saw it."""
    request = games_pb2.GetGameRequest(game=seat.game.id if isinstance(seat, Seat) else seat.id, log_tail=200)
    answer = seat.call("GetGame", request) if isinstance(seat, Seat) else seat.stub.GetGame(request)
    return list(answer.log_tail)


def test_an_order_answers_at_once_and_goes_in_with_the_move(host: Host) -> None:
    game = with_orders(host, PASS_WINDOWS)
    kinds = set()
    jumps = 0
    view = game.view()
    rng = Random(1)
    for _ in range(120):
        if view.status == views_pb2.GAME_STATUS_OVER:
            break
        kinds.add((view.decision.seat, view.decision.kind))
        seat = game.seats[view.decision.seat]
        move, version = random_move(seat, view.version, rng)
        view = seat.apply(move, version).view
        jumps += view.version > version + 1
    assert (0, "window") in kinds
    assert (1, "window") not in kinds
    assert jumps


def test_only_the_own_seat_is_told_that_an_order_answered(host: Host) -> None:
    game = with_orders(host, PASS_WINDOWS)
    own: list[events_pb2.Event] = []
    others: list[events_pb2.Event] = []
    view = game.view()
    rng = Random(2)
    for _ in range(60):
        seat = game.seats[view.decision.seat]
        move, version = random_move(seat, view.version, rng)
        answer = seat.apply(move, version)
        (own if seat.number == 1 else others).extend(answer.events)
        view = answer.view
    assert not any(event.private_part.by_order for event in others)
    told = [event for event in past(game.seats[1]) if event.private_part.by_order]
    assert told
    assert all(event.seat == 1 for event in told)
    for seen in (past(game.seats[0]), past(game)):
        assert not any(event.HasField("private_part") and event.private_part.by_order for event in seen)
        assert [event.id for event in seen] == [event.id for event in past(game.seats[1])]


def test_orders_are_seen_by_their_seat_alone(host: Host) -> None:
    game = with_orders(host, PASS_WINDOWS)
    assert list(game.seats[1].view().orders) == [
        views_pb2.Order(decision="window", answer="pass", until=views_pb2.ORDER_UNTIL_REVOKED)
    ]
    assert not game.seats[0].view().orders
    assert not game.view().orders


def test_a_game_with_orders_replays_without_them(host: Host, game_server: GameServer) -> None:
    game = host.create(3, modules=MODULES)
    for seat in game.seats.values():
        seat.set_orders(PASS_WINDOWS)
    view = play(game, Random(3))
    assert view.status == views_pb2.GAME_STATUS_OVER
    assert decode(game_server.store.read_game(game.id)).by_order
    assert verify_export(game.export()).ok


def test_setting_an_order_answers_the_open_decision(host: Host) -> None:
    game = with_orders(host)
    view = game.view()
    rng = Random(1)
    while (view.decision.seat, view.decision.kind) != (1, "window"):
        seat = game.seats[view.decision.seat]
        move, version = random_move(seat, view.version, rng)
        view = seat.apply(move, version).view
        assert view.status == views_pb2.GAME_STATUS_RUNNING
    answer = game.seats[1].set_orders(PASS_WINDOWS, request_id="orders")
    assert answer.version > view.version
    assert answer.events[0].kind == "passed"
    assert answer.events[0].private_part.by_order
    again = game.seats[1].set_orders(PASS_WINDOWS, request_id="orders")
    assert (again.version, list(again.events)) == (answer.version, list(answer.events))


def test_orders_that_cannot_be_given_are_refused(host: Host) -> None:
    game = host.create(2, modules=["thieves"])
    seat = game.seats[0]
    order = views_pb2.Order
    bad: list[list[views_pb2.Order]] = [
        [order(decision="place_tiles", answer="pass")],
        [order(decision="claim", answer="pass")],  # not in this game
        [order(decision="window", answer="steal")],
        [order(decision="window", answer="pass", until=99)],  # type: ignore[arg-type]
        [order(decision="window", answer="pass", unless_types=[99])],  # type: ignore[list-item]
        [PASS_WINDOWS, PASS_WINDOWS],
    ]
    for orders in bad:
        assert refused(partial(seat.set_orders, *orders)) == "REQUEST_MALFORMED"
    many = [order(decision=f"window {n}", answer="pass") for n in range(60)]
    assert failure(lambda: seat.set_orders(*many)).info.metadata["what"] == "orders"
    assert not seat.view().orders


# -- What orders look at -----------------------------------------------------------------------------------------------


def asking(kind: str, **context: Any) -> RulesGame:
    """A game that waits for a decision of this kind."""
    game = RulesGame.new(Options(2, "orders", modules=("thieves", "viziers_favour", "power_of_the_sultan")))
    game.state.decision = None
    game.ask(kind, 0, **context)
    return game


def test_an_exception_is_about_what_lies_open() -> None:
    game = asking("window")
    market = [game.ruleset.tiles[tile].parts[0].type for tile in game.state.market]
    decision = game.decision
    assert decision is not None
    assert set(market) <= set(about(game, decision))
    assert "market-denar" in about(game, decision)
    lying = market[0]
    assert lying is not None
    assert answer(game, ((Order("window", "pass", unless_types=(lying,)),), ())) is None
    assert answer(game, ((Order("window", "pass", unless_slots=("market-gulden",)),), ())) is None
    absent = next(kind for kind in ("pavilion", "seraglio", "arcades", "tower", "garden") if kind not in market)
    assert answer(game, ((Order("window", "pass", unless_types=(absent,)),), ())) == Move("pass")


def test_what_orders_look_at_does_not_depend_on_hands() -> None:
    game = asking("window")
    decision = game.decision
    assert decision is not None
    before = list(about(game, decision))
    for seat in game.state.seats:
        seat.hand = ()
    assert list(about(game, decision)) == before


@pytest.mark.parametrize(
    ("until", "kind", "seat", "left"),
    [
        ("my_turn", "turn_began", 0, False),
        ("my_turn", "turn_began", 1, True),
        ("scoring", "scoring_began", None, False),
        ("end", "end_began", None, False),
        ("revoked", "end_began", None, True),
        ("end", "scoring_began", None, True),
    ],
)
def test_an_order_ends_with_what_everybody_sees(until: str, kind: str, seat: int | None, left: bool) -> None:
    orders = ((Order("window", "pass", until=until),), ())
    event = Event(kind, {"seat": seat}, None, 1, 0)
    assert bool(in_force(orders, [event])[0]) is left


def test_an_order_survives_being_stored() -> None:
    order = Order("claim", "pass", ("garden",), ("denar",), ("market-denar",), "scoring")
    assert Order.read(order.as_dict()) == order


def test_an_order_until_the_own_turn_is_gone_after_it_began(host: Host) -> None:
    game = with_orders(host, views_pb2.Order(decision="window", answer="pass", until=views_pb2.ORDER_UNTIL_MY_TURN))
    view = game.view()
    turn, rng = view.turn.number, Random(4)
    for _ in range(40):
        seat = game.seats[view.decision.seat]
        if view.turn.seat == 1 and view.turn.number > turn:
            break
        move, version = random_move(seat, view.version, rng)
        view = seat.apply(move, version).view
    assert not game.seats[1].view(view.version).orders


def test_a_seat_that_is_not_asked_gets_an_empty_list(host: Host) -> None:
    game = host.create(2)
    other = game.seats[1 - game.view().decision.seat]
    with pytest.raises(NotAsked):
        random_move(other, 0, Random(0))
    assert other.moves().total == 0
    assert not other.moves(payments=moves_pb2.PAYMENTS_ALL).offers
