"""The client library against a real server: every call, with both clients."""

import asyncio
import inspect
import json
import random

import pytest

from alhambra_client import (
    AccessDenied,
    AsyncClient,
    AsyncGame,
    Board,
    Cell,
    Client,
    Event,
    Game,
    IllegalMove,
    InvalidSetup,
    ListedMove,
    Move,
    NotFound,
    Order,
    PlacedTile,
    Placement,
    Retry,
    SeatSetup,
    Snapshot,
    Stale,
    UnexpectedAnswer,
)
from alhambra_client.contract import ListAuditEntriesRequest
from tests.gateway.product import Product

from . import event_loop

TWO = (SeatSetup(name="Ann", claim=True), SeatSetup(name="Ben", claim=True))
AGAINST_RANDOM = (SeatSetup(name="Ann", claim=True), SeatSetup(name="Ben", server_player="random"))


def pair(client: Client, **wanted: object) -> tuple[Game, Game]:
    """Return a game for each of two seats, the seat that is asked first."""
    seats = client.create_game(TWO, **wanted).seats  # type: ignore[arg-type]
    asked, other = (seats[0], seats[1]) if seats[0].is_asked else (seats[1], seats[0])
    return asked, other


def buyer(client: Client, **wanted: object) -> tuple[Game, Game, ListedMove]:
    """Return a game for each of two seats, and a purchase at the exact price that the first of them can make."""
    for seed in range(50):
        asked, other = pair(client, seed=f"seed {seed}", **wanted)
        for move in asked.moves(verb="buy"):
            if move.exact:
                return asked, other, move
    raise AssertionError("nobody can buy")


# -- Whole games -------------------------------------------------------------------------------------------------------


def test_a_whole_game_is_played_and_its_record_shows_every_event(client: Client) -> None:
    rng = random.Random(1)
    game = client.create_game(AGAINST_RANDOM).seats[0]
    happened: list[Event] = []
    for moves in game.turns(limit=40):
        happened += game.play(rng.choice(moves)).events
    assert game.view.status == "over"
    assert game.view.result is not None and game.view.result.ranking
    assert json.loads(game.export())["format"] == "alhambra-game/1"
    events = game.events()
    assert [event.id for event in events][-len(happened) :] == [event.id for event in happened]
    watched = list(game.watch(from_version=0))
    assert watched[:-1] == list(events)
    assert isinstance(watched[-1], Snapshot) and watched[-1].view.status == "over"
    assert not game.wait_for_turn()


def test_two_seats_play_each_other_with_asyncio(product: Product) -> None:
    async def play(game: AsyncGame) -> int:
        moves = 0
        rng = random.Random(game.seat)
        async for listed in game.turns(limit=40):
            try:
                await game.play(rng.choice(listed))
            except Stale:  # the other seat has resigned
                continue
            moves += 1
            if moves == 8:
                await game.resign()
        return moves

    async def both() -> list[int]:
        async with AsyncClient(product.http) as client:
            created = await client.create_game(TWO)
            moves = await asyncio.gather(*(play(game) for game in created.seats.values()))
            assert {(await game.read()).status for game in created.seats.values()} == {"over"}
            return moves

    assert 8 in event_loop.run(both())


def test_both_clients_have_the_same_methods() -> None:
    for one, other in ((Client, AsyncClient), (Game, AsyncGame)):
        found = {name for name in vars(one) if not name.startswith("__")}
        others = {name.replace("aclose", "close") for name in vars(other) if not name.startswith("__")}
        assert found == others
    assert inspect.iscoroutinefunction(AsyncGame.play) and not inspect.iscoroutinefunction(Game.play)


# -- Seats -------------------------------------------------------------------------------------------------------------


def test_an_invited_player_joins_and_both_contribute_to_the_shuffle(client: Client) -> None:
    created = client.create_game([SeatSetup(name="Ann", claim=True), SeatSetup(name="Ben")])
    assert (created.view.status, list(created.invitations), list(created.seats)) == ("waiting", [1], [0])
    ben = client.join(created.id, created.invitations[1], name="Bea")
    ann = created.seats[0]
    assert ben.view.status == "waiting"  # Ann has not revealed yet
    assert ann.read().status == "running"
    assert ben.read().seats[1].name == "Bea"
    assert all(ben.view.fairness.entropy_commitments)


def test_a_watcher_reveals_its_entropy_by_itself(product: Product, client: Client) -> None:
    created = client.create_game([SeatSetup(claim=True), SeatSetup()])
    watching = created.seats[0].watch()
    assert next(watching) is not None
    client.join(created.id, created.invitations[1])
    dealt = next(message for message in watching if isinstance(message, Snapshot) and message.view.status == "running")
    assert dealt.view.viewer == 0


def test_a_seat_may_contribute_nothing(client: Client) -> None:
    created = client.create_game([SeatSetup(claim=True), SeatSetup()], contribute=False)
    ben = client.join(created.id, created.invitations[1], contribute=False)
    assert (ben.view.status, ben.view.fairness.entropy_commitments) == ("running", ())


def test_another_process_continues_a_seat(product: Product, client: Client) -> None:
    created = client.create_game([SeatSetup(claim=True), SeatSetup()])
    saved = json.loads(json.dumps(created.seats[0].credentials))
    client.join(created.id, created.invitations[1])
    with Client(product.http) as other:
        continued = other.game(**saved)
        with pytest.raises(RuntimeError):
            _ = continued.view
        assert continued.read().status == "running"  # it has revealed what the first process drew
        assert continued.seat == 0


def test_a_spectator_sees_no_hand_and_plays_no_move(client: Client) -> None:
    asked, _ = pair(client)
    spectator = client.game(asked.id)
    assert [seat.hand for seat in spectator.read().seats] == [(), ()]
    assert any(seat.hand for seat in asked.view.seats)
    with pytest.raises(AccessDenied):
        spectator.moves()


# -- Moves -------------------------------------------------------------------------------------------------------------


def test_moves_come_with_their_texts_in_the_language_of_the_client(product: Product, client: Client) -> None:
    asked, other = pair(client)
    listed = asked.moves(verb="take_money", texts=True)
    assert {each.move.verb for each in listed} == {"take_money"}
    assert listed[0].text.startswith("Take ") and listed.language == "en" and listed.groups[0].text
    with Client(product.http, language="de") as german:
        same = german.game(**asked.credentials)
        assert same.moves(verb="take_money", texts=True)[0].text != listed[0].text
        assert same.read().decision.text != asked.view.decision.text  # type: ignore[union-attr]
    assert len(other.moves()) == 0


def test_lists_of_several_pages_are_put_together(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, _ = pair(client, seed="guide")
    whole = asked.moves(payments="all")
    monkeypatch.setattr("alhambra_client.game_state.MOVES_PAGE", 3)
    assert asked.moves(payments="all").moves == whole.moves
    assert len(whole) > 6
    cut = asked.moves(payments="all", limit=4)
    assert (cut.moves, cut.is_complete) == (whole.moves[:6], False)


def test_an_outdated_move_is_refused_and_nothing_happens(client: Client) -> None:
    asked, other = pair(client)
    listed = asked.moves(verb="take_money")
    asked.play(listed[0])
    version = asked.version
    with pytest.raises(Stale) as caught:
        asked.play(listed[1])
    assert caught.value.facts["version"] == str(version)
    assert asked.read().version == version
    assert other.wait_for_turn()


def test_a_move_of_a_game_that_ended_meanwhile_is_outdated(client: Client) -> None:
    asked, other = pair(client)
    listed = asked.moves()
    other.resign()
    with pytest.raises(Stale):
        asked.play(listed[0])
    assert list(asked.turns()) == []


def test_an_illegal_move_is_refused_with_its_violations(client: Client) -> None:
    asked, _ = pair(client)
    wrong = Move(verb="take_money", display=("gulden-1", "gulden-1"))
    verdict = asked.check(wrong)
    with pytest.raises(IllegalMove) as caught:
        asked.play(wrong)
    assert not verdict.legal
    assert caught.value.violations == verdict.violations
    assert asked.check(asked.moves()[0]).legal


def test_a_move_is_taken_back(client: Client) -> None:
    asked, _, purchase = buyer(client)
    before = asked.view
    asked.play(purchase)
    assert asked.view.can_undo
    assert asked.undo().undone
    assert asked.view.seats == before.seats
    assert asked.version > before.version


def test_consent_that_no_seat_asks_for_is_refused(client: Client) -> None:
    asked, other = pair(client, options={"undo": "by_consent"})
    with pytest.raises(IllegalMove) as caught:
        other.answer_undo(asked.seat or 0, consent=True)
    assert (caught.value.reason, caught.value.facts["because"]) == ("UNDO_REFUSED", "no_proposal")


def test_standing_orders_are_set_and_removed(client: Client) -> None:
    game = client.create_game(AGAINST_RANDOM, preset="first_game").seats[0]
    order = Order(decision="window", answer="pass", unless_types=("garden",))
    assert [each.answer for each in game.set_orders([order]).view.orders] == ["pass"]
    assert game.view.orders[0].unless_types == ("garden",)
    assert game.set_orders([]).view.orders == ()


def test_a_game_is_seen_as_it_was(client: Client) -> None:
    asked, _ = pair(client)
    first = asked.view
    asked.play(asked.moves()[0])
    assert asked.read_at(first.version).seats == first.seats
    assert asked.version > first.version


# -- Everything else ---------------------------------------------------------------------------------------------------


def test_placements_and_boards_are_judged(client: Client) -> None:
    asked, _ = pair(client)
    cells = [place.cell for place in asked.placements("garden-8-ne")]
    assert Cell(x=1, y=0) in cells
    near, far = (Placement(tile="garden-8-ne", cell=Cell(x=x, y=0)) for x in (1, 3))
    assert asked.validate_placement(near).legal
    assert [each.legal for each in asked.validate_placements([near, far], seat=1)] == [True, False]
    assert [each.code for each in client.game(asked.id).validate_placement(far, seat=0).violations] == ["NO_CONTACT"]
    garden = Board(tiles=(PlacedTile(tile="garden-11", cell=Cell(x=0, y=-1)),))
    assert client.validate_board_placement(garden, Placement(tile="tower-13-e", cell=Cell(x=1, y=0))).legal
    assert [score.points for score in client.score_boards([garden, Board()], scoring=1)] == [5, 0]


def test_pictures_are_drawn(client: Client) -> None:
    asked, _ = pair(client)
    pictures = [asked.table_picture(theme="dark"), asked.board_picture(), asked.board_picture(1, at_version=0)]
    pictures.append(client.component_picture("tile", "garden-8-ne"))
    assert [picture[:4] for picture in pictures] == [b"<svg"] * 4


def test_the_catalogue_is_read(client: Client) -> None:
    assert len(client.modules()) == 43
    assert {tile.id for tile in client.tiles()} >= {"garden-8-ne", "camp_NE"}
    assert len(client.components()) > len(client.components(kind="tile")) > 54
    assert "random" in {player.key for player in client.editions().server_players}
    assert "take_money" in {verb.key for verb in client.verbs().verbs}
    assert "UNDERPAID" in {kind.code for kind in client.violations().violations}


def test_games_are_listed_and_deleted(client: Client) -> None:
    made = [client.create_game(TWO).id for _ in range(3)]
    listed = [found.game for found in client.list_games(status="running")]
    assert [game for game in listed if game in made] == made[::-1]
    client.delete_game(made[0])
    client.delete_game(made[0])
    assert made[0] not in [found.game for found in client.list_games()]
    with pytest.raises(NotFound):
        client.game(made[0]).read()


def test_watching_ends_when_the_game_is_deleted(client: Client) -> None:
    asked, _ = pair(client)
    watching = asked.watch()
    assert isinstance(next(watching), Snapshot)
    client.delete_game(asked.id)
    assert list(watching) == []


def test_a_ticket_is_given(client: Client) -> None:
    asked, _ = pair(client)
    assert asked.event_ticket().ticket


def test_any_request_of_the_contract_can_be_sent(client: Client) -> None:
    assert isinstance(client.send(ListAuditEntriesRequest(page_size=1)).entries, tuple)


def test_a_game_that_cannot_be_is_refused(client: Client) -> None:
    with pytest.raises(InvalidSetup) as caught:
        client.create_game(TWO, modules=["no_such_module"])
    assert caught.value.facts == {"module": "no_such_module"}


def test_an_address_of_something_else_is_noticed(product: Product) -> None:
    with Client(product.http + "/play", retry=Retry(seconds=0)) as lost, pytest.raises((NotFound, UnexpectedAnswer)):
        lost.modules()
