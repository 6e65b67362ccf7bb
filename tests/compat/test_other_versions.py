"""A game that was begun under one version of the rules is finished under the next ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from alhambra import (
    BASE,
    BadState,
    Event,
    Game,
    IllegalMove,
    Module,
    Move,
    Options,
    export_game,
    history,
    read_export,
    register,
    ruleset,
    verify_export,
    write_game,
)
from alhambra import options as options_file
from alhambra.codec import seal, unseal
from alhambra.migrations import Migration
from alhambra.module import Step
from alhambra.notation import read_entry, read_game, write_entry
from alhambra.registry import ON_REGISTER
from tests.compat.lamps import KEY, V1, V2, V3, CountedLamps, kept

OPTIONS = Options(seats=3, seed="lamps", modules=[KEY])


def begun(moves: int = 0, module: Module = V1) -> Game:
    """A game under one version, after some moves."""
    register(module)
    game = Game.new(OPTIONS)
    play(game, moves)
    return game


def play(game: Game, moves: int = 10_000) -> list[Event]:
    """Goes on with random moves, to the end if there are enough; returns what happened."""
    rng = Random(3)
    told = []
    for _ in range(moves):
        if game.over:
            break
        told += game.apply(game.random_move(rng))
    return told


def asked_about_lamp() -> Game:
    """A game of the first version whose lamp decision stands open, with a step of the module behind it."""
    game = begun()
    game.apply(Move("take_money", display=game.state.display[:1]))
    assert game.decision is not None and game.decision.kind == "lamp"
    return game


def under(module: Module, game: Game) -> Game:
    """What another version makes of the bytes of a game."""
    data = game.to_bytes()
    register(module)
    return Game.from_bytes(data)


# -- An older game goes on ---------------------------------------------------------------------------------------------


def test_a_renamed_function_changes_nothing() -> None:
    game = asked_about_lamp()

    def quite_another_name(played: Game, seat: int) -> None:
        V1.agenda["notice"](played, seat)

    again = under(replace(V1, agenda={**V1.agenda, "notice": quite_another_name}), game)
    assert again.ruleset.id == game.ruleset.id
    assert again.version == game.version
    assert next(event.kind for event in again.apply(Move("light"))) == "lamp_seen"


def test_a_newer_version_migrates_the_slice_and_goes_on_with_renamed_steps() -> None:
    game = begun()
    game.state.agenda.append((f"{KEY}.ask_lamp", 1))
    again = under(V2, game)
    assert isinstance(kept(again), CountedLamps)
    assert again.state.agenda[-1] == (f"{KEY}.offer_light", 1)


def test_a_dropped_step_leaves_the_agenda() -> None:
    game = asked_about_lamp()
    dropped = replace(V1, migrations=(Migration(steps={"notice": ""}),))
    assert game.state.agenda[-1][0] == f"{KEY}.notice"
    assert under(dropped, game).state.agenda == game.state.agenda[:-1]


def test_a_renamed_decision_stays_open() -> None:
    game = asked_about_lamp()
    kinds = (replace(V1.decisions[0], name="lantern"),)
    verbs = (replace(V1.verbs[0], at=("lantern",)),)
    again = under(
        replace(V1, decisions=kinds, verbs=verbs, migrations=(Migration(decisions={"lamp": "lantern"}),)),
        game,
    )
    assert again.decision is not None and again.decision.kind == "lantern"
    again.apply(Move("light"))


def test_the_log_says_where_other_rules_went_on_and_with_which_state() -> None:
    game = asked_about_lamp()
    again = under(V2, game)
    seam = again.log[-1].upgrade
    assert seam is not None
    assert (again.version, seam.ruleset, seam.state) == (game.version + 1, again.ruleset.id, again.state_bytes())
    assert [event.as_dict() for event in again.events] == [
        {"id": "2.0", "kind": "engine_changed", "ruleset": again.ruleset.id, "before": game.ruleset.id}
    ]


def test_a_game_over_two_versions_comes_to_its_end() -> None:
    game = under(V3, under(V2, begun(40)))
    play(game)
    assert game.over
    assert [entry.kind for entry in game.log].count("engine") == 2
    assert Game.from_bytes(game.to_bytes()) == game


def test_a_finished_game_is_read_and_gets_no_entry() -> None:
    game = begun()
    play(game)
    again = under(V3, game)
    assert (again.over, again.version, again.scores) == (True, game.version, game.scores)
    assert again.view(None)["seats"] == game.view(None)["seats"]


def test_a_frame_goes_on_with_the_step_that_it_waits_for_although_there_are_more_steps_now() -> None:
    game = asked_about_lamp()
    waiting = [entry for entry in game.state.agenda if entry[0] == "frame"]
    more = replace(
        V1, migrations=(Migration(),), steps=(*V1.steps, Step("turn.award", print), Step("turn.late", print))
    )
    assert [entry for entry in under(more, game).state.agenda if entry[0] == "frame"] == waiting
    assert waiting == [("frame", "turn", "place.base")]


def test_a_frame_that_waits_for_a_removed_step_goes_on_where_the_migration_says() -> None:
    game = begun()
    game.state.agenda.append(("frame", "turn", f"after.{KEY}"))
    without = replace(V1, steps=(), migrations=(Migration(stages={"turn.after": "turn.place.base"}),))
    assert under(without, game).state.agenda[-1] == ("frame", "turn", "place.base")


def test_a_step_that_disappears_without_a_migration_is_refused_when_the_game_is_read() -> None:
    game = asked_about_lamp()
    with pytest.raises(BadState, match="notice") as error:
        under(replace(V1, agenda={"ask_lamp": V1.agenda["ask_lamp"]}), game)
    assert error.value.code == "STATE_MALFORMED"


LATER = BASE.version + 1


@pytest.fixture
def later_base(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The base game of the next version keeps the cards out of the game under another name, and back."""

    def rename(state: dict[str, Any], same: dict[str, Any]) -> None:
        assert state is same
        state["passes"] += 0
        state["sunk"] = 0

    monkeypatch.setattr(ruleset, "BASE", replace(BASE, migrations=(*BASE.migrations, Migration(change=rename))))
    for clear in ON_REGISTER:
        clear()
    yield
    monkeypatch.undo()
    for clear in ON_REGISTER:
        clear()


def test_the_state_of_the_base_game_is_migrated_like_a_slice(later_base: None) -> None:
    later = Game.new(Options(seats=3, seed="base"))
    document = unseal(later.state_bytes())
    assert document["versions"] == {"base": LATER}
    document["versions"] = {"base": BASE.version}
    document["sunk"] = 5
    assert later.with_state(seal(document)).state.sunk == 0


# -- A newer game is refused -------------------------------------------------------------------------------------------


def refusal(call: Any, *args: Any) -> Any:
    """Why bytes of a newer version are refused."""
    with pytest.raises(BadState) as error:
        call(*args)
    assert error.value.code == "ENGINE_TOO_OLD"
    return error.value.metadata


def test_an_older_version_refuses_a_game_that_a_newer_one_went_on_with() -> None:
    data = under(V2, begun(5)).to_bytes()
    register(V1)
    assert refusal(Game.from_bytes, data) == {"what": KEY, "written_by": "2", "known": "1"}


def test_a_state_of_a_newer_base_game_is_refused(later_base: None, monkeypatch: pytest.MonkeyPatch) -> None:
    options = Options(seats=3, seed="base")
    state = Game.new(options).state_bytes()
    monkeypatch.setattr(ruleset, "BASE", BASE)
    for clear in ON_REGISTER:
        clear()
    assert refusal(Game.from_state, options, state, [])["what"] == "base"


@pytest.mark.parametrize("change", ["engine", "module", "options", "bytes"])
def test_whatever_is_newer_is_named(change: str) -> None:
    data = begun(3).to_bytes()
    document = unseal(data)
    if change == "engine":
        document["ruleset"] = "2" + document["ruleset"][1:]
    elif change == "module":
        document["options"]["modules"] = ["not_invented_yet"]
    elif change == "options":
        document["options"] |= {"version": 2, "siesta": True}
    data = seal(document) if change != "bytes" else b"alh2" + data[4:]
    what = {"engine": "engine", "module": "not_invented_yet", "options": "options", "bytes": "the form of these bytes"}
    assert refusal(Game.from_bytes, data)["what"] == what[change]


def test_an_export_of_a_newer_format_is_refused_as_such() -> None:
    game = begun()
    play(game)
    assert refusal(read_export, {**export_game(game), "format": "alhambra-game/2"})["written_by"] == "2"


# -- Options -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def later_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """Options of the next version: one more, with another value than before in an edition."""

    def as_before(document: dict[str, Any]) -> None:
        document["siesta"] = "short"

    choices = {**options_file.CHOICES, "siesta": ("short", "long")}
    monkeypatch.setattr(options_file, "CHOICES", choices)
    monkeypatch.setitem(options_file.EDITIONS, "pt", {"siesta": "long"})
    monkeypatch.setattr(options_file, "OPTIONS_VERSION", 2)
    monkeypatch.setattr(options_file, "OPTION_MIGRATIONS", (as_before,))


def test_an_added_option_has_in_older_games_the_value_with_which_they_were_played(later_options: None) -> None:
    written = {**Options(seats=2, seed="x", edition="pt").as_dict()}
    del written["siesta"]
    options = Options.restore(written)
    assert options.rules["siesta"] == "short"
    assert Options(seats=2, seed="x", edition="pt").rules["siesta"] == "long"


def test_options_keep_the_form_in_which_they_were_written(later_options: None) -> None:
    written = Options(seats=2, seed="x").as_dict()
    del written["siesta"]
    assert Options.restore(written).with_seed("y").document() == {**written, "seed": "y"}
    new = Options(seats=2, seed="x").document()
    assert (new["version"], new["siesta"]) == (2, "short")
    assert Options.restore(new) == Options(seats=2, seed="x")


# -- Undo, events, export, verify across a seam ------------------------------------------------------------------------


def test_nothing_is_taken_back_across_a_seam_and_everything_after_it_as_before() -> None:
    register(V1)
    game = Game.new(Options(seats=3, seed="lamps", modules=[KEY], confirm_turn=True))
    game.apply(Move("take_money", display=game.state.display[:1]))
    seat = game.log[-1].seat
    assert game.can_undo(seat) is None
    again = under(V2, game)
    with pytest.raises(IllegalMove) as error:
        again.undo(seat)
    assert error.value.violations[0].code == "UNDO_REFUSED"
    before = again.state_bytes()
    again.apply(again.legal_moves()[0])
    again.undo(seat)
    assert again.state_bytes() == before


def test_what_happened_before_is_told_again_where_the_new_rules_lead_to_the_same_state() -> None:
    game = begun(6, V2)
    lit = [entry for entry in game.log if entry.move and entry.move.verb == "light"]
    told = history(under(V3, game))
    kinds = [event.kind for event in told]
    assert ("not_retold" in kinds) == bool(lit)
    assert kinds[-1] == "engine_changed"


def with_a_lit_lamp(module: Module) -> Game:
    """A game whose first seat has lit its lamp and was paid for it."""
    game = begun(0, module)
    game.apply(Move("take_money", display=game.state.display[:1]))
    game.apply(Move("light"))
    play(game, 3)
    return game


def test_what_cannot_be_told_again_has_one_event_for_each_entry() -> None:
    game = with_a_lit_lamp(V2)
    again = under(V3, game)
    told = history(again)
    assert [(event.version, event.kind) for event in told if event.version] == [
        *((version, "not_retold") for version in range(1, game.version + 1)),
        (game.version + 1, "engine_changed"),
    ]


def test_a_game_over_a_seam_is_exported_and_verified_as_far_as_these_rules_can() -> None:
    game = under(V3, with_a_lit_lamp(V2))
    first = game.version - 1
    play(game)
    document = export_game(game)
    assert document["ruleset"] == game.origin != game.ruleset.id
    report = verify_export(document)
    texts = [finding.text for finding in report.findings]
    assert (report.ok, report.unchecked) == (True, first)
    assert f"Entries 1 to {first} were played under {game.origin}, which this version does not have" in texts[0]
    assert "every move is legal" in texts[1]
    assert "The scores are right" in texts[3]
    with pytest.raises(BadState, match="which this version does not have"):
        read_export(document)


def test_a_seam_that_changes_nothing_for_this_game_is_verified_whole() -> None:
    game = begun(0, V2)
    game.apply(Move("take_money", display=game.state.display[:1]))
    game.apply(Move("pass"))
    game = under(V3, game)
    play(game)
    report = verify_export(export_game(game))
    assert (report.ok, report.unchecked) == (True, 0)
    assert "These rules lead to the same state" in report.findings[0].text
    assert read_export(export_game(game)) == game


def test_a_forged_state_at_a_seam_does_not_pass_for_checked() -> None:
    game = begun(4, V2)
    game.state.seats[0].score = 100
    game = under(V3, game)
    play(game)
    assert verify_export(export_game(game, replay=False)).unchecked == 4


def test_the_older_version_says_what_it_cannot_check() -> None:
    game = under(V2, begun(4))
    play(game)
    document = export_game(game)
    register(V1)
    report = verify_export(document)
    assert not report.ok
    assert [finding.good for finding in report.findings[:3]] == [True, None, False]


def test_a_game_over_a_seam_stands_in_notation() -> None:
    game = begun(0, V2)
    game.apply(Move("take_money", display=game.state.display[:1]))
    game = under(V3, game)
    play(game)
    assert read_game(write_game(game)) == game
    for entry in game.log:
        assert read_entry(write_entry(entry)) == entry
