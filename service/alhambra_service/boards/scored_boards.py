"""The scores of boards as messages: the lines of the rules, points, buildings and the longest wall."""

from __future__ import annotations

from alhambra import Event
from alhambra.boards import StandaloneBoards
from alhambra_api.v1 import boards_pb2
from alhambra_api.values import set_value

from ..messages.nouns import number_of


def score_to(laid: StandaloneBoards, seat: int, lines: list[Event], wall: int = 0) -> boards_pb2.BoardScore:
    """Return the score of one seat: its lines, their sum, and its number of buildings of each type."""
    own = [_line(event) for event in lines if event.public["seat"] == seat]
    message = boards_pb2.BoardScore(points=sum(line.points for line in own), lines=own, longest_wall=wall)
    for name, count in laid.buildings(seat).items():
        if count:
            message.type_counts.add(type=number_of("type", name), count=count)
    return message


def _line(event: Event) -> boards_pb2.ScoreLine:
    facts = dict(event.public)
    del facts["seat"]
    message = boards_pb2.ScoreLine(
        reason=facts.pop("reason"),
        points=facts.pop("points"),
        type=number_of("type", facts.pop("type", None)),
        tile=facts.pop("tile", None) or "",
        count=facts.pop("count", 0),
        place=facts.pop("place", 0),
        shared=facts.pop("shared", 0),
    )
    for name, fact in facts.items():
        set_value(message.facts[name], fact)
    return message
