"""Readers of untrusted data work in proportion to its size, and stop at their limits.

Work is counted in lines of Python (`tests/counted_work.py`); expressions inside one line, such as regular expressions,
are covered by long single words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from typing import Any

import pytest

from alhambra import AlhambraError, BadNotation, BadState, Game, Move, Options, read_export, read_game, verify_export
from alhambra.codec import MAGIC, unpack, unseal
from alhambra.export_reader import read_document
from alhambra.moves import LIST_LIMIT
from alhambra.notation import GAME_LIMIT, WORD_LIMIT, read_move
from alhambra.replay import ENTRY_LIMIT, UPGRADES_LIMIT
from alhambra.rules_upgrades import NO_SEAT, RulesUpgrade
from alhambra.undo import Entry, last_entry

from ..counted_work import is_linear, lines_run

Work = Callable[[int], Callable[[], object]]
HEADER = 'notation: alhambra/1\nseat: "Ada" white\nseat: "Grace" red\nseed: "s"\n'
OPTIONS = Options(2, "s")


def export(**changed: Any) -> dict[str, Any]:
    found = {
        "format": "alhambra-game/1",
        "ruleset": "1:de_revised_2019:base:2:00",
        "options": OPTIONS.document(),
        "entries": [],
        "result": {"scores": [0, 0, 0], "ranking": [], "digest": "0" * 64},
    }
    return {**found, **changed}


def undone(count: int) -> list[Entry]:
    """Two moves that are taken back, again and again."""
    return [Entry("move", 0), Entry("move", 0), Entry("undo", 0), Entry("undo", 0)] * count


def ask_before_every_undo(count: int) -> Callable[[], object]:
    log = undone(count)
    logs = [log[:length] for length, entry in enumerate(log) if entry.kind == "undo"]
    return lambda: [last_entry(log) for log in logs]


def fairness(links: int) -> dict[str, Any]:
    return {"secret": "0" * 64, "commitment": "0" * 64, "entropies": [], "chain": ["0" * 64] * links}


READERS: dict[str, tuple[Work, int]] = {
    "words of a move": (lambda n: lambda: read_move("buy" + " denar-1" * n), 25),
    "a long word": (lambda n: lambda: read_move("buy " + "a" * n), 5_000),
    "a long quoted word": (lambda n: lambda: read_move('buy ~"' + '\\"' * n + '"'), 5_000),
    "a quoted word without end": (lambda n: lambda: read_move('buy "' + "\\\\" * n), 5_000),
    "blanks": (lambda n: lambda: read_move(" " * n), 5_000),
    "comments": (lambda n: lambda: read_game("; a\n" * n), 500),
    "empty lines": (lambda n: lambda: read_game("\n" * n), 500),
    "header lines": (lambda n: lambda: read_game(HEADER + 'seat: "a" red\n' * n), 100),
    "unknown header lines": (lambda n: lambda: read_game("".join(f"a{at}: b\n" for at in range(n))), 100),
    "moves of no game": (lambda n: lambda: read_game(HEADER + "0 take_money +a\n" * n), 100),
    "modules that are not there": (lambda n: lambda: Options(2, "s", modules=[f"m{at}" for at in range(n)]), 200),
    "options that are not there": (lambda n: lambda: Options.read(dict.fromkeys(map(str, range(n)))), 200),
    "nouns that are not there": (lambda n: lambda: Move.read(dict.fromkeys(map(str, range(n)))), 200),
    "cards of a move": (lambda n: lambda: Move.read({"verb": "buy", "cards": ["a"] * n}), 25),
    "entries": (lambda n: lambda: read_document(export(entries=[{"kind": "undo", "seat": 0}] * n)), 100),
    "links": (lambda n: lambda: read_document(export(fairness=fairness(n))), 100),
    "unknown fields": (lambda n: lambda: read_document(export(**dict.fromkeys(map(str, range(n))))), 200),
    "packed lists": (lambda n: lambda: unpack([[["a"]]] * n), 200),
    "packed maps": (lambda n: lambda: unpack({"@map": [[at, [[]]] for at in range(n)]}), 200),
    "moves that were taken back": (ask_before_every_undo, 25),
}


@pytest.mark.parametrize("name", READERS)
def test_reading_takes_work_in_proportion_to(name: str) -> None:
    work, size = READERS[name]
    assert is_linear(work, size)


def test_work_that_is_not_linear_is_noticed() -> None:
    assert not is_linear(lambda n: lambda: [at for _ in range(n) for at in range(n)], 50)


def test_a_line_has_a_bounded_number_of_words() -> None:
    assert WORD_LIMIT > 3 * LIST_LIMIT + 15, "every move can be written"
    with pytest.raises(BadNotation, match="words in a line"):
        read_game(HEADER + "0 a" + " b" * WORD_LIMIT)
    most = lines_run(lambda: read_game("a " * (GAME_LIMIT // 2)))
    assert most < 20 * WORD_LIMIT, "the rest of the line is not looked at"


def test_a_text_with_too_many_moves_is_not_read_to_its_end() -> None:
    with pytest.raises(BadNotation, match="more than 10000 moves"):
        read_game(HEADER + "0 a\n" * (2 * ENTRY_LIMIT))
    texts = ["0 a\n" * size for size in (2 * ENTRY_LIMIT, 4 * ENTRY_LIMIT)]
    work = [lines_run(partial(read_game, text)) for text in texts]
    assert work[0] == work[1]


def sealed(body: bytes) -> bytes:
    return MAGIC + blake2b(body, digest_size=16).digest() + body


def test_a_log_has_a_bounded_number_of_rules_upgrades() -> None:
    upgrade = {"kind": "engine", "ruleset": "1:x", "state": RulesUpgrade.of("1:x", sealed(b"{}")).packed}
    with pytest.raises(BadState, match="rules upgrades"):
        read_document(export(entries=[upgrade] * (UPGRADES_LIMIT + 1)))
    assert len(read_document(export(entries=[upgrade] * UPGRADES_LIMIT)).entries) == UPGRADES_LIMIT
    line = f"engine 1:x {upgrade['state']}\n"
    with pytest.raises(BadNotation, match="rules upgrades"):
        read_game(HEADER + line * (UPGRADES_LIMIT + 1))


@pytest.mark.parametrize("body", [b"[" * 100_000, b"{", b"\xff", b"1" * 5_000, b"[" * 500 + b"]" * 500])
def test_a_sealed_state_that_is_no_state_is_refused(body: bytes) -> None:
    """A checksum is no proof: everybody can compute it."""
    with pytest.raises(AlhambraError):
        Game.from_state(OPTIONS, sealed(body), [])
    entry = {"kind": "engine", "ruleset": "1:x", "state": RulesUpgrade.of("1:x", sealed(body)).packed}
    assert not verify_export(export(entries=[entry])).ok
    with pytest.raises(AlhambraError):
        read_export(export(entries=[entry]))


def test_bytes_that_hold_no_json_are_refused() -> None:
    for body in (b"[" * 100_000, b"{", b"\xff", b"1" * 5_000):
        with pytest.raises(BadState):
            unseal(sealed(body))


def test_the_last_entry_in_effect_is_the_one_that_was_not_taken_back() -> None:
    first, second = Entry("move", 0), Entry("resign", 1)
    assert last_entry([]) is None
    assert last_entry([first, second]) is second
    assert last_entry([first, second, Entry("undo", 0)]) is first
    assert last_entry([first, *undone(3)]) is first
    assert last_entry([first, second, Entry("undo", 0), *undone(2), Entry("undo", 0)]) is None
    upgrade = Entry("engine", NO_SEAT, None, RulesUpgrade("1:x", ""))
    assert last_entry([first, upgrade]) is upgrade
