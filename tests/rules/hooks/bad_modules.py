"""Modules that break the contract, one for each rule of it, with the sentence that each is refused with.

    python -O -m tests.rules.hooks.bad_modules     prints what each of them is refused with, as JSON

The tests run that, too: assertions are not executed there, so no rule of the contract may rest on one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from alhambra import AlhambraError, BadModule, Card, Game, Module, Options, RulesDefect, Tile, Violation, register
from alhambra.abilities import Ability, add_up
from alhambra.base import BASE
from alhambra.base.auction import Auction, begin_auction
from alhambra.base.peek import lay_on_top
from alhambra.module import (
    DecisionKind,
    EveryEffect,
    Layer,
    Modify,
    Permit,
    PieceKind,
    Reason,
    Stage,
    StandingOrder,
    Step,
    TileKind,
    Verb,
)
from alhambra.ruleset import compile_ruleset

KEY = "example_wrong"


def nothing(*_args: Any) -> Any:
    """A function for any hook."""
    return ()


@dataclass
class Loose:
    """A slice without slots."""

    seen: int = 0


@dataclass(slots=True)
class Bare:
    """A slice with a field that has no default."""

    seen: int


WOOD = TileKind("wood")
ORDER = StandingOrder("wait", "Wait.", nothing)


def verb(name: str = "knock", nouns: str = "", **other: Any) -> Verb:
    """A verb that does nothing."""
    return Verb(name, nouns, nothing, nothing, nothing, **other)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    # the form
    "a text for a number": ({"number": "7"}, "number: it must be a whole number, not '7'"),
    "a number that is a truth value": ({"number": True}, "number: it must be a whole number, not True"),
    "a list for a tuple": ({"nouns": {"slot": ["shop"]}}, "nouns: 'slot' must be a tuple, not a list"),
    "a text for a tuple": ({"variants": "harder"}, "variants: it must be a tuple, not 'harder'"),
    "a number among names": ({"details": ("up", 3)}, "details: entry 1 must be a text, not 3"),
    "a tuple for a mapping": ({"events": ("rang",)}, "events: it must be a mapping, not a tuple"),
    "a number for a name": ({"public_facts": {3: "Three."}}, "public_facts: a name must be a text, not 3"),
    "a meaning that is no text": ({"scores": {"tips": None}}, "scores: 'tips' must be a text, not None"),
    "a text for a function": ({"locks": "react"}, "locks: it must be a function, not 'react'"),
    "a reaction without a function": (
        {"reactions": {"built": None}},
        "reactions: 'built' must be a function, not None",
    ),
    "a hook without a function": ({"vetoes": {"buy": None}}, "vetoes: 'buy' must be a function, not None"),
    "a step without a function": (
        {"steps": (Step("turn.money", None),)},  # type: ignore[arg-type]
        "steps: Step 'turn.money': `run` must be a function, not None",
    ),
    "a verb without a function": (
        {"verbs": (Verb("knock", "", nothing, nothing, None),)},  # type: ignore[arg-type]
        "verbs: Verb 'knock': `moves` must be a function, not None",
    ),
    "a verb among decisions": ({"decisions": (verb(),)}, "decisions: entry 0 must be a DecisionKind, not a Verb"),
    "decisions of a verb that are no tuple": (
        {"verbs": (verb(at="action"),)},
        "verbs: Verb 'knock': `at` must be a tuple, not 'action'",
    ),
    "effects of a kind that are no tuple": (
        {"kinds": (TileKind("wood", "bonus"),)},  # type: ignore[arg-type]
        "kinds: TileKind 'wood': `effects` must be a tuple or an EveryEffect, not 'bonus'",
    ),
    "a layer that is none": (
        {"modify": (Modify("take_limit", 1, nothing),)},  # type: ignore[arg-type]
        "modify: Modify 'take_limit': `layer` must be a Layer, not 1",
    ),
    "an instance for the type of a slice": ({"state": Loose()}, "state: it must be a class, not a Loose"),
    "a function for the reserve": ({"reserve": nothing}, "reserve: it must be a Reserve, not a function"),
    # names
    "number 0": ({"number": 0}, "number: it must be at least 1, not 0"),
    "a key with a dot": ({"key": "my.module"}, "key: 'my.module' is no name for a module"),
    "no key": ({"key": ""}, "key: '' is no name for a module"),
    "the key of the base game": ({"key": "base"}, "key: 'base' is no name for a module"),
    "a variant with a space": ({"variants": ("very hard",)}, "variants: 'very hard' is no name"),
    "waiting for itself": ({"after": (KEY,)}, "after: a module cannot wait for itself"),
    # nothing twice
    "a slot twice": ({"nouns": {"slot": ("shop", "shop")}}, "nouns: 'shop' stands in 'slot' 2 times"),
    "a noun that is none": (
        {"nouns": {"door": ("shop",)}},
        "nouns: 'door' is none of the nouns slot, piece, choice, items",
    ),
    "a verb twice": ({"verbs": (verb(), verb())}, "verbs: 'knock' stands there 2 times"),
    "a tile twice": ({"tiles": BASE.tiles[:1] * 2}, f"tiles: '{BASE.tiles[0].id}' stands there 2 times"),
    "a card twice": ({"cards": (Card("gong"), Card("gong"))}, "cards: 'gong' stands there 2 times"),
    "a permit twice": (
        {"permits": (Permit("ladder", "HOLE", nothing, nothing),) * 2},
        "permits: 'ladder' stands there 2 times",
    ),
    "two steps without names at one moment": (
        {"steps": (Step("turn.money", nothing), Step("turn.money", nothing))},
        "steps: 'turn.money' stands there 2 times: give them names",
    ),
    "a kind of piece without a name": (
        {"piece_kinds": (PieceKind("", "Nothing."),)},
        "piece_kinds: an entry has no name",
    ),
    "a standing order twice": (
        {"decisions": (DecisionKind("rest", orders=(ORDER, ORDER)),)},
        "decisions: 'rest' has 2 standing orders 'wait'",
    ),
    # words
    "an event without a meaning": ({"events": {"rang": ""}}, "events: 'rang' has no meaning"),
    "a piece without a meaning": ({"piece_kinds": (PieceKind("bell", ""),)}, "piece_kinds: 'bell' has no meaning"),
    "a reason without a meaning": ({"reasons": (Reason("HOLE", ""),)}, "reasons: 'HOLE' has no meaning"),
    "a reason that is unknown": ({"reasons": (Reason("TOO_LOUD", "Hush."),)}, "reasons: there is no code 'TOO_LOUD'"),
    "a detail that is no event": ({"details": ("rang",)}, "details: the module has no event 'rang'"),
    "a text that cannot be read": (
        {"texts": {"en": {"event.rang": "{count"}}},
        "texts: 'event.rang' in 'en' cannot be read: ",
    ),
    # the slice
    "a slice without slots": ({"state": Loose}, "state: Loose must be a dataclass with slots"),
    "a slice that is no dataclass": ({"state": int}, "state: int must be a dataclass with slots"),
    "a slice without a default": ({"state": Bare}, "state: the field 'seen' of Bare has no default"),
    # moments and steps
    "a step at an unknown moment": (
        {"steps": (Step("turn.siesta", nothing),)},
        "steps: there is no stage 'turn.siesta', neither of the engine nor in `stages`",
    ),
    "a step at a moment of another module": (
        {"steps": (Step("turn.chests", nothing),)},
        "steps: there is no stage 'turn.chests', neither of the engine nor in `stages`",
    ),
    "a step that asks what is not shared": (
        {"steps": (Step("turn.money", nothing, asking="pay_bid"),)},
        "steps: 'pay_bid' is none of the shared decisions action, start, late, window, after",
    ),
    "a stage of no procedure": (
        {"stages": (Stage("night.siesta", after="turn.late"),)},
        "stages: 'night.siesta' must be the name of a procedure, a dot, and a name; procedures: setup, turn, purchase,",
    ),
    "a stage without a procedure": (
        {"stages": (Stage("siesta", after="turn.late"),)},
        "stages: 'siesta' must be the name of a procedure, a dot, and a name",
    ),
    "a stage of the engine": (
        {"stages": (Stage("turn.money", after="turn.late"),)},
        "stages: 'turn.money' is a stage of the engine",
    ),
    "a stage without a place": (
        {"stages": (Stage("turn.siesta"),)},
        "stages: 'turn.siesta' must stand either after or before a stage of the engine",
    ),
    "a stage with two places": (
        {"stages": (Stage("turn.siesta", after="turn.late", before="turn.confirm"),)},
        "stages: 'turn.siesta' must stand either after or before a stage of the engine",
    ),
    "a stage beside an unknown one": (
        {"stages": (Stage("turn.siesta", after="turn.lunch"),)},
        "stages: 'turn.siesta' cannot stand beside 'turn.lunch'",
    ),
    "a stage beside one of another procedure": (
        {"stages": (Stage("turn.siesta", after="end.scoring"),)},
        "stages: 'turn.siesta' cannot stand beside 'end.scoring'",
    ),
    "a stage beside that of another module": (
        {"stages": (Stage("turn.siesta", after="turn.chests"),)},
        "stages: 'turn.siesta' cannot stand beside 'turn.chests'",
    ),
    "a stage twice": (
        {"stages": (Stage("turn.siesta", after="turn.late"),) * 2},
        "stages: 'turn.siesta' stands there 2 times",
    ),
    # effects and tiles
    "an effect of another module": (
        {"effects": {"treasure": "A treasure."}},
        "effects: 'treasure' belongs to the module 'treasures'",
    ),
    "an effect without a meaning": ({"effects": {"glaze": ""}}, "effects: 'glaze' has no meaning"),
    "a kind that allows an unknown effect": (
        {"kinds": (TileKind("wood", ("bonus", "discuont")),)},
        "kinds: 'wood' names the unknown effect 'discuont'",
    ),
    "a kind that bars an unknown effect": (
        {"kinds": (TileKind("wood", EveryEffect(but=("watchtwoer",))),)},
        "kinds: 'wood' names the unknown effect 'watchtwoer'",
    ),
    "a tile of an unknown kind": (
        {"tiles": (Tile("log-1", "log", BASE.tiles[0].parts),), "kinds": (WOOD,)},
        "tiles: 'log-1' is of the unknown kind 'log'",
    ),
    "a reaction to nothing": (
        {"reactions": {"bild": nothing}},
        "reactions: 'bild' is none of acquired, built, unbuilt",
    ),
    "a route without a card": (
        {"cards": (Card("gong", "noise"),), "routes": {"nois": nothing}},
        "routes: the module has no card of the kind 'nois'",
    ),
    # moves and decisions
    "an unknown noun": ({"verbs": (verb(nouns="door [cards]"),)}, "verbs: 'knock' takes the unknown noun 'door'"),
    "a verb at an unknown decision": (
        {"verbs": (verb(at=("acton",)),)},
        "verbs: 'knock' answers the unknown decision 'acton'",
    ),
    "a decision with an unknown verb": (
        {"decisions": (DecisionKind("rest", ("sleep",)),)},
        "decisions: 'rest' is answered by the unknown verb 'sleep'",
    ),
    "an answer with an unknown verb": (
        {"answers": {"action": ("move_tiles",)}},
        "answers: 'action' is answered by the unknown verb 'move_tiles'",
    ),
    "an answer to an unknown decision": ({"answers": {"acton": ("buy",)}}, "answers: there is no decision 'acton'"),
    "a closed verb at an unknown decision": (
        {"closes": nothing, "closes_at": ("acton",)},
        "closes_at: there is no decision 'acton'",
    ),
    "an offer at an unknown decision": ({"offers": {"acton": nothing}}, "offers: there is no decision 'acton'"),
    "an unsold thing at an unknown decision": (
        {"unsold": {"acton": nothing}},
        "unsold: there is no decision 'acton'",
    ),
    "a veto against an unknown verb": ({"vetoes": {"bye": nothing}}, "vetoes: there is no verb 'bye'"),
    "asking what is not shared": (
        {"asks": {"windw": nothing}},
        "asks: 'windw' is none of the shared decisions action, start, late, window, after",
    ),
    # values
    "an unknown value": (
        {"modify": (Modify("take_limt", Layer.ADD, nothing),)},
        "modify: 'take_limt' is none of the values take_limit, majority_count,",
    ),
    "an unknown purpose of a helper": (
        {"helpers": {"rotat": nothing}},
        "helpers: 'rotat' is none of the purposes rotate, take_money, swap_market",
    ),
    "a permit that lifts an unknown code": (
        {"permits": (Permit("ladder", "WALL", nothing, nothing),)},
        "permits: there is no code 'WALL' to be lifted",
    ),
}
"""By what is wrong: the fields of a module, and how the sentence about it begins."""


def wrong_module(name: str) -> Module:
    """The module that is wrong in this way."""
    return module_with(**WRONG[name][0])


def module_with(**fields: Any) -> Module:
    """A module with these fields, right or wrong."""
    return Module(**{"number": 951, "key": KEY, **fields})


SIESTA = {"stages": (Stage("turn.siesta", after="turn.late"),)}


def _together(**fields: Any) -> None:
    """Compile a game with two modules that have the same fields."""
    for number, key in ((951, "example_one"), (952, "example_two")):
        register(Module(number, key, **fields))
    compile_ruleset.__wrapped__(3, "de_revised_2019", ("example_one", "example_two"))


def _two_auctions() -> None:
    """Begin an auction while another one is running."""
    game = Game.new(Options(seats=3, seed="x"))
    game.state.auction = Auction("bell-1", "", "")
    begin_auction(game, "bell-2", won=nothing, unsold=nothing)


ELSEWHERE: dict[str, tuple[Callable[[], object], str]] = {
    "two modules with one moment": (
        lambda: _together(**SIESTA),
        "the module 'example_two' is wrong: stages: the module 'example_one' also declares 'turn.siesta'",
    ),
    "two modules with one effect": (
        lambda: _together(effects={"glaze": "Tiles shine."}),
        "the module 'example_two' is wrong: effects: the module 'example_one' also declares 'glaze'",
    ),
    "two abilities with one word": (
        lambda: add_up(Module(951, KEY), [Ability(events={"rang": "It rang."})] * 2),
        f"the module '{KEY}' is wrong: events: two abilities of one module have ['rang']",
    ),
    "a refusal with an unknown code": (
        lambda: Violation("TOO_LOUD"),
        "a rule refuses a move with the unknown code 'TOO_LOUD'",
    ),
    "something that is looked for in an unknown place": (
        lambda: Violation("NOT_THERE", "tile", place="attic"),
        "a rule looks for something in the unknown place 'attic'",
    ),
    "a question that no module declares": (
        lambda: Game.new(Options(seats=3, seed="x")).ask("siesta", 0),
        "a rule asks 'siesta', which no module declares",
    ),
    "a question while another one stands open": (
        lambda: Game.new(Options(seats=3, seed="x")).ask("action", 0),
        "a rule asks 'action' while 'action' is open",
    ),
    "an auction while another one is running": (
        _two_auctions,
        "a rule starts an auction of 'bell-2' while another one is running",
    ),
    "tiles laid on the tower that were not there": (
        lambda: lay_on_top(Game.new(Options(seats=3, seed="x")), 0, "tower", ("bell-1",)),
        "only the topmost pieces can be reordered",
    ),
}
"""What is wrong between two modules, or while a game is played: what shows it, and the sentence."""


def refusals() -> dict[str, str]:
    """What everything on this page is refused with, by its name; an empty text for what was accepted."""
    found = {}
    for name in WRONG:
        try:
            register(wrong_module(name))
            found[name] = ""
        except BadModule as fault:
            found[name] = str(fault)
    for name, (show, _) in ELSEWHERE.items():
        try:
            show()
            found[name] = ""
        except (AlhambraError, RulesDefect) as fault:
            found[name] = str(fault)
    return found


if __name__ == "__main__":
    print(json.dumps({"assertions": __debug__, "refusals": refusals()}))
