"""The examples of problems as lines for a shell."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from .reasons import SAMPLE_TOKEN


def as_curl(base: str, asked: Mapping[str, Any]) -> str:
    """A request as one call of curl."""
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
