"""A Python implementation of the board game Alhambra: the base game for 2 to 6 players and its modules.

    from alhambra import Game, Options

    game = Game.new(Options(seats=3, seed="a seed"))
    game.apply(game.legal_moves()[0])

The library does no input or output: it reads no clock, file, network or global random generator while a game runs.

The following submodules are public, too. Import them by name; each lists its public names in `__all__`:

    `alhambra.boards`      board geometry, text drawings, legal placements, scoring boards without a game
    `alhambra.envs`        environments for PettingZoo, Gymnasium and OpenSpiel (extra `rl`)
    `alhambra.export`      exported games: write, read, replay, verify; log entries as text
    `alhambra.fairness`    server secrets, seeds, and the hash chain over a game's log
    `alhambra.handbook`    rules pages for the base game and each module, as data
    `alhambra.invariants`  checks that hold for every legal state
    `alhambra.module`      the interface of a module
    `alhambra.moves`       the fields of a move, and validation of malformed moves
    `alhambra.options`     editions, rule options, module presets and limits
    `alhambra.payments`    offers, payments, and paged lists of all legal payments
    `alhambra.players`     computer players, from random to tree search
    `alhambra.svg`         SVG pictures of boards, whole tables and single components
    `alhambra.texts`       localised texts

All other names may change without notice. Authors of modules can also use `alhambra.base`, the base game; its docstring
lists where to find what.
"""

from .base import BASE
from .board import Board
from .components import CURRENCIES, TYPES, Card, Tile, component_data, tile
from .events import Event
from .export import Finding, Report, export_game, export_view, history, read_export, verify_export
from .fairness import chain, commitment, next_link, seed_from
from .game import Game
from .module import Module
from .module_views import ModuleView
from .move_sequence import MoveSequence
from .moves import Move
from .notation import read_game, read_move, write_game, write_move
from .options import EDITIONS, Options
from .registry import known_modules, load_module, module_text, register
from .results import Standing
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
    "ModuleView",
    "Move",
    "MoveSequence",
    "Options",
    "Report",
    "RulesDefect",
    "Ruleset",
    "Standing",
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
