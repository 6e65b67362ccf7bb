"""The rules of Alhambra: the base game for 2 to 6 players and its modules, as a pure library.

    from alhambra import Game, Options

    game = Game.new(Options(seats=3, seed="a seed"))
    game.apply(game.legal_moves()[0])

These parts are imported by themselves. Each lists in its `__all__` what it offers:

    `alhambra.boards`      Alhambras: geometry, drawing, judging placements, scoring boards that somebody sent
    `alhambra.fairness`    secrets, seeds and the chain over a log
    `alhambra.handbook`    pages about the base game and each module, as data
    `alhambra.invariants`  what must hold in every game
    `alhambra.module`      the contract of a module
    `alhambra.moves`       the nouns of a move, and what is wrong with a malformed one
    `alhambra.options`     editions, rule options, presets of modules, and limits
    `alhambra.payments`    offers, payments, and all legal ways to pay in parts
    `alhambra.players`     players with habits
    `alhambra.export`      exports, and logs as lines of text
    `alhambra.svg`         pictures of an Alhambra, of the whole table and of each component
    `alhambra.texts`       texts for people, in several languages

Everything else may change without notice. Modules also build on the base game: `alhambra.base` says where to find what.
"""

from .base import BASE
from .board import Board
from .components import CURRENCIES, TYPES, Card, Tile, component_data, tile
from .events import Event
from .export import Finding, Report, export_game, export_view, history, read_export, verify_export
from .fairness import chain, commitment, next_link, seed_from
from .game import Game
from .module import Module
from .moves import Move
from .notation import read_game, read_move, write_game, write_move
from .options import EDITIONS, Options
from .registry import known_modules, load_module, module_text, register
from .ruleset import ENGINE_VERSION, Ruleset, compile_ruleset, rules_for
from .state import Decision
from .texts import choose_language, explain, languages, text
from .undo import Entry
from .violations import AlhambraError, BadModule, BadNotation, BadOptions, BadState, IllegalMove, RulesDefect, Violation

__all__ = [
    "BASE",
    "CURRENCIES",
    "EDITIONS",
    "ENGINE_VERSION",
    "TYPES",
    "AlhambraError",
    "BadModule",
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
    "component_data",
    "explain",
    "export_game",
    "export_view",
    "history",
    "known_modules",
    "languages",
    "load_module",
    "module_text",
    "next_link",
    "read_export",
    "read_game",
    "read_move",
    "register",
    "rules_for",
    "seed_from",
    "text",
    "tile",
    "verify_export",
    "write_game",
    "write_move",
]
