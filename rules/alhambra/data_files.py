"""Data files of this package: what is printed on the components, presets, purchase effects, outlines.

`pkgutil` reads them from a folder or an archive alike. `importlib.resources` can do more, but its import takes a tenth
of the time in which a program imports this library and deals a game.
"""

from __future__ import annotations

from json import loads
from pkgutil import get_data
from typing import Any


def read_data(name: str) -> Any:
    """Return the content of a JSON file in the folder `data`."""
    data = get_data(__package__, f"data/{name}")
    assert data is not None
    return loads(data)
