"""Play a game with an installed Python client, against a server: `python client_game.py http://127.0.0.1:8080`.

`scripts/release.py` runs this in empty environments, so it uses nothing but the client.
"""

from __future__ import annotations

import platform
import random
import sys

import alhambra_client
from alhambra_client import Client, SeatSetup


def main() -> None:
    """Play, and say with what."""
    seats = [SeatSetup(name="Ann", claim=True), SeatSetup(server_player="random")]
    with Client(sys.argv[1]) as client:
        game = client.create_game(seats).seats[0]
        for moves in game.turns():
            game.play(random.choice(moves))
        assert game.view.status == "over", game.view.status
        python = f"{platform.python_implementation()} {platform.python_version()}"
        print(f"  {python}: a game of {game.view.version} moves")
    print(f"  from {alhambra_client.__file__}")


if __name__ == "__main__":
    main()
