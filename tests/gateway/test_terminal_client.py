"""The client in the terminal: it plays every module to the end and has no word of the game in its source."""

import builtins
import hashlib
import itertools
import keyword
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from alhambra import Game, Options, known_modules, verify_export
from alhambra.components import WALL
from alhambra.placement.contacts import placed_parts
from alhambra.texts import languages, text
from examples import terminal_client, terminal_table
from tests.conformance.results import rules_digest

from .every_module import modules, play_all, play_alone
from .http import Client
from .product import Product
from .scripted_person import ScriptedPerson, play

SOURCE = Path(terminal_client.__file__)
SOURCES = (SOURCE, Path(terminal_table.__file__))
ORDINARY = {"key", "number", "zahl", "szám", "broj", "número", "standard", "wall"}
"""Words of the game that are also words of every program, or name a side of a tile in the contract."""
SAMPLE = 3
TURNS = 60


def sample() -> list[str]:
    """Some modules, others whenever the rules have changed; `make clients` plays all."""
    known = sorted(known_modules())
    first = int(rules_digest()[:8], 16)
    return [known[(first + step * len(known) // SAMPLE) % len(known)] for step in range(SAMPLE)]


@pytest.mark.parametrize("module", sample())
def test_a_client_that_knows_no_rules_plays_a_module_to_the_end(product: Product, module: str) -> None:
    assert play_alone(product.http, module) > 20


def test_the_base_game_is_played_to_the_end_in_words(product: Product) -> None:
    person = ScriptedPerson("base")
    played = play(product.http, person, [], "--seed", "base")
    assert played.view["result"]["because"] == "scored"
    shown = "\n".join(person.read)
    assert terminal_client.PHRASES["en"]["over"] in shown
    for seat in played.view["seats"]:
        assert f"— {seat['name']} ({seat['colour']}): " in shown


@pytest.mark.check_only
def test_all_modules_are_played_at_once(product: Product) -> None:
    assert play_all(product.http, TURNS)[1] > TURNS


def test_every_module_from_the_second_on_is_played_by_the_long_run(client: Client) -> None:
    numbers = {module["key"]: module["number"] for module in client.get("/v1/catalog/modules").json()["modules"]}
    assert set(modules(client)) == {key for key, number in numbers.items() if number != 1}


@pytest.mark.parametrize("language", sorted(terminal_client.PHRASES))
def test_a_person_reads_menus_and_events_in_the_language_of_the_option(product: Product, language: str) -> None:
    person = ScriptedPerson("language", language)
    play(product.http, person, [], "--seed", "language", "--turns", "2", language=language)
    button = text("verb.take_money", language)
    assert any(line.endswith(f"  {button}") for line in person.read)
    assert terminal_client.PHRASES[language]["over"] in person.read


def test_the_client_speaks_every_language_of_the_texts() -> None:
    assert set(terminal_client.PHRASES) == set(languages())


# -- The shuffle -------------------------------------------------------------------------------------------------------


def test_a_game_at_the_terminal_proves_to_its_people_that_nobody_chose_the_deal(product: Product) -> None:
    person = ScriptedPerson("shuffle")
    play(product.http, person, [], "--turns", "2")
    where, command = person.read[-2:]
    found = re.fullmatch(r"alhambra verify FILE --commitment (\w+) --entropy-commitments ([\w,]+)", command)
    address = re.search(r"(http://\S+?)(/v1/\S+)", where)
    assert found is not None and address is not None
    with Client(address[1]) as client:
        document = client.get(address[2]).json()
    report = verify_export(document, found[1], found[2].split(","))
    assert report.ok
    assert any(finding.good and "To seats 0 and 1 it is proved" in finding.text for finding in report.findings)


def test_nothing_more_is_revealed_at_the_terminal_if_commitments_change(product: Product, client: Client) -> None:
    created = client.post("/v1/games", {"seats": [{}, {}]}).json()
    first, second = (key["invitation"] for key in created["seatKeys"])
    claim = {"invitation": second, "entropyCommitment": hashlib.sha256(b"honest").hexdigest()}
    assert client.post(f"/v1/games/{created['game']}:claimSeat", claim).status == 200
    revealed: list[str] = []

    class Forger(terminal_client.Server):
        """Shows another commitment of the other seat after the first reveal, as if nothing had been revealed."""

        def get(self, path: str, token: str = "", **query: object) -> Any:
            answer = super().get(path, token, **query)
            if revealed:
                answer["view"]["fairness"]["entropyCommitments"][1] = hashlib.sha256(b"chosen").hexdigest()
                answer["view"]["fairness"]["entropyAwaited"] = [0, 1]
            return answer

        def post(self, path: str, body: terminal_table.Json, token: str = "") -> Any:
            if "entropy" in body:
                revealed.append(path)
                assert len(revealed) == 1, "entropy was revealed under other commitments"
            return super().post(path, body, token)

    server = Forger(product.http, "en")
    phrases = terminal_client.PHRASES["en"]
    played = terminal_client.Play(server, terminal_client.Person(Typist().answer, print, phrases), created["game"])
    played.join(first)
    with pytest.raises(SystemExit, match="The commitments have changed"):
        played.run()
    server.close()
    assert revealed


# -- What a person sees ------------------------------------------------------------------------------------------------


def test_walls_stand_between_the_cells_of_a_map() -> None:
    plain = {"offset": {"x": 0, "y": 0}, "edges": ["wall", "open", "open", "wall"]}
    long = [plain, {"offset": {"x": 1, "y": 0}, "edges": ["open", "wall", "open", "open"]}]
    added = [{"cell": {"x": 0, "y": 1}, "side": "S"}]
    laid: list[tuple[terminal_table.Json, list[terminal_table.Json]]] = [
        ({"cell": {"x": 0, "y": 0}}, long),
        ({"cell": {"x": 0, "y": 1}, "rotation": 180, "woodenWalls": added}, [plain]),
    ]
    numbers: dict[tuple[int, int], str] = {}
    walls: set[tuple[tuple[int, int], str]] = set()
    for number, (thing, parts) in enumerate(laid, 1):
        for place, sides in terminal_table.covered(thing, parts):
            numbers[place] = str(number)
            walls |= {(place, side) for side in sides}
    assert list(terminal_table.drawn(numbers, walls)) == [" ──", "│ 1  1│", "  2│ ·", " ──"]


def test_turned_tiles_have_their_walls_where_the_rules_have_them(client: Client) -> None:
    rules = Game.new(Options(2, "walls", modules=known_modules())).ruleset
    listed = client.get("/v1/catalog/tiles?pageSize=1000").json()["tiles"]
    turned = [tile for tile in listed if len(tile["parts"]) > 1]
    assert turned
    for tile, degrees in itertools.product(turned, (0, 90, 180, 270)):
        expected = {
            cell: {side for side, letter in zip("NESW", part.edges, strict=True) if letter == WALL}
            for cell, part in placed_parts(rules.tiles[tile["id"]], 3, -2, degrees)
        }
        thing = {"cell": {"x": 3, "y": -2}, "rotation": degrees}
        assert dict(terminal_table.covered(thing, tile["parts"])) == expected


# -- What a person types -----------------------------------------------------------------------------------------------


class Typist:
    """Types what it was told to, then goes away."""

    def __init__(self, *typed: str) -> None:
        self._typed = list(typed)
        self.read: list[str] = []

    def answer(self, prompt: str) -> str:
        self.read.append(prompt)
        if not self._typed:
            raise EOFError
        return self._typed.pop(0)


def create(product: Product, typist: Typist, *more: str) -> terminal_client.Play:
    words = ["create", "--server", product.http, "--language", "en", "--seed", "typed", *more]
    played = terminal_client.main(words, typist.answer, typist.read.append)
    assert played is not None
    return played


TWO = ("--person", "Ann", "--person", "Ben")


def test_a_resignation_ends_a_game_for_two(product: Product) -> None:
    typist = Typist("r")
    assert create(product, typist, *TWO).view["status"] == "over"


def test_quitting_leaves_the_game_as_it_is(product: Product) -> None:
    assert create(product, Typist("q"), *TWO).view["status"] == "running"


def test_an_answer_that_is_no_entry_is_asked_for_again(product: Product) -> None:
    typist = Typist("", "0", "999", "b", "dance", "q")
    create(product, typist, *TWO)
    assert typist.read.count("Your choice: ") == 6


def test_the_table_is_shown_again_on_demand(product: Product) -> None:
    typist = Typist("v", "v", "q")
    create(product, typist, *TWO)
    assert len([line for line in typist.read if line.startswith("— Ann")]) == 3


def test_a_refusal_is_told_in_words(product: Product) -> None:
    typist = Typist()
    with pytest.raises(SystemExit) as refused:
        create(product, typist, *TWO, "--modules", "no_such_module")
    assert re.search(r"\w+ \w+ \w+", str(refused.value.code))


def test_a_move_that_comes_too_late_is_refused_in_words_and_the_game_goes_on(product: Product) -> None:
    class Hasty(Typist):
        def answer(self, prompt: str) -> str:
            if self.read.count(prompt) == 1:  # the second menu is on the screen
                move_elsewhere(product, started)
            return super().answer(prompt)

    typist = Hasty("1", "1", "q")
    with started_by(product, typist, *TWO) as started:
        assert started.run()["status"] == "running"
    refusals = [line for line in typist.read if line.startswith("! ")]
    assert len(refusals) == 1
    assert re.search(r"\w+ \w+ \w+", refusals[0])


def test_a_menu_of_a_decision_that_others_have_answered_is_not_shown(product: Product) -> None:
    class Slow(Typist):
        def answer(self, prompt: str) -> str:
            if not self.read.count(prompt):  # the first menu is on the screen
                move_elsewhere(product, started)
            return super().answer(prompt)

    typist = Slow("1", *["b", "q"] * 3)
    with started_by(product, typist, *TWO) as started:
        assert started.run()["status"] == "running"


@contextmanager
def started_by(product: Product, typist: Typist, *more: str) -> Iterator[terminal_client.Play]:
    """A game that the client has created and not yet begun to play."""
    server = terminal_client.Server(product.http, "en")
    person = terminal_client.Person(typist.answer, typist.read.append, terminal_client.PHRASES["en"])
    yield terminal_client.create(server, person, terminal_client.arguments().parse_args(["create", *more]))
    server.close()


def move_elsewhere(product: Product, play: terminal_client.Play) -> None:
    """Makes the first legal move of the seat that is asked, without the client."""
    player = product.client(play.tokens[play.view["decision"]["seat"]])
    path = f"/v1/games/{play.view['game']}/moves"
    legal = player.get(path, None, pageSize=1).json()
    assert player.post(path, {"move": legal["moves"][0]["move"], "version": legal["version"]}).status == 200


def test_two_terminals_play_one_game_by_the_invitation_that_the_client_shows(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal_client, "PAUSE", 0.02)
    common = ("--server", product.http, "--language", "en")
    host, guest = ScriptedPerson("host"), ScriptedPerson("guest")
    shown: Queue[str] = Queue()

    def write(line: str) -> None:
        shown.put(line)
        host.write(line)

    words = ["create", *common, "--person", "Ann", "--invite", "Ben", "--turns", "4"]
    with ThreadPoolExecutor() as threads:
        hosting = threads.submit(terminal_client.main, words, host.answer, write)
        game, invitation = shown.get(timeout=60).removeprefix("Invitation for Ben: ").split()
        joined = terminal_client.main(["join", game, invitation, *common], guest.answer, guest.write)
        hosted = hosting.result(timeout=60)
    assert hosted is not None
    assert joined is not None
    assert hosted.view["result"] == joined.view["result"]
    assert hosted.moves > 0
    assert joined.moves > 0


def test_the_program_lists_modules_with_their_names(product: Product) -> None:
    words = [sys.executable, str(SOURCE), "modules", "--server", product.http, "--language", "de"]
    said = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True).stdout
    assert len(said.splitlines()) == len(known_modules())
    assert f"squares: {text('module.squares', 'de')}. " in said


# -- Its source --------------------------------------------------------------------------------------------------------


def words_of_the_game(client: Client) -> set[str]:
    """The keys and names of all modules, verbs and components, in all languages, in lower case."""
    found: set[str] = set()
    for language in languages():
        said = {"Accept-Language": language}
        modules = client.get("/v1/catalog/modules", said).json()["modules"]
        verbs = client.get("/v1/catalog/verbs", said).json()["verbs"]
        components = client.get("/v1/catalog/components", said, pageSize=1000).json()["components"]
        for word in (*modules, *verbs):
            found |= {word["key"].lower(), word["name"].lower()}
        for component in components:
            found |= {component["id"].lower(), component["name"].lower()}
    return found


def test_the_source_has_no_word_of_the_game(client: Client) -> None:
    words = words_of_the_game(client)
    assert {"squares", "build_wall", "garden", "garten", "thief"} <= words
    words -= {word.lower() for word in (*keyword.kwlist, *dir(builtins))} | ORDINARY
    source = "".join(path.read_text(encoding="utf-8").lower() for path in SOURCES)
    found = set(re.findall("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words), source))
    assert found == set()


def test_the_source_needs_nothing_but_the_standard_library() -> None:
    for path in SOURCES:
        imported = re.findall(r"^(?:from|import) (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert imported
        assert set(imported) <= sys.stdlib_module_names | {"examples"}
