"""Which verbs answer a question can depend on its context, and whoever asks learns what was answered."""

from __future__ import annotations

from alhambra import Game
from tests.rules.example_modules.heralds import Heralds
from tests.rules.hooks.asking import asked, verbs
from tests.rules.situations import alhambra, codes, display, play, refused, table


def granted(card: str) -> Game:
    """Seat 0 has taken this card and is granted a favour."""
    game = table(modules=["example_heralds"])
    alhambra(game, 0, {(1, 0): "garden-11"})
    display(game, f"{card} gulden-2")
    play(game, f"take_money {card}")
    assert asked(game) == ("favour", 0)
    return game


def test_the_context_decides_which_verbs_answer() -> None:
    assert verbs(granted("denar-3")) == {"take_open", "pass"}
    assert verbs(granted("denar-4")) == {"remove", "pass"}


def test_a_verb_that_is_not_open_is_neither_offered_nor_drawn() -> None:
    game = granted("denar-3")
    assert codes(refused(game, "remove garden-11")) == ["VERB_NOT_OFFERED"]
    assert game.decision is not None
    assert {verb.name for verb in game.offered_verbs(game.decision)} == {"take_open", "pass"}
    assert game.view(0)["decision"]["verbs"] == ["take_open", "pass"]
    assert game.sample_move("remove", lambda _: 0) is None
    assert game.sample_move("take_open", lambda _: 0) is not None


def test_the_module_learns_what_a_verb_of_the_core_did() -> None:
    game = granted("denar-3")
    play(game, "take_open gulden-2")
    assert game.module_state(Heralds).proclaimed == (("money", "take_open", ("gulden-2",)),)


def test_a_pass_is_an_answer_too() -> None:
    game = granted("denar-4")
    play(game, "pass")
    assert game.module_state(Heralds).proclaimed == (("redesign", "pass", ()),)


def test_what_follows_from_an_answer_is_done_after_the_verb() -> None:
    events = [event.kind for event in play(granted("denar-4"), "remove garden-11")]
    assert events.index("removed") < events.index("horn_blown")
