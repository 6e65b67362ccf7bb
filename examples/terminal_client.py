"""A game in the terminal, for people, over the REST API alone.

    python examples/terminal_client.py modules
    python examples/terminal_client.py create --person Ann --computer random --modules all --language de
    python examples/terminal_client.py join GAME INVITATION

Everything that is about the game comes from the server: the moves with their texts, what happened, why something was
refused, and the names of all components. The program knows no rule and no word of the game, so that it plays with
every module that the server has, those of later versions included. It needs nothing but the standard library.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import itertools
import json
import locale
import re
import secrets
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))  # this is also run as a program
from examples.terminal_table import Json, Names, Table

ADDRESS = "http://127.0.0.1:8080"
SCREEN = 20
"""How many entries of a list are shown at once."""
PAUSE = 1.0
"""Seconds between two looks at a game that waits for others."""
ATTEMPTS = 5
LATER = (429, 503)
"""The HTTP statuses after which a call is repeated."""
SAME_OFFER = ("verb", "slot", "tile", "piece", "choice")
"""What a move has in common with the offer whose payment it is."""

_SAID = (
    *("choice", "more", "all", "back", "undo", "view", "resign", "quit", "amount", "waiting", "invitation", "over"),
    *("changed", "check"),
)
PHRASES = {
    language: dict(zip(_SAID, texts.split(" | "), strict=True))
    for language, texts in {
        "en": "Your choice | more | all payments | back | undo | show the table | resign | "
        "quit | A number from {} to {} | Waiting for {} … | Invitation for {}: {} | The game is over. | "
        "The commitments have changed: nothing more is revealed. | The shuffle is checked by saving {} as a file and",
        "de": "Deine Wahl | mehr | alle Zahlungen | zurück | zurücknehmen | Tisch zeigen | aufgeben | "
        "beenden | Eine Zahl von {} bis {} | Warten auf {} … | Einladung für {}: {} | Das Spiel ist zu Ende. | "
        "Die Festlegungen haben sich geändert: Nichts mehr wird aufgedeckt. | "
        "Das Mischen prüft, wer {} als Datei speichert und aufruft:",
        "hu": "Választásod | továbbiak | minden fizetés | vissza | visszavonás | az asztal megmutatása | feladás | "
        "kilépés | Egy szám {} és {} között | Várakozás: {} … | Meghívó ({}): {} | A játék véget ért. | "
        "Az elköteleződések megváltoztak: semmi mást nem fedünk fel. | "
        "A keverés így ellenőrizhető: {} mentése fájlba, majd",
        "sr": "Tvoj izbor | još | sva plaćanja | nazad | poništi | prikaži sto | predaja | "
        "izlaz | Broj od {} do {} | Čeka se {} … | Pozivnica za {}: {} | Igra je završena. | "
        "Obaveze su se promenile: ništa više se ne otkriva. | "
        "Mešanje se proverava tako što se {} sačuva kao datoteka i",
        "pt": "A tua escolha | mais | todos os pagamentos | voltar | desfazer | mostrar a mesa | desistir | "
        "sair | Um número de {} a {} | À espera de {} … | Convite para {}: {} | O jogo acabou. | "
        "Os compromissos mudaram: nada mais é revelado. | O baralhar verifica-se guardando {} num ficheiro e com",
    }.items()
}
"""What the program itself says, by language."""

Read = Callable[[str], str]
Write = Callable[[str], None]


class Refused(Exception):
    """The server refused a call; `str()` of it is the explanation for people."""

    def __init__(self, problem: Json) -> None:
        violations = [found["text"] for found in problem.get("violations", ()) if found.get("text")]
        super().__init__("\n".join(dict.fromkeys(violations or [problem["detail"]])))
        self.reason: str = problem["reason"]


class MovedOn(Exception):
    """The game has moved on since the person saw it."""


class Server:
    """The REST API: sends calls in the language of the person, and repeats those that found the server busy."""

    def __init__(self, address: str, language: str, key: str = "") -> None:
        """`key` is the API key of a platform, which only the creation of a game may need."""
        self._address = urlsplit(address)
        self._connection = self._connect()
        self._key = key
        self.language = language

    def _connect(self) -> http.client.HTTPConnection:
        secure = self._address.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        return kind(self._address.netloc, timeout=60)

    def url(self, path: str) -> str:
        """Where a browser finds a path."""
        return f"{self._address.scheme}://{self._address.netloc}{path}"

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def get(self, path: str, token: str = "", **query: object) -> Any:
        """Read something."""
        return self._call("GET", f"{path}?{urlencode(query, doseq=True)}" if query else path, None, token)

    def post(self, path: str, body: Json, token: str = "") -> Any:
        """Do something, at most once: a call that has to be repeated is known to the server by its key."""
        return self._call("POST", path, body, token)

    def _call(self, method: str, path: str, body: Json | None, token: str) -> Any:
        headers = {"Accept": "application/json", "Accept-Language": self.language}
        if token or self._key:
            headers["Authorization"] = f"Bearer {token or self._key}"
        if body is not None:
            headers |= {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        sent = None if body is None else json.dumps(body)
        for left in reversed(range(ATTEMPTS)):
            try:
                self._connection.request(method, path, sent, headers)
                answer = self._connection.getresponse()
                found = json.loads(answer.read())
            except (http.client.HTTPException, ConnectionError):
                self._connection.close()  # the server closed a connection that was idle, or is away for a moment
                if not left:
                    raise
                time.sleep(PAUSE)
                continue
            if answer.status in LATER and left:
                time.sleep(float(answer.headers.get("Retry-After", PAUSE)))
            elif answer.status >= 400:
                raise Refused(found)
            else:
                return found
        raise AssertionError("the last attempt returns or raises")


# -- A person at the terminal ------------------------------------------------------------------------------------------


class Person:
    """A person at the terminal, who answers with numbers and letters."""

    def __init__(self, read: Read, write: Write, phrases: Mapping[str, str]) -> None:
        self._read = read
        self.write = write
        self.phrases = phrases

    def pick_from(self, entries: Iterable[tuple[str, Any]], commands: Mapping[str, str]) -> Any:
        """The chosen one of the entries, or the letter of a command. Long lists are shown screen by screen."""
        coming = iter(entries)
        shown: list[Any] = []
        ahead = list(itertools.islice(coming, SCREEN + 1))
        while True:
            for text, entry in ahead[:SCREEN]:
                shown.append(entry)
                self.write(f"{len(shown):>4}  {text}")
            ahead = ahead[SCREEN:]
            letters = {**({"m": "more"} if ahead else {}), **commands}
            self.write("      " + " · ".join(f"{letter} {self.phrases[name]}" for letter, name in letters.items()))
            while True:
                typed = self._read(f"{self.phrases['choice']}: ").strip().lower()
                if typed.isdecimal() and 1 <= int(typed) <= len(shown):
                    return shown[int(typed) - 1]
                if typed == "m" and ahead:
                    ahead += itertools.islice(coming, SCREEN)
                    break
                if typed in commands:
                    return typed

    def number(self, lowest: int, highest: int) -> int:
        """A whole number. Whether it is in the range is for the server to judge."""
        while True:
            typed = self._read(f"{self.phrases['amount'].format(lowest, highest)}: ").strip()
            if re.fullmatch(r"-?\d{1,9}", typed):
                return int(typed)


BACK, ALL = {"b": "back"}, {"a": "all"}
"""Commands of the menus below the first one."""


class Play:
    """One game, and the people who play it at this terminal."""

    def __init__(self, server: Server, person: Person, game: str) -> None:
        self._server = server
        self._person = person
        self._path = f"/v1/games/{game}"
        self._names = Names(server)
        self.tokens: dict[int, str] = {}
        """By seat: the tokens of the people at this terminal."""
        self._entropies: dict[int, bytes] = {}
        """By seat: what the people at this terminal contribute to the shuffle."""
        self._noted: tuple[str, list[str]] | None = None
        """The commitments of the server and of all seats, as they were before anything was revealed here."""
        self.view: Json = {}
        """The game as the seat saw it that was looked for last."""
        self._last = ""
        self._shown = (-1, -1)
        self.moves = 0
        """How many moves were made at this terminal."""

    def join(self, invitation: str) -> None:
        """Takes the seat of an invitation. What it contributes to the shuffle is kept here; its hash is sent."""
        entropy = secrets.token_bytes(32)
        body = {"invitation": invitation, "entropyCommitment": hashlib.sha256(entropy).hexdigest()}
        taken = self._server.post(f"{self._path}:claimSeat", body)
        self.tokens[taken["seat"]] = taken["token"]
        self._entropies[taken["seat"]] = entropy
        self.view = taken["view"]

    def run(self) -> Json:
        """Plays until the game is over, or a person quits; the last view."""
        self._look()
        while self.view["status"] != "over":
            seat = self.view["decision"]["seat"] if "decision" in self.view else None
            if seat not in self.tokens:
                self._wait(seat)
            elif not self._decide(seat):
                return self.view
        self._say(self._person.phrases["over"], *self._table().result(), *self._check())
        return self.view

    def _check(self) -> Iterator[str]:
        """Return how to verify that no one chose the deal."""
        if self._noted is not None and not self.view["fairness"]["seedGiven"]:
            commitment, seats = self._noted
            yield self._person.phrases["check"].format(self._server.url(f"{self._path}/replay"))
            yield f"alhambra verify FILE --commitment {commitment} --entropy-commitments {','.join(seats)}"

    # -- What is seen ------------------------------------------------------------------------------------------------

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._person.write(line)

    def _table(self) -> Table:
        return Table(self._names, self.view)

    def _look(self) -> None:
        """Reload the game and print what has happened since."""
        asked = self.view.get("decision", {}).get("seat")
        token = self.tokens[asked if asked in self.tokens else min(self.tokens)]
        self.view = self._server.get(self._path, token)["view"]
        self._reveal()
        more = self.view["status"] != "waiting"
        while more:
            try:
                page = self._server.get(f"{self._path}/events", token, **({"after": self._last} if self._last else {}))
            except Refused as refused:
                if refused.reason != "VERSION_STALE":
                    raise
                self._say(f"! {refused}")  # the server has lost moves that were printed here
                self._last = self._server.get(self._path, token, logTail=1)["logTail"][-1]["id"]
                return
            self._tell(page["events"])
            self._last, more = page["nextAfter"], page["more"]

    def _reveal(self) -> None:
        """Reveals what the people here contribute to the shuffle, if the game waits for it. Then all seats are taken,
        and the commitments must stay as they are: whoever could replace one now could pick the deal."""
        fairness = self.view["fairness"]
        for seat in sorted(self._entropies.keys() & set(fairness["entropyAwaited"])):
            shown = (fairness["commitment"], fairness["entropyCommitments"])
            self._noted = self._noted or shown
            if shown != self._noted or shown[1][seat] != hashlib.sha256(self._entropies[seat]).hexdigest():
                raise SystemExit(self._person.phrases["changed"])
            body = {"entropy": self._entropies[seat].hex()}
            self.view = self._server.post(f"{self._path}:revealEntropy", body, self.tokens[seat])["view"]

    def _tell(self, events: Iterable[Json]) -> None:
        for event in events:
            self._last = event["id"]
            if event["level"] == "story":
                self._say(f"  {event['text']}")

    def _wait(self, seat: int | None) -> None:
        awaited = self.view["fairness"]["entropyAwaited"] or [seat]
        others = [one["name"] for one in self.view["seats"] if awaited == [None] or one["seat"] in awaited]
        self._say(self._person.phrases["waiting"].format(", ".join(others)))
        before = self.view
        while self.view["version"] == before["version"] and self.view["status"] == before["status"]:
            time.sleep(PAUSE)
            self._look()

    # -- What is done ------------------------------------------------------------------------------------------------

    def _decide(self, seat: int) -> bool:
        """Asks the person and does what it says; False if the person wants to quit."""
        turn = (self.view["turn"]["number"], seat)
        if turn != self._shown:
            self._shown = turn
            self.view = self._server.get(self._path, self.tokens[seat])["view"]  # as this seat sees it
            self._say("", *self._table().lines())
        who = next(one["name"] for one in self.view["seats"] if one["seat"] == seat)
        self._say("", self._table().scores(), f"{who}: {self.view['decision']['text']}")
        try:
            chosen = self._choose_move(seat)
            if chosen == "q":
                return False
            if chosen == "v":
                self._say(*self._table().lines())
            elif chosen == "r":
                self._done(self._server.post(f"{self._path}:resign", {}, self.tokens[seat]))
            elif chosen == "u":
                body = self._seen()
                self._done(self._server.post(f"{self._path}:undo", body, self.tokens[seat]))
            elif chosen != "b":
                body = {"move": chosen, **self._seen()}
                self._done(self._server.post(f"{self._path}/moves", body, self.tokens[seat]))
                self.moves += 1
        except Refused as refused:
            self._say(f"! {refused}")
            self._look()
        except MovedOn:
            self._look()
        return True

    def _seen(self) -> Json:
        """What an answer refers to: the version that was shown, and the digits that tell its history from others."""
        return {"version": self.view["version"], "link": self.view["fairness"]["link"]}

    def _done(self, answer: Json) -> None:
        self.view = answer["view"]
        self._tell(answer["events"])

    def _choose_move(self, seat: int) -> Any:
        """A move, or the letter of a command: first the group, then what it holds, then how it is paid."""
        entries: dict[str, list[tuple[str, Json]]] = {}
        buttons: dict[str, str] = {}
        for page in self._pages(seat, {"payments": "offers"}):
            buttons |= {group["key"]: group["text"] for group in page["groups"]}
            offers = (offer for offer in page["offers"] if offer["affordable"])
            for found in (*offers, *page["moves"]):
                entries.setdefault(found["group"], []).append((found["text"], found))
        commands = {**({"u": "undo"} if self.view["canUndo"] else {}), "v": "view", "r": "resign", "q": "quit"}
        group = self._person.pick_from(((buttons[key], key) for key in entries), commands)
        if group not in entries:
            return group
        chosen = entries[group][0][1] if len(entries[group]) == 1 else self._person.pick_from(entries[group], BACK)
        if "affordable" in chosen:
            chosen = self._choose_payment(seat, chosen)
        return chosen if isinstance(chosen, str) else self._complete(chosen)

    def _choose_payment(self, seat: int, offer: Json) -> Any:
        """How an offer is paid: the payments without needless money, or on demand all of them."""
        filters = {name: offer["move"][name] for name in SAME_OFFER[:-1] if name in offer["move"]}
        chosen = self._person.pick_from(self._payments(seat, offer, filters | {"payments": "brief"}), BACK | ALL)
        if chosen == "a":
            chosen = self._person.pick_from(self._payments(seat, offer, filters | {"payments": "all"}), BACK)
        return chosen

    def _payments(self, seat: int, offer: Json, query: Json) -> Iterator[tuple[str, Json]]:
        for page in self._pages(seat, query):
            for found in page["moves"]:
                if all(found["move"].get(name) == offer["move"].get(name) for name in SAME_OFFER):
                    yield found["text"], found

    def _pages(self, seat: int, query: Json) -> Iterator[Json]:
        """The pages of a list of legal moves, each asked for when it is needed."""
        query = {"texts": "true", "minVersion": self.view["version"], **query}
        while True:
            page = self._server.get(f"{self._path}/moves", self.tokens[seat], **query)
            if page["version"] != self.view["version"]:
                raise MovedOn
            yield page
            if not page["nextPageToken"]:
                return
            query["pageToken"] = page["nextPageToken"]

    def _complete(self, legal: Json) -> Json:
        """The move; where a range of moves is listed as one, with the number that the person says."""
        move: Json = legal["move"]
        if "amountMin" in legal:
            move = {**move, "amount": self._person.number(legal["amountMin"], legal["amountMax"])}
        return move


# -- The command line --------------------------------------------------------------------------------------------------


def create(server: Server, person: Person, wanted: argparse.Namespace) -> Play:
    """Creates a game, seats the people of this terminal, and shows the invitations of the others."""
    known = [module["key"] for module in server.get("/v1/catalog/modules")["modules"]]
    modules = known if wanted.modules == ["all"] else wanted.modules
    seats = [
        *({"name": name} for name in wanted.person + wanted.invite),
        *({"serverPlayer": word} for word in wanted.computer),
    ]
    body = {"seats": seats, "modules": modules, "turnLimit": wanted.turns, "seed": wanted.seed}
    created = server.post("/v1/games", body)
    play = Play(server, person, created["game"])
    for key in created["seatKeys"]:
        if key["seat"] < len(wanted.person):
            play.join(key["invitation"])
        else:
            name = wanted.invite[key["seat"] - len(wanted.person)]
            person.write(person.phrases["invitation"].format(name, f"{created['game']} {key['invitation']}"))
    return play


def arguments() -> argparse.ArgumentParser:
    """What can be said on the command line."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--server", default=ADDRESS, help=f"the address of the gateway, {ADDRESS} by default")
    common.add_argument("--language", default=(locale.getlocale()[0] or "en")[:2], help="en, de, hu, sr or pt")
    common.add_argument("--key", default="", help="an API key, if the server wants one for new games")
    parser = argparse.ArgumentParser(description="Play a game in the terminal, over HTTP alone.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("modules", parents=[common], help="list the modules that the server has")
    new = commands.add_parser("create", parents=[common], help="create a game and play it")
    new.add_argument("--person", action="append", default=[], metavar="NAME", help="plays at this terminal")
    new.add_argument("--invite", action="append", default=[], metavar="NAME", help="plays elsewhere, by invitation")
    new.add_argument("--computer", action="append", default=[], metavar="WORD", help='the server plays: "random"')
    new.add_argument("--modules", nargs="*", default=[], metavar="KEY", help='the modules that are on, or "all"')
    new.add_argument("--turns", type=int, default=0, help="stop without a winner after this many turns")
    new.add_argument("--seed", default="", help="the seed of all shuffles")
    join = commands.add_parser("join", parents=[common], help="take a seat of a game that exists")
    join.add_argument("game")
    join.add_argument("invitation")
    return parser


def main(words: Sequence[str] | None = None, read: Read = input, write: Write = print) -> Play | None:
    """Does what the command line says; the game at this terminal, if there was one."""
    wanted = arguments().parse_args(words)
    server = Server(wanted.server, wanted.language, wanted.key)
    person = Person(read, write, PHRASES.get(wanted.language, PHRASES["en"]))
    play: Play | None = None
    try:
        if wanted.command == "modules":
            for module in Names(server).modules:
                write(f"{module['number']:>3} {module['key']}: {module['name']}. {module['text']}")
        elif wanted.command == "create":
            play = create(server, person, wanted)
        else:
            play = Play(server, person, wanted.game)
            play.join(wanted.invitation)
        if play:
            play.run()
    except Refused as refused:
        sys.exit(str(refused))
    except (EOFError, KeyboardInterrupt):
        write("")
    finally:
        server.close()
    return play


if __name__ == "__main__":
    main()
