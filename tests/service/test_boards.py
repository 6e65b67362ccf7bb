"""Boards sent in a request are judged and scored as the rules judge and score those of a game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import grpc
import pytest

from alhambra import Event, Game, Options, known_modules
from alhambra.base.build import Build, verify_build
from alhambra.components import TYPES
from alhambra_api.v1 import boards_pb2, nouns_pb2, service_pb2_grpc, views_pb2
from alhambra_service.boards.placements import message_judge, placement_faults
from alhambra_service.boards.sent_boards import lay_out
from alhambra_service.messages.nouns import number_of, word_of
from alhambra_service.messages.translate import view_to
from tests.service.doors import ask, stateless_server
from tests.service.playing import failure, refused
from tests.service.random_games import facts_read, games, json_ready, played, seated

GAME_ID = "abcdefghijkl"
ODD_BOARDS = ["city_walls", "military_camps", "watchtowers", "major_construction_projects"]
FROM_BOARDS = ("majority", "wall", "camp", "wall_watchtowers")
"""The reasons for which the modules that exist score what lies in the Alhambras."""


@pytest.fixture(scope="module")
def boards() -> Iterator[service_pb2_grpc.BoardServiceStub]:
    with stateless_server() as channel:
        yield service_pb2_grpc.BoardServiceStub(channel)


def placed(tile: str, x: int, y: int, rotation: int | None = None, walls: str = "") -> views_pb2.PlacedTile:
    cell = nouns_pb2.Cell(x=x, y=y)
    edges = [nouns_pb2.Edge(cell=cell, side=number_of("side", side)) for side in walls]
    return views_pb2.PlacedTile(tile=tile, cell=cell, rotation=rotation, wooden_walls=edges)


def board(*tiles: views_pb2.PlacedTile, gates: tuple[tuple[int, int, str], ...] = ()) -> boards_pb2.Board:
    edges = [nouns_pb2.Edge(cell=nouns_pb2.Cell(x=x, y=y), side=number_of("side", side)) for x, y, side in gates]
    return boards_pb2.Board(tiles=tiles, gates=edges)


def placement(tile: str, x: int, y: int, **more: Any) -> boards_pb2.Placement:
    return boards_pb2.Placement(tile=tile, cell=nouns_pb2.Cell(x=x, y=y), **more)


def judged(
    stub: service_pb2_grpc.BoardServiceStub,
    lying: boards_pb2.Board,
    wanted: boards_pb2.Placement,
    *modules: str,
    language: str | None = None,
) -> boards_pb2.ValidateBoardPlacementResponse:
    request = boards_pb2.ValidateBoardPlacementRequest(
        board=lying, placement=wanted, rules=boards_pb2.BoardRules(modules=modules)
    )
    answer: boards_pb2.ValidateBoardPlacementResponse = ask(stub.ValidateBoardPlacement, request, language)
    assert answer.legal == (not answer.violations)
    return answer


def codes(answer: boards_pb2.ValidateBoardPlacementResponse) -> list[str]:
    return [violation.code for violation in answer.violations]


# -- Placements --------------------------------------------------------------------------------------------------------


def test_a_tile_may_be_built_beside_the_fountain(boards: service_pb2_grpc.BoardServiceStub) -> None:
    assert judged(boards, board(), placement("garden-8-sw", 1, -1 + 1)).violations[0].code == "EDGE_MISMATCH"
    assert judged(boards, board(), placement("garden-8-ne", 1, 0)).legal
    assert judged(boards, board(placed("start-3", 0, 0)), placement("garden-8-ne", 1, 0)).legal


def test_every_reason_against_a_placement_is_told_with_its_facts(boards: service_pb2_grpc.BoardServiceStub) -> None:
    answer = judged(boards, board(), placement("garden-8-sw", 1, 0), language="de")
    assert codes(answer) == ["EDGE_MISMATCH", "NOT_REACHABLE"]
    assert facts_read(answer.violations[0].metadata) == {"cell": [1, 0], "side": "W", "neighbour": "start-0"}
    assert "Mauer" in answer.violations[0].text


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (boards_pb2.Placement(), ["NOUN_MISSING", "NOUN_MISSING"]),
        (boards_pb2.Placement(tile="garden-8-ne"), ["NOUN_MISSING"]),
        (placement("garden-8-ne", 128, 0), ["NOUN_MALFORMED"]),
        (placement("garden-8-ne", 5, 5), ["NO_CONTACT"]),
        (placement("garden-8-ne", 0, 0), ["PLACE_TAKEN"]),
        (placement("garden-99", 1, 0), ["ID_UNKNOWN"]),
        (placement("start-1", 1, 0), ["LOCKED"]),
        (placement("garden-8-ne", 1, 0, rotation=90), ["ROTATION_REFUSED"]),
        (placement("garden-8-ne", 1, 0, rotation=45), ["NOUN_MALFORMED"]),
        (placement("garden-8-ne", 1, 0, choice="gate"), ["NOUN_MALFORMED"]),
        (placement("camp_N", 1, 0), ["ID_UNKNOWN"]),
    ],
)
def test_what_cannot_be_is_an_answer_and_no_failure(
    boards: service_pb2_grpc.BoardServiceStub, wanted: boards_pb2.Placement, expected: list[str]
) -> None:
    assert codes(judged(boards, board(), wanted)) == expected


def test_a_tile_that_lies_there_cannot_be_built_again(boards: service_pb2_grpc.BoardServiceStub) -> None:
    lying = board(placed("garden-8-ne", 1, 0))
    assert codes(judged(boards, lying, placement("garden-8-ne", -1, 0))) == ["PLACE_TAKEN"]


def test_modules_bring_their_tiles_and_their_construction_rules(boards: service_pb2_grpc.BoardServiceStub) -> None:
    walled = board(placed("garden-8-ne", 1, 0))
    assert judged(boards, walled, placement("camp_S", 1, -1), "military_camps").legal
    assert codes(judged(boards, walled, placement("camp_N", 0, 1), "military_camps")) != []
    answer = judged(boards, board(), placement("watchtower_garden_1", 1, 0, rotation=270), "watchtowers")
    assert "CONTACT_REQUIRED" in codes(answer)
    beside = judged(
        boards, board(placed("garden-11", 1, 0)), placement("watchtower_garden_1", 2, 0, rotation=270), "watchtowers"
    )
    assert beside.legal


def test_a_gate_lets_a_tile_stand_behind_a_double_wall_whoever_holds_the_card(
    boards: service_pb2_grpc.BoardServiceStub,
) -> None:
    lying = board(placed("garden-8-ne", 1, 0))
    behind = "seraglio-5-sw"  # its south and west sides are walls
    assert codes(judged(boards, lying, placement(behind, 1, -1), "city_gates")) == ["NOT_REACHABLE"]
    assert judged(boards, lying, placement(behind, 1, -1, choice="gate"), "city_gates").legal
    assert codes(judged(boards, board(), placement("garden-11", 1, 0, choice="gate"), "city_gates")) == [
        "NO_EFFECT",
        "GATE_REFUSED",
    ]
    through = board(placed("garden-8-ne", 1, 0), placed(behind, 1, -1), gates=((1, 0, "N"),))
    assert judged(boards, through, placement("garden-11", 1, -2), "city_gates").legal


def test_a_wooden_wall_is_a_wall(boards: service_pb2_grpc.BoardServiceStub) -> None:
    lying = board(placed("start-0", 0, 0, walls="E"))
    assert "EDGE_MISMATCH" in codes(judged(boards, lying, placement("garden-11", 1, 0)))
    assert judged(boards, board(), placement("garden-11", 1, 0)).legal


def test_the_order_in_which_tiles_are_sent_does_not_matter(boards: service_pb2_grpc.BoardServiceStub) -> None:
    tiles = [placed("garden-11", 1, 0), placed("garden-10", 2, 0), placed("tower-12", 3, 0)]
    for lying in (tiles, tiles[::-1]):
        assert judged(boards, board(*lying), placement("tower-11", 4, 0)).legal


INVALID = [
    (board(placed("garden-8-sw", 1, 0)), ["EDGE_MISMATCH", "NOT_REACHABLE"]),
    (board(placed("garden-8-ne", 5, 5)), ["NOT_REACHABLE"]),
    (board(placed("garden-99", 1, 0)), ["ID_UNKNOWN"]),
    (board(placed("garden-8-ne", 1, 0), placed("garden-8-ne", -1, 0)), ["PLACE_TAKEN"]),
    (board(placed("garden-11", 1, 0), placed("garden-10", 1, 0)), ["PLACE_TAKEN"]),
    (board(placed("start-0", 1, 0)), ["LOCKED"]),
    (board(placed("garden-11", 0, 0)), ["PLACE_TAKEN"]),
    (board(placed("garden-11", 200, 0)), ["NOUN_MALFORMED"]),
    (board(placed("garden-11", 2**31 - 1, -(2**31))), ["NOUN_MALFORMED"]),
    (board(placed("garden-11", 1, 0, rotation=90)), ["ROTATION_REFUSED"]),
    (board(placed("garden-11", 1, 0, rotation=-90)), ["NOUN_MALFORMED"]),
    (board(placed("garden-8-ne", 1, 0, walls="N")), ["WALL_REFUSED"]),
    (board(gates=((0, 0, "N"),)), ["GATE_REFUSED"]),
    (board(gates=((0, 0, "NE"),)), ["NOUN_MALFORMED"]),
    (boards_pb2.Board(tiles=[views_pb2.PlacedTile(tile="garden-11", type=77)]), ["NOUN_MALFORMED", "PLACE_TAKEN"]),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("lying", "expected"), INVALID)
def test_a_board_that_breaks_the_rules_itself_is_refused(
    boards: service_pb2_grpc.BoardServiceStub, lying: boards_pb2.Board, expected: list[str]
) -> None:
    failed = failure(lambda: judged(boards, lying, placement("tower-12", 0, 1)))
    assert (failed.code, failed.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "BOARD_INVALID")
    assert failed.info.metadata["board"] == "0"
    assert [violation.code for violation in failed.refusal.violations] == expected


def test_rules_that_do_not_exist_and_boards_that_are_too_large_are_refused(
    boards: service_pb2_grpc.BoardServiceStub,
) -> None:
    for lying, rules, reason in (
        (board(), boards_pb2.BoardRules(modules=["none"]), "MODULE_UNKNOWN"),
        (board(), boards_pb2.BoardRules(edition="none"), "OPTION_INVALID"),
        (board(), boards_pb2.BoardRules(modules=["thieves"] * 100), "LIMIT_EXCEEDED"),
        (board(*[placed("garden-11", 1, 0)] * 300), boards_pb2.BoardRules(), "LIMIT_EXCEEDED"),
        (board(gates=((0, 0, "N"),) * 100), boards_pb2.BoardRules(), "LIMIT_EXCEEDED"),
        (board(placed("garden-11", 1, 0, walls="N" * 100)), boards_pb2.BoardRules(), "LIMIT_EXCEEDED"),
    ):
        request = boards_pb2.ValidateBoardPlacementRequest(
            board=lying, placement=placement("tower-12", 0, 1), rules=rules
        )
        assert refused(partial(ask, boards.ValidateBoardPlacement, request)) == reason


# -- Boards of games ---------------------------------------------------------------------------------------------------


def sent(seat: views_pb2.SeatView) -> boards_pb2.Board:
    """The Alhambra of a view as it would be sent back."""
    return boards_pb2.Board(tiles=seat.alhambra, gates=seat.gates)


def rules_of(game: Game) -> boards_pb2.BoardRules:
    return boards_pb2.BoardRules(edition=game.options.edition, modules=game.options.modules)


def settled(game: Game) -> bool:
    return game.decision is None or not game.question().kind.unsettled


def test_an_alhambra_from_a_view_is_the_same_board_again() -> None:
    met = {"wooden": 0, "turned": 0, "double": 0, "gates": 0}
    recorded = [*played(3, "b 7", ODD_BOARDS, most=200), *played(3, "b 1", ["city_gates"], most=220)]
    for game, _ in recorded[::10]:
        if not settled(game):
            continue
        view = view_to(seated(game), None, game_id=GAME_ID)
        copy = lay_out(rules_of(game), len(view.seats), [sent(seat) for seat in view.seats])
        for number, mine in enumerate(game.state.seats):
            other = copy.board(number)
            assert mine.board.cells == other.cells
            assert (mine.board.placed, mine.board.passages) == (other.placed, other.passages)
            met["wooden"] += any(any(lying.wooden_walls) for lying in mine.board.placed.values())
            met["turned"] += any(lying.rotation for lying in mine.board.placed.values())
            met["double"] += any(len(lying.tile.parts) > 1 for lying in mine.board.placed.values())
            met["gates"] += bool(mine.board.passages)
    assert all(met.values()), met


def test_a_placement_is_judged_as_in_the_game() -> None:
    rng = Random("placements")
    found = {True: 0, False: 0}
    for recorded in games():
        for game, _ in recorded[::20]:
            if not settled(game):
                continue
            seat = rng.randrange(len(game.state.seats))
            lying = game.state.seats[seat].board
            view = view_to(seated(game), None, game_id=GAME_ID)
            copy = lay_out(rules_of(game), len(view.seats), [sent(owner) for owner in view.seats])
            tiles = [tile for tile in game.ruleset.tiles.values() if tile.kind != "start"]
            for tile in rng.sample(tiles, 12):
                if tile.id in lying.placed or tile.id in game.state.wooden_walls:
                    continue
                for x, y in rng.sample([(x, y) for x in range(-3, 4) for y in range(-3, 4)], 6):
                    rotation = rng.choice((None, 90)) if tile.rotatable else None
                    wanted = placement(tile.id, x, y, rotation=rotation)
                    expected = verify_build(game, seat, lying, tile, Build((x, y), rotation))
                    answer = message_judge(copy.judge(seat))(wanted)
                    assert {fault.code for fault in answer} == {fault.code for fault in expected}
                    found[not answer] += 1
    assert min(found.values()) > 10


def test_nobody_learns_from_a_placement_what_a_seat_holds() -> None:
    for game, _ in games()[1][::20]:
        other = game.determinize(None, Random(1))
        for owner in other.state.seats:
            owner.hand = ("gate",)
        for x in (-1, 0, 1):
            wanted = placement("garden-8-ne", x, -1, choice="gate", items=["mosaic_layer"])
            assert placement_faults(game, 0, wanted) == placement_faults(other, 0, wanted)


# -- Scores ------------------------------------------------------------------------------------------------------------


def scored(
    stub: service_pb2_grpc.BoardServiceStub,
    sent_boards: list[boards_pb2.Board],
    scoring: int,
    dirk: tuple[str, ...] = (),
    rules: boards_pb2.BoardRules | None = None,
) -> list[boards_pb2.BoardScore]:
    request = boards_pb2.ScoreBoardRequest(boards=sent_boards, scoring=scoring, dirk_tiles=dirk, rules=rules)
    answer: boards_pb2.ScoreBoardResponse = ask(stub.ScoreBoard, request)
    for score in answer.scores:
        assert score.points == sum(line.points for line in score.lines)
    return list(answer.scores)


def test_a_single_board_scores_its_wall_and_the_first_places(boards: service_pb2_grpc.BoardServiceStub) -> None:
    lying = board(placed("garden-8-ne", 1, 0), placed("pavilion-8", -1, 0))
    (first,) = scored(boards, [lying], 1)
    assert [(line.reason, word_of("type", line.type), line.points) for line in first.lines] == [
        ("wall", "", 2),
        ("majority", "pavilion", 1),
        ("majority", "garden", 5),
    ]
    assert (first.points, first.longest_wall) == (8, 2)
    assert {word_of("type", count.type): count.count for count in first.type_counts} == {"garden": 1, "pavilion": 1}
    (third,) = scored(boards, [lying], 3)
    assert third.points > first.points


def test_boards_are_compared_and_shared_places_are_shared(boards: service_pb2_grpc.BoardServiceStub) -> None:
    one, two = board(placed("tower-12", 1, 0)), board(placed("tower-11", 1, 0))
    scores = scored(boards, [one, two, board()], 2)
    lines = [score.lines[0] for score in scores[:2]]
    assert {(line.points, line.place, line.shared, line.count) for line in lines} == {(lines[0].points, 1, 2, 2)}
    assert not scores[2].lines and scores[2].points == 0


def test_dirk_competes_with_two_boards(boards: service_pb2_grpc.BoardServiceStub) -> None:
    both = [board(placed("tower-12", 1, 0)), board()]
    alone = scored(boards, both, 1)
    against = scored(boards, both, 1, ("tower-11", "tower-11-n"))
    assert len(alone) == 2 and len(against) == 3
    assert against[2].points > 0 and against[0].points < alone[0].points
    assert against[2].longest_wall == 0


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (boards_pb2.ScoreBoardRequest(scoring=1), "REQUEST_MALFORMED"),
        (boards_pb2.ScoreBoardRequest(boards=[board()] * 7, scoring=1), "REQUEST_MALFORMED"),
        (boards_pb2.ScoreBoardRequest(boards=[board()]), "REQUEST_MALFORMED"),
        (boards_pb2.ScoreBoardRequest(boards=[board()], scoring=4), "REQUEST_MALFORMED"),
        (boards_pb2.ScoreBoardRequest(boards=[board()], scoring=1, dirk_tiles=["tower-11"]), "REQUEST_MALFORMED"),
        (boards_pb2.ScoreBoardRequest(boards=[board()] * 2, scoring=1, dirk_tiles=["x"]), "BOARD_INVALID"),
        (boards_pb2.ScoreBoardRequest(boards=[board()] * 2, scoring=1, dirk_tiles=["tower-11"] * 2), "BOARD_INVALID"),
        (
            boards_pb2.ScoreBoardRequest(boards=[board()] * 2, scoring=1, dirk_tiles=["tower-11"] * 999),
            "LIMIT_EXCEEDED",
        ),
        (boards_pb2.ScoreBoardRequest(boards=[board(placed("tower-12", 1, 0))] * 2, scoring=1), "BOARD_INVALID"),
    ],
)
def test_what_cannot_be_scored_is_refused(
    boards: service_pb2_grpc.BoardServiceStub, request_: boards_pb2.ScoreBoardRequest, reason: str
) -> None:
    failed = failure(lambda: ask(boards.ScoreBoard, request_))
    assert (failed.code, failed.reason) == (grpc.StatusCode.INVALID_ARGUMENT, reason)


SCORED_GAMES: list[tuple[int, list[str]]] = [
    (2, []),
    (3, []),
    (6, []),
    (2, ["squares", "military_camps", "watchtowers"]),
    (3, ["city_walls", "military_camps", "major_construction_projects"]),
]


@pytest.mark.parametrize(("seats", "modules"), SCORED_GAMES)
def test_the_lines_are_those_that_the_rules_score(
    boards: service_pb2_grpc.BoardServiceStub, seats: int, modules: list[str]
) -> None:
    rng = Random(f"{seats} {modules}")
    held = set()
    for seed in range(2):
        game = Game.new(Options(seats, f"score {seed}", modules=modules))
        while not game.over:
            dirk = game.state.dirk
            events = game.apply(game.random_move(rng))
            numbers = [event.public["scoring"] for event in events if event.kind == "scoring_began"]
            if len(numbers) != 1:
                continue
            held.add(numbers[0])
            if numbers[0] == 3 and any(event.kind == "placed" for event in events):
                dirk = game.state.dirk
            view = view_to(seated(game), None, game_id=GAME_ID)
            found = scored(boards, [sent(seat) for seat in view.seats], numbers[0], dirk, rules_of(game))
            assert [_plain(score) for score in found] == [_told(events, seat) for seat in range(seats + bool(dirk))], (
                seed,
                numbers,
            )
    assert held == {1, 2, 3}


def _told(events: list[Event], seat: int) -> list[dict[str, Any]]:
    lines = [event.public for event in events if event.kind == "scored" and event.public["seat"] == seat]
    told = [json_ready({name: value for name, value in line.items() if name != "seat"}) for line in lines]
    return [line for line in told if line["reason"] in FROM_BOARDS]


def _plain(score: boards_pb2.BoardScore) -> list[dict[str, Any]]:
    found = []
    for line in score.lines:
        told: dict[str, Any] = {"reason": line.reason, "points": line.points, **facts_read(line.facts)}
        if line.type:
            told["type"] = word_of("type", line.type)
        told.update({name: getattr(line, name) for name in ("tile", "count", "place", "shared") if getattr(line, name)})
        found.append(told)
    return found


def test_every_combination_of_modules_can_score_boards(boards: service_pb2_grpc.BoardServiceStub) -> None:
    lying = [board(placed("garden-11", 1, 0)), board(placed("tower-12", 1, 0))]
    for modules in (*([key] for key in known_modules()), known_modules()):
        for scoring in (1, 2, 3):
            scores = scored(boards, lying, scoring, rules=boards_pb2.BoardRules(modules=modules))
            assert all(score.points > 0 for score in scores), modules


def test_counts_of_types_are_in_the_order_of_the_types(boards: service_pb2_grpc.BoardServiceStub) -> None:
    lying = board(placed("tower-12", 1, 0), placed("garden-11", 2, 0), placed("pavilion-8", 3, 0))
    (score,) = scored(boards, [lying], 1)
    types = [word_of("type", count.type) for count in score.type_counts]
    assert types == sorted(types, key=TYPES.index)
