"""A bot that looks ahead: it guesses what is hidden, tries every move, plays on for a while and counts what it has.

It never looks at the game itself, only at twins of it in which all that its seat cannot know was dealt anew.
`python examples/search_bot.py` plays one game against a player who moves at random.
"""

from random import Random

from alhambra import TYPES, Game, Move, Options

TWINS = 2  # guesses at what is hidden; every move is tried in the same ones
MOVES_AHEAD = 4  # how far each guess is played on
CARD_POINTS = 0.15  # a unit of money in hand; more, and the bot would only save


def choose(game: Game, rng: Random) -> Move:
    """The legal move with the best outlook. Any `Game`, any modules; the game stays as it is."""
    assert game.decision is not None, "the game is over"
    seat = game.decision.seat
    twins = [game.determinize(seat, rng) for _ in range(TWINS)]
    moves = twins[0].legal_moves()  # the seat knows its own moves: they are the same in every twin
    return max(moves, key=lambda move: sum(outlook(twin.clone(), move, seat, rng) for twin in twins))


def outlook(twin: Game, move: Move, seat: int, rng: Random) -> float:
    """How far the seat is ahead of the best of the others, some random moves after this one."""
    twin.apply(move)
    for _ in range(MOVES_AHEAD):
        if not twin.over:
            twin.apply(twin.random_move(rng))
    others = [other for other in range(len(twin.options.seats)) if other != seat]
    return worth(twin, seat) - max(worth(twin, other) for other in others)


def worth(game: Game, seat: int) -> float:
    """Points, and before the end what will bring some: a long wall, dear buildings, tiles put by, money."""
    if game.over:
        return game.scores[seat]
    owner = game.state.seats[seat]
    parts = [part for name in owner.board.placed for part in game.ruleset.tiles[name].parts]
    buildings = [part.type for part in parts if part.type in TYPES]
    to_come = 1.5 * owner.board.longest_wall() + sum(2 + TYPES.index(kind) for kind in buildings) + len(owner.reserve)
    return game.scores[seat] + to_come + CARD_POINTS * sum(game.ruleset.cards[card].value for card in owner.hand)


def play(seed: str, bot: int) -> Game:
    """A game of two in which the bot has one seat and chance the other."""
    rng = Random(seed)
    game = Game.new(Options(seats=2, seed=seed))
    while game.decision is not None:
        game.apply(choose(game, rng) if game.decision.seat == bot else game.random_move(rng))
    return game


if __name__ == "__main__":
    print("bot, chance, Dirk:", play("a seed", bot=0).scores)
