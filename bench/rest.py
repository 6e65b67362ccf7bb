"""placements:validate over REST against a Flask route that forwards an empty call."""

from __future__ import annotations

import http.client

from alhambra_gateway.json_messages import dumps, writer

from .boards import search, twenty_tiles
from .floor_gateway import BARE, BEHIND_CHECKS, EMPTY
from .group import Effort, Goal, Group
from .house import House, clock
from .load import Post, Posting
from .rounds import Contest

GAMES = 8
CONNECTIONS = 16
SECONDS = 1
GOAL = 1.15
FLOOR, CHECKED, REAL = "Flask route, empty call", "the same behind the gateway's checks", "placements:validate"


def validate(effort: Effort) -> Group:
    """Measure placements:validate over REST."""
    with House() as house:
        store = house.store()
        games = search(house.commands(store), effort.games(GAMES), effort.enough(twenty_tiles))
        first = games[0].answer(games[0].legal)
        service = house.service(store, {EMPTY: first.ByteSize()})
        posts = [game.post(legal=number % 4 != 3) for number, game in enumerate(games)]
        answer = dumps(writer(first.DESCRIPTOR)(first))
        gateway = house.gateway(service.address, answer)
        if ask(gateway.address, posts[0]) != answer or ask(gateway.address, posts[0]._replace(path=BARE)) != answer:
            raise AssertionError("the gateway does not answer as it should")
        cpu = clock(gateway=gateway.pid, service=service.pid, store=store.pid or 0)

        def posting(path: str | None) -> Posting:
            asked = posts if path is None else [post._replace(path=path) for post in posts]
            return Posting(house.files, gateway.address, asked, connections=CONNECTIONS, seconds=SECONDS)

        bare, checked, real = posting(BARE), posting(BEHIND_CHECKS), posting(None)
        entrants = {FLOOR: lambda: bare.run(cpu), CHECKED: lambda: checked.run(cpu), REAL: lambda: real.run(cpu)}
        contest = Contest(entrants, role="gateway+service", rounds=effort.rounds)
        found = effort.contest("placements:validate", contest)
    how = (
        f"{GAMES} stored games with boards of 20 tiles, {CONNECTIONS} connections that are kept, one worker of the "
        "gateway and one process of the service on the same core. The floor is a bare Flask application in the same "
        "worker whose one route reads the body, forwards an empty call to the same service, and answers with bytes "
        "that were made before. Compared is what gateway and service take together."
    )
    goal = Goal.of("rest_validate_over_floor", found.ratio(REAL), GOAL, settled=found.settled)
    notes = [f"The gateway alone takes {found.ratio(REAL, role='gateway')} times what it takes for the floor."]
    return Group("placements:validate over REST", how, found.rows(), found.verdict(), [goal], notes)


def ask(address: str, post: Post) -> bytes:
    """Return the body of the answer to one request."""
    connection = http.client.HTTPConnection(address, timeout=10)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {post.token}"}
    try:
        connection.request("POST", post.path, post.body, headers)
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != http.client.OK:
            raise AssertionError(f"{post.path} was answered with {answer.status}: {body!r}")
        return body
    finally:
        connection.close()
