"""Plays a game and checks after its moves what must hold in every game.

`alhambra.invariants` checks what can be seen in one state of one game. Here are the checks that need more: a second
copy of the game that makes the same moves, earlier states that must stay as they were, moves that should be refused.

- The state survives the trip through bytes, and goes on from there in lockstep with the one that was not written,
  telling the same events and listing pieces and moves in the same order.
- A move that verifies is enumerated; what is drawn is enumerated.
- Earlier states stay as they were. An undo leads back to the state before the move.

`docs/conformance.md` says which checks are complete after each move and which draw a sample.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice, zip_longest
from typing import Any, NoReturn

from alhambra import Game, Move, Options
from alhambra.invariants import BrokenInvariant, Invariants, belongings
from alhambra.players import Action, Player, RandomPlayer, Table, Undo
from alhambra.state import State
from tests.conformance.dice import Dice
from tests.conformance.near_misses import Nouns, near_miss
from tests.conformance.round_trip import RoundTrip
from tests.conformance.stuck import NotEnded, Patience
from tests.conformance.values import Values

PROBES = 1
"""Enumerated moves of a state that are verified besides the one that is made: of different verbs if there are more."""

CHANGES = 2
"""Near misses of each of them: what verifies must be enumerated."""

MILESTONE = 23
"""Every so many checks a copy is kept to the end, and states are compared as bytes, not only as values, views as text.
A prime, so that every viewer has a turn."""

ANSWERS = 60
"""Legal moves of a seat that are compared before and after another seat resigns."""

LOST_ANSWERS = {"play_thief"}
"""Verbs that a resignation may close while the question stands: whoever is due next by it plays no thief."""

LONGEST = 50_000
"""Entries of the log after which a game counts as one that does not end. Six hoarders with all modules need 8,000."""


class Watch:
    """Plays along with a game and checks it after every move, or after every n-th."""

    def __init__(
        self,
        options: Options,
        seed: int,
        *,
        every: int = 1,
        probes: int = PROBES,
        players: tuple[type[Player], ...] = (RandomPlayer,),
    ) -> None:
        self.game = Game.new(options)
        self.shadow = Game.new(options)
        """The game read back from its bytes, or replayed from the start: it makes the same moves."""
        self.dice = Dice(seed)
        self.table = Table.of(players, len(options.seats))
        self.invariants = Invariants(self.game, self.dice, probes=probes)
        self.every = every
        self.moves = 0
        """Moves made; undos and resignations do not count."""
        self.undos = self.resignations = 0
        self.verbs: Counter[str] = Counter()
        self.decisions: Counter[str] = Counter()
        self._values = Values(self.game)
        self._trip = RoundTrip(self.game)
        self._nouns = Nouns()
        self._stood: Any = None
        """The values of the shadow at the last check, if no move was made since."""
        self._previous: State | None = None
        """The state before the last entry of the log, if that was a move."""
        self._checks = 0
        self._kept: list[tuple[Game, bytes]] = []

    def play(self) -> Game:
        """Play the game to its end, checking all the way."""
        self.check()
        with Patience() as patience:
            while not self.game.over:
                patience.renew()
                self.step(self.table.next(self.game, self.dice))
                if self.game.version > LONGEST:
                    raise NotEnded(f"the game has not ended after {LONGEST} entries of its log")
        self.check_the_end()
        return self.game

    def step(self, action: Action) -> None:
        """Let the game take one action, and check."""
        game, shadow = self.game, self.shadow
        before = game.clone()
        if isinstance(action, Move):
            self._make(action)
        elif isinstance(action, Undo):
            # The game goes back to the state that was kept, the shadow replays: both must come to the same.
            game.undo(action.seat, consent=action.consent, before=self._previous and self._previous.clone())
            self.undos += 1
        else:
            resign(game, action.seat)
            self.resignations += 1
        self.invariants.follow(game.events)
        # The shadow shares nothing with the game and has not moved yet: it still says how things stood.
        if self._stood is not None and self._values.of(before.state) != self._stood:
            self._complain(f"an earlier state was changed by {action}", before, shadow)
        self._stood = None
        self._previous = None
        if isinstance(action, Move):
            shadow.apply(action, game.log[-1].seat)
            self._previous = before.state
        elif isinstance(action, Undo):
            shadow.undo(action.seat, consent=action.consent)
        else:
            shadow.resign(action.seat)
        mine, others = told(game), told(shadow)
        if mine != others:
            first = next(pair for pair in zip_longest(mine, others) if pair[0] != pair[1])
            raise BrokenInvariant(f"the shadow tells other events after {action}: {first}")
        if not isinstance(action, Move) or self.moves % self.every == 0:
            self.check()

    def _make(self, move: Move) -> None:
        game, enumerated = self.game, self.invariants.enumerated
        assert game.decision is not None
        self.decisions[game.decision.kind] += 1
        self.verbs[move.verb] += 1
        if enumerated is not None and move not in enumerated:
            raise BrokenInvariant(f"drawn, but not enumerated: {move}")
        self.invariants.enumerated = None
        game.apply(move)
        self.moves += 1

    def check(self) -> None:
        """Check the state as it is now."""
        invariants = self.invariants
        invariants.check_pieces()
        self._check_bytes()
        invariants.check_scores()
        invariants.check_boards()
        invariants.check_moves()
        invariants.check_options()
        invariants.check_resigned()
        viewer = invariants.viewer(self._checks)
        if self.game.decision is not None and self.game.decision.seat == viewer:
            invariants.check_listed()
        self._check_near_misses()
        invariants.check_leaks(viewer, as_text=self.game.over or self._checks % MILESTONE == 0)
        if self._checks % MILESTONE == 0:
            self._check_order(viewer)
        self._checks += 1

    def check_the_end(self) -> None:
        """Check the whole game, once it is over."""
        game = self.game
        self.check()
        self.invariants.check_bytes()
        self.invariants.check_finality()
        if Game.replay(game.options, game.log) != game:
            raise BrokenInvariant("replaying the log does not lead to the same game")
        for kept, data in self._kept:
            if kept.state_bytes() != data:
                raise BrokenInvariant(f"the state after {kept.version} moves was changed later")
        for viewer in (None, *range(len(game.state.seats))):
            self.invariants.check_leaks(viewer)

    # -- One check each ------------------------------------------------------------------------------------------

    def _check_bytes(self) -> None:
        game, values = self.game, self._values
        mine = values.of(game.state)
        if mine != values.of(self.shadow.state):
            self._complain("the shadow went another way", game, self.shadow)
        data = game.state_bytes() if self._checks % MILESTONE == 0 else b""
        if data:
            if self.shadow.state_bytes() != data:
                raise BrokenInvariant("the shadow has other bytes")
            self._kept.append((game.clone(), data))
        # A stored game must go on like the one that was not.
        self.shadow = game.with_state(data) if data else self._trip.of(game)
        self._stood = values.of(self.shadow.state)
        if mine != self._stood:
            self._complain("the trip through bytes changed the state", game, self.shadow)
        if data and self.shadow.state_bytes() != data:
            raise BrokenInvariant("the trip through bytes changed the bytes")

    def _check_order(self, viewer: int | None) -> None:
        """A stored game lists its pieces and its moves in the order of the one that was not."""
        game, walked = self.game, self.invariants.walked
        if game.view(viewer) != self.shadow.view(viewer):
            raise BrokenInvariant(f"viewer {viewer} sees the shadow in another order")
        if walked != list(islice(self.shadow.moves(), len(walked))):
            raise BrokenInvariant(f"the shadow enumerates in another order: {game.decision}")

    def _complain(self, complaint: str, one: Game, other: Game) -> NoReturn:
        raise BrokenInvariant(f"{complaint}: {self._values.differences(one.state, other.state)}")

    def _check_near_misses(self) -> None:
        """A move that differs from a legal one in one noun is refused, or enumerated."""
        game, known = self.game, self.invariants.enumerated
        self._nouns.learn(self.invariants.walked)
        if known is None:
            return
        for move in self.invariants.probed:
            for _ in range(CHANGES):
                other = near_miss(game, move, self._nouns, self.dice)
                if other not in known and not game.verify(other):
                    raise BrokenInvariant(f"verifies, but is not enumerated: {other}")


def resign(game: Game, seat: int) -> None:
    """Let a seat resign, and check that it gets nothing by it, and what becomes of the question that stood open: if
    another seat is still asked the same, what it could answer before can be answered now."""
    before, owned = game.decision, belongings(game, seat)
    assert before is not None
    answers = list(islice(game.moves(), ANSWERS)) if before.seat != seat else []
    game.resign(seat)
    gained = belongings(game, seat) - owned
    if gained:
        raise BrokenInvariant(f"seat {seat} has resigned, but got {dict(gained)}")
    if game.decision != before:
        return
    for move in answers:
        if move.verb not in LOST_ANSWERS and game.verify(move):
            raise BrokenInvariant(f"seat {seat} resigned: {before} stands open, but {move} is refused now")


def told(game: Game) -> list[tuple[str, Any, Any]]:
    """Return what the last action caused: for each event its kind, what all see and what single seats see."""
    return [(event.kind, event.public, event.private) for event in game.events]
