"""The trace of a load test: the stages of a call add up to its time, and the slowest hundredth is what is shown."""

import json
from pathlib import Path
from typing import Any

import pytest

from loadtests.trace import stages, turns
from loadtests.trace.turns import Turns

SERVICE = {
    **{"arrived": 3.0, "began": 4.0, "ended": 11.0, "cpu": 3.0, "core_wait": 1.0},
    **{"store": 2.0, "store_cpu": 0.5, "store_core_wait": 0.25, "what": "ApplyMove"},
}
GATEWAY = {
    **{"arrived": 1.0, "began": 1.5, "ended": 14.0, "cpu": 1.0, "core_wait": 0.5},
    **{"call_began": 2.5, "call_ended": 13.0, "call_cpu": 0.25, "call_core_wait": 0.125},
}


def write(folder: Path, role: str, *records: dict[str, Any]) -> None:
    lines = [json.dumps(record) for record in records]
    (folder / f"{role}.1.jsonl").write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.parametrize("rest", [True, False])
def test_the_stages_add_up_to_the_time_of_the_client(tmp_path: Path, rest: bool) -> None:
    write(tmp_path, "client", {"id": "a", "rest": rest, "began": 0.0, "ended": 15.0})
    write(tmp_path, "service", {"id": "a", **SERVICE})
    if rest:
        write(tmp_path, "gateway", {"id": "a", **GATEWAY})
    (call,) = stages.read(tmp_path)
    assert (call.what, call.seconds) == ("ApplyMove", 15.0)
    assert sum(call.stages.values()) == pytest.approx(15.0)
    assert set(call.stages) <= set(stages.STAGES)
    assert call.stages[stages.STORE] == 2.0
    assert call.stages[stages.SERVICE_CPU] == 2.5
    assert call.stages[stages.SERVICE_LOCK] == 7.0 - 2.0 - 2.5 - 0.75


def test_a_call_that_a_process_did_not_record_is_left_out(tmp_path: Path) -> None:
    client = {"rest": True, "began": 0.0, "ended": 15.0}
    write(tmp_path, "client", {"id": "a", **client}, {"id": "b", **client})
    write(tmp_path, "gateway", {"id": "a", **GATEWAY})
    write(tmp_path, "service", {"id": "b", **SERVICE})
    assert stages.read(tmp_path) == []


def test_the_table_shows_the_slowest_hundredth() -> None:
    calls = [stages.TracedCall("GetGame", number / 1000, {stages.STORE: number / 1000}) for number in range(1, 201)]
    assert [call.seconds for call in stages.slowest(calls)] == [0.2, 0.199]
    row = next(row for row in stages.table(calls) if row.stage == stages.STORE)
    assert [row.usual, row.slow, row.share] == pytest.approx([100.5, 199.5, 1.0])
    assert "The slowest 2 are: GetGame 2." in stages.markdown(calls)


def test_turns_are_counted_by_role_and_for_each_call() -> None:
    before, after = {"service": Turns(1, 2, 3, 4)}, {"service": Turns(2, 4, 23, 5), "store": Turns(1, 1, 1, 1)}
    used = turns.difference(after, before)
    assert used == {"service": Turns(1, 2, 20, 1), "store": Turns(1, 1, 1, 1)}
    assert "| service | 100.00 | 2.00 | 0.10 | 200.00 |" in turns.markdown(used, 10)
