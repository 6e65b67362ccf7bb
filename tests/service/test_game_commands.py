"""Seats and their keys, seats without a person, undo, resignation, deadlines, lists."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from alhambra import verify_export
from alhambra.codec import seal, unseal
from alhambra_api.v1 import boards_pb2, games_pb2, moves_pb2, nouns_pb2, views_pb2
from alhambra_service import limits
from alhambra_service.auth.access import Access
from alhambra_service.games.loaded_game import decode, encode
from alhambra_service.games.seats.claim_seat import token_used
from alhambra_service.messages.refusals import Refusal
from alhambra_service.store import DamagedGame, EmbeddedStore, NewerGame, RulesChanged

from .playing import MOVES_OF_A_GAME, Game, Host, Seat, failure, play, random_move, refused
from .serving import GameServer
from .small import key_file

SERVER = {"server_player": "random"}


# -- Seats -------------------------------------------------------------------------------------------------------------


def test_the_last_claim_deals(host: Host) -> None:
    game = host.create([{"name": "Ada"}, {}], modules=["thieves"])
    assert game.created.view.status == views_pb2.GAME_STATUS_WAITING
    assert not game.created.view.HasField("table")
    first = game.claim(0, entropy="00ff")
    assert first.view().status == views_pb2.GAME_STATUS_WAITING
    assert refused(first.moves) == "GAME_WAITING"
    second = game.claim(1, name="Bob", entropy="abcd")
    view = second.view()
    assert view.status == views_pb2.GAME_STATUS_RUNNING
    assert [seat.name for seat in view.seats] == ["Ada", "Bob"]
    assert view.fairness.commitment == game.created.view.fairness.commitment
    document = play_on(game)
    assert document["fairness"]["entropies"] == ["00ff", "abcd"]
    assert verify_export(document, game.created.view.fairness.commitment).ok


def play_on(game: Game) -> dict[str, Any]:
    assert play(game, Random(1)).status == views_pb2.GAME_STATUS_OVER
    return game.export()


def test_an_invitation_is_good_until_its_token_was_used(host: Host) -> None:
    game = host.create([{}, {"claim": True}])
    lost = game.claim(0)
    found = game.claim(0)
    assert lost.token != found.token
    assert refused(lost.view) == "TOKEN_INVALID"
    assert found.view().viewer == 0
    assert refused(lambda: game.claim(0)) == "TOKEN_INVALID"
    assert found.view().viewer == 0


def test_a_claim_repeated_under_its_request_id_gives_the_same_token(host: Host) -> None:
    game = host.create([{}, {}])
    first = game.claim(0, request_id="claim")
    assert game.claim(0, request_id="claim").token == first.token
    assert refused(lambda: game.claim(0, request_id="claim", name="Eve")) == "REQUEST_ID_REUSED"


def test_a_token_is_replaced_by_its_owner_and_a_lost_answer_loses_nothing(host: Host) -> None:
    game = host.create(2)
    seat = game.seats[0]
    request = games_pb2.ClaimSeatRequest(game=game.id, seat=0, request_id="rotate")
    fresh = seat.call("ClaimSeat", request).token
    assert fresh != seat.token
    assert refused(seat.view) == "TOKEN_INVALID"
    assert seat.call("ClaimSeat", request).token == fresh
    assert refused(lambda: seat.call("ClaimSeat", games_pb2.ClaimSeatRequest(game=game.id, seat=0))) == "TOKEN_INVALID"
    assert Seat(game, 0, fresh).view().viewer == 0
    assert refused(lambda: seat.call("ClaimSeat", request)) == "TOKEN_INVALID"


def test_a_token_that_a_host_replaced_does_not_get_its_replacement(host: Host) -> None:
    game = host.create(2)
    seat = game.seats[0]
    request = games_pb2.ClaimSeatRequest(game=game.id, seat=0, request_id="taken over")
    fresh = host.stub.ClaimSeat(request).token
    assert refused(lambda: seat.call("ClaimSeat", request)) == "TOKEN_INVALID"
    assert host.stub.ClaimSeat(request).token == fresh
    assert refused(seat.view) == "TOKEN_INVALID"


def test_a_repeated_claim_needs_the_credential_of_the_first(host: Host) -> None:
    game = host.create([{}, {"claim": True}])
    first = game.claim(0)
    rotate = games_pb2.ClaimSeatRequest(game=game.id, seat=0, request_id="rotate")
    second = Seat(game, 0, first.call("ClaimSeat", rotate).token)
    third = second.call("ClaimSeat", rotate).token
    assert third != second.token, "the same request id of another token is another request"
    assert refused(lambda: first.call("ClaimSeat", rotate)) == "TOKEN_INVALID"
    assert second.call("ClaimSeat", rotate).token == third


def test_taking_a_seat_over_needs_a_scope_of_its_own(embedded: EmbeddedStore, connect: Callable[[str], Host]) -> None:
    with key_file() as keys:
        creator = keys.add("one", "games.create", "games.list", "games.delete", "games.seed")
        stranger = keys.add("two", "games.create", "seats.take_over")
        server = GameServer(embedded.url, access=Access(keys.ring(), calls_per_second=0.0))
        try:
            stub = connect(server.address).stub
            setup = games_pb2.CreateGameRequest(seats=[games_pb2.SeatSetup(claim=True)] * 2)
            game = stub.CreateGame(setup, metadata=bearer(creator)).game
            take = games_pb2.ClaimSeatRequest(game=game, seat=0)
            missing = failure(lambda: stub.ClaimSeat(take, metadata=bearer(creator)))
            assert (missing.reason, missing.info.metadata["scope"]) == ("SCOPE_MISSING", "seats.take_over")
            for metadata in ((), bearer(stranger)):
                assert refused(lambda: stub.ClaimSeat(take, metadata=metadata)) == "TOKEN_INVALID"  # noqa: B023
            keys.path.write_text(keys.path.read_text().replace('"games.seed"', '"seats.take_over"'), encoding="utf-8")
            server.access.keys.reload()  # type: ignore[union-attr]
            token = stub.ClaimSeat(take, metadata=bearer(creator)).token
            assert stub.GetGame(games_pb2.GetGameRequest(game=game), metadata=bearer(token)).view.viewer == 0
        finally:
            server.stop()


def bearer(secret: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {secret}"),)


def test_a_token_replaced_while_it_is_used_takes_nothing_from_its_replacement(
    host: Host, game_server: GameServer
) -> None:
    game = host.create([{}, {"claim": True}])
    game.claim(0)
    commands = game_server.commands
    seen = commands.store.load(game.id, fresh=True)
    replacement = game.claim(0)
    with pytest.raises(Refusal, match="TOKEN_INVALID"):
        token_used(commands, game.id, seen, 0)
    assert commands.store.load(game.id, fresh=True).seats[0].invitation
    assert replacement.view().viewer == 0


def test_credentials_of_others_are_refused_alike(host: Host) -> None:
    game, other = host.create([{}, {"claim": True}]), host.create(2)
    tokens = [other.seats[0].token, game.seats[1].token[:-1], "nonsense", game.keys[0].invitation, "ü"]
    seen = set()
    for token in tokens[:-1]:
        found = failure(Seat(game, 0, token).view)
        seen.add((found.code, found.reason, found.message, str(found.info.metadata)))
    assert len(seen) == 1
    for invitation in (other.seats[0].token, game.keys[0].invitation[:-1], game.seats[1].token):
        request = games_pb2.ClaimSeatRequest(game=game.id, invitation=invitation)
        found = failure(partial(host.stub.ClaimSeat, request))
        seen.add((found.code, found.reason, found.message, str(found.info.metadata)))
    assert len(seen) == 1


def test_only_digests_of_keys_are_stored_with_a_game(host: Host, game_server: GameServer) -> None:
    game = host.create([{}, {"claim": True}])
    token = game.claim(0).token
    stored = repr(game_server.store.read_game(game.id).service)
    for secret in (token, game.keys[0].invitation, game.keys[1].token):
        assert secret.split("_", 2)[-1] not in stored


def test_a_loaded_game_survives_being_stored(host: Host, game_server: GameServer) -> None:
    game = host.create([{"age": 7, "claim": True, "entropy": "aa"}, SERVER], turn_seconds=60)
    play(game, Random(3), moves=5)
    record = game_server.store.read_game(game.id)
    again = encode(decode(record))
    assert (again.service, again.options, again.state) == (record.service, record.options, record.state)


def test_a_game_that_a_newer_version_wrote_is_refused_with_what_wrote_it_and_what_is_here(
    host: Host, game_server: GameServer
) -> None:
    record = game_server.store.read_game(host.create(2).id)
    engine, _, rest = record.ruleset.partition(":")
    newer = f"{int(engine) + 1}:{rest}"
    changes: list[tuple[dict[str, Any], str]] = [
        ({"ruleset": newer}, f"engine {engine}"),
        ({"options": {**record.options, "modules": ["camels"]}}, "camels none"),
        ({"options": {**record.options, "version": 99, "siesta": True}}, "options 1"),
    ]
    for change, known in changes:
        with pytest.raises(NewerGame) as raised:
            decode(replace(record, **change))
        assert raised.value.facts == {"written_by": change.get("ruleset", record.ruleset), "known": known}


def test_a_game_that_nothing_carries_forward_is_told_from_a_damaged_one(host: Host, game_server: GameServer) -> None:
    record = game_server.store.read_game(host.create(2).id)
    document = unseal(record.state)
    document["agenda"].append(["base.forgotten_step"])
    other = record.ruleset[:-1] + ("0" if record.ruleset[-1] != "0" else "1")
    with pytest.raises(RulesChanged) as raised:
        decode(replace(record, ruleset=other, state=seal(document)))
    assert raised.value.facts == {"written_by": other, "known": record.ruleset}
    damages: tuple[dict[str, Any], ...] = ({"state": seal(document)}, {"options": {}})
    for damaged in damages:
        with pytest.raises(DamagedGame):
            decode(replace(record, **damaged))


# -- Seats without a person --------------------------------------------------------------------------------------------


def test_a_game_against_the_server_never_waits_for_it(host: Host) -> None:
    game = host.create([{"claim": True}, SERVER, SERVER])
    seen = set()
    view = game.view()
    rng = Random(8)
    while view.status == views_pb2.GAME_STATUS_RUNNING:
        seen.add(view.decision.seat)
        move, version = random_move(game.seats[0], view.version, rng)
        view = game.seats[0].apply(move, version).view
    assert seen == {0}
    assert verify_export(game.export()).ok


def test_a_game_of_servers_alone_is_played_by_whoever_looks(host: Host) -> None:
    game = host.create([SERVER, SERVER])
    versions = []
    for _ in range(40):
        view = game.view()
        versions.append(view.version)
        if view.status == views_pb2.GAME_STATUS_OVER:
            break
    assert view.status == views_pb2.GAME_STATUS_OVER
    assert max(after - before for before, after in pairwise(versions)) <= 64


@pytest.mark.parametrize("player", ["greedy", "learned"])
def test_the_server_plays_a_seat_for_points_and_whoever_looks_makes_it_go_on(host: Host, player: str) -> None:
    game = host.create([{"claim": True}, {"server_player": player}])
    person, rng = game.seats[0], Random(8)
    view = game.view()
    for _ in range(MOVES_OF_A_GAME):
        if view.status == views_pb2.GAME_STATUS_OVER:
            break
        if view.decision.seat == 0:
            move, version = random_move(person, view.version, rng)
            view = person.apply(move, version).view
        else:
            view = game.view()
    assert view.seats[1].server_player == player
    assert view.seats[1].score > view.seats[0].score
    assert verify_export(game.export()).ok


def test_the_server_decides_once_at_a_time_when_its_time_is_used_up(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "AUTOMATIC_SECONDS", 0.0)
    game = host.create([SERVER, SERVER], seed="slow")
    versions = [game.view().version for _ in range(30)]
    assert versions == list(range(versions[0], versions[0] + 30))
    monkeypatch.undo()
    assert game.view().version > versions[-1] + 1


def test_a_deadline_is_taken_by_a_later_call(
    start_server: Callable[..., GameServer], connect: Callable[[str], Host]
) -> None:
    now = [1_000_000.0]
    host = connect(start_server(clock=lambda: now[0]).address)
    game = host.create(2, turn_seconds=60)
    view = game.view()
    assert view.decision.deadline.seconds == 1_000_060
    late = game.seats[view.decision.seat]
    move, version = random_move(late, view.version, Random(1))
    now[0] += 59
    assert game.view().version == view.version
    now[0] += 1
    found = failure(lambda: late.apply(move, version))
    assert found.reason == "VERSION_STALE"
    after = game.view()
    assert after.version == view.version + 1
    assert after.decision.deadline.seconds == 1_000_120
    now[0] += 60
    assert game.view().version == after.version + 1


# -- Leaving and taking back -------------------------------------------------------------------------------------------


def test_the_last_seat_left_wins(host: Host) -> None:
    game = host.create(2)
    seat = game.seats[0]
    answer = seat.resign(request_id="enough")
    assert answer.view.status == views_pb2.GAME_STATUS_OVER
    assert list(answer.view.result.winners) == [1]
    assert seat.resign(request_id="enough") == answer
    assert refused(seat.resign) == "GAME_OVER"
    assert refused(lambda: game.seats[1].apply(nouns_pb2.Move(verb="pass"), answer.version)) == "GAME_OVER"
    assert verify_export(game.export()).ok


def test_a_seat_that_resigned_is_skipped(host: Host) -> None:
    game = host.create(3, modules=["thieves", "viziers_favour"])
    view = play(game, Random(2), moves=7)
    gone = view.decision.seat
    view = game.seats[gone].resign().view
    while view.status == views_pb2.GAME_STATUS_RUNNING:
        assert view.decision.seat != gone
        view = play(game, Random(view.version), moves=1)
    assert verify_export(game.export()).ok


def bought(game: Game, rng: Random) -> tuple[Seat, views_pb2.View]:
    """Plays until a seat has just bought something and may take that back."""
    view = game.view()
    for _ in range(200):
        seat = game.seats[view.decision.seat]
        listed = seat.moves(min_version=view.version)
        buys = [one.move for one in listed.moves if one.move.verb == "buy"]
        if view.decision.kind == "action" and buys:
            view = seat.apply(buys[0], listed.version).view
            if view.decision.seat == seat.number:
                return seat, view
        else:
            move, version = random_move(seat, view.version, rng)
            view = seat.apply(move, version).view
    raise AssertionError("nobody could buy anything")


def test_a_move_is_taken_back_while_nothing_was_shown(host: Host, game_server: GameServer) -> None:
    game = host.create(2)
    seat, view = bought(game, Random(3))
    before = decode(game_server.store.read_game(game.id))
    assert view.can_undo
    assert not game.seats[1 - seat.number].view(view.version).can_undo
    assert refused(lambda: seat.undo(view.version - 1)) == "VERSION_STALE"
    answer = seat.undo(view.version, request_id="back")
    assert answer.undone
    assert answer.version == view.version + 1
    assert [event.kind for event in answer.events] == ["undone"]
    assert answer.view.decision.since_version == answer.version
    again = seat.undo(view.version, request_id="back")
    assert (again.version, again.undone) == (answer.version, True)
    after = decode(game_server.store.read_game(game.id))
    assert after.game is not None
    assert before.game is not None
    assert after.game.state.seats[seat.number].hand != before.game.state.seats[seat.number].hand
    assert play(game, Random(4)).status == views_pb2.GAME_STATUS_OVER
    assert verify_export(game.export()).ok


def test_undo_says_why_it_is_refused(host: Host) -> None:
    game = host.create(2, options={"undo": "none"})
    seat, view = bought(game, Random(3))
    assert not view.can_undo
    found = failure(lambda: seat.undo(view.version))
    assert (found.reason, found.info.metadata["because"]) == ("UNDO_REFUSED", "option")


def test_an_undo_by_consent_waits_for_everybody(host: Host, game_server: GameServer) -> None:
    game = host.create(3, options={"undo": "by_consent"}, modules=["thieves", "viziers_favour"])
    asking, view = consenting_moment(game, game_server)
    voters = [seat for number, seat in sorted(game.seats.items()) if number != asking.number]
    answer = asking.undo(view.version)
    assert not answer.undone
    assert answer.version == view.version
    assert list(answer.view.undo_proposal.waiting_for) == [seat.number for seat in voters]
    refusing = voters[0].undo(view.version, seat=asking.number, consent=False)
    assert not refusing.undone
    assert not refusing.view.HasField("undo_proposal")
    assert refused(lambda: voters[1].undo(view.version, seat=asking.number, consent=True)) == "UNDO_REFUSED"
    asking.undo(view.version)
    assert not voters[0].undo(view.version, seat=asking.number, consent=True).undone
    last = voters[1].undo(view.version, seat=asking.number, consent=True)
    assert last.undone
    assert last.version == view.version + 1
    assert last.view.decision.seat == asking.number


def consenting_moment(game: Game, game_server: GameServer) -> tuple[Seat, views_pb2.View]:
    """Plays until a move can be taken back with the consent of others only."""
    view = game.view()
    rng = Random(6)
    for _ in range(600):
        seat = game.seats[view.decision.seat]
        move, version = random_move(seat, view.version, rng)
        view = seat.apply(move, version).view
        stored = decode(game_server.store.read_game(game.id))
        assert stored.game is not None
        if stored.game.can_undo(seat.number) and stored.game.can_undo(seat.number, consent=True) is None:
            return seat, view
        if view.status == views_pb2.GAME_STATUS_OVER:
            break
    raise AssertionError("no such moment in this game")


# -- Lists -------------------------------------------------------------------------------------------------------------


def test_legal_moves_come_in_pages_that_are_good_for_one_state(host: Host) -> None:
    game = host.create(2)
    for rounds in range(20, 120):  # until there is more than one page: what a seat may do depends on the deal
        play(game, Random(rounds), moves=20 if rounds == 20 else 1)
        seat = game.seats[game.view().decision.seat]
        whole = seat.moves(page_size=1_000)
        if whole.total > 3:
            break
    assert whole.total == len(whole.moves) > 3
    pages = [seat.moves(page_size=3)]
    while pages[-1].next_page_token:
        pages.append(seat.moves(page_size=3, page_token=pages[-1].next_page_token))
    assert [move for page in pages for move in page.moves] == list(whole.moves)
    assert not any(page.offers for page in pages[1:])
    token = pages[0].next_page_token
    assert refused(lambda: seat.moves(page_size=3, verb="buy", page_token=token)) == "PAGE_TOKEN_INVALID"
    assert refused(lambda: seat.moves(page_size=3, page_token=token[:-1])) == "PAGE_TOKEN_INVALID"
    seat.apply(whole.moves[0].move, whole.version)
    assert refused(lambda: seat.moves(page_size=3, page_token=token)) == "VERSION_STALE"
    assert refused(lambda: seat.moves(page_size=1_001)) == "LIMIT_EXCEEDED"


def test_every_listed_move_is_legal_and_priced(host: Host) -> None:
    game = host.create(3, modules=["change", "major_construction_projects"])
    view = play(game, Random(2), moves=60)
    seat = game.seats[view.decision.seat]
    modes = {
        mode: seat.moves(payments=mode, page_size=1_000)
        for mode in (moves_pb2.PAYMENTS_OFFERS, moves_pb2.PAYMENTS_BRIEF, moves_pb2.PAYMENTS_ALL)
    }
    brief, every = modes[moves_pb2.PAYMENTS_BRIEF], modes[moves_pb2.PAYMENTS_ALL]
    assert not every.HasField("total")
    assert not any(one.HasField("price") for one in modes[moves_pb2.PAYMENTS_OFFERS].moves)
    listed = {one.SerializeToString(deterministic=True) for one in every.moves}
    assert {one.SerializeToString(deterministic=True) for one in brief.moves} <= listed
    for one in brief.moves:
        verdict = seat.apply(one.move, brief.version, validate_only=True).verdict
        assert verdict.legal, one
        assert (verdict.price, verdict.paid, verdict.exact) == (one.price, one.paid, one.exact)
    for offer in brief.offers:
        same = [one for one in brief.moves if (one.move.verb, one.move.slot) == (offer.move.verb, offer.move.slot)]
        assert offer.affordable == bool(same)


def test_placements_are_judged_for_anybody(host: Host) -> None:
    game = host.create(2)
    tile = game.view().table.market[0].tile
    found = game.seats[0].placements(tile)
    cells = {(placement.cell.x, placement.cell.y) for placement in found.placements}
    around = [(x, y) for x in range(-2, 3) for y in range(-2, 3)]
    placements = [boards_pb2.Placement(tile=tile, cell=nouns_pb2.Cell(x=x, y=y)) for x, y in around]
    batch = boards_pb2.BatchValidatePlacementsRequest(game=game.id, seat=0, placements=placements)
    verdicts = host.stub.BatchValidatePlacements(batch).verdicts
    assert {cell for cell, verdict in zip(around, verdicts, strict=True) if verdict.legal} == cells
    for placement, verdict in zip(placements, verdicts, strict=True):
        one = boards_pb2.ValidatePlacementRequest(game=game.id, seat=0, placement=placement)
        answer = host.stub.ValidatePlacement(one)
        assert (answer.legal, list(answer.violations)) == (verdict.legal, list(verdict.violations))
    nobody = boards_pb2.ValidatePlacementRequest(game=game.id, placement=placements[0])
    assert failure(lambda: host.stub.ValidatePlacement(nobody)).info.metadata["field"] == "seat"


def test_pages_of_games_that_are_cut_short_hold_every_game_once(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [host.create([{}, {}]).id for _ in range(5)]
    for status in (0, views_pb2.GAME_STATUS_WAITING, views_pb2.GAME_STATUS_OVER):
        whole = listed_games(host, status)
        with monkeypatch.context() as patch:
            patch.setattr(limits, "LISTING_SECONDS", 0.0)
            pages = listed_games(host, status)
        assert [game for page in pages for game in page] == [game for page in whole for game in page]
        assert len(pages) > len(whole)
        assert max(map(len, pages)) <= 1
    assert [game for page in listed_games(host, 0) for game in page][:5] == games[::-1]


def listed_games(host: Host, status: int) -> list[list[str]]:
    """The pages of the list of games."""
    pages: list[list[str]] = []
    token = ""
    while not pages or token:
        asked = games_pb2.ListGamesRequest(status=status, page_token=token)  # type: ignore[arg-type]
        answer = host.stub.ListGames(asked)
        pages.append([one.game for one in answer.games])
        token = answer.next_page_token
    return pages


def test_a_host_lists_and_deletes_its_games(host: Host) -> None:
    games = [host.create([{}, {}], modules=["thieves"]) for _ in range(3)]
    page = host.stub.ListGames(games_pb2.ListGamesRequest(page_size=2))
    assert [one.game for one in page.games] == [games[2].id, games[1].id]
    assert page.games[0].status == views_pb2.GAME_STATUS_WAITING
    assert list(page.games[0].modules) == ["thieves"]
    rest = host.stub.ListGames(games_pb2.ListGamesRequest(page_size=2, page_token=page.next_page_token))
    assert rest.games[0].game == games[0].id
    over = host.stub.ListGames(games_pb2.ListGamesRequest(status=views_pb2.GAME_STATUS_OVER))
    assert not {one.game for one in over.games} & {game.id for game in games}
    for _ in range(2):
        host.stub.DeleteGame(games_pb2.DeleteGameRequest(game=games[2].id))
    assert refused(games[2].view) == "GAME_NOT_FOUND"
    assert host.stub.ListGames(games_pb2.ListGamesRequest(page_size=1)).games[0].game == games[1].id


# -- Names that show nothing -------------------------------------------------------------------------------------------

BLANK = [" ", "  ", " " * 40, "\u3164", "\u2800\u2800", " \u115f\u1160 ", "\uffa0", "\ufe0f", " \u0301"]


@pytest.mark.parametrize("name", BLANK)
def test_a_name_that_shows_nothing_is_refused(host: Host, name: str) -> None:
    created = failure(lambda: host.create([{"claim": True}, {"name": name}]))
    assert (created.reason, created.info.metadata["field"]) == ("REQUEST_MALFORMED", "seats[1].name")
    game = host.create([{"claim": True}, {}])
    claimed = failure(lambda: game.claim(1, name=name))
    assert (claimed.reason, claimed.info.metadata["field"]) == ("REQUEST_MALFORMED", "name")
    assert game.claim(1, name="").view().seats[1].name == "Player 2", "no name is no blank one"


@pytest.mark.parametrize("name", ["x", " x ", "\u0301x", "\N{GRINNING FACE}", "\N{HANGUL SYLLABLE GA}", "-"])
def test_every_name_that_shows_something_is_taken(host: Host, name: str) -> None:
    assert host.create([{"claim": True, "name": name}, {"claim": True}]).view().seats[0].name == name
