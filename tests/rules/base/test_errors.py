"""Refusals: every code that the base game can raise, with its facts; a refused move changes nothing."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from pathlib import Path

import pytest

from alhambra import AlhambraError, BadOptions, BadState, Board, Game, IllegalMove, Move, Options, Violation, tile
from alhambra.base import BASE
from alhambra.violations import CODES, in_order
from tests.rules.situations import (
    codes,
    display,
    end_game,
    fact,
    hand,
    market,
    move,
    play,
    refused,
    reserve,
    table,
)

BASE_CODES = {
    *("VERB_UNKNOWN", "NOUN_MISSING", "NOUN_UNEXPECTED", "NOUN_MALFORMED", "ID_UNKNOWN"),
    *("GAME_OVER", "NOT_YOUR_DECISION", "VERB_NOT_OFFERED", "PASS_REFUSED"),
    *("NOT_THERE", "PLACE_TAKEN", "CONDITION_UNMET", "LOCKED", "NOT_ELIGIBLE"),
    *("WRONG_CURRENCY", "UNDERPAID", "SUM_TOO_HIGH"),
    *("EDGE_MISMATCH", "NO_CONTACT", "NOT_REACHABLE", "HOLE", "ROTATION_REFUSED"),
    *("PLAYERS_UNSUPPORTED", "MODULE_UNKNOWN", "OPTION_INVALID", "SEATS_INVALID"),
    *("UNDO_REFUSED", "STATE_MALFORMED"),
}
"""What a game without modules can answer. Each of them is raised in this file or beside the rule it belongs to."""


def ready() -> Game:
    game = table()
    display(game, "denar-1 denar-2")
    market(game, denar="garden-10")
    hand(game, 0, "denar-4 denar-6 denar-9")
    reserve(game, 0, "garden-11")
    return game


# -- Form ------------------------------------------------------------------------------------------------------------


def test_a_verb_that_no_rule_knows_is_refused() -> None:
    faults = refused(ready(), Move("steal"))
    assert codes(faults) == ["VERB_UNKNOWN"]
    assert fact(faults, "VERB_UNKNOWN") == {"verb": "steal"}


def test_a_missing_noun_is_named() -> None:
    faults = refused(ready(), Move("add"))
    assert codes(faults) == ["NOUN_MISSING", "NOUN_MISSING"]
    assert [fault.noun for fault in faults] == ["tile", "cell"]
    assert codes(refused(ready(), Move("take_money"))) == ["NOUN_MISSING"]
    assert codes(refused(ready(), Move("buy", cards=("denar-4",)))) == ["NOUN_MISSING"]


def test_a_surplus_noun_is_an_error_not_ignored() -> None:
    faults = refused(ready(), "take_money denar-1", seat=1, amount=3)
    assert [(fault.code, fault.noun) for fault in faults] == [
        ("NOUN_UNEXPECTED", "seat"),
        ("NOUN_UNEXPECTED", "amount"),
    ]
    assert codes(refused(ready(), Move("pass", tile="garden-11"))) == ["NOUN_UNEXPECTED"]


@pytest.mark.parametrize(
    ("wanted", "noun"),
    [
        (Move("add", "garden-11", cell=(128, 0)), "cell"),
        (Move("add", "garden-11", cell=(0, -500)), "cell"),
        (Move("add", "garden-11", cell=(1, 0), rotation=45), "rotation"),
        (Move("add", "garden-11", cell=(1, 0), rotation=0), "rotation"),
        (Move("take_money", display=("denar-2", "denar-1")), "display"),
        (Move("add", "garden\n11", cell=(1, 0)), "tile"),
        (Move("add", "x" * 65, cell=(1, 0)), "tile"),
        (Move("buy", slot="market-denar", cards=("",)), "cards"),
    ],
)
def test_a_noun_that_cannot_be_read_is_named(wanted: Move, noun: str) -> None:
    faults = refused(ready(), wanted)
    assert ("NOUN_MALFORMED", noun) in [(fault.code, fault.noun) for fault in faults]
    assert all("value" in fault.metadata for fault in faults if fault.code == "NOUN_MALFORMED")


@pytest.mark.parametrize(
    ("data", "code", "noun"),
    [
        (None, "NOUN_MALFORMED", "verb"),
        ([], "NOUN_MALFORMED", "verb"),
        ({}, "NOUN_MISSING", "verb"),
        ({"verb": 3}, "NOUN_MALFORMED", "verb"),
        ({"verb": "buy", "hat": "red"}, "NOUN_UNEXPECTED", "hat"),
        ({"verb": "add", "cell": [1, 0]}, "NOUN_MALFORMED", "cell"),
        ({"verb": "add", "cell": {"x": 1}}, "NOUN_MALFORMED", "cell"),
        ({"verb": "add", "cell": {"x": 1, "y": 0.5}}, "NOUN_MALFORMED", "cell"),
        ({"verb": "buy", "cards": "denar-4"}, "NOUN_MALFORMED", "cards"),
        ({"verb": "buy", "cards": []}, "NOUN_MALFORMED", "cards"),
        ({"verb": "bid", "amount": True}, "NOUN_MALFORMED", "amount"),
        ({"verb": "bid", "amount": 2**40}, "NOUN_MALFORMED", "amount"),
    ],
)
def test_a_move_from_a_stranger_is_read_or_refused_with_the_noun(data: object, code: str, noun: str) -> None:
    with pytest.raises(IllegalMove) as error:
        Move.read(data)
    assert (code, noun) in [(fault.code, fault.noun) for fault in error.value]


def test_a_move_survives_being_written_and_read() -> None:
    game = ready()
    for found in game.moves():
        assert Move.read(found.as_dict()) == found


# -- Moment ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("99.89")
def test_another_seat_than_the_one_asked_is_refused_and_learns_nothing_more() -> None:
    game = ready()
    for wanted in (move(game, "take_money denar-1"), Move("steal")):
        faults = game.verify(wanted, 1)
        assert codes(faults) == ["NOT_YOUR_DECISION"]
        assert fact(faults, "NOT_YOUR_DECISION") == {"seat": 0, "decision": "action"}
        with pytest.raises(IllegalMove):
            game.apply(wanted, 1)
    assert game.verify(move(game, "take_money denar-1"), 0) == ()


def test_a_verb_that_does_not_answer_the_open_decision_is_refused() -> None:
    faults = refused(ready(), "place garden-11 @1,0")
    assert codes(faults) == ["VERB_NOT_OFFERED"]
    assert fact(faults, "VERB_NOT_OFFERED") == {"verb": "place", "decision": "action"}
    game = ready()
    play(game, "buy market-denar denar-4 denar-9")
    assert fact(refused(game, "take_money denar-1"), "VERB_NOT_OFFERED")["decision"] == "place_tiles"


def test_verbs_of_the_core_that_only_modules_offer_are_not_offered() -> None:
    assert codes(refused(ready(), "take_open denar-1")) == ["VERB_NOT_OFFERED"]


@pytest.mark.rule("00.53")
def test_after_the_end_everything_is_refused() -> None:
    game = table()
    end_game(game)
    assert codes(refused(game, "pass")) == ["GAME_OVER"]


def test_faults_of_form_are_reported_together_with_the_wrong_moment() -> None:
    faults = refused(ready(), Move("place", rotation=45))
    assert codes(faults) == ["NOUN_MISSING", "NOUN_MISSING", "NOUN_MALFORMED", "VERB_NOT_OFFERED"]


# -- Several at once -------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.17")
def test_everything_wrong_with_a_payment_is_reported_at_once() -> None:
    game = ready()
    hand(game, 0, "denar-4 gulden-2")
    faults = refused(game, "buy market-denar denar-4 denar-5 gulden-2")
    assert codes(faults) == ["NOT_THERE", "WRONG_CURRENCY", "UNDERPAID"]
    assert fact(faults, "WRONG_CURRENCY") == {"id": "gulden-2", "allowed": ["denar"]}


@pytest.mark.rule("00.17")
def test_an_unknown_card_in_a_payment_is_told_apart() -> None:
    faults = refused(ready(), Move("buy", slot="market-denar", cards=("denar-12", "denar-4", "denar-6")))
    assert codes(faults) == ["ID_UNKNOWN"]
    assert fact(faults, "ID_UNKNOWN") == {"id": "denar-12"}


@pytest.mark.rule("00.17")
def test_open_cards_and_items_cannot_be_paid_with() -> None:
    game = ready()
    faults = refused(game, "buy market-denar denar-4 denar-6", display=("denar-1",))
    assert fact(faults, "NOT_THERE") == {"id": "denar-1", "place": "display"}
    faults = refused(game, "buy market-denar denar-4 denar-6", display=("denar-9",))
    assert fact(faults, "NOT_THERE") == {"id": "denar-9", "place": "display"}, "it is in the hand"
    faults = refused(game, "buy market-denar denar-4 denar-6", items=("coin-denar",))
    assert fact(faults, "NOT_THERE") == {"id": "coin-denar", "place": "held"}


def test_an_item_in_taking_money_is_not_held() -> None:
    faults = refused(ready(), "take_money denar-1 denar-2", items=("goldsmith",))
    assert fact(faults, "NOT_THERE") == {"id": "goldsmith", "place": "held"}


@pytest.mark.rule("00.16")
def test_a_single_card_is_not_taken_with_an_item_either() -> None:
    faults = refused(ready(), "take_money denar-1", items=("goldsmith",))
    assert fact(faults, "NOT_THERE") == {"id": "goldsmith", "place": "held"}


def test_violations_come_in_the_order_of_the_table() -> None:
    order = list(CODES)
    mixed = [Violation("HOLE"), Violation("NOT_THERE"), Violation("UNDERPAID"), Violation("NOUN_MISSING")]
    assert codes(in_order(mixed)) == sorted(codes(mixed), key=order.index)


# -- The errors themselves -------------------------------------------------------------------------------------------


def test_an_illegal_move_is_the_librarys_own_error_with_code_and_violations() -> None:
    game = ready()
    with pytest.raises(IllegalMove) as error:
        game.apply(move(game, "buy market-denar denar-9"))
    assert isinstance(error.value, AlhambraError)
    assert error.value.code == "UNDERPAID"
    assert "due 10" in str(error.value)
    assert [fault.as_dict() for fault in error.value] == [{"code": "UNDERPAID", "metadata": {"due": 10, "paid": 9}}]


def test_a_refusal_leaves_clones_and_game_as_they_were() -> None:
    game = ready()
    sample = game.clone()
    for wanted in (Move("steal"), Move("pass"), move(game, "buy market-denar denar-9"), Move("add")):
        refused(game, wanted)
    assert game == sample


def test_a_board_by_itself_refuses_with_the_same_codes() -> None:
    board = Board()
    faults = board.violations(tile("garden-10-w"), 1, 0)
    assert codes(faults) == ["EDGE_MISMATCH", "NOT_REACHABLE"]
    with pytest.raises(IllegalMove):
        board.place(tile("garden-10-w"), 1, 0)
    assert list(board.placed) == ["start-0"]
    board.place(tile("garden-10"), 1, 0)
    assert codes(board.violations(tile("garden-10"), 0, 1)) == ["PLACE_TAKEN"]


def test_an_unknown_tile_is_refused() -> None:
    with pytest.raises(AlhambraError) as error:
        tile("garden-99")
    assert error.value.code == "ID_UNKNOWN"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"seats": 1}, "PLAYERS_UNSUPPORTED"),
        ({"seats": "three"}, "SEATS_INVALID"),
        ({"seats": [{"name": "A", "colour": "red"}, {"name": "B", "colour": "red"}]}, "SEATS_INVALID"),
        ({"seats": [{"name": "A", "colour": "plaid"}, "B"]}, "SEATS_INVALID"),
        ({"seats": [{"name": "A", "age": -3}, "B"]}, "SEATS_INVALID"),
        ({"seats": [{"name": "A" * 41}, "B"]}, "SEATS_INVALID"),
        ({"seats": [{"hat": "A"}, "B"]}, "SEATS_INVALID"),
        ({"seats": 3, "seed": ""}, "OPTION_INVALID"),
        ({"seats": 3, "turn_limit": 0}, "OPTION_INVALID"),
        ({"seats": 3, "turn_limit": 1001}, "OPTION_INVALID"),
        ({"seats": 3, "edition": "nl"}, "OPTION_INVALID"),
        ({"seats": 3, "modules": ["a", "a"]}, "OPTION_INVALID"),
        ({"seats": 3, "modules": "abc"}, "OPTION_INVALID"),
        ({"seats": 3, "modules": ["no_such_module"]}, "MODULE_UNKNOWN"),
        ({"seats": 3, "variants": ["no_such_module.harder"]}, "OPTION_INVALID"),
    ],
)
def test_a_game_that_cannot_be_created_says_why(options: dict[str, object], code: str) -> None:
    with pytest.raises(BadOptions) as error:
        Game.new(Options.read({"seed": "x", **options}))
    assert error.value.code == code


@pytest.mark.parametrize("data", [None, [], {}, {"seats": 3}, {3: 4, "seats": 3, "seed": "x"}])
def test_options_that_are_no_options_are_refused(data: object) -> None:
    with pytest.raises(BadOptions):
        Options.read(data)


def test_bytes_that_were_tampered_with_are_refused() -> None:
    data = ready().to_bytes()
    for bad in (b"", b"alh1", data[:-1], data[:40] + b"x" + data[41:], b"x" + data):
        with pytest.raises(BadState) as error:
            Game.from_bytes(bad)
        assert error.value.code == "STATE_MALFORMED"


def test_a_game_survives_being_written_and_read_at_every_decision() -> None:
    game = ready()
    for text in ("buy market-denar denar-4 denar-6", "take_money denar-1 denar-2", "place garden-10 @1,0"):
        again = Game.from_bytes(game.to_bytes())
        assert again == game
        play(game, text)
        assert play(again, text)
        assert again == game


def test_every_code_that_the_base_game_can_raise_is_raised_by_some_test() -> None:
    texts = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    mentions = Counter(re.findall(r'"([A-Z]+(?:_[A-Z]+)+|HOLE|LOCKED|UNDERPAID)"', "\n".join(texts)))
    assert set(CODES) >= BASE_CODES
    assert [code for code in sorted(BASE_CODES) if mentions[code] < 2] == [], "named in the list above only"


def test_the_list_of_base_codes_is_complete() -> None:
    """Whatever the base game's files can raise is in the list, or needs something that only modules bring."""
    need_modules = {
        *("COMBINATION_FORBIDDEN", "NO_EFFECT", "MIX_FORBIDDEN", "NOT_ACCEPTED", "NOT_EXACT", "TAKEN_ALONE"),
        *("CARD_COUNT", "BID_TOO_LOW", "BID_NOT_COVERED", "STEP_BLOCKED", "SOLE_ACTION"),
    }
    folder = Path(inspect.getfile(BASE.__class__)).parent / "base"
    text = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    raised = set(re.findall(r'Violation\(\s*"([A-Z_]+)"', text))
    assert raised <= BASE_CODES | need_modules
