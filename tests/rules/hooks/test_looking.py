"""A seat looks at the next tiles or cards: it knows their places from then on, and the others learn nothing of them."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from alhambra import Game, Move
from alhambra.base.peek import known_to, lay_on_top, peek, take_out
from alhambra.base.supply import clear_space, draw_from_deck, draw_tile, gain, lose, sink_tile
from alhambra.invariants import BrokenInvariant, Invariants, census
from alhambra.known_positions import DECK, TOWER, known_positions
from tests.rules.example_modules.cellars import Cellars
from tests.rules.hooks.asking import asked
from tests.rules.observation import as_text, observed, reaching, shown
from tests.rules.situations import codes, deck, discard, display, hand, market, play, refused, table, take_turn, tower

FULL = {"gulden": "garden-10", "dirham": "garden-11", "denar": "tower-11", "dukat": "tower-12"}
NEXT = ("arcades-9", "arcades-10", "chambers-10", "chambers-11")
CARDS = ("denar-9", "denar-8", "denar-7", "denar-6")
TWINS = 20
EVERYBODY = (None, 0, 1, 2)


def looking() -> Game:
    """Seat 0 looks at the next three tiles and is asked which one it hides."""
    game = table(modules=["example_cellars"])
    market(game, **FULL)
    tower(game, *NEXT)
    display(game, "gulden-1 gulden-2")
    play(game, "take_money gulden-1")
    play(game, "look_down")
    assert asked(game) == ("cellar", 0)
    return game


def hidden() -> Game:
    """Seat 0 has hidden the second of the tiles; the third is drawn before the first."""
    game = looking()
    play(game, "hide arcades-10 market-denar", choice="reversed")
    return game


def reading() -> Game:
    """Seat 0 looks at the next three cards and is asked which one it keeps."""
    game = table(modules=["example_seers"])
    market(game, **FULL)
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4 gulden-5")
    deck(game, *CARDS)
    play(game, "take_money gulden-1")
    play(game, "look_ahead")
    assert asked(game) == ("seer", 0)
    return game


def split_deck(game: Game, *topmost: int) -> None:
    """The deck consists of these piles on top, the last one drawn first, and one pile of everything else."""
    game.state.piles = (len(game.state.deck) - sum(topmost), *topmost)


# -- Places ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.57")
def test_only_the_seat_that_looks_sees_the_tiles() -> None:
    game = looking()
    assert game.view(0)["decision"]["private"] == {"tiles": list(NEXT[:3])}
    for viewer in (None, 1, 2):
        text = as_text([shown(game, viewer), reaching(viewer, game.events)])
        assert not [tile for tile in NEXT if f'"{tile}"' in text]
        assert game.view(viewer)["slices"]["example_cellars"]["known"] == ()


def test_what_was_laid_back_is_known_to_the_seat_in_its_new_order() -> None:
    game = hidden()
    assert game.state.tower[-1] == "chambers-10"
    assert game.view(0)["slices"]["example_cellars"]["known"] == ((0, "chambers-10"), (1, "arcades-9"))
    assert game.view(0)["slices"]["example_cellars"]["own"] == {"market-denar": "arcades-10"}
    assert game.view(1)["slices"]["example_cellars"] == {"hidden": ["market-denar"], "own": {}, "known": ()}
    assert census(game) == census(looking())


def test_only_a_tile_that_was_looked_at_can_be_taken() -> None:
    assert codes(refused(looking(), "hide chambers-11 market-denar", choice="reversed")) == ["NOT_THERE"]


@pytest.mark.rule("00.57")
def test_known_places_are_forgotten_as_they_are_drawn() -> None:
    game = hidden()
    draw_tile(game)
    assert known_to(game, 0, TOWER) == ((0, "arcades-9"),)
    draw_tile(game)
    assert game.state.known_positions == {}


@pytest.mark.rule("00.57")
def test_known_places_rise_when_a_tile_is_sunk() -> None:
    game = hidden()
    before = known_positions(game.state, TOWER, 0)
    sink_tile(game, game.state.market[0])
    assert known_positions(game.state, TOWER, 0) == tuple(place + 1 for place in before)
    assert known_to(game, 0, TOWER) == ((0, "chambers-10"), (1, "arcades-9"))


@pytest.mark.rule("00.57")
def test_known_places_rise_when_the_discard_is_shuffled_under_the_deck() -> None:
    game = table(modules=["example_seers"])
    discard(game, "dukat-1 dukat-2 dukat-3")
    deck(game, "denar-9", "denar-8", only=True)
    assert peek(game, 0, DECK, 1) == ("denar-9",)
    assert peek(game, 1, DECK, 4)[:2] == ("denar-9", "denar-8")
    assert known_to(game, 0, DECK) == ((0, "denar-9"),)
    assert len(known_to(game, 1, DECK)) == 4
    assert game.state.piles == (3, 2)


@pytest.mark.rule("00.32")
def test_a_deck_with_just_enough_cards_is_looked_at_as_it_is() -> None:
    game = table(modules=["example_seers"])
    discard(game, "dukat-1 dukat-2 dukat-3")
    deck(game, "denar-9", "denar-8", only=True)
    assert peek(game, 0, DECK, 2) == ("denar-9", "denar-8")
    assert len(game.state.discard) == 3
    assert game.state.piles == (2,)


@pytest.mark.rule("00.57")
def test_the_rest_of_the_tower_stays_hidden_when_a_tile_was_drawn() -> None:
    game = table()
    market(game, denar="garden-10")
    sink_tile(game, clear_space(game, 2))
    draw_tile(game)
    towers = {game.determinize(0, Random(number)).state.tower for number in range(TWINS)}
    assert len(towers) > TWINS // 2
    assert {tower[0] for tower in towers} == {"garden-10"}, "it was sunk before everybody"


@pytest.mark.rule("00.57")
def test_sunk_tiles_that_a_seat_may_have_reordered_are_hidden_from_the_others() -> None:
    game = table()
    market(game, denar="garden-10", dukat="tower-11")
    tower(game, only=True)
    for place in (2, 3):
        sink_tile(game, clear_space(game, place))

    def towers(viewer: int) -> set[tuple[str, ...]]:
        return {game.determinize(viewer, Random(number)).state.tower for number in range(TWINS)}

    assert len(towers(1)) == 1
    peek(game, 0, TOWER, 2)
    lay_on_top(game, 0, TOWER, game.state.tower)
    assert len(towers(1)) == 2
    assert towers(0) == {game.state.tower}


def test_a_deck_without_enough_cards_is_looked_at_as_far_as_it_goes() -> None:
    game = table(modules=["example_seers"])
    deck(game, "denar-9", "denar-8", only=True)
    assert peek(game, 0, DECK, 3) == ("denar-9", "denar-8")


@pytest.mark.rule("00.57")
def test_a_seat_that_lays_tiles_in_another_order_takes_the_knowledge_of_them_from_the_others() -> None:
    game = table()
    tower(game, *NEXT)
    peek(game, 1, TOWER, 4)
    peek(game, 0, TOWER, 3)
    take_out(game, 0, TOWER, "arcades-10", 3)
    lay_on_top(game, 0, TOWER, ("chambers-10", "arcades-9"))
    assert known_to(game, 0, TOWER) == ((0, "chambers-10"), (1, "arcades-9"))
    assert known_to(game, 1, TOWER) == ((2, "chambers-11"),)


@pytest.mark.rule("00.57")
def test_a_seat_that_takes_a_tile_out_unseen_takes_the_knowledge_of_the_others_about_that_region() -> None:
    game = table()
    tower(game, *NEXT)
    peek(game, 1, TOWER, 4)
    peek(game, 0, TOWER, 3)
    take_out(game, 0, TOWER, "arcades-10", 3)
    assert known_to(game, 1, TOWER) == ((2, "chambers-11"),)


def test_whoever_has_looked_cannot_take_it_back() -> None:
    assert [fault.metadata["because"] for fault in [looking().can_undo(0)] if fault is not None] == ["revealed"]


def test_what_a_seat_knows_survives_bytes_and_copies() -> None:
    game = hidden()
    assert game.with_state(game.state_bytes()).view(0) == game.view(0)
    copy = game.clone()
    draw_tile(copy)
    assert len(known_to(game, 0, TOWER)) == 2


@pytest.mark.rule("00.57")
def test_drawing_a_card_forgets_its_place_in_the_deck_and_leaves_the_tower_alone() -> None:
    game = table()
    tower(game, *NEXT)
    deck(game, *CARDS)
    peek(game, 0, TOWER, 2)
    peek(game, 0, DECK, 2)
    assert draw_from_deck(game) == "denar-9"
    assert known_to(game, 0, DECK) == ((0, "denar-8"),)
    assert len(known_to(game, 0, TOWER)) == 2


def test_a_card_taken_out_of_several_piles_leaves_one_pile_of_them() -> None:
    game = table()
    deck(game, *CARDS)
    split_deck(game, 1, 2)
    peek(game, 0, DECK, 3)
    take_out(game, 0, DECK, "denar-7", 3)
    assert game.state.piles == (len(game.state.deck) - 2, 2)
    assert sum(game.state.piles) == len(game.state.deck)


def test_the_last_card_of_the_deck_can_be_taken_out_and_the_deck_is_made_anew() -> None:
    game = table()
    discard(game, "dukat-1 dukat-2")
    deck(game, "denar-9", only=True)
    peek(game, 0, DECK, 1)
    take_out(game, 0, DECK, "denar-9", 1)
    lay_on_top(game, 0, DECK, ())
    assert (game.state.deck, game.state.piles, game.state.known_positions) == ((), (), {})
    assert draw_from_deck(game) in ("dukat-1", "dukat-2")
    assert game.state.piles == (1,)


def test_cards_of_several_piles_that_are_laid_in_another_order_become_one_pile() -> None:
    game = table()
    deck(game, *CARDS)
    split_deck(game, 1, 2)
    peek(game, 0, DECK, 3)
    lay_on_top(game, 0, DECK, CARDS[2::-1])
    assert game.state.piles == (len(game.state.deck) - 3, 3)


# -- Twins -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.57")
def test_in_twins_known_places_stay_for_the_seat_that_knows_them_and_for_no_other() -> None:
    game = hidden()
    for viewer in EVERYBODY:
        samples = [game.determinize(viewer, Random(number)) for number in range(TWINS)]
        tops = {sample.state.tower[-2:] for sample in samples}
        under = {sample.module_state(Cellars).hidden for sample in samples}
        if viewer == 0:
            assert tops == {("arcades-9", "chambers-10")}
            assert under == {game.module_state(Cellars).hidden}
        else:
            assert len(tops) > 5
            assert len(under) > 5
        assert {census(sample) == census(game) for sample in samples} == {True}
        assert all(observed(sample, viewer) == observed(game, viewer) for sample in samples)


def test_in_twins_a_tile_that_was_hidden_by_a_seat_can_lie_in_the_tower() -> None:
    game = hidden()
    samples = [game.determinize(1, Random(number)) for number in range(TWINS)]
    assert any("arcades-10" in sample.state.tower for sample in samples)


@pytest.mark.rule("00.57")
def test_in_twins_sunk_tiles_stay_for_everybody() -> None:
    game = hidden()
    sink_tile(game, "garden-10")
    for viewer in EVERYBODY:
        assert game.determinize(viewer, Random(5)).state.tower[0] == "garden-10"


def test_in_twins_cards_that_a_seat_knows_stay_for_it_and_for_no_other() -> None:
    game = reading()
    play(game, "keep_card denar-8")
    assert game.view(0)["slices"]["example_seers"]["known"] == ((0, "denar-7"), (1, "denar-9"))
    for viewer in EVERYBODY:
        samples = [game.determinize(viewer, Random(number)) for number in range(TWINS)]
        tops = {sample.state.deck[-2:] for sample in samples}
        hands = {sample.state.seats[0].hand for sample in samples}
        assert (tops == {("denar-9", "denar-7")}) == (viewer == 0)
        assert (len(hands) == 1) == (viewer == 0)
        assert all(observed(sample, viewer) == observed(game, viewer) for sample in samples)


def test_in_twins_a_scoring_card_on_top_of_its_pile_stays_there_unless_another_seat_has_looked_at_it() -> None:
    game = table(scoring_card_placement="on_top")
    deck(game, "scoring-1")
    split_deck(game, 6)

    def next_cards(viewer: int) -> set[str]:
        return {game.determinize(viewer, Random(number)).state.deck[-1] for number in range(TWINS)}

    assert next_cards(1) == {"scoring-1"}
    peek(game, 0, DECK, 2)
    assert len(next_cards(1)) > 2
    assert next_cards(0) == {"scoring-1"}


def swapped(game: Game, one: int, other: int) -> Game:
    """A copy in which two tiles of the tower, counted from the next one, have changed places."""
    sample = game.clone()
    tiles = list(sample.state.tower)
    tiles[-1 - one], tiles[-1 - other] = tiles[-1 - other], tiles[-1 - one]
    sample.state.tower = tuple(tiles)
    return sample


def test_a_twin_in_which_a_known_tile_changed_places_is_told_apart_by_the_seat_that_knows_it() -> None:
    """Control: whether a twin keeps known places can be seen."""
    game = hidden()
    sample = swapped(game, 0, 5)
    assert observed(sample, 0) != observed(game, 0)
    assert all(observed(sample, viewer) == observed(game, viewer) for viewer in (None, 1, 2))
    assert observed(swapped(game, 4, 5), 0) == observed(game, 0), "places that it does not know"


def test_the_invariants_find_a_twin_that_does_not_keep_known_places(monkeypatch: pytest.MonkeyPatch) -> None:
    game = hidden()
    invariants = Invariants(game, Random(1))
    invariants.check_leaks(0)
    monkeypatch.setattr("alhambra.determinize.known_positions", lambda _state, _supply, _seat: ())
    with pytest.raises(BrokenInvariant, match="viewer 0 can distinguish the determinization"):
        invariants.check_leaks(0)


def test_two_games_that_differ_in_the_hidden_tile_go_on_alike_for_the_others() -> None:
    one, two = looking(), looking()
    told = play(one, "hide arcades-10 market-denar", choice="reversed")
    told_otherwise = play(two, "hide arcades-9 market-denar", choice="as_drawn")
    for _ in range(4):
        for viewer in (None, 1, 2):
            assert reaching(viewer, told) == reaching(viewer, told_otherwise)
            assert observed(one, viewer) == observed(two, viewer)
        assert observed(one, 0) != observed(two, 0)
        told, told_otherwise = take_turn(one), take_turn(two)
        while one.decision is not None and one.decision.kind == "late":
            told, told_otherwise = one.apply(Move("pass")), two.apply(Move("pass"))


# -- Kinds of unseen cards -------------------------------------------------------------------------------------------


def kinds_in_hand(sample: Game, seat: int) -> tuple[str, ...]:
    return tuple(sample.ruleset.cards[card].kind for card in sample.state.seats[seat].unseen)


@pytest.mark.parametrize("card", ["charm", "denar-8"])
def test_in_twins_a_card_drawn_unseen_can_be_of_any_kind_that_a_hand_can_hold(card: str) -> None:
    game = table(modules=["example_seers"])
    hand(game, 1, card)
    game.state.seats[1].unseen = (card,)
    samples = [game.determinize(0, Random(number)) for number in range(300)]
    assert {kinds_in_hand(sample, 1) for sample in samples} == {("money",), ("charm",)}
    own = [game.determinize(1, Random(number)) for number in range(TWINS)]
    assert {sample.state.seats[1].hand for sample in own} == {(card,)}
    for sample in samples:
        assert census(sample) == census(game)
        assert sample.view(0) == game.view(0)


def test_in_twins_a_card_of_a_kind_that_was_dealt_to_every_hand_keeps_its_kind() -> None:
    game = table(modules=["example_masons"], dealt=True)
    assert game.state.seats[1].unseen_kinds == ("mason",)
    samples = [game.determinize(0, Random(number)) for number in range(TWINS)]
    assert {kinds_in_hand(sample, 1) for sample in samples} == {("mason",)}
    assert len({sample.state.seats[1].unseen for sample in samples}) > 1


@pytest.mark.rule("00.57")
def test_whoever_spends_a_card_of_a_known_kind_is_known_to_hold_one_less() -> None:
    game = table(modules=["example_masons"])
    gain(game, 1, ("mason-denar",), unseen=True, of_known_kind=True)
    gain(game, 1, ("mason-dukat",), unseen=True)
    lose(game, 1, ("mason-dukat",))
    assert game.state.seats[1].unseen == ("mason-denar",)
    assert game.state.seats[1].unseen_kinds == (), "the others cannot tell which of the two was spent"


def test_in_twins_what_lies_in_the_piles_changes_by_no_more_than_the_cards_drawn_unseen() -> None:
    game = table(modules=["example_seers"])
    hand(game, 1, "denar-8")
    game.state.seats[1].unseen = ("denar-8",)
    bounds = [sum(game.state.piles[:number]) for number in range(len(game.state.piles) + 1)]
    for number in range(TWINS):
        sample = game.determinize(0, Random(number))
        moved = 0
        for low, high in pairwise(bounds):
            moved += abs(sample.state.deck[low:high].count("charm") - game.state.deck[low:high].count("charm"))
        assert moved <= 1
