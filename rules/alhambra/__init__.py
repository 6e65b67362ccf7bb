"""The rules of Alhambra: the base game for 2 to 6 players and its modules, as a pure library.

    from alhambra import Game, Options

    game = Game.new(Options(seats=3, seed="a seed"))
    game.apply(game.legal_moves()[0])
"""

from .board import Board
from .components import CURRENCIES, TYPES, Card, Tile, tile
from .events import Event
from .game import Entry, Game
from .module import Module
from .moves import Move
from .options import EDITIONS, Options
from .registry import known_modules, load_module, register
from .ruleset import ENGINE_VERSION, Ruleset, compile_ruleset
from .state import Decision
from .violations import AlhambraError, BadNotation, BadOptions, BadState, IllegalMove, Violation

__all__ = [
    "CURRENCIES",
    "EDITIONS",
    "ENGINE_VERSION",
    "TYPES",
    "AlhambraError",
    "BadNotation",
    "BadOptions",
    "BadState",
    "Board",
    "Card",
    "Decision",
    "Entry",
    "Event",
    "Game",
    "IllegalMove",
    "Module",
    "Move",
    "Options",
    "Ruleset",
    "Tile",
    "Violation",
    "compile_ruleset",
    "known_modules",
    "load_module",
    "register",
    "tile",
]
