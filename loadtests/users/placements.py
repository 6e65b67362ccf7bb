"""Users that check placements over gRPC and REST, the most frequent call. Each answer is compared with the answer of
the rules library."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from locust import task

from alhambra_api.v1 import boards_pb2, nouns_pb2

from .. import known_answers, limits
from ..known_answers import KnownGame, Question
from ..options import games_file
from .calling import GrpcUser, RestUser, WrongAnswer, expect


@cache
def _known(path: Path) -> list[KnownGame]:
    return known_answers.load(path)


class Asking:
    """Draws placements at random."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rng = Random()
        environment: Any = getattr(self, "environment")  # noqa: B009 - both users have one
        self.known = _known(games_file(environment.parsed_options))

    def question(self) -> tuple[KnownGame, Question]:
        """Return a placement of one of the games."""
        known = self.rng.choice(self.known)
        return known, self.rng.choice(known.questions)

    def questions(self) -> tuple[KnownGame, list[Question]]:
        """Return many placements on one Alhambra."""
        known, first = self.question()
        about = [question for question in known.questions if question.seat == first.seat]
        return known, self.rng.choices(about, k=limits.BATCH)

    def batched(self) -> bool:
        """Return whether the next call is a batch."""
        return self.rng.random() < limits.BATCH_SHARE


def _placement(question: Question) -> boards_pb2.Placement:
    return boards_pb2.Placement(tile=question.tile, cell=nouns_pb2.Cell(x=question.x, y=question.y))


def _compare(legal: bool, codes: tuple[str, ...], question: Question) -> None:
    expect(codes, question.codes, f"{question.tile} at {question.x}, {question.y}")
    expect(legal, not question.codes, f"legal of {question.tile}")


class GrpcPlacements(Asking, GrpcUser):
    """A user that asks the service."""

    @task
    def ask(self) -> None:
        """Check one placement or a batch of them."""
        if self.batched():
            self._ask_many()
            return
        known, question = self.question()
        request = boards_pb2.ValidatePlacementRequest(
            game=known.game, placement=_placement(question), seat=question.seat, min_version=known.version
        )
        with self.counted("ValidatePlacement"):
            answer = self.call("ValidatePlacement", request)
            _compare(answer.legal, tuple(fault.code for fault in answer.violations), question)

    def _ask_many(self) -> None:
        known, questions = self.questions()
        request = boards_pb2.BatchValidatePlacementsRequest(
            game=known.game, placements=map(_placement, questions), seat=questions[0].seat, min_version=known.version
        )
        with self.counted("BatchValidatePlacements"):
            answer = self.call("BatchValidatePlacements", request)
            expect(len(answer.verdicts), len(questions), "verdicts")
            for verdict, question in zip(answer.verdicts, questions, strict=True):
                _compare(verdict.legal, tuple(fault.code for fault in verdict.violations), question)


def _json(question: Question) -> dict[str, Any]:
    return {"tile": question.tile, "cell": {"x": question.x, "y": question.y}}


def _codes(verdict: Any) -> tuple[str, ...]:
    return tuple(fault["code"] for fault in verdict["violations"])


class RestPlacements(Asking, RestUser):
    """A user that asks the gateway."""

    @task
    def ask(self) -> None:
        """Check one placement or a batch of them."""
        if self.batched():
            self._ask_many()
            return
        known, question = self.question()

        def check(status: int, document: Any) -> None:
            expect(status, 200, "status")
            _compare(document["legal"], _codes(document), question)

        body = {"placement": _json(question), "seat": question.seat, "minVersion": known.version}
        path = f"/v1/games/{known.game}/placements:validate"
        self.asked("POST", path, "placements:validate", check, body=body)

    def _ask_many(self) -> None:
        known, questions = self.questions()

        def check(status: int, document: Any) -> None:
            expect(status, 200, "status")
            verdicts = document["verdicts"]
            if len(verdicts) != len(questions):
                raise WrongAnswer(f"{len(verdicts)} verdicts for {len(questions)} placements")
            for verdict, question in zip(verdicts, questions, strict=True):
                _compare(verdict["legal"], _codes(verdict), question)

        body = {
            "placements": [_json(question) for question in questions],
            "seat": questions[0].seat,
            "minVersion": known.version,
        }
        path = f"/v1/games/{known.game}/placements:batchValidate"
        self.asked("POST", path, "placements:batchValidate", check, body=body)
