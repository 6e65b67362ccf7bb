import random
from dataclasses import replace

import pytest

from alhambra import Game, Options, chain, seed_from
from alhambra.export import chain_texts
from alhambra.notation import write_entry as in_notation
from alhambra_service import limits
from alhambra_service.store import DamagedGame, NewerGame, StoredGame, first_broken, stored_game

from .samples import SECRET, blank


def dealt() -> tuple[StoredGame, Game]:
    game = Game.new(Options(seats=3, seed=seed_from(SECRET, [])))
    return blank(service={"seats": ["Ada", "Grace", "Žofie"]}).dealt(game), game


def test_a_record_comes_back_as_it_was() -> None:
    record = replace(dealt()[0], revision=7, version=5)
    data = stored_game.write_stored_game(record)
    assert stored_game.read_stored_game(data) == record
    assert stored_game.read_head(data) == (stored_game.STORAGE_VERSION, 7, 5)


def test_a_game_that_is_not_dealt_yet_has_no_state() -> None:
    assert stored_game.read_stored_game(stored_game.write_stored_game(blank())).state == b""


def test_the_state_goes_on_where_it_was_left() -> None:
    record, game = dealt()
    game.apply(game.legal_moves()[0])
    record = replace(record, state=game.state_bytes())
    found = stored_game.read_stored_game(stored_game.write_stored_game(record))
    start = Game.new(Options.read(found.options))
    assert start.with_state(found.state).state_bytes() == game.state_bytes()
    assert found.ruleset == game.ruleset.id


def test_links_in_the_log_are_those_of_the_library() -> None:
    record, game = dealt()
    rng = random.Random(1)
    for _ in range(20):
        game.apply(game.random_move(rng))
    entries = stored_game.chained(record, map(in_notation, game.log))
    assert [record.link, *(entry.link for entry in entries)] == chain(SECRET, chain_texts(game))


def test_a_line_of_the_log_can_be_read_by_a_person_and_comes_back_as_it_was() -> None:
    (entry,) = stored_game.chained(blank(), ['0 place garden-10-n @1,-2 !"Žofie"'])
    line = stored_game.write_entry(entry)
    assert line.endswith('0 place garden-10-n @1,-2 !"Žofie"'.encode())
    assert stored_game.read_entry(1, line) == entry


def test_a_changed_entry_breaks_the_chain_where_it_stands() -> None:
    entries = stored_game.chained(blank(), ["0 pass", "1 pass", "0 pass"])
    entries[1] = entries[1]._replace(text="1 resign")
    assert first_broken(SECRET, blank().link, entries) == 2
    assert first_broken(SECRET, blank().link, [entries[0], entries[2]]) == 3


def test_an_older_record_is_carried_forward_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_game, "STORAGE_VERSION", 1)
    old = stored_game.write_stored_game(blank(service={"players": 2}))

    def rename(parts: stored_game.Parts) -> stored_game.Parts:
        document, state = parts
        return {**document, "service": {"seats": document["service"]["players"]}}, state

    def fill(parts: stored_game.Parts) -> stored_game.Parts:
        return parts[0], parts[1] or b"state"

    monkeypatch.setattr(stored_game, "STORAGE_VERSION", 3)
    monkeypatch.setattr(stored_game, "MIGRATIONS", {1: rename, 2: fill})
    found = stored_game.read_stored_game(old)
    assert found.service == {"seats": 2}
    assert found.state == b"state"
    assert stored_game.write_stored_game(found).startswith(b"3:")


def test_an_older_record_that_nothing_carries_forward_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_game, "STORAGE_VERSION", 1)
    old = stored_game.write_stored_game(blank())
    monkeypatch.setattr(stored_game, "STORAGE_VERSION", 2)
    monkeypatch.setattr(stored_game, "MIGRATIONS", {})
    with pytest.raises(DamagedGame, match="format 1"):
        stored_game.read_stored_game(old)


def test_every_older_format_has_its_migration() -> None:
    assert sorted(stored_game.MIGRATIONS) == list(range(1, stored_game.STORAGE_VERSION))


def test_a_newer_record_is_left_alone() -> None:
    data = stored_game.write_stored_game(blank())
    with pytest.raises(NewerGame, match="update the service"):
        stored_game.read_stored_game(b"%d" % (stored_game.STORAGE_VERSION + 1) + data[1:])


@pytest.mark.parametrize("cut", [0, 3, 6, 40, -1])
def test_a_damaged_record_is_never_taken_for_a_game(cut: int) -> None:
    with pytest.raises(DamagedGame):
        stored_game.read_stored_game(stored_game.write_stored_game(blank())[:cut])


def test_what_is_too_large_is_not_written() -> None:
    with pytest.raises(ValueError, match="at most"):
        stored_game.write_stored_game(replace(blank(), state=b"x" * (1 << 20)))
    with pytest.raises(ValueError, match="at most"):
        stored_game.write_entry(stored_game.LogEntry(1, "x" * limits.ENTRY_BYTES, "00" * 32))


def test_nothing_secret_is_shown() -> None:
    assert "010203" not in repr(blank())
    assert str(SECRET) not in repr(blank())
