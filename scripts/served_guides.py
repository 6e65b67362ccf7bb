"""Asks an installed gateway for every guide; `scripts/check_wheel.sh` runs this away from the repository."""

from __future__ import annotations

import re
import sys

import alhambra_gateway
from alhambra_gateway.config import Settings
from alhambra_gateway.process.app import create_app


def main() -> None:
    client = create_app(Settings(service="127.0.0.1:1")).test_client()

    def page(path: str) -> str:
        answer = client.get(path, headers={"Host": "127.0.0.1"})
        if answer.status_code != 200:
            sys.exit(f"{path} is answered with {answer.status}")
        return answer.get_data(as_text=True)

    paths = re.findall(r'href="(/guides/[\w-]+)"', page("/guides/"))
    missing = [path for path in paths if "<h1" not in page(path)]
    if missing or "/guides/operator" not in paths:
        sys.exit(f"missing: {missing or 'the list of guides'}")
    print(f"  {len(paths)} guides are served by {alhambra_gateway.__file__}")


if __name__ == "__main__":
    main()
