"""A client in TypeScript: its types are generated from the API document, checked strictly, and true when it plays."""

import json
import re
import shutil
from pathlib import Path

import pytest

from . import node
from .http import Client
from .product import Product

SOURCES = ("package.json", "tsconfig.json", "play.ts")
TYPES = "alhambra.ts"
MOVES = 14


@pytest.fixture(scope="module")
def workshop(product: Product, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the client, and the types of the document that the running gateway serves."""
    folder = tmp_path_factory.mktemp("typescript")
    for name in SOURCES:
        shutil.copy(node.CLIENT / name, folder / name)
    (folder / "node_modules").symlink_to(node.PACKAGES / "node_modules")
    (folder / "openapi.json").write_bytes(product.client().get("/openapi.json").body)
    node.run([node.tool("openapi-typescript"), "openapi.json", "--output", TYPES], folder)
    return folder


@pytest.fixture(scope="module")
def built(workshop: Path) -> Path:
    """The same, compiled."""
    node.run([node.tool("tsc")], workshop)
    return workshop


def test_a_typed_client_compiles_strictly_and_plays(built: Path, client: Client, product: Product) -> None:
    said = json.loads(node.run(["built/play.js", product.http, str(MOVES)], built))
    assert said["moves"] == MOVES
    assert said["version"] >= MOVES
    assert said["events"] > MOVES
    assert said["refused"] in ("VERB_UNKNOWN", "VERSION_STALE")
    view = client.get(f"/v1/games/{said['game']}").json()["view"]
    assert view["version"] == said["version"]


MISTAKES = {
    "a_text_for_a_number": ("version: view.version, requestId", "version: String(view.version), requestId"),
    "an_unknown_word": ('payments: "brief"', 'payments: "some"'),
    "an_unknown_member": ("invitation: guest.invitation", "invitaton: guest.invitation"),
    "an_unknown_member_of_a_problem": ("return error.reason;", "return error.reasons;"),
    "a_decision_that_may_be_absent": ("view.decision !== undefined", "true"),
    "an_unknown_address": ('"/v1/games/{game}:claimSeat"', '"/v1/games/{game}:claim"'),
}
OPEN = {"a_reason_of_later": ('case "VERSION_STALE":', 'case "VERSION_FORGOTTEN":')}
"""What compiles although the document does not list it: modules may add reasons."""


def test_a_mistake_in_a_client_does_not_compile(workshop: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mistakes"
    shutil.copytree(workshop, folder, symlinks=True, ignore=shutil.ignore_patterns("built"))
    text = (folder / "play.ts").read_text(encoding="utf-8")
    for name, (right, wrong) in {**MISTAKES, **OPEN}.items():
        assert text.count(right) == 1, name
        (folder / f"{name}.ts").write_text(text.replace(right, wrong), encoding="utf-8")
    with pytest.raises(AssertionError) as failure:
        node.run([node.tool("tsc"), "--noEmit"], folder)
    found = set(re.findall(r"^(\w+)\.ts\(\d+,\d+\): error TS\d+", str(failure.value), re.MULTILINE))
    assert found == set(MISTAKES)


def test_the_lock_of_npm_names_no_address_and_pins_everything_by_hash() -> None:
    lock = json.loads((node.CLIENT / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: found for name, found in lock["packages"].items() if name}
    assert packages
    assert [name for name, found in packages.items() if "resolved" in found] == []
    assert [name for name, found in packages.items() if not re.match(r"sha512-", found.get("integrity", ""))] == []
