"""Invariants: what must hold in every game after every move, with any modules.

- No piece is lost or gained, including those of modules.
- The state survives a round trip through bytes.
- A seat's score is the sum of its score lines.
- Every Alhambra obeys the construction rules, except while its seat decides about a half-laid tile
  (`DecisionKind.unsettled`).
- Every decision has a legal move; no move is enumerated twice; enumerated moves verify; listed moves are enumerated.
- A finished game stays finished: nothing can be undone.
- Nothing leaks: a viewer observes the same in a game and in its determinizations for that viewer.

`Invariants` follows one game. `alhambra simulate --check` and the conformance suite use it; the suite adds checks that
need a second copy of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeVar

from .board import Board
from .events import Event
from .game import Game
from .moves import Move
from .observation import Viewer, first_difference, observe
from .placement.rules import explain_board
from .rng import Rng

__all__ = ["BrokenInvariant", "Invariants"]

T = TypeVar("T")

WALK_LIMIT = 400
"""Maximum number of moves that are enumerated per state. Beyond it, `verify` decides what is legal."""
PROBES = 5
"""Number of enumerated moves that are verified per state, of different verbs if possible."""


class BrokenInvariant(AssertionError):
    """A violated invariant: a defect of the rules. The message names it."""


def census(game: Game) -> Counter[str]:
    """Return the number of each tile, card and piece, wherever it is."""
    state = game.state
    found: list[str] = []
    for seat in state.seats:
        found += seat.hand
        found += seat.reserve
        found += seat.pending
        found += seat.board.placed
    for place in (state.deck, state.discard, state.display, state.tower, state.aside, state.dirk, state.box):
        found += place
    found += (tile for tile in state.market if tile)
    found += (tile for tiles in state.beside.values() for tile in tiles)
    for module in game.ruleset.modules:
        if module.census is not None:
            found += module.census(game)
    return Counter(found)


def belongings(game: Game, seat: int) -> Counter[str]:
    """Return what a seat owns: its tiles and the pieces of modules that belong to it. Secret pieces are counted twice,
    as the seat sees them and as the others do."""
    owner = game.state.seats[seat]
    tiles = {*owner.board.placed, *owner.reserve}
    pieces: Counter[str] = Counter()
    for module in game.ruleset.modules:
        found = [*module.public_pieces(game)] if module.public_pieces is not None else []
        found += module.private_pieces(game, seat) if module.private_pieces is not None else ()
        for thing in found:
            if thing.get("seat") == seat:
                tiles.add(thing.get("tile") or "")
                told = ("kind", "piece") if thing.get("piece") else sorted(thing.keys() - {*PLACES})
                pieces[" ".join(str(thing[word]) for word in told)] += thing.get("amount", 1)
    return pieces + Counter(tiles - {""})


PLACES = ("amount", "tile", "slot", "cell", "side")
"""Fields of an unnamed piece other than its kind: amount and place."""


OPTIONS = {"pieces": "piece", "slots": "slot", "choices": "choice", "offered": "tile"}
"""Keys in the context of a decision that list possible answers, with the nouns of these answers."""


class Invariants:
    """The invariants of one game. Call `follow` after every entry of the log, and `check` to check the current
    state."""

    def __init__(self, game: Game, rng: Rng, *, probes: int = PROBES, leaks_every: int = 0) -> None:
        self.game = game
        self.rng = rng
        self.probes = probes
        self.leaks_every = leaks_every
        """Check for leaks at every n-th check, for one viewer at a time; 0 for never."""
        self.checks = 0
        self.enumerated: frozenset[Move] | None = None
        """All legal moves of the state checked last; None if there are more than WALK_LIMIT."""
        self.walked: list[Move] = []
        """The legal moves of the state checked last, up to WALK_LIMIT."""
        self.listed: list[Move] | None = None
        """The result of `legal_moves` in the state checked last; None if it was not called."""
        self.probed: list[Move] = []
        """The moves verified in the state checked last."""
        self._pieces: Counter[str] | None = None
        self._lines: list[tuple[int, ...]] = []
        """Sums of all score lines after setup and after each entry in effect."""
        self._gone: set[int] = {number for number, seat in enumerate(game.state.seats) if seat.resigned}
        """Seats that have resigned. Resignations cannot be undone."""
        self._left: dict[int, Counter[str]] = {}
        """What each of them owned when first checked."""
        self._sound: dict[int, Board] = {}
        """Boards found correct last. A board inside a game is replaced, never changed."""
        self.follow(game.events)

    def follow(self, events: Iterable[Event]) -> None:
        """Process the events of one entry: a move, an undo or a resignation."""
        sums = list(self._lines[-1]) if self._lines else [0] * (len(self.game.state.seats) + 1)
        for event in events:
            if event.kind == "undone":
                self._lines.pop()
                return
            if event.kind == "scored":
                sums[event.public["seat"]] += event.public["points"]
            self._follow_resigned(event)
        self._lines.append(tuple(sums))

    def _follow_resigned(self, event: Event) -> None:
        """Check that a resigned seat is not asked and scores only its Alhambra."""
        public, seat = event.public, event.public.get("seat")
        if event.kind == "resigned":
            self._gone.add(public["seat"])
        if seat not in self._gone:
            return
        if event.kind == "decision_opened":
            raise BrokenInvariant(f"seat {seat} has resigned, but is asked: {public}")
        beside = self.game.ruleset.scores_before_seats
        if event.kind == "scored" and (not public["scoring"] or public["reason"] in beside):
            raise BrokenInvariant(f"seat {seat} has resigned, but scores: {public}")

    def check(self) -> None:
        """Check the current state. Raise BrokenInvariant if an invariant does not hold."""
        self.check_pieces()
        self.check_bytes()
        self.check_scores()
        self.check_boards()
        self.check_moves()
        self.check_options()
        self.check_resigned()
        self.check_listed()
        self.check_finality()
        if self.leaks_every and self.checks % self.leaks_every == 0:
            self.check_leaks(self.viewer(self.checks // self.leaks_every))
        self.checks += 1

    # -- One check each ------------------------------------------------------------------------------------------

    def check_pieces(self) -> None:
        """Check that no piece was lost or gained since the first turn began."""
        if self.game.state.turn == 0:  # before the first turn, players may still choose their starting pieces
            return
        now = census(self.game)
        if self._pieces is None:
            self._pieces = now
        before = self._pieces
        if not dict.__eq__(now, before):  # faster than comparing counters; no count is zero
            raise BrokenInvariant(f"pieces are not conserved: gained {dict(now - before)}, lost {dict(before - now)}")

    def check_bytes(self) -> None:
        """Check that the state survives a round trip through bytes; for a finished game, the whole game."""
        game = self.game
        data = game.state_bytes()
        if game.with_state(data).state_bytes() != data:
            raise BrokenInvariant("the trip through bytes changed the state")
        if game.over and Game.from_bytes(game.to_bytes()) != game:
            raise BrokenInvariant("the trip through bytes changed the game")

    def check_scores(self) -> None:
        """Check that every score, including Dirk's, is the sum of its score lines."""
        for seat, (score, lines) in enumerate(zip(self.game.scores, self._lines[-1], strict=False)):
            if score != lines:
                raise BrokenInvariant(f"seat {seat} has {score} points, but its score lines say {lines}")

    def check_boards(self) -> None:
        """Check that every Alhambra obeys the construction rules, except while its seat decides about a half-laid
        tile."""
        decision = self.game.decision
        unsettled = decision.seat if decision is not None and self.game.question().kind.unsettled else None
        for number, seat in enumerate(self.game.state.seats):
            if seat.board is self._sound.get(number) or number == unsettled:
                continue
            faults = "; ".join(map(str, explain_board(seat.board)))
            if faults:
                raise BrokenInvariant(f"the Alhambra of seat {number} does not stand: {faults}")
            self._sound[number] = seat.board

    def check_moves(self) -> None:
        """Check that there is a legal move, that no move is enumerated twice, and that a sample of them verifies."""
        game = self.game
        walked = self.walked = list(islice(game.moves(), WALK_LIMIT))
        known = frozenset(walked)
        if len(known) != len(walked):
            raise BrokenInvariant(f"a move is enumerated twice: {_first_repeated(walked)}")
        if not walked and not game.over:
            raise BrokenInvariant(f"a decision without a legal move: {game.decision}")
        self.enumerated = known if len(walked) < WALK_LIMIT else None
        self.listed = None
        self.probed = self._spread()
        for move in self.probed:
            violations = game.verify(move)
            if violations:
                raise BrokenInvariant(f"enumerated, but refused: {move} {violations}")

    def check_listed(self) -> None:
        """Check that listed moves are enumerated, and that none is listed twice."""
        listed = self.listed = self.game.legal_moves()
        distinct = set(listed)
        if len(distinct) != len(listed):
            raise BrokenInvariant(f"a move is listed twice: {_first_repeated(listed)}")
        if self.enumerated is not None:
            strange = distinct - self.enumerated
            if strange:
                raise BrokenInvariant(f"listed, but not enumerated: {strange}")

    def check_options(self) -> None:
        """Check that every answer listed by a decision is legal, and that no tile it names has left the game."""
        decision, state = self.game.decision, self.game.state
        if decision is None:
            return
        named = [name for value in decision.context.values() for name in (value if type(value) is tuple else (value,))]
        lost = {name for name in named if name in self.game.ruleset.tiles} & {*state.box}
        if lost:
            raise BrokenInvariant(f"a question about tiles that are not there: {decision} {lost}")
        if self.enumerated is None:
            return
        for word, noun in OPTIONS.items():
            answers = {getattr(move, noun) for move in self.enumerated}
            unanswered = {*decision.context.get(word, ())} - answers
            if unanswered:
                raise BrokenInvariant(f"what the question lists is no answer: {decision} {unanswered}")

    def check_resigned(self) -> None:
        """Check that a resigned seat is not asked, holds nothing and gets nothing."""
        state = self.game.state
        for number, seat in enumerate(state.seats):
            if not seat.resigned:
                continue
            if state.decision is not None and state.decision.seat == number:
                raise BrokenInvariant(f"seat {number} has resigned, but is asked: {state.decision}")
            if seat.hand or seat.unseen or seat.unseen_kinds or seat.pending:
                raise BrokenInvariant(f"seat {number} has resigned, but holds {seat.hand} {seat.pending}")
            now = belongings(self.game, number)
            gained = now - self._left.setdefault(number, now)
            if gained:
                raise BrokenInvariant(f"seat {number} has resigned, but got {dict(gained)}")

    def check_finality(self) -> None:
        """Check that nothing can be undone in a finished game, not even by consent."""
        game = self.game
        for seat in range(len(game.state.seats)) if game.over else ():
            if game.can_undo(seat, consent=True) is None:
                raise BrokenInvariant(f"the game is over, but seat {seat} can take its last move back")

    def check_leaks(self, viewer: Viewer, *, as_text: bool = True) -> None:
        """Check that the viewer cannot distinguish the game from a determinization."""
        game = self.game
        sample = game.determinize(viewer, self.rng)
        difference = first_difference(observe(game, viewer, self.listed), observe(sample, viewer), as_text=as_text)
        if difference:
            raise BrokenInvariant(f"viewer {viewer} can tell the determinization by {difference}")

    # -- Samples -------------------------------------------------------------------------------------------------

    def viewer(self, number: int) -> Viewer:
        """Return the viewer for a check by its number: the spectator (None), then each seat in turn."""
        turn = number % (len(self.game.state.seats) + 1)
        return turn - 1 if turn else None

    def _spread(self) -> list[Move]:
        """Return up to `probes` random moves, of as many different verbs as possible."""
        by_verb: dict[str, list[Move]] = {}
        for move in self.walked:
            by_verb.setdefault(move.verb, []).append(move)
        verbs = self._some(list(by_verb.values()), self.probes)
        found = [moves[self.rng.randrange(len(moves))] for moves in verbs]
        return found + self._some(self.walked, self.probes - len(found))

    def _some(self, things: Sequence[T], count: int) -> list[T]:
        """Return `count` random elements without repetition; all if there are no more."""
        left = list(things)
        return [left.pop(self.rng.randrange(len(left))) for _ in range(min(count, len(left)))]


def _first_repeated(moves: Sequence[Move]) -> Move:
    return next(move for number, move in enumerate(moves) if move in moves[:number])
