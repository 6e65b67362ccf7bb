"""A short run of the senders that are killed: nothing is lost, and each game is told in order."""

from pathlib import Path

from .run import Plan, run


def test_every_notice_arrives_in_order_although_senders_are_killed(tmp_path: Path) -> None:
    found = run(Plan(deliveries=300, kills=3, receivers=3, patience=240, say=lambda _: None), tmp_path)
    assert found.faults == []
    assert found.arrived == found.sent
    assert found.kills == 3
