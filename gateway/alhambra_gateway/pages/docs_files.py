"""Files of docs/ that the gateway serves, and their addresses.

A wheel contains them as `alhambra_gateway/docs/` (see `pyproject.toml`). In a clone they are read from `docs/`.
"""

from __future__ import annotations

import posixpath
import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

FIRST_GUIDES = (
    *("client-author", "bot-author", "library", "research", "command-line", "operator", "security", "durability"),
    *("scale", "writing-a-module", "texts", "terms", "glossary", "versioning"),
)
"""The order of the list of guides. Other guides follow in alphabetical order."""
NOT_SERVED = frozenset({"interactions", "overlays"})
"""Notes for developers of modules."""


@cache
def docs_folder() -> Traversable:
    """Return the folder of the wheel, or docs/ of the clone."""
    package = files("alhambra_gateway")
    packaged = package.joinpath("docs")
    return packaged if packaged.is_dir() else package.joinpath("..", "..", "docs")


def read(path: str) -> str:
    """Return the text of a file of docs/."""
    return docs_folder().joinpath(*path.split("/")).read_text(encoding="utf-8")


@cache
def guide_names() -> tuple[str, ...]:
    """Return the names of all guides in the order of their list."""
    names = {path.name.removesuffix(".md") for path in docs_folder().iterdir() if path.name.endswith(".md")}
    return (*FIRST_GUIDES, *sorted(names - {*FIRST_GUIDES, *NOT_SERVED}))


@cache
def rules_pages() -> dict[str, str]:
    """Return the name of every numbered file of docs/rules/ ("22-watchtowers") by its key ("watchtowers")."""
    names = sorted(path.name.removesuffix(".md") for path in docs_folder().joinpath("rules").iterdir())
    return {name[3:]: name for name in names if re.fullmatch(r"\d\d-\w+", name)}


@cache
def rules_keys() -> dict[str, str]:
    """Return the key of every page of rules by its number ("22")."""
    return {name[:2]: key for key, name in rules_pages().items()}


def address_of(link: str, folder: str = "") -> str:
    """Return the address at which the gateway serves the target of a link; "" if it does not.

    `folder` is the folder of docs/ that contains the page with the link.
    """
    name, _, place = link.partition("#")
    fragment = f"#{place}" if place else ""
    if not name:
        return fragment
    path = posixpath.normpath(posixpath.join(folder, name))
    if path.removesuffix(".md") in guide_names():
        return f"/guides/{path.removesuffix('.md')}{fragment}"
    module = re.fullmatch(r"modules/(\w+)\.md", path)
    if module is not None:
        return "/modules/" if module[1] == "README" else f"/modules/{module[1]}"
    rules = re.fullmatch(r"rules/([\w-]+)\.md", path)
    if rules is not None and rules[1] == "README":
        return f"/rules/{fragment}"
    if rules is not None and rules[1][3:] in rules_pages():
        return f"/rules/{rules[1][3:]}{fragment}"
    return ""
