"""What modules declare about themselves: everything that occurs in a game is declared, and what is declared occurs."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from alhambra import Game, Module, Move, Options, compile_ruleset, known_modules, load_module
from alhambra.base import BASE
from alhambra.components import CURRENCIES, TYPES
from alhambra.declarations import Vocabulary
from alhambra.players import Hoarder, NoveltySeeker, Peer, Resigner, Spoiler, Table, Undoer, apply_action
from alhambra.procedures import PROCEDURES
from alhambra.violations import CODES
from tests.budget import Spend
from tests.conformance.dice import Dice
from tests.conformance.near_misses import Nouns, near_miss

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = ("service/alhambra_service", "gateway/alhambra_gateway", "cli/alhambra_cli")
"""Whoever serves, draws or plays games knows modules from their records alone."""
RECORDS = [BASE, *map(load_module, known_modules())]
ORDINARY = {
    ("sent_boards.py", "wooden_walls"): "a member of the contract",
    ("loaded_game.py", "claimed"): "how a seat is occupied",
    ("views.py", "claimed"): "how a seat is occupied",
    ("views.py", "wooden_walls"): "a member of the contract",
    ("views.py", "turn"): "a part of every view",
    ("docs.js", "change"): "an event of the browser",
    ("first_game.sh", "claim"): "a member of the contract",
    ("problem.html", "turn"): "a class of the style sheet",
    ("demo.py", "turn"): "a fact of an event of the base game",
    ("embedded_store.py", "save"): "an option of the store",
    ("tables.py", "orange"): "a colour of the terminal",
    ("module.html", "turn"): "a class of the style sheet",
    ("rules.html", "turn"): "a class of the style sheet",
    ("open_streams.py", "all"): "everybody who watches something",
    ("webhook_addresses.py", "all"): "every address",
    ("how_to_play.py", "turn"): "a lesson of the guide",
    ("game_notices.py", "turn"): "a fact of a notice",
    ("clocks.py", "turn"): "a fact of an event of the base game",
    ("environ_keys.py", "none"): "a value of a header",
    ("doctor.py", "none"): "a state of an answer",
    ("views.py", "deck"): "a part of every view",
}
"""By file and word: what a word of a module means there, where it is no word of a module."""
TOLD_BY = (".py", ".json", ".html", ".js", ".css", ".lua", ".sh", ".svg")
"""Files that are looked through."""
ELSEWHERE = {"play"}
"""Folders that are not looked through: the table in the browser has a test of its own."""
RECORDED = {"example_calls.json", "example_problems.json"}
"""What a running product has answered, written by scripts: the catalogue among it."""
NEEDS_COMPANY = {
    "event fruit_returned": ("orchards", "characters"),
    "event animals_returned": ("menagerie", "characters"),
}
"""By word that a module declares: that module, and another one without which it cannot occur."""
RARE = {"decision second_project"}
"""Words of modules that players without a plan reach in about one of fifty games; the tests of the modules prove
them."""
OF_OTHER_VERSIONS = {"event engine_changed", "event not_retold"}
"""Words that occur only in games which an older version of the rules began; `tests/compat` proves them."""
EDITION = "de_revised_2019"
FEWEST = 1
"""Games of each module that are played to their end in any case: what is told, shown and refused in them must be
declared."""
MOST = 24
"""Games of a module, at most, that are played until everything has occurred which it declares. Few need more
than three."""
ALONE = 6
"""Games without modules. Most words of the base game occur in them, and they are short."""
TOGETHER = (12, 18, 0, 3, 1, 2)
"""Numbers of the games with all modules, at most these. They are long; the first two make nearly every word occur."""
FIRST = {
    "buildings_of_power": (1, 5),
    "building_sites": (22,),
    "caliphs_guidelines": (22, 0, 2, 23, 20),
    "characters": (12, 7),
    "event animals_returned": (4,),
    "event fruit_returned": (2,),
    "major_construction_projects": (20,),
    "menagerie": (3, 4),
    "treasure_chamber": (12,),
}
"""By module or word: numbers of games in which rare words occur, played before the others. If a change of the rules
makes other games of them, this costs time and nothing else."""
TABLES = (
    (NoveltySeeker, NoveltySeeker, NoveltySeeker),
    (NoveltySeeker, Undoer, Resigner, NoveltySeeker),
    (NoveltySeeker, NoveltySeeker),
    (Spoiler, Spoiler, Spoiler),
    (Peer, NoveltySeeker, Hoarder, NoveltySeeker),
)
"""Who plays, game by game: habits of different kinds make different words occur."""
EVERY = 7
"""Moves between two looks at legal moves and refusals."""
VIEWED = 3
"""One look of this many is also at views and at verbs that are not offered, which take far longer."""
PROBES = 3
WALKED = 60


def _options(number: int, modules: tuple[str, ...]) -> Options:
    """Different seats, and now and then the options and variants that let rare words occur."""
    variants = [f"{key}.{variant}" for key in modules for variant in load_module(key).variants]
    rare: dict[str, Any] = {"confirm_turn": True, "bonus_action_optional": True, "undo": "by_consent"}
    return Options(
        len(TABLES[number % len(TABLES)]),
        f"declared {number}",
        modules=list(modules),
        variants=variants if number % 3 == 2 else [],
        **(rare if number % 2 else {}),
    )


class Heard:
    """Every word that was told, shown, refused with or offered in games with some modules, as many as are needed."""

    def __init__(self, modules: tuple[str, ...], wanted: Collection[str], numbers: Sequence[int]) -> None:
        self.words: set[str] = set()
        self.undeclared: set[str] = set()
        self.concealed: set[str] = set()
        """Verbs that a seat was not shown although it had a legal move with them."""
        self.games = self.moves = 0
        self._nouns = Nouns()
        self._wanted = {*wanted}
        while self.games < FEWEST or (self.games < len(numbers) and not self.words >= self._wanted):
            self._play(numbers[self.games], modules)

    def _play(self, number: int, modules: tuple[str, ...]) -> None:
        game, dice = Game.new(_options(number, modules)), Dice(number)
        table = Table.of(TABLES[number % len(TABLES)], len(game.state.seats))
        vocabulary = game.ruleset.table(Vocabulary)
        self._listen(game, vocabulary)
        while game.decision is not None and (self.games < FEWEST or not self.words >= self._wanted):
            if game.version % EVERY == 0:
                self._look(game, vocabulary, dice)
            self.words.add(f"decision {game.decision.kind}")
            action = table.next(game, dice)
            if isinstance(action, Move):
                self.words.add(f"verb {action.verb}")
                self._note(vocabulary.undeclared_noun(action))
                self.moves += 1
            apply_action(game, action)
            self._listen(game, vocabulary)
        self.games += 1

    def _listen(self, game: Game, vocabulary: Vocabulary) -> None:
        for event in game.events:
            self._note(vocabulary.undeclared_event(event))
            self.words.add(f"event {event.kind}")
            if event.kind == "scored":
                self.words.add(f"score {event.public['reason']}")

    def _look(self, game: Game, vocabulary: Vocabulary, dice: Dice) -> None:
        if game.version % (EVERY * VIEWED) == 0:
            self._view(game, vocabulary)
        moves = list(islice(game.moves(), WALKED))
        self._nouns.learn(moves)
        for move in moves:
            self._note(vocabulary.undeclared_noun(move))
        for _ in range(PROBES):
            for violation in game.verify(near_miss(game, dice.choice(moves), self._nouns, dice)):
                self._note(vocabulary.undeclared_reason(violation))

    def _view(self, game: Game, vocabulary: Vocabulary) -> None:
        for viewer in (None, 0):
            self._note(vocabulary.undeclared_shown(game, viewer))
            for key, shown in game.view(viewer)["slices"].items():
                self.words.update(f"fact {key} {fact}" for fact in shown)
        for module in game.ruleset.modules:
            self.words.update(
                f"piece {thing['kind']}" for thing in (module.public_pieces(game) if module.public_pieces else ())
            )
        self._look_behind(game)

    def _look_behind(self, game: Game) -> None:
        decision = game.decision
        assert decision is not None
        possible = game.possible_verbs(decision)
        for verb in game.offered_verbs(decision):
            if verb not in possible:
                moves = game.without_vetoed(verb, decision, (verb.brief or verb.moves)(game, decision))
                self.concealed.update(move.verb for move in islice(moves, 1))

    def _note(self, word: str | None) -> None:
        if word is not None:
            self.undeclared.add(word)


def declared_by(module: Module) -> set[str]:
    """What a module says will occur. Decisions that only modules still to come ask are left out."""
    asked = {kind for other in RECORDS for kind in other.asks}
    unasked = {step.asking for step in module.steps} - asked
    return {
        *(f"event {kind}" for kind in module.events),
        *(f"score {word}" for word in module.scores),
        *(f"fact {module.key} {fact}" for fact in module.public_facts),
        *(f"piece {kind.name}" for kind in module.piece_kinds),
        *(f"verb {verb.name}" for verb in module.verbs),
        *(f"decision {kind.name}" for kind in module.decisions if kind.name not in unasked),
    }


def numbers_for(subject: str) -> list[int]:
    """The numbers of the games that are played for a module or a word, in their order."""
    return list(dict.fromkeys((*FIRST.get(subject, ()), *range(MOST))))


def complaint(module: Module, never: set[str], games: int) -> str:
    return f"declared by {module.key}, but never occurred in {games} games: {', '.join(sorted(never))}"


@pytest.mark.parametrize("module", RECORDS[1:], ids=lambda module: module.key)
def test_a_module_uses_nothing_undeclared_and_all_it_declares_occurs_in_its_own_games(
    module: Module, spend: Spend
) -> None:
    declared = declared_by(module) - NEEDS_COMPANY.keys() - RARE
    heard = Heard((module.key,), declared, numbers_for(module.key))
    spend("declarations", heard.games, heard.moves)
    assert heard.undeclared == set(), "used, but not declared"
    assert heard.concealed == set(), "legal, but said to be impossible"
    assert not declared - heard.words, complaint(module, declared - heard.words, heard.games)


@pytest.mark.parametrize("word", NEEDS_COMPANY)
def test_what_a_module_declares_for_the_company_of_another_one_occurs_there(word: str, spend: Spend) -> None:
    heard = Heard(NEEDS_COMPANY[word], {word}, numbers_for(word))
    spend("declarations", heard.games, heard.moves)
    assert word in heard.words
    assert heard.undeclared == set(), "used, but not declared"


def test_nothing_undeclared_is_used_with_all_modules_and_all_that_the_base_game_declares_occurs(spend: Spend) -> None:
    declared = declared_by(BASE) - OF_OTHER_VERSIONS
    alone = Heard((), declared, range(ALONE))
    together = Heard(tuple(known_modules()), declared - alone.words, TOGETHER)
    spend("declarations", alone.games + together.games, alone.moves + together.moves)
    words = alone.words | together.words
    assert alone.undeclared | together.undeclared == set(), "used, but not declared"
    assert alone.concealed | together.concealed == set(), "legal, but said to be impossible"
    assert not declared - words, complaint(BASE, declared - words, alone.games + together.games)


def test_every_declaration_has_a_meaning_in_a_sentence() -> None:
    for module in RECORDS:
        meanings = [*module.events.values(), *module.scores.values(), *module.public_facts.values()]
        meanings += [kind.meaning for kind in module.piece_kinds]
        meanings += [reason.meaning for reason in module.reasons]
        meanings += [order.meaning for kind in module.decisions for order in kind.orders]
        for meaning in meanings:
            assert re.fullmatch(r"[A-Z].{3,}\.", meaning), (module.key, meaning)


def test_no_word_is_declared_twice_and_every_reason_has_a_known_code() -> None:
    for field in ("events", "scores"):
        words = Counter(word for module in RECORDS for word in getattr(module, field))
        assert [word for word, count in words.items() if count > 1] == []
    assert {reason.code for module in RECORDS for reason in module.reasons} <= set(CODES)


def test_slots_choices_and_items_are_declared_once() -> None:
    for noun in ("slot", "choice", "items"):
        words = Counter(word for module in RECORDS for word in module.words(noun))
        assert [word for word, count in words.items() if count > 1] == [], noun


def test_a_slot_a_choice_and_an_item_that_nobody_declares_are_noticed() -> None:
    vocabulary = Vocabulary(compile_ruleset(3, EDITION, ("change", "city_gates")))
    for move, noticed in (
        (Move("buy", slot="market-denar", items=("coin-denar",)), None),
        (Move("place", choice="gate"), None),
        (Move("buy", slot="market-cent"), "slot market-cent"),
        (Move("choose", choice="dance"), "choice dance"),
        (Move("buy", items=("coin-denar", "coin-cent")), "item coin-cent"),
    ):
        assert vocabulary.undeclared_noun(move) == noticed


def test_details_are_events_of_the_same_module_and_every_module_tells_a_story() -> None:
    for module in RECORDS:
        assert set(module.details) <= set(module.events), module.key
        assert len(set(module.details)) == len(module.details), module.key
        assert set(module.events) - set(module.details) or not module.events, module.key


def words_of(module: Module) -> set[str]:
    """The words of a module that no other part of the project may know."""
    return {
        module.key,
        *(f"{module.key}.{variant}" for variant in module.variants),
        *module.events,
        *module.scores,
        *(kind.name for kind in module.piece_kinds),
        *(kind.name for kind in module.kinds),
        *(verb.name for verb in module.verbs),
        *(kind.name for kind in module.decisions),
        *(order.answer for kind in module.decisions for order in kind.orders),
        *(word for reason in module.reasons for word in reason.words),
        *(tile.id for tile in module.tiles),
        *(card.id for card in module.cards),
        *module.words("piece"),
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
        *(word for stages in PROCEDURES.values() for word in stages),
        *(stage.name.partition(".")[2] for module in RECORDS for stage in module.stages),
    }
    words = set().union(*map(words_of, RECORDS[1:])) - common
    files = [path for folder in OUTSIDE for path in (ROOT / folder).rglob("*") if path.suffix in TOLD_BY]
    found = {
        (path.name, word)
        for path in files
        if path.name not in RECORDED and not ELSEWHERE & {*path.parts}
        for text in strings_in(path)
        for word in told_in(text, words)
    }
    assert found == set(ORDINARY)


@pytest.mark.parametrize("text", ["street_trader", "the verb take_square", "https://here/wake_vizier?x=1", "vizier"])
def test_a_word_of_a_module_is_noticed(text: str) -> None:
    assert told_in(text, set().union(*map(words_of, RECORDS[1:])))


def test_an_ordinary_word_in_a_sentence_is_no_word_of_a_module() -> None:
    assert not told_in("whoever has a key to the gate", {"key", "gate"})
