"""Commitments and reveals over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest

from .http import Client
from .product import Product
from .rest import Table, good

ENTROPY = sha256(b"over HTTP").digest()
COMMITMENT = sha256(ENTROPY).hexdigest()


@pytest.fixture
def game(product: Product) -> Iterator[Table]:
    """A game with a seat that has committed to ENTROPY, and an open one."""
    with Table.create(product.http, [{"claim": True, "entropyCommitment": COMMITMENT}, {}]) as found:
        yield found


def reveal(game: Table, entropy: bytes, **headers: str) -> Any:
    return game.seats[0].post(f"{game.path}:revealEntropy", {"entropy": entropy.hex()}, headers)


def test_a_seat_commits_and_reveals(game: Table) -> None:
    assert game.view()["fairness"]["entropyCommitments"] == [COMMITMENT, ""]
    assert game.view()["fairness"]["entropyAwaited"] == []
    game.claim(1)
    assert game.view()["fairness"]["entropyAwaited"] == [0]
    answer = good(reveal(game, ENTROPY))
    assert (answer["version"], answer["view"]["status"], answer["view"]["viewer"]) == (0, "running", 0)
    game.seats[1].post(f"{game.path}:resign", {})
    exported = good(game.spectator.get(f"{game.path}/replay"))["fairness"]
    assert (exported["entropies"], exported["revealed"]) == ([ENTROPY.hex(), ""], [0])
    assert exported["entropy_commitments"] == [COMMITMENT, ""]


def test_a_lost_answer_is_asked_for_again_with_the_same_key(game: Table) -> None:
    game.claim(1)
    first, again = (reveal(game, ENTROPY, **{"Idempotency-Key": "reveal"}) for _ in range(2))
    assert first.status == again.status == 200
    assert first.json()["view"]["fairness"]["link"] == again.json()["view"]["fairness"]["link"]


def test_a_wrong_reveal_is_a_problem_in_the_language_of_the_caller(game: Table, client: Client) -> None:
    game.claim(1)
    answer = reveal(game, b"something else", **{"Accept-Language": "de"})
    assert (answer.status, answer.reason) == (422, "ENTROPY_REFUSED")
    problem = answer.json()
    assert problem["metadata"] == {"because": "mismatch"}
    assert problem["title"].startswith("Dieser Beitrag zum Mischen")
    page = client.get(problem["type"], {"Accept": "text/html"})
    assert page.status == 200
    assert b"revealEntropy" in page.body


def test_the_tag_of_a_view_changes_with_claims_and_reveals(game: Table) -> None:
    def tag() -> str:
        return game.spectator.get(game.path).headers["etag"]

    tags = [tag()]
    game.claim(1)
    tags.append(tag())
    reveal(game, ENTROPY)
    tags.append(tag())
    assert len(set(tags)) == 3
