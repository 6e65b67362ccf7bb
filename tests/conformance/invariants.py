"""What must hold after every move of every game.

- Pieces are conserved, the modules' own included.
- The state survives the trip through bytes, and replaying the log yields the same bytes.
- What is enumerated verifies; a move that verifies is enumerated.
- Nothing leaks: in a twin where everything hidden from a seat is dealt anew, that seat observes the same.
- Earlier states stay as they were.
- A seat's score is the sum of its score lines; every Alhambra obeys the construction rules.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from alhambra import Board, Event, Game, Move, Options
from alhambra.components import CURRENCIES, TYPES
from alhambra.construction import standing
from alhambra.moves import POINTS

WALK_LIMIT = 400
"""Where a decision has more moves than this, enumeration is not walked whole; `verify` stands for membership."""

SAMPLE = 6
"""Moves of a state that are verified, and changed a little to see whether what verifies is listed."""


def census(game: Game) -> Counter[str]:
    """Every tile, card and piece, wherever it is."""
    state = game.state
    found: Counter[str] = Counter()
    for seat in state.seats:
        found.update(seat.hand)
        found.update(seat.reserve)
        found.update(seat.pending)
        found.update(list(seat.board.placed))
    for place in (state.deck, state.discard, state.display, state.tower, state.dirk, state.box):
        found.update(place)
    found.update(tile for tile in state.market if tile)
    for record in game.ruleset.modules:
        if record.census is not None:
            found.update(record.census(game))
    return found


def observed(game: Game, viewer: int | None) -> str:
    """Everything that a seat can observe of a game at rest, as text."""
    found: dict[str, Any] = {"view": game.view(viewer)}
    decision = game.decision
    if decision is not None and viewer is not None:
        if decision.seat == viewer:
            found["moves"] = [move.as_dict() for move in game.legal_moves()]
            found["refusals"] = [
                [violation.as_dict() for violation in game.verify(move, viewer)] for move in _probes(game)
            ]
        else:
            found["refusal"] = [violation.as_dict() for violation in game.verify(Move("pass"), viewer)]
        undo = game.can_undo(viewer)
        found["undo"] = undo.as_dict() if undo else None
    return json.dumps(found, sort_keys=True, default=str)


def _probes(game: Game) -> list[Move]:
    """A few moves that are usually refused, to compare what the refusals say."""
    market = next((tile for tile in game.state.market if tile), "tower-7-new")
    return [
        Move("pass"),
        Move("buy", slot="market-denar", cards=("denar-1", "denar-9")),
        Move("take_money", display=("gulden-9",)),
        Move("place", market, cell=(1, 0)),
        Move("remove", "start-0"),
    ]


def mutations(game: Game, move: Move, rng: Random) -> Iterator[Move]:
    """Moves that differ from a legal one in a noun: most are illegal, some are legal and must be enumerated too."""
    if move.cell is not None:
        x, y = move.cell
        dx, dy = rng.choice([(0, 1), (1, 0), (0, -1), (-1, 0), (2, 1), (1, 1)])
        yield move._replace(cell=(x + dx, y + dy))
    if move.tile is not None:
        yield move._replace(tile=rng.choice(list(game.ruleset.tiles)))
    for noun in ("cards", "display", "items"):
        held = list(getattr(move, noun))
        if held:
            fewer = held[:]
            fewer.pop(rng.randrange(len(fewer)))
            yield _with(move, noun, fewer)
        pool = (game.state.seats[game.decision.seat].hand if game.decision else ()) if noun == "cards" else ()
        pool = game.state.display if noun == "display" else pool
        if pool:
            yield _with(move, noun, [*held, rng.choice(pool)])
    yield _with(move, "items", [*move.items, rng.choice(["turntable", *move.items])])
    if move.rotation is not None or move.cell is not None:
        yield move._replace(rotation=rng.choice([None, 90, 180, 270]))
    if move.slot is not None:
        yield move._replace(slot=f"market-{rng.choice(CURRENCIES)}")
    if move.type is not None:
        yield move._replace(type=rng.choice(TYPES))
    if move.currency is not None:
        yield move._replace(currency=rng.choice(CURRENCIES))
    if move.side is not None:
        yield move._replace(side=rng.choice(POINTS))
    if move.piece is not None and game.ruleset.pieces:
        yield move._replace(piece=rng.choice(sorted(game.ruleset.pieces)))
    if move.amount is not None:
        yield move._replace(amount=rng.randrange(30))
    if move.choice is None:
        yield move._replace(choice=rng.choice([*game.ruleset.permits, "gate", "watchtower"]))
    else:
        yield move._replace(choice=None)


def _with(move: Move, noun: str, things: list[str]) -> Move:
    changes: dict[str, Any] = {noun: tuple(sorted(things))}
    return move._replace(**changes)


class Watch:
    """Plays along with a game and checks it after every move."""

    def __init__(self, options: Options, seed: int, *, every: int = 1, leaks: bool = True) -> None:
        self.game = Game.new(options)
        self.shadow = Game.new(options)
        self.rng = Random(seed)
        self.every = every
        self.leaks = leaks
        self.pieces: Counter[str] | None = None
        self.lines = [0] * (len(options.seats) + 1)
        self.moves = 0
        self._bytes = b""
        self._sound: dict[int, Board] = {}
        """The boards that were found sound last: a board inside a game is never changed, only replaced."""
        self.verbs: Counter[str] = Counter()
        self.decisions: Counter[str] = Counter()
        self._count_lines(self.game.events)

    def play(self) -> Game:
        """Plays the game to its end at random, checking all the way."""
        while not self.game.over:
            self.step(self.game.random_move(self.rng))
        self.check(everything=True)
        return self.game

    def step(self, move: Move) -> None:
        """Makes one move, and checks."""
        game = self.game
        assert game.decision is not None
        self.decisions[game.decision.kind] += 1
        self.verbs[move.verb] += 1
        checked = self.moves % self.every == 0
        violations = game.verify(move)
        assert not violations, f"a drawn move is refused: {move} {violations}"
        if checked:
            self._check_moves()
            before, earlier = game.clone(), self._bytes or game.state_bytes()
        self._bytes = b""
        self._count_lines(game.apply(move))
        if checked:
            assert before.state_bytes() == earlier, f"an earlier state was changed by {move}"
        mover = game.log[-1].seat
        self.shadow.apply(move, mover)
        self.moves += 1
        if checked:
            self.check()

    def check(self, *, everything: bool = False) -> None:
        """The state as it is now."""
        game = self.game
        self._check_pieces()
        data = self._bytes = game.state_bytes()
        restored = game.restored(data)
        assert restored.state_bytes() == data, "the trip through bytes changed the state"
        assert self.shadow.state_bytes() == data, "replaying does not yield the same bytes"
        self.shadow = restored  # a stored game must go on like the one that was not
        if everything:
            assert Game.from_bytes(game.to_bytes()) == game, "the trip through bytes changed the game"
            assert Game.replay(game.options, game.log) == game, "replaying the log does not lead to the same game"
        for seat, owner in enumerate(game.state.seats):
            assert owner.score == self.lines[seat], f"seat {seat}: {owner.score} points, lines say {self.lines[seat]}"
            if owner.board is not self._sound.get(seat) and not self._unsettled():
                faults = standing(owner.board)
                assert not faults, f"seat {seat}: {faults}"
                self._sound[seat] = owner.board
        if self.leaks or everything:
            viewers: list[int | None] = [None, *range(len(game.state.seats))]
            for viewer in viewers if everything else [viewers[self.moves % len(viewers)]]:
                self.check_leaks(viewer)

    def check_leaks(self, viewer: int | None) -> None:
        """The viewer cannot tell the game from its twin."""
        twin = self.game.determinize(viewer, self.rng)
        mine, other = observed(self.game, viewer), observed(twin, viewer)
        assert mine == other, f"viewer {viewer} can tell the twin:\n{_difference(mine, other)}"

    def _unsettled(self) -> bool:
        return self.game.decision is not None and self.game.question().kind.unsettled

    def _check_pieces(self) -> None:
        if self.game.state.turn == 0:
            return
        now = census(self.game)
        if self.pieces is None:
            self.pieces = now
        assert now == self.pieces, f"gained {now - self.pieces}, lost {self.pieces - now}"

    def _check_moves(self) -> None:
        game, rng = self.game, self.rng
        listed = game.legal_moves()
        assert len(set(listed)) == len(listed), "a move is listed twice"
        walked = list(islice(game.moves(), WALK_LIMIT))
        complete = len(walked) < WALK_LIMIT
        known = set(walked)
        assert len(known) == len(walked), "a move is enumerated twice"
        if complete:
            assert set(listed) <= known, f"listed, but not enumerated: {set(listed) - known}"
        for move in rng.sample(walked, min(len(walked), SAMPLE)):
            violations = game.verify(move)
            assert not violations, f"enumerated, but refused: {move} {violations}"
            for other in mutations(game, move, rng):
                if not game.verify(other) and complete:
                    assert other in known, f"verifies, but is not enumerated: {other}"

    def _count_lines(self, events: list[Event]) -> None:
        for event in events:
            if event.kind == "scored":
                self.lines[event.public["seat"]] += event.public["points"]


def _difference(mine: str, other: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(mine, other, strict=False)) if a != b), 0)
    return f"… {mine[max(0, at - 200) : at + 200]}\n… {other[max(0, at - 200) : at + 200]}"
