"""Exports: written after the end, read with suspicion, checked in plain words."""

import copy
import json
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import pytest

from alhambra import BadOptions, BadState, Game, Options
from alhambra.export import export_game, export_view, history, read_export, verify_export
from alhambra.fairness import commitment, seed_from

SECRET = bytes(range(32))
ENTROPIES = (b"first", b"", b"third")
LONG, OTHER = b"32 bytes that nobody can foresee", b"and 32 of another seat's own ...."
"""Entropy that is long enough not to be guessed."""


@cache
def finished_bytes() -> bytes:
    game, rng = Game.new(Options(3, seed_from(SECRET, ENTROPIES), turn_limit=60)), Random(7)
    while not game.over:
        game.apply(game.random_move(rng))
        mover = game.log[-1].seat
        if game.can_undo(mover) is None and rng.random() < 0.2:
            game.undo(mover)
    return game.to_bytes()


def finished() -> Game:
    return Game.from_bytes(finished_bytes())


@cache
def _document() -> str:
    return json.dumps(export_game(finished(), SECRET, ENTROPIES))


def document() -> dict[str, Any]:
    """A fresh export, as it comes out of a file."""
    found: dict[str, Any] = json.loads(_document())
    return found


def running() -> Game:
    game, rng = Game.new(Options(3, "running")), Random(7)
    for _ in range(60):
        game.apply(game.random_move(rng))
    return game


# -- Writing -----------------------------------------------------------------------------------------------------------


def test_an_export_reads_back_to_the_same_game() -> None:
    assert read_export(document()) == finished()


def test_a_game_that_was_scored_exports_its_ranking() -> None:
    game = Game.new(Options(3, "ranked"))
    game.resign(0)
    game.resign(2)
    assert export_game(game)["result"]["ranking"] == [[1, 1], [0, 2], [2, 2]]


def test_without_a_secret_an_export_claims_no_fairness() -> None:
    assert "fairness" not in export_game(finished())


def test_a_running_game_is_not_exported() -> None:
    with pytest.raises(BadState) as caught:
        export_game(running())
    assert caught.value.code == "CONDITION_UNMET"


@pytest.mark.parametrize(("secret", "entropies"), [(SECRET[1:], ENTROPIES), (bytes(32), ENTROPIES), (SECRET, ())])
def test_a_secret_that_the_seed_does_not_come_from_is_refused(secret: bytes, entropies: tuple[bytes, ...]) -> None:
    with pytest.raises(BadOptions):
        export_game(finished(), secret, entropies)


def test_a_twin_of_a_game_is_not_exported_as_the_game() -> None:
    sample = finished()
    sample.state.seats[0].score += 1
    with pytest.raises(BadState, match="a different state"):
        export_game(sample)


# -- What a seat has seen ----------------------------------------------------------------------------------------------


def test_the_view_of_a_running_game_holds_every_event_as_the_seat_saw_it() -> None:
    game = running()
    found = export_view(game, 1)
    assert found["events"] == [event.seen_by(1) for event in history(game)]
    assert found["view"] == game.view(1)


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_the_view_of_a_running_game_does_not_tell_the_seed(viewer: int | None) -> None:
    game = Game.new(Options(3, "a very secret seed"))
    rng = Random(3)
    for _ in range(30):
        game.apply(game.random_move(rng))
    assert "a very secret seed" not in json.dumps(export_view(game, viewer))


def test_the_view_of_another_seat_is_not_told_what_is_private() -> None:
    game = running()
    own, other = export_view(game, 0), export_view(game, None)
    assert "hand" in own["view"]["seats"][0]
    assert all("hand" not in seat for seat in other["view"]["seats"])
    assert len(own["events"]) == len(other["events"])


@pytest.mark.parametrize("viewer", [-1, 3, 99])
def test_there_is_no_view_of_a_seat_that_does_not_exist(viewer: int) -> None:
    with pytest.raises(BadState):
        export_view(running(), viewer)


# -- History -----------------------------------------------------------------------------------------------------------


def test_history_tells_what_the_moves_told_when_they_were_made() -> None:
    options = Options(3, "history", confirm_turn=True)
    game, rng = Game.new(options), Random(4)
    told = list(game.events)
    for _ in range(120):
        told += game.apply(game.random_move(rng))
        mover = game.log[-1].seat
        if game.can_undo(mover) is None and rng.random() < 0.3:
            told += game.undo(mover)
    told += game.resign(0)
    assert [event.as_dict() for event in history(game)] == [event.as_dict() for event in told]


def test_history_works_for_a_game_restored_from_bytes() -> None:
    game = running()
    assert len(history(Game.from_bytes(game.to_bytes()))) == len(history(game))


# -- Checking ----------------------------------------------------------------------------------------------------------


def failures(data: object, published: str | None = None, by_seats: Sequence[str] | None = None) -> list[str]:
    report = verify_export(data, published, by_seats)
    found = [finding.text for finding in report.findings if finding.good is False]
    assert report.ok == (not found)
    return found


def test_an_honest_export_holds_in_every_point() -> None:
    report = verify_export(document(), commitment(SECRET))
    assert report.ok
    assert [finding.good for finding in report.findings] == [True] * 8 + [None] * 3


def test_an_export_without_a_secret_is_right_but_claims_nothing_about_the_draws() -> None:
    report = verify_export(export_game(finished()))
    assert report.ok
    assert [finding.good for finding in report.findings].count(None) == 1


def test_withholding_the_secret_after_a_commitment_fails() -> None:
    assert failures(export_game(finished()), commitment(SECRET)) == [
        "A commitment was published, but the export does not contain the secret."
    ]


def test_another_commitment_than_the_published_one_fails() -> None:
    assert failures(document(), commitment(bytes(32))) == ["The secret does not match its commitment."]


def test_wrong_scores_fail() -> None:
    data = document()
    data["result"]["scores"][0] += 1
    assert len(failures(data)) == 1
    assert "scores are wrong" in failures(data)[0]


def test_a_wrong_ranking_fails() -> None:
    data = document()
    data["result"]["ranking"] = [[2, 1]]
    assert failures(data) == ["The ranking is wrong."]


def test_a_wrong_digest_fails() -> None:
    data = document()
    data["result"]["digest"] = "0" * 64
    assert failures(data) == ["The final state differs from the recorded one."]


def test_a_changed_entropy_fails() -> None:
    data = document()
    data["fairness"]["entropies"][1] = "00"
    assert failures(data) == ["The seed does not come from the secret and the entropy of the seats."]


# -- Commitments of the seats ------------------------------------------------------------------------------------------

UNSAID = "It is never proved that the host did not look at hidden cards, or did not discard other games."


def committed(entropies: Sequence[bytes] = (LONG, b"", OTHER), revealed: Sequence[int] = (0, 2)) -> dict[str, Any]:
    """The export of a game whose seats committed to their entropy; of some, or of all."""
    game = Game.new(Options(3, seed_from(SECRET, entropies)))
    game.resign(0)
    game.resign(1)
    found: dict[str, Any] = json.loads(json.dumps(export_game(game, SECRET, entropies, revealed=revealed)))
    return found


def words(data: object, *published: Any) -> list[tuple[bool | None, str]]:
    """What a check says about the choice of the draws: everything after the chain."""
    report = verify_export(data, *published)
    assert report.ok, report
    findings = [(finding.good, finding.text) for finding in report.findings]
    return findings[findings.index((True, "The chain over the log is intact.")) + 1 :]


def test_an_export_without_commitments_is_the_one_of_earlier_versions() -> None:
    assert sorted(document()["fairness"]) == ["chain", "commitment", "entropies", "secret"]
    assert words(document(), commitment(SECRET)) == [
        (None, "It is not proved that no one chose the draws: no seat committed to entropy before revealing it."),
        (None, "To seats 0 and 2 less is proved: the host knew this entropy before all seats were claimed."),
        (None, UNSAID),
    ]


def test_commitments_that_were_shown_before_prove_that_nobody_chose() -> None:
    data = committed()
    shown = [commitment(LONG), "", commitment(OTHER)]
    assert data["fairness"]["entropy_commitments"] == shown
    assert data["fairness"]["revealed"] == [0, 2]
    assert words(data, commitment(SECRET), shown) == [
        (True, "To seats 0 and 2 it is proved that no one chose the draws, not even a host who plays."),
        (None, UNSAID),
    ]


@pytest.mark.parametrize("published", [(), (commitment(SECRET),), (None, [commitment(LONG), "", commitment(OTHER)])])
def test_without_what_was_shown_before_the_proof_is_conditional(published: tuple[Any, ...]) -> None:
    (proof, unsaid) = words(committed(), *published)
    assert proof[0] is None
    assert "if the commitments in this file are the ones shown before the reveals" in proof[1]
    assert unsaid == (None, UNSAID)


def test_a_seat_among_others_that_told_at_once_is_protected_and_they_are_not() -> None:
    data = committed((LONG, b"told at once", b""), revealed=[0])
    shown = data["fairness"]["entropy_commitments"]
    assert shown == [commitment(LONG), commitment(b"told at once"), ""]
    assert words(data, commitment(SECRET), shown) == [
        (True, "To seat 0 it is proved that no one chose the draws, not even a host who plays."),
        (None, "To seat 1 less is proved: the host knew this entropy before all seats were claimed."),
        (None, UNSAID),
    ]


def test_entropy_that_can_be_guessed_proves_nothing() -> None:
    data = committed((b"short", b"", b""), revealed=[0])
    assert words(data, commitment(SECRET), data["fairness"]["entropy_commitments"]) == [
        (None, "It is not proved that no one chose the draws: no seat committed to entropy before revealing it."),
        (None, "To seat 0 less is proved: entropy of fewer than 16 bytes can be guessed."),
        (None, UNSAID),
    ]


def test_commitments_that_were_swapped_after_they_were_shown_fail() -> None:
    shown = [commitment(LONG), "", commitment(b"what the host had committed to first")]
    assert failures(committed(), commitment(SECRET), shown) == [
        "The commitments of the seats are not the ones shown before the reveals."
    ]
    assert failures(document(), commitment(SECRET), shown) == [
        "The commitments of the seats are not the ones shown before the reveals."
    ]


@pytest.mark.parametrize("written", [commitment(b"something else"), ""])
def test_entropy_that_its_commitment_was_not_made_for_fails(written: str) -> None:
    data = committed()
    data["fairness"]["entropy_commitments"][2] = written
    assert failures(data) == ["The entropy of a seat does not match its commitment."]


def test_a_seat_that_revealed_nothing_has_not_revealed() -> None:
    data = committed()
    data["fairness"]["revealed"] = [0, 1, 2]
    assert failures(data) == ["The entropy of a seat does not match its commitment."]


def test_a_copied_commitment_fails() -> None:
    assert failures(committed((LONG, b"", LONG))) == ["Two seats have the same commitment: one of them was copied."]


def test_commitments_without_a_secret_fail() -> None:
    assert failures(export_game(finished()), None, ["", "", ""]) == [
        "A commitment was published, but the export does not contain the secret."
    ]


def test_nothing_is_called_proved_beside_something_wrong() -> None:
    data = committed()
    data["fairness"]["chain"][0] = "0" * 64
    report = verify_export(data, commitment(SECRET), data["fairness"]["entropy_commitments"])
    assert not report.ok
    assert not any("proved" in finding.text for finding in report.findings)


# -- The log -----------------------------------------------------------------------------------------------------------


def test_a_changed_link_fails() -> None:
    data = document()
    data["fairness"]["chain"][5] = "0" * 64
    assert failures(data) == ["The chain over the log is broken: entries were changed, added or left out."]


def test_a_shortened_log_fails() -> None:
    data = document()
    data["entries"].pop()
    found = failures(data)
    assert "The log ends before the game is over." in found
    assert "The chain over the log is broken: entries were changed, added or left out." in found


def test_an_illegal_move_fails_and_is_named() -> None:
    data = document()
    data["entries"][10]["seat"] = (data["entries"][10]["seat"] + 1) % 3
    assert "entry 11" in failures(data)[0]


def test_another_ruleset_fails() -> None:
    data = document()
    data["ruleset"] = "0:something"
    assert "The result was not checked" in failures(data)[0]
    with pytest.raises(BadState):
        read_export(data)


def _with(path: str, value: Any) -> dict[str, Any]:
    data = copy.deepcopy(document())
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place: Any = data
    for step in way:
        place = place[step]
    place[last] = value
    return data


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "alhambra",
        {},
        _with("format", "alhambra-game/2"),
        _with("surplus", 1),
        _with("ruleset", 7),
        _with("options", None),
        _with("options.seats", 9),
        _with("options.modules", ["nonsense"]),
        _with("options.seed", ""),
        _with("entries", {}),
        _with("entries", [{"kind": "undo", "seat": 0}] * 10_001),
        _with("entries.0", None),
        _with("entries.0.kind", "dance"),
        _with("entries.0.kind", "undo"),
        _with("entries.0.seat", -1),
        _with("entries.0.seat", True),
        _with("entries.0.move", {"verb": 3}),
        _with("entries.0.move", []),
        _with("result", None),
        _with("result.scores", [1.5]),
        _with("result.ranking", [[1]]),
        _with("result.digest", "xyz"),
        _with("fairness", []),
        _with("fairness.secret", "00"),
        _with("fairness.entropies", ["0"]),
        _with("fairness.entropies", ["00"] * 7),
        _with("fairness.entropies", ["00" * 257]),
        _with("fairness.chain", [None]),
        _with("fairness.commitment", 1),
        _with("fairness.revealed", []),
        _with("fairness.entropy_commitments", ["", "", ""]),
        _with("fairness.surplus", 1),
        *(
            _with("fairness", {**document()["fairness"], "entropy_commitments": commitments, "revealed": revealed})
            for commitments, revealed in (
                (["", ""], []),
                (["", "", "00"], []),
                (["", "", None], []),
                ("", []),
                (["", "", ""], [3]),
                (["", "", ""], [-1]),
                (["", "", ""], 0),
                (["", "", ""], [0] * 7),
            )
        ),
    ],
    ids=lambda data: None,
)
def test_a_malformed_export_is_refused_with_the_librarys_own_errors(data: object) -> None:
    with pytest.raises((BadState, BadOptions)):
        read_export(data)
    assert len(failures(data)) == 1
