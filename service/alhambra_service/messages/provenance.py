"""Which tiles show something that was not found in any source and was designed anew.

The component data says of every datum where it comes from; what a single component says of itself goes before.
"""

from __future__ import annotations

from functools import cache

from alhambra import component_data

RECONSTRUCTED = "reconstructed"


def is_reconstructed(module: str, component: str) -> bool:
    """Whether something printed on this component of a module is a reconstruction; nothing of the base game is."""
    return component in _reconstructed(module)


@cache
def _reconstructed(module: str) -> frozenset[str]:
    printed = component_data()["modules"].get(module, {"data": {}})
    origins = printed.get("provenance", {})
    return frozenset(
        entry["id"]
        for datum, entries in printed["data"].items()
        if isinstance(entries, list)
        for entry in entries
        if isinstance(entry, dict) and "id" in entry
        if RECONSTRUCTED in entry.get("provenance", origins.get(datum, ""))
    )
