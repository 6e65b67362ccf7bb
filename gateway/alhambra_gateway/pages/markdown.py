"""Markdown as HTML that runs nothing, loads nothing and links only to what the gateway serves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

_GENERATED_NOTE = re.compile(r"^<!--.*?-->\n", re.DOTALL | re.MULTILINE)


def title_of(markdown: str) -> str:
    """Return the heading of a page."""
    return next(line for line in markdown.splitlines() if line.startswith("# ")).removeprefix("# ")


def opening_of(markdown: str) -> str:
    """Return the first sentence of a page as plain text."""
    introduction = re.split(r"^## ", _GENERATED_NOTE.sub("", markdown), maxsplit=1, flags=re.MULTILINE)[0]
    tokens = _parser().parse(introduction)
    text = next(_plain(tokens[place + 1]) for place, token in enumerate(tokens) if token.type == "paragraph_open")
    return re.split(r"(?<=\.)\s(?=[A-Z])", " ".join(text.split()), maxsplit=1)[0]


def as_html(markdown: str, address_of: Callable[[str], str]) -> str:
    """Return a page as HTML with an anchor at every heading.

    `address_of` returns the address at which the gateway serves the target of a link. A link for which it returns ""
    becomes plain text, and an image becomes its description.
    """
    tokens = _parser().parse(_GENERATED_NOTE.sub("", markdown))
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor(_plain(tokens[place + 1])))
        elif token.type == "inline":
            token.children = list(_linked(token.children or [], address_of))
        elif token.type in ("td_open", "th_open"):
            token.attrs.pop("style", None)  # the content security policy forbids inline styles
    html: str = _parser().renderer.render(tokens, _parser().options, {})
    return html.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")


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
