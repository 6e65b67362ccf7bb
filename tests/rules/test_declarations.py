"""What modules declare about themselves: everything that occurs in a game is declared, and what is declared occurs."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from alhambra import Game, Module, Move, Options, known_modules, load_module
from alhambra.base import BASE
from alhambra.components import CURRENCIES, TYPES
from alhambra.declarations import Vocabulary
from alhambra.frames import FRAMES
from alhambra.violations import CODES
from tests.conformance.dice import Dice
from tests.conformance.near_misses import Nouns, near_miss

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = ("service/alhambra_service", "gateway/alhambra_gateway", "cli/alhambra_cli")
"""Whoever serves, draws or plays games knows modules from their records alone."""
RECORDS = [BASE, *map(load_module, known_modules())]
ORDINARY = {
    ("sent_boards.py", "wooden_walls"): "a member of the contract",
    ("table.py", "claimed"): "how a seat is occupied",
    ("views.py", "claimed"): "how a seat is occupied",
    ("views.py", "turn"): "a part of every view",
    ("docs.js", "change"): "an event of the browser",
    ("first_game.sh", "claim"): "a member of the contract",
    ("problem.html", "turn"): "a class of the style sheet",
    ("demo.py", "turn"): "a fact of an event of the base game",
}
"""By file and word: what a word of a module means there, where it is no word of a module."""
TOLD_BY = (".py", ".json", ".html", ".js", ".css", ".lua", ".sh", ".svg")
"""Files that are looked through."""
RECORDED = "examples.json"
"""What a running product has answered, written by scripts: the catalogue among it."""
AHEAD = {
    *("verb step", "verb swap_market", "verb swap_with", "decision swap_second", "event market_swapped"),
    *("verb move_tile", "event lifted", "event moved"),
}
"""Words of the core that only modules still to come make use of; example modules prove them."""
GAMES = 6
EVERY = 7
PROBES = 3
UNDONE = 97
LATE = 40
WALKED = 60


def _options(number: int, modules: tuple[str, ...]) -> Options:
    """Different seats, and now and then the options and variants that let rare words occur."""
    variants = [f"{key}.{variant}" for key in modules for variant in load_module(key).variants]
    rare: dict[str, Any] = {"confirm_turn": True, "bonus_action_optional": True, "undo": "by_consent"}
    return Options(
        2 + number % 3,
        f"declared {number}",
        modules=list(modules),
        variants=variants if number % 3 == 2 else [],
        **(rare if number % 2 else {}),
    )


class Heard:
    """Every word that was told, shown, refused with or offered in the games of one module."""

    def __init__(self, modules: tuple[str, ...]) -> None:
        self.modules = modules
        self.words: Counter[str] = Counter()
        self.undeclared: set[str] = set()
        self.nouns = Nouns()
        for number in range(GAMES):
            self._play(Game.new(_options(number, modules)), Dice(number))

    def _play(self, game: Game, dice: Dice) -> None:
        vocabulary = game.ruleset.table(Vocabulary)
        while True:
            for event in game.events:
                self._note(vocabulary.undeclared_event(event))
                self.words[f"event {event.kind}"] += 1
                if event.kind == "scored":
                    self.words[f"score {event.public['reason']}"] += 1
            if game.over:
                return
            if game.version % EVERY == 0:
                self._look(game, vocabulary, dice)
            self._go_on(game, dice)

    def _go_on(self, game: Game, dice: Dice) -> None:
        """A move; now and then it is taken back; late in some games a seat resigns."""
        last = len(game.state.seats) - 1
        if game.state.turn > LATE and last > 1 and not game.state.seats[last].resigned:
            game.resign(last)
            return
        seat = game.log[-1].seat if game.log else 0
        if game.version % UNDONE == 0 and game.can_undo(seat, consent=True) is None:
            game.undo(seat, consent=True)
            return
        game.apply(self._next(game, dice))

    def _next(self, game: Game, dice: Dice) -> Move:
        """A random move, or of those listed one of the kind that was made least often, so that rare ones occur."""
        assert game.decision is not None
        move = game.random_move(dice)
        if dice.randrange(2):
            listed = game.legal_moves()
            move = min(listed, key=lambda move: (self.words[self._kind(move)], dice.randrange(1 << 20)))
        self.words[self._kind(move)] += 1
        self.words[f"verb {move.verb}"] += 1
        self.words[f"decision {game.decision.kind}"] += 1
        return move

    @staticmethod
    def _kind(move: Move) -> str:
        return f"kind {move.verb} {move.choice} {len(move.items)}"

    def _look(self, game: Game, vocabulary: Vocabulary, dice: Dice) -> None:
        for viewer in (None, 0):
            self._note(vocabulary.undeclared_shown(game, viewer))
            for key, shown in game.view(viewer)["slices"].items():
                self.words.update(f"fact {key} {fact}" for fact in shown)
        for record in game.ruleset.modules:
            self.words.update(f"piece {thing['kind']}" for thing in (record.things(game) if record.things else ()))
        moves = list(islice(game.moves(), WALKED))
        self.nouns.learn(moves)
        for _ in range(PROBES):
            for violation in game.verify(near_miss(game, dice.choice(moves), self.nouns, dice)):
                self._note(vocabulary.undeclared_reason(violation))

    def _note(self, word: str | None) -> None:
        if word is not None:
            self.undeclared.add(word)


@cache
def heard(*modules: str) -> Heard:
    return Heard(modules)


def combinations() -> Iterator[tuple[str, ...]]:
    """The base game, each module by itself, and all of them."""
    yield ()
    yield from ((key,) for key in known_modules())
    yield tuple(known_modules())


@pytest.mark.parametrize("modules", [*combinations()], ids="+".join)
def test_whatever_is_told_refused_or_shown_is_declared(modules: tuple[str, ...]) -> None:
    assert not heard(*modules).undeclared


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.key)
def test_whatever_a_module_declares_occurs_in_games(record: Module) -> None:
    on = () if record is BASE else (record.key,)
    words = heard(*on).words + heard(*known_modules()).words
    asked = {kind for other in RECORDS for kind in other.asks}
    unasked = {step.asking for step in record.steps} - asked
    declared = {
        *(f"event {kind}" for kind in record.events),
        *(f"score {word}" for word in record.scores),
        *(f"fact {record.key} {fact}" for fact in record.facts),
        *(f"piece {kind.name}" for kind in record.shows),
        *(f"verb {verb.name}" for verb in record.verbs),
        *(f"decision {kind.name}" for kind in record.decisions if kind.name not in unasked),
    }
    assert {word for word in declared if not words[word]} == declared & AHEAD


def test_every_declaration_has_a_meaning_in_a_sentence() -> None:
    for record in RECORDS:
        meanings = [*record.events.values(), *record.scores.values(), *record.facts.values()]
        meanings += [kind.meaning for kind in record.shows]
        meanings += [reason.meaning for reason in record.reasons]
        meanings += [order.meaning for kind in record.decisions for order in kind.orders]
        for meaning in meanings:
            assert re.fullmatch(r"[A-Z].{3,}\.", meaning), (record.key, meaning)


def test_no_word_is_declared_twice_and_every_reason_has_a_known_code() -> None:
    for field in ("events", "scores"):
        words = Counter(word for record in RECORDS for word in getattr(record, field))
        assert [word for word, count in words.items() if count > 1] == []
    assert {reason.code for record in RECORDS for reason in record.reasons} <= set(CODES)


def words_of(record: Module) -> set[str]:
    """The words of a module that no other part of the project may know."""
    return {
        record.key,
        *(f"{record.key}.{variant}" for variant in record.variants),
        *record.events,
        *record.scores,
        *(kind.name for kind in record.shows),
        *(kind.name for kind in record.kinds),
        *(verb.name for verb in record.verbs),
        *(kind.name for kind in record.decisions),
        *(order.answer for kind in record.decisions for order in kind.orders),
        *(word for reason in record.reasons for word in reason.words),
        *(tile.id for tile in record.tiles),
        *(card.id for card in record.cards),
        *record.pieces,
    }


def strings_in(path: Path) -> Iterator[str]:
    """Every text in a file that means something when it runs: in Python no docstrings or comments."""
    content = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        for line in content.splitlines():
            yield from (line, *re.findall(r'"([^"]*)"', line))
        return
    tree = ast.parse(content)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.value


def told_in(text: str, words: set[str]) -> set[str]:
    """The words that a text tells: the text itself, or within it those that no sentence has by chance."""
    unmistakable = {word for word in re.findall(r"\w+", text) if "_" in word}
    return ({text} | unmistakable) & words


def test_no_word_of_a_module_stands_in_service_gateway_or_command_line() -> None:
    common = {
        *words_of(BASE),
        *TYPES,
        *CURRENCIES,
        *(word for moments in FRAMES.values() for word in moments),
    }
    words = set().union(*map(words_of, RECORDS[1:])) - common
    files = [path for folder in OUTSIDE for path in (ROOT / folder).rglob("*") if path.suffix in TOLD_BY]
    found = {
        (path.name, word)
        for path in files
        if path.name != RECORDED
        for text in strings_in(path)
        for word in told_in(text, words)
    }
    assert found == set(ORDINARY)


@pytest.mark.parametrize("text", ["street_trader", "the verb take_square", "https://here/wake_vizier?x=1", "vizier"])
def test_a_word_of_a_module_is_noticed(text: str) -> None:
    assert told_in(text, set().union(*map(words_of, RECORDS[1:])))


def test_an_ordinary_word_in_a_sentence_is_no_word_of_a_module() -> None:
    assert not told_in("whoever has a key to the gate", {"key", "gate"})
