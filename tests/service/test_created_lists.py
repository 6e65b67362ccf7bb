"""Lists of a new game are refused by their length, before anything is done for each entry."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra_api.v1 import games_pb2
from alhambra_service import limits
from alhambra_service.games.create_game import create
from alhambra_service.messages.refusals import Refusal

from ..counted_work import lines_run

MANY = 100 * limits.CREATED_ENTRIES
LISTS: dict[str, Any] = {
    "seats": [games_pb2.SeatSetup()] * MANY,
    "modules": [""] * MANY,
    "variants": [""] * MANY,
    "options": {str(number): {} for number in range(MANY)},
}
NO_COMMANDS: Any = None
"""The request is refused before the store is needed."""


@pytest.mark.parametrize("name", LISTS)
def test_a_list_that_is_far_too_long_is_not_read(name: str) -> None:
    request = games_pb2.CreateGameRequest(preset="everything", **{name: LISTS[name]})

    def ask() -> object:
        return create(NO_COMMANDS, request, "tenant", "host")

    with pytest.raises(Refusal) as refused:
        ask()
    assert refused.value.reason == "LIMIT_EXCEEDED"
    assert refused.value.metadata["what"] == name
    assert lines_run(ask) < 200
