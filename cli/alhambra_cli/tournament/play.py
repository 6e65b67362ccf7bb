"""One game of a tournament: asks the bot of the seat to decide, measures its time, and stops a bot that fails.

A bot that crashes, is late, breaks the protocol or makes an illegal move loses: its seat resigns. The others play on;
if only one is left, the game is over. The reason is part of the result.
"""

from __future__ import annotations

import importlib
import signal
import tempfile
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from alhambra import AlhambraError, Game, IllegalMove, Move, Options
from alhambra.export import write_entry
from alhambra.players import PLAYERS, Action, Player, Resign, apply_action, thinking_seconds

from .entrants import BUILT_IN, GRPC, LEASE, LINES, PYTHON, Entrant
from .line_protocol import CRASH, ILLEGAL, PROTOCOL, RESIGNED, TIMEOUT, BotFault, LineProcess, read_object
from .results import Fault, Played
from .schedule import Fixture
from .seat import Bot, TimeLeft

if TYPE_CHECKING:
    from .lease_seat import LeasingProcess

DETAIL_LIMIT = 1_000
"""Characters of the explanation of a fault."""


class Terms(NamedTuple):
    """The rules of all games of a tournament."""

    seats: int
    modules: tuple[str, ...] = ()
    edition: str = "de_revised_2019"
    seed: str = "arena"
    move_seconds: float = 10.0
    """Time for one decision."""
    game_seconds: float | None = None
    """Time for all decisions of a bot in one game; None for no limit."""
    memory: int | None = None
    """Address space of a bot's process in bytes; None for no limit."""
    keep_info: bool = False
    """Whether the result has what the bots told about their decisions."""

    def options(self, fixture: Fixture) -> Options:
        """Return the options of a game. The deal depends only on its number, not on the bots."""
        seats = [{"name": name} for name in fixture.bots]
        return Options(seats, f"{self.seed}/{fixture.deal}", edition=self.edition, modules=self.modules)


# -- Bots inside this process ------------------------------------------------------------------------------------------


class LateBot(BaseException):
    """Raised inside a bot when its time is over. Not an Exception, so that bots do not catch it by accident."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise LateBot in this block after some time. Only the main thread can be interrupted."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise LateBot

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


class PythonBot:
    """A player, class or function of Python. Foreign ones get a determinization, so that they see no more than their
    seat."""

    info: dict[str, Any] | None = None

    def __init__(self, entrant: Entrant, rng: Random) -> None:
        self._rng = rng
        self._trusted = entrant.kind == BUILT_IN
        try:
            self._player = PLAYERS[entrant.target]() if self._trusted else load_player(entrant.target)
        except Exception as fault:
            raise BotFault(CRASH, f"cannot start {entrant.target}: {fault!r}") from fault

    def answer(self, game: Game, left: TimeLeft) -> Action:
        """Return the answer of the player."""
        assert game.decision is not None
        seen = game if self._trusted else game.determinize(game.decision.seat, self._rng)
        end = time.monotonic() + thinking_seconds(seen, left.move, left.game)
        try:
            with alarm(left.limit):
                return self._player.answer_within(seen, self._rng, lambda: time.monotonic() >= end)
        except LateBot:
            raise BotFault(TIMEOUT, f"no answer within {left.limit:.1f} s") from None
        except Exception as fault:
            raise BotFault(CRASH, repr(fault)) from fault

    def finish(self, result: dict[str, Any]) -> None:
        """Do nothing: players of this library keep no results."""

    def fail(self) -> None:
        """Do nothing: the object is dropped."""


class _Function(Player):
    """A function that takes a game and a random generator and returns a move, as a player."""

    name = "function"
    about = "a function"

    def __init__(self, choose: Callable[[Game, Random], Action]) -> None:
        self._choose = choose

    def answer(self, game: Game, rng: Any) -> Action:
        """Return what the function returns."""
        return self._choose(game, rng)


def load_player(path: str) -> Player:
    """Return the player at a path `package.module:Name`: an instance if it is a class, otherwise the function."""
    module, _, attribute = path.partition(":")
    found: Any = importlib.import_module(module)
    for name in attribute.split("."):
        found = getattr(found, name)
    made = found() if isinstance(found, type) else found
    if isinstance(made, Player):
        return made
    choose = getattr(made, "answer", made)
    if not callable(choose):
        raise TypeError(f"{path} is neither a player nor a function")
    return _Function(choose)


# -- Bots in processes of their own ------------------------------------------------------------------------------------


class LineBot:
    """A bot that speaks the line protocol, at one seat. Its process is kept for the next game."""

    info: dict[str, Any] | None = None

    def __init__(self, process: LineProcess, drop: Callable[[], None], about: dict[str, Any], rng: Random) -> None:
        self._process = process
        self._drop = drop
        self._rng = rng
        self._events: list[dict[str, Any]] = []
        self._seen = 0
        self._seat: int = about["seat"]
        try:
            process.new_game(about)
        except BotFault:
            self.fail()
            raise

    def follow(self, game: Game) -> None:
        """Remember the events of the last entry of the log, if the bot wants them."""
        if "events" in self._process.wants:
            self._events += [event.seen_by(self._seat) for event in game.events]

    def answer(self, game: Game, left: TimeLeft) -> Action:
        """Return the answer of the process."""
        moves = game.legal_moves()
        question: dict[str, Any] = {
            "clock": left.as_dict(),
            "view": game.view(self._seat),
            "moves": [move.as_dict() for move in moves],
        }
        if "events" in self._process.wants:
            question["events"], self._events = self._events, []
        if "game" in self._process.wants:
            resampled = game.determinize(self._seat, self._rng)
            question["game"] = b64encode(resampled.to_bytes()).decode("ascii")
        verb, text, self.info = self._process.decide(question, left.limit)
        if verb == "resign":
            return Resign(self._seat)
        return read_answer(text, moves)

    def finish(self, result: dict[str, Any]) -> None:
        """Tell the process how the game ended."""
        try:
            self._process.game_over(result)
        except BotFault:
            self.fail()  # the game is over; the next game starts a new process

    def fail(self) -> None:
        """Kill the process."""
        self._drop()
        self._process.close(kill=True)


def read_answer(text: str, moves: list[Move]) -> Move:
    """Return the move that a bot named: its index in the list, or a JSON object."""
    if text.isascii() and text.isdigit() and len(text) < 10:
        if int(text) >= len(moves):
            raise BotFault(ILLEGAL, f"there are only {len(moves)} moves, not a move {text}")
        return moves[int(text)]
    try:
        return Move.read(read_object(text, "move"))
    except IllegalMove as fault:
        raise BotFault(ILLEGAL, fault.message) from None


class Bench:
    """The processes of bots that wait for their next game. `close` ends them all."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._processes: dict[str, list[LineProcess]] = {}
        self._in_use: dict[str, list[LineProcess]] = {}
        self._leasing: dict[str, LeasingProcess] = {}

    def line_bot(self, entrant: Entrant, about: dict[str, Any], rng: Random) -> LineBot:
        """Return a bot for one game; its process is started if none is free."""
        free = self._processes.setdefault(entrant.name, [])
        used = self._in_use.setdefault(entrant.name, [])
        if free:
            process = free.pop()
        else:
            process = LineProcess(entrant.command(), self._terms.memory)
            try:
                process.shake_hands()
            except BotFault:
                process.close(kill=True)
                raise
        used.append(process)
        return LineBot(process, lambda: used.remove(process) if process in used else None, about, rng)

    def lease_bot(self, entrant: Entrant, game: Game, seat: int, rng: Random) -> Bot:
        """Return a bot for one game that leases its decisions; its process is started for its first game."""
        from .lease_seat import LeaseBot, LeasingProcess

        if entrant.name not in self._leasing:
            self._leasing[entrant.name] = LeasingProcess(entrant, tempfile.TemporaryFile())  # noqa: SIM115
        return LeaseBot(self._leasing[entrant.name], lambda: self._leasing.pop(entrant.name, None), game, seat, rng)

    def release(self) -> None:
        """Make the processes of the last game available for the next one."""
        for name, used in self._in_use.items():
            self._processes[name] += used
            used.clear()

    def close(self) -> None:
        """End all processes."""
        self.release()
        for process in (process for free in self._processes.values() for process in free):
            process.close()
        self._processes.clear()
        for leasing in self._leasing.values():
            leasing.close()
        self._leasing.clear()


# -- The game ----------------------------------------------------------------------------------------------------------


def play(terms: Terms, entrants: dict[str, Entrant], fixture: Fixture, bench: Bench) -> Played:
    """Play one game and return its result."""
    game = Game.new(terms.options(fixture))
    record = _Record(terms, fixture, game)
    bots: dict[int, Bot] = {}
    try:
        for seat, name in enumerate(fixture.bots):
            try:
                bots[seat] = _open(terms, entrants[name], record, seat, bench)
            except BotFault as fault:
                record.lose(seat, fault)
        record.follow(bots)
        while game.decision is not None:
            seat = game.decision.seat
            try:
                record.take_turn(bots[seat], seat)
            except BotFault as fault:
                bots[seat].fail()
                record.lose(seat, fault)
            record.follow(bots)
        result = record.result()
        for seat, bot in bots.items():
            if all(fault.seat != seat for fault in record.faults):
                bot.finish({"places": list(result.places), "scores": list(result.scores)})
    except BaseException:
        for bot in bots.values():
            bot.fail()
        raise
    finally:
        bench.release()
    return result


def _open(terms: Terms, entrant: Entrant, record: _Record, seat: int, bench: Bench) -> Bot:
    rng = Random(f"{terms.seed}/{record.fixture.number}/{seat}")
    if entrant.kind in (BUILT_IN, PYTHON):
        return PythonBot(entrant, rng)
    if entrant.kind == LINES:
        return bench.line_bot(entrant, record.about(seat, rng), rng)
    if entrant.kind == LEASE:
        return bench.lease_bot(entrant, record.game, seat, rng)
    assert entrant.kind == GRPC
    from .grpc_seat import GrpcBot

    return GrpcBot(entrant, record.game, seat)


class _Record:
    """A game in progress: who has used how much time, and who has lost."""

    def __init__(self, terms: Terms, fixture: Fixture, game: Game) -> None:
        self.terms = terms
        self.fixture = fixture
        self.game = game
        self.seconds = [0.0] * len(fixture.bots)
        self.faults: list[Fault] = []
        self.info: list[Any] = []

    def about(self, seat: int, rng: Random) -> dict[str, Any]:
        """Return what a bot learns about the game before it starts. The seed of the deal is not part of it."""
        terms = self.terms
        options = {name: value for name, value in self.game.options.as_dict().items() if name != "seed"}
        left = TimeLeft(terms.move_seconds, terms.game_seconds)
        return {
            "game": self.fixture.number,
            "seat": seat,
            "options": options,
            "clock": left.as_dict(),
            "randomSeed": rng.randrange(2**31),
        }

    def take_turn(self, bot: Bot, seat: int) -> None:
        """Ask the bot and apply its answer. Raise BotFault if it loses the game."""
        terms = self.terms
        left = TimeLeft(
            terms.move_seconds, None if terms.game_seconds is None else terms.game_seconds - self.seconds[seat]
        )
        began = time.monotonic()
        try:
            action = bot.answer(self.game, left)
        finally:
            used = time.monotonic() - began
            self.seconds[seat] += used
        if used > left.limit:
            raise BotFault(TIMEOUT, f"answered after {used:.1f} s instead of {left.limit:.1f} s")
        if isinstance(action, Resign):
            raise BotFault(RESIGNED, "the bot resigned")
        if not isinstance(action, Move):
            raise BotFault(PROTOCOL, f"the bot returned {str(action)[:100]!r} instead of a move")
        try:
            apply_action(self.game, action)
        except IllegalMove as fault:
            raise BotFault(ILLEGAL, f"{write_action(action)}: {fault.message}") from None
        if terms.keep_info and bot.info is not None:
            self.info.append([len(self.game.log), bot.info])

    def lose(self, seat: int, fault: BotFault) -> None:
        """Let a seat lose the game: it resigns."""
        detail = fault.detail[:DETAIL_LIMIT]
        self.faults.append(Fault(seat, self.fixture.bots[seat], fault.reason, detail))
        if not self.game.over:
            self.game.resign(seat)

    def follow(self, bots: dict[int, Bot]) -> None:
        """Let bots that follow the game see what happened."""
        for bot in bots.values():
            follow = getattr(bot, "follow", None)
            if follow is not None:
                follow(self.game)

    def result(self) -> Played:
        """Return the result of the finished game."""
        game, seats = self.game, len(self.fixture.bots)
        ranked = dict(game.state.ranking)
        places = tuple(ranked.get(seat, seats if ranked else 1) for seat in range(seats))
        return Played(
            self.fixture.number,
            self.fixture.deal,
            self.fixture.bots,
            places,
            tuple(game.scores[:seats]),
            tuple(round(used, 4) for used in self.seconds),
            tuple(self.faults),
            game.options.as_dict(),
            tuple(write_entry(entry) for entry in game.log),
            tuple(self.info),
        )


def write_action(move: Move) -> str:
    """Return a move in notation, or as it is if it cannot be written."""
    try:
        from alhambra import write_move

        return write_move(move)
    except (AlhambraError, TypeError, ValueError):
        return repr(move)[:200]
