"""The files of the table: typed, small, translated, under the policy of pages, and without a word of the game."""

from __future__ import annotations

import json
import re
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from alhambra.texts import languages
from alhambra_gateway.pages.play import LIBRARY, WORKER, library_folder
from tests.gateway import node
from tests.gateway.http import Client

from .conftest import Arrive
from .decision_costs import first_load

PLAY = Path(str(files("alhambra_gateway").joinpath("play")))
CLIENT = Path(str(library_folder()))
CODE = sorted(path for path in PLAY.iterdir() if path.suffix in (".js", ".css", ".html"))
CHECKED_AS = Path(__file__).with_name("tsconfig.json")
FIRST_LOAD = 150_000
"""What a browser may load until the lobby can be used."""
MOST_BYTES = 300_000
"""What a browser may load until the first move can be made."""
OF_THE_CONTRACT = {"alhambra", "base", "claim", "key", "reserve", "resigned", "seat"}
"""Words that are also names of fields, of files or of the whole game."""
OF_HTML = {"change", "close", "end", "head", "mark", "open", "place", "side", "start"}
"""Words that are also names of elements, events or attributes."""


def game_words(client: Client) -> set[str]:
    """The keys of all modules, verbs and kinds of decisions, and the ids of all components."""
    modules = client.get("/v1/catalog/modules").json()["modules"]
    verbs = client.get("/v1/catalog/verbs").json()
    components = client.get("/v1/catalog/components", pageSize=1000).json()["components"]
    keys = {one["key"] for one in (*modules, *verbs["verbs"], *verbs["decisions"], *verbs["events"])}
    return keys | {one["id"] for one in components}


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.name)
def test_no_word_of_the_game_stands_in_the_code(path: Path, client: Client) -> None:
    """Words in quotes, and words with a line in them anywhere: others are ordinary English."""
    text = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    quoted = set(re.findall(r'["\'`]([\w-]+)["\'`]', text))
    lined = set(re.findall(r"\b\w+(?:[_-]\w+)+\b", text))
    assert (quoted | lined) & (game_words(client) - OF_THE_CONTRACT - OF_HTML) == set()


def test_the_types_of_the_table_hold(tmp_path: Path) -> None:
    for path in PLAY.glob("*.js"):
        shutil.copy(path, tmp_path)
    shutil.copytree(CLIENT, tmp_path / LIBRARY)
    shutil.copy(CHECKED_AS, tmp_path)
    node.run([node.tool("tsc")], tmp_path)


def test_the_words_of_the_page_are_the_same_in_every_language_and_all_are_used() -> None:
    words = {language: json.loads((PLAY / f"words-{language}.json").read_text("utf-8")) for language in languages()}
    assert {tuple(found) for found in words.values()} == {tuple(words["en"])}
    for key in words["en"]:
        assert len({tuple(sorted(re.findall(r"\{\w+\}", found[key]))) for found in words.values()}) == 1, key
    code = "".join(path.read_text(encoding="utf-8") for path in CODE)
    said = set(re.findall(r"\"([\w.]+)\"", code))
    stems = tuple(re.findall(r"`([\w]+\.)\$\{", code))
    assert [key for key in words["en"] if key not in said and not key.startswith(stems)] == []
    assert [key for key in re.findall(r"say\(\"([^\"]+)\"", code) if key not in words["en"]] == []


def test_little_is_loaded_until_the_first_move(arrive: Arrive) -> None:
    person = arrive()
    loaded: list[str] = []
    person.page.on("request", lambda one: loaded.append(one.url))
    lobby, table = first_load(person)
    assert 0 < lobby < FIRST_LOAD
    assert table < MOST_BYTES
    assert [url for url in loaded if not url.startswith((person.base, "data:"))] == []


def test_the_page_has_the_policy_of_pages_and_its_files_can_be_kept(client: Client) -> None:
    page = client.get("/play")
    assert "script-src 'self'; style-src 'self'" in page.headers["content-security-policy"]
    for path in (*CODE, *PLAY.glob("*.json")):
        if path.suffix != ".html" and path.name != WORKER:
            answer = client.get(f"/play/{path.name}")
            assert (answer.status, answer.body) == (200, path.read_bytes())
            assert answer.headers["etag"]
    for path in CLIENT.iterdir():
        answer = client.get(f"/play/{LIBRARY}/{path.name}")
        assert answer.status == (200 if path.suffix == ".js" else 404)
        assert (answer.body == path.read_bytes()) == (path.suffix == ".js")
    assert client.get("/play/index.html").status == 404
    assert client.get("/play/nothing.js").status == 404


def test_the_front_page_leads_to_the_table(client: Client) -> None:
    assert 'href="/play' in client.get("/").body.decode()
