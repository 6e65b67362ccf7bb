"""The folder of an embedded store: only its owner can open it, and no other folder is ever closed to its users."""

from __future__ import annotations

import logging
import stat
from pathlib import Path

from ..errors import StoreMisconfigured

PRIVATE = 0o700
OTHERS = 0o077
"""The rights of everybody but the owner."""
OF_A_STORE = ("lock", "appendonlydir")
"""What the folder of an embedded store has."""
OF_A_DISK = frozenset({"lost+found"})
"""What an empty disk has."""

_log = logging.getLogger(__name__)


def make_private(folder: Path) -> None:
    """Make the folder if it is missing, and close it to others if it is open to them, with a line in the log. Raises
    StoreMisconfigured if it is open to others and holds other things than a store: they may be needed by somebody."""
    folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    mode = stat.S_IMODE(folder.stat().st_mode)
    if not mode & OTHERS:
        return
    held = {entry.name for entry in folder.iterdir()} - OF_A_DISK
    if held and held.isdisjoint(OF_A_STORE):
        raise StoreMisconfigured(
            f"The folder {folder} can be opened by others and holds other things than a store: name a folder for the "
            f"store alone, or close this one to others (chmod 700)."
        )
    folder.chmod(PRIVATE)
    _log.warning(
        "The folder %s could be opened by others (mode %03o). Only its owner can open it now.", folder, mode & 0o777
    )
