"""A bot that looks ahead: it tries every move in determinizations of the game, plays on and compares positions.

A determinization is a clone with all hidden information resampled from what the seat knows.
`python examples/search_bot.py` plays one game against a random player.
"""

from random import Random

from alhambra import TYPES, Game, Move, Options

SAMPLES = 2  # determinizations; every move is tried in the same ones
MOVES_AHEAD = 4  # random moves played after each move
CARD_POINTS = 0.15  # per unit of money in hand; with more, the bot would only save


def choose(game: Game, rng: Random) -> Move:
    """Return the best legal move. Works with any modules; the game is not changed."""
    assert game.decision is not None, "the game is over"
    seat = game.decision.seat
    samples = [game.determinize(seat, rng) for _ in range(SAMPLES)]
    moves = samples[0].legal_moves()  # a seat's own moves are the same in every sample
    return max(moves, key=lambda move: sum(evaluate(sample.clone(), move, seat, rng) for sample in samples))


def evaluate(sample: Game, move: Move, seat: int, rng: Random) -> float:
    """Return the seat's lead over the best opponent, some random moves after this one."""
    sample.apply(move)
    for _ in range(MOVES_AHEAD):
        if not sample.over:
            sample.apply(sample.random_move(rng))
    others = [other for other in range(len(sample.options.seats)) if other != seat]
    return value_of(sample, seat) - max(value_of(sample, other) for other in others)


def value_of(game: Game, seat: int) -> float:
    """Return the score; before the end, plus an estimate for wall, buildings, reserve and money."""
    if game.over:
        return game.scores[seat]
    owner = game.state.seats[seat]
    parts = [part for name in owner.board.placed for part in game.ruleset.tiles[name].parts]
    buildings = [part.type for part in parts if part.type in TYPES]
    to_come = 1.5 * owner.board.longest_wall() + sum(2 + TYPES.index(kind) for kind in buildings) + len(owner.reserve)
    return game.scores[seat] + to_come + CARD_POINTS * sum(game.ruleset.cards[card].value for card in owner.hand)


def play(seed: str, bot: int) -> Game:
    """Play a game of the bot against a random player."""
    rng = Random(seed)
    game = Game.new(Options(seats=2, seed=seed))
    while game.decision is not None:
        game.apply(choose(game, rng) if game.decision.seat == bot else game.random_move(rng))
    return game


if __name__ == "__main__":
    print("bot, random, Dirk:", play("a seed", bot=0).scores)
