"""For every RPC of the contract: requests that should be answered, about the games of the world as they stand now."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from google.protobuf.message import Message

from alhambra.components import BASE_TILES
from alhambra_api.v1 import (
    boards_pb2,
    catalog_pb2,
    events_pb2,
    games_pb2,
    hints_pb2,
    included_pb2,
    moves_pb2,
    nouns_pb2,
    reactions_pb2,
    reviews_pb2,
    views_pb2,
    webhooks_pb2,
)
from alhambra_api.values import to_value

from .world import Metadata, PlayedGame, World, bearer

UNDO_TRIES = 6


class Ask(NamedTuple):
    """A call before it is made."""

    request: Message
    metadata: Metadata = ()


Maker = Callable[[World, Random], Ask]
MAKERS: dict[str, Maker] = {}
"""By name of the RPC."""


def valid(make: Maker) -> Maker:
    """Registers what makes the requests of an RPC; the function has its name."""
    MAKERS[getattr(make, "__name__", "")] = make
    return make


def _started(world: World, rng: Random) -> PlayedGame:
    return rng.choice((world.base, world.rich, world.over))


def _any(world: World, rng: Random) -> PlayedGame:
    return rng.choice((world.base, world.rich, world.waiting, world.over))


def _someone(game: PlayedGame, rng: Random) -> Metadata:
    """A seat of the game, or a spectator."""
    tokens = [*game.tokens.values(), ""]
    token = rng.choice(tokens)
    return bearer(token) if token else ()


def _seat(game: PlayedGame, rng: Random) -> Metadata:
    return bearer(rng.choice(list(game.tokens.values())))


def _name(rng: Random) -> str:
    return rng.choice(("", f"try-{rng.getrandbits(60):x}"))


# -- Games -------------------------------------------------------------------------------------------------------------


@valid
def CreateGame(world: World, rng: Random) -> Ask:  # noqa: N802
    catalog = world.catalog
    modules = rng.sample(sorted(catalog.modules), rng.choice((0, 1, 2, 4, len(catalog.modules))))
    variants = [one for module in modules for one in catalog.modules[module] if rng.random() < 0.5]
    chosen = rng.sample(sorted(catalog.options), rng.randint(0, len(catalog.options)))
    options = {name: to_value(rng.choice(catalog.options[name])) for name in chosen}
    colours = rng.sample(catalog.colours, len(catalog.colours))
    seats = []
    for number in range(rng.randint(2, 6)):
        seat = games_pb2.SeatSetup(name=rng.choice(("", f"Zoë {number}")))
        if rng.random() < 0.4:
            seat.age = rng.randint(0, 150)
        if rng.random() < 0.4:
            seat.colour = colours[number]
        kind = rng.randrange(4)
        if kind == 0:
            seat.server_player = "random"
        elif kind > 1:
            seat.claim = True
            if rng.random() < 0.3:
                seat.entropy_commitment = rng.randbytes(32).hex()
            else:
                seat.entropy = rng.randbytes(rng.choice((0, 1, 256))).hex()
        seats.append(seat)
    clock = rng.choice((0, 0, 1, 7 * 24 * 3600))
    request = games_pb2.CreateGameRequest(
        seats=seats,
        edition=rng.choice(("", *catalog.editions)),
        modules=modules,
        variants=variants,
        options=options,
        turn_limit=rng.choice((0, 1, 3, 1_000)),
        turn_seconds=rng.choice((0, 0, 1, 30 * 24 * 3600)),
        clock_seconds=clock,
        clock_increment_seconds=rng.choice((0, 1, 86_400)) if clock else 0,
        flag_fall=rng.choice(views_pb2.FlagFall.values()) if clock else views_pb2.FLAG_FALL_UNSPECIFIED,
        seed=rng.choice(("", "a seed", "ü" * 256)),
        request_id=_name(rng),
        preset=rng.choice(("", "", "first_game", "evening")),
    )
    return Ask(request, world.host())


def _include(rng: Random) -> list[included_pb2.Include.ValueType]:
    """What an answer shall hold besides its view: nothing as often as something."""
    return rng.sample(included_pb2.Include.values(), rng.choice((0, 0, 2, 4)))


@valid
def GetGame(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _any(world, rng)
    version = rng.randint(0, world.view(game).version)
    request = games_pb2.GetGameRequest(game=game.id, min_version=version, log_tail=rng.choice((0, 1, 200)))
    request.include.extend(_include(rng))
    return Ask(request, _someone(game, rng))


@valid
def ListGames(world: World, rng: Random) -> Ask:  # noqa: N802
    status = rng.choice(views_pb2.GameStatus.values())
    request = games_pb2.ListGamesRequest(status=status, page_size=rng.choice((0, 1, 100)))
    return Ask(request, bearer(world.server.keys[rng.choice(("red", "blue", "lister"))]))


@valid
def ListAuditEntries(world: World, rng: Random) -> Ask:  # noqa: N802
    game = rng.choice(("", _any(world, rng).id))
    request = games_pb2.ListAuditEntriesRequest(game=game, page_size=rng.choice((0, 1, 100)))
    return Ask(request, world.host())


@valid
def DeleteGame(world: World, rng: Random) -> Ask:  # noqa: N802
    game = world.create(claimed=2)
    return Ask(games_pb2.DeleteGameRequest(game=game.id), world.host())


@valid
def LeaseBotDecision(world: World, rng: Random) -> Ask:  # noqa: N802
    players = rng.sample(("search_easy", "search_medium", "search_hard"), rng.randint(0, 3))
    return Ask(games_pb2.LeaseBotDecisionRequest(players=players), world.host())


def _webhook(world: World, rng: Random) -> str:
    """The id of a webhook that does not exist: no sender runs, so that none can be registered."""
    return f"{rng.getrandbits(90):024x}"


@valid
def CreateWebhook(world: World, rng: Random) -> Ask:  # noqa: N802
    kinds = rng.sample(webhooks_pb2.NoticeKind.values()[1:6], rng.randint(0, 3))
    request = webhooks_pb2.CreateWebhookRequest(address="https://example.com/hook", kinds=kinds, request_id=_name(rng))
    return Ask(request, world.host())


@valid
def ListWebhooks(world: World, rng: Random) -> Ask:  # noqa: N802
    return Ask(webhooks_pb2.ListWebhooksRequest(), world.host())


@valid
def GetWebhook(world: World, rng: Random) -> Ask:  # noqa: N802
    return Ask(webhooks_pb2.GetWebhookRequest(webhook=_webhook(world, rng)), world.host())


@valid
def UpdateWebhook(world: World, rng: Random) -> Ask:  # noqa: N802
    request = webhooks_pb2.UpdateWebhookRequest(webhook=_webhook(world, rng), disabled=rng.choice((True, False)))
    return Ask(request, world.host())


@valid
def DeleteWebhook(world: World, rng: Random) -> Ask:  # noqa: N802
    return Ask(webhooks_pb2.DeleteWebhookRequest(webhook=_webhook(world, rng)), world.host())


@valid
def RotateWebhookSecret(world: World, rng: Random) -> Ask:  # noqa: N802
    return Ask(webhooks_pb2.RotateWebhookSecretRequest(webhook=_webhook(world, rng)), world.host())


@valid
def TestWebhook(world: World, rng: Random) -> Ask:  # noqa: N802
    return Ask(webhooks_pb2.TestWebhookRequest(webhook=_webhook(world, rng)), world.host())


@valid
def ListDeliveries(world: World, rng: Random) -> Ask:  # noqa: N802
    request = webhooks_pb2.ListDeliveriesRequest(webhook=_webhook(world, rng), page_size=rng.choice((0, 1, 100)))
    return Ask(request, world.host())


@valid
def SuggestMoves(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _started(world, rng)
    view = world.view(game)
    seat = view.decision.seat if view.HasField("decision") else rng.choice(list(game.tokens))
    return Ask(hints_pb2.SuggestMovesRequest(game=game.id, min_version=view.version), bearer(game.tokens[seat]))


@valid
def GetReview(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _started(world, rng)
    return Ask(reviews_pb2.GetReviewRequest(game=game.id, min_version=world.view(game).version), ())


@valid
def React(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _started(world, rng)
    phrase = rng.choice(reactions_pb2.Phrase.values()[1:-1])
    return Ask(reactions_pb2.ReactRequest(game=game.id, phrase=phrase), bearer(rng.choice(list(game.tokens.values()))))


@valid
def ReplayDeliveries(world: World, rng: Random) -> Ask:  # noqa: N802
    return Ask(webhooks_pb2.ReplayDeliveriesRequest(webhook=_webhook(world, rng)), world.host())


@valid
def ListLegalMoves(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _started(world, rng)
    view = world.view(game)
    seat = view.decision.seat if view.HasField("decision") else rng.choice(list(game.tokens))
    request = moves_pb2.ListLegalMovesRequest(
        game=game.id,
        min_version=view.version,
        verb=rng.choice(("", "", *world.catalog.verbs)),
        slot=rng.choice(("", "", "market-denar")),
        payments=rng.choice(moves_pb2.Payments.values()),
        page_size=rng.choice((0, 1, 1_000)),
    )
    return Ask(request, bearer(game.tokens[seat]))


@valid
def ApplyMove(world: World, rng: Random) -> Ask:  # noqa: N802
    for game in rng.sample((world.base, world.rich, world.other), 3):
        found = world.legal(game)
        if found is not None:
            seat, move, version = found
            request = moves_pb2.ApplyMoveRequest(game=game.id, move=move, version=version, request_id=_name(rng))
            request.validate_only = rng.random() < 0.2
            request.include.extend(_include(rng))
            return Ask(request, bearer(game.tokens[seat]))
    world.base = world.create(claimed=2)
    return ApplyMove(world, rng)


@valid
def Undo(world: World, rng: Random) -> Ask:  # noqa: N802
    """After a move of one's own, or as an answer to a proposal."""
    game = rng.choice((world.base, world.rich))
    found = world.legal(game)
    view = world.view(game)
    if view.HasField("undo_proposal") and rng.random() < 0.8:
        voter = rng.choice([seat for seat in game.tokens if seat != view.undo_proposal.seat])
        request = games_pb2.UndoRequest(game=game.id, version=view.version, seat=view.undo_proposal.seat)
        request.consent = rng.random() < 0.7
        return Ask(request, bearer(game.tokens[voter]))
    seat = rng.choice(list(game.tokens))
    for _ in range(UNDO_TRIES):
        seat = seat if found is None else found[0]
        world.play(game, 1)
        if world.can_undo(game, seat):
            break
        found = world.legal(game)
    request = games_pb2.UndoRequest(game=game.id, version=world.view(game).version, request_id=_name(rng))
    return Ask(request, bearer(game.tokens[seat]))


@valid
def Resign(world: World, rng: Random) -> Ask:  # noqa: N802
    game = world.create(claimed=rng.randint(2, 4))
    return Ask(games_pb2.ResignRequest(game=game.id, request_id=_name(rng)), _seat(game, rng))


@valid
def ClaimSeat(world: World, rng: Random) -> Ask:  # noqa: N802
    kind = rng.randrange(3)
    if kind == 0:
        game = _started(world, rng)
        seat = rng.choice(list(game.tokens))
        credentials = rng.choice((bearer(game.tokens[seat]), world.host()))
        return Ask(games_pb2.ClaimSeatRequest(game=game.id, seat=seat, request_id=_name(rng)), credentials)
    if not world.waiting.invitations:
        world.waiting = world.create(claimed=1, opened=3)
    seat = rng.choice(list(world.waiting.invitations))
    request = games_pb2.ClaimSeatRequest(
        game=world.waiting.id,
        invitation=world.waiting.invitations[seat],
        name=rng.choice(("", f"Zoë {seat}")),
        entropy=rng.randbytes(rng.choice((0, 8, 256))).hex(),
        request_id=_name(rng),
    )
    return Ask(request)


@valid
def RevealEntropy(world: World, rng: Random) -> Ask:  # noqa: N802
    entropy = rng.randbytes(rng.choice((1, 32, 256)))
    game = world.create(claimed=2, commitment=sha256(entropy).hexdigest())
    request = games_pb2.RevealEntropyRequest(game=game.id, entropy=entropy.hex(), request_id=_name(rng))
    return Ask(request, bearer(game.tokens[0]))


@valid
def LeaveSeat(world: World, rng: Random) -> Ask:  # noqa: N802
    game = world.create(claimed=1, opened=2)
    fields = rng.choice(({}, {"seat": 1}, {"seat": 2, "server_player": "random"}))
    return Ask(games_pb2.LeaveSeatRequest(game=game.id, request_id=_name(rng), **fields), bearer(game.tokens[0]))


@valid
def CancelGame(world: World, rng: Random) -> Ask:  # noqa: N802
    game = world.create(claimed=1, opened=2)
    return Ask(games_pb2.CancelGameRequest(game=game.id), bearer(game.tokens[0]))


@valid
def SetOrders(world: World, rng: Random) -> Ask:  # noqa: N802
    game = rng.choice((world.rich, world.rich, world.base))
    on = ("", *game.created.modules)
    answered = [kind for kind, (module, answers) in world.catalog.decisions.items() if answers and module in on]
    orders = [
        views_pb2.Order(
            decision=kind,
            answer=rng.choice(world.catalog.decisions[kind][1]),
            unless_types=rng.sample(nouns_pb2.BuildingType.values()[1:], rng.choice((0, 0, 2))),
            unless_currencies=rng.sample(nouns_pb2.Currency.values()[1:], rng.choice((0, 0, 1))),
            until=rng.choice(views_pb2.OrderUntil.values()),
        )
        for kind in rng.sample(answered, rng.randint(0, min(3, len(answered))))
    ]
    return Ask(games_pb2.SetOrdersRequest(game=game.id, orders=orders, request_id=_name(rng)), _seat(game, rng))


@valid
def WatchEvents(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _any(world, rng)
    request = events_pb2.WatchEventsRequest(game=game.id, past_only=rng.random() < 0.7, snapshots=rng.random() < 0.5)
    request.include.extend(_include(rng))
    if rng.random() < 0.6:
        request.from_version = rng.randint(0, world.view(game).version)
    if request.past_only:
        request.page_size = rng.choice((0, 1, 1_000))
    for place, (about, ticket) in enumerate(world.tickets):
        if about == game.id and rng.random() < 0.5:
            request.ticket = ticket
            del world.tickets[place]
            return Ask(request)
    return Ask(request, _someone(game, rng))


@valid
def CreateEventTicket(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _any(world, rng)
    return Ask(events_pb2.CreateEventTicketRequest(game=game.id), _someone(game, rng))


@valid
def CreateNoticeTicket(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _any(world, rng)
    token = rng.choice([token for token in game.tokens.values() if token] or ["none"])
    return Ask(webhooks_pb2.CreateNoticeTicketRequest(seats=[webhooks_pb2.SeatToken(game=game.id, token=token)]))


@valid
def WatchNotices(world: World, rng: Random) -> Ask:  # noqa: N802
    kinds = rng.sample(webhooks_pb2.NoticeKind.values()[1:6], rng.randint(0, 3))
    request = webhooks_pb2.WatchNoticesRequest(
        past_only=rng.random() < 0.9, kinds=kinds, page_size=rng.choice((0, 1, 9))
    )
    return Ask(request, world.host())


@valid
def ExportGame(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _started(world, rng)
    return Ask(games_pb2.ExportGameRequest(game=game.id), _someone(game, rng))


# -- Boards ------------------------------------------------------------------------------------------------------------


def _tile(world: World, game: PlayedGame, rng: Random) -> str:
    on = ("", *game.created.modules)
    return rng.choice([tile for tile, module in world.catalog.tiles.items() if module in on])


def _placement(world: World, game: PlayedGame, rng: Random) -> boards_pb2.Placement:
    cell = nouns_pb2.Cell(x=rng.randint(-2, 2), y=rng.randint(-2, 2))
    found = boards_pb2.Placement(tile=_tile(world, game, rng), cell=cell)
    if rng.random() < 0.2:
        found.rotation = rng.choice((90, 180, 270))
    if rng.random() < 0.2:
        found.choice = "gate"
    return found


def _about(game: PlayedGame, rng: Random) -> dict[str, Any]:
    return {"game": game.id, "seat": rng.choice(list(game.tokens))}


@valid
def GetBoardPicture(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _started(world, rng)
    theme = rng.choice(boards_pb2.Theme.values())
    return Ask(boards_pb2.GetBoardPictureRequest(theme=theme, **_about(game, rng)), _someone(game, rng))


@valid
def GetTablePicture(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _started(world, rng)
    version = rng.randint(0, world.view(game).version)
    theme = rng.choice(boards_pb2.Theme.values())
    request = boards_pb2.GetTablePictureRequest(game=game.id, theme=theme, min_version=version)
    return Ask(request, _someone(game, rng))


@valid
def ValidatePlacement(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _started(world, rng)
    request = boards_pb2.ValidatePlacementRequest(placement=_placement(world, game, rng), **_about(game, rng))
    return Ask(request, _someone(game, rng))


@valid
def BatchValidatePlacements(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _started(world, rng)
    placements = [_placement(world, game, rng) for _ in range(rng.choice((1, 5, 40)))]
    request = boards_pb2.BatchValidatePlacementsRequest(placements=placements, **_about(game, rng))
    return Ask(request, _someone(game, rng))


@valid
def ListLegalPlacements(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _started(world, rng)
    tile = _tile(world, game, rng)
    return Ask(boards_pb2.ListLegalPlacementsRequest(tile=tile, **_about(game, rng)), _someone(game, rng))


def _boards(world: World, game: PlayedGame) -> list[boards_pb2.Board]:
    """The Alhambras of a game."""
    return [boards_pb2.Board(tiles=seat.alhambra, gates=seat.gates) for seat in world.view(game).seats]


def _rules(world: World, game: PlayedGame) -> boards_pb2.BoardRules:
    setup = world.view(game).setup
    return boards_pb2.BoardRules(edition=setup.edition, modules=setup.modules, variants=setup.variants)


@valid
def ValidateBoardPlacement(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _started(world, rng)
    request = boards_pb2.ValidateBoardPlacementRequest(
        board=rng.choice(_boards(world, game)), placement=_placement(world, game, rng), rules=_rules(world, game)
    )
    return Ask(request)


@valid
def ScoreBoard(world: World, rng: Random) -> Ask:  # noqa: N802
    game = _started(world, rng)
    request = boards_pb2.ScoreBoardRequest(
        boards=_boards(world, game), scoring=rng.randint(1, 3), rules=_rules(world, game)
    )
    if len(request.boards) == 2 and rng.random() < 0.5:
        used = {tile.tile for board in request.boards for tile in board.tiles}
        request.dirk_tiles.append(rng.choice([tile for tile in BASE_TILES if tile not in used]))
    return Ask(request)


# -- The catalogue -----------------------------------------------------------------------------------------------------


@valid
def ListModules(world: World, rng: Random) -> Ask:  # noqa: N802
    return Ask(catalog_pb2.ListModulesRequest())


@valid
def ListComponents(world: World, rng: Random) -> Ask:  # noqa: N802
    modules = rng.sample(["base", *sorted(world.catalog.modules)], rng.choice((0, 1, 5)))
    kind, thing = rng.choice((("", ""), rng.choice(world.catalog.components)))
    request = catalog_pb2.ListComponentsRequest(modules=modules, kind=kind, page_size=rng.choice((0, 5, 1_000)))
    request.id = rng.choice(("", thing))
    return Ask(request)


@valid
def GetComponentPicture(world: World, rng: Random) -> Ask:  # noqa: N802
    kind, thing = rng.choice(world.catalog.components)
    theme = rng.choice(boards_pb2.Theme.values())
    return Ask(catalog_pb2.GetComponentPictureRequest(kind=kind, id=thing, theme=theme))


@valid
def ListTiles(world: World, rng: Random) -> Ask:  # noqa: N802
    module = rng.choice(("", "base", *world.catalog.modules))
    kind = rng.choice(("", "standard", "start"))
    return Ask(catalog_pb2.ListTilesRequest(module=module, kind=kind, page_size=rng.choice((0, 5, 1_000))))


@valid
def ListEditions(world: World, rng: Random) -> Ask:  # noqa: N802
    return Ask(catalog_pb2.ListEditionsRequest())


@valid
def ListVerbs(world: World, rng: Random) -> Ask:  # noqa: N802
    modules = rng.sample(sorted(world.catalog.modules), rng.choice((0, 1, 5)))
    return Ask(catalog_pb2.ListVerbsRequest(modules=modules))


@valid
def ListViolations(world: World, rng: Random) -> Ask:  # noqa: N802
    return Ask(catalog_pb2.ListViolationsRequest())
