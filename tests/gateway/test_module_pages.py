"""The pages of modules, guides and rules: complete, in every language, with pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hatchling.builders.wheel import WheelBuilder

from alhambra import BASE, known_modules, load_module, register, registry
from alhambra.handbook import ModulePage, module_page
from alhambra.module import Module, PieceKind
from alhambra.svg import picture_styles
from alhambra.texts import languages
from alhambra_gateway.config import Settings
from alhambra_gateway.pages.docs_files import address_of, docs_folder, guide_names, read, rules_pages
from alhambra_gateway.pages.guides import index
from alhambra_gateway.pages.markdown import as_html
from alhambra_gateway.process.app import create_app
from alhambra_gateway.refusals.problem import KINDS

from .http import Client

KEYS = (BASE.key, *known_modules())
CAMELS = Module(
    number=101,
    key="camels",
    piece_kinds=(PieceKind("camel", "A camel before a seat.", "M2 40h44v6H2z"),),
    events={"camel_came": "A camel came."},
    texts={
        "en": {"module.camels": "Camels <of> the desert", "module.camels.rule": "A camel carries money."},
        "de": {"module.camels": "Kamele"},
    },
)


class Text(HTMLParser):
    """The words of a page, and the ids and references in it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words = ""
        self.ids: list[str] = []
        self.uses: list[str] = []
        self.classes: set[str] = set()
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.words += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.ids += [named["id"] or ""] if "id" in named else []
        self.uses += [(named["href"] or "")[1:]] if tag == "use" else []
        if tag in ("rect", "path", "circle", "text", "use", "g"):
            self.classes |= set((named.get("class") or "").split())


def said(page: ModulePage) -> list[str]:
    """Everything that a page must say."""
    entries = [entry for section in page.sections for entry in section.entries]
    words = [page.name, page.about, page.rule, page.example, *(section.title for section in page.sections)]
    words += [word for entry in entries for word in (entry.name, entry.text.replace("`", ""))]
    return [word for word in words if word]


@pytest.mark.parametrize("language", languages())
def test_every_module_has_a_page_that_says_everything_about_it(client: Client, language: str) -> None:
    for key in KEYS:
        answer = client.get(f"/modules/{key}?lang={language}")
        assert answer.status == 200, key
        words = Text(answer.body.decode()).words
        assert [word for word in said(module_page(key, language)) if word not in words] == [], key


def test_the_list_names_the_base_game_and_every_module(client: Client) -> None:
    found = re.findall(r'href="/modules/(\w+)"', client.get("/modules/").body.decode())
    assert found[0] == BASE.key
    assert sorted(found[1:]) == sorted(known_modules())
    assert [load_module(key).number for key in found[1:]] == sorted(load_module(key).number for key in found[1:])


def test_every_picture_of_a_page_is_drawn_from_symbols_and_colours_that_are_there(client: Client) -> None:
    coloured = set(re.findall(r"\.picture \.([a-z-]+)\{", client.get("/static/pictures.css").body.decode()))
    for key in KEYS:
        page = Text(client.get(f"/modules/{key}").body.decode())
        assert set(page.uses) <= set(page.ids), key
        assert len(page.ids) == len(set(page.ids)), key
        assert page.classes - {"price"} <= coloured, key
        shown = [entry for section in module_page(key).sections for entry in section.entries if entry.component]
        assert client.get(f"/modules/{key}").body.count(b'role="img"') == len(shown), key


def test_the_colours_of_pictures_follow_the_light_of_the_reader(client: Client) -> None:
    answer = client.get("/static/pictures.css")
    assert answer.headers["content-type"].startswith("text/css")
    assert answer.body.decode() == picture_styles()
    assert b"prefers-color-scheme: dark" in answer.body


def test_reasons_link_to_their_pages(client: Client) -> None:
    linked = {
        name
        for key in KEYS
        for name in re.findall(r'/problems/([A-Z_]+)"', client.get(f"/modules/{key}").body.decode())
    }
    assert linked
    assert linked <= set(KINDS)


@pytest.mark.parametrize(
    "path",
    [
        *("/modules/nonsense", "/modules/%3Cscript%3E", "/guides/nonsense", "/guides/..%2fapp"),
        *("/rules/nonsense", "/rules/README", "/rules/coverage", "/rules/44", "/rules/..%2foperator"),
    ],
)
def test_what_does_not_exist_has_no_page(client: Client, path: str) -> None:
    assert client.get(path).reason == "ROUTE_NOT_FOUND"


# -- Modules of other packages -----------------------------------------------------------------------------------------


@pytest.fixture
def with_camels() -> Iterator[FlaskClient]:
    """A gateway in whose environment a module of another package is installed."""
    register(CAMELS)
    yield create_app(Settings(service="127.0.0.1:1")).test_client()
    del registry._registered[CAMELS.key]
    for forget in registry.ON_REGISTER:
        forget()


def test_a_module_of_another_package_has_a_page_too(with_camels: FlaskClient) -> None:
    page = with_camels.get("/modules/camels?lang=de", headers={"Host": "127.0.0.1"}).get_data(as_text=True)
    assert "<h1>Kamele</h1>" in page
    assert "A camel carries money." in page, "English stands in where a language has no text"
    assert 'href="#piece-camel"' in page
    listed = with_camels.get("/modules/", headers={"Host": "127.0.0.1"}).get_data(as_text=True)
    assert "Camels &lt;of&gt; the desert" in listed


# -- Guides ------------------------------------------------------------------------------------------------------------


def test_every_guide_is_listed_and_served(client: Client) -> None:
    listed = client.get("/guides/").body.decode()
    assert {"client-author", "bot-author", "operator", "security", "texts", "terms"} <= set(index())
    for name, guide in index().items():
        assert f'href="/guides/{name}"' in listed
        answer = client.get(f"/guides/{name}", {"Accept-Language": "de"})
        assert answer.headers["content-language"] == "en"
        assert f">{guide['title']}</h1>" in unescape(answer.body.decode())


def test_links_inside_guides_lead_to_headings_that_exist(client: Client) -> None:
    pages = {name: client.get(f"/guides/{name}").body.decode() for name in guide_names()}
    links = [link for page in pages.values() for link in re.findall(r'href="/guides/([\w-]+)#([^"]+)"', page)]
    assert links
    assert [(name, place) for name, place in links if f'id="{place}"' not in pages[name]] == []


def test_a_guide_is_served_without_what_a_policy_forbids() -> None:
    markdown = "# A\n\n<b>x</b> [out](https://x.org/) ![p](images/p.png) [in](terms.md#c)\n\n| a |\n|:-:|\n| b |\n"
    html = as_html(markdown, address_of)
    assert "&lt;b&gt;" in html
    assert re.findall(r'(?:href|src|style)="([^"]*)"', html) == ["/guides/terms#c"]
    assert "out <em>p</em>" in html


@pytest.mark.parametrize(
    ("link", "folder", "address"),
    [
        ("operator.md#tls", "", "/guides/operator#tls"),
        ("../operator.md", "modules", "/guides/operator"),
        ("#tls", "", "#tls"),
        ("modules/README.md", "", "/modules/"),
        ("modules/squares.md", "", "/modules/squares"),
        ("rules/README.md", "", "/rules/"),
        ("rules/22-watchtowers.md", "", "/rules/watchtowers"),
        ("00-base.md#turn", "rules", "/rules/base#turn"),
        ("../modules/README.md", "rules", "/modules/"),
        ("coverage.md", "rules", ""),
        ("overlays.md", "", ""),
        ("../README.md", "", ""),
        ("https://x.org/operator.md", "", ""),
    ],
)
def test_a_link_of_docs_leads_to_what_the_gateway_serves(link: str, folder: str, address: str) -> None:
    assert address_of(link, folder) == address


def test_a_wheel_contains_every_guide_and_rule_and_nothing_else_of_docs() -> None:
    root = Path(__file__).resolve().parents[2]
    assert docs_folder().joinpath("operator.md").read_bytes() == (root / "docs" / "operator.md").read_bytes()
    packed = {file.distribution_path for file in WheelBuilder(str(root)).recurse_included_files()}
    found = {path.removeprefix("alhambra_gateway/docs/") for path in packed if path.endswith(".md")}
    assert {path for path in found if "/" not in path} == {f"{name}.md" for name in guide_names()}
    rules = {"README", *rules_pages().values()}
    assert {path for path in found if "/" in path} == {f"rules/{name}.md" for name in rules}
    assert not [path for path in packed if path.startswith("alhambra_gateway/docs/") and not path.endswith(".md")]


# -- Rules -------------------------------------------------------------------------------------------------------------

STATEMENTS = """# 22 Towers

**22.1** A tower, see 00.3, `00.4` and [00.5](00-base.md); not 1.22.1, 77.1 or 00.6%.

- **22.2** In a list.

As 22.1 says.
"""


def test_a_statement_has_an_anchor_and_numbers_in_the_text_are_links() -> None:
    addresses = {"22.1": "#22.1", "00.3": "/rules/base#00.3", "00.4": "/wrong", "00.6": "/wrong"}
    html = as_html(STATEMENTS, lambda link: address_of(link, "rules"), lambda number: addresses.get(number, ""))
    assert '<p id="22.1"><strong><a href="#22.1">22.1</a></strong> A tower, see ' in html
    assert 'see <a href="/rules/base#00.3">00.3</a>,' in html
    assert '<code>00.4</code> and <a href="/rules/base">00.5</a>; not 1.22.1, 77.1 or 00.6%.' in html
    assert '<p>As <a href="#22.1">22.1</a> says.</p>' in html


def test_every_statement_has_an_anchor_and_every_citation_leads_to_one(client: Client) -> None:
    pages = {key: client.get(f"/rules/{key}").body.decode() for key in rules_pages()}
    statements, links = 0, 0
    for key, page in pages.items():
        numbers = re.findall(r"^\*\*(\d\d\.\d+)\*\* ", read(f"rules/{rules_pages()[key]}.md"), re.MULTILINE)
        assert numbers, key
        assert re.findall(r'<p id="(\d\d\.\d+)">', page) == numbers, key
        for other, number in re.findall(r'href="(?:/rules/(\w+))?#(\d\d\.\d+)"', page):
            assert f'<p id="{number}">' in pages[other or key], (key, number)
            links += 1
        statements += len(numbers)
    assert links > statements, "a statement links to itself, and some statements cite others"


def test_the_base_game_and_every_module_have_rules_that_link_to_the_module_and_back(client: Client) -> None:
    listed = client.get("/rules/").body.decode()
    assert sorted(rules_pages()) == sorted((*KEYS, "interactions"))
    for key in KEYS:
        assert f'href="/rules/{key}"' in listed
        assert f'href="/modules/{key}"' in client.get(f"/rules/{key}").body.decode()
        assert f'href="/rules/{key}?lang=de"' in client.get(f"/modules/{key}?lang=de").body.decode()


@pytest.mark.parametrize("language", languages())
def test_rules_begin_with_the_short_rule_in_the_language_of_the_reader(client: Client, language: str) -> None:
    answer = client.get("/rules/squares", {"Accept-Language": language})
    assert answer.headers["content-language"] == language
    short, _, complete = unescape(answer.body.decode()).partition('<article class="guide rules" lang="en">')
    assert f"<p>{module_page('squares', language).rule}</p>" in short
    assert "<h1" in complete


def test_rules_that_belong_to_no_module_have_no_short_rule(client: Client) -> None:
    assert "<aside" not in client.get("/rules/interactions").body.decode()


def test_the_number_of_a_page_leads_to_it(client: Client) -> None:
    answer = client.get("/rules/22")
    assert (answer.status, answer.headers["location"]) == (302, "/rules/watchtowers")


def test_a_module_of_another_package_has_no_rules_to_link_to(with_camels: FlaskClient) -> None:
    page = with_camels.get("/modules/camels", headers={"Host": "127.0.0.1"}).get_data(as_text=True)
    assert "/rules/camels" not in page
