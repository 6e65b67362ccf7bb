"""03 The bonus cards: a building without walls counts twice once its card is turned up."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import pytest

from alhambra import Game, Move, Options, registry
from alhambra.base.scoring import score_majorities, split_places
from alhambra.components import MAJORITY_VALUES, TYPES, component_data
from alhambra.modules.bonus_cards import BonusCards
from alhambra.modules.new_score_cards import ScoreCards
from alhambra.modules.squares import Stacks
from alhambra.players import Hoarder, NoveltySeeker, Resigner, Spoiler, Table, Undoer, apply_action
from tests.conformance.dice import Dice
from tests.rules.example_modules import register_examples
from tests.rules.modules.characters_table import give
from tests.rules.situations import (
    alhambra,
    codes,
    dirk,
    display,
    end_game,
    events_of,
    fact,
    hand,
    hold_scoring,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
    reserve,
    table,
    take_turn,
)

PRINTED = component_data()["modules"]["bonus_cards"]["data"]
CARDS = {card["id"]: card for card in PRINTED["cards"]}
GARDEN, TOWER, ARCADES = "bonus_garden-10", "bonus_tower-11", "bonus_arcades-9"


def bonus(seats: int = 3, *others: str, held: tuple[tuple[str, ...], ...] = (), **options: Any) -> Game:
    """A table where the seats hold these cards and nobody else any."""
    game = table(seats, modules=["bonus_cards", *others], **options)
    hands = (*held, *((),) * seats)[:seats]
    cards = game.module_state(BonusCards)
    cards.unseen, cards.returned, cards.revealed = hands, ((),) * seats, ((),) * seats
    cards.rest = tuple(sorted(set(CARDS) - {card for own in hands for card in own}))
    display(game, "dukat-1 dukat-2 gulden-1 denar-1")
    return game


def with_garden(*others: str, seats: int = 3) -> Game:
    """Seat 0 has built the garden for 10 without walls, and holds its card."""
    game = bonus(seats, *others, held=((GARDEN,),))
    alhambra(game, 0, {(1, 0): "garden-10"})
    return game


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def gardens(game: Game, number: int = 1) -> int:
    """How many gardens seat 0 has in a scoring; everybody else has none."""
    game.events = []
    score_majorities(game, number)
    lines = [line for line in events_of(game.events, "scored") if line["type"] == "garden"]
    return sum(int(line["count"]) for line in lines) // 2


# -- Dealing -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("03.3", "03.4")
@pytest.mark.parametrize(("seats", "each"), [(2, 3), (3, 3), (4, 2), (5, 2), (6, 1)])
def test_everybody_is_dealt_cards_by_the_number_of_players(seats: int, each: int) -> None:
    game = Game.new(Options(seats, "bonus", modules=["bonus_cards"]))
    dealt = [event for event in game.events if event.kind == "bonus_dealt"]
    assert [event.public for event in dealt] == [{"seat": seat, "count": each} for seat in range(seats)]
    for seat, event in enumerate(dealt):
        assert event.private is not None
        assert set(event.private) == {seat}
        assert event.private[seat]["pieces"] == game.module_state(BonusCards).unseen[seat]
        assert len(event.private[seat]["pieces"]) == each
    cards = game.module_state(BonusCards)
    assert len({*cards.rest, *(card for own in cards.unseen for card in own)}) == 10, "no card is dealt twice"
    assert len(cards.rest) == 10 - seats * each


@pytest.mark.rule("03.3")
def test_chance_decides_who_is_dealt_which_cards() -> None:
    dealt = set()
    for number in range(10):
        game = Game.new(Options(3, f"bonus {number}", modules=["bonus_cards"]))
        dealt.add(game.module_state(BonusCards).unseen[0])
    assert len(dealt) > 1


@pytest.mark.rule("03.5")
def test_only_the_owner_sees_which_cards_are_in_the_hand() -> None:
    game = with_garden()
    assert pieces(game, "bonus_cards", 0) == [{"kind": "bonus", "seat": 0, "piece": GARDEN, "choice": "face_down"}]
    for viewer in (None, 1, 2):
        assert pieces(game, "bonus_cards", viewer) == [{"kind": "bonus", "seat": 0, "choice": "face_down"}]


@pytest.mark.rule("03.1")
def test_every_card_shows_one_building_of_the_base_game_without_walls() -> None:
    game = bonus()
    for card in CARDS.values():
        tile = game.ruleset.tiles[card["tile"]]
        assert (tile.type, tile.price, tile.walls) == (card["type"], card["price"], 0)


# -- Turning up --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("03.6", "03.12", "03.24")
def test_a_card_that_is_turned_up_counts_as_one_more_building() -> None:
    """Worked example: wall-less garden for 10 built, its card revealed, no other garden: two gardens."""
    game = with_garden()
    assert gardens(game) == 1
    events = play(game, f"reveal_bonus {GARDEN}")
    assert events_of(events, "bonus_revealed") == [{"seat": 0, "piece": GARDEN}]
    assert gardens(game) == 2


@pytest.mark.rule("03.8")
def test_a_building_without_walls_of_the_same_type_but_another_price_is_not_the_one_shown() -> None:
    game = bonus(held=((TOWER,),))
    alhambra(game, 0, {(1, 0): "tower-12"})
    faults = refused(game, f"reveal_bonus {TOWER}")
    assert codes(faults) == ["CONDITION_UNMET"]
    assert fact(faults, "CONDITION_UNMET") == {"what": "shown_building", "need": 1, "have": 0}


@pytest.mark.rule("03.6")
def test_everybody_sees_a_card_that_is_turned_up() -> None:
    game = with_garden()
    play(game, f"reveal_bonus {GARDEN}")
    for viewer in (None, 0, 1):
        assert pieces(game, "bonus_cards", viewer) == [{"kind": "bonus", "seat": 0, "piece": GARDEN}]


@pytest.mark.rule("03.7", "03.28")
def test_turning_up_is_free_and_the_question_stays_open() -> None:
    game = with_garden()
    play(game, f"reveal_bonus {GARDEN}")
    assert asked(game) == ("action", 0)
    assert game.state.actions == 1
    assert game.state.taken == ()


@pytest.mark.rule("03.9", "03.25")
def test_if_the_building_goes_to_the_reserve_the_card_returns_to_the_hand() -> None:
    """Worked example: the same, then the garden is moved to the reserve: no garden counts, the card is in the hand."""
    game = with_garden()
    play(game, f"reveal_bonus {GARDEN}")
    events = play(game, "remove garden-10")
    assert events_of(events, "bonus_returned") == [{"seat": 0, "piece": GARDEN}]
    assert gardens(game) == 0
    assert pieces(game, "bonus_cards", 1) == [{"kind": "bonus", "seat": 0, "choice": "face_down"}]


@pytest.mark.rule("03.9")
def test_the_cards_of_other_buildings_stay_turned_up_when_one_leaves() -> None:
    game = bonus(held=((GARDEN, ARCADES),))
    alhambra(game, 0, {(1, 0): "garden-10", (0, 1): "arcades-9"})
    play(game, f"reveal_bonus {GARDEN}")
    play(game, f"reveal_bonus {ARCADES}")
    events = play(game, "remove arcades-9")
    assert events_of(events, "bonus_returned") == [{"seat": 0, "piece": ARCADES}]
    assert game.module_state(BonusCards).revealed[0] == (GARDEN,)


@pytest.mark.rule("03.11", "03.26")
def test_a_rebuilt_building_counts_once_until_the_card_is_turned_up_again() -> None:
    """Worked example: garden rebuilt, card not revealed again: one garden."""
    game = bonus(held=((GARDEN,),))
    alhambra(game, 0, {(1, 0): "garden-10"})
    play(game, f"reveal_bonus {GARDEN}")
    play(game, "remove garden-10")
    display(game, "dukat-1 dukat-2 gulden-1 denar-1")
    take_turn(game)
    take_turn(game)
    play(game, "add garden-10 @1,0")
    assert gardens(game) == 1
    take_turn(game)
    take_turn(game)
    play(game, f"reveal_bonus {GARDEN}")
    assert gardens(game) == 2


@pytest.mark.rule("03.8", "03.27")
def test_a_building_of_the_same_price_with_a_wall_is_not_the_one_shown() -> None:
    """Worked example: garden for 10 with a printed wall built: its card may not be revealed."""
    game = bonus(held=((GARDEN,),))
    walled = next(
        tile for tile in game.ruleset.tiles.values() if tile.type == "garden" and tile.price == 10 and tile.walls
    )
    board = game.board(0)
    cell = board.legal_cells(walled)[0]
    alhambra(game, 0, {cell: walled.id})
    assert codes(refused(game, f"reveal_bonus {GARDEN}")) == ["CONDITION_UNMET"]


@pytest.mark.rule("03.6", "03.15")
@pytest.mark.parametrize("where", ["reserve", "another Alhambra", "Dirk"])
def test_a_building_elsewhere_does_not_help(where: str) -> None:
    game = bonus(2 if where == "Dirk" else 3, held=((GARDEN,),))
    if where == "reserve":
        reserve(game, 0, "garden-10")
    elif where == "Dirk":
        dirk(game, "garden-10")
    else:
        alhambra(game, 1, {(1, 0): "garden-10"})
    assert codes(refused(game, f"reveal_bonus {GARDEN}")) == ["CONDITION_UNMET"]


@pytest.mark.rule("03.34")
def test_a_card_in_another_hand_and_one_that_left_the_game_are_refused_alike() -> None:
    game = bonus(held=((), (GARDEN,)))
    alhambra(game, 0, {(1, 0): "garden-10", (0, 1): "tower-11"})
    assert [dict(fault.metadata, id="") for fault in refused(game, f"reveal_bonus {GARDEN}")] == [
        dict(fault.metadata, id="") for fault in refused(game, f"reveal_bonus {TOWER}")
    ]
    assert codes(refused(game, "reveal_bonus", piece="bonus_garden-99")) == ["ID_UNKNOWN"]


@pytest.mark.rule("03.20", "09.17")
def test_wooden_walls_do_not_matter() -> None:
    game = with_garden("city_walls")
    game.state.wooden_walls = {"garden-10": (2,)}
    game.state.seats[0].board = game.board(0)
    game.state.seats[0].board.add_wooden_walls("garden-10", (2,))
    assert legal(game, f"reveal_bonus {GARDEN}")


@pytest.mark.rule("03.22")
def test_a_building_under_a_site_is_not_the_one_shown_yet() -> None:
    game = with_garden()
    game.state.covered = ("garden-10",)
    assert codes(refused(game, f"reveal_bonus {GARDEN}")) == ["CONDITION_UNMET"]


@pytest.mark.rule("03.28")
def test_a_card_may_be_turned_up_while_tiles_are_placed() -> None:
    game = with_garden()
    market(game, denar="arcades-9")
    hand(game, 0, "denar-9 denar-1")
    play(game, "buy market-denar denar-1 denar-9")
    play(game, f"reveal_bonus {GARDEN}")
    assert asked(game) == ("place_tiles", 0)
    play(game, "place arcades-9 @0,1")


@pytest.mark.rule("03.28")
def test_a_card_may_be_turned_up_at_the_start_of_a_turn_whatever_was_done_before() -> None:
    game = bonus(3, "characters", held=((), (TOWER,)))
    give(game, 1, "dancer")
    alhambra(game, 1, {(1, 0): "tower-11"})
    market(game, denar="garden-10", gulden="garden-11", dirham="arcades-9", dukat="arcades-10")
    take_turn(game)
    assert asked(game) == ("start", 1)
    game.state.rank = 9
    play(game, f"reveal_bonus {TOWER}")
    assert asked(game) == ("start", 1)
    assert game.state.rank == 9


@pytest.mark.rule("03.18")
def test_a_building_bought_by_the_vizier_may_be_shown_as_soon_as_it_is_built() -> None:
    game = bonus(3, "viziers_favour", held=((), (ARCADES,)))
    market(game, denar="arcades-9", gulden="garden-11", dirham="garden-10", dukat="arcades-10")
    hand(game, 1, "denar-9")
    take_turn(game)
    play(game, "buy market-denar denar-9")
    play(game, "place arcades-9 @1,0")
    while asked(game)[1] != 1:
        play(game, "pass")
    assert legal(game, f"reveal_bonus {ARCADES}")


@pytest.mark.rule("03.10")
def test_a_relocation_takes_the_card_back_into_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    register_examples()
    game = with_garden("example_carters")
    play(game, f"reveal_bonus {GARDEN}")
    moves = [move for move in game.moves() if move.verb == "move_tile" and move.tile == "garden-10"]
    assert moves
    events = game.apply(moves[0])
    assert events_of(events, "bonus_returned") == [{"seat": 0, "piece": GARDEN}]


@pytest.mark.rule("03.10")
def test_a_swap_takes_the_card_back_into_the_hand() -> None:
    game = with_garden()
    reserve(game, 0, "garden-11")
    play(game, f"reveal_bonus {GARDEN}")
    assert events_of(play(game, "swap garden-11 @1,0"), "bonus_returned")


@pytest.mark.rule("03.35")
def test_turning_up_is_never_taken_back() -> None:
    game = Game.new(Options(3, "undo", modules=["bonus_cards"], undo="by_consent"))
    rng = Random(4)
    while not any(move.verb == "reveal_bonus" for move in game.legal_moves()):
        game.apply(game.random_move(rng))
    seat = asked(game)[1]
    game.apply(next(move for move in game.legal_moves() if move.verb == "reveal_bonus"))
    refused_because = game.can_undo(seat, consent=True)
    assert refused_because is not None
    assert refused_because.metadata["because"] == "revealed"


# -- During a scoring --------------------------------------------------------------------------------------------------


@pytest.mark.rule("03.29", "03.32")
def test_every_holder_is_asked_before_a_scoring_whether_a_card_fits_or_not() -> None:
    game = bonus(held=((GARDEN,), (), (TOWER,)))
    hold_scoring(game, 1)
    assert asked(game) == ("reveals", 2), "the first holder from the player due next"
    play(game, "pass")
    assert asked(game) == ("reveals", 0)
    assert not events_of(game.events, "scoring_ended")
    assert events_of(play(game, "pass"), "scoring_ended")


@pytest.mark.rule("03.29")
def test_after_a_card_was_turned_up_the_same_seat_goes_on_and_then_all_decide_afresh() -> None:
    game = bonus(held=((GARDEN, ARCADES), (TOWER,), ("bonus_tower-12",)))
    alhambra(game, 0, {(1, 0): "garden-10", (0, 1): "arcades-9"})
    hold_scoring(game, 1)
    order = []
    for answer in ("pass", "pass", f"reveal_bonus {GARDEN}", "pass", "pass", "pass"):
        order.append(asked(game)[1])
        play(game, answer)
    assert order == [1, 2, 0, 0, 1, 2]
    assert asked(game)[0] != "reveals", "all have passed since the last reveal"


@pytest.mark.rule("03.30")
def test_a_seat_without_a_further_card_is_not_asked_on() -> None:
    game = with_garden()
    game.module_state(BonusCards).unseen = ((GARDEN,), (TOWER,), ())
    hold_scoring(game, 1)
    play(game, "pass")
    play(game, f"reveal_bonus {GARDEN}")
    assert asked(game) == ("reveals", 1)


@pytest.mark.rule("03.14")
def test_a_card_turned_up_during_the_scoring_counts_in_it() -> None:
    game = with_garden()
    hold_scoring(game, 1)
    events = play(game, f"reveal_bonus {GARDEN}")
    (line,) = [line for line in events_of(events, "scored") if line.get("type") == "garden"]
    assert line["parts"] == (("base", 2), ("bonus_cards", 2))


@pytest.mark.rule("03.19", "07.59")
def test_the_wise_man_speaks_first_and_adds_on_top() -> None:
    game = with_garden("characters")
    give(game, 0, "wise_man")
    hold_scoring(game, 1)
    assert asked(game) == ("wise_man", 0)
    play(game, "declare", type="garden")
    assert asked(game) == ("reveals", 0)
    events = play(game, f"reveal_bonus {GARDEN}")
    (line,) = [line for line in events_of(events, "scored") if line.get("type") == "garden"]
    assert line["count"] == 5


@pytest.mark.rule("03.13")
@pytest.mark.parametrize("number", [1, 2])
def test_before_the_last_scoring_a_card_that_fits_stays_hidden_if_its_owner_passes(number: int) -> None:
    game = with_garden()
    assert not events_of(hold_scoring(game, number), "bonus_revealed")
    assert asked(game) == ("reveals", 0)
    events = play(game, "pass")
    (line,) = [line for line in events_of(events, "scored") if line.get("type") == "garden"]
    assert line["count"] == 2, "one building, counted in halves"
    assert game.module_state(BonusCards).unseen[0] == (GARDEN,)


@pytest.mark.rule("03.16", "03.31")
def test_in_the_last_scoring_every_card_that_fits_is_turned_up_without_a_question() -> None:
    game = bonus(held=((GARDEN, TOWER), (ARCADES,)))
    alhambra(game, 0, {(1, 0): "garden-10"})
    events = end_game(game)
    assert game.over
    assert events_of(events, "bonus_revealed") == [{"seat": 0, "piece": GARDEN, "forced": True}]
    (line,) = [line for line in events_of(events, "scored") if line.get("type") == "garden"]
    assert line["count"] == 4


@pytest.mark.rule("03.15")
def test_dirk_has_no_cards_and_a_card_does_not_help_him() -> None:
    game = bonus(2, held=((TOWER,),))
    alhambra(game, 0, {(1, 0): "tower-11"})
    dirk(game, "garden-10", "garden-11")
    play(game, f"reveal_bonus {TOWER}")
    counts = {line["seat"]: line["count"] for line in events_of(hold_scoring(game, 1), "scored") if "type" in line}
    assert counts == {0: 4, 2: 4}, "two towers with the card, two gardens without"


@pytest.mark.rule("03.17", "04.30")
def test_a_card_is_no_tile_for_walls_squares_and_camps() -> None:
    game = bonus(3, "squares", "military_camps", held=((GARDEN,),))
    stacks = game.module_state(Stacks)
    left = tuple(tile for tile in stacks.stacks["garden"] if tile != "square_garden_2")
    stacks.stacks = {**stacks.stacks, "garden": left}
    game.state.tower = (*game.state.tower, "square_garden_2")
    alhambra(game, 0, {(1, 0): "garden-10", (2, 0): "square_garden_2", (3, 0): "camp_W"})
    play(game, f"reveal_bonus {GARDEN}")
    events = hold_scoring(game, 1)
    assert points(events, "wall") == {0: 1}, "the east wall of the square"
    assert points(events, "camp") == {0: 3}, "square, garden and fountain"
    (line,) = [line for line in events_of(events, "scored") if line.get("type") == "garden"]
    assert dict(line["parts"]) == {"base": 2, "bonus_cards": 2, "squares": 2}, "in halves: the square has one neighbour"


@pytest.mark.rule("03.21", "17.10")
def test_a_card_changes_what_is_counted_and_new_score_cards_what_that_is_worth() -> None:
    game = with_garden("new_score_cards")
    game.module_state(ScoreCards).cards = ("score_card_8",) * 3  # most gardens are worth 3 in scoring 1, not 5
    alhambra(game, 1, {(1, 0): "garden-11"})
    play(game, f"reveal_bonus {GARDEN}")
    assert points(hold_scoring(game, 1), "majority", type="garden") == {0: 3}


# -- Leaving -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("03.36")
def test_cards_that_are_turned_up_stay_and_count_when_their_owner_resigns() -> None:
    game = bonus(4, held=((GARDEN, TOWER), (ARCADES,)))
    alhambra(game, 0, {(1, 0): "garden-10"})
    play(game, f"reveal_bonus {GARDEN}")
    game.resign(0)
    assert game.module_state(BonusCards).revealed[0] == (GARDEN,)
    assert TOWER in game.module_state(BonusCards).rest
    assert gardens(game) == 2


@pytest.mark.rule("03.36")
def test_a_card_that_returned_leaves_the_game_openly_with_its_owner() -> None:
    game = bonus(4, held=((GARDEN, TOWER),))
    alhambra(game, 0, {(1, 0): "garden-10"})
    play(game, f"reveal_bonus {GARDEN}")
    play(game, "remove garden-10")
    game.resign(0)
    assert GARDEN in game.state.box
    assert TOWER not in game.state.box
    assert all(GARDEN not in game.determinize(1, Random(number)).module_state(BonusCards).rest for number in range(5))


# -- The count, by an oracle -------------------------------------------------------------------------------------------


@pytest.mark.rule("03.12", "03.17")
def test_majorities_agree_with_the_page_on_random_tables() -> None:
    """Each revealed card counts as one extra tile of its type; the page knows nothing else."""
    rng = Random(3)
    for _ in range(60):
        game = bonus(3)
        stock = [card["tile"] for card in CARDS.values()]
        rng.shuffle(stock)
        counts: dict[str, dict[int, int]] = {name: dict.fromkeys(range(3), 0) for name in TYPES}
        shown: list[tuple[str, ...]] = []
        for seat in range(3):
            own = [stock.pop() for _ in range(rng.randrange(4))]
            cells = [(1, 0), (0, 1), (-1, 0)]
            alhambra(game, seat, dict(zip(cells, own, strict=False)))
            cards = [card for card, data in CARDS.items() if data["tile"] in own and rng.random() < 0.6]
            shown.append(tuple(cards))
            for tile in own:
                counts[tile.partition("-")[0]][seat] += 1
            for card in cards:
                counts[CARDS[card]["type"]][seat] += 1
        game.module_state(BonusCards).revealed = tuple(shown)
        game.events = []
        score_majorities(game, 2)
        for name in TYPES:
            expected = {
                seat: won for seat, (won, *_) in split_places(counts[name], MAJORITY_VALUES[name][2]).items() if won
            }
            assert points(game.events, "majority", type=name) == expected


# -- What the others may know ------------------------------------------------------------------------------------------


@pytest.mark.rule("03.5")
def test_nothing_but_a_reveal_tells_which_cards_a_seat_holds() -> None:
    """Two games that differ in one hand look the same to the others, question by question, until a card is shown."""
    for one, other in permutations((GARDEN, TOWER, ARCADES), 2):
        games = [bonus(held=((card,), (), ())) for card in (one, other)]
        for game in games:
            alhambra(game, 0, {(1, 0): "garden-10"})
            hold_scoring(game, 1)
        for viewer in (None, 1, 2):
            assert games[0].view(viewer) == games[1].view(viewer)
        for game in games:
            play(game, "pass")
        for viewer in (None, 1, 2):
            assert games[0].view(viewer) == games[1].view(viewer)


@pytest.mark.rule("03.33")
@pytest.mark.parametrize("habits", [(NoveltySeeker, Hoarder, Undoer), (Spoiler, Resigner, NoveltySeeker, Undoer)])
def test_twins_deal_unseen_cards_anew_and_keep_what_everybody_has_seen(habits: tuple[Any, ...]) -> None:
    seats = len(habits)
    game = Game.new(Options(seats, "twins", modules=["bonus_cards"], undo="by_consent"))
    people, dice, rng, differed = Table.of(habits, seats), Dice(3), Random(6), False
    while game.decision is not None:
        cards = game.module_state(BonusCards)
        for viewer in (None, *range(seats)) if game.version % 5 == 0 else ():
            sample = game.determinize(viewer, rng)
            dealt = sample.module_state(BonusCards)
            assert sample.view(viewer) == game.view(viewer)
            assert (dealt.returned, dealt.revealed) == (cards.returned, cards.revealed)
            assert viewer is None or dealt.unseen[viewer] == cards.unseen[viewer]
            differed |= dealt.unseen != cards.unseen
        apply_action(game, people.next(game, dice))
    assert differed


@pytest.mark.rule("03.33")
def test_a_card_that_returned_stays_in_that_hand_in_every_twin() -> None:
    game = bonus(held=((GARDEN,), (TOWER,), (ARCADES,)))
    alhambra(game, 0, {(1, 0): "garden-10"})
    play(game, f"reveal_bonus {GARDEN}")
    play(game, "remove garden-10")
    for number in range(30):
        assert game.determinize(1, Random(number)).module_state(BonusCards).returned == ((GARDEN,), (), ())
    assert game.module_state(BonusCards).unseen[0] == ()


@pytest.mark.rule("03.4")
def test_a_card_in_another_hand_might_be_one_of_those_that_left_the_game_unseen() -> None:
    game = bonus(held=((GARDEN,),))
    hands = {game.determinize(1, Random(number)).module_state(BonusCards).unseen[0] for number in range(30)}
    assert len(hands) > 1
    assert all(len(own) == 1 for own in hands)


@pytest.mark.rule("03.29")
def test_standing_orders_reveal_everything_or_nothing() -> None:
    game = bonus(held=((GARDEN, TOWER),))
    alhambra(game, 0, {(1, 0): "garden-10"})
    hold_scoring(game, 1)
    assert game.decision is not None
    orders = {order.answer: order for order in game.question().kind.orders}
    assert list(orders["reveal_all"].moves(game, game.decision)) == [Move("reveal_bonus", piece=GARDEN), Move("pass")]
    assert list(orders["pass"].moves(game, game.decision)) == [Move("pass")]
