"""The checker of the simulation finds each kind of defect in a history that has no other."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from .checker import PLAIN_READ_SECONDS, check, oldest_plain_read, unconfirmed_reads
from .history import Entry, History, Move, Outcome, Read, Truth, Watched

GAME = "game"
EVENTS = ("0.0 dealt", "1.0 moved", "2.0 moved", "2.1 scored", "3.0 moved", "4.0 moved")


def link(version: int) -> str:
    return f"link-{version}"


def made(version: int, *, at: float, after: int = 0, **others: object) -> Move:
    """A move that got a version, sent at a moment and acknowledged half a second later."""
    last = after or version
    move = Move("ann", GAME, 0, f"request {version}", at, at + 0.5, 1, Outcome.OK, version, last, link(last))
    return replace(move, **others)  # type: ignore[arg-type]


def read(version: int, *, at: float, min_version: int = 0, **others: object) -> Read:
    found = Read("ben", GAME, min_version, at, at + 0.1, Outcome.OK, version, link(version))
    return replace(found, **others)  # type: ignore[arg-type]


def history(
    *moves: Move, reads: Sequence[Read] = (), heard: Sequence[str] = EVENTS, restarts: int = 0, damage: str = ""
) -> History:
    """A game of four versions. Seat 0 is a person, seat 1 is played by the server, which made version 3."""
    log = [Entry(1 if version == 3 else 0, f"move {version}", link(version)) for version in range(1, 5)]
    truth = Truth(GAME, link(0), log, (0,), EVENTS, damage)
    watched = [Watched("eve", GAME, tuple(heard), restarts=restarts)]
    return History(list(reads), list(moves or SOUND), watched, {GAME: truth})


SOUND = (made(1, at=10.0), made(2, at=11.0, after=3), made(4, at=12.0))


def kinds(found: History, **allowed: bool) -> list[str]:
    return [defect.kind for defect in check(found, **allowed)]


def test_a_sound_history_has_no_defects() -> None:
    reads = [read(0, at=9.0), read(1, at=10.2), read(3, at=11.9, min_version=3), read(4, at=13.0, min_version=4)]
    assert kinds(history(reads=reads)) == []


# -- Moves -------------------------------------------------------------------------------------------------------------


def test_an_acknowledged_move_that_is_not_in_the_log_is_lost() -> None:
    assert kinds(history(*SOUND, made(5, at=14.0))) == ["lost"]


def test_a_game_that_the_store_does_not_have_is_lost_even_without_moves() -> None:
    found = history()
    found.moves.clear()
    found.watched.clear()
    found.truths[GAME] = Truth(GAME, "", (), (0,), (), "")
    assert kinds(found) == ["lost"]


def test_an_acknowledged_move_with_another_link_in_the_log_is_lost_and_its_place_is_taken_by_another_one() -> None:
    assert kinds(history(*SOUND[:2], made(4, at=12.0, link="other"))) == ["lost", "duplicated"]


def test_a_move_in_the_log_that_no_request_accounts_for_is_a_duplicate() -> None:
    assert kinds(history(*SOUND[:2])) == ["duplicated"]


def test_two_requests_that_are_acknowledged_as_one_move_are_a_duplicate() -> None:
    assert kinds(history(*SOUND, made(4, at=12.1, request_id="another"))) == ["duplicated"]


def test_a_move_without_a_final_answer_may_or_may_not_be_in_the_log() -> None:
    unsettled = made(9, at=12.0, outcome=Outcome.UNKNOWN)
    assert kinds(history(*SOUND[:2], unsettled)) == []
    assert kinds(history(*SOUND, unsettled)) == []


def test_a_move_that_was_sent_after_another_was_acknowledged_comes_after_it() -> None:
    assert kinds(history(made(1, at=10.0), made(2, at=13.0, after=3), made(4, at=12.0))) == ["reordered"]


def test_moves_that_were_under_way_together_may_have_any_order() -> None:
    assert kinds(history(made(1, at=10.0), made(2, at=12.3, after=3), made(4, at=12.0))) == []


def test_a_repeated_request_gets_its_first_answer() -> None:
    again = made(2, at=14.0, after=3, repeated=True)
    assert kinds(history(*SOUND, again)) == []
    assert kinds(history(*SOUND, replace(again, version=4, link=link(4)))) == ["forgotten"]
    assert kinds(history(*SOUND, replace(again, outcome=Outcome.REFUSED))) == ["forgotten"]


def test_a_move_that_was_listed_is_refused_only_because_the_game_went_on() -> None:
    refused = made(4, at=12.1, outcome=Outcome.REFUSED, reason="NOT_YOUR_DECISION")
    assert kinds(history(*SOUND, refused)) == []
    surprising = replace(refused, reason="VERB_NOT_OFFERED")
    assert kinds(history(*SOUND, surprising)) == ["unfair"]
    assert kinds(history(*SOUND, surprising), may_go_back=True) == ["unfair"]
    taken_back = read(4, at=11.9, link="taken back")
    assert kinds(history(*SOUND, surprising, reads=[taken_back]), may_go_back=True) == []
    named = replace(surprising, with_link=True)
    assert kinds(history(*SOUND, named, reads=[taken_back]), may_go_back=True) == ["unfair"]


def test_a_log_that_does_not_lead_to_the_stored_state_is_damage() -> None:
    assert kinds(history(damage="the stored state does not follow from the log")) == ["damaged"]


# -- Reads -------------------------------------------------------------------------------------------------------------


def test_a_read_of_a_state_that_never_was_is_invented() -> None:
    assert kinds(history(reads=[read(2, at=12.0, link="never")])) == ["invented"]
    assert kinds(history(reads=[read(7, at=12.0)])) == ["invented"]


def test_a_read_below_the_version_that_it_demands_is_stale() -> None:
    assert kinds(history(reads=[read(2, at=12.0, min_version=3)])) == ["stale"]


def test_a_plain_read_may_be_a_little_old_but_not_older() -> None:
    seen = SOUND[0].ended + PLAIN_READ_SECONDS
    assert kinds(history(reads=[read(0, at=seen - 0.1)])) == []
    assert kinds(history(reads=[read(0, at=seen + 0.1)])) == ["stale"]


def test_a_settled_read_shows_everything_that_was_acknowledged() -> None:
    assert kinds(history(reads=[read(4, at=13.0, settled=True)])) == []
    assert kinds(history(reads=[read(3, at=13.0, settled=True)])) == ["stale"]


def test_a_demanded_version_that_was_acknowledged_is_not_refused() -> None:
    refusal = read(0, at=13.0, min_version=4, outcome=Outcome.REFUSED, reason="VERSION_STALE")
    assert kinds(history(reads=[refusal])) == ["stale"]
    assert kinds(history(reads=[replace(refusal, min_version=5)])) == []
    assert kinds(history(reads=[replace(refusal, began=11.9)])) == []


def test_the_age_of_the_oldest_plain_read_is_counted_from_the_first_acknowledgement_that_it_missed() -> None:
    reads = [read(1, at=13.5), read(4, at=14.0), read(0, at=10.0)]
    assert oldest_plain_read(history(reads=reads)) == pytest.approx(2.0)


# -- Events ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heard", "kind"),
    [
        (EVENTS[:-1], "event lost"),
        ((*EVENTS[:2], *EVENTS[3:]), "event lost"),
        ((*EVENTS[:3], EVENTS[2], *EVENTS[3:]), "event twice"),
        ((EVENTS[0], EVENTS[2], EVENTS[1], *EVENTS[3:]), "event reordered"),
        ((*EVENTS, "5.0 moved"), "event invented"),
    ],
)
def test_spectators_get_every_event_once_and_in_order(heard: Sequence[str], kind: str) -> None:
    assert kinds(history(heard=heard)) == [kind]


def test_spectators_are_not_told_that_a_game_went_back() -> None:
    assert kinds(history(restarts=1)) == ["event invented"]
    assert kinds(history(restarts=1), may_go_back=True) == []


def test_a_spectator_with_events_of_a_lost_history_has_not_been_told() -> None:
    """The events have the same places and kinds; the digits of the link tell them apart."""
    found = history(heard=[f"{event.split()[0]}.lost {event.split()[1]}" for event in EVENTS])
    assert set(kinds(found, may_lose=True)) == {"event invented", "event lost"}


# -- Where moves may be lost, or taken back ----------------------------------------------------------------------------


def test_a_loss_that_is_allowed_is_still_told() -> None:
    found = history(*SOUND, made(5, at=14.0))
    assert kinds(found, may_lose=True) == ["lost"]


def test_a_move_that_was_lost_and_made_again_counts_as_lost_and_not_as_a_duplicate() -> None:
    again = made(4, at=15.0, request_id="the same move again")
    assert kinds(history(*SOUND, again), may_lose=True) == ["lost"]
    overlapping = made(4, at=12.2, request_id="the same move again")
    assert kinds(history(*SOUND, overlapping), may_lose=True) == ["duplicated"]


def test_a_move_on_a_branch_that_was_given_up_is_lost_and_not_out_of_order() -> None:
    """Another master made version 2 again after this one had acknowledged version 4, and then this one was kept."""
    branch = made(2, at=15.0, request_id="the same move on the other master")
    assert kinds(history(*SOUND, branch), may_lose=True) == ["lost"]
    assert "reordered" in kinds(history(*SOUND, branch))
    nobody_else = (SOUND[0], made(2, at=15.0, after=3), SOUND[2])
    assert kinds(history(*nobody_else), may_lose=True) == ["lost", "duplicated"]


def test_after_a_fork_a_request_that_was_refused_at_its_second_attempt_may_be_in_the_log() -> None:
    refused = made(4, at=12.0, outcome=Outcome.REFUSED, attempts=2, reason="VERSION_STALE")
    assert kinds(history(*SOUND[:2], refused), may_lose=True) == []
    assert kinds(history(*SOUND[:2], refused), may_go_back=True) == []
    assert kinds(history(*SOUND[:2], refused)) == ["duplicated"]
    assert kinds(history(*SOUND[:2], replace(refused, attempts=1)), may_lose=True) == ["duplicated"]


def test_a_move_that_was_not_acknowledged_may_be_seen_and_taken_back_by_a_fail_over() -> None:
    found = history(reads=[read(4, at=11.9, link="taken back")])
    assert kinds(found) == ["invented"]
    assert kinds(found, may_go_back=True) == []
    assert unconfirmed_reads(found) == 1


def test_a_read_does_not_contradict_what_was_acknowledged_long_before_or_what_it_demands() -> None:
    late = SOUND[-1].ended + PLAIN_READ_SECONDS + 0.1
    assert "stale" in kinds(history(reads=[read(4, at=late, link="taken back")]), may_go_back=True)
    demanded = read(4, at=13.0, min_version=4, link="taken back")
    assert "stale" in kinds(history(reads=[demanded]), may_go_back=True)
    assert kinds(history(reads=[replace(demanded, min_version=0)]), may_go_back=True) == []
