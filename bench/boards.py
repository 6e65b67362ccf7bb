"""Stored games with large boards. The library plays them and the service's own code commits them. Each has one legal
and one illegal placement, with the answer that the service must give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from alhambra import Board, Game
from alhambra.players import MOVERS
from alhambra_api.v1 import boards_pb2, games_pb2, nouns_pb2
from alhambra_service.boards.placements import placement_faults
from alhambra_service.games import create_game
from alhambra_service.games.game_change import GameChange
from alhambra_service.games.game_commands import GameCommands, running
from alhambra_service.games.loaded_game import LoadedGame
from alhambra_service.messages.translate import violations_to

from .floor_service import empty_message
from .load import Post, Question

SERVICE = "/alhambra_api.v1.GameService/"
TILES = 20
TRIES = 200
ENTRIES = 60
"""Moves in one commit; the limit is higher."""
Enough = Callable[[Game], bool]


@dataclass(frozen=True)
class Stored:
    """A stored game, the seat whose board is used, the tokens of all seats, and two placements."""

    game: str
    seat: int
    tokens: tuple[str, ...]
    loaded: LoadedGame
    legal: boards_pb2.Placement
    illegal: boards_pb2.Placement

    @property
    def token(self) -> str:
        """Return the token of the seat."""
        return self.tokens[self.seat]

    def request(self, placement: boards_pb2.Placement) -> boards_pb2.ValidatePlacementRequest:
        """Return the request that asks whether a placement is legal."""
        return boards_pb2.ValidatePlacementRequest(game=self.game, placement=placement, seat=self.seat)

    def answer(self, placement: boards_pb2.Placement) -> boards_pb2.ValidatePlacementResponse:
        """Return the answer that the service must give."""
        faults = placement_faults(running(self.loaded), self.seat, placement)
        return boards_pb2.ValidatePlacementResponse(
            version=self.loaded.version, legal=not faults, violations=violations_to(faults)
        )

    def question(self, *, legal: bool = True, token: bool = True) -> Question:
        """Return the request for h2load, with the answer that must come."""
        placement = self.legal if legal else self.illegal
        return Question(
            SERVICE + "ValidatePlacement",
            self.request(placement).SerializeToString(),
            self.answer(placement).SerializeToString(),
            self.token if token else "",
        )

    def post(self, *, legal: bool = True) -> Post:
        """Return the request for wrk, with the answer that must come."""
        placement = self.legal if legal else self.illegal
        cell = f'{{"x":{placement.cell.x},"y":{placement.cell.y}}}'
        body = f'{{"placement":{{"tile":"{placement.tile}","cell":{cell}}},"seat":{self.seat}}}'
        return Post(f"/v1/games/{self.game}/placements:validate", body.encode(), self.token)

    def batch(self, size: int, *, searching: bool = False) -> Question:
        """Return a request about many different placements, legal and illegal ones in turn; or in the order of a client
        that tries one tile after the other on every cell around the board."""
        game = running(self.loaded)
        board = game.state.seats[self.seat].board
        tiles = [tile for tile in sorted(game.ruleset.tiles) if tile not in board.placed and "start" not in tile]
        asked = [_placement(tile, cell) for tile in tiles for cell in _rim(board)]
        if not searching:
            legal = [one for one in asked if not placement_faults(game, self.seat, one)]
            illegal = [one for one in asked if one not in legal]
            asked = [one for pair in zip(legal, illegal, strict=False) for one in pair]
        answer = boards_pb2.BatchValidatePlacementsResponse(version=self.loaded.version)
        for placement in asked[:size]:
            one = self.answer(placement)
            answer.verdicts.add(legal=one.legal, violations=one.violations)
        message = boards_pb2.BatchValidatePlacementsRequest(game=self.game, placements=asked[:size], seat=self.seat)
        return Question(
            SERVICE + "BatchValidatePlacements", message.SerializeToString(), answer.SerializeToString(), self.token
        )


def empty(question: Question, name: str, lane: str = "plain") -> Question:
    """Return an empty call whose request and answer are as long as the real ones."""
    return Question(
        f"/bench.Floor/{lane}_{name}",
        empty_message(len(question.message)),
        empty_message(len(question.answer)),
        question.token,
    )


def stored(
    commands: GameCommands, seed: int, enough: Enough, modules: Sequence[str] = (), seats: int = 2, policy: str = "peer"
) -> Stored | None:
    """Play a game until `enough`, and return it with its largest board; None if it ends before or has no cells."""
    sent = games_pb2.CreateGameRequest(
        seats=[games_pb2.SeatSetup(claim=True)] * seats, seed=f"bench {seed}", modules=modules
    )
    made = create_game.create(commands, sent, "local", "")
    loaded = play(commands, made.game, enough, Random(seed), policy)
    game = running(loaded)
    if not enough(game):
        return None
    seat = max(range(seats), key=lambda number: len(game.state.seats[number].board.placed))
    asked = placements(game, seat)
    tokens = tuple(key.token for key in sorted(made.keys, key=lambda key: key.seat))
    return Stored(made.game, seat, tokens, loaded, *asked) if asked else None


def search(
    commands: GameCommands,
    count: int,
    enough: Enough,
    modules: Sequence[str] = (),
    seats: int = 2,
    policy: str = "peer",
) -> list[Stored]:
    """Return this number of games, with one seed after the other."""
    found = (stored(commands, seed, enough, modules, seats, policy) for seed in range(TRIES))
    kept = [one for one, _ in zip((one for one in found if one is not None), range(count), strict=False)]
    if len(kept) < count:
        raise AssertionError("no such games were played")
    return kept


def twenty_tiles(game: Game) -> bool:
    """Return whether a seat has built twenty tiles and the game waits for a decision."""
    return any(len(seat.board.placed) > TILES for seat in game.state.seats) and game.decision is not None


def moves(count: int) -> Enough:
    """Return a check: this number of moves was made and the game is not over."""
    return lambda game: game.version >= count and game.decision is not None


def play(commands: GameCommands, name: str, enough: Enough, rng: Random, how: str) -> LoadedGame:
    """Play a stored game until `enough`, or until it is over."""
    policy = MOVERS[how]

    def prepare(loaded: LoadedGame) -> GameChange:
        progress = GameChange(loaded, commands.now())
        for _ in range(ENTRIES):
            game = running(progress.loaded)
            if game.decision is None or enough(game):
                break
            progress.move(game.decision.seat, policy(game, rng))
        return progress

    loaded = commands.load(name)
    while running(loaded).decision is not None and not enough(running(loaded)):
        loaded = commands.change(name, prepare).loaded
    return loaded


def placements(game: Game, seat: int) -> tuple[boards_pb2.Placement, boards_pb2.Placement] | None:
    """Return a legal and an illegal placement of one tile. The illegal one breaks one rule, if there is such a cell."""
    board = game.state.seats[seat].board
    for tile in sorted(game.ruleset.tiles):
        legal = illegal = None
        least = 0
        for cell in _rim(board):
            placement = _placement(tile, cell)
            faults = placement_faults(game, seat, placement)
            if not faults:
                legal = legal or placement
            elif illegal is None or len(faults) < least:
                illegal, least = placement, len(faults)
        if legal is not None and illegal is not None:
            return legal, illegal
    return None


def _placement(tile: str, cell: tuple[int, int]) -> boards_pb2.Placement:
    return boards_pb2.Placement(tile=tile, cell=nouns_pb2.Cell(x=cell[0], y=cell[1]))


def _rim(board: Board) -> Iterator[tuple[int, int]]:
    taken = {*board.cells}
    yield from sorted({(x + dx, y + dy) for x, y in taken for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))} - taken)
