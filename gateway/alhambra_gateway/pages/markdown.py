"""Markdown as HTML that runs nothing, loads nothing and links only to what the gateway serves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

_STATEMENT = re.compile(r"\*\*(\d\d\.\d+)\*\* ")
_CITATION = re.compile(r"(?<![\w.])(\d\d\.\d+)(?![\w%]|\.\d)")
_GENERATED_NOTE = re.compile(r"^<!--.*?-->\n", re.DOTALL | re.MULTILINE)

_ACCESSIBLE = {
    "<table>": '<div class="wide"><table>',
    "</table>": "</table></div>",
    "<th></th>": "<td></td>",  # a heading that says nothing is none
    "<pre>": '<pre tabindex="0">',  # long lines are scrolled, by keys too
}
"""What the parser writes, and what every reader can use."""


def title_of(markdown: str) -> str:
    """Return the heading of a page."""
    return next(line for line in markdown.splitlines() if line.startswith("# ")).removeprefix("# ")


def opening_of(markdown: str) -> str:
    """Return the first sentence of a page as plain text."""
    introduction = re.split(r"^## ", _GENERATED_NOTE.sub("", markdown), maxsplit=1, flags=re.MULTILINE)[0]
    tokens = _parser().parse(introduction)
    text = next(_plain(tokens[place + 1]) for place, token in enumerate(tokens) if token.type == "paragraph_open")
    return re.split(r"(?<=\.)\s(?=[A-Z])", " ".join(text.split()), maxsplit=1)[0]


def as_html(
    markdown: str, address_of: Callable[[str], str], statement_address: Callable[[str], str] | None = None
) -> str:
    """Return a page as HTML with an anchor at every heading and at every statement ("**22.7** …").

    `address_of` returns the address at which the gateway serves the target of a link. A link for which it returns ""
    becomes plain text, and an image becomes its description. With `statement_address`, which does the same for numbers
    of statements, such numbers in the text become links.
    """
    tokens = _parser().parse(_GENERATED_NOTE.sub("", markdown))
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor(_plain(tokens[place + 1])))
        elif token.type == "paragraph_open" and (statement := _STATEMENT.match(tokens[place + 1].content)):
            token.attrSet("id", statement[1])
        elif token.type == "inline":
            token.children = list(_linked(token.children or [], address_of))
            if statement_address is not None:
                token.children = list(_cited(token.children, statement_address))
        elif token.type in ("td_open", "th_open"):
            token.attrs.pop("style", None)  # the content security policy forbids inline styles
    html: str = _parser().renderer.render(tokens, _parser().options, {})
    for plain, accessible in _ACCESSIBLE.items():
        html = html.replace(plain, accessible)
    return html


def anchor(heading: str) -> str:
    """Return the fragment by which links name a heading."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.strip().lower()))


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _plain(token: Token) -> str:
    return "".join(
        child.content if child.content else " " * (child.type == "softbreak") for child in token.children or []
    )


def _linked(children: list[Token], address_of: Callable[[str], str]) -> Iterator[Token]:
    """Yield the parts of a line with the addresses of the gateway."""
    kept: list[bool] = []
    for child in children:
        if child.type == "link_open":
            address = address_of(str(child.attrGet("href")))
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


def _cited(children: list[Token], statement_address: Callable[[str], str]) -> Iterator[Token]:
    """Yield the parts of a line with links at numbers of statements, unless they are inside a link."""
    depth = 0
    for child in children:
        depth += (child.type == "link_open") - (child.type == "link_close")
        if child.type != "text" or depth:
            yield child
            continue
        for place, part in enumerate(_CITATION.split(child.content)):
            address = statement_address(part) if place % 2 else ""
            if address:
                yield Token("link_open", "a", 1, attrs={"href": address})
            yield Token("text", "", 0, content=part)
            if address:
                yield Token("link_close", "a", -1)
