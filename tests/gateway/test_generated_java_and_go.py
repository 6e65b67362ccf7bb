"""Clients in Java and Go that openapi-generator makes of the API document: each compiles as generated and plays a game
to its end.

The generator is a Java program in a package of Python. Its archive also holds Jackson, which the generated Java needs;
the generated Go needs nothing but its standard library.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tests.sizes import JAKARTA

from .http import Client
from .product import Product

PROGRAMS = Path(__file__).parent / "generated"
GENERATOR = Path(str(files("openapi_generator_cli") / "openapi-generator.jar"))
MODULES = ("thieves", "squares")
PATIENCE = 300.0
JVM = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""For programs that end soon: half the processor time."""
ONLY_CODE = "models,apis,supportingFiles,modelDocs=false,apiDocs=false,modelTests=false,apiTests=false"
KNOWN_WARNINGS = (
    "OpenAPI 3.1 support is still in beta",
    "Failed to get the schema name: null",  # what lists in `Value` hold is left open
    "Ignoring complex example on request body",
)


def run(command: Sequence[str | Path], folder: Path, **variables: str) -> str:
    """Run a program and return everything it prints."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-10_000:]
    return done.stdout


def generate(product: Product, folder: Path, language: str, *options: str) -> None:
    """Write a client for the document of the running gateway. No warning is new."""
    (folder / "openapi.json").write_bytes(product.client().get("/openapi.json").body)
    command: list[str | Path] = ["java", *JVM, "-jar", GENERATOR, "generate", "-i", "openapi.json", "-g", language]
    printed = run([*command, "--global-property", ONLY_CODE, *options], folder)
    warnings = [line for line in printed.splitlines() if " WARN " in line or " ERROR " in line]
    assert [line for line in warnings if not any(known in line for known in KNOWN_WARNINGS)] == []


def check_game(client: Client, said: Any) -> None:
    """Check that the server has the game that a client says it has played."""
    assert said["moves"] > 50
    assert said["events"] > said["moves"]
    assert said["refused"] == "VERB_UNKNOWN"
    assert said["status"] == "over"
    view = client.get(f"/v1/games/{said['game']}").json()["view"]
    assert (view["status"], view["version"]) == ("over", said["version"])


@pytest.mark.needs("javac", JAKARTA)
def test_a_java_client_compiles_as_generated_and_plays_to_the_end(
    product: Product, client: Client, tmp_path: Path
) -> None:
    # `Value` is any JSON value: the generator's class for such a choice does not compile, `Object` does.
    options = "openApiNullable=false,useJakartaEe=true,useSingleRequestParameter=true,supportUrlQuery=false"
    mapped = ("--schema-mappings", "Value=Object", "--additional-properties", options)
    generate(product, tmp_path, "java", "--library", "native", *mapped, "-o", "generated")
    libraries = os.pathsep.join(map(str, (GENERATOR, JAKARTA, "classes")))
    sources = [*(tmp_path / "generated" / "src" / "main").rglob("*.java"), PROGRAMS / "java" / "Play.java"]
    compiler = ["javac", *(f"-J{option}" for option in JVM), "-proc:none", "-cp", libraries, "-d", "classes"]
    run([*compiler, *sources], tmp_path)
    check_game(client, json.loads(run(["java", *JVM, "-cp", libraries, "Play", product.http, *MODULES], tmp_path)))


@pytest.mark.needs("javac", "go")
def test_a_go_client_compiles_as_generated_and_plays_to_the_end(
    product: Product, client: Client, tmp_path: Path
) -> None:
    shutil.copytree(PROGRAMS / "go", tmp_path, dirs_exist_ok=True)
    options = "packageName=alhambra,withGoMod=false,enumClassPrefix=true"
    generate(product, tmp_path, "go", "--additional-properties", options, "-o", "alhambra")
    offline = {"GOCACHE": str(tmp_path / "cache"), "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local"}
    run(["go", "vet", "."], tmp_path, **offline)
    run(["go", "build", "-o", "play", "."], tmp_path, **offline)
    check_game(client, json.loads(run([tmp_path / "play", product.http, *MODULES], tmp_path)))
