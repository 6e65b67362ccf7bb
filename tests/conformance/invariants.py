"""What must hold after every move of every game.

- Pieces are conserved, the modules' own included.
- The state survives the trip through bytes, and goes on from there in lockstep with the one that was not written.
- What is enumerated verifies; a move that verifies is enumerated; what is listed or drawn is enumerated.
- Nothing leaks: in a twin where everything hidden from a seat is dealt anew, that seat observes the same.
- Earlier states stay as they were.
- A seat's score is the sum of its score lines; every Alhambra obeys the construction rules.

`docs/conformance.md` says which of these are complete after each move and which draw a sample.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any, NoReturn

from alhambra import Board, Event, Game, Move, Options
from alhambra.construction import standing
from tests.conformance.dice import Dice
from tests.conformance.near_misses import near_miss
from tests.conformance.observation import Viewer, observed, told_apart
from tests.conformance.round_trip import RoundTrip
from tests.conformance.values import Values

WALK_LIMIT = 400
"""Where a decision has more moves than this, enumeration is not walked whole; `verify` stands for membership."""

PROBES = 1
"""Enumerated moves of a state that are verified besides the one that is made: of different verbs if there are more."""

CHANGES = 2
"""Near misses of each of them: what verifies must be enumerated."""

MILESTONE = 23
"""Every so many checked moves a copy is kept to the end, and states are compared as bytes, not only as values, views as
text. A prime, so that every viewer has a turn."""


def census(game: Game) -> Counter[str]:
    """Every tile, card and piece, wherever it is."""
    state = game.state
    found: list[str] = []
    for seat in state.seats:
        found += seat.hand
        found += seat.reserve
        found += seat.pending
        found += seat.board.placed
    for place in (state.deck, state.discard, state.display, state.tower, state.dirk, state.box):
        found += place
    found += (tile for tile in state.market if tile)
    for record in game.ruleset.modules:
        if record.census is not None:
            found += record.census(game)
    return Counter(found)


class Watch:
    """Plays along with a game and checks it after every move."""

    def __init__(self, options: Options, seed: int, *, every: int = 1, probes: int = PROBES) -> None:
        self.game = Game.new(options)
        self.shadow = Game.new(options)
        """The game read back from its bytes, or replayed from the start: it makes the same moves."""
        self.dice = Dice(seed)
        self.every = every
        self.probes = probes
        self.moves = 0
        self.verbs: Counter[str] = Counter()
        self.decisions: Counter[str] = Counter()
        self._values = Values(self.game)
        self._trip = RoundTrip(self.game)
        self._stood: Any = None
        """The values of the shadow at the last check, if no move was made since."""
        self._pieces: Counter[str] | None = None
        self._lines = [0] * (len(options.seats) + 1)
        self._sound: dict[int, Board] = {}
        """The boards that were found sound last: a board inside a game is never changed, only replaced."""
        self._enumerated: set[Move] | None = None
        """All moves of the open decision, if they were walked whole."""
        self._listed: list[Move] = []
        """What was listed for the open decision."""
        self._checks = 0
        self._kept: list[tuple[Game, bytes]] = []
        self._count_lines(self.game.events)

    def play(self) -> Game:
        """Plays the game to its end at random, checking all the way."""
        self.check()
        while not self.game.over:
            self.step(self.game.random_move(self.dice))
        self.check_the_end()
        return self.game

    def step(self, move: Move) -> None:
        """Makes one move, and checks."""
        game, shadow = self.game, self.shadow
        assert game.decision is not None
        self.decisions[game.decision.kind] += 1
        self.verbs[move.verb] += 1
        assert self._enumerated is None or move in self._enumerated, f"drawn, but not enumerated: {move}"
        self._enumerated = None
        before = game.clone()
        self._count_lines(game.apply(move))
        # The shadow shares nothing with the game and has not moved yet: it still says how things stood.
        if self._stood is not None and self._values.of(before.state) != self._stood:
            self._complain(f"an earlier state was changed by {move}", before, shadow)
        self._stood = None
        shadow.apply(move, game.log[-1].seat)
        self.moves += 1
        if self.moves % self.every == 0:
            self.check()

    def check(self) -> None:
        """The state as it is now."""
        self._check_pieces()
        self._check_bytes()
        self._check_seats()
        self._check_moves()
        self._check_leaks(self._viewer())
        self._checks += 1

    def check_the_end(self) -> None:
        """The whole game, once it is over."""
        game = self.game
        self.check()
        assert Game.from_bytes(game.to_bytes()) == game, "the trip through bytes changed the game"
        assert Game.replay(game.options, game.log) == game, "replaying the log does not lead to the same game"
        for kept, data in self._kept:
            assert kept.state_bytes() == data, f"the state after {kept.version} moves was changed later"
        for viewer in (None, *range(len(game.state.seats))):
            self._check_leaks(viewer)

    # -- One check each ------------------------------------------------------------------------------------------

    def _check_pieces(self) -> None:
        if self.game.state.turn == 0:
            return
        now = census(self.game)
        if self._pieces is None:
            self._pieces = now
        same = dict.__eq__(now, self._pieces)  # faster than comparing counters, and nothing is counted zero times
        assert same, f"gained {now - self._pieces}, lost {self._pieces - now}"

    def _check_bytes(self) -> None:
        game, values = self.game, self._values
        mine = values.of(game.state)
        if mine != values.of(self.shadow.state):
            self._complain("the shadow went another way", game, self.shadow)
        data = game.state_bytes() if self._checks % MILESTONE == 0 else b""
        if data:
            assert self.shadow.state_bytes() == data, "the shadow has other bytes"
            self._kept.append((game.clone(), data))
        # A stored game must go on like the one that was not.
        self.shadow = game.restored(data) if data else self._trip.of(game)
        self._stood = values.of(self.shadow.state)
        if mine != self._stood:
            self._complain("the trip through bytes changed the state", game, self.shadow)
        if data:
            assert self.shadow.state_bytes() == data, "the trip through bytes changed the bytes"

    def _complain(self, complaint: str, one: Game, other: Game) -> NoReturn:
        raise AssertionError(f"{complaint}: {self._values.differences(one.state, other.state)}")

    def _check_seats(self) -> None:
        game = self.game
        unsettled = game.decision is not None and game.question().kind.unsettled
        for number, seat in enumerate(game.state.seats):
            lines = self._lines[number]
            assert seat.score == lines, f"seat {number}: {seat.score} points, lines say {lines}"
            if seat.board is not self._sound.get(number) and not unsettled:
                faults = standing(seat.board)
                assert not faults, f"seat {number}: {faults}"
                self._sound[number] = seat.board

    def _check_moves(self) -> None:
        game = self.game
        walked = list(islice(game.moves(), WALK_LIMIT))
        known = set(walked)
        assert len(known) == len(walked), "a move is enumerated twice"
        self._enumerated = known if len(walked) < WALK_LIMIT else None
        assert walked or game.over, f"a decision without a legal move: {game.decision}"
        self._check_listed(known)
        for move in self._spread(walked):
            violations = game.verify(move)
            assert not violations, f"enumerated, but refused: {move} {violations}"
            for _ in range(CHANGES):
                other = near_miss(game, move, self.dice)
                if self._enumerated is not None and other not in known:
                    assert game.verify(other), f"verifies, but is not enumerated: {other}"

    def _check_listed(self, known: set[Move]) -> None:
        """Whenever the viewer is asked: what `legal_moves` lists is enumerated."""
        game = self.game
        if game.decision is None or game.decision.seat != self._viewer():
            return
        self._listed = game.legal_moves()
        distinct = set(self._listed)
        assert len(distinct) == len(self._listed), "a move is listed twice"
        if self._enumerated is not None:
            assert distinct <= known, f"listed, but not enumerated: {distinct - known}"

    def _spread(self, walked: list[Move]) -> list[Move]:
        """A few of the moves, of as many verbs as there are."""
        by_verb: dict[str, list[Move]] = {}
        for move in walked:
            by_verb.setdefault(move.verb, []).append(move)
        dice = self.dice
        found = [dice.choice(moves) for moves in dice.some(list(by_verb.values()), self.probes)]
        return found + dice.some(walked, self.probes - len(found))

    def _viewer(self) -> Viewer:
        """Who looks at the twin this time: the spectator and every seat take turns."""
        turn = self._checks % (len(self.game.state.seats) + 1)
        return turn - 1 if turn else None

    def _check_leaks(self, viewer: Viewer) -> None:
        """The viewer cannot tell the game from its twin."""
        game = self.game
        twin = game.determinize(viewer, self.dice)
        mine, other = observed(game, viewer, self._listed), observed(twin, viewer)
        difference = told_apart(mine, other, as_text=game.over or self._checks % MILESTONE == 0)
        assert not difference, f"viewer {viewer} can tell the twin by {difference}"

    def _count_lines(self, events: list[Event]) -> None:
        for event in events:
            if event.kind == "scored":
                self._lines[event.public["seat"]] += event.public["points"]
