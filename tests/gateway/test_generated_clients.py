"""Clients that five generators make of the API document: no generator warns, and every client plays.

The client of openapi-typescript is tested in `test_typescript.py`, and its generator here.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from . import node
from .http import Client
from .product import Product

HERE = Path(__file__).parent
MOVES = 14
PATIENCE = 120.0


@pytest.fixture(scope="module")
def folder(product: Product, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the document that the running gateway serves."""
    found = tmp_path_factory.mktemp("generated")
    (found / "openapi.json").write_bytes(product.client().get("/openapi.json").body)
    return found


def run(folder: Path, *words: str) -> str:
    """What a program of Python prints, errors included; warnings of Python are errors."""
    # openapi-python-client formats what it writes with ruff, which it looks for on the search path only.
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    modules = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    variables = {**os.environ, "PATH": tools, "PYTHONPATH": modules}
    done = subprocess.run(
        [sys.executable, "-W", "error", *words],
        cwd=folder,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def check_game(client: Client, said: Any) -> None:
    """The game that a client says it has played is the one that the server has."""
    assert said["moves"] == MOVES
    assert said["events"] > MOVES
    assert said["refused"] in ("VERB_UNKNOWN", "VERSION_STALE")
    assert client.get(f"/v1/games/{said['game']}").json()["view"]["version"] == said["version"] >= MOVES


def test_openapi_python_client_makes_a_client_that_plays(folder: Path, product: Product, client: Client) -> None:
    options = ("--path", "openapi.json", "--meta", "none", "--output-path", "alhambra_generated", "--fail-on-warning")
    printed = run(folder, "-m", "openapi_python_client", "generate", *options)
    assert "warning" not in printed.lower()
    said = json.loads(run(folder, str(HERE / "generated" / "play_client.py"), product.http, str(MOVES)))
    check_game(client, said)
    assert said["picture"] == "<svg"


def test_datamodel_code_generator_makes_models_that_play(folder: Path, product: Product, client: Client) -> None:
    options = ["--input", "openapi.json", "--input-file-type", "openapi", "--output", "alhambra_models.py"]
    options += ["--output-model-type", "pydantic_v2.BaseModel", "--use-annotated", "--formatters", "builtin"]
    assert run(folder, "-m", "datamodel_code_generator", *options) == ""
    check_game(client, json.loads(run(folder, str(HERE / "generated" / "play_models.py"), product.http, str(MOVES))))


def test_hey_api_makes_a_client_that_compiles_strictly_and_plays(
    folder: Path, product: Product, client: Client, tmp_path: Path
) -> None:
    shutil.copytree(node.CLIENT / "hey_api", tmp_path, dirs_exist_ok=True)
    shutil.copy(node.CLIENT / "package.json", tmp_path)
    shutil.copy(folder / "openapi.json", tmp_path)
    (tmp_path / "node_modules").symlink_to(node.PACKAGES / "node_modules")
    assert "warn" not in node.run([node.tool("openapi-ts")], tmp_path).lower()
    node.run([node.tool("tsc")], tmp_path)
    check_game(client, json.loads(node.run(["built/play.js", product.http, str(MOVES)], tmp_path)))


def test_swagger_typescript_api_makes_a_client_that_compiles_strictly_and_plays(
    folder: Path, product: Product, client: Client, tmp_path: Path
) -> None:
    shutil.copytree(node.CLIENT / "swagger_api", tmp_path, dirs_exist_ok=True)
    shutil.copy(node.CLIENT / "package.json", tmp_path)
    (tmp_path / "node_modules").symlink_to(node.PACKAGES / "node_modules")
    options = ("--path", str(folder / "openapi.json"), "--output", ".", "--name", "api.ts", "--extract-request-body")
    assert "warn" not in node.run([node.tool("swagger-typescript-api"), "generate", *options], tmp_path).lower()
    node.run([node.tool("tsc")], tmp_path)
    check_game(client, json.loads(node.run(["built/play.js", product.http, str(MOVES)], tmp_path)))


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("redocly", "lint", "openapi.json", "--extends", "recommended"), id="Redocly"),
        pytest.param(
            ("spectral", "lint", "openapi.json", "--ruleset", "spectral.yaml", "--fail-severity", "hint"), id="Spectral"
        ),
    ],
)
def test_linters_find_nothing_in_the_document(folder: Path, words: tuple[str, ...]) -> None:
    (folder / "spectral.yaml").write_text('extends: ["spectral:oas"]\n', encoding="utf-8")
    tool, *options = words
    variables = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    printed = node.run([node.tool(tool), *options], folder, variables)
    assert "warning" not in printed.lower(), printed


def test_openapi_typescript_generates_without_a_warning(folder: Path) -> None:
    printed = node.run([node.tool("openapi-typescript"), "openapi.json", "--output", "alhambra.ts"], folder)
    assert "warn" not in printed.lower()
