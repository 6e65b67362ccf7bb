"""Games of tournaments: every kind of bot plays, every fault loses with its reason, and every game can be replayed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from alhambra import Game
from alhambra_cli.tournament import line_protocol
from alhambra_cli.tournament.entrants import Entrant, read_entrants
from alhambra_cli.tournament.play import Bench, Terms, play
from alhambra_cli.tournament.results import Played
from alhambra_cli.tournament.schedule import Fixture

from . import bots

FOLDER = Path(__file__).parent
EXAMPLES = FOLDER.parents[2] / "examples"
PYTHON = f'"{sys.executable}"'
MINE = f"{__package__}.bots"
PATIENCE = Terms(2, move_seconds=300.0)


@pytest.fixture
def bench() -> Iterator[Bench]:
    opened = Bench(PATIENCE)
    yield opened
    opened.close()


def game_of(bench: Bench, *specs: str, terms: Terms = PATIENCE, number: int = 0) -> Played:
    entrants = {entrant.name: entrant for entrant in read_entrants(specs)}
    return play(terms._replace(seats=len(specs)), entrants, Fixture(number, 0, tuple(entrants)), bench)


def line_bot(how: str) -> str:
    return f'{how}=cmd:{PYTHON} "{FOLDER / "line_bots.py"}" {how}'


def test_functions_classes_and_players_play_to_the_end(bench: Bench) -> None:
    game = game_of(bench, f"{MINE}:plays", f"{MINE}:Plays", "random")
    assert game.faults == ()
    assert sorted(game.places)[0] == 1
    assert game.differences() == []


def test_the_same_game_is_played_again_move_by_move(bench: Bench) -> None:
    first, second = (game_of(bench, f"{MINE}:plays", "random", number=4) for _ in range(2))
    assert first.log == second.log
    assert game_of(bench, f"{MINE}:plays", "random", number=5).log != first.log


def test_a_python_bot_does_not_see_the_order_of_the_tower(bench: Bench) -> None:
    bots.Peeks.seen.clear()
    game = game_of(bench, f"{MINE}:Peeks", "random")
    real = Game.new(game.replay().options).state.tower
    assert sorted(bots.Peeks.seen[0]) == sorted(real)
    assert bots.Peeks.seen[0] != real


@pytest.mark.parametrize(
    ("bot", "reason", "detail"),
    [
        ("fails", "crash", "lost the plot"),
        ("cheats", "illegal_move", "take_money"),
        ("resigns", "resigned", ""),
    ],
)
def test_a_python_bot_that_fails_loses_with_the_reason(bench: Bench, bot: str, reason: str, detail: str) -> None:
    game = game_of(bench, "random", f"{MINE}:{bot}")
    assert game.places == (1, 2)
    (fault,) = game.faults
    assert (fault.seat, fault.bot, fault.reason) == (1, bot, reason)
    assert detail in fault.detail
    assert game.differences() == []


def test_a_python_bot_that_takes_too_long_is_interrupted(bench: Bench) -> None:
    game = game_of(bench, "random", f"{MINE}:waits", terms=PATIENCE._replace(move_seconds=0.2))
    assert [fault.reason for fault in game.faults] == ["timeout"]


def test_the_time_for_the_whole_game_is_a_limit_as_well(bench: Bench) -> None:
    game = game_of(bench, "random", f"{MINE}:waits", terms=PATIENCE._replace(game_seconds=0.2))
    assert [fault.reason for fault in game.faults] == ["timeout"]


def test_when_one_of_three_fails_the_others_play_on(bench: Bench) -> None:
    game = game_of(bench, "random", f"{MINE}:fails", f"{MINE}:plays")
    assert game.places[1] == 3
    assert sorted((game.places[0], game.places[2])) in ([1, 1], [1, 2])
    assert len(game.log) > 20


@pytest.mark.parametrize(
    ("how", "reason", "detail"),
    [
        ("crash", "crash", "code 7; it wrote: the dog ate my homework"),
        ("index", "illegal_move", "not a move 99999"),
        ("illegal", "illegal_move", ""),
        ("nonsense", "protocol", "hello"),
        ("json", "protocol", "JSON"),
        ("long", "protocol", "longer than"),
        ("version", "protocol", "version"),
        ("resign", "resigned", ""),
    ],
)
def test_a_process_that_fails_loses_with_the_reason(bench: Bench, how: str, reason: str, detail: str) -> None:
    game = game_of(bench, line_bot(how), "random")
    assert game.places == (2, 1)
    (fault,) = game.faults
    assert fault.reason == reason
    assert detail in fault.detail


def test_a_process_that_hangs_loses_by_its_time(bench: Bench) -> None:
    game = game_of(bench, line_bot("hang"), "random", terms=PATIENCE._replace(move_seconds=0.5))
    assert [fault.reason for fault in game.faults] == ["timeout"]


def test_a_program_that_does_not_exist_loses(bench: Bench) -> None:
    game = game_of(bench, "cmd:./no-such-program", "random")
    assert [fault.reason for fault in game.faults] == ["crash"]
    assert "cannot start" in game.faults[0].detail


def test_a_process_is_kept_for_the_next_game_and_replaced_after_a_fault(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    shake_hands = line_protocol.LineProcess.shake_hands

    def counted(process: line_protocol.LineProcess) -> None:
        started.append("started")
        shake_hands(process)

    monkeypatch.setattr(line_protocol.LineProcess, "shake_hands", counted)
    for number in range(2):
        assert game_of(bench, line_bot("play"), "random", number=number).faults == ()
    assert len(started) == 1
    for number in range(2):
        game_of(bench, line_bot("resign"), "random", number=number)
    assert len(started) == 3


def test_the_example_in_python_plays_to_the_end_and_beats_random(bench: Bench) -> None:
    terms = PATIENCE._replace(keep_info=True)
    game = game_of(bench, f'carl=cmd:{PYTHON} "{EXAMPLES / "line_bot.py"}"', "random", terms=terms)
    assert game.faults == ()
    assert game.places == (1, 2)
    assert all(info["moves"] >= 1 for _, info in game.info)


def test_a_player_of_the_library_is_a_process_of_the_line_protocol_and_tells_what_it_thought(bench: Bench) -> None:
    terms = PATIENCE._replace(keep_info=True, game_seconds=0.5, move_seconds=300.0)
    entrant = Entrant("search", "lines", f"{PYTHON} -m alhambra_cli bot search_easy")
    fixture = Fixture(0, 0, ("search", "random"))
    game = play(terms, {"search": entrant, **{e.name: e for e in read_entrants(["random"])}}, fixture, bench)
    told = [info for _, info in game.info]
    assert told, game.faults
    for info in told:
        assert info["candidates"][0]["move"]["verb"]
        assert all(candidate["visits"] <= max(info["rounds"], 0) for candidate in info["candidates"])


def test_what_a_process_is_told_contains_neither_seed_nor_hands_of_others(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    send = line_protocol.LineProcess._send

    def noted(process: line_protocol.LineProcess, line: str, deadline: float) -> None:
        sent.append(line)
        send(process, line, deadline)

    monkeypatch.setattr(line_protocol.LineProcess, "_send", noted)
    terms = PATIENCE._replace(seed="a secret seed")
    game_of(bench, line_bot("play"), "random", terms=terms)
    assert len(sent) > 10
    assert not any("a secret seed" in line for line in sent)
    assert not any('"hand"' in line.partition('"name":"random"')[2].partition("}]")[0] for line in sent[2:3])
