"""Earlier versions of a game: everybody sees what was to be seen at that time, and nothing else."""

from random import Random

import pytest

from alhambra_api.v1 import boards_pb2, games_pb2, views_pb2

from .playing import PATIENCE, Game, Host, random_move, refused

MOVES = 40


def at(game: Game, version: int, seat: int | None = None) -> views_pb2.View:
    """The game at a version, as a seat or a spectator sees it."""
    request = games_pb2.GetGameRequest(game=game.id, at_version=version)
    metadata = game.seats[seat].metadata if seat is not None else ()
    answer: games_pb2.GetGameResponse = game.stub.GetGame(request, timeout=PATIENCE, metadata=metadata)
    return answer.view


def as_seen(view: views_pb2.View) -> views_pb2.View:
    """A view without what depends on when it is read."""
    seen = views_pb2.View()
    seen.CopyFrom(view)
    seen.decision.ClearField("since_version")
    return seen


@pytest.fixture
def played(host: Host) -> tuple[Game, list[dict[int | None, views_pb2.View]]]:
    """A game, and for each version what the seats and a spectator saw."""
    game = host.create(2, modules=["bonus_cards", "thieves"], seed="earlier")
    rng = Random(1)
    seen = []
    for version in range(MOVES):
        viewers: dict[int | None, views_pb2.View] = {number: seat.view(version) for number, seat in game.seats.items()}
        seen.append({**viewers, None: game.view(version)})
        asked = game.seats[seen[-1][None].decision.seat]
        move, _ = random_move(asked, version, rng)
        asked.apply(move, version)
    return game, seen


def test_every_viewer_sees_an_earlier_version_as_it_was(
    played: tuple[Game, list[dict[int | None, views_pb2.View]]],
) -> None:
    game, seen = played
    for version in (0, 1, MOVES // 2, MOVES - 1):
        for viewer, view in seen[version].items():
            assert as_seen(at(game, version, viewer)) == as_seen(view), (version, viewer)


def test_the_picture_of_an_earlier_version_is_the_one_of_that_time(host: Host) -> None:
    game = host.create(2, seed="earlier")
    request = boards_pb2.GetBoardPictureRequest(game=game.id, seat=0)
    first = game.stub.GetBoardPicture(request, timeout=PATIENCE).data
    rng = Random(1)
    for version in range(MOVES):
        seat = game.seats[game.view(version).decision.seat]
        seat.apply(random_move(seat, version, rng)[0], version)
    assert game.stub.GetBoardPicture(request, timeout=PATIENCE).data != first
    request.at_version = 0
    assert game.stub.GetBoardPicture(request, timeout=PATIENCE).data == first


@pytest.mark.parametrize(("version", "why"), [(1, "VERSION_STALE"), (-1, "REQUEST_MALFORMED")])
def test_a_version_that_does_not_exist_is_refused(host: Host, version: int, why: str) -> None:
    game = host.create(2)
    assert refused(lambda: at(game, version)) == why
