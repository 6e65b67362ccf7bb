"""A bot that plays against the server's random player, a hundred games, eight at a time, and says how it went.

python hundred_games.py http://127.0.0.1:8080

Replace `choose` with your own ideas.
"""

from __future__ import annotations

import argparse
import asyncio
import random

from alhambra_client import AsyncClient, ListedMove, MoveList, SeatSetup, View

AT_ONCE = 8


def choose(moves: MoveList, view: View) -> ListedMove:
    """Choose a move: build what was bought, buy at the exact price, take much money, or do anything."""
    for verb in ("place", "buy"):
        good = [move for move in moves if move.move.verb == verb and move.exact is not False]
        if good:
            return random.choice(good)
    return max(moves, key=lambda move: (money(move), random.random()))


def money(move: ListedMove) -> int:
    """Return what the cards that a move takes are worth: "denar-4" is worth 4."""
    return sum(int(card.rpartition("-")[2]) for card in move.move.display if card[-1].isdigit())


async def play(client: AsyncClient, places: asyncio.Semaphore) -> tuple[int, int]:
    """Play a game and return the scores of the bot and of its opponent."""
    async with places:
        seats = [SeatSetup(name="Bot", claim=True), SeatSetup(name="Random", server_player="random")]
        game = (await client.create_game(seats)).seats[0]
        async for moves in game.turns():
            await game.play(choose(moves, game.view))
        bot, opponent = game.view.seats
        await client.delete_game(game.id)
        return bot.score, opponent.score


async def main(address: str, games: int) -> None:
    """Play the games and print the results."""
    async with AsyncClient(address) as client:
        places = asyncio.Semaphore(AT_ONCE)
        scores = await asyncio.gather(*(play(client, places) for _ in range(games)))
    won = sum(own > other for own, other in scores)
    points = [sum(each) / games for each in zip(*scores, strict=True)]
    print(f"{games} games, {won} won. Points on average: {points[0]:.0f} against {points[1]:.0f}.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("address", help="the address of the server, http://127.0.0.1:8080")
    parser.add_argument("--games", type=int, default=100)
    chosen = parser.parse_args()
    asyncio.run(main(chosen.address, chosen.games))
