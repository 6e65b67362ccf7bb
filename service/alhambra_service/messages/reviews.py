"""Reviews of finished games as messages."""

from __future__ import annotations

from collections.abc import Sequence

from alhambra.players import Review
from alhambra_api.v1 import reviews_pb2

from .move_texts import Wording
from .translate import move_to


def review_to(
    review: Review, key_moves: int, language: str, names: Sequence[str], message: reviews_pb2.GetReviewResponse
) -> None:
    """Write a review into an answer, with at most this number of moves that mattered."""
    for point in review.points:
        message.points.add(
            version=point.version,
            turn=point.turn,
            scoring=point.scoring,
            scores=point.scores,
            projected_scores=point.projected,
        )
    wording = Wording(language, names)
    for one in review.key_moves(key_moves):
        message.key_moves.add(
            version=one.version,
            seat=one.seat,
            move=move_to(one.move),
            text=wording.move(one.move),
            lead_before=one.lead_before,
            lead_after=one.lead_after,
        )
