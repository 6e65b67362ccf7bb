"""The generated files are those of the contract."""

import json
import re
from pathlib import Path

import pytest

import alhambra_client
from alhambra_api.v1 import reasons_pb2
from alhambra_gateway.openapi.document import document
from alhambra_gateway.routing.routes import compile_routes
from scripts import typescript_client

LIBRARY = typescript_client.LIBRARY
ONLY_IN_PYTHON = {"run", "close"}
"""`run` carries out steps that both Python clients share; `fetch` has no connections to close."""
ONLY_IN_JAVASCRIPT = {"language", "include", "scores", "pictures", "repeatPending"}
"""What pages need: another language while they are open, what they draw next, and changes that survive a reload."""
TYPES = (typescript_client.SOURCES / "contract.d.ts").read_text("utf-8")


def test_the_generated_files_are_current() -> None:
    assert typescript_client.stale() == []


def test_a_change_of_a_generated_file_makes_it_stale(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in typescript_client.GENERATED:
        (tmp_path / name).write_bytes((typescript_client.SOURCES / name).read_bytes())
    (tmp_path / "contract.js").write_text("")
    monkeypatch.setattr(typescript_client, "SOURCES", tmp_path)
    assert typescript_client.stale() == ["contract.js"]


def test_every_call_of_the_contract_has_an_address_and_types() -> None:
    code = typescript_client.contract_code()
    for route in compile_routes():
        assert f'method: "{route.method}", path: "{route.path}"' in code
        assert f"export interface {route.descriptor.input_type.name} {{" in TYPES
    assert code.count("method: ") == len(compile_routes())


def test_every_member_of_the_api_document_has_a_type() -> None:
    for name, schema in document()["components"]["schemas"].items():
        if "properties" in schema and name not in ("WatchEventsResponse", "WatchNoticesResponse"):
            declared = TYPES.partition(f"export interface {typescript_client.RENAMED.get(name, name)} {{")[2]
            members = set(re.findall(r"^    (\w+)\??: ", declared.partition("\n}")[0], re.MULTILINE))
            assert schema["properties"].keys() <= members, name


def test_every_reason_is_known() -> None:
    names = {value.name.removeprefix("REASON_") for value in reasons_pb2.Reason.DESCRIPTOR.values if value.number}
    found = typescript_client.contract_code().partition("REASONS")[2]
    assert set(re.findall(r"^    (\w+): \[", found, re.MULTILINE)) == names


def test_a_line_of_the_contract_cannot_end_a_comment() -> None:
    assert typescript_client._comment("begin */ end", "") == "/** begin * / end */\n"


def test_the_library_needs_no_other_package() -> None:
    described = json.loads((LIBRARY / "package.json").read_text("utf-8"))
    assert not {"dependencies", "devDependencies", "peerDependencies"} & described.keys()
    for path in typescript_client.SOURCES.glob("*.js"):
        assert set(re.findall(r'^(?:import|export) .*? from "(.*?)";', path.read_text("utf-8"), re.MULTILINE)) <= {
            f"./{other.name}" for other in typescript_client.SOURCES.glob("*.js")
        }


def test_only_one_file_uses_the_network() -> None:
    using = {path.name for path in typescript_client.SOURCES.glob("*.js") if "#fetch(" in path.read_text("utf-8")}
    assert using == {"transport.js"}


def test_both_libraries_have_the_same_methods() -> None:
    libraries = ((alhambra_client.Client, ("client.js", "server.js")), (alhambra_client.Game, ("game.js",)))
    for python, files in libraries:
        wanted = {_camel(name) for name in vars(python) if not name.startswith("_")}
        text = "".join((typescript_client.SOURCES / file).read_text("utf-8") for file in files)
        found = set(re.findall(r"^    (?:async |get )?\*?(\w+)\(.*\{$", text, re.MULTILINE)) - {"constructor"}
        assert found - ONLY_IN_JAVASCRIPT == wanted - ONLY_IN_PYTHON


def test_both_libraries_have_the_same_errors() -> None:
    known = vars(alhambra_client.errors).values()
    wanted = {each.__name__ for each in known if isinstance(each, type) and issubclass(each, Exception)}
    text = (typescript_client.SOURCES / "errors.js").read_text("utf-8")
    assert set(re.findall(r"^export class (\w+)", text, re.MULTILINE)) == wanted


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found.group(1).upper(), name)
