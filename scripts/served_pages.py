"""Asks an installed gateway for all guides and rules; `scripts/check_wheel.sh` runs this away from the repository."""

from __future__ import annotations

import re
import sys

import alhambra_gateway
from alhambra_gateway.config import Settings
from alhambra_gateway.process.app import create_app

FEWEST = {"guides": 15, "rules": 45}
"""Pages of each list."""


def main() -> None:
    client = create_app(Settings(service="127.0.0.1:1")).test_client()

    def page(path: str) -> str:
        answer = client.get(path, headers={"Host": "127.0.0.1"})
        if answer.status_code != 200:
            sys.exit(f"{path} is answered with {answer.status}")
        return answer.get_data(as_text=True)

    for name, fewest in FEWEST.items():
        paths = sorted(set(re.findall(rf'href="(/{name}/[\w-]+)"', page(f"/{name}/"))))
        empty = [path for path in paths if "</h1>" not in page(path)]
        if empty or len(paths) < fewest:
            sys.exit(f"/{name}/ lists {len(paths)} pages; empty: {', '.join(empty) or 'none'}")
        print(f"  {len(paths)} pages of /{name}/ are served by {alhambra_gateway.__file__}")


if __name__ == "__main__":
    main()
