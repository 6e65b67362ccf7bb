"""What the rules say reaches the contract whole, and reaches nobody who must not hear it."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from hypothesis import given, settings
from hypothesis import strategies as st

from alhambra import CURRENCIES, TYPES, BadOptions, Event, Game, IllegalMove, Move, Options, Violation
from alhambra.base.payment.offers import ANY_ONE, MIXED, Offer, Payment, Verdict
from alhambra.base.purchase import offers_at, purchase_of
from alhambra.moves import CELL_LIMIT, LIST_LIMIT, NOUNS, POINTS, TEXT_LIMIT, malformed
from alhambra.violations import CODES
from alhambra_api.v1 import (
    boards_pb2,
    catalog_pb2,
    events_pb2,
    games_pb2,
    moves_pb2,
    nouns_pb2,
    reasons_pb2,
    views_pb2,
)
from alhambra_service.games.automatic.orders import Order, order_from
from alhambra_service.messages.events import event_to
from alhambra_service.messages.nouns import WORDS, word_of
from alhambra_service.messages.translate import (
    legal_move_to,
    move_from,
    move_to,
    offer_to,
    options_from,
    value_from,
    value_to,
    verdict_to,
    violations_to,
)
from alhambra_service.messages.views import order_to
from tests.service.random_games import SAMPLED, as_read, as_told, facts_read, games

# -- Moves -------------------------------------------------------------------------------------------------------------

words = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=TEXT_LIMIT)
multisets = st.lists(words, max_size=6).map(lambda found: tuple(sorted(found)))
coordinates = st.integers(-CELL_LIMIT, CELL_LIMIT)
counts = st.integers(0, 2**31 - 1)
moves = st.builds(
    Move,
    words,
    tile=st.none() | words,
    piece=st.none() | words,
    cell=st.none() | st.tuples(coordinates, coordinates),
    rotation=st.none() | st.sampled_from((60, 90, 120, 180, 240, 270, 300)),
    side=st.none() | st.sampled_from(POINTS),
    slot=st.none() | words,
    cards=multisets,
    display=multisets,
    items=multisets,
    currency=st.none() | st.sampled_from(CURRENCIES),
    type=st.none() | st.sampled_from(TYPES),
    seat=st.none() | counts,
    amount=st.none() | counts,
    choice=st.none() | words,
)


@settings(deadline=None)
@given(moves)
def test_a_move_comes_back_as_it_was_sent(move: Move) -> None:
    assert not malformed(move)
    wire = move_to(move).SerializeToString()
    assert move_from(nouns_pb2.Move.FromString(wire)) == move


@pytest.mark.parametrize("noun", NOUNS)
def test_a_noun_that_is_absent_has_no_field(noun: str) -> None:
    assert [field.name for field, _ in move_to(Move("pass")).ListFields()] == ["verb"]
    assert getattr(move_from(nouns_pb2.Move(verb="pass")), noun) in (None, ())


def test_zero_is_a_seat_and_an_amount_and_the_fountain_a_cell() -> None:
    move = Move("take_back", cell=(0, 0), seat=0, amount=0)
    assert move_from(move_to(move)) == move


def test_the_service_sorts_what_it_is_sent() -> None:
    sent = nouns_pb2.Move(verb="buy", slot="market-denar", cards=["denar-5", "denar-4"])
    assert move_from(sent).cards == ("denar-4", "denar-5")


MALFORMED: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    ({}, [("NOUN_MISSING", "verb")]),
    ({"verb": "v" * (TEXT_LIMIT + 1)}, [("NOUN_MALFORMED", "verb")]),
    ({"verb": "pass", "tile": "a\nb"}, [("NOUN_MALFORMED", "tile")]),
    ({"verb": "pass", "cell": nouns_pb2.Cell(x=128)}, [("NOUN_MALFORMED", "cell")]),
    ({"verb": "pass", "cell": nouns_pb2.Cell(y=-(2**31))}, [("NOUN_MALFORMED", "cell")]),
    ({"verb": "pass", "rotation": 0}, [("NOUN_MALFORMED", "rotation")]),
    ({"verb": "pass", "rotation": 45}, [("NOUN_MALFORMED", "rotation")]),
    ({"verb": "pass", "side": 9}, [("NOUN_MALFORMED", "side")]),
    ({"verb": "pass", "currency": 5}, [("NOUN_MALFORMED", "currency")]),
    ({"verb": "pass", "type": -1}, [("NOUN_MALFORMED", "type")]),
    ({"verb": "pass", "seat": -1}, [("NOUN_MALFORMED", "seat")]),
    ({"verb": "pass", "amount": -(2**31)}, [("NOUN_MALFORMED", "amount")]),
    ({"verb": "pass", "cards": ["denar-1", ""]}, [("NOUN_MALFORMED", "cards")]),
    ({"verb": "pass", "items": ["coin"] * (LIST_LIMIT + 1)}, [("NOUN_MALFORMED", "items")]),
    (
        {"tile": "\x00", "rotation": 1, "side": 77, "cards": [""]},
        [
            ("NOUN_MISSING", "verb"),
            ("NOUN_MALFORMED", "tile"),
            ("NOUN_MALFORMED", "cards"),
            ("NOUN_MALFORMED", "rotation"),
            ("NOUN_MALFORMED", "side"),
        ],
    ),
]


@pytest.mark.parametrize(("fields", "expected"), MALFORMED)
def test_a_move_that_cannot_be_read_is_refused_with_every_fault(
    fields: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    with pytest.raises(IllegalMove) as refused:
        move_from(nouns_pb2.Move(**fields))
    assert sorted((fault.code, fault.noun) for fault in refused.value) == sorted(expected)
    for sent in violations_to(refused.value):
        assert sent.text


integers = st.integers(-(2**31), 2**31 - 1)
anything = st.builds(
    nouns_pb2.Move,
    verb=st.text(max_size=70),
    tile=st.text(max_size=70),
    cell=st.none() | st.builds(nouns_pb2.Cell, x=integers, y=integers),
    rotation=st.none() | integers,
    side=integers,
    cards=st.lists(st.text(max_size=3), max_size=4),
    currency=integers,
    type=integers,
    seat=st.none() | integers,
    choice=st.text(max_size=70),
)


@settings(deadline=None)
@given(anything)
def test_whatever_is_sent_is_a_good_move_or_a_fault_of_form(message: nouns_pb2.Move) -> None:
    try:
        move = move_from(message)
    except IllegalMove as refusal:
        assert {fault.code for fault in refusal} <= {"NOUN_MISSING", "NOUN_MALFORMED"}
        assert all(violation.text for violation in violations_to(refusal, "de"))
    else:
        assert not malformed(move)
        assert move_from(move_to(move)) == move


def test_every_word_of_an_enum_has_a_number_and_comes_back() -> None:
    assert tuple(WORDS["side"]) == POINTS
    assert tuple(WORDS["currency"]) == (*CURRENCIES, "diamond")
    assert tuple(WORDS["type"]) == TYPES
    for noun, numbers in WORDS.items():
        assert {word: word_of(noun, number) for word, number in numbers.items()} == dict(
            zip(numbers, numbers, strict=True)
        )
        assert not word_of(noun, 0)


# -- Values ------------------------------------------------------------------------------------------------------------

plain = st.recursive(
    st.none() | st.booleans() | integers | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@settings(deadline=None)
@given(plain)
def test_plain_data_survives_as_a_value(data: object) -> None:
    assert value_from(value_to(data)) == data


@pytest.mark.parametrize("number", [2**31, -(2**31) - 1, 2**64])
def test_no_number_is_wider_than_32_bits(number: int) -> None:
    with pytest.raises(ValueError, match="range"):
        value_to(number)


# -- Events ----------------------------------------------------------------------------------------------------------

LINK = "9f3c1a" + "0" * 58
"""The link of every version in these tests."""


def test_every_event_is_told_whole_and_its_private_part_to_its_seat_alone() -> None:
    kinds = set()
    private = set()
    for game in games():
        seats = len(game[0][0].state.seats)
        for event in (event for _, events in game for event in events):
            kinds.add(event.kind)
            spectator = event_to(event, None, LINK)
            assert (spectator.kind, spectator.id) == (event.kind, f"{event.id}.{LINK[:6]}")
            assert (spectator.version, spectator.index) == (event.version, event.index)
            assert spectator.HasField("version")
            assert spectator.HasField("index")
            forced = {"forced": True} if spectator.forced else {}
            assert {**as_read(spectator), **forced} == as_told(event.public)
            assert not spectator.HasField("private_part")
            for seat in range(seats):
                message = event_to(event, seat, LINK)
                if event.private and seat in event.private:
                    private.add(event.kind)
                    assert as_read(message.private_part) == as_told(event.private[seat])
                    message.ClearField("private_part")
                assert message == spectator
    assert len(kinds) > 50
    assert private >= {"thieves_dealt", "residents_picked", "disc_laid"}


def test_only_the_owner_of_an_order_is_told_that_it_answered() -> None:
    event = Event("passed", {"seat": 1, "decision": "window"}, None, 3, 0)
    assert event_to(event, 1, LINK, by_order=True).private_part.by_order
    assert not event_to(event, 1, LINK).HasField("private_part")
    for viewer in (None, 0, 2):
        assert not event_to(event, viewer, LINK, by_order=True).HasField("private_part")


def test_an_event_has_a_text_if_the_call_names_a_language() -> None:
    event = Event("bid_made", {"seat": 1, "piece": "trader", "amount": 7}, {0: {"piece": "beggar"}}, 3, 0)
    assert not event_to(event, 0, LINK).text
    english, german = event_to(event, 0, LINK, language="en").text, event_to(event, 0, LINK, language="de").text
    assert english and german and english != german
    assert event_to(event, None, LINK, language="en").text == english


def test_the_number_of_events_and_their_ids_are_the_same_for_everybody() -> None:
    for game in games():
        for _, events in game[::SAMPLED]:
            ids = [event_to(event, None, LINK).id for event in events]
            assert ids == [event_to(event, 0, LINK).id for event in events]
            assert ids == [f"{event.id}.{LINK[:6]}" for event in events]


# -- Refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", CODES)
def test_every_violation_has_a_text_in_english_and_german(code: str) -> None:
    english, german = (violations_to([Violation(code)], language)[0] for language in ("en", "de"))
    assert english.code == german.code == code
    assert english.text and german.text and english.text != german.text


def test_a_violation_keeps_its_noun_and_its_facts() -> None:
    (sent,) = violations_to([Violation("EDGE_MISMATCH", "cell", cell=[1, 0], side="W", neighbour="start-0")])
    assert (sent.code, sent.noun) == ("EDGE_MISMATCH", "cell")
    assert facts_read(sent.metadata) == {"cell": [1, 0], "side": "W", "neighbour": "start-0"}
    (bare,) = violations_to([Violation("GAME_OVER")])
    assert not bare.noun and not bare.metadata


# -- Options -----------------------------------------------------------------------------------------------------------


def request(**fields: Any) -> games_pb2.CreateGameRequest:
    options = fields.pop("options", {})
    message = games_pb2.CreateGameRequest(**{"seats": [games_pb2.SeatSetup()] * 2, **fields})
    for name, value in options.items():
        message.options[name].CopyFrom(value_to(value))
    return message


def test_the_smallest_request_has_a_default_for_everything() -> None:
    assert options_from(request(), "seed") == Options(2, "seed")


def test_everything_that_a_request_says_stands_in_the_options() -> None:
    asked = request(
        seats=[games_pb2.SeatSetup(name="Ada", colour="blue", age=0), games_pb2.SeatSetup(), games_pb2.SeatSetup()],
        edition="hu_2003",
        modules=["thieves", "invaders"],
        variants=["invaders.open_attack"],
        options={"undo": "none", "dirk_can_win": True},
        turn_limit=7,
    )
    found = options_from(asked, "seed")
    assert (found.seats[0].name, found.seats[0].colour, found.seats[0].age) == ("Ada", "blue", 0)
    assert found.seats[1].age is None
    assert (found.edition, found.modules, found.variants) == (
        "hu_2003",
        ("thieves", "invaders"),
        ("invaders.open_attack",),
    )
    assert (found.rules["undo"], found.rules["dirk_can_win"], found.rules["max_actions"]) == ("none", True, "five")
    assert (found.turn_limit, found.seed) == (7, "seed")


def test_a_preset_adds_its_modules_to_those_that_are_named() -> None:
    found = options_from(request(modules=["squares", "bazaars"], preset="first_game"), "seed")
    assert found.modules == ("squares", "bazaars", "viziers_favour", "magical_buildings")


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"seats": []}, "PLAYERS_UNSUPPORTED"),
    ({"seats": [games_pb2.SeatSetup()] * 7}, "PLAYERS_UNSUPPORTED"),
    ({"seats": [games_pb2.SeatSetup(colour="red")] * 2}, "SEATS_INVALID"),
    ({"seats": [games_pb2.SeatSetup(age=151)] * 2}, "SEATS_INVALID"),
    ({"seats": [games_pb2.SeatSetup(name="x" * 41)] * 2}, "SEATS_INVALID"),
    ({"edition": "none"}, "OPTION_INVALID"),
    ({"preset": "none"}, "OPTION_INVALID"),
    ({"modules": ["none"]}, "MODULE_UNKNOWN"),
    ({"modules": ["thieves", "thieves"]}, "OPTION_INVALID"),
    ({"variants": ["invaders.open_attack"]}, "OPTION_INVALID"),
    ({"turn_limit": -1}, "OPTION_INVALID"),
    ({"turn_limit": 1_001}, "OPTION_INVALID"),
    ({"options": {"undo": "sometimes"}}, "OPTION_INVALID"),
    ({"options": {"dirk_can_win": 1}}, "OPTION_INVALID"),
    ({"options": {"undo": [{"none": None}]}}, "OPTION_INVALID"),
    ({"options": {"seed": "mine"}}, "OPTION_INVALID"),
    ({"options": {"self": 1}}, "OPTION_INVALID"),
    ({"options": {"modules": "thieves"}}, "OPTION_INVALID"),
]


@pytest.mark.parametrize(("fields", "code"), REFUSED)
def test_options_that_cannot_be_are_refused_by_the_code_of_the_rules(fields: dict[str, Any], code: str) -> None:
    with pytest.raises(BadOptions) as refused:
        options_from(request(**fields), "seed")
    assert refused.value.code == code


# -- Lists of moves, orders --------------------------------------------------------------------------------------------


def test_a_legal_move_says_what_it_comes_to() -> None:
    paying = legal_move_to(Move("buy", slot="market-denar", cards=("denar-9",)), Verdict([], 7, 9, False))
    assert (paying.price, paying.paid, paying.exact, paying.HasField("exact")) == (7, 9, False, True)
    free = legal_move_to(Move("pass"))
    assert not any(free.HasField(field) for field in ("price", "paid", "exact", "amount_min", "amount_max"))
    bids = legal_move_to(Move("bid", amount=3), amounts=(3, 17))
    assert (bids.amount_min, bids.amount_max, bids.move.amount) == (3, 17, 3)


def test_an_offer_is_the_move_without_its_payment() -> None:
    game = Game.new(Options(2, "offers"))
    assert game.decision is not None
    for offer in offers_at(game, game.decision):
        message = offer_to(offer, purchase_of(offer, Payment()), affordable=True)
        assert move_from(message.move) == Move("buy", slot=offer.slot)
        assert (message.price, word_of("currency", message.currency)) == (offer.price, offer.currency)
    bazaar = Offer("bazaar", 4, MIXED, tile="bazaar_3", named=True, exact=True)
    mixed = offer_to(bazaar, purchase_of(bazaar, Payment()), affordable=False)
    assert (mixed.move.tile, mixed.mixed, mixed.exact_only, mixed.currency) == ("bazaar_3", True, True, 0)
    one = offer_to(Offer("project", 15, ANY_ONE), Move("bid_project"), affordable=True)
    assert (one.mixed, one.currency, one.move.verb) == (False, 0, "bid_project")


def test_a_dry_run_says_what_is_wrong_and_never_what_would_happen() -> None:
    refused = verdict_to([Violation("UNDERPAID", due=7, paid=3)], Verdict([], 7, 3, False))
    assert not refused.legal and refused.violations[0].code == "UNDERPAID" and refused.price == 7
    assert verdict_to([]).legal
    assert {field.name for field in refused.DESCRIPTOR.fields} == {"legal", "violations", "price", "paid", "exact"}


def test_an_order_comes_back_as_it_was_given() -> None:
    order = Order("window", "pass", ("garden", "tower"), ("denar",), ("market-denar",), "scoring")
    assert order_from(order_to(order)) == order
    assert order_from(views_pb2.Order(decision="late", answer="pass")) == Order("late", "pass")


def test_no_message_has_a_number_that_json_would_write_as_a_text() -> None:
    wide = {FieldDescriptor.TYPE_INT64, FieldDescriptor.TYPE_UINT64, FieldDescriptor.TYPE_SINT64}
    broken = {FieldDescriptor.TYPE_DOUBLE, FieldDescriptor.TYPE_FLOAT}
    for file in (boards_pb2, catalog_pb2, events_pb2, games_pb2, moves_pb2, nouns_pb2, reasons_pb2, views_pb2):
        for message in file.DESCRIPTOR.message_types_by_name.values():
            assert not {field.type for field in message.fields} & (wide | broken), message.full_name
