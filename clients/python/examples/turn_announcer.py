"""A bot for a chat: it watches a game and says what happens and whose turn it is.

python turn_announcer.py http://127.0.0.1:8080 GAME --language de

Replace `post` with a call of your chat. The bot is a spectator: it sees nothing that is hidden.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from alhambra_client import Client, Event, Game, Snapshot, View


def post(line: str) -> None:
    """Post a line. Replace this by your chat."""
    print(line, flush=True)


def lines(game: Game) -> Iterator[str]:
    """Yield the lines about a game until it is over."""
    asked = None
    for message in game.watch():
        if isinstance(message, Event) and message.level == "story":
            yield message.text
        elif isinstance(message, Snapshot):
            view = message.view
            decision = view.decision
            if view.status == "over":
                yield result(view)
            elif decision is not None and decision.seat != asked:
                asked = decision.seat
                yield f"{view.seats[asked].name}: {decision.text}"


def result(view: View) -> str:
    """Return the line about a game that is over."""
    places = view.result.ranking if view.result else ()
    names = [view.seats[each.seat].name if each.seat < len(view.seats) else "Dirk" for each in places]
    return ", ".join(f"{each.place}. {name} ({each.score})" for each, name in zip(places, names, strict=True))


def main(address: str, game: str, language: str) -> None:
    """Post the lines about a game."""
    with Client(address, language=language) as client:
        for line in lines(client.game(game)):
            post(line)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("address", help="the address of the server, http://127.0.0.1:8080")
    parser.add_argument("game", help="the id of the game")
    parser.add_argument("--language", default="en")
    chosen = parser.parse_args()
    main(chosen.address, chosen.game, chosen.language)
