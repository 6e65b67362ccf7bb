"""`/problems/` lists every reason of the contract, `/problems/UNDERPAID` explains one, with an example for curl.

`type` of a problem document leads here. With `Accept: application/json` both pages are data.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from flask import Flask, Response, abort, request

from .answers import JSON, data, negotiated_language, negotiated_type, page
from .reasons import SAMPLE_TOKEN, Reason, reasons


def install(app: Flask) -> None:
    """Add the pages of problems."""

    @app.get("/problems/", strict_slashes=False)
    def problems() -> Response:
        language = negotiated_language()
        listed = reasons(language).values()
        if negotiated_type() == JSON:
            return data(lambda: {"problems": [one.as_dict() for one in listed]}, language)

        def facts() -> dict[str, object]:
            return {"groups": [(group, list(ones)) for group, ones in groupby(listed, key=lambda one: one.group)]}

        return page("problems.html", language, facts)

    @app.get("/problems/<reason>")
    def problem(reason: str) -> Response:
        language = negotiated_language()
        known = reasons(language)
        if reason not in known:
            abort(404)
        if negotiated_type() == JSON:
            return data(known[reason].as_dict, language)
        return explained(known[reason], language)


def explained(one: Reason, language: str) -> Response:
    """Return the page of one reason."""
    base = request.url_root.rstrip("/")

    def facts() -> dict[str, object]:
        order = list(reasons(language))
        at = order.index(one.reason)
        return {
            "one": one,
            "curl": as_curl(base, one.request),
            "answer": json.dumps(one.problem, ensure_ascii=False, indent=2),
            "before": order[at - 1] if at else None,
            "after": order[at + 1] if at + 1 < len(order) else None,
        }

    return page("problem.html", language, facts, base)


def as_curl(base: str, asked: Mapping[str, Any]) -> str:
    """Return a request as one curl command."""
    lines = [f"curl -s {shlex.quote(base + asked['path'])}"]
    if asked["method"] not in ("GET", "POST") or (asked["method"] == "POST" and "body" not in asked):
        lines[0] += f" -X {asked['method']}"
    for name, value in asked["headers"].items():
        plain = name == "Content-Type" and value == "application/json"
        if not plain:  # --json says so itself
            # In double quotes the shell puts the reader's token in.
            header = f"{name}: {value}"
            lines.append(f'-H "{header}"' if SAMPLE_TOKEN in value else f"-H {shlex.quote(header)}")
    if "body" in asked:
        body = json.dumps(asked["body"], ensure_ascii=False)
        json_body = asked["headers"].get("Content-Type") == "application/json"
        lines.append(f"{'--json' if json_body else '-d'} {shlex.quote(body)}")
    return " \\\n  ".join(lines)
