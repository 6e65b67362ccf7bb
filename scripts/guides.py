"""Turns the guides of docs/ into HTML that the gateway serves under /guides/.

The pages are made here and kept in the gateway's package, so that a server needs neither a Markdown parser nor the
folder docs/. `python -m scripts.docs` writes them; decision 22 says why.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
FOLDER = ROOT / "gateway" / "alhambra_gateway" / "guides"
INDEX = "index.json"
FIRST = (
    *("client-author", "bot-author", "library", "command-line", "operator", "security", "durability", "scale"),
    *("writing-a-module", "texts", "terms", "glossary", "versioning"),
)
"""The order of the list; further guides follow by their names."""
NOT_SERVED = ("interactions", "overlays")
"""Notes for those who write the modules of this library."""
_NOTE = re.compile(r"^<!--.*?-->\n", re.DOTALL | re.MULTILINE)


def guide_files() -> dict[str, str]:
    """By file name: everything that stands in the folder of the guides."""
    names = sorted({path.stem for path in DOCS.glob("*.md")} - {*FIRST, *NOT_SERVED})
    pages = {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in (*FIRST, *names)}
    found = {f"{name}.html": as_html(text, set(pages)) for name, text in pages.items()}
    index = {name: {"title": title_of(text), "about": opening_of(text)} for name, text in pages.items()}
    return found | {INDEX: json.dumps(index, ensure_ascii=False, indent=2) + "\n"}


def title_of(markdown: str) -> str:
    """The heading of a page."""
    return next(line for line in markdown.splitlines() if line.startswith("# ")).removeprefix("# ")


def opening_of(markdown: str) -> str:
    """The first sentence of a page, without marks."""
    tokens = _parser().parse(_NOTE.sub("", markdown))
    text = next(_plain(tokens[place + 1]) for place, token in enumerate(tokens) if token.type == "paragraph_open")
    return re.split(r"(?<=\.)\s(?=[A-Z])", " ".join(text.split()), maxsplit=1)[0]


def as_html(markdown: str, pages: set[str]) -> str:
    """A page as HTML that runs nothing, loads nothing and links only to what the gateway serves."""
    parser = _parser()
    tokens = parser.parse(_NOTE.sub("", markdown))
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor(_plain(tokens[place + 1])))
        elif token.type == "inline":
            token.children = list(_served(token.children or [], pages))
        elif token.type in ("td_open", "th_open"):
            token.attrs.pop("style", None)  # inline styles are forbidden by the policy of pages
    html: str = parser.renderer.render(tokens, parser.options, {})
    return html.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")


def anchor(heading: str) -> str:
    """A heading as links name it."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.strip().lower()))


def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _plain(token: Token) -> str:
    return "".join(
        child.content if child.content else " " * (child.type == "softbreak") for child in token.children or []
    )


def _served(children: list[Token], pages: set[str]) -> Iterator[Token]:
    """Links to other guides and module pages; whatever else a guide links to or shows stays as its words."""
    kept: list[bool] = []
    for child in children:
        if child.type == "link_open":
            address = _address(str(child.attrGet("href")), pages)
            kept.append(bool(address))
            if address:
                child.attrSet("href", address)
                yield child
        elif child.type == "link_close":
            if kept.pop():
                yield child
        elif child.type == "image":
            yield Token("html_inline", "", 0, content=f"<em>{escape(child.content)}</em>")
        else:
            yield child


def _address(link: str, pages: set[str]) -> str:
    """Where the gateway serves what a guide links to; empty if nowhere."""
    name, _, place = link.partition("#")
    behind = f"#{place}" if place else ""
    if not name:
        return behind
    if name.removesuffix(".md") in pages:
        return f"/guides/{name.removesuffix('.md')}{behind}"
    module = re.fullmatch(r"modules/(\w+)\.md", name)
    if module is not None:
        return "/modules/" if module[1] == "README" else f"/modules/{module[1]}"
    return ""
