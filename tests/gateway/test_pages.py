"""The pages for people: what this is, a first game, and what every problem means."""

from __future__ import annotations

import json
import re
import subprocess
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from alhambra.texts import DEFAULT, languages
from alhambra_gateway.json_messages import reader
from alhambra_gateway.pages.answers import words
from alhambra_gateway.pages.reasons import SAMPLE_GAME, reasons
from alhambra_gateway.refusals.problem import KINDS, example_problems
from alhambra_gateway.routing.routes import compile_routes
from scripts.polite import PoliteClient
from scripts.problem_examples import examples

from .http import Client
from .product import Product

CODE = re.compile(r"`[^`]+`")
EACH = {
    "en": ("What it means", "How to fix it", "An example"),
    "de": ("Was es bedeutet", "Was zu tun ist"),
    "hu": ("Mi a teendő",),
    "pt": ("O que fazer",),
    "sr": ("Šta uraditi",),
}
PAGES = (
    *("/", "/problems/", "/problems/UNDERPAID"),
    *("/modules/", "/modules/base", "/modules/characters", "/guides/", "/guides/operator"),
    *("/rules/", "/rules/base", "/rules/interactions"),
)


class Links(HTMLParser):
    """Everything that a page points at or loads, and whatever a strict policy would forbid."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.forbidden: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src"):
                self.found.append(value or "")
            if name == "style" or name.startswith("on"):
                self.forbidden.append(name)
        if tag in ("style", "script", "iframe", "form"):
            self.forbidden.append(tag)


# -- The front page --------------------------------------------------------------------------------------------------


@pytest.mark.needs("curl", "jq")
def test_the_lines_of_the_first_game_play_when_they_are_pasted(
    client: Client, product: Product, tmp_path: Path
) -> None:
    page = client.get("/").body.decode()
    shown = re.search(r'id="first-game"><code>(.*?)</code>', page, re.DOTALL)
    assert shown is not None
    lines = unescape(shown[1])
    assert lines.count("curl -s") == 5
    assert product.http in lines
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", lines], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    moves, made, events = (json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))
    taken = moves["moves"][0]["move"]
    assert made["version"] > moves["version"]
    assert made["events"][0]["kind"] == "money_taken"
    assert made["events"][0]["display"] == taken["display"]
    assert "money_taken" in json.dumps(events)
    assert b"Amira" in (tmp_path / "alhambra.svg").read_bytes()


@pytest.mark.parametrize("path", PAGES)
def test_everything_that_a_page_points_at_is_served_by_the_gateway(client: Client, path: str) -> None:
    links = Links(client.get(path).body.decode())
    assert links.forbidden == []
    assert {"/docs", "/openapi.json", "/problems/", "/static/site.css"} <= set(links.found)
    assert [link for link in links.found if not link.startswith(("/", "#"))] == []
    served = {link for link in links.found if link.startswith("/")}
    assert {link: status for link in served if (status := client.get(link).status) != 200} == {}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_may_load_nothing_from_elsewhere_and_run_nothing(client: Client, path: str) -> None:
    headers = client.get(path).headers
    policy = dict(rule.strip().partition(" ")[::2] for rule in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert policy["frame-ancestors"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"


def test_the_style_fetches_nothing(client: Client) -> None:
    style = client.get("/static/site.css")
    assert style.headers["content-type"].startswith("text/css")
    assert re.findall(rb"url\(|@import|https?:", style.body) == []
    assert b"prefers-color-scheme: dark" in style.body


def test_only_the_files_of_the_pages_are_served(client: Client) -> None:
    for name in ("fixes.json", "..%2fapp.py", "../app.py", "site.css/"):
        assert client.get(f"/static/{name}").reason == "ROUTE_NOT_FOUND"


def test_a_page_is_in_the_language_that_the_reader_likes_best(client: Client) -> None:
    liked = (
        ("de-AT, en;q=0.5", "de"),
        ("fr, de;q=0.2", "de"),
        ("sr-Latn", "sr"),
        ("fr", "en"),
        ("", "en"),
        ("*", "en"),
    )
    for header, language in liked:
        answer = client.get("/", {"Accept-Language": header} if header else {})
        assert answer.headers["content-language"] == language, header
        assert f'<html lang="{language}">'.encode() in answer.body
        assert "Accept-Language" in answer.headers["vary"]


IN_FIVE_LANGUAGES = (
    *("/", "/problems/", "/problems/HOLE", "/modules/", "/modules/squares", "/guides/", "/rules/", "/rules/squares"),
)


@pytest.mark.parametrize("path", IN_FIVE_LANGUAGES)
def test_a_page_is_there_in_five_languages_that_link_to_each_other(client: Client, path: str) -> None:
    for language in languages():
        answer = client.get(f"{path}?lang={language}", {"Accept-Language": "en"})
        assert answer.headers["content-language"] == language
        body = answer.body.decode()
        assert f'<html lang="{language}">' in body
        assert re.findall(r'hreflang="(\w+)"', body) == list(languages())
        assert {f"{path}?lang={other}" for other in languages()} <= set(Links(body).found)
    assert client.get(f"{path}?lang=xx").headers["content-language"] == "en"


def test_a_language_that_the_address_names_stays_when_a_link_is_followed(client: Client) -> None:
    links = Links(client.get("/modules/?lang=hu").body.decode()).found
    assert {"/?lang=hu", "/modules/squares?lang=hu", "/problems/?lang=hu"} <= set(links)
    assert "/modules/squares" in Links(client.get("/modules/").body.decode()).found


def test_the_words_of_pages_are_there_in_every_language() -> None:
    english = words()["en"]
    for language in languages():
        assert words()[language].keys() == english.keys()
        assert words()[language]["groups"].keys() == english["groups"].keys()
        assert all(words()[language].values())


def test_a_page_that_has_not_changed_is_not_sent_again(client: Client) -> None:
    first = client.get("/problems/")
    again = client.get("/problems/", {"If-None-Match": first.headers["etag"]})
    assert (again.status, again.body) == (304, b"")


# -- Problems --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", languages())
def test_every_reason_has_a_page_with_meaning_example_and_fix(client: Client, language: str) -> None:
    for reason, one in reasons(language).items():
        answer = client.get(f"/problems/{reason}", {"Accept-Language": language})
        page = unescape(re.sub(r"</?code>", "`", answer.body.decode()))
        assert answer.status == 200, reason
        assert one.meaning in page, reason
        assert one.fix in page, reason
        assert f"HTTP {KINDS[reason].status}" in page, reason
        assert f'"reason": "{reason}"' in page, reason
        assert [word for word in EACH[language] if word not in page] == []


@pytest.mark.parametrize("language", [language for language in languages() if language != DEFAULT])
def test_the_meanings_and_fixes_are_translated(language: str) -> None:
    english, translated = reasons(DEFAULT), reasons(language)
    assert [reason for reason in KINDS if english[reason].fix == translated[reason].fix] == []
    assert [reason for reason in KINDS if english[reason].meaning == translated[reason].meaning] == []


@pytest.mark.parametrize("language", languages())
def test_a_fix_names_the_same_code_in_every_language(language: str) -> None:
    english, translated = reasons(DEFAULT), reasons(language)
    for reason in KINDS:
        assert sorted(CODE.findall(translated[reason].fix)) == sorted(CODE.findall(english[reason].fix)), reason


def test_the_index_lists_every_reason_in_the_order_of_the_contract(client: Client) -> None:
    page = client.get("/problems/").body.decode()
    assert re.findall(r'href="/problems/([A-Z_]+)"', page) == list(KINDS)


@pytest.mark.parametrize("reason", ["UNDERPAID", "HOST_REFUSED"])
def test_the_same_is_there_as_data(client: Client, reason: str) -> None:
    answer = client.get(f"/problems/{reason}", {"Accept": "application/json", "Accept-Language": "de"})
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == json.loads(json.dumps(reasons("de")[reason].as_dict()))
    listed = client.get("/problems/", {"Accept": "application/json"}).json()["problems"]
    assert listed == json.loads(json.dumps([one.as_dict() for one in reasons("en").values()]))


def test_what_is_neither_page_nor_data_is_refused(client: Client) -> None:
    assert client.get("/problems/UNDERPAID", {"Accept": "image/png"}).reason == "NOT_ACCEPTABLE"


@pytest.mark.parametrize("path", ["/problems/NO_SUCH_REASON", "/problems/underpaid", "/problems/%3Cscript%3E"])
def test_a_reason_that_does_not_exist_has_no_page(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.reason == "ROUTE_NOT_FOUND"
    assert b"<script>" not in answer.body


def test_the_type_of_a_problem_leads_to_its_page(client: Client) -> None:
    problem = client.get("/v1/games/nosuchgame0000").json()
    assert problem["reason"] in client.get(problem["type"]).body.decode()


def test_every_example_is_what_this_gateway_answers(product: Product) -> None:
    """All requests that can be made at will are made; `python -m scripts.problem_examples` writes the file anew."""
    with PoliteClient(product.http) as client:
        assert examples(client) == example_problems()


def test_every_request_of_an_example_has_a_route_and_can_be_read() -> None:
    unreadable = {"ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_MALFORMED", "BODY_TOO_LARGE"}
    routes = {(route.method, re.sub(r"<[^>]+>", SAMPLE_GAME, route.rule)): route for route in compile_routes()}
    for reason, one in reasons("en").items():
        if reason in unreadable:
            continue
        path = re.sub("nosuch(game|webhook)0000", SAMPLE_GAME, one.request["path"].partition("?")[0])
        path = path.replace("card/no_such_card", f"{SAMPLE_GAME}/{SAMPLE_GAME}")
        route = routes[one.request["method"], path]
        if "body" in one.request:
            whole = {**one.request["body"], **({"game": SAMPLE_GAME} if SAMPLE_GAME in path else {})}
            if "If-Match" in one.request["headers"]:  # which says the version
                whole["version"] = 7
            reader(route.request.DESCRIPTOR)(route.request(), whole)


def test_the_facts_of_an_example_are_those_that_the_contract_names() -> None:
    for reason, one in reasons("en").items():
        facts = set(one.problem["metadata"]) - {"noun", "board", "allowed"}
        if reason != "NOUN_MISSING":
            assert facts <= set(one.metadata), reason
