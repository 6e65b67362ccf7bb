"""What is fuzzed: a real service on a real socket, a few games in different stages, and everybody's secrets.

Games are made anew for each chapter, from its seed: what is asked of them is then the same again, ids and tokens apart.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import grpc

from alhambra_api.v1 import games_pb2, moves_pb2, nouns_pb2, service_pb2_grpc, views_pb2
from alhambra_api.values import to_value
from alhambra_service.auth.api_keys import entry_text, known_scopes
from alhambra_service.auth.credentials import KEY, digest, new_secret
from alhambra_service.config import Settings
from alhambra_service.games.loaded_game import LoadedGame, decode
from alhambra_service.notices.feed import NoticeFeed
from alhambra_service.process.service import Service
from alhambra_service.store import EmbeddedStore, GameStore
from alhambra_service.store.checks import Durability
from alhambra_service.store.keys import index_key

from .catalog import Catalog

SECONDS = 20.0
"""A call that takes longer hangs. The slowest of them take a tenth of a second on a machine that has nothing to do."""
OPENING_MOVES = 14
SEEN = 50
"""Moves of a list whose words are remembered."""
TENANTS = ("red", "blue")
Metadata = tuple[tuple[str, str | bytes], ...]

# Everything of a game in one digest, in an order of its own: dumping a hash would tell how it is laid out in memory.
DIGESTS = """
local found = {}
for _, key in ipairs(redis.call('KEYS', 'alh:*')) do
  local kind = redis.call('TYPE', key).ok
  local text = ''
  local passing = string.sub(key, 1, 11) == 'alh:ticket:' or string.sub(key, 1, 10) == 'alh:probe:'
  if passing or string.find(key, 'echo-', 1, true) then kind = 'passing' end
  if kind == 'string' then text = redis.call('GET', key) end
  if kind == 'list' then text = table.concat(redis.call('LRANGE', key, 0, -1), '\\n') end
  if kind == 'stream' then text = tostring(redis.call('XLEN', key)) end
  if kind == 'zset' then text = table.concat(redis.call('ZRANGE', key, 0, -1, 'WITHSCORES'), '\\n') end
  if kind == 'hash' then
    local flat, lines = redis.call('HGETALL', key), {}
    for at = 1, #flat, 2 do lines[#lines + 1] = flat[at] .. '=' .. flat[at + 1] end
    table.sort(lines)
    text = table.concat(lines, '\\n')
  end
  if kind ~= 'passing' then
    found[#found + 1] = key
    found[#found + 1] = redis.sha1hex(text)
  end
end
return found
"""


class Remembering(logging.Handler):
    """Keeps what the service logs, so that a defect can be shown with its traceback."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    def taken(self) -> str:
        """What was logged since the last look."""
        lines, self.lines = self.lines, []
        return "\n".join(lines)


@dataclass
class PlayedGame:
    """A game and its keys."""

    id: str
    tenant: str
    created: games_pb2.CreateGameRequest
    tokens: dict[int, str] = field(default_factory=dict)
    invitations: dict[int, str] = field(default_factory=dict)
    revoked: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Server:
    """The service and its store, and who may host."""

    address: str
    channel: grpc.Channel
    store: GameStore[LoadedGame]
    """The same store, opened once more, to look at what is really there."""
    keys: Mapping[str, str]
    """By name: an API key for everything of each tenant, one that may only list, and one of a gateway."""
    service_key: str
    log: Remembering
    catalog: Catalog

    def digests(self) -> dict[str, str]:
        """By key of the store: a digest of what stands there. Tickets come and go and are left out."""
        flat = self.store.client.write(index_key(TENANTS[0]), "EVAL", DIGESTS, 0)
        return {flat[at].decode(): flat[at + 1].decode() for at in range(0, len(flat), 2)}

    def clear(self) -> None:
        """Forgets every game."""
        for key in self.digests():
            self.store.client.write(key, "UNLINK", key)


@contextmanager
def serving() -> Iterator[Server]:
    """A service with all that `alhambra serve` has, in this process, with a store of its own. Notices are relayed
    before the call that caused them is answered: whatever a call changes is changed when it is answered."""
    at_once = mock.patch.object(NoticeFeed, "relay_soon", NoticeFeed._relay_now)
    with TemporaryDirectory(prefix="alh-fuzz-") as name, at_once:
        folder = Path(name)
        keys = _write_keys(folder / "keys.toml")
        service_key = new_secret(KEY)
        (folder / "service-key").write_text(service_key)
        with EmbeddedStore(folder / "store", fsync="everysec") as embedded:
            settings = Settings(
                listen="127.0.0.1:0",
                durability="everysec",
                keys=str(folder / "keys.toml"),
                service_key=str(folder / "service-key"),
                calls_per_second=0.0,
            )
            log = Remembering()
            logging.getLogger("alhambra_service").addHandler(log)
            service = Service(settings, embedded.url)
            address = f"127.0.0.1:{service.start()}"
            store: GameStore[LoadedGame] = GameStore.open(embedded.url, decode, durability=Durability.EVERYSEC)
            channel = grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])
            try:
                yield Server(address, channel, store, keys, service_key, log, Catalog.read(channel))
            finally:
                channel.close()
                service.stop(0.0, 1.0)
                store.close()
                logging.getLogger("alhambra_service").removeHandler(log)


def _write_keys(path: Path) -> dict[str, str]:
    keys = {name: new_secret(KEY) for name in (*TENANTS, "lister", "gateway")}
    entries = []
    for name, key in keys.items():
        scopes = ["games.list"] if name == "lister" else sorted(known_scopes())
        tenant = TENANTS[0] if name == "lister" else name
        entry = entry_text(name, digest(key), tenant, scopes, gateway=name == "gateway")
        entries.append(entry if name == "gateway" else f"{entry}\ncalls_per_second = 1000000")
    path.write_text("\n".join(entries), encoding="utf-8")
    return keys


class World:
    """The games of a chapter."""

    def __init__(self, server: Server, seed: str) -> None:
        self.server = server
        self.catalog = server.catalog
        self.rng = Random(f"world {seed}")
        self._seed = seed
        self._games_made = 0
        self._owners: dict[str, str] = {}
        """By game: its tenant, also of games that are gone."""
        self._seen: dict[str, set[str]] = {}
        """By noun: what stood there in moves."""
        self.moves: list[nouns_pb2.Move] = []
        """Moves that were legal once."""
        self._stub = service_pb2_grpc.GameServiceStub(server.channel)
        self.tickets: list[tuple[str, str]] = []
        """The game and the ticket."""
        self.told_own: set[tuple[str, int, str]] = set()
        """Game, seat and secret: what a seat has written into its own orders, and is shown there."""
        server.clear()
        self.base = self.create(claimed=2)
        modules = self.rng.sample(sorted(self.catalog.modules), self.rng.randint(3, len(self.catalog.modules)))
        self.rich = self.create(claimed=self.rng.randint(2, 5), modules=modules, options={"undo": "by_consent"})
        self.waiting = self.create(claimed=1, opened=3)
        self.other = self.create(claimed=2, tenant=TENANTS[1])
        self.over = self.create(claimed=2, turn_limit=1)
        for game in (self.base, self.rich, self.other):
            self.play(game, self.rng.randint(0, OPENING_MOVES))
        self.play(self.over, 50)

    @property
    def games(self) -> tuple[PlayedGame, ...]:
        """Those that stay."""
        return self.base, self.rich, self.waiting, self.other, self.over

    # -- Making and playing ----------------------------------------------------------------------------------------

    def create(
        self, *, claimed: int, opened: int = 0, tenant: str = TENANTS[0], commitment: str = "", **fields: Any
    ) -> PlayedGame:
        """A game with so many seats taken and so many open. The first one commits to entropy, if that is given."""
        self._games_made += 1
        options = {name: to_value(value) for name, value in fields.pop("options", {}).items()}
        seats = [games_pb2.SeatSetup(claim=number < claimed) for number in range(claimed + opened)]
        seats[0].entropy_commitment = commitment
        seed = f"the seed of game {self._games_made} in chapter {self._seed}"
        request = games_pb2.CreateGameRequest(seats=seats, seed=seed, options=options, **fields)
        answer = self._stub.CreateGame(request, metadata=self.host(tenant), timeout=SECONDS)
        return self.known(request, answer, tenant)

    def known(
        self, request: games_pb2.CreateGameRequest, answer: games_pb2.CreateGameResponse, tenant: str
    ) -> PlayedGame:
        """A game that was just created."""
        game = PlayedGame(answer.game, tenant, request)
        self._owners[game.id] = tenant
        game.tokens = {key.seat: key.token for key in answer.seat_keys if key.token}
        game.invitations = {key.seat: key.invitation for key in answer.seat_keys if key.invitation}
        return game

    def play(self, game: PlayedGame, moves: int) -> None:
        """Makes random moves."""
        for _ in range(moves):
            found = self.legal(game)
            if found is None:
                return
            seat, move, version = found
            request = moves_pb2.ApplyMoveRequest(game=game.id, move=move, version=version)
            self._stub.ApplyMove(request, metadata=bearer(game.tokens[seat]), timeout=SECONDS)

    def view(self, game: PlayedGame) -> views_pb2.View:
        """As a spectator sees it."""
        answer = self._stub.GetGame(games_pb2.GetGameRequest(game=game.id), timeout=SECONDS)
        found: views_pb2.View = answer.view
        return found

    def can_undo(self, game: PlayedGame, seat: int) -> bool:
        """Whether a seat could take a move back."""
        request = games_pb2.GetGameRequest(game=game.id)
        answer = self._stub.GetGame(request, metadata=bearer(game.tokens[seat]), timeout=SECONDS)
        return bool(answer.view.can_undo)

    def legal(self, game: PlayedGame) -> tuple[int, nouns_pb2.Move, int] | None:
        """Who is asked, a legal move, and the version; None if nobody of ours is asked."""
        view = self.view(game)
        seat = view.decision.seat
        if view.status != views_pb2.GAME_STATUS_RUNNING or seat not in game.tokens:
            return None
        request = moves_pb2.ListLegalMovesRequest(game=game.id, page_size=1_000)
        listed = self._stub.ListLegalMoves(request, metadata=bearer(game.tokens[seat]), timeout=SECONDS)
        if not listed.moves:
            return None
        self.moves.append(self.rng.choice(listed.moves).move)
        for one in listed.moves[:SEEN]:
            for noun, value in one.move.ListFields():
                if noun.cpp_type == noun.CPPTYPE_STRING:
                    self._seen.setdefault(noun.name, set()).update(value if noun.is_repeated else (value,))
        chosen = self.rng.choice(listed.moves)
        move = nouns_pb2.Move()
        move.CopyFrom(chosen.move)
        if chosen.HasField("amount_min"):
            move.amount = self.rng.randint(chosen.amount_min, chosen.amount_max)
        return seat, move, listed.version

    def replace_deleted(self, game: str) -> None:
        """Puts a new game in the place of one that was deleted."""
        for name in ("base", "rich", "waiting", "other", "over"):
            old: PlayedGame = getattr(self, name)
            if old.id == game:
                seats = old.created.seats
                claimed = sum(seat.claim for seat in seats)
                turns = old.created.turn_limit
                made = self.create(claimed=claimed, opened=len(seats) - claimed, tenant=old.tenant, turn_limit=turns)
                setattr(self, name, made)
                self.play(made, 50 if old is self.over else 3)

    def claimed(self, request: games_pb2.ClaimSeatRequest, answer: games_pb2.ClaimSeatResponse) -> None:
        """A seat has another token now. It is used at once, so that no later call is its first use."""
        for game in self.games:
            if game.id == request.game:
                old = game.tokens.get(answer.seat)
                if old and old != answer.token:
                    game.revoked.append(old)
                game.tokens[answer.seat] = answer.token
                game.invitations.pop(answer.seat, None)
                read = games_pb2.GetGameRequest(game=game.id)
                self._stub.GetGame(read, metadata=bearer(answer.token), timeout=SECONDS)

    def ordered(self, game: str, body: bytes, secret: str | None) -> None:
        """A seat has given orders; words of them may be secrets of others that it knows."""
        seat = self.seat_of(game, secret)
        if seat is not None:
            known = [other for other in self.secrets().values() if other.encode() in body]
            self.told_own.update((game, seat, other) for other in known)

    # -- Who is who ------------------------------------------------------------------------------------------------

    def host(self, tenant: str = TENANTS[0]) -> Metadata:
        """Credentials of a tenant."""
        return bearer(self.server.keys[tenant])

    def seat_of(self, game: str, secret: str | None) -> int | None:
        """The seat of a game that a token is good for."""
        for one in self.games:
            for seat, token in one.tokens.items():
                if one.id == game and token == secret:
                    return seat
        return None

    def tenant_of(self, game: str, secret: str | None) -> str | None:
        """The tenant of a game, or of an API key if there is no such game."""
        hosts = {self.server.keys[name]: name for name in TENANTS}
        return self._owners.get(game) or hosts.get(secret or "")

    def secrets(self) -> dict[str, str]:
        """Everything that nobody is told who does not know it already, with a name for each."""
        found = {f"the key of {name}": key for name, key in self.server.keys.items()}
        found["the key of the service"] = self.server.service_key
        for game in self.games:
            kept = [*game.tokens.values(), *game.invitations.values(), *game.revoked]
            for number, secret in enumerate(kept):
                found[f"secret {number} of {game.id}"] = secret
                found[f"the digest of secret {number} of {game.id}"] = digest(secret)
            if game is not self.over:
                found[f"the seed of {game.id}"] = game.created.seed
                found[f"what keys the chain of {game.id}"] = self.server.store.read_game(game.id).secret.hex()
        found |= {f"ticket {number}": ticket for number, (_, ticket) in enumerate(self.tickets)}
        return found

    def words(self) -> dict[str, list[str]]:
        """What texts are made of, by name of a field: words of the catalogue and of moves, ids, secrets of others."""
        found = self.catalog.words()
        for name, seen in self._seen.items():
            found[name] = [*found.get(name, ()), *sorted(seen)]
        ids = [game.id for game in self.games]
        invitations = [secret for game in self.games for secret in game.invitations.values()]
        tokens = [secret for game in self.games for secret in game.tokens.values()]
        found |= {"game": ids, "invitation": invitations, "ticket": [ticket for _, ticket in self.tickets]}
        found[""] = [*ids, *tokens, *(word for words in list(found.values()) for word in words[::7])]
        return found


def bearer(secret: str) -> Metadata:
    """Credentials as they travel."""
    return (("authorization", f"Bearer {secret}"),)
