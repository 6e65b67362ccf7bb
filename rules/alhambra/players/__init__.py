"""Players with habits, for simulations, bots and tests: each plays any game, with whatever modules are on.

    player.py    what a player can do: make a move, take one back, resign
    table.py     the players of one game, seat by seat
    at_random.py any legal move
    peer.py      buys and builds without a plan, as published engines measure themselves
    greedy.py    looks one move ahead, for points
    search.py    plays on from the best moves, in guesses at what is hidden
    hoarder.py   takes money and does not spend it
    resigner.py  leaves at some moment
    undoer.py    takes moves back
    spoiler.py   takes what the others want, and lets time run
    novelty.py   makes the kind of move that it has made least often

Players know the verbs and decisions of the base game. Of a module they know what every verb publishes, and no word.
"""

from ..deprecated import renamed
from ..rng import Rng
from .greedy import Greedy, greedy_move
from .habits.hoarder import Hoarder
from .habits.novelty import NoveltySeeker
from .habits.resigner import Resigner
from .habits.spoiler import Spoiler
from .habits.undoer import Undoer
from .peer import Peer, peer_move
from .player import Action, Mover, Player, Resign, Undo, apply_action
from .random_player import RandomPlayer, random_move
from .search import SearchEasy, SearchHard, SearchMedium, Strength, search_move
from .table import Table

PLAYERS: dict[str, type[Player]] = {
    kind.name: kind
    for kind in (
        *(RandomPlayer, Peer, Greedy, SearchEasy, SearchMedium, SearchHard),
        *(Hoarder, Resigner, Undoer, Spoiler, NoveltySeeker),
    )
}
"""Every player by its name."""

STRENGTHS: dict[str, Strength] = {kind.name: kind.strength for kind in (SearchEasy, SearchMedium, SearchHard)}
"""The searching players by their names."""

MOVERS: dict[str, Mover] = {"random": random_move, "peer": peer_move, "greedy": greedy_move}
"""The players that do nothing but make moves, as plain functions."""

__all__ = [
    "MOVERS",
    "PLAYERS",
    "STRENGTHS",
    "Action",
    "Greedy",
    "Hoarder",
    "Mover",
    "NoveltySeeker",
    "Peer",
    "Player",
    "RandomPlayer",
    "Resign",
    "Resigner",
    "Rng",
    "SearchEasy",
    "SearchHard",
    "SearchMedium",
    "Spoiler",
    "Strength",
    "Table",
    "Undo",
    "Undoer",
    "apply_action",
    "greedy_move",
    "peer_move",
    "random_move",
    "search_move",
]

__getattr__ = renamed(__name__, {"Chance": "Rng", "perform": "apply_action"})
