"""The page of a load test says what happened, and everything that it says is in it."""

import json
from pathlib import Path

import pytest

from loadtests.bottleneck import Use, limit_of, use_between
from loadtests.docs_section import BEGIN, END, section, with_section
from loadtests.found_rate import FoundRate
from loadtests.rate_search import HOLDING, Step
from loadtests.report import Run, not_flat, write
from loadtests.sampling import Sample, growth

CALL = {
    "Type": "gRPC",
    "Name": "ValidatePlacement",
    "Request Count": "20",
    "Failure Count": "0",
    "Requests/s": "10",
    "50%": "3",
    "95%": "5",
    "99%": "7",
}
MOMENT = {
    "Name": "Aggregated",
    "User Count": "4",
    "Requests/s": "10",
    "Failures/s": "0",
    "50%": "3",
    "95%": "5",
    "99%": "N/A",
}

STEP = Step(8, 32.0, 31.0, 20.0, 0, began=1.0, ended=10.0)
HELD = STEP._replace(phase=HOLDING)
USE = Use({"service 1": 0.6, "generator 1": 0.2}, 1.9, 2)


def run(failed: int = 0) -> Run:
    total = {**CALL, "Name": "Aggregated", "Failure Count": str(failed)}
    wrong = {"Method": "gRPC", "Name": "ValidatePlacement", "Error": "<legal> & wrong", "Occurrences": str(failed)}
    return Run(
        title="A load test",
        facts={"users": "4"},
        calls=[CALL, total],
        history=[{**MOMENT, "Timestamp": str(1_000 + second)} for second in range(4)],
        failures=[wrong] if failed else [],
        processes={
            "service 1": [Sample(float(second), 0.6, 50.0) for second in range(8)],
            "generator 1": [Sample(float(second), 0.2, 70.0) for second in range(8)],
        },
        found=FoundRate([STEP, HELD], HELD, "8 users are steady", 50.0, [USE, USE]),
    )


def test_the_page_holds_figures_plots_and_the_share_of_the_generator(tmp_path: Path) -> None:
    page = write(run(), tmp_path).read_text(encoding="utf-8")
    assert "Every answer was right." in page
    assert "Highest steady rate: 31 calls a second, 99 % of them within 20 ms" in page
    assert "CPU of the machine: 1.90 of 2 cores" in page
    assert page.count("<svg") == 7
    assert "25% of the work was making the load" in page
    assert "http" not in page.replace("http://www.w3.org/", "").replace("http://purl.org/", "").replace(
        "http://creativecommons.org/", ""
    ).replace("https://matplotlib.org/", "")
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["processes"]["service 1"]["cores"] == 0.6


def test_wrong_answers_are_listed_and_cannot_break_the_page(tmp_path: Path) -> None:
    page = write(run(failed=3), tmp_path).read_text(encoding="utf-8")
    assert "3 answers were wrong or missing" in page
    assert "&lt;legal&gt; &amp; wrong" in page


def test_memory_that_only_grows_at_the_start_counts_as_flat() -> None:
    warming = [10.0, 20.0, 30.0, 30.0, 30.0, 30.0, 30.0, 30.0]
    leaking = [10.0 * step for step in range(1, 9)]
    assert growth([Sample(float(at), 0, mib) for at, mib in enumerate(warming)]).share == 0
    assert growth([Sample(float(at), 0, mib) for at, mib in enumerate(leaking)]).share > 1


def test_a_rate_is_not_settled_if_other_programs_kept_the_machine_busy() -> None:
    found = run().found
    assert found is not None
    assert not found.settled  # 1.1 of 2 cores went to others
    assert "Not settled" in found.sentences()[-1]
    alone = found._replace(uses=[USE, Use({"service 1": 0.9, "generator 1": 0.9}, 1.9, 2)])
    assert alone.settled
    assert "Not settled" not in " ".join(alone.sentences())


def test_the_step_with_the_most_calls_says_what_limited_it() -> None:
    found = run().found
    assert found is not None
    assert "The most that was made" not in " ".join(found.sentences())
    more = STEP._replace(users=30, rate=90.0, slow_ms=400.0)
    full = Use({"service 1": 1.0, "generator 1": 0.9}, 1.98, 2)
    said = found._replace(steps=[STEP, more, HELD], uses=[USE, full, USE._replace(machine=0.8)]).sentences()
    assert "What limits it: No CPU: 0.80 of 2 cores were in use" in said[2]
    assert said[3].startswith(
        "The most that was made, with 30 users: 90 calls a second, 99 % within 400 ms. CPU of the machine: 1.98 of 2"
    )


def test_a_soak_names_what_grew() -> None:
    assert not_flat(run()) == []
    leaking = [Sample(float(second), 0.6, 50.0, 12, 30 + 5 * second) for second in range(8)]
    grown = not_flat(run()._replace(processes={"gateway 1": leaking}))
    assert grown == ["descriptors of gateway: 42 after the warm-up, 62 at the end"]


def test_threads_that_move_from_one_process_to_another_are_no_growth() -> None:
    fewer, more = ([Sample(float(second), 0.6, 50.0, 25 + step * second) for second in range(8)] for step in (-1, 1))
    assert not_flat(run()._replace(processes={"gateway 1": fewer, "gateway 2": more})) == []
    assert not_flat(run()._replace(processes={"gateway 1": more, "gateway 2": more})) != []


def test_the_section_of_the_docs_is_replaced_and_the_rest_stays() -> None:
    found = run().found
    assert found is not None
    page = with_section(f"before\n{BEGIN}\nold figures\n{END}\nafter", section(run(), found))
    assert page.startswith("before\n") and page.endswith(f"{END}\nafter")
    assert "old figures" not in page
    assert "| holding | 8 | 32 | 31 | 20 | 0 | 1.90 |" in page
    with pytest.raises(ValueError, match="no marks"):
        with_section("a page without marks", "figures")


# -- What limits a rate ------------------------------------------------------------------------------------------------


def test_a_busy_machine_limits_before_a_busy_process() -> None:
    assert limit_of(Use({"service 1": 0.95, "generator 1": 0.4}, 1.95, 2)).startswith("CPU of the machine")


def test_a_process_that_fills_its_core_is_named() -> None:
    assert limit_of(Use({"service 1": 0.95, "gateway 1": 0.3}, 1.3, 4)).startswith("CPU of service 1")


def test_a_rate_that_no_core_limits_is_said_to_wait() -> None:
    assert limit_of(Use({"service 1": 0.2}, 0.4, 2)).startswith("No CPU")


def test_cores_of_other_programs_are_what_is_left() -> None:
    samples = [Sample(float(second), 0.5 if second < 4 else 1.0, 50.0) for second in range(8)]
    machine = [Sample(float(second), 1.75, 0.0) for second in range(8)]
    use = use_between({"service 1": samples, "service 2": samples}, machine, 2, 0.0, 3.0)
    assert use.roles == {"service": 1.0, "other programs": 0.75}
