"""The command line."""

import json
import os
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from alhambra import Game, Options
from alhambra.export import export_game, export_view
from alhambra.fairness import commitment, seed_from
from alhambra.invariants import BrokenInvariant, Invariants
from alhambra.notation import write_game
from alhambra.placement.rules import explain_board
from alhambra.players import PLAYERS, peer_move
from alhambra.registry import known_modules
from alhambra_cli.commands import DESCRIBED, app
from alhambra_cli.games import chosen_modules
from alhambra_cli.process_pool import NURSERY_ON_PYPY
from alhambra_cli.simulate import Plan, outcomes, play

SECRET = bytes(range(32))


def alhambra(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], prog_name="alhambra")


@cache
def finished_bytes() -> bytes:
    game, rng = Game.new(Options(2, seed_from(SECRET, [b"a", b"b"]), turn_limit=30)), Random(1)
    while not game.over:
        game.apply(peer_move(game, rng))
    return game.to_bytes()


def finished() -> Game:
    return Game.from_bytes(finished_bytes())


@pytest.fixture
def export(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(export_game(finished(), SECRET, [b"a", b"b"])), encoding="utf-8")
    return path


@pytest.fixture
def notation(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(write_game(finished()), encoding="utf-8")
    return path


# -- demo --------------------------------------------------------------------------------------------------------------


def test_the_list_of_commands_says_what_each_command_says_about_itself() -> None:
    found = {name: app.get_command(click.Context(app), name) for name in DESCRIBED}
    about = {name: command.get_short_help_str(limit=200) for name, command in found.items() if command is not None}
    assert about == {name: described.about for name, described in DESCRIBED.items()}
    modules = {name: import_module(f"alhambra_cli.{module}") for name, (module, _) in DESCRIBED.items()}
    assert {command.name for module in modules.values() for command in module.COMMANDS} == set(DESCRIBED)


def test_the_help_imports_neither_the_rules_nor_the_servers() -> None:
    code = "import sys; from alhambra_cli.__main__ import main\ntry: main()\nfinally: print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True)
    loaded = set(re.findall(r"'(\w+)'", done.stdout.splitlines()[-1]))
    assert "click" in loaded
    assert loaded & {"alhambra", "alhambra_service", "alhambra_gateway", "rich", "grpc", "flask"} == set()


def test_the_demo_plays_to_a_ranking_and_explains_the_scores() -> None:
    result = alhambra("demo", "--seed", "demo", "--seats", "3")
    assert result.exit_code == 0
    for words in ("Scoring 1", "Scoring 2", "Scoring 3", "longest wall", "most tower", "fountain", "Ranking"):
        assert words in result.output


def test_the_demo_fits_a_hundred_columns_but_for_wide_alhambras() -> None:
    result = alhambra("demo", "--seed", "demo", "--seats", "6")
    told = [line for line in result.output.splitlines() if not line.startswith(("│", "╭", "╰"))]
    assert max(len(line.rstrip()) for line in told) <= 100


def test_the_same_seed_shows_the_same_demo() -> None:
    first, second = (alhambra("demo", "--seed", "same", "--seats", "2").output for _ in range(2))
    assert first == second


def test_the_demo_starts_as_a_module_without_a_terminal() -> None:
    command = [sys.executable, "-m", "alhambra_cli", "demo", "--seed", "process", "--seats", "2"]
    done = subprocess.run(command, capture_output=True, check=False, text=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Ranking" in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    "arguments", [["--modules", "nonsense"], ["--seats", "7"], ["--seed", "x" * 300], ["--delay", "-1"]]
)
def test_the_demo_refuses_what_no_game_can_have_in_one_sentence(arguments: list[str]) -> None:
    result = alhambra("demo", *arguments)
    assert result.exit_code == 2
    assert result.output.strip().splitlines()[-1].startswith("Error: ")


# -- simulate ----------------------------------------------------------------------------------------------------------


def simulated(*arguments: str) -> dict[str, Any]:
    result = alhambra("simulate", "--json", *arguments)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_simulation_counts_every_game() -> None:
    found = simulated("--games", "5", "--seats", "3", "--policy", "peer", "--workers", "1")
    assert found["played"] == 5
    assert sum(found["wins"]) + found["shared_wins"] == 5
    assert len(found["scores"]) == 3
    assert found["moves"] > found["turns"] > 0


def test_the_number_of_workers_does_not_change_the_games() -> None:
    one, two = (simulated("--games", "10", "--seats", "2", "--policy", "peer", "--workers", n) for n in "12")
    for name in ("scores", "wins", "turns", "moves", "shared_wins"):
        assert one[name] == two[name]


def test_a_simulation_shows_a_table() -> None:
    result = alhambra("simulate", "--games", "2", "--seats", "2", "--policy", "peer", "--workers", "1", "--check")
    assert result.exit_code == 0, result.output
    for words in ("mean score", "Dirk", "games a second", "0 games broken"):
        assert words in result.output


def test_a_broken_game_is_reported_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def always_broken(_invariants: Invariants) -> None:
        raise BrokenInvariant("the tower leans")

    monkeypatch.setattr(Invariants, "check_boards", always_broken)
    result = alhambra("simulate", "--games", "1", "--seats", "2", "--workers", "1", "--check")
    assert result.exit_code == 1
    assert "Game 0 (seed 'alhambra/0') is broken: after 0 moves: the tower leans" in result.output


def test_a_game_that_waits_for_the_rest_of_a_half_laid_tile_is_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    half_laid = []
    check_boards = Invariants.check_boards

    def noting(invariants: Invariants) -> None:
        decision = invariants.game.decision
        if decision is not None and explain_board(invariants.game.state.seats[decision.seat].board):
            half_laid.append(decision.kind)
        check_boards(invariants)

    monkeypatch.setattr(Invariants, "check_boards", noting)
    assert play(Plan(1, 2, ("city_gates",), check=True), 27).broken == ""
    assert half_laid == ["placing_gate"], "the game no longer comes to a gate without which its tile is not reachable"


@pytest.mark.check_only
def test_a_game_with_six_seats_and_all_modules_is_not_reported_as_broken() -> None:
    modules = ",".join(known_modules())
    found = simulated("--games", "1", "--seats", "6", "--modules", modules, "--policy", "peer", "--check")
    assert (found["played"], found["broken"]) == (1, [])


def test_checking_a_game_does_not_alter_it() -> None:
    plan = Plan(1, 2, policy="peer")
    assert play(plan._replace(check=True), 5) == play(plan, 5)


def test_the_help_lists_every_policy_with_its_habit() -> None:
    shown = alhambra("simulate", "--help").output
    for name, kind in PLAYERS.items():
        assert re.search(rf"^ +{name} +{re.escape(kind.about)}$", shown, re.MULTILINE)


def test_the_policies_of_a_mixed_table_are_given_to_the_seats_in_turn() -> None:
    found = simulated("--games", "4", "--seats", "4", "--policy", "hoarder, peer", "--workers", "1")
    assert found["policy"] == "hoarder,peer"
    hoarders, peers = ([found["scores"][seat]["mean"] for seat in seats] for seats in ((0, 2), (1, 3)))
    assert max(hoarders) < min(peers)


@pytest.mark.parametrize("policy", ["", "hoarder,nobody"])
def test_an_unknown_policy_is_refused_with_the_known_ones(policy: str) -> None:
    result = alhambra("simulate", "--policy", policy)
    assert result.exit_code == 2
    assert all(name in result.output for name in PLAYERS)


@pytest.mark.parametrize("modules", [[], known_modules()], ids=["base", "all"])
@pytest.mark.parametrize("seats", [2, 4])
def test_what_peers_draw_is_legal_though_nobody_verifies_it(seats: int, modules: list[str]) -> None:
    game, rng = Game.new(Options(seats, "peers", modules=modules)), Random(5)
    while not game.over and game.version < 250:
        move = peer_move(game, rng)
        assert game.verify(move) == ()
        game.play(move)


def test_on_pypy_even_one_worker_is_a_process_with_room_for_what_is_young(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(3, 2, policy="peer")
    (here,) = outcomes(plan, 1)
    name, room = NURSERY_ON_PYPY
    monkeypatch.setenv(name, "")  # put back afterwards
    monkeypatch.delenv(name)
    monkeypatch.setattr("alhambra_cli.process_pool.ON_PYPY", True)
    (there,) = outcomes(plan, 1)
    assert there == here
    assert os.environ[name] == room


QUICK = [name for name, kind in PLAYERS.items() if not kind.is_slow]


@pytest.mark.parametrize("policy", [*QUICK, "undoer,novelty,resigner"])
def test_a_simulated_game_is_decided_by_seed_and_number(policy: str) -> None:
    plan = Plan(1, 2, policy=policy)
    assert play(plan, 3) == play(plan, 3)
    assert play(plan, 3) != play(plan, 4)


def test_a_simulation_with_unknown_modules_is_refused_before_it_starts() -> None:
    result = alhambra("simulate", "--modules", "nonsense,squares")
    assert (result.exit_code, result.output) == (2, "Error: Unknown module 'nonsense'.\n")


# -- verify ------------------------------------------------------------------------------------------------------------


def test_an_honest_export_is_verified(export: Path) -> None:
    result = alhambra("verify", export, "--commitment", commitment(SECRET))
    assert result.exit_code == 0
    assert "The seed comes from the secret" in result.output
    assert "✗" not in result.output


def test_the_commitments_of_the_seats_are_compared(tmp_path: Path) -> None:
    entropies = (b"32 bytes that nobody can foresee", b"")
    game = Game.new(Options(2, seed_from(SECRET, entropies)))
    game.resign(0)
    path = tmp_path / "committed.json"
    path.write_text(json.dumps(export_game(game, SECRET, entropies, revealed=[0])), encoding="utf-8")
    shown = f"{commitment(entropies[0])},"
    proved = "To seat 0 it is proved that no one chose the draws"
    result = alhambra("verify", path, "--commitment", commitment(SECRET), "--entropy-commitments", shown)
    assert result.exit_code == 0
    assert f"✓ {proved}" in " ".join(result.output.split())
    assert f"✓ {proved}" not in " ".join(alhambra("verify", path).output.split())
    other = f"{commitment(b'another')},"
    result = alhambra("verify", path, "--commitment", commitment(SECRET), "--entropy-commitments", other)
    assert result.exit_code == 1
    assert "not the ones shown before the reveals" in " ".join(result.output.split())


def test_a_forged_export_fails(export: Path) -> None:
    data = json.loads(export.read_text(encoding="utf-8"))
    data["result"]["scores"][0] += 10
    export.write_text(json.dumps(data), encoding="utf-8")
    result = alhambra("verify", export)
    assert result.exit_code == 1
    assert "The scores are wrong" in result.output


def test_notation_is_verified(notation: Path) -> None:
    result = alhambra("verify", notation)
    assert result.exit_code == 0
    assert "Every move is legal" in result.output


def test_notation_with_an_illegal_move_fails(notation: Path) -> None:
    lines = notation.read_text(encoding="utf-8").splitlines()
    at = next(n for n, line in enumerate(lines) if line[:1].isdigit())
    lines[at] = "0 remove start-0" if lines[at][0] == "0" else "1 remove start-1"
    notation.write_text("\n".join(lines), encoding="utf-8")
    result = alhambra("verify", notation)
    assert result.exit_code == 1
    assert f"line {at + 1}" in result.output


def test_a_file_that_is_no_game_is_refused_in_one_sentence(tmp_path: Path) -> None:
    contents = {"missing": None, "binary": b"\xff\xfe", "json": b'{"format": ', "nested": b'{"a":' * 100_000}
    for name, content in contents.items():
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        result = alhambra("verify", path)
        assert result.exit_code == 2, name
        assert len(result.output.strip().splitlines()) == 1, name


def test_a_seats_view_cannot_be_verified(tmp_path: Path) -> None:
    path = tmp_path / "view.json"
    path.write_text(json.dumps(export_view(Game.new(Options(2, "view")), 0)), encoding="utf-8")
    result = alhambra("verify", path)
    assert result.exit_code == 2
    assert "the view of one seat" in result.output


# -- board -------------------------------------------------------------------------------------------------------------


def test_the_boards_of_every_kind_of_file_are_drawn(export: Path, notation: Path, tmp_path: Path) -> None:
    stored = tmp_path / "game.bytes"
    stored.write_bytes(finished_bytes())
    drawings = {alhambra("board", path).output for path in (export, notation, stored)}
    assert len(drawings) == 1
    assert drawings.pop().count("fountain") == 2


def test_a_board_can_be_drawn_as_it_was(notation: Path) -> None:
    result = alhambra("board", notation, "--at", "0")
    assert result.exit_code == 0
    assert "After 0 entries" in result.output
    assert "· 0 points · wall 0" in result.output


def test_a_moment_after_the_end_cannot_be_drawn(notation: Path) -> None:
    result = alhambra("board", notation, "--at", "100000")
    assert result.exit_code == 2
    assert "--at 100000 is out of range" in result.output


def test_a_damaged_file_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "game.bytes"
    path.write_bytes(finished_bytes()[:-1])
    result = alhambra("board", path)
    assert result.exit_code == 2
    assert "the checksum does not match" in result.output


# -- modules -----------------------------------------------------------------------------------------------------------


def test_a_preset_is_played_by_its_name_together_with_other_modules() -> None:
    assert chosen_modules("bazaars,squares", "first_game") == (
        "bazaars",
        "squares",
        "viziers_favour",
        "magical_buildings",
    )
    found = simulated("--games", "1", "--seats", "2", "--preset", "first_game", "--policy", "peer")
    assert found["played"] == 1
    assert alhambra("demo", "--preset", "nonsense").exit_code == 2


def test_the_presets_are_listed_with_the_numbers_of_their_modules() -> None:
    lines = alhambra("modules").output.splitlines()
    assert any("first_game" in line and "1 4 25" in line for line in lines)


def test_the_modules_are_listed_with_number_key_and_name() -> None:
    result = alhambra("modules")
    assert result.exit_code == 0
    for words in ("viziers_favour", "Vizier's Favour", "43", "caliphs_guidelines"):
        assert words in result.output
