"""The examples of problems: for each reason a request, and the problem documents that a running gateway answered.

    python -m scripts.problem_examples            start the product, ask, and write the file anew
    python -m scripts.problem_examples --check    say whether it would change

`scripts/problem_requests.json` is written by hand: for each reason a request that is refused with it, at a table whose
seed is given. The requests are sent to a running gateway, in every language of the pages, and are kept with its answers
in `refusals/example_problems.json`, from which the API document takes its examples, too. What cannot be provoked at
will (a store that is away, a module that is still to come) has its facts in the hand-written file; its document is made
by the same functions that the servers use.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from google.rpc import error_details_pb2

import alhambra_gateway.refusals
from alhambra import IllegalMove, Violation
from alhambra.texts import keys, text
from alhambra_api.v1 import reasons_pb2
from alhambra_gateway.json_messages import writer
from alhambra_gateway.pages.reasons import LANGUAGES, SAMPLE_GAME
from alhambra_gateway.refusals.problem import TYPE_BASE, Problem
from alhambra_service.messages.refusals import Refusal, from_error, status_of
from tests.gateway.http import Client
from tests.gateway.product import running

from .polite import PoliteClient

REQUESTS = Path(__file__).with_name("problem_requests.json")
FILE = Path(alhambra_gateway.refusals.__file__).with_name("example_problems.json")
ORIGIN = "http://127.0.0.1:8080"
_write_violation = writer(reasons_pb2.Violation.DESCRIPTOR)


def examples(client: Client) -> dict[str, Any]:
    """By reason: the request of its example, and by language the document that is answered."""
    written = json.loads(REQUESTS.read_text(encoding="utf-8"))
    return {
        reason: {"request": example_request(entry)}
        | {language: document(client, written, reason, language) for language in LANGUAGES}
        for reason, entry in written["reasons"].items()
    }


def example_request(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The request of an example: a move is a POST of the seat that is asked."""
    if "move" in entry:
        body = {"version": len(entry.get("before", ())), "move": entry["move"]}
        path = "/v1/games/{game}/moves"
        return {"method": "POST", "path": path, "seat": entry.get("seat", 1), "headers": {}, "body": body}
    return {"headers": {}, "body": None, **entry["request"]}


def meaning(reason: str) -> str:
    """What the catalogue of texts says about a reason in English, whatever the facts are."""
    # A code that the rules and the service share is told here as the service tells it.
    return text(next(key for key in (f"refusal.{reason}", f"violation.{reason}") if key in keys()))


def document(client: Client, written: Mapping[str, Any], reason: str, language: str) -> dict[str, Any]:
    """The problem document of the example of a reason, under the address that the guides use."""
    found = recorded(client, written, reason, language)
    return {**found, "type": f"{ORIGIN}{TYPE_BASE}{reason}"}


def recorded(client: Client, written: Mapping[str, Any], reason: str, language: str) -> dict[str, Any]:
    """The problem document as the gateway answers, or put together from its facts."""
    entry = written["reasons"][reason]
    if "metadata" in entry:
        return composed(reason, entry, language)
    tokens, game = _seated(client, written["tables"].get(entry.get("table", "")))
    taken: dict[str, str] = {}
    for step in entry.get("before", ()):
        _do(client, game, tokens, step, taken)
    asked = example_request(entry)
    answer = _ask(client, game, tokens, {**asked, "body": _filled(asked["body"], taken)}, language)
    assert answer.get("reason") == reason, f"{reason}: {answer}"
    found: dict[str, Any] = json.loads(json.dumps(answer).replace(game, SAMPLE_GAME) if game else json.dumps(answer))
    return found


def composed(reason: str, entry: Mapping[str, Any], language: str) -> dict[str, Any]:
    """The document that the servers would make of these facts."""
    if "noun" in entry:
        facts = {f"{name}_" if name in ("for", "with") else name: value for name, value in entry["metadata"].items()}
        refusal = from_error(IllegalMove([Violation(reason, entry["noun"], **facts)]))
    else:
        refusal = Refusal(reason, meaning(reason), entry["metadata"])
    status = status_of(refusal, language)
    info, detail = error_details_pb2.ErrorInfo(), reasons_pb2.Refusal()
    for packed in status.details:
        packed.Unpack(info)
        packed.Unpack(detail)
    violations = [_write_violation(violation) for violation in detail.violations]
    metadata = {name: info.metadata[name] for name in sorted(info.metadata)}
    return Problem(reason, status.message, metadata, violations=violations).document()


# -- At the table ------------------------------------------------------------------------------------------------------


def _seated(client: Client, table: object) -> tuple[dict[int, str], str]:
    """A fresh game of a table: the tokens of its seats, and its id; nothing if the example needs none."""
    if table is None:
        return {}, ""
    created = client.post("/v1/games", table).json()
    return {key["seat"]: key["token"] for key in created["seatKeys"]}, created["game"]


def _do(client: Client, game: str, tokens: Mapping[int, str], step: Mapping[str, Any], taken: dict[str, str]) -> None:
    """A move of the seat that is asked, or another request, that comes before the example."""
    if "verb" in step:
        view = client.get(f"/v1/games/{game}").json()["view"]
        body = {"version": view["version"], "move": step}
        step = {"path": "/v1/games/{game}/moves", "seat": view["decision"]["seat"], "body": body}
    answer = _ask(client, game, tokens, {"method": "POST", **step}, "en")
    assert "reason" not in answer, answer
    for event in answer.get("events", ()):
        if event["kind"] == "acquired":
            taken["tile"] = event["tile"]


def _filled(body: Any, taken: Mapping[str, str]) -> Any:
    """The body of the example; a tile that was drawn by chance is named as the one just acquired."""
    if isinstance(body, dict) and "tile" in body.get("move", {}) and body["move"]["tile"].startswith("@"):
        return {**body, "move": {**body["move"], **taken}}
    return body


def _ask(
    client: Client, game: str, tokens: Mapping[int, str], asked: Mapping[str, Any], language: str
) -> dict[str, Any]:
    headers = {"Accept-Language": language, "Content-Type": "application/json", **asked.get("headers", {})}
    if asked.get("seat") in tokens:
        headers.setdefault("Authorization", f"Bearer {tokens[asked['seat']]}")
    body = None if asked.get("body") is None else json.dumps(asked["body"]).encode()
    if body is None:
        del headers["Content-Type"]
    path = asked["path"].replace("{game}", game or SAMPLE_GAME)
    found: dict[str, Any] = client.send(asked["method"], path, body, headers).json()
    return found


def main() -> int:
    """Writes the file, or compares it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    with running("--workers", "1") as product, PoliteClient(product.http) as client:
        fresh = json.dumps(examples(client), ensure_ascii=False, indent=2) + "\n"
    same = FILE.exists() and FILE.read_text(encoding="utf-8") == fresh
    if check:
        print(f"{FILE.name} is up to date" if same else f"{FILE.name} would change")
        return 0 if same else 1
    FILE.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
