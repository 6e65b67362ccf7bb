"""A view holds what the rules show to its viewer and what the service may tell, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from alhambra import Game, Options, commitment, known_modules
from alhambra.base.auction import Auction
from alhambra.boards import marks_on_cells
from alhambra_api.v1 import views_pb2
from alhambra_service.games.automatic.orders import Order
from alhambra_service.games.loaded_game import LoadedGame, Proposal, SeatHolder, Seats
from alhambra_service.messages.nouns import word_of
from alhambra_service.messages.translate import view_to
from alhambra_service.store import StoredGame
from tests.service.random_games import SAMPLED, SECRET, as_read, as_told, facts_read, games, json_ready, played, seated

GAME_ID = "abcdefghijkl"


def views(game: Game) -> Iterator[tuple[int | None, views_pb2.View]]:
    loaded = seated(game)
    for viewer in (None, *range(len(game.state.seats))):
        yield viewer, view_to(loaded, viewer, game_id=GAME_ID)


def test_a_view_tells_what_the_rules_show() -> None:
    for recorded in games():
        for game, _ in recorded[::SAMPLED]:
            for viewer, message in views(game):
                shown = json_ready(game.view(viewer))
                assert message.HasField("viewer") == (viewer is not None)
                assert (message.phase, message.ruleset) == (shown["phase"], shown["ruleset"])
                assert list(message.turn.taken_actions) == shown["turn"]["taken_actions"]
                assert list(message.turn.used) == shown["turn"]["used"]
                assert _decision(message) == shown["decision"]
                assert _loaded(message) == shown["table"]
                assert [_seat(seat) for seat in message.seats] == [_as_sent(seat) for seat in shown["seats"]]
                told = {key: facts_read(module.facts) for key, module in message.modules.items()}
                assert {key: facts for key, facts in told.items() if facts} == {
                    key: facts for key, facts in shown["slices"].items() if facts
                }
                for key, pieces in shown["pieces"].items():
                    assert [as_read(piece) for piece in message.modules[key].pieces] == [
                        as_told({noun: value for noun, value in piece.items() if noun != "kind"}) for piece in pieces
                    ]
                    assert [piece.kind for piece in message.modules[key].pieces] == [piece["kind"] for piece in pieces]


def _decision(message: views_pb2.View) -> dict[str, Any] | None:
    if not message.HasField("decision"):
        return None
    asked = message.decision
    found = {"kind": asked.kind, "seat": asked.seat, "context": facts_read(asked.context)}
    if asked.verbs:
        found["verbs"] = list(asked.verbs)
    if asked.private_context:
        found["private"] = facts_read(asked.private_context)
    return found


def _loaded(message: views_pb2.View) -> dict[str, Any]:
    loaded = message.table
    found: dict[str, Any] = {
        "market": {space.slot: space.tile for space in loaded.market},
        "display": list(loaded.display),
        "deck": loaded.deck_count,
        "discard": loaded.discard_count,
        "tower": loaded.tower_count,
        "scorings_due": list(loaded.scorings_due),
        "scorings_held": list(loaded.scorings_held),
        "first_seat": loaded.first_seat,
        "next_seat": None if message.status == views_pb2.GAME_STATUS_OVER else loaded.next_seat,
        "auction": _auction(loaded.auction) if loaded.HasField("auction") else None,
    }
    if loaded.beside:
        found["beside"] = {stack.slot: list(stack.tiles) for stack in loaded.beside}
    if loaded.covered:
        found["covered"] = list(loaded.covered)
    if loaded.HasField("dirk"):
        found["dirk"] = {"tiles": list(loaded.dirk.tiles), "score": loaded.dirk.score}
    return found


def _auction(auction: views_pb2.Auction) -> dict[str, Any]:
    found: dict[str, Any] = {
        "piece": auction.piece,
        "bids": [[bid.seat, bid.amount] for bid in auction.bids],
        "out": list(auction.out),
    }
    return {**found, "most_payable": auction.most_payable} if auction.HasField("most_payable") else found


def _seat(seat: views_pb2.SeatView) -> dict[str, Any]:
    found = {
        "name": seat.name,
        "colour": seat.colour,
        "score": seat.score,
        "resigned": seat.resigned,
        "alhambra": [_placed(placed) for placed in seat.alhambra],
        "gates": sorted([edge.cell.x, edge.cell.y, word_of("side", edge.side)] for edge in seat.gates),
        "reserve": list(seat.reserve),
        "pending": list(seat.pending),
        "hand_count": seat.hand_count,
    }
    return {**found, "hand": list(seat.hand)} if seat.hand else found


def _as_sent(shown: dict[str, Any]) -> dict[str, Any]:
    """An empty hand is no field."""
    found = {name: value for name, value in shown.items() if name != "hand" or value}
    return {**found, "gates": sorted(shown["gates"])}


def _placed(placed: views_pb2.PlacedTile) -> dict[str, Any]:
    found: dict[str, Any] = {"tile": placed.tile, "cell": {"x": placed.cell.x, "y": placed.cell.y}}
    if placed.HasField("rotation"):
        found["rotation"] = placed.rotation
    if placed.wooden_walls:
        edges = [(wall.cell.x, wall.cell.y, word_of("side", wall.side)) for wall in placed.wooden_walls]
        found["wooden_walls"] = [{"cell": {"x": x, "y": y}, "side": side} for x, y, side in edges]
    return found


# -- What is hidden ----------------------------------------------------------------------------------------------------


def as_bytes(message: views_pb2.View) -> bytes:
    return message.SerializeToString(deterministic=True)


def test_a_view_is_the_same_where_everything_hidden_from_its_viewer_is_dealt_anew() -> None:
    rng = Random("twins")
    for recorded in games():
        for game, _ in recorded[:: 3 * SAMPLED]:
            loaded = seated(game)
            for viewer in (None, *range(len(game.state.seats))):
                sample = replace(loaded, game=game.determinize(viewer, rng))
                mine, other = (as_bytes(view_to(one, viewer, game_id=GAME_ID)) for one in (loaded, sample))
                assert mine == other


def test_a_spectator_sees_no_more_than_every_seat_does() -> None:
    for recorded in games():
        for game, _ in recorded[::SAMPLED]:
            if game.over:
                continue
            seen = dict(views(game))
            spectator = seen[None]
            assert not any(seat.hand for seat in spectator.seats)
            assert not spectator.decision.verbs and not spectator.decision.private_context
            assert not spectator.can_undo and not spectator.orders
            for viewer, message in seen.items():
                assert [seat.seat for seat in message.seats if seat.hand] in ([], [viewer])
                if viewer != game.state.decision.seat if game.state.decision else True:
                    assert not message.decision.verbs and not message.decision.private_context


def test_an_auction_shows_bids_to_everybody_and_what_one_could_bid_to_oneself() -> None:
    game = Game.new(Options(3, "hammer"))
    game.state.auction = Auction("garden-9-s", "won", "unsold", bids=((1, 2), (2, 5)), out=(0,))
    for viewer, message in views(game):
        told = message.table.auction
        assert (told.piece, list(told.out)) == ("garden-9-s", [0])
        assert [(bid.seat, bid.amount) for bid in told.bids] == [(1, 2), (2, 5)]
        assert told.HasField("most_payable") == (viewer is not None)
        if viewer is not None:
            assert told.most_payable == game.view(viewer)["table"]["auction"]["most_payable"] > 0
    game.state.auction = None
    assert not any(message.table.HasField("auction") for _, message in views(game))


def test_what_is_used_up_in_a_turn_is_told() -> None:
    game = Game.new(Options(2, "used"))
    game.state.used = ("juggler", "beggar")
    assert list(view_to(seated(game), None, game_id=GAME_ID).turn.used) == ["juggler", "beggar"]


def test_secret_seed_and_entropies_are_told_after_the_end_only() -> None:
    recorded = games()[2]
    last = recorded[-1][0]
    assert last.over
    for game in (recorded[0][0], recorded[len(recorded) // 2][0]):
        for _, message in views(game):
            assert message.fairness.commitment == commitment(SECRET)
            assert not message.fairness.secret and not message.fairness.seed and not message.fairness.entropies
            assert SECRET not in as_bytes(message) and SECRET.hex().encode() not in as_bytes(message)
    for _, message in views(last):
        assert (message.fairness.secret, message.fairness.seed) == (SECRET.hex(), "base")
        assert len(message.fairness.entropies) == 3


def test_orders_and_the_right_to_undo_are_told_to_their_own_seat() -> None:
    game = Game.new(Options(2, "orders", modules=["thieves"]))
    asked = game.decision
    assert asked is not None
    game.apply(game.random_move(Random(1)))
    loaded = seated(game, proposal=Proposal(1, 4, (0,)))
    loaded = replace(loaded, orders=((Order("window", "pass"),), ()))
    own, other, spectator = (view_to(loaded, viewer, game_id=GAME_ID) for viewer in (0, 1, None))
    assert [order.decision for order in own.orders] == ["window"]
    assert not other.orders and not spectator.orders
    assert not spectator.can_undo
    for message in (own, other, spectator):
        assert (message.undo_proposal.seat, list(message.undo_proposal.waiting_for)) == (1, [0])


# -- What the service adds ---------------------------------------------------------------------------------------------


def test_a_game_that_waits_for_its_seats_shows_the_agreement_and_who_sits_where() -> None:
    options = Options(["Ada", {"colour": "green", "age": 9}], "undealt", modules=["squares"])
    record = replace(StoredGame.new(created=0, secret=SECRET), options=options.as_dict())
    seats = Seats((SeatHolder("Ada", "white", None, "claimed"), SeatHolder("Player 2", "green", 9)))
    message = view_to(LoadedGame(record, options, None, seats, ((), ()), turn_seconds=60), None, game_id=GAME_ID)
    assert (message.game, message.version, message.status) == (GAME_ID, 0, views_pb2.GAME_STATUS_WAITING)
    assert [seat.occupancy for seat in message.seats] == [views_pb2.OCCUPANCY_CLAIMED, views_pb2.OCCUPANCY_OPEN]
    assert [seat.HasField("age") for seat in message.seats] == [False, True]
    assert not any(message.HasField(field) for field in ("turn", "decision", "table", "result"))
    assert list(message.setup.modules) == ["squares"]
    assert facts_read(message.setup.options) == json_ready(dict(options.rules))
    assert (message.setup.turn_limit, message.setup.turn_seconds) == (1_000, 60)
    assert b"undealt" not in as_bytes(message)


def test_the_open_decision_has_the_version_it_was_opened_with_and_its_deadline() -> None:
    loaded = seated(Game.new(Options(2, "deadline")), since=5, deadline=1_500)
    decision = view_to(loaded, None, game_id=GAME_ID).decision
    assert (decision.since_version, decision.deadline.seconds, decision.deadline.nanos) == (5, 1, 500_000_000)
    loaded = replace(loaded, deadline=None)
    assert not view_to(loaded, None, game_id=GAME_ID).decision.HasField("deadline")


def test_the_result_tells_places_scores_and_winners() -> None:
    game, events = games()[2][-1]
    told = events[-1].public
    message = view_to(seated(game), None, game_id=GAME_ID)
    assert message.status == views_pb2.GAME_STATUS_OVER
    assert not message.HasField("decision")
    places = [(place.seat, place.place) for place in message.result.ranking]
    assert places == list(told["ranking"])
    assert [place.score for place in message.result.ranking] == [game.scores[seat] for seat, _ in places]
    assert (message.result.because, list(message.result.winners)) == ("scored", list(told["winners"]))
    assert message.result.tie == (told["tie"] or "")
    assert all(seat.hand_count == len(seat.hand) for seat in message.seats)


def test_the_result_says_why_the_game_ended() -> None:
    stopped = Game.new(Options(2, "stop", turn_limit=1))
    rng = Random(0)
    events = stopped.events
    while not stopped.over:
        events = stopped.apply(stopped.random_move(rng))
    resigned = Game.new(Options(2, "leave"))
    left = resigned.resign(1)
    for game, told in ((stopped, events[-1].public), (resigned, left[-1].public)):
        result = view_to(seated(game), None, game_id=GAME_ID).result
        assert (result.because, list(result.winners)) == (told["because"], list(told["winners"]))


def test_what_stands_on_cells_is_told_as_pieces_once_everybody_sees_it() -> None:
    found = set()
    for game, _ in games()[1][::SAMPLED]:
        for viewer, message in views(game):
            pieces = message.modules["street_trader"].pieces
            marks = [(seat, cell) for seat in range(4) for cell in _marks(game, seat)]
            standing = [piece for piece in pieces if piece.HasField("cell")]
            told = [(piece.seat, (piece.cell.x, piece.cell.y)) for piece in standing]
            # Before the discs are shown to everybody, a seat sees where it has laid its own.
            assert [place for place in told if place in marks or place[0] != viewer] == marks, viewer
            found |= {piece.kind for piece in standing}
    assert "disc" in found


def _marks(game: Game, seat: int) -> list[tuple[int, int]]:
    return sorted(marks_on_cells(game, seat))


@pytest.mark.parametrize("key", known_modules())
def test_every_module_shows_itself_under_its_key(key: str) -> None:
    (game, _), *_ = played(3, "alone", [key], most=1)
    shown = view_to(seated(game), 0, game_id=GAME_ID).modules
    view = game.view(0)
    assert set(shown) == {*view["slices"], *view["pieces"]}


def test_tiles_beside_the_market_and_covered_tiles_are_shown() -> None:
    game = Game.new(Options(3, "beside"))
    bare = view_to(seated(game), None, game_id=GAME_ID).table
    assert not bare.beside and not bare.covered
    tile = game.state.tower[-1]
    game.state.beside, game.state.covered = {"beside-1": (tile,)}, (tile,)
    table = view_to(seated(game), None, game_id=GAME_ID).table
    assert [(stack.slot, list(stack.tiles)) for stack in table.beside] == [("beside-1", [tile])]
    assert list(table.covered) == [tile]


def test_the_open_question_has_a_text_in_the_language_asked_for() -> None:
    game = Game.new(Options(["Ada", "Béla", "Cili"], "question"))
    assert not view_to(seated(game), 0, game_id=GAME_ID).decision.text
    english, german = (view_to(seated(game), 0, game_id=GAME_ID, language=word).decision.text for word in ("en", "de"))
    assert english and german and english != german


def test_what_never_changes_can_be_left_out() -> None:
    loaded = seated(Game.new(Options(3, "whole")))
    whole, short = (view_to(loaded, 0, game_id=GAME_ID, whole=one) for one in (True, False))
    assert whole.HasField("setup") and whole.ruleset and whole.fairness.commitment
    assert not short.HasField("setup") and not short.ruleset and not short.fairness.commitment
    assert short.fairness.link == whole.fairness.link
