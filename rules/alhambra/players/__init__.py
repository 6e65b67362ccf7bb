"""Computer players for simulations, bots and tests. Each plays any game with any modules.

    player.py         the interface: make a move, undo, resign
    table.py          the players of one game
    random_player.py  any legal move
    peer.py           buys and builds without a plan; the benchmark of published engines
    greedy.py         looks one move ahead
    learned.py        looks one move ahead, with weights learned from games (features.py, learned.json)
    search.py         plays on from the best moves, in several determinizations
    advice.py         what the greedy and the search player would do, and why
    projection.py     points if a scoring took place now
    review.py         the course of points of a finished game, and the moves that mattered
    time.py           divides the time of a game among its decisions
    habits/           players for tests: hoarder, resigner, undoer, spoiler, novelty seeker

Players know the verbs and decisions of the base game, and nothing specific to a module.
"""

from ..deprecated import renamed
from ..rng import Rng
from .advice import Advice, advise
from .greedy import Greedy, greedy_move
from .habits.hoarder import Hoarder
from .habits.novelty import NoveltySeeker
from .habits.resigner import Resigner
from .habits.spoiler import Spoiler
from .habits.undoer import Undoer
from .learned import Learned, learned_move
from .peer import Peer, peer_move
from .player import Action, Mover, Player, Resign, Undo, apply_action
from .projection import next_scoring, projected_scores
from .random_player import RandomPlayer, random_move
from .review import Review, ReviewedMove, ReviewPoint
from .search import Candidate, SearchEasy, SearchHard, SearchMedium, SearchReport, Strength, search_move
from .table import Table
from .time import thinking_seconds

PLAYERS: dict[str, type[Player]] = {
    kind.name: kind
    for kind in (
        *(RandomPlayer, Peer, Greedy, Learned, SearchEasy, SearchMedium, SearchHard),
        *(Hoarder, Resigner, Undoer, Spoiler, NoveltySeeker),
    )
}
"""All players by name."""

STRENGTHS: dict[str, Strength] = {kind.name: kind.strength for kind in (SearchEasy, SearchMedium, SearchHard)}
"""The strengths of the search players, by name."""

MOVERS: dict[str, Mover] = {
    **{"random": random_move, "peer": peer_move, "greedy": greedy_move},
    "learned": learned_move,
}
"""Players that only make moves, as functions."""

__all__ = [
    "MOVERS",
    "PLAYERS",
    "STRENGTHS",
    "Action",
    "Advice",
    "Candidate",
    "Greedy",
    "Hoarder",
    "Learned",
    "Mover",
    "NoveltySeeker",
    "Peer",
    "Player",
    "RandomPlayer",
    "Resign",
    "Resigner",
    "Review",
    "ReviewPoint",
    "ReviewedMove",
    "Rng",
    "SearchEasy",
    "SearchHard",
    "SearchMedium",
    "SearchReport",
    "Spoiler",
    "Strength",
    "Table",
    "Undo",
    "Undoer",
    "advise",
    "apply_action",
    "greedy_move",
    "learned_move",
    "next_scoring",
    "peer_move",
    "projected_scores",
    "random_move",
    "search_move",
    "thinking_seconds",
]

__getattr__ = renamed(__name__, {"Chance": "Rng", "perform": "apply_action"})
