"""The folder of an embedded store: only its owner can open it. The permissions of other folders are never changed."""

from __future__ import annotations

import logging
import stat
from pathlib import Path

from ..errors import StoreMisconfigured

PRIVATE = 0o700
OTHERS = 0o077
"""The permissions of all users but the owner."""
OF_A_STORE = ("lock", "appendonlydir")
"""The entries of which the folder of an embedded store has at least one."""
OF_A_DISK = frozenset({"lost+found"})
"""The entries of an empty disk."""

_log = logging.getLogger(__name__)


def make_private(folder: Path) -> None:
    """Create the folder if it is missing. If other users can open it, remove their permissions and log that. Raises
    StoreMisconfigured if other users can open it and it contains something else than a store."""
    folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    mode = stat.S_IMODE(folder.stat().st_mode)
    if not mode & OTHERS:
        return
    held = {entry.name for entry in folder.iterdir()} - OF_A_DISK
    if held and held.isdisjoint(OF_A_STORE):
        raise StoreMisconfigured(
            f"Other users can open the folder {folder}, and it contains something else than a store: name a folder for "
            f"the store alone, or make this one private (chmod 700)."
        )
    folder.chmod(PRIVATE)
    _log.warning(
        "Other users could open the folder %s (mode %03o). Only its owner can open it now.", folder, mode & 0o777
    )
