"""The figures of the conformance page come from what was played, and can be read back from the page."""

from __future__ import annotations

import json
import shutil
from itertools import islice
from pathlib import Path

import pytest

from alhambra import EDITIONS, known_modules
from alhambra.components import component_data
from alhambra.options import SEED_LIMIT
from tests.conformance import results
from tests.conformance.__main__ import GROUPS, selection
from tests.conformance.cases import HABITS, SEATS, base_games, everything, mixed_habits, subsets
from tests.conformance.report import BEGIN, END, HEADINGS, PAGE, Row, read, rewritten, tables
from tests.conformance.results import LIBRARY, Result, digest_of, number_of, remembered, rules_digest

CHANGE, SQUARES, THIEVES = map(number_of, ("change", "squares", "thieves"))
DIGEST = "0123456789abcdef"
COMMIT = "0123456"
BAD = {"failures", "disagreements", "broken", "not ended"}
RESULTS: list[Result] = [
    {"case": "base/de_revised_2019/3/0", "moves": 300, "turns": 80, "seconds": 0.2, "decisions": {}},
    {"case": "base/de_revised_2019/3/1", "moves": 1310, "turns": 90, "seconds": 0.2, "decisions": {}},
    {"case": "base/de_revised_2019/4/0", "failed": "Traceback"},
    {"case": f"single/{THIEVES}/2/0", "moves": 500, "turns": 100, "seconds": 0.3, "decisions": {}},
    {"case": f"pair/{SQUARES}+{THIEVES}/2/0", "moves": 700, "turns": 120, "seconds": 0.5, "decisions": {}},
    {"case": f"pair/{CHANGE}+{THIEVES}/2/0", "moves": 900, "turns": 130, "seconds": 0.6, "decisions": {}},
    {"case": f"all/{CHANGE}+{SQUARES}+{THIEVES}/6/0", "moves": 2000, "turns": 300, "seconds": 2.0, "decisions": {}},
    {"case": f"subset/{CHANGE}+{SQUARES}+{THIEVES}/2/0", "moves": 1000, "turns": 200, "seconds": 1.0, "decisions": {}},
    {"case": "subset/01+04+05+07+08+09+11+12+15+18+22/3/1", "moves": 1500, "turns": 200, "seconds": 1.0},
    {"case": "subset/01+04+05+07+08+09/4/2", "failed": "Traceback"},
    {"case": "habits/05+07/hoarder+undoer+hoarder/0", "moves": 800, "undos": 12, "resignations": 0},
    {"case": "habits/de_revised_2019/undoer+resigner/1", "moves": 90, "undos": 3, "resignations": 1},
    {"case": "habits/05/hoarder+random/2", "failed": "Traceback", "ended": False},
    {"case": "habits/07/random+random/3", "failed": "Traceback", "ended": True},
    {"case": "oracle/boards/0", "compared": 2500},
    {"case": "oracle/boards/2500", "compared": 2500},
]


def test_every_combination_has_its_row_and_the_sum_is_last() -> None:
    found = tables(RESULTS)
    assert found["base"] == [
        Row("3, de_revised_2019", (2, 1610, 0)),
        Row("4, de_revised_2019", (1, 0, 1)),
        Row("all", (3, 1610, 1)),
    ]
    assert found["oracle"] == [Row("boards", (5000, 0)), Row("all", (5000, 0))]


def test_a_pair_counts_for_both_its_modules_and_once_in_the_sum() -> None:
    assert tables(RESULTS)["pair"] == [
        Row("change", (1, 900, 0)),
        Row("squares", (1, 700, 0)),
        Row("thieves", (2, 1600, 0)),
        Row("all", (2, 1600, 0)),
    ]


def test_random_subsets_are_counted_by_their_size_smallest_first() -> None:
    assert tables(RESULTS)["subset"] == [
        Row("3 to 5", (1, 1000, 0)),
        Row("6 to 10", (1, 0, 1)),
        Row("11 to 15", (1, 1500, 0)),
        Row("all", (3, 2500, 1)),
    ]


def test_a_game_with_habits_counts_for_every_habit_at_the_table_and_once_in_the_sum() -> None:
    assert tables(RESULTS)["habits"] == [
        Row("hoarder", (2, 800, 12, 0, 1, 0)),
        Row("random", (2, 0, 0, 0, 1, 1)),
        Row("resigner", (1, 90, 3, 1, 0, 0)),
        Row("undoer", (2, 890, 15, 1, 0, 0)),
        Row("all", (4, 890, 15, 1, 1, 1)),
    ]


def test_the_figures_are_written_between_the_marks_and_read_back() -> None:
    page = f"# Before\n\n{BEGIN}\nold\n{END}\n\nAfter\n"
    written = rewritten(page, DIGEST, COMMIT, RESULTS)
    assert written.startswith("# Before\n")
    assert written.endswith("\nAfter\n")
    assert "old" not in written
    assert read(written) == (DIGEST, tables(RESULTS))
    assert rewritten(written, DIGEST, COMMIT, RESULTS) == written


def test_a_page_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="no marks"):
        rewritten("# A page", DIGEST, COMMIT, RESULTS)


def test_the_page_shows_figures_that_can_be_read_and_no_failure() -> None:
    _, found = read(PAGE.read_text(encoding="utf-8"))
    assert set(found) <= set(HEADINGS)
    assert {row.label for row in found["base"]} == {
        *(f"{seats}, {edition}" for seats in SEATS for edition in EDITIONS),
        "all",
    }
    for group, rows in found.items():
        assert rows[-1].label == "all"
        broken = sum(rows[-1].figures[HEADINGS[group][2].index(column)] for column in BAD & {*HEADINGS[group][2]})
        assert broken == 0, f"{group}: failures are published, not hidden; but they are mended first"
        if group not in ("pair", "habits"):  # where a game stands in several rows
            assert rows[-1].figures == tuple(map(sum, zip(*(row.figures for row in rows[:-1]), strict=True)))


def test_the_last_result_of_a_case_counts_and_half_a_line_does_not(tmp_path: Path) -> None:
    store = tmp_path / "results.jsonl"
    failed, played = (
        {"case": "base/pt/2/0", "rules": digest_of("base/pt/2/0")} | what for what in ({"failed": "x"}, {"moves": 3})
    )
    store.write_text(f'{json.dumps(failed)}\n{json.dumps(played)}\n{{"case": "base/pt/2/1", "mov')
    assert remembered(store) == {"base/pt/2/0": played}
    assert remembered(tmp_path / "missing.jsonl") == {}


def test_a_changed_module_forgets_its_own_games_and_a_changed_engine_forgets_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = shutil.copytree(LIBRARY, tmp_path / "alhambra", ignore=shutil.ignore_patterns("texts", "__pycache__"))
    monkeypatch.setattr(results, "LIBRARY", library)
    folder_module = number_of("characters")
    kinds = {
        "neither": (f"pair/{CHANGE}+{SQUARES}/2/0", "base/pt/2/0"),
        "module": (f"pair/{CHANGE}+{THIEVES}/2/0", f"single/{THIEVES}/2/0"),
        "folder": (f"pair/{CHANGE}+{folder_module}/2/0",),
        "any": ("oracle/boards/0",),
    }
    store = tmp_path / "results.jsonl"

    def kept() -> set[str]:
        """The kinds of cases that still count."""
        results._of_the_engine.cache_clear()
        results._of_the_modules.cache_clear()
        return {kind for kind, cases in kinds.items() if set(cases) <= set(remembered(store))}

    kept()
    whole = rules_digest()
    store.write_text(
        "".join(json.dumps({"case": c, "rules": digest_of(c)}) + "\n" for cs in kinds.values() for c in cs)
    )
    assert kept() == set(kinds)
    for path, left in (
        ("modules/thieves.py", {"neither", "folder"}),
        ("modules/characters/beggar.py", {"neither", "module"}),
        ("players/peer.py", set(kinds)),
        ("engine.py", set()),
    ):
        file = library / path
        text = file.read_text(encoding="utf-8")
        file.write_text(text + "\n# changed\n", encoding="utf-8")
        assert kept() == left, path
        assert (rules_digest() == whole) == (left == set(kinds)), path
        file.write_text(text, encoding="utf-8")
    assert kept() == set(kinds)
    results._of_the_engine.cache_clear()
    results._of_the_modules.cache_clear()


def test_base_games_come_in_rounds_so_that_a_run_cut_short_has_equal_numbers() -> None:
    cases = list(base_games(2))
    kinds = [(case.seats, case.edition) for case in cases]
    assert kinds[: len(kinds) // 2] == kinds[len(kinds) // 2 :]
    assert len(set(kinds)) == len(kinds) // 2


def test_the_name_of_a_case_is_its_seed_and_fits_with_every_module_of_the_rulebooks() -> None:
    longest = max((*everything(1), *mixed_habits(50)), key=lambda case: len(case.name))
    assert longest.options().seed == longest.name
    room = SEED_LIMIT - len(longest.name)
    assert room >= (len(component_data()["modules"]) - len(known_modules())) * len("+00")


def test_random_subsets_have_three_to_twenty_modules_and_every_seat_count_and_every_module() -> None:
    cases = list(subsets(60))
    sizes = {len(case.modules) for case in cases}
    assert min(sizes) == 3
    assert max(sizes) == min(20, len(known_modules()))
    assert {case.seats for case in cases} == set(SEATS)
    assert {module for case in cases for module in case.modules} == set(known_modules())
    assert len({case.name for case in cases}) == len(cases)


def test_every_group_of_the_long_run_has_cases_of_its_own_and_a_table_on_the_page() -> None:
    groups = {group: list(islice(selection([group], 1), 2_000)) for group in GROUPS}
    names = [work.name for works in groups.values() for work in works]
    assert len(set(names)) == len(names)
    assert {name.partition("/")[0] for name in names} == set(HEADINGS)


def test_mixed_habits_have_every_seat_count_every_habit_and_every_module() -> None:
    cases = list(mixed_habits(200))
    assert {case.seats for case in cases} == set(SEATS)
    assert {player for case in cases for player in case.players} == set(HABITS)
    assert {module for case in cases for module in case.modules} == set(known_modules())
    assert {len(case.modules) for case in cases} >= {0, len(known_modules())}
    assert all(len(case.players) == case.seats for case in cases)
