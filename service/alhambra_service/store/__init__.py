"""Games kept in Redis or Valkey: no acknowledged move is lost, none is applied twice, and any process serves any game.

    store = GameStore.open("embedded:data", decode)
    store.create(game, StoredGame.new(created=now, secret=secret).dealt(Game.new(options)))
    advance = store.read_game(game).advanced(["0 take_money +denar-5"], state=moved.state_bytes())
    store.commit(Commit(game, advance, request))

Start with `game_store.py`. Each file says at the top what it guarantees.
"""

from .checks import Durability, faults, warnings
from .commit import Commit, Outcome, Request
from .embedded.embedded_store import EmbeddedStore
from .errors import (
    DamagedGame,
    GameExists,
    GameNotFound,
    NewerGame,
    OutcomeUnknown,
    QuotaExceeded,
    RequestReused,
    RulesChanged,
    Stale,
    StoreError,
    StoreMisconfigured,
    StoreUnavailable,
    TooEarly,
    Trouble,
    VersionAhead,
    WentBack,
    WrittenElsewhere,
)
from .game_store import GameStore
from .index import Page, rebuild
from .keys import DEFAULT_TENANT, game_for_request, is_game, is_tenant, new_game
from .lists import open_games
from .lists.open_games import Listed
from .stored_game import LogEntry, Segment, StoredGame, first_broken
from .usage import Quota, Usage

__all__ = [
    "DEFAULT_TENANT",
    "Commit",
    "DamagedGame",
    "Durability",
    "EmbeddedStore",
    "GameExists",
    "GameNotFound",
    "GameStore",
    "Listed",
    "LogEntry",
    "NewerGame",
    "Outcome",
    "OutcomeUnknown",
    "Page",
    "Quota",
    "QuotaExceeded",
    "Request",
    "RequestReused",
    "RulesChanged",
    "Segment",
    "Stale",
    "StoreError",
    "StoreMisconfigured",
    "StoreUnavailable",
    "StoredGame",
    "TooEarly",
    "Trouble",
    "Usage",
    "VersionAhead",
    "WentBack",
    "WrittenElsewhere",
    "faults",
    "first_broken",
    "game_for_request",
    "is_game",
    "is_tenant",
    "new_game",
    "open_games",
    "rebuild",
    "warnings",
]
