"""A watcher that missed an event, saw one twice or saw them in another order is found out."""

from loadtests.event_ledger import EventLedger, position


def ledger() -> EventLedger:
    found = EventLedger()
    found.add(["1.0", "1.1"])
    found.add(["2.0"])
    found.add(["10.0", "10.1"])
    return found


def test_events_are_compared_by_the_two_numbers_of_their_ids() -> None:
    assert position("") < position("2.9.ffffff") < position("10.0.000000") == position("10.0")


def test_a_watcher_that_saw_every_event_once_and_in_order_is_right() -> None:
    assert ledger().fault("", ["1.0", "1.1", "2.0", "10.0", "10.1"]) == ""


def test_events_before_a_watcher_began_are_not_expected() -> None:
    assert ledger().fault("1.1", ["2.0", "10.0", "10.1"]) == ""


def test_a_lost_event_is_named() -> None:
    assert ledger().fault("", ["1.0", "1.1", "10.0", "10.1"]) == "1 of 5 events were lost, the first is 2.0"


def test_an_event_that_came_twice_is_counted() -> None:
    assert ledger().fault("", ["1.0", "1.1", "1.1", "2.0", "10.0", "10.1"]) == "1 events came again"


def test_events_in_another_order_are_noticed() -> None:
    assert ledger().fault("", ["1.0", "2.0", "1.1", "10.0", "10.1"]) == "the events came in another order"


def test_an_event_that_no_player_was_told_is_named() -> None:
    assert "the first is 3.0" in ledger().fault("2.0", ["3.0", "10.0", "10.1"])


def test_the_repeated_answer_to_a_move_adds_no_event() -> None:
    found = ledger()
    found.add(["2.0"])
    assert found.events == ["1.0", "1.1", "2.0", "10.0", "10.1"]
