"""The page of a load test says what happened, and everything that it says is in it."""

import json
from pathlib import Path

from loadtests.report import Run, write
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
        ended="The ramp ended: the last step was reached.",
    )


def test_the_page_holds_figures_plots_and_the_share_of_the_generator(tmp_path: Path) -> None:
    page = write(run(), tmp_path).read_text(encoding="utf-8")
    assert "Every answer was right." in page
    assert "The ramp ended" in page
    assert page.count("<svg") == 4
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
