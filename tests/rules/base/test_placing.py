"""Placing pending tiles, and the construction rules with every violation told apart."""

from __future__ import annotations

import pytest

from alhambra import Game, Move
from tests.rules.situations import (
    alhambra,
    codes,
    events_of,
    fact,
    hand,
    legal,
    market,
    play,
    refused,
    table,
)

RING = {
    (1, 0): "pavilion-8",
    (1, 1): "seraglio-9",
    (1, 2): "arcades-9",
    (0, 2): "arcades-10",
    (-1, 2): "chambers-10",
}
"""Around (0, 1) on three sides, the fountain included; a tile on (-1, 1) would close it in."""


def pending(*tiles: str, board: dict[tuple[int, int], str] | None = None, seats: int = 3) -> Game:
    """Seat 0 has bought these tiles and is to place them."""
    game = table(seats)
    if board:
        alhambra(game, 0, board)
    for currency, tile in zip(("gulden", "denar"), tiles, strict=False):
        market(game, **{currency: tile})
        price = game.ruleset.tiles[tile].price
        assert price is not None
        last = tile == tiles[-1]
        cards = [f"{currency}-{price // 2 + last}", f"{currency}-{price - price // 2}"]
        hand(game, 0, *cards)
        play(game, f"buy market-{currency}", cards=tuple(sorted(cards)))
    assert game.decision is not None
    assert game.decision.kind == "place_tiles"
    return game


@pytest.mark.rule("00.28", "00.38")
def test_a_pending_tile_is_built_next_to_the_fountain() -> None:
    game = pending("garden-10")
    events = play(game, "place garden-10 @0,-1")
    assert events_of(events, "placed") == [{"seat": 0, "tile": "garden-10", "cell": (0, -1)}]
    assert game.state.seats[0].board.placed["garden-10"][1:3] == (0, -1)
    assert game.state.seats[0].pending == ()


@pytest.mark.rule("00.28")
def test_nobody_has_to_build_even_where_it_is_possible() -> None:
    game = pending("garden-10")
    events = play(game, "reserve garden-10")
    assert events_of(events, "reserved") == [{"seat": 0, "tile": "garden-10"}]
    assert game.state.seats[0].reserve == ("garden-10",)


@pytest.mark.rule("00.28")
def test_pending_tiles_must_be_placed_before_the_turn_ends() -> None:
    game = pending("garden-10")
    faults = refused(game, "pass")
    assert codes(faults) == ["PASS_REFUSED"]
    assert fact(faults, "PASS_REFUSED") == {"decision": "place_tiles"}


@pytest.mark.rule("00.28")
@pytest.mark.parametrize("first", ["garden-10", "garden-11"])
def test_pending_tiles_are_placed_in_any_order(first: str) -> None:
    game = pending("garden-10", "garden-11")
    other = {"garden-10": "garden-11", "garden-11": "garden-10"}[first]
    play(game, f"place {first} @1,0")
    play(game, f"reserve {other}")
    assert game.decision is not None
    assert game.decision.seat == 1


@pytest.mark.rule("00.29")
def test_each_build_is_checked_against_the_alhambra_of_that_moment() -> None:
    game = pending("garden-10", "garden-11")
    assert not legal(game, "place garden-11 @2,0")
    play(game, "place garden-10 @1,0")
    assert legal(game, "place garden-11 @2,0")


@pytest.mark.rule("00.52")
def test_only_with_two_players_a_tile_can_be_given_to_dirk() -> None:
    faults = refused(pending("garden-10"), "give_to_dirk garden-10")
    assert fact(faults, "NOT_ELIGIBLE") == {"tile": "garden-10", "for": "dirk"}


@pytest.mark.rule("00.7")
def test_the_reserve_has_no_limit() -> None:
    game = pending("garden-10")
    owner = game.state.seats[0]
    owner.reserve = tuple(tile for tile in game.state.tower[:40])
    play(game, "reserve garden-10")
    assert len(owner.reserve) == 41


@pytest.mark.rule("00.28")
def test_only_a_pending_tile_can_be_placed() -> None:
    game = pending("garden-10")
    assert fact(refused(game, "place garden-11 @1,0"), "NOT_THERE") == {"id": "garden-11", "place": "pending"}
    assert fact(refused(game, "reserve garden-11"), "NOT_THERE") == {"id": "garden-11", "place": "pending"}
    unknown = refused(game, Move("place", "garden-99", cell=(1, 0)))
    assert codes(unknown) == ["ID_UNKNOWN"]
    assert fact(unknown, "ID_UNKNOWN") == {"id": "garden-99"}


@pytest.mark.rule("00.28", "99.67")
def test_the_reserve_board_has_no_places_to_name() -> None:
    faults = refused(pending("garden-10"), "reserve garden-10", slot="personal-0-denar")
    assert (codes(faults), faults[0].noun) == (["NOUN_UNEXPECTED"], "slot")


# -- Construction rules ----------------------------------------------------------------------------------------------


@pytest.mark.rule("00.35")
def test_tiles_lie_upright_and_are_not_rotated() -> None:
    faults = refused(pending("garden-9-e"), "place garden-9-e @1,0", rotation=90)
    assert fact(faults, "ROTATION_REFUSED") == {"rotation": 90}


@pytest.mark.rule("00.36")
def test_a_wall_may_not_meet_an_open_side() -> None:
    game = pending("garden-9-e")
    faults = refused(game, "place garden-9-e @-1,0")
    assert codes(faults) == ["EDGE_MISMATCH", "NOT_REACHABLE"]
    assert fact(faults, "EDGE_MISMATCH") == {"cell": [-1, 0], "side": "E", "neighbour": "start-0"}
    assert faults[0].noun == "cell"


@pytest.mark.rule("00.36")
def test_every_mismatched_side_is_reported() -> None:
    game = pending("garden-8-nw", board={(1, 0): "garden-10", (1, -1): "garden-11", (0, -1): "tower-11"})
    game.state.seats[0].board.remove("garden-10")
    faults = refused(game, "place garden-8-nw @1,0")
    assert [
        (fault.metadata["side"], fault.metadata["neighbour"]) for fault in faults if fault.code == "EDGE_MISMATCH"
    ] == [
        ("N", "garden-11"),
        ("W", "start-0"),
    ]


@pytest.mark.rule("00.36")
def test_two_walls_may_meet_if_there_is_another_way_in() -> None:
    board = {(1, 0): "garden-9-e", (1, 1): "garden-10", (2, 1): "garden-11"}
    game = pending("tower-10-w", board=board)
    assert legal(game, "place tower-10-w @2,0")


@pytest.mark.rule("00.37")
def test_a_tile_behind_walls_only_cannot_be_reached_on_foot() -> None:
    game = pending("tower-10-w", board={(1, 0): "garden-9-e"})
    faults = refused(game, "place tower-10-w @2,0")
    assert codes(faults) == ["NOT_REACHABLE"]
    assert fact(faults, "NOT_REACHABLE") == {"tiles": ["tower-10-w"]}


@pytest.mark.rule("00.38")
def test_a_tile_must_share_an_edge_with_the_alhambra() -> None:
    game = pending("garden-10")
    for cell in ("1,1", "2,0", "-1,-1", "100,-100"):
        faults = refused(game, f"place garden-10 @{cell}")
        assert codes(faults) == ["NO_CONTACT"]
        assert fact(faults, "NO_CONTACT") == {"cell": [int(at) for at in cell.split(",")]}


@pytest.mark.rule("00.38")
def test_a_taken_cell_is_refused() -> None:
    faults = refused(pending("garden-10"), "place garden-10 @0,0")
    assert codes(faults) == ["PLACE_TAKEN"]
    assert fact(faults, "PLACE_TAKEN") == {"cell": [0, 0]}


@pytest.mark.rule("00.39")
def test_no_empty_area_may_be_enclosed() -> None:
    wider = {(1, 0): "pavilion-8", (1, 1): "seraglio-9", (1, 2): "arcades-9", (1, 3): "arcades-10"}
    game = pending("garden-10", board={**wider, (0, 3): "chambers-10", (-1, 3): "chambers-11", (-1, 2): "garden-11"})
    faults = refused(game, "place garden-10 @-1,1")
    assert codes(faults) == ["HOLE"]
    assert fact(faults, "HOLE") == {"cells": [[0, 1], [0, 2]]}


@pytest.mark.rule("00.102")
def test_an_area_with_no_way_out_but_across_a_corner_is_enclosed_too() -> None:
    game = pending("garden-10", board=RING)
    # (-1, 0) stays empty and touches (0, 1) at a corner: that is no way out.
    faults = refused(game, "place garden-10 @-1,1")
    assert codes(faults) == ["HOLE"]
    assert fact(faults, "HOLE") == {"cells": [[0, 1]]}


def test_several_violations_are_reported_at_once() -> None:
    game = pending("garden-10-w", board={**RING, (-2, 2): "garden-11", (-2, 1): "tower-11"})
    faults = refused(game, "place garden-10-w @-1,1")
    assert codes(faults) == ["EDGE_MISMATCH", "HOLE"]
    assert fact(faults, "EDGE_MISMATCH") == {"cell": [-1, 1], "side": "W", "neighbour": "tower-11"}
    assert fact(faults, "HOLE") == {"cells": [[0, 1]]}


@pytest.mark.rule("00.39")
def test_filling_an_open_inlet_encloses_nothing() -> None:
    assert legal(pending("garden-10", board=RING), "place garden-10 @0,1")


@pytest.mark.rule("00.28")
@pytest.mark.parametrize("tile", ["garden-10", "garden-9-e", "tower-7-new", "chambers-5-nsw"])
def test_the_places_listed_are_exactly_those_that_verify(tile: str) -> None:
    game = pending(tile, board=RING)
    listed = {found.cell for found in game.moves() if found.verb == "place"}
    for x in range(-4, 5):
        for y in range(-4, 5):
            assert ((x, y) in listed) == (not game.verify(Move("place", tile, cell=(x, y))))
