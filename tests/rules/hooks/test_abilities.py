"""A module made of cards: each ability is a record of its own, and the module adds them up in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import pytest

from alhambra import BadModule, Game, Module, Move, Options, register
from alhambra.abilities import JOINS, Ability, add_up
from alhambra.base.payment.offers import Offer, Tender
from alhambra.base.turn import VERBS
from alhambra.declarations import Reason
from alhambra.module import DecisionKind, Layer, Licence, Modify, Step, Verb
from tests.rules.situations import play

HOOKS = [hook.name for hook in fields(Ability)]
PASS = VERBS[0]


def plain(**hooks: Any) -> Module:
    """A module that is compiled nowhere, with these hooks of its own."""
    return Module(number=960, key="example_guild", **hooks)


def card(**hooks: Any) -> Ability:
    """An ability with these hooks."""
    return Ability(**hooks)


# -- The hooks are those of a module -----------------------------------------------------------------------------------


def test_an_ability_has_hooks_of_a_module_under_the_same_names_and_of_the_same_types() -> None:
    of_modules = {hook.name: hook.type for hook in fields(Module)}
    assert {hook.name: hook.type for hook in fields(Ability)}.items() <= of_modules.items()


def test_every_hook_of_an_ability_is_added_up() -> None:
    assert set(JOINS) == set(HOOKS)


def test_without_abilities_a_module_stays_as_it_is() -> None:
    module = plain(steps=(Step("turn.start", lambda _game: None),), events={"rung": "Somebody rang."})
    assert add_up(module, ()) == module


def test_a_hook_of_a_single_ability_is_taken_as_it_is() -> None:
    tenders = one_item("hammer")
    assert add_up(plain(), (Ability(), Ability(tenders=tenders), Ability())).tenders is tenders


# -- Two cards at one hook ---------------------------------------------------------------------------------------------


def one_item(name: str) -> Callable[[Game, int, Offer], Iterator[Tender]]:
    def tenders(_game: Game, _seat: int, _offer: Offer) -> Iterator[Tender]:
        yield Tender("items", name)

    tenders.__name__ = name
    return tenders


def one_licence(name: str) -> Callable[..., Iterator[Licence]]:
    def licences(*_args: object) -> Iterator[Licence]:
        yield Licence(items=(name,))

    licences.__name__ = name
    return licences


def verb(name: str) -> Verb:
    return Verb(name, "", PASS.verify, PASS.apply, PASS.moves, at=("action",))


def step(name: str) -> Callable[..., None]:
    def run(*_args: object) -> None:
        pass

    run.__name__ = name
    return run


ROWS: dict[str, Callable[[str], Any]] = {
    "reasons": lambda name: Reason("NO_EFFECT", f"The {name} has none.", (name,)),
    "verbs": verb,
    "decisions": DecisionKind,
    "steps": lambda name: Step("turn.start", step(name)),
    "modify": lambda name: Modify("take_limit", Layer.ADD, step(name)),
}


@pytest.mark.parametrize("hook", ROWS)
def test_the_entries_of_several_cards_stand_in_a_row_behind_those_of_the_module(hook: str) -> None:
    own, hammer, saw = (ROWS[hook](name) for name in ("own", "hammer", "saw"))
    added = add_up(plain(**{hook: (own,)}), (card(**{hook: (hammer,)}), card(**{hook: (saw,)})))
    assert getattr(added, hook) == (own, hammer, saw)


@pytest.mark.parametrize("hook", ["events", "scores", "items", "agenda"])
def test_the_words_of_several_cards_come_together_and_none_belongs_to_two(hook: str) -> None:
    hammer, saw = (card(**{hook: {name: f"The {name}."}}) for name in ("hammer", "saw"))
    added = add_up(plain(**{hook: {"guild": "The guild."}}), (saw, hammer))
    assert list(getattr(added, hook)) == ["guild", "saw", "hammer"]
    with pytest.raises(BadModule, match=rf"{hook}: two abilities of one module have \['hammer'\]"):
        add_up(plain(), (hammer, saw, hammer))


def test_what_several_cards_let_be_paid_with_comes_in_their_order() -> None:
    added = add_up(plain(tenders=one_item("own")), [Ability(tenders=one_item(name)) for name in ("saw", "hammer")])
    assert added.tenders is not None
    found: Any = added.tenders
    assert [tender.id for tender in found(None, 0, None)] == ["own", "saw", "hammer"]


def test_the_licences_of_several_cards_come_in_their_order() -> None:
    added = add_up(plain(), [Ability(licences=one_licence(name)) for name in ("saw", "hammer")])
    found: Any = added.licences
    assert [licence.items for licence in found(None, None)] == [("saw",), ("hammer",)]


def test_the_helpers_of_several_cards_come_together_by_their_purpose() -> None:
    saw = Ability(helpers={"rotate": one_licence("saw"), "take_money": one_licence("purse")})
    hammer = Ability(helpers={"rotate": one_licence("hammer")})
    added: Any = add_up(plain(), (saw, hammer)).helpers
    assert [licence.items for licence in added["rotate"](None, 0)] == [("saw",), ("hammer",)]
    assert [licence.items for licence in added["take_money"](None, 0)] == [("purse",)]


def test_the_verbs_that_several_cards_let_answer_a_decision_come_together() -> None:
    saw = Ability(answers={"late": ("add",), "after": ("swap",)})
    hammer = Ability(answers={"late": ("remove",)})
    assert add_up(plain(), (saw, hammer)).answers == {"late": ("add", "remove"), "after": ("swap",)}


@pytest.mark.parametrize(("saw", "hammer"), [(True, False), (False, True), (False, False), (True, True)])
def test_a_seat_is_asked_if_any_card_wants_it(saw: bool, hammer: bool) -> None:
    cards = [
        Ability(asks={"start": lambda _game, _seat: saw}),
        Ability(asks={"start": lambda _game, _seat: hammer, "late": lambda _game, _seat: saw}),
    ]
    added: Any = add_up(plain(), cards).asks
    assert added["start"](None, 0) == (saw or hammer)
    assert added["late"](None, 0) == saw


# -- A module of two cards in a game -----------------------------------------------------------------------------------


@dataclass(slots=True)
class Guild:
    """In which order its cards did something."""

    done: tuple[str, ...] = ()


def mark(game: Game, word: str) -> None:
    guild = game.module_state(Guild)
    guild.done = (*guild.done, word)


def craftsman(name: str) -> Ability:
    """A craftsman who works at the start of a turn and notes it; when a seat resigns, he does so twice."""

    def work(game: Game, _decision: Any, _move: Move) -> None:
        mark(game, name)

    def later(game: Game) -> None:
        mark(game, f"{name} later")

    def at_resignation(game: Game, _seat: int) -> None:
        mark(game, name)
        game.push(later)

    def is_asked(game: Game, _seat: int) -> bool:
        return name not in game.module_state(Guild).done

    later.__name__ = f"{name}_later"
    at_resignation.__name__ = f"{name}_resigns"
    is_asked.__name__ = f"{name}_is_asked"
    return Ability(
        verbs=(
            Verb(f"{name}_works", "", lambda *_: (), work, lambda *_: iter([Move(f"{name}_works")]), at=("start",)),
        ),
        asks={"start": is_asked},
        agenda={f"{name}_later": later},
        reactions={"resigned": at_resignation},
    )


def guild(*names: str) -> Game:
    """A table with a module of these craftsmen, at the start of the first turn."""
    key = "example_" + "_".join(names)
    register(add_up(Module(number=961, key=key, state=Guild), map(craftsman, names)))
    return Game.new(Options(seats=3, seed="guild", modules=[key]))


@pytest.mark.parametrize("names", [("saw", "hammer"), ("hammer", "saw")])
def test_the_verbs_of_the_cards_are_offered_in_their_order(names: tuple[str, str]) -> None:
    game = guild(*names)
    assert [move.verb for move in game.moves()] == ["pass", *(f"{name}_works" for name in names)]


def test_a_seat_is_asked_until_no_card_wants_it() -> None:
    game = guild("saw", "hammer")
    play(game, "saw_works")
    assert game.decision is not None
    assert game.decision.kind == "start"
    play(game, "hammer_works")
    assert game.decision.kind == "action"


@pytest.mark.parametrize("names", [("saw", "hammer"), ("hammer", "saw")])
def test_cards_react_in_their_order_and_so_does_what_they_push(names: tuple[str, str]) -> None:
    game = guild(*names)
    assert game.decision is not None
    game.resign(game.decision.seat)
    first, second = names
    assert game.module_state(Guild).done == (first, second, f"{first} later", f"{second} later")


def test_a_joined_hook_is_explained_by_the_names_of_its_functions() -> None:
    game = guild("saw", "hammer")
    assert game.ruleset.explain("resigned").splitlines()[-1].endswith(".saw_resigns + hammer_resigns")
