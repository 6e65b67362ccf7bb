"""A bot that looks ahead: it samples what is hidden, tries every move, plays a few more and evaluates the position.

It never looks at the game itself, only at determinizations: clones with all hidden information resampled.
`python examples/search_bot.py` plays one game against a player who moves at random.
"""

from random import Random

from alhambra import TYPES, Game, Move, Options

SAMPLES = 2  # determinizations; every move is tried in the same ones
MOVES_AHEAD = 4  # random moves in each of them
CARD_POINTS = 0.15  # a unit of money in hand; more, and the bot would only save


def choose(game: Game, rng: Random) -> Move:
    """Return the legal move with the best value, in any game with any modules. The game is not changed."""
    assert game.decision is not None, "the game is over"
    seat = game.decision.seat
    samples = [game.determinize(seat, rng) for _ in range(SAMPLES)]
    moves = samples[0].legal_moves()  # the seat knows its own moves: they are the same in every sample
    return max(moves, key=lambda move: sum(value(sample.clone(), move, seat, rng) for sample in samples))


def value(sample: Game, move: Move, seat: int, rng: Random) -> float:
    """Return how far the seat is ahead of its best opponent, some random moves after this one."""
    sample.apply(move)
    for _ in range(MOVES_AHEAD):
        if not sample.over:
            sample.apply(sample.random_move(rng))
    others = [other for other in range(len(sample.options.seats)) if other != seat]
    return worth(sample, seat) - max(worth(sample, other) for other in others)


def worth(game: Game, seat: int) -> float:
    """Return points, and before the end what will earn some: a long wall, valuable buildings, reserved tiles, money."""
    if game.over:
        return game.scores[seat]
    owner = game.state.seats[seat]
    parts = [part for name in owner.board.placed for part in game.ruleset.tiles[name].parts]
    buildings = [part.type for part in parts if part.type in TYPES]
    to_come = 1.5 * owner.board.longest_wall() + sum(2 + TYPES.index(kind) for kind in buildings) + len(owner.reserve)
    return game.scores[seat] + to_come + CARD_POINTS * sum(game.ruleset.cards[card].value for card in owner.hand)


def play(seed: str, bot: int) -> Game:
    """Play a game of two in which the bot has one seat and a random player the other."""
    rng = Random(seed)
    game = Game.new(Options(seats=2, seed=seed))
    while game.decision is not None:
        game.apply(choose(game, rng) if game.decision.seat == bot else game.random_move(rng))
    return game


if __name__ == "__main__":
    print("bot, random, Dirk:", play("a seed", bot=0).scores)
