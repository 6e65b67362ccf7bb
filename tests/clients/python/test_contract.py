"""The generated types are those of the contract, and reading them is lenient."""

import dataclasses
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import alhambra_client
from alhambra_api.v1 import reasons_pb2
from alhambra_client import Cell, Move, SeatSetup, View, contract
from alhambra_client.messages import Message, json_name
from alhambra_gateway.openapi.document import document
from alhambra_gateway.routing.routes import compile_routes
from scripts import python_client

PACKAGE = Path(alhambra_client.__file__).parent


def test_the_generated_files_are_current() -> None:
    assert python_client.stale() == []


def test_a_change_of_the_hand_written_client_makes_the_other_one_stale(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("contract.py", "client.py", "async_client.py", "game.py", "async_game.py"):
        (tmp_path / name).write_bytes((PACKAGE / name).read_bytes())
    monkeypatch.setattr(python_client, "PACKAGE", tmp_path)
    for name in ("client.py", "game.py"):
        with (tmp_path / f"async_{name}").open("a") as file:
            file.write("# changed\n")
        assert python_client.stale()[-1] == name


def test_every_call_of_the_contract_has_a_request_with_its_address() -> None:
    for route in compile_routes():
        request = getattr(contract, route.descriptor.input_type.name)
        assert (request.route.method, request.route.path) == (route.method, route.path)
        assert [field.name for field in dataclasses.fields(request)] == [
            field.name for field in route.descriptor.input_type.fields
        ]


def test_attributes_have_the_json_names_of_the_api_document() -> None:
    schemas = document()["components"]["schemas"]
    compared = 0
    for name, schema in schemas.items():
        message = getattr(contract, name.removesuffix("Input"), None)
        if isinstance(message, type) and issubclass(message, Message):
            names = {json_name(field.name) for field in dataclasses.fields(message)}
            assert schema.get("properties", {}).keys() <= names, name
            compared += 1
    assert compared > 60


def test_every_reason_is_known() -> None:
    names = {value.name.removeprefix("REASON_") for value in reasons_pb2.Reason.DESCRIPTOR.values if value.number}
    assert contract.REASONS.keys() == names
    assert contract.REASONS["UNDERPAID"] == ("money", 422)


def test_unknown_members_and_words_are_no_errors() -> None:
    view = View.from_json({"version": 3, "status": "paused", "weather": {"sun": 1}, "fairness": {"link": "a", "b": 2}})
    assert (view.version, view.status, view.fairness.link) == (3, "paused", "a")


def test_missing_members_get_their_defaults() -> None:
    view = View.from_json({})
    assert (view.version, view.viewer, view.seats, view.decision, view.fairness.link) == (0, None, (), None, "")


def test_a_move_comes_back_as_it_was_read() -> None:
    for data in (
        {"verb": "pass"},
        {"verb": "place", "tile": "garden-10-n", "cell": {"x": 1, "y": -2}, "rotation": 90, "side": "N"},
        {"verb": "buy", "slot": "market-denar", "cards": ["denar-4", "denar-5"], "seat": 0, "amount": 0},
    ):
        assert Move.from_json(data).to_json() == data


def test_absent_and_zero_differ_where_the_contract_tracks_it() -> None:
    assert Move(verb="bid", amount=0).to_json() == {"verb": "bid", "amount": 0}
    assert Move(verb="bid").to_json() == {"verb": "bid"}
    assert contract.ApplyMoveRequest(game="g", move=Move(verb="pass"), version=0).to_json() == {
        "game": "g",
        "move": {"verb": "pass"},
        "version": 0,
    }


def test_times_maps_and_lists_are_read() -> None:
    ticket = contract.CreateEventTicketResponse.from_json(
        {"ticket": "t", "expireTime": "2026-11-18T02:00:00.123456789Z"}
    )
    assert ticket.expire_time == datetime(2026, 11, 18, 2, 0, 0, 123456, UTC)
    view = View.from_json({"modules": {"thieves": {"facts": {"left": 3}, "pieces": [{"kind": "thief", "seat": 0}]}}})
    assert view.modules["thieves"].facts == {"left": 3}
    assert view.modules["thieves"].pieces == (contract.Piece(kind="thief", seat=0),)


def test_a_message_can_be_hashed_and_compared() -> None:
    assert len({Move(verb="place", cell=Cell(x=1, y=0)), Move(verb="place", cell=Cell(x=1, y=0))}) == 1


def test_a_representation_is_short_and_shows_no_secret() -> None:
    assert repr(Move(verb="pass")) == "Move(verb='pass')"
    assert "alh_" not in repr(contract.SeatKey(seat=1, invitation="alh_invitation_1", token="alh_seat_1"))
    assert repr(SeatSetup(claim=True)) == "SeatSetup(claim=True)"


def test_the_library_needs_neither_the_rules_nor_the_servers() -> None:
    code = "import sys, alhambra_client; print(*{name.partition('.')[0] for name in sys.modules})"
    paths: Any = {"PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run([sys.executable, "-c", code], env=paths, capture_output=True, text=True, check=True)
    own = {name for name in done.stdout.split() if name.startswith("alhambra") or name in ("grpc", "google", "flask")}
    assert own == {"alhambra_client"}


def test_only_three_files_use_the_network() -> None:
    using = {path.name for path in PACKAGE.glob("*.py") if "import httpx" in path.read_text("utf-8")}
    assert using == {"async_client.py", "client.py", "transport.py"}
    sleeping = {path.name for path in PACKAGE.glob("*.py") if "sleep(" in path.read_text("utf-8")}
    assert sleeping == {"async_client.py", "client.py"}
