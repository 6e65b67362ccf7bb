"""What the contract says that a field may hold is what the service keeps to, and it is said once."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor

from alhambra import fairness, moves, options
from alhambra_api.contract import comments
from alhambra_api.limits import limits_of, limits_of_form
from alhambra_api.v1 import limits_pb2
from alhambra_service.store import EmbeddedStore
from scripts import proto

from .field_limits import RPCS, Asked, cases, limited, outside, unkept
from .serving import GameServer

ROOT = Path(__file__).parents[2]
OF_THE_RULES = {
    "FORM_NAME": options.NAME_LIMIT,
    "FORM_ENTROPY": fairness.ENTROPY_LIMIT,
    "FORM_WORD": moves.TEXT_LIMIT,
    "FORM_WORDS": moves.LIST_LIMIT,
    "FORM_COORDINATE": moves.CELL_LIMIT,
    "CreateGameRequest.turn_limit": options.TURN_LIMIT,
    "CreateGameRequest.seed": options.SEED_LIMIT,
    "CreateGameRequest.seats": options.MOST_SEATS,
    "SeatSetup.age": options.AGE_LIMIT,
}
"""Limits that the rules have too: they are a library of their own and cannot read the contract."""
CHECKED_BY_THE_RULES = {"turn_limit", "seed", "seats", "age", "move", "cell"}
"""Fields that the service hands to the rules as they are."""
LIMIT_OPTION = re.compile(r"\b(max_items|max_length|maximum): (\d+)")


@pytest.fixture
def asked(game_server: GameServer) -> Iterator[Asked]:
    found = Asked(game_server.address)
    yield found
    found.close()


def fields() -> dict[str, FieldDescriptor]:
    """Every field of a request that has a limit, by message and name."""
    paths = [path for _, method in RPCS.values() for path in limited(method.input_type, ())]
    return {path[-1].full_name.removeprefix("alhambra_api.v1."): path[-1] for path in paths}


def most(limits: Any) -> int:
    """The upper limit of a field, whatever it counts."""
    quantifiers = re.findall(r",(\d+)\}", limits.pattern)
    return int(quantifiers[-1]) if quantifiers else limits.maximum or limits.max_length or limits.max_items


# -- It is kept --------------------------------------------------------------------------------------------------------


def test_a_request_within_all_limits_is_not_refused_for_its_form(asked: Asked) -> None:
    for rpc in sorted({case.rpc for case in cases()}):
        asked.begin()
        assert not {"REQUEST_MALFORMED", "LIMIT_EXCEEDED"} & set(asked.reasons(rpc, asked.good(rpc))), rpc


def test_every_value_outside_a_limit_is_refused(asked: Asked) -> None:
    wanted = list(cases())
    assert len({case.path[-1].full_name for case in wanted}) == len(fields())
    assert len(wanted) > 150
    assert unkept(asked, wanted) == []


def test_a_limit_that_is_changed_in_the_contract_is_the_one_that_is_kept(
    tmp_path: Path, embedded: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The upper limits of a copy of the contract are one lower, except those that the rules check."""
    shutil.copytree(proto.ROOT / "alhambra_api", tmp_path / "alhambra_api")
    lowered = 0
    for path in (tmp_path / proto.PACKAGE).glob("*.proto"):
        text = path.read_text("utf-8")
        for line in re.findall(r"^.* = \d+ \[[^;]*;", text, re.MULTILINE):
            name = re.split(r" = \d+ \[", line)[0].split()[-1]
            form_of_rules = re.fullmatch(r"FORM_(?:NAME|WORD|WORDS|COORDINATE)", name)
            if name in CHECKED_BY_THE_RULES or form_of_rules:
                continue
            changed = LIMIT_OPTION.sub(lambda found: f"{found[1]}: {int(found[2]) - 1}", line)
            lowered += changed != line
            text = text.replace(line, changed)
        path.write_text(text, "utf-8")
    assert lowered > 15
    monkeypatch.setattr(proto, "ROOT", tmp_path)
    proto.compile_into(tmp_path)
    command = [sys.executable, "-m", "tests.service.field_limits", embedded.url]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


# -- It is said once ---------------------------------------------------------------------------------------------------


def test_a_field_has_limits_of_its_own_or_a_form() -> None:
    both = [
        name
        for name, field in fields().items()
        if field.GetOptions().HasExtension(limits_pb2.form) and field.GetOptions().HasExtension(limits_pb2.limits)
    ]
    assert both == []
    assert [name for name, field in fields().items() if not list(outside(limits_of(field)))] == []


def test_fields_of_one_name_and_one_limit_share_a_form() -> None:
    """`game` has one pattern, wherever it stands."""
    found: dict[tuple[str, bytes], list[str]] = {}
    for name, field in fields().items():
        own = field.GetOptions()
        if own.HasExtension(limits_pb2.limits):
            limits = own.Extensions[limits_pb2.limits]
            found.setdefault((field.name, limits.SerializeToString()), []).append(name)
    twice = [names for (field, _), names in found.items() if len(names) > 1 and field != "page_size"]
    assert twice == []


@pytest.mark.parametrize(("name", "limit"), OF_THE_RULES.items())
def test_the_contract_has_the_limits_of_the_rules(name: str, limit: int) -> None:
    form = limits_pb2.Form.Value(name) if name.startswith("FORM_") else None
    assert most(limits_of_form(form) if form is not None else limits_of(fields()[name])) == limit


def test_a_number_in_the_comment_of_a_limited_field_is_its_limit() -> None:
    said = comments()
    stated = 0
    for name, field in fields().items():
        limits = limits_of(field)
        known = {most(limits), limits.minimum, limits.min_items, 1}
        text = " ".join(said[f"alhambra_api.v1.{name}"].split())
        for numbers in re.findall(r"(?:at most|up to) ([\d,]*\d)|\b(\d+) to ([\d,]*\d)", text):
            stated += 1
            assert {int(number.replace(",", "")) for number in numbers if number} <= known, (name, text)
    assert stated > 15


def numbers_compared(path: Path) -> Iterator[tuple[int, int]]:
    """Comparisons with a bare number above 2: its line and the number."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Compare):
            for side in (node.left, *node.comparators):
                if isinstance(side, ast.Constant) and type(side.value) is int and side.value > 2:
                    yield node.lineno, side.value


def test_no_rpc_compares_a_field_with_a_number_of_its_own() -> None:
    rooms = ("rpc", "messages", "boards", "games", "streams")
    files = [path for room in rooms for path in (ROOT / "service" / "alhambra_service" / room).rglob("*.py")]
    assert len(files) > 40
    assert {path.name: found for path in files if (found := list(numbers_compared(path)))} == {}


KEYWORD = r"minimum|maximum|minLength|maxLength|minItems|maxItems|pattern"


def test_no_keyword_of_the_api_document_is_written_by_hand() -> None:
    """Except for what is not a field of a request: headers of answers, and parts that the gateway adds."""
    folder = ROOT / "gateway" / "alhambra_gateway" / "openapi"
    found = [
        line.strip()
        for path in folder.glob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if re.search(rf'"(?:{KEYWORD})": ', line)
    ]
    assert found == ['"schema": {"type": "integer", "minimum": 0},']


def test_the_page_for_playing_asks_for_names_of_the_length_that_is_allowed() -> None:
    files = (ROOT / "gateway" / "alhambra_gateway" / "play").glob("*.js")
    lengths = {number for path in files for number in re.findall(r"maxlength: (\d+)", path.read_text("utf-8"))}
    assert lengths == {str(limits_of_form(limits_pb2.FORM_NAME).max_length)}


def test_sentences_about_the_ids_of_games_name_the_length_that_is_allowed() -> None:
    files = [
        ROOT / "gateway" / "alhambra_gateway" / "pages" / "fixes.json",
        *(proto.ROOT / proto.PACKAGE).glob("*.proto"),
    ]
    said = [
        numbers
        for path in files
        for numbers in re.findall(r"(\d+) to (\d+) lower-case letters and digits", path.read_text("utf-8"))
    ]
    assert len(said) > 3
    assert set(said) == set(re.findall(r"\{(\d+),(\d+)\}", limits_of_form(limits_pb2.FORM_GAME).pattern))
