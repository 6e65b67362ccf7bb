"""Texts for people in answers: legal moves, offers, questions, events and refusals, in every language."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest

from alhambra import Event, Game, Options, known_modules
from alhambra.module import Vocabulary
from alhambra.texts import text
from alhambra_api.v1 import events_pb2, moves_pb2
from alhambra_service.games.legal_moves import BRIEF, MoveFilter, Page, page
from alhambra_service.messages.encoded_views import view_to
from alhambra_service.messages.events import events_for_viewer
from alhambra_service.messages.move_texts import Wording
from alhambra_service.messages.translate import violations_to
from tests.conformance.dice import Dice
from tests.conformance.near_misses import Nouns, near_miss

from .playing import PATIENCE, Host, Seat, random_move
from .random_games import seated

LANGUAGES = ("en", "de", "hu", "pt", "sr")
NAMES = ("Ada", "Béla", "Caio")
TABLE = [{"claim": True, "name": name} for name in NAMES]
MOVES = 260
SAMPLED = 8
LINKS = defaultdict[int, str](str)
"""The links of all versions. No text shows one."""
"""Every so many moves the list of moves, the question and refusals are read."""
PROBES = 4
SHOWN = 60
RAW = re.compile(r"_|[{}\[\]…]|\b[a-z]+-(\d|denar|dirham|dukat|gulden|garden|tower|pavilion|seraglio|arcades|chambers)")
"""What no text for people has: gaps, brackets of templates, ids such as `denar-4`, `market-denar`, `rich_patron`."""


def in_language(seat: Seat, language: str, method: str, request: Any) -> Any:
    metadata = (*seat.metadata, ("accept-language", language))
    return getattr(seat.game.stub, method)(request, metadata=metadata, timeout=PATIENCE)


def seat_asked(host: Host) -> Seat:
    game = host.create(TABLE, seed="texts")
    return game.seats[game.view().decision.seat]


# -- Legal moves -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_with_texts_every_move_offer_and_group_is_worded_in_the_language_of_the_call(host: Host, language: str) -> None:
    seat = seat_asked(host)
    request = moves_pb2.ListLegalMovesRequest(game=seat.game.id, texts=True)
    answer: moves_pb2.ListLegalMovesResponse = in_language(seat, language, "ListLegalMoves", request)
    assert answer.language == language
    assert answer.moves and answer.offers
    assert all(move.text and move.group for move in answer.moves)
    assert all(offer.text and offer.group for offer in answer.offers)
    assert all(group.text and group.verb for group in answer.groups)
    used = dict.fromkeys([*(offer.group for offer in answer.offers), *(move.group for move in answer.moves)])
    assert [group.key for group in answer.groups] == list(used)


def test_without_texts_moves_have_their_group_alone(host: Host) -> None:
    answer = seat_asked(host).moves()
    assert answer.language == ""
    assert not any(part.text for parts in (answer.moves, answer.offers, answer.groups) for part in parts)
    assert {move.group for move in answer.moves} <= {group.key for group in answer.groups}


def test_groups_are_the_same_in_every_language() -> None:
    game = playing()[0][0]
    found = [[group.key for group in listed(game, language).groups] for language in LANGUAGES]
    assert found == [found[0]] * len(LANGUAGES)


def test_a_payment_says_how_much_it_is_above_the_price() -> None:
    paid = [move for game, _ in playing()[::SAMPLED] for move in listed(game, "en").moves if move.HasField("paid")]
    assert {move.exact for move in paid} == {True, False}
    for move in paid:
        assert move.HasField("overpaid")
        assert move.overpaid == (0 if move.exact else move.paid - move.price)


def test_a_move_that_pays_nothing_has_no_overpayment() -> None:
    free = [move for move in listed(playing()[0][0], "en").moves if not move.HasField("paid")]
    assert free
    assert not any(move.HasField("overpaid") for move in free)


def test_a_bid_is_listed_with_the_lowest_amount() -> None:
    bids = [move for game, _ in playing(("characters",)) for move in auctioned(game)]
    assert bids
    for bid in bids:
        assert bid.HasField("amount_min")
        assert bid.move.amount == bid.amount_min <= bid.amount_max
        assert str(bid.amount_min) in bid.text


# -- Events ------------------------------------------------------------------------------------------------------------


def test_an_event_belongs_to_the_story_or_to_the_details_as_its_module_declares() -> None:
    levels = defaultdict[int, set[str]](set)
    for game, events in playing():
        details = game.ruleset.table(Vocabulary).details
        for event in events_for_viewer(events, LINKS, seated(game), None):
            levels[event.level].add(event.kind)
            assert (event.level == events_pb2.EVENT_LEVEL_DETAIL) == (event.kind in details)
    assert set(levels) == {events_pb2.EVENT_LEVEL_STORY, events_pb2.EVENT_LEVEL_DETAIL}
    assert {"placed", "paid", "turn_began"} <= levels[events_pb2.EVENT_LEVEL_STORY]
    assert {"decision_opened", "market_filled"} <= levels[events_pb2.EVENT_LEVEL_DETAIL]


def test_events_of_a_move_name_the_players(host: Host) -> None:
    game = host.create(TABLE, seed="texts")
    view, rng = game.view(), Random(1)
    for _ in range(12):
        seat = game.seats[view.decision.seat]
        move, version = random_move(seat, view.version, rng)
        request = moves_pb2.ApplyMoveRequest(game=game.id, move=move, version=version)
        answer: moves_pb2.ApplyMoveResponse = in_language(seat, "en", "ApplyMove", request)
        view = answer.view
        assert all(event.text for event in answer.events)
        assert any(NAMES[seat.number] in event.text for event in answer.events)
        assert not any("Player" in event.text for event in answer.events)


# -- Every text of a game with all modules -----------------------------------------------------------------------------


@cache
def playing(modules: tuple[str, ...] = tuple(known_modules())) -> list[tuple[Game, list[Event]]]:
    """A random game, of all modules if none are named: after each move the game as it stands, and what happened."""
    game = Game.new(Options([{"name": name} for name in NAMES], "worded", modules=modules))
    rng = Random(3)
    found = [(game.clone(), list(game.events))]
    while len(found) < MOVES and not game.over:
        events = game.apply(game.random_move(rng))
        found.append((game.clone(), list(events)))
    return found


def listed(game: Game, language: str) -> Page:
    return page(game, MoveFilter(), BRIEF, SHOWN, None, Wording(language, NAMES))


def auctioned(game: Game) -> list[moves_pb2.LegalMove]:
    if game.decision is None or game.decision.kind != "auction":
        return []
    return [move for move in listed(game, "en").moves if move.move.verb == "bid"]


def texts_of(language: str) -> Iterator[tuple[str, str]]:
    """Every text that clients get of the game, each with what it belongs to."""
    dice, nouns = Dice(1), Nouns()
    for number, (game, events) in enumerate(playing()):
        for event in events_for_viewer(events, LINKS, seated(game), None, language):
            yield f"event {event.kind}", event.text
        if number % SAMPLED or game.decision is None:
            continue
        found = listed(game, language)
        yield from ((f"move {move.move.verb}", move.text) for move in found.moves)
        yield from ((f"offer {offer.group}", offer.text) for offer in found.offers)
        yield from ((f"group {group.key}", group.text) for group in found.groups)
        view = view_to(seated(game), None, game_id="game", language=language)
        yield f"decision {view.decision.kind}", view.decision.text
        moves = list(islice(game.moves(), SHOWN))
        nouns.learn(moves)
        for _ in range(PROBES):
            faults = game.verify(near_miss(game, dice.choice(moves), nouns, dice))
            yield from ((f"violation {fault.code}", fault.text) for fault in violations_to(faults, language, NAMES))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_a_game_is_a_whole_sentence_without_ids(language: str) -> None:
    unnamed = [text(f"seat.{seat}", language) for seat in range(len(NAMES))]
    found = list(texts_of(language))
    kinds = {what.partition(" ")[0] for what, _ in found}
    assert kinds == {"event", "move", "offer", "group", "decision", "violation"}
    assert [what for what, told in found if not told] == []
    assert {(what, told) for what, told in found if RAW.search(told)} == set()
    assert {(what, told) for what, told in found if any(name in told for name in unnamed)} == set()


@pytest.mark.parametrize("told", ["Buy market-denar", "pay denar-4", "the rich_patron", "takes …", "{tile} is built"])
def test_a_raw_text_is_noticed(told: str) -> None:
    assert RAW.search(told)
