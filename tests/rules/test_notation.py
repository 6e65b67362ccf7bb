"""Moves and games as text."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alhambra import CURRENCIES, TYPES, BadNotation, Game, IllegalMove, Move, Options
from alhambra.moves import POINTS, malformed
from alhambra.notation import read_game, read_move, write_game, write_move

EXAMPLES = [
    ("buy market-denar denar-4 denar-5", Move("buy", slot="market-denar", cards=("denar-4", "denar-5"))),
    ("place garden-10-n @1,-2", Move("place", "garden-10-n", cell=(1, -2))),
    ("take_money +denar-5 +gulden-1", Move("take_money", display=("denar-5", "gulden-1"))),
    ("pass", Move("pass")),
    (
        "buy bazaar_3 bazaar diamond-6 &treasure-3",
        Move("buy", "bazaar_3", slot="bazaar", cards=("diamond-6",), items=("treasure-3",)),
    ),
    ("add camp_NE @0,3 r90 &mosaic_layer", Move("add", "camp_NE", cell=(0, 3), rotation=90, items=("mosaic_layer",))),
    ("place tower-9-es @2,0 !gate", Move("place", "tower-9-es", cell=(2, 0), choice="gate")),
    (
        "buy_falcon %falcon_black_arcades_tower @0,0 ^SE denar-1",
        Move("buy_falcon", piece="falcon_black_arcades_tower", cell=(0, 0), side="SE", cards=("denar-1",)),
    ),
    ("play_thief +denar-9 denar", Move("play_thief", display=("denar-9",), currency="denar")),
    ("put_chest tower-9-es tower", Move("put_chest", "tower-9-es", type="tower")),
    ("bid =17", Move("bid", amount=17)),
    (
        "extend extension-2-1 dukat-1 dukat-1 dukat-3 #2",
        Move("extend", slot="extension-2-1", cards=("dukat-1", "dukat-1", "dukat-3"), seat=2),
    ),
    ("pay exchange_gulden_denar gulden-2", Move("pay", cards=("exchange_gulden_denar", "gulden-2"))),
    (
        "buy market-dukat builder-dukat &carpenter_2:2 &handyman:-2",
        Move("buy", slot="market-dukat", cards=("builder-dukat",), items=("carpenter_2:2", "handyman:-2")),
    ),
]


@pytest.mark.parametrize(("text", "move"), EXAMPLES, ids=[text for text, _ in EXAMPLES])
def test_a_move_is_written_as_a_person_would(text: str, move: Move) -> None:
    assert write_move(move) == text
    assert read_move(text) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("add ~tower", Move("add", "tower")),
        ("add ~denar-5", Move("add", "denar-5")),
        ("add ~r90", Move("add", "r90")),
        ("add ~@1,1", Move("add", "@1,1")),
        ("buy :fountain", Move("buy", slot="fountain")),
        ("pay $arcades-10", Move("pay", cards=("arcades-10",))),
        ('add ~"a tile; of \\"mine\\""', Move("add", 'a tile; of "mine"')),
        ('"Buy!" =1', Move("Buy!", amount=1)),
        ('"undo"', Move("undo")),
    ],
)
def test_a_word_that_would_be_misread_carries_a_mark(text: str, move: Move) -> None:
    assert write_move(move) == text
    assert read_move(text) == move


def test_order_spacing_and_comments_do_not_matter() -> None:
    assert read_move("  buy denar-5\tdenar-4 market-denar ; a bargain") == read_move("buy market-denar denar-4 denar-5")


def ids() -> st.SearchStrategy[str]:
    """Ids of any kind: usual ones, those that look like another noun, and any printable text."""
    usual = st.sampled_from(
        [
            "garden-10-n",
            "denar-5",
            "market-denar",
            "gate",
            "tower",
            "dukat",
            "r90",
            "project",
            "@0,0",
            "undo",
            '"',
            "\\",
        ]
    )
    return usual | st.text(max_size=64).filter(lambda text: text != "" and text.isprintable())


def id_lists() -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(ids(), max_size=6).map(lambda found: tuple(sorted(found)))


def optional(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


small = st.integers(-127, 127)
well_formed_moves = st.builds(
    Move,
    verb=st.from_regex(r"[a-z][a-z_]{0,20}", fullmatch=True) | ids(),
    tile=optional(ids()),
    piece=optional(ids()),
    cell=optional(st.tuples(small, small)),
    rotation=optional(st.sampled_from([60, 90, 120, 180, 240, 270, 300])),
    side=optional(st.sampled_from(POINTS)),
    slot=optional(ids()),
    cards=id_lists(),
    display=id_lists(),
    items=id_lists(),
    currency=optional(st.sampled_from(CURRENCIES)),
    type=optional(st.sampled_from(TYPES)),
    seat=optional(st.integers(0, 5)),
    amount=optional(st.integers(0, 2**31 - 1)),
    choice=optional(ids()),
)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(well_formed_moves)
def test_every_well_formed_move_reads_back_as_itself(move: Move) -> None:
    assert malformed(move) == []
    text = write_move(move)
    assert "\n" not in text
    assert read_move(text) == move


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "verb"),
        ("; nothing", "verb"),
        ("@1,1 place", "verb"),
        ("place @1", "cell"),
        ("place @01,1", "cell"),
        ("place @1,-0", "cell"),
        ("place @200,0", "cell"),
        ("place r45", "rotation"),
        ("place ^X", "side"),
        ("bid =-3", "whole number"),
        ("bid =", "whole number"),
        ("bid =99999999999", "whole number"),
        ("buy %", "something must follow"),
        ('buy "tile"', "mark"),
        ('buy ~"tile', "cannot be read"),
        ('buy ~"tile"x', "cannot be read"),
        ('buy ~"\\x"', "quoted"),
        ("place tower-9-es tower-9-ne", "second tile"),
        ("buy" + " denar-1" * 129, "more than 128"),
        ("buy " + "x" * 65, "tile"),
        ("x" * 70_000, "characters"),
    ],
)
def test_a_text_that_is_no_move_is_refused_with_the_reason(text: str, what: str) -> None:
    with pytest.raises(BadNotation, match=what) as caught:
        read_move(text)
    assert caught.value.code == "TEXT_MALFORMED"


def test_the_refusal_says_in_which_column() -> None:
    with pytest.raises(BadNotation) as caught:
        read_move("place tower-9-es @nowhere")
    assert caught.value.metadata["column"] == 18


# -- Games -------------------------------------------------------------------------------------------------------------


def played(options: Options, seed: int, *, moves: int = 10_000) -> Game:
    """A random game with undos and resignations."""
    game, rng = Game.new(options), Random(seed)
    while not game.over and len(game.log) < moves:
        game.apply(game.random_move(rng))
        mover = game.log[-1].seat
        if rng.random() < 0.1 and game.can_undo(mover) is None:
            game.undo(mover)
        if rng.random() < 0.003 and not game.over:
            leaver = rng.randrange(len(options.seats))
            if not game.state.seats[leaver].resigned:
                game.resign(leaver)
    return game


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_game_reads_back_to_the_same_bytes(seats: int) -> None:
    game = played(Options(seats, "notation", confirm_turn=True), seats, moves=250)
    text = write_game(game)
    assert any(entry.kind == "undo" for entry in game.log)
    again = read_game(text)
    assert again.to_bytes() == game.to_bytes()
    assert write_game(again) == text


def test_a_finished_game_reads_back_to_the_same_bytes() -> None:
    game = played(Options(2, "to the end"), 5)
    assert game.over
    assert read_game(write_game(game)) == game


def test_a_resignation_stands_in_the_text_as_a_line() -> None:
    game = Game.new(Options(3, "resigned"))
    game.resign(1)
    assert "\n1 resign\n" in write_game(game)
    assert read_game(write_game(game)) == game


def test_unusual_options_read_back() -> None:
    seats: list[dict[str, Any]] = [
        {"name": 'A "quoted"; name', "colour": "orange", "age": 7},
        {"name": "Øystein", "colour": "blue"},
    ]
    options = Options(seats, 'line\nbreak " ; \\ \u2028', edition="hu_2003", turn_limit=9, confirm_turn=True)
    game = Game.new(options)
    again = read_game(write_game(game))
    assert again.options == options
    assert again == game


def test_comments_blank_lines_and_carriage_returns_are_ignored() -> None:
    game = played(Options(2, "comments"), 1, moves=5)
    lines = write_game(game).splitlines()
    text = "\r\n".join(f"{line} ; remark" if line else "; only a remark" for line in lines)
    assert read_game(text) == game


def test_a_short_header_is_enough() -> None:
    text = 'notation: alhambra/1\nseat: "Ada" white\nseat: "Grace" red 40\nseed: "short"\n'
    seats: list[dict[str, Any]] = [{"name": "Ada", "colour": "white"}, {"name": "Grace", "colour": "red", "age": 40}]
    assert read_game(text).options == Options(seats, "short")


def test_an_illegal_move_is_refused_with_its_line_and_the_violations() -> None:
    game = played(Options(3, "illegal"), 1, moves=4)
    lines = write_game(game).splitlines()
    mover = game.decision.seat if game.decision else 0
    text = "\n".join([*lines, "", f"{mover} take_money +gulden-1 +gulden-9"])
    with pytest.raises(BadNotation) as caught:
        read_game(text)
    assert caught.value.code == "REPLAY_FAILED"
    assert caught.value.metadata["line"] == len(lines) + 2
    assert "SUM_TOO_HIGH" in {violation["code"] for violation in caught.value.metadata["violations"]}


def test_a_move_of_the_wrong_seat_is_refused() -> None:
    game = Game.new(Options(3, "seat"))
    assert game.decision is not None
    other = (game.decision.seat + 1) % 3
    with pytest.raises(BadNotation) as caught:
        read_game(f"{write_game(game)}{other} pass\n")
    assert [violation["code"] for violation in caught.value.metadata["violations"]] == ["NOT_YOUR_DECISION"]


HEADER = 'notation: alhambra/1\nseat: "A" white\nseat: "B" red\nseed: "x"\n'


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "notation: alhambra/1"),
        ("notation: alhambra/2\n", "notation: alhambra/1"),
        ('notation: alhambra/1\nseat: "A" white\nseed: "x"\n', "2 to 6 players"),
        ('notation: alhambra/1\nseat: "A"\n', "line 2: a seat must have the form"),
        (HEADER + "colour: red\n", "line 5: unknown option 'colour'"),
        (HEADER + 'seed: "y"\n', "line 5: seed is given twice"),
        (HEADER + "edition: none\n", "unknown edition"),
        (HEADER + "modules: nonsense\n", "unknown module 'nonsense'"),
        (HEADER + "undo: perhaps\n", "undo cannot be 'perhaps'"),
        (HEADER + "turn_limit: soon\n", "turn_limit must be a number"),
        (HEADER + "ruleset: another\n", "ruleset another"),
        (HEADER + "0 pass\nundo: none\n", "header line after the first move"),
        (HEADER + "pass\n", "line 5: a line must start with a seat number"),
        (HEADER + "0\n", "line 5: a move must start with a verb"),
        (HEADER + "0 place @here\n", "line 5: column 9"),
        (HEADER + "0 undo\n", "line 5: UNDO_REFUSED"),
        (HEADER + "9 resign\n", "line 5: NOT_THERE"),
    ],
)
def test_a_text_that_is_no_game_is_refused_with_the_line(text: str, what: str) -> None:
    with pytest.raises(BadNotation) as caught:
        read_game(text)
    assert what in caught.value.message


def test_reading_a_log_full_of_undos_does_not_replay_it_each_time() -> None:
    game = played(Options(3, "patience", confirm_turn=True), 3, moves=60)
    while True:  # to a decision that reveals nothing
        move = game.legal_moves()[0]
        mover = game.decision.seat if game.decision else 0
        game.apply(move)
        if game.can_undo(mover) is None:
            break
    game.undo(mover)
    toggles = f"{mover} {write_move(move)}\n{mover} undo\n" * 1_000
    assert read_game(write_game(game) + toggles).version == game.version + 2_000


def test_an_undone_game_equals_the_one_played_live() -> None:
    game = Game.new(Options(2, "undo", confirm_turn=True))
    rng = Random(2)
    for _ in range(40):
        game.apply(game.random_move(rng))
        mover = game.log[-1].seat
        try:
            game.undo(mover)
        except IllegalMove:
            continue
        assert read_game(write_game(game)) == game
