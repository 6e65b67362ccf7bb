"""React: fixed phrases reach everybody who follows the game and wants them, over any process, and are forgotten."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from alhambra_api.v1 import events_pb2, reactions_pb2, views_pb2
from alhambra_service import limits
from alhambra_service.games.reactions import Reactions

from .playing import PATIENCE, Game, Host, Seat, refused
from .serving import GameServer
from .test_hints import asked, suggested

HELLO, LAUGH = reactions_pb2.PHRASE_HELLO, reactions_pb2.PHRASE_LAUGH
HINT = reactions_pb2.PHRASE_ASKED_FOR_HINT


def react(seat: Seat, phrase: reactions_pb2.Phrase.ValueType = HELLO) -> reactions_pb2.ReactResponse:
    request = reactions_pb2.ReactRequest(game=seat.game.id, phrase=phrase)
    answer: reactions_pb2.ReactResponse = seat.game.host.tables.React(request, metadata=seat.metadata, timeout=PATIENCE)
    return answer


@contextmanager
def watching(game: Game, metadata: Any = (), *, reactions: bool = True) -> Iterator[Any]:
    """A stream of the game, after its first snapshot."""
    request = events_pb2.WatchEventsRequest(game=game.id, reactions=reactions)
    stream = game.stub.WatchEvents(request, metadata=metadata, timeout=PATIENCE)
    assert next(stream).HasField("snapshot")
    yield stream
    stream.cancel()


def said(stream: Any) -> tuple[int, int]:
    """The next phrase of a stream: seat and phrase."""
    for message in stream:
        if message.HasField("reaction"):
            return message.reaction.seat, message.reaction.phrase
    raise AssertionError("the stream ended")


def test_a_phrase_reaches_seats_and_spectators_in_order(host: Host) -> None:
    game = host.create(2)
    with watching(game) as spectator, watching(game, game.seats[0].metadata) as seat:
        react(game.seats[1])
        react(game.seats[1], LAUGH)
        for stream in (spectator, seat):
            assert [said(stream), said(stream)] == [(1, HELLO), (1, LAUGH)]


def test_a_phrase_reaches_watchers_at_another_process(
    host: Host, start_server: Callable[..., GameServer], connect: Callable[[str], Host]
) -> None:
    game = host.create(2)
    elsewhere = connect(start_server().address)
    with watching(elsewhere.game(game.id, {})) as stream:
        react(game.seats[0])
        assert said(stream) == (0, HELLO)


def test_a_stream_that_does_not_want_phrases_gets_none(host: Host) -> None:
    game = host.create(2)
    with watching(game) as wanting, watching(game, reactions=False) as other:
        react(game.seats[0])
        assert said(wanting) == (0, HELLO)
        seat = asked(game)
        seat.resign()
        assert next(other).HasField("event")


def test_a_phrase_is_no_part_of_the_game(host: Host) -> None:
    game = host.create(2)
    before = game.view()
    assert react(game.seats[0]).version == before.version
    assert game.view() == before


def test_a_seat_that_says_too_much_is_refused(host: Host) -> None:
    game = host.create(2)
    found = [refused(lambda: react(game.seats[0])) if number > 1 else str(react(game.seats[0])) for number in range(3)]
    assert found[-1] == "RATE_LIMITED"
    react(game.seats[1])


def test_players_cannot_say_what_is_no_phrase(host: Host) -> None:
    game = host.create(2)
    for phrase in (reactions_pb2.PHRASE_UNSPECIFIED, HINT):
        assert refused(partial(react, game.seats[0], phrase)) == "REQUEST_MALFORMED"


def test_only_seats_say_something(host: Host) -> None:
    assert refused(lambda: react(Seat(host.create(2), 0, ""))) == "TOKEN_INVALID"


def test_everybody_is_told_once_that_a_seat_asked_for_a_hint(host: Host) -> None:
    game = host.create(2)
    seat = asked(game)
    with watching(game) as stream:
        suggested(seat)
        suggested(seat)
        assert said(stream) == (seat.number, HINT)
        react(seat)
        assert said(stream) == (seat.number, HELLO)


def test_delayed_spectators_hear_nothing(host: Host) -> None:
    game = host.create(2, visibility=views_pb2.VISIBILITY_SPECTATORS_DELAYED, spectator_delay=1)
    with watching(game) as delayed, watching(game, game.seats[0].metadata) as seat:
        react(game.seats[1])
        assert said(seat) == (1, HELLO)
        game.seats[0].resign()
        assert not next(delayed).HasField("reaction")


def test_the_store_keeps_few_phrases(start_server: Callable[..., GameServer]) -> None:
    server = start_server()
    for seat in range(2 * limits.REACTIONS_KEPT):
        Reactions(server.store.client).say("nobodysgame0", seat, HELLO, 0)
    assert len(Reactions(server.store.client).newest("nobodysgame0")) == limits.REACTIONS_KEPT


def test_what_was_said_before_is_not_told_to_newcomers(host: Host, start_server: Callable[..., GameServer]) -> None:
    game, server = host.create(2), start_server()
    long_ago = server.commands.now() - 2000 * limits.REACTION_FRESH_SECONDS
    Reactions(server.store.client).say(game.id, 0, LAUGH, long_ago)
    with watching(game) as stream:
        react(game.seats[1])
        assert said(stream) == (1, HELLO)
