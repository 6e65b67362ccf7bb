"""What happened in a game is told in the same words, packed or not."""

from collections.abc import Sequence
from random import Random

import pytest

from alhambra import Event, Game, Options, known_modules
from alhambra_service import limits
from alhambra_service.events.packed_history import History


def played(modules: Sequence[str] = (), moves: int = 10_000) -> list[list[Event]]:
    """The events of a random game, version by version."""
    game = Game.new(Options(seats=3, seed="history", modules=modules))
    rng = Random(5)
    found = [game.events]
    while not game.over and len(found) <= moves:
        found.append(game.apply(game.random_move(rng)))
    return found


def kept(versions: Sequence[Sequence[Event]], first: int = 0) -> History:
    history = History(first, versions[0])
    for events in versions[1:]:
        history.append(events)
    return history


def words(events: Sequence[Event]) -> list[dict[str, object]]:
    return [event.as_dict() for event in events]


@pytest.mark.parametrize("modules", [(), known_modules()], ids=["base game", "all modules"])
def test_every_event_is_told_as_it_happened(modules: Sequence[str]) -> None:
    versions = played(modules, 300)
    history = kept(versions)
    assert (history.first, history.last) == (0, len(versions) - 1)
    assert history.size == sum(map(len, versions))
    assert len(versions) > 4 * limits.HISTORY_BLOCK
    told = history.events(0, history.last)
    flat = [event for events in versions for event in events]
    assert words(told) == words(flat)
    assert [event.id for event in told] == [event.id for event in flat]
    assert [event.private for event in told] == [event.private for event in flat]


def test_any_part_of_it_can_be_asked_for() -> None:
    versions = played(moves=150)
    history = kept(versions)
    rng = Random(1)
    for _ in range(200):
        first, last = sorted((rng.randrange(len(versions)), rng.randrange(len(versions))))
        assert words(history.events(first, last)) == words([e for events in versions[first : last + 1] for e in events])
    assert history.events(5, 4) == []


def test_a_history_can_begin_in_the_middle() -> None:
    versions = played(moves=150)
    history = kept(versions[40:], first=40)
    assert (history.first, history.last) == (40, len(versions) - 1)
    assert words(history.events(41, 100)) == words([e for events in versions[41:101] for e in events])


def test_a_shortened_history_knows_the_newest_version_and_goes_on() -> None:
    versions = played(moves=150)
    history = kept(versions[:120])
    history.shorten()
    assert (history.first, history.last, history.size) == (119, 119, len(versions[119]))
    for events in versions[120:]:
        history.append(events)
    assert words(history.events(119, history.last)) == words([e for events in versions[119:] for e in events])


def test_what_is_long_ago_takes_little_room() -> None:
    versions = played()
    history = kept(versions)
    told = len(repr([words(events) for events in versions]))
    assert len(history._newest) < 2 * limits.HISTORY_BLOCK
    assert sum(map(len, history._packed)) < told / 4
