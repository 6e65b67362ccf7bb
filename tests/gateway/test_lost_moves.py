"""The store loses moves that clients have seen: clients of streams are told over HTTP, whether they were connected at
that time or come back later. The gateway is a process of its own, the service runs in the test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from alhambra_api.v1 import events_pb2
from alhambra_gateway.streams.sse_parts import may_follow, part_of, position_of
from alhambra_service.store import EmbeddedStore
from tests.service.lost_moves import keep_for_later, play_otherwise
from tests.service.watchers import Place, Seats

from .http import Client
from .product import Running, gateway
from .sse import Stream, Told

WENT_BACK = Told("", "resume", {"after": "", "because": "went_back"})


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with EmbeddedStore(tmp_path_factory.mktemp("store"), fsync="always") as store:
        found = Place(store.url)
        yield found
        found.stop()


@pytest.fixture(scope="module")
def front(place: Place) -> Iterator[Running]:
    with gateway(f"127.0.0.1:{place.port}") as found:
        yield found


@pytest.fixture
def seats(place: Place) -> Seats:
    return Seats(place)


class Lossy:
    """A game with three moves that last and two that the store will lose."""

    def __init__(self, front: Running, seats: Seats) -> None:
        self.base, self.seats = front.http, seats
        self.path = f"/v1/games/{seats.game}"
        seats.play(3)
        self.go_back = keep_for_later(seats.place.store, seats.game)
        seats.play(2)
        self.last = seats.past()[-1].id

    def lose(self, moves: int) -> None:
        """Lose two moves, and make others in their place."""
        self.go_back()
        play_otherwise(self.seats, moves)

    def watching(self, after: str = "", query: str = "") -> Stream:
        return Stream(self.base, f"{self.path}/events{query}", {"Last-Event-ID": after} if after else {})


@pytest.fixture
def game(front: Running, seats: Seats) -> Lossy:
    return Lossy(front, seats)


@pytest.mark.parametrize("moves", [0, 1, 2, 4])
@pytest.mark.parametrize("shared", [False, True])
def test_a_client_that_comes_back_is_told_by_the_stream_and_begins_anew(game: Lossy, moves: int, shared: bool) -> None:
    """Whether others watch the game, whose stream it could share, or not."""
    game.lose(moves)
    with game.watching() as other:
        if shared:
            assert next(other).data["view"]["version"] == 3 + moves
        with game.watching(game.last) as stream:
            snapshot, *rest = stream
            assert (snapshot.type, snapshot.id, snapshot.data["view"]["version"]) == ("snapshot", "", 3 + moves)
            assert rest == [WENT_BACK]
        with game.watching(WENT_BACK.id) as stream:
            assert next(stream).data["view"]["version"] == 3 + moves
            game.seats.play()
            expected = [event.id for event in game.seats.past(first=4 + moves)]
            assert [told.id for told in stream.events(expected[-1])] == expected


def test_a_client_that_comes_back_to_what_is_left_goes_on(game: Lossy) -> None:
    left = [event.id for event in game.seats.past() if event.version <= 3]
    game.lose(4)
    expected = [event.id for event in game.seats.past(first=4)]
    with game.watching(left[-1]) as stream:
        assert [told.id for told in stream.events(expected[-1])] == expected


def test_an_id_without_digits_is_taken_as_it_is(game: Lossy) -> None:
    game.lose(4)
    expected = [event.id for event in game.seats.past(first=6)]
    with game.watching("5.99") as stream:
        assert [told.id for told in stream.events(expected[-1])] == expected
    with game.watching("8.0") as stream:
        assert (stream.status, stream.body()["reason"]) == (409, "VERSION_STALE")


def test_clients_that_share_a_stream_are_told_when_the_loss_is_found(game: Lossy) -> None:
    with game.watching() as first, game.watching(game.last) as second:
        assert next(first).type == next(second).type == "snapshot"
        game.lose(4)
        with game.seats.watched() as newcomer:  # looks at the store, and the service finds out
            newcomer.snapshot()
        assert [*first][-1] == [*second][-1] == WENT_BACK


def test_a_page_after_a_lost_event_is_refused(game: Lossy) -> None:
    with Client(game.base) as client:
        for moves in (0, 4):
            game.lose(moves)
            page = client.get(f"{game.path}/events", {"Accept": "application/json"}, after=game.last)
            assert (page.status, page.json()["reason"]) == (409, "VERSION_STALE")
            assert page.json()["metadata"] == {"version": str(3 + moves)}


# -- Parts of streams --------------------------------------------------------------------------------------------------


def test_the_position_of_an_event_is_that_of_its_two_numbers() -> None:
    assert position_of("17.2.9f3c1a") == position_of("17.2") == (17, 2)
    assert position_of("") == ()


def test_a_message_to_resume_has_the_id_that_is_to_be_sent_back() -> None:
    def text(after: str) -> str:
        resume = events_pb2.Resume(after=after, because="stopping")
        return part_of(events_pb2.WatchEventsResponse(resume=resume)).text.decode()

    assert text("17.2.9f3c1a").startswith("id: 17.2.9f3c1a\nevent: resume\n")
    assert text("").startswith("id: \nevent: resume\n")


@pytest.mark.parametrize(
    ("after", "may"),
    [
        *(("", True), ("17.2", True), ("99.0", True)),
        *(("17.2.9f3c1a", True), ("17.0.9f3c1a", True), ("17.9.9f3c1a", True)),
        *(("17.2.000000", False), ("18.0.9f3c1a", False), ("16.0.000000", True)),
    ],
)
def test_an_event_of_another_history_cannot_be_followed_by_the_newest_one(after: str, may: bool) -> None:
    assert may_follow("17.2.9f3c1a", after) is may
