"""An operator who plays knows the secret of the game, reads the store, is claimed last and tries to choose the deal.

Entropy that is told with the claim does not stop such an operator. The first test shows that, with the same attack, so
that the others are known to stop something.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from secrets import token_bytes
from typing import Any

import pytest

from alhambra import Game as RulesGame
from alhambra import seed_from, verify_export
from alhambra.export import Report
from alhambra_api.v1 import games_pb2, views_pb2
from alhambra_service.games.game_change import GameChange
from alhambra_service.games.loaded_game import LoadedGame

from .playing import Game, Host, Seat, failure, refused
from .serving import GameServer

HONEST, OPERATOR = 0, 1
TRIES = 400
MARGIN = 6
"""The operator wants a hand that is worth this much more than the other one: about one deal in twenty."""


def sealed(entropy: bytes) -> str:
    """The commitment to some entropy."""
    return sha256(entropy).hexdigest()


class Operator:
    """Plays a seat of a game and has everything that the servers have."""

    def __init__(self, server: GameServer, game: Game) -> None:
        self.server = server
        self.game = game
        self.secret = server.store.read_game(game.id).secret
        self.tried: set[str] = set()
        """Every seed whose deal the operator has looked at before the game was dealt."""
        self._rng = Random(28)

    @property
    def loaded(self) -> LoadedGame:
        """The game as it stands in the store."""
        return self.server.commands.load(self.game.id, fresh=True)

    def foreseen(self, entropies: tuple[bytes, ...]) -> RulesGame:
        """The game that would be dealt from these entropies."""
        seed = seed_from(self.secret, entropies)
        self.tried.add(seed)
        return RulesGame.new(self.loaded.options.with_seed(seed))

    def suits(self, game: RulesGame) -> bool:
        """Whether the operator likes a deal."""
        honest, own = (sum(int(card.split("-")[1]) for card in seat.hand) for seat in game.state.seats[:2])
        return own - honest >= MARGIN

    def choose(self, honest: bytes) -> bytes:
        """Entropy of its own with which the deal suits, if the other seat contributes `honest`."""
        return next(mine for mine in self._candidates() if self.suits(self.foreseen((honest, mine))))

    def _candidates(self) -> Iterator[bytes]:
        return (self._rng.randbytes(32) for _ in range(TRIES))


@pytest.fixture
def game(host: Host) -> Game:
    return host.create([{"name": "Honest"}, {"name": "Operator"}])


@pytest.fixture
def operator(game_server: GameServer, game: Game) -> Operator:
    return Operator(game_server, game)


def reveal(seat: Seat, entropy: bytes) -> views_pb2.View:
    request = games_pb2.RevealEntropyRequest(game=seat.game.id, entropy=entropy.hex())
    answer: games_pb2.RevealEntropyResponse = seat.call("RevealEntropy", request)
    return answer.view


def dealt(operator: Operator) -> RulesGame:
    """The game as it was really dealt."""
    found = operator.loaded.game
    assert found is not None
    return found


def checked(game: Game, commitments: list[str] | None = None) -> Report:
    """What the honest player finds in the record after the end."""
    game.seats[HONEST].resign()
    document: dict[str, Any] = game.export()
    return verify_export(document, game.created.view.fairness.commitment, commitments)


def proved(report: Report) -> bool:
    """Whether the record proves that nobody chose the draws."""
    return any(finding.good and "not even a host who plays" in finding.text for finding in report.findings)


# -- The attack works against entropy that is told at once -------------------------------------------------------------


def test_entropy_that_is_told_with_the_claim_lets_the_operator_choose(game: Game, operator: Operator) -> None:
    game.claim(HONEST, entropy=token_bytes(32).hex())
    chosen = operator.choose(operator.loaded.entropies[HONEST])
    game.claim(OPERATOR, entropy=chosen.hex())
    assert operator.suits(dealt(operator))
    assert dealt(operator).options.seed in operator.tried
    report = checked(game)
    assert report.ok, "everything in the record is true"
    assert not proved(report), "and it does not claim what does not hold"


# -- It does not work against entropy that is revealed later -----------------------------------------------------------


class Sealed:
    """A game in which the honest seat has committed and noted what was shown before it revealed."""

    def __init__(self, game: Game, operator: Operator) -> None:
        self.game = game
        self.operator = operator
        self.entropy = token_bytes(32)
        self.honest = game.claim(HONEST, entropy_commitment=sealed(self.entropy))
        # All that the operator can try before its claim are guesses about what the honest seat will reveal.
        self.guess = bytes.fromhex(operator.loaded.entropy_commitments[HONEST])
        assert operator.loaded.entropies[HONEST] == b""
        self.chosen = operator.choose(self.guess)

    def seat_operator(self) -> Seat:
        """The operator is claimed last, with the best that it could find."""
        return self.game.claim(OPERATOR, entropy_commitment=sealed(self.chosen))

    def reveal(self) -> list[str]:
        """The honest seat reveals; what it noted before."""
        shown = list(self.honest.view().fairness.entropy_commitments)
        assert shown[HONEST] == sealed(self.entropy)
        assert reveal(self.honest, self.entropy).status == views_pb2.GAME_STATUS_WAITING
        return shown


@pytest.fixture
def sealed_game(game: Game, operator: Operator) -> Sealed:
    return Sealed(game, operator)


def test_no_deal_that_was_tried_before_the_claim_is_dealt(sealed_game: Sealed) -> None:
    seat, operator = sealed_game.seat_operator(), sealed_game.operator
    shown = sealed_game.reveal()
    assert reveal(seat, sealed_game.chosen).status == views_pb2.GAME_STATUS_RUNNING
    assert dealt(operator).options.seed == seed_from(operator.secret, (sealed_game.entropy, sealed_game.chosen))
    assert dealt(operator).options.seed not in operator.tried
    report = checked(sealed_game.game, shown)
    assert report.ok
    assert proved(report)


def test_after_the_reveal_the_operator_knows_what_would_suit_and_cannot_contribute_it(sealed_game: Sealed) -> None:
    seat, operator, game = sealed_game.seat_operator(), sealed_game.operator, sealed_game.game
    sealed_game.reveal()
    better = operator.choose(operator.loaded.entropies[HONEST])
    found = failure(lambda: reveal(seat, better))
    assert (found.reason, found.info.metadata["because"]) == ("ENTROPY_REFUSED", "mismatch")
    for claim in ({"entropy_commitment": sealed(better)}, {"entropy": better.hex()}, {"name": "Somebody"}):
        request = games_pb2.ClaimSeatRequest(game=game.id, seat=OPERATOR, **claim)
        seat = Seat(game, OPERATOR, seat.call("ClaimSeat", request).token)
        assert failure(lambda: reveal(seat, better)).info.metadata["because"] == "mismatch"  # noqa: B023
    assert operator.loaded.game is None
    assert reveal(seat, sealed_game.chosen).status == views_pb2.GAME_STATUS_RUNNING
    fixed = seed_from(operator.secret, (sealed_game.entropy, sealed_game.chosen))
    assert dealt(operator).options.seed == fixed, "the deal was fixed before the reveals"


def test_refusing_to_reveal_gives_no_second_deal_and_everybody_sees_who_refuses(sealed_game: Sealed) -> None:
    seat, operator, game = sealed_game.seat_operator(), sealed_game.operator, sealed_game.game
    sealed_game.reveal()
    foreseen = operator.foreseen((sealed_game.entropy, sealed_game.chosen))
    for attempt in (seat.resign, seat.moves, sealed_game.honest.moves):
        assert refused(attempt) == "GAME_WAITING"
    claim = games_pb2.ClaimSeatRequest(game=game.id, seat=OPERATOR)  # to contribute nothing after all
    seat = Seat(game, OPERATOR, seat.call("ClaimSeat", claim).token)
    view = game.view()
    assert (view.status, list(view.fairness.entropy_awaited)) == (views_pb2.GAME_STATUS_WAITING, [OPERATOR])
    reveal(seat, sealed_game.chosen)
    assert dealt(operator) == foreseen, "the only deal that there is"


def test_a_copied_commitment_is_refused_and_one_of_another_game_chooses_nothing(
    sealed_game: Sealed, host: Host
) -> None:
    game, operator = sealed_game.game, sealed_game.operator
    copied = operator.loaded.entropy_commitments[HONEST]
    found = failure(lambda: game.claim(OPERATOR, entropy_commitment=copied))
    assert (found.reason, found.info.metadata["because"]) == ("ENTROPY_REFUSED", "copied")
    elsewhere = host.create([{}, {}])
    other = token_bytes(32)
    honest = elsewhere.claim(HONEST, entropy_commitment=sealed(other))
    elsewhere.claim(OPERATOR, entropy_commitment=copied)
    reveal(honest, other)
    assert list(elsewhere.view().fairness.entropy_awaited) == [OPERATOR], "nobody can reveal it there yet"
    sealed_game.seat_operator()
    sealed_game.reveal()
    reveal(elsewhere.seats[OPERATOR], sealed_game.entropy)
    spy = Operator(operator.server, elsewhere)
    assert dealt(spy).options.seed == seed_from(spy.secret, (other, sealed_game.entropy))
    assert not operator.tried & {dealt(spy).options.seed}


def test_an_operator_who_writes_into_the_store_is_found_out_by_what_was_noted(sealed_game: Sealed) -> None:
    seat, operator, game = sealed_game.seat_operator(), sealed_game.operator, sealed_game.game
    shown = sealed_game.reveal()
    better = operator.choose(operator.loaded.entropies[HONEST])
    forged = operator.loaded.with_seat(OPERATOR, entropy_commitment=sealed(better))
    assert operator.server.commands.save(game.id, GameChange.of_seats(forged)) is not None
    assert reveal(seat, better).status == views_pb2.GAME_STATUS_RUNNING
    assert operator.suits(dealt(operator))
    report = checked(game, shown)
    assert not report.ok
    assert not proved(report)
    assert [finding.text for finding in report.findings if finding.good is False] == [
        "The commitments of the seats are not those that were shown before the reveals."
    ]
