"""All modules at once against the base game: the cost of a move, a list, a view, a stored game and a call."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from heapq import heappush, heappushpop
from itertools import islice
from random import Random
from statistics import mean, median
from time import process_time
from typing import Any

from alhambra import Game, Options, known_modules
from alhambra.players import MOVERS
from alhambra_service.games.legal_moves import BRIEF, MoveFilter, Page, page
from alhambra_service.limits import MOVES_PAGE_USUAL
from alhambra_service.messages.move_texts import Wording
from tests.rules.situations import hand, market, table

from .boards import search, twenty_tiles
from .calls import Client
from .group import Effort, Goal, Group
from .growth import CALLS, IN_FLIGHT
from .load import Asking
from .measure import once
from .processes import Processes, clock
from .report import ROOT
from .rounds import AGAIN, CONTROL, MICRO, Contest, Entrant, Figure

SEATS = 3
GAMES = 6
QUICK_STATES = 200
"""States that are looked at to see that it works."""
EVERY = 5
"""Moves are listed for one state in five."""
SLOWEST = 12
"""States with the longest times, which are measured again."""
AGAIN_SLOWEST = 7
"""How often; the fastest counts."""
CARDS = 40
"""Cards of a rich hand, of every currency."""
DRAWS = 40
"""Random moves of a rich hand."""
APPLIED = 40
"""Moves that one run makes over gRPC."""
HOW = (
    "Games of three seats with all {count} modules on, beside the same with none. Times of the library are times on a "
    "core. A move is one of the policy `random`; base games are played twice for the control. Lists of moves are taken "
    "from one state in five of random games and of games of `peer`; the worst is the fastest of {again} repetitions "
    "for the slowest of these states; a page is what the service lists with texts. A rich hand holds {cards} cards of "
    "each currency, and four buildings are for sale. Starting is a new process that imports the library and deals a "
    "game."
)
START = """
import time
began = time.process_time()
from alhambra import Game, Options
Game.new(Options(seats=3, seed="start", modules={modules!r}))
print(time.process_time() - began)
"""
SERVED = (
    "A legal placement on an Alhambra of more than twenty tiles, and moves of the policy `peer`, in games with none "
    "and with all of the {count} modules, by the same service. The control asks about the placement "
    "without modules twice."
)


def library(effort: Effort) -> Group:
    """Measure the library with all modules."""
    modules = tuple(known_modules())
    rows: list[dict[str, Any]] = []
    goals: list[Goal] = []
    for part in (_moves, _listings, _rich, _sizes, _starting):
        effort.tick(part.__name__.strip("_"))
        found, reached = part(effort, modules)
        rows += found
        goals += reached
    how = HOW.format(count=len(modules), cards=CARDS, again=AGAIN_SLOWEST)
    return Group("Library: all modules at once", how, rows, goals=goals)


Found = tuple[list[dict[str, Any]], list[Goal]]


def _moves(effort: Effort, modules: tuple[str, ...]) -> Found:
    lanes: dict[str, tuple[str, ...]] = {"base": (), "base" + AGAIN: (), "all": modules}
    took: dict[str, list[float]] = {name: [] for name in lanes}
    for number in range(effort.few):
        for name, on in lanes.items():
            took[name].append(_seconds_a_move(number, on))
    base, again, played = took.values()
    ratio = Figure.of([one / other for one, other in zip(played, base, strict=True)])
    control = Figure.of([one / other for one, other in zip(again, base, strict=True)])
    row = {"what": "a move, µs", "base": round(MICRO * median(base)), "all": round(MICRO * median(played))}
    check = {"what": "the control: base games again", "ratio": round(control.value, 3)}
    settled = abs(control.value - 1) <= CONTROL
    return [row | {"ratio": round(ratio.value, 2)}, check], [
        Goal.of("move_with_modules_over_base", ratio, 2.5, settled=settled)
    ]


def _seconds_a_move(number: int, modules: tuple[str, ...]) -> float:
    policy = MOVERS["random"]
    began, made = process_time(), 0
    for seed in range(1 if modules else 4):
        game, rng = Game.new(Options(seats=SEATS, seed=f"bench {number} {seed}", modules=modules)), Random(seed)
        while not game.over:
            game.apply(policy(game, rng))
            made += 1
    return (process_time() - began) / made


def _played(effort: Effort, modules: tuple[str, ...], games: int) -> Iterator[tuple[Game, Callable[[], None]]]:
    """Generate every state of some games; in a quick run only the first states."""
    return islice(_states(modules, games), QUICK_STATES if effort.quick else None)


def _states(modules: tuple[str, ...], games: int) -> Iterator[tuple[Game, Callable[[], None]]]:
    """Generate every state of some games with the player of the next move: random games and games of `peer` in turn."""
    for number in range(games):
        game, rng = Game.new(Options(seats=SEATS, seed=f"all {number}", modules=modules)), Random(number)
        policy = MOVERS["random" if number % 2 else "peer"]
        while not game.over:
            yield game, lambda: game.play(policy(game, rng))  # noqa: B023  (called before the next turn of the loop)


def _listings(effort: Effort, modules: tuple[str, ...]) -> Found:
    rows = {}
    for name, on in (("base", ()), ("all", modules)):
        gc.collect()
        chosen, worded, made = _Slowest(Game.legal_moves), _Slowest(_page), []
        for number, (game, move) in enumerate(_played(effort, on, GAMES)):
            if number % EVERY == 0:
                chosen.measure(game)
                worded.measure(game)
            made.append(MICRO * once(move, 1))
        rows[name] = (chosen.mean(), chosen.worst(), worded.mean(), worded.worst(), max(made))
    what = (
        *("legal_moves, mean, µs", "legal_moves, worst, µs"),
        *("a page of ListLegalMoves with texts, mean, µs", "a page of ListLegalMoves with texts, worst, µs"),
        "drawing and making a move, worst, µs",
    )
    shown = [
        {"what": name, "base": round(rows["base"][at]), "all": round(rows["all"][at])} for at, name in enumerate(what)
    ]
    return shown, [
        _goal("legal_moves_with_modules", rows["all"][0], 1_500.0),
        _goal("worst_legal_moves_with_modules", rows["all"][1], 8_000.0),
        _goal("worst_list_with_texts_with_modules", rows["all"][3], 8_000.0),
        _goal("worst_move_with_modules", rows["all"][4], 20_000.0),
    ]


class _Slowest:
    """The cost of one question about many states, and the states where it was highest."""

    def __init__(self, ask: Callable[[Game], object]) -> None:
        self._ask = ask
        self._times: list[float] = []
        self._slowest: list[tuple[float, int, Game]] = []

    def measure(self, game: Game) -> None:
        """Ask about a state of a game, twice."""
        took = min(self._once(game.clone()), self._once(game.clone()))
        entry = (took, len(self._times), game.clone())
        self._times.append(took)
        (heappush if len(self._slowest) < SLOWEST else heappushpop)(self._slowest, entry)

    def mean(self) -> float:
        """Return the mean of all states, in microseconds."""
        return mean(self._times)

    def worst(self) -> float:
        """Return what the worst state costs, in microseconds. The slowest states are asked about again, because one of
        thousands of short turns is always disturbed; as read from bytes, because clones share what boards know."""
        written = [game.to_bytes() for _, _, game in self._slowest]
        return max(min(self._once(Game.from_bytes(data)) for _ in range(AGAIN_SLOWEST)) for data in written)

    def _once(self, game: Game) -> float:
        return MICRO * once(partial(self._ask, game), 1)


def _page(game: Game) -> Page:
    """Return the first page of the legal moves with texts, as the service lists them."""
    wording = Wording("en", [seat.name for seat in game.options.seats])
    return page(game, MoveFilter(), BRIEF, MOVES_PAGE_USUAL, wording=wording)


def _goal(name: str, found: float, goal: float) -> Goal:
    return Goal.of(name, Figure(found, found, found), goal, unit="µs")


def rich(modules: tuple[str, ...]) -> Game:
    """Return a game in which a seat with very many cards may buy one of four buildings."""
    game = table(SEATS, modules=list(modules))
    by_currency: dict[str, list[str]] = {}
    for card in game.state.deck:
        printed = game.ruleset.cards[card]
        if printed.kind == "money":
            by_currency.setdefault(printed.currency, []).append(card)
    hand(game, 0, *(card for cards in by_currency.values() for card in cards[:CARDS]))
    market(game, gulden="tower-11", dirham="garden-10", denar="tower-11-n", dukat="tower-11-s")
    return game


def _rich(effort: Effort, modules: tuple[str, ...]) -> Found:
    rows = {}
    for name, on in (("base", ()), ("all", modules)):
        game, policy = rich(on), MOVERS["random"]
        lists = min(MICRO * once(game.clone().legal_moves, 1) for _ in range(3))
        draws = [
            MICRO * once(partial(policy, game.clone(), Random(number)), 1) for number in range(effort.calls(DRAWS))
        ]
        rows[name] = (lists, max(draws))
    what = ("legal_moves of a rich hand, µs", "a random move of a rich hand, worst, µs")
    shown = [
        {"what": name, "base": round(rows["base"][at]), "all": round(rows["all"][at])} for at, name in enumerate(what)
    ]
    return shown, [
        _goal("legal_moves_of_a_rich_hand", rows["all"][0], 10_000.0),
        _goal("random_move_of_a_rich_hand", rows["all"][1], 20_000.0),
    ]


def _sizes(effort: Effort, modules: tuple[str, ...]) -> Found:
    rows = {}
    for name, on in (("base", ()), ("all", modules)):
        views, states = [], []
        for number, (game, move) in enumerate(_played(effort, on, 2)):
            if number % (10 * EVERY) == 0:
                views.append(len(json.dumps(game.view(0), separators=(",", ":"))))
                states.append(len(game.to_bytes()))
            move()
        rows[name] = (mean(views), mean(states))
    return [
        {"what": what, "base": round(rows["base"][at]), "all": round(rows["all"][at])}
        for at, what in enumerate(("a view, bytes of JSON", "a state, bytes"))
    ], []


def _starting(effort: Effort, modules: tuple[str, ...]) -> Found:
    rows = {}
    for name, on in (("base", ()), ("all", modules)):
        took = []
        for _ in range(1 if effort.quick else 5):
            code = START.format(modules=on)
            told = subprocess.run(
                [sys.executable, "-c", code],
                env={"PYTHONPATH": str(ROOT / "rules")},
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=True,
            )
            took.append(1e3 * float(told.stdout))
        rows[name] = round(min(took))
    goal = Goal.of("import_and_first_game", Figure(rows["base"], rows["base"], rows["base"]), 60.0, unit="ms")
    return [{"what": "import, compile and deal, ms", "base": rows["base"], "all": rows["all"]}], [goal]


def served(effort: Effort) -> Group:
    """Measure the service with all modules."""
    modules = tuple(known_modules())
    lanes: dict[str, tuple[str, ...]] = {"none on": (), "all on": modules}
    with Processes() as processes:
        store = processes.store()
        commands = processes.commands(store)
        service = processes.service(store)
        cpu = clock(server=service.pid, store=store.pid or 0)
        entrants: dict[str, Entrant] = {}
        for name, on in lanes.items():
            (game,) = search(commands, 1, effort.enough(twenty_tiles), on, seats=SEATS)
            asking = Asking(processes.files, service.address, [game.question()], IN_FLIGHT, effort.calls(CALLS))
            entrants[f"ValidatePlacement, {name}"] = partial(asking.run, cpu)
        placed = effort.contest("placements", Contest(entrants, rounds=effort.rounds))
        count = 8 if effort.quick else APPLIED
        clients = {name: Client(processes, "everysec", 2 * effort.few + 2, on) for name, on in lanes.items()}
        makers: dict[str, Entrant] = {
            f"ApplyMove, {name}": partial(client.apply, count) for name, client in clients.items()
        }
        applied = effort.contest("moves", Contest(makers, rounds=effort.few, attempts=1))
        for client in clients.values():
            client.channel.close()
    how = SERVED.format(count=len(modules))
    goal = Goal.of(
        "grpc_validate_all_modules_over_none",
        placed.ratio("ValidatePlacement, all on", "ValidatePlacement, none on"),
        1.2,
        settled=placed.settled,
    )
    moved = Goal.of(
        "apply_all_modules_over_base",
        applied.ratio("ApplyMove, all on", "ApplyMove, none on"),
        2.0,
        settled=applied.settled,
    )
    return Group(
        "Service: all modules at once", how, [*placed.rows(), *applied.rows()], placed.verdict(), [goal, moved]
    )
