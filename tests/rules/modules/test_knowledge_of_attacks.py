"""15 The invaders: what each buyer knows of the next attack, and the card that is never used."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Game
from alhambra.components import OPEN, SIDES
from alhambra.modules.invaders import Invaders, public_pieces
from tests.rules.modules.test_invaders import end_with_a_space_empty, invaded, seen
from tests.rules.situations import display, events_of, hand, hold_scoring, kinds, market, play, points


def two_buyers() -> Game:
    """Seat 0 has won the garden's scout, seat 1 the tower's; seat 1 has a further action."""
    game = invaded(attacks="SNEW")
    hand(game, 0, "denar-9")
    hand(game, 1, "dukat-9")
    market(game, denar="garden-9-e", dukat="tower-9-es", gulden="arcades-9", dirham="arcades-10")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    play(game, "buy market-denar denar-9")
    play(game, "take_money gulden-1")
    play(game, "reserve garden-9-e")
    play(game, "buy market-dukat dukat-9")
    return game


@pytest.mark.rule("15.22")
def test_both_halves_of_a_project_are_attacked() -> None:
    game = invaded(3, "major_construction_projects", attacks="E")
    project = game.ruleset.tiles["project_garden_tower"]
    board = game.state.seats[0].board
    board.put(project, 1, 0)
    exposed = sum(part.edges[SIDES.index("E")] == OPEN for part in project.parts)
    assert exposed == 2
    game.state.seats[0].score = 10
    assert points(hold_scoring(game, 1), "attack")[0] == -exposed


@pytest.mark.rule("15.39")
def test_every_buyer_of_a_scout_knows_the_next_attack_until_it_comes() -> None:
    game = two_buyers()
    assert [seen(game, viewer) for viewer in (0, 1, 2, None)] == ["S", "S", None, None]
    assert game.view(None)["slices"]["invaders"]["informed"] == [True, True, False]


def test_the_second_scout_tells_its_buyer_the_same_card() -> None:
    (won,) = (event for event in two_buyers().events if event.kind == "scout_won")
    assert won.seen_by(1)["private"] == {"attack": "invasion_S", "direction": "S"}
    for viewer in (0, 2, None):
        assert "private" not in won.seen_by(viewer)


@pytest.mark.rule("15.39")
def test_nobody_else_learns_of_the_next_attack_from_anything_public() -> None:
    game = two_buyers()
    for viewer in (None, 2):
        assert "invasion_" not in repr(game.view(viewer))
        assert "invasion_" not in repr([event.seen_by(viewer) for event in game.events])
    twins = {game.determinize(2, Random(number)).module_state(Invaders).attacks[0] for number in range(60)}
    assert len(twins) == 4


def before_the_last_attack(*variants: str) -> Game:
    """Two attacks were held, seat 0 has bought a scout since; the fourth card is that of the west."""
    game = invaded(attacks="SNEW", scouts="" if variants else "garden tower", variants=variants)
    hold_scoring(game, 1)
    hold_scoring(game, 2)
    if not variants:
        game.module_state(Invaders).informed = (True, False, False)
    assert seen(game, 0) == "E"
    return game


@pytest.mark.rule("15.33")
@pytest.mark.parametrize("variants", [(), ("invaders.open_attack",)])
def test_the_fourth_attack_card_is_neither_used_nor_shown(variants: tuple[str, ...]) -> None:
    game = before_the_last_attack(*variants)
    events = end_with_a_space_empty(game)
    assert game.over
    assert [line["piece"] for line in events_of(events, "attack")] == ["invasion_E"]
    assert "attack_announced" not in kinds(events)
    assert [seen(game, viewer) for viewer in (0, 1, None)] == [None, None, None]
    assert game.module_state(Invaders).attacks == ("invasion_W",)
    pieces = [thing for thing in public_pieces(game) if thing["kind"] == "invasion"]
    assert [thing.get("side") for thing in pieces] == ["S", "N", "E", None]
    assert pieces[-1] == {"kind": "invasion", "amount": 1, "choice": "face_down"}


def test_the_scout_is_won_before_the_miser_takes_a_card() -> None:
    game = invaded(3, "characters")
    game.state.module_states["characters"].owners = {"miser": 0}
    market(game, gulden="garden-10")
    hand(game, 0, "gulden-9 gulden-1")
    display(game, "dukat-1 dukat-2")
    events = play(game, "buy market-gulden gulden-1 gulden-9")
    assert game.decision is not None
    assert game.decision.kind == "miser"
    order = kinds(events)
    assert order.index("scout_won") < order.index("decision_opened")
    assert seen(game, 0) == "N"
    after = kinds(play(game, "take_open dukat-2"))
    assert "scout_won" not in after
    assert after.index("money_taken") < after.index("bonus_action")
