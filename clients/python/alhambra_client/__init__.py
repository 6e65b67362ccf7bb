"""A client for servers of the board game Alhambra.

    with Client("http://127.0.0.1:8080") as client:
        created = client.create_game([SeatSetup(claim=True), SeatSetup(server_player="random")])
        game = created.seats[0]
        for moves in game.turns():
            game.play(moves[0])

`AsyncClient` has the same methods for asyncio. All messages of the contract are in `alhambra_client.contract`.
"""

from .async_client import AsyncClient
from .async_game import AsyncGame, AsyncNewGame
from .client import Client
from .contract import (
    Board,
    BoardRules,
    Cell,
    Event,
    LegalMove,
    Move,
    Notice,
    Order,
    PlacedTile,
    Placement,
    SeatSetup,
    SeatToken,
    Snapshot,
    View,
    Violation,
)
from .errors import (
    AccessDenied,
    AlhambraError,
    CommitmentsChanged,
    Conflict,
    IllegalMove,
    InvalidRequest,
    InvalidSetup,
    NotFound,
    NotReady,
    OutcomeUnknown,
    Refused,
    ServerFault,
    Stale,
    TooManyCalls,
    Unavailable,
    UnexpectedAnswer,
    Unreachable,
)
from .game import Game, NewGame
from .game_state import ListedMove, MoveList, Played
from .notices import NoticesMissed, ToldNotice
from .retries import Retry
from .streams import WentBack

__all__ = [
    "AccessDenied",
    "AlhambraError",
    "AsyncClient",
    "AsyncGame",
    "AsyncNewGame",
    "Board",
    "BoardRules",
    "Cell",
    "Client",
    "CommitmentsChanged",
    "Conflict",
    "Event",
    "Game",
    "IllegalMove",
    "InvalidRequest",
    "InvalidSetup",
    "LegalMove",
    "ListedMove",
    "Move",
    "MoveList",
    "NewGame",
    "NotFound",
    "NotReady",
    "Notice",
    "NoticesMissed",
    "Order",
    "OutcomeUnknown",
    "PlacedTile",
    "Placement",
    "Played",
    "Refused",
    "Retry",
    "SeatSetup",
    "SeatToken",
    "ServerFault",
    "Snapshot",
    "Stale",
    "ToldNotice",
    "TooManyCalls",
    "Unavailable",
    "UnexpectedAnswer",
    "Unreachable",
    "View",
    "Violation",
    "WentBack",
]
