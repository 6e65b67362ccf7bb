"""The rules of Alhambra: the base game for 2 to 6 players and its modules, as a pure library.

    from alhambra import Game, Options

    game = Game.new(Options(seats=3, seed="a seed"))
    game.apply(game.legal_moves()[0])

What is not listed here may change without notice, except three parts that are imported by themselves:
`alhambra.module`, the contract of a module; `alhambra.players`, players with habits; `alhambra.invariants`, what must
hold in every game.
"""

from .board import Board
from .components import CURRENCIES, TYPES, Card, Tile, tile
from .events import Event
from .fairness import chain, commitment, next_link, seed_from
from .game import Game
from .module import Module
from .moves import Move
from .notation import read_game, read_move, write_game, write_move
from .options import EDITIONS, Options
from .record import Finding, Report, export_game, export_view, history, read_export, verify_export
from .registry import known_modules, load_module, register
from .ruleset import ENGINE_VERSION, Ruleset, compile_ruleset
from .state import Decision
from .texts import choose_language, explain, languages, text
from .undo import Entry
from .violations import AlhambraError, BadNotation, BadOptions, BadState, IllegalMove, RulesDefect, Violation

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
    "Finding",
    "Game",
    "IllegalMove",
    "Module",
    "Move",
    "Options",
    "Report",
    "RulesDefect",
    "Ruleset",
    "Tile",
    "Violation",
    "chain",
    "choose_language",
    "commitment",
    "compile_ruleset",
    "explain",
    "export_game",
    "export_view",
    "history",
    "known_modules",
    "languages",
    "load_module",
    "next_link",
    "read_export",
    "read_game",
    "read_move",
    "register",
    "seed_from",
    "text",
    "tile",
    "verify_export",
    "write_game",
    "write_move",
]
