"""The page about writing modules is true: its blocks run in order, and nothing but the record is needed anywhere."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from alhambra import Game, Move, Options, registry
from alhambra.players import Hoarder, Resigner, Undoer
from alhambra_service.games.automatic.orders import Order, answer
from tests.bakers import KEY, PAGE, blocks, install, source
from tests.conformance.invariants import Watch
from tests.gateway.http import Client
from tests.gateway.product import Product, running
from tests.gateway.tables import RestGame

ROOT = Path(__file__).resolve().parents[1]


# -- In one process ----------------------------------------------------------------------------------------------------


@pytest.fixture
def bakers(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The page, executed block by block; what it registers is forgotten afterwards."""
    module = ModuleType(KEY)
    monkeypatch.setitem(sys.modules, KEY, module)
    monkeypatch.setattr(registry, "_registered", {})
    for block in blocks():
        exec(compile(block, str(PAGE), "exec", dont_inherit=True), module.__dict__)
    yield module


def options(seed: str = "bread") -> Options:
    return Options(seats=3, seed=seed, modules=[KEY])


def test_the_example_of_the_page_keeps_all_invariants(bakers: ModuleType) -> None:
    watch = Watch(options(), 1, every=10)
    game = watch.play()
    assert watch.verbs["buy_loaf"] > 0
    assert watch.verbs["step"] > 0
    assert watch.verbs["move_tile"] > 0
    assert f"gains: {KEY}.praise" in game.ruleset.explain("scoring")


def test_the_example_keeps_them_with_players_who_hoard_resign_and_take_moves_back(bakers: ModuleType) -> None:
    watch = Watch(options(), 2, every=20, players=(Hoarder, Resigner, Undoer))
    assert watch.play().over


TILE = "garden-11"
"""It has no walls."""


def with_tile(game: Game) -> Game:
    """The game with a tile to the north of the fountain of the asked seat, so that its baker has one way to go."""
    assert game.decision is not None
    board = game.state.seats[game.decision.seat].board = game.board(game.decision.seat)
    board.place(game.ruleset.tiles[TILE], 0, -1)
    return game


def bought(game: Game) -> Game:
    """The game after the asked seat has bought a loaf."""
    game.apply(next(move for move in game.moves() if move.verb == "buy_loaf"))
    return game


def test_a_loaf_lets_the_baker_walk_two_steps(bakers: ModuleType) -> None:
    game = bought(with_tile(Game.new(options())))
    assert game.decision is not None
    assert (game.decision.kind, game.decision.context) == ("bread_round", {"steps": 2})


def test_a_standing_order_walks_the_baker_and_then_stays(bakers: ModuleType) -> None:
    game = bought(with_tile(Game.new(options())))
    seat = game.decision.seat if game.decision is not None else -1
    orders = tuple((Order("bread_round", "north"),) if number == seat else () for number in range(3))
    walked = []
    while game.decision is not None and game.decision.kind == "bread_round":
        move = answer(game, orders)
        assert move is not None
        walked.append(move)
        game.apply(move)
    assert walked == [Move("step", side="N"), Move("pass")]


def test_a_baker_without_a_tile_returns_to_the_fountain(bakers: ModuleType) -> None:
    game = bought(with_tile(Game.new(options())))
    assert game.decision is not None
    seat = game.decision.seat
    game.apply(Move("step", side="N"))
    game.apply(Move("pass"))
    assert game.module_state(bakers.Bakers).cells[seat] == (0, -1)
    while game.decision.seat != seat or game.decision.kind != "action":
        game.apply(game.legal_moves()[0])
    game.apply(Move("remove", tile=TILE))
    assert game.module_state(bakers.Bakers).cells[seat] == (0, 0)


def test_a_loaf_that_is_given_away_moves_a_tile(bakers: ModuleType) -> None:
    game = bought(with_tile(Game.new(options())))
    assert game.decision is not None
    seat = game.decision.seat
    game.apply(Move("pass"))
    while game.decision.seat != seat or game.decision.kind != "action":
        game.apply(game.legal_moves()[0])
    actions = game.state.actions
    assert [fault.code for fault in game.verify(Move("move_tile", tile=TILE, cell=(1, 0)))] == ["NOUN_MISSING"]
    game.apply(Move("move_tile", tile=TILE, cell=(1, 0), items=("loaf",)))
    assert game.board(seat).cells_of(TILE) == ((1, 0),)
    assert (game.module_state(bakers.Bakers).loaves[seat], game.state.actions) == (0, actions)


# -- As a package of a third party -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables with which a process finds the installed package."""
    folder = tmp_path_factory.mktemp("site")
    install(folder)
    return {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT), os.environ.get("PYTHONPATH", "")])}


@pytest.fixture(scope="module")
def product(installed: dict[str, str]) -> Iterator[Product]:
    at_once = {"ALHAMBRA_DRAIN_SECONDS": "0", "ALHAMBRA_GATEWAY_DRAIN_SECONDS": "0"}
    with running("--workers", "1", variables={**installed, **at_once}) as product:
        yield product


@pytest.fixture
def client(product: Product) -> Client:
    return product.client()


def printed(installed: dict[str, str], *words: str) -> str:
    """What a command prints."""
    variables = {**os.environ, **installed}
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=variables, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_catalogue_lists_the_module_with_all_its_words(client: Client) -> None:
    modules = client.get("/v1/catalog/modules").json()["modules"]
    (found,) = (module for module in modules if module["key"] == KEY)
    assert found["number"] == 101
    assert (found["verbs"], found["decisions"]) == (["buy_loaf"], ["bread_round"])
    assert [word["key"] for word in found["events"]] == ["loaf_bought", "loaf_given", "baker_walked"]
    assert [word["key"] for word in found["scoreReasons"]] == ["loaves"]
    assert [(kind["key"], bool(kind.get("outline"))) for kind in found["pieces"]] == [("baker", True), ("loaf", False)]


def test_the_catalogue_lists_its_verb_and_its_standing_orders(client: Client) -> None:
    listed = client.get("/v1/catalog/verbs", modules=KEY).json()
    (verb,) = (verb for verb in listed["verbs"] if verb["key"] == "buy_loaf")
    assert (verb["module"], verb["decisions"]) == (KEY, ["action"])
    assert verb["optionalNouns"] == ["cards", "display", "items"]
    (decision,) = (decision for decision in listed["decisions"] if decision["key"] == "bread_round")
    assert decision["verbs"] == ["pass", "step"]
    (moving,) = (verb for verb in listed["verbs"] if verb["key"] == "move_tile")
    assert "action" in moving["decisions"]
    assert [(order["key"], order["module"]) for order in decision["orders"]] == [("pass", KEY), ("north", KEY)]


def test_its_words_fit_the_openapi_document_which_closes_no_list_of_them(client: Client) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    for schema, member in (("Move", "verb"), ("Decision", "kind"), ("Event", "kind"), ("Piece", "kind")):
        assert "enum" not in schemas[schema]["properties"][member], (schema, member)


def test_it_is_played_over_rest_with_offers_orders_and_a_picture(client: Client) -> None:
    game = RestGame(client, modules=[KEY])
    legal = client.get(f"{game.path}/moves", game.bearer(), minVersion=game.version, verb="buy_loaf").json()
    (offer,) = legal["offers"]
    assert (offer["move"], offer["price"], offer["affordable"]) == ({"verb": "buy_loaf", "slot": "bakery"}, 3, True)
    seat = game.view["decision"]["seat"]
    answered = game.apply({"move": legal["moves"][0]["move"], "version": game.version})
    assert answered.status == 200, answered.body
    view = answered.json()["view"]
    assert view["modules"][KEY]["facts"]["loaves"][seat] == 1
    assert {piece["kind"] for piece in view["modules"][KEY]["pieces"]} == {"baker", "loaf"}
    assert "loaf_bought" in [event["kind"] for event in answered.json()["events"]]
    orders = {"orders": [{"decision": "bread_round", "answer": "north"}]}
    ordered = client.post(f"{game.path}:setOrders", orders, game.bearer(seat))
    assert ordered.status == 200, ordered.body
    picture = client.get(f"{game.path}/board.svg", game.bearer(seat)).body.decode()
    assert 'id="piece-baker"' in picture
    assert ">Lo</text>" in picture  # a loaf has no outline: a disc with its first letters


def test_the_command_line_lists_it_and_plays_it(installed: dict[str, str]) -> None:
    assert KEY in printed(installed, "-m", "alhambra_cli", "modules")
    assert "2 games" in printed(installed, "-m", "alhambra_cli", "simulate", "--games", "2", "--modules", KEY)


def test_the_commands_of_the_page_play_it(installed: dict[str, str]) -> None:
    """One game each, without the checks: other tests check more."""
    commands = re.findall(r"^alhambra (simulate .*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        words = shlex.split(command.replace("--games 100", "--games 1").replace(" --check", ""))
        assert "1 games" in printed(installed, "-m", "alhambra_cli", *words)


def test_the_generated_documentation_has_a_page_for_it(installed: dict[str, str]) -> None:
    page = printed(installed, "-m", "scripts.docs", "--page", KEY)
    assert "# Bakers\n\nA player may buy a loaf as an action" in page
    for word in ("`buy_loaf`", "`bread_round`", "`loaf_bought`", "`loaves`", "`baker`", "`north`"):
        assert word in page


def test_no_file_of_the_project_names_the_module() -> None:
    """What the tests above show works from the record alone."""
    compile(source(), KEY, "exec")
    for folder in ("rules", "service", "gateway", "cli", "scripts", "proto", "runtime"):
        for path in (ROOT / folder).rglob("*.py"):
            assert "bread_round" not in path.read_text(encoding="utf-8"), path
