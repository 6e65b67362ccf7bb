"""The module that `docs/writing-a-module.md` builds, as a package of a third party would bring it."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "writing-a-module.md"
KEY = "bakers"


def blocks() -> list[str]:
    """The Python of the page, block by block."""
    return re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def source() -> str:
    """The file of the module: every block up to the record. The blocks behind it play with it, or show other things."""
    found = blocks()
    record = next(number for number, block in enumerate(found) if block.startswith("MODULE = "))
    # What a block imports half way down the page would stand at the top of a real file; it works here, too.
    return "\n\n".join(found[: record + 1])


def install(folder: Path) -> None:
    """Put the module into a folder as an installed package that announces it by an entry point."""
    (folder / f"{KEY}.py").write_text(source(), encoding="utf-8")
    metadata = folder / f"{KEY}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {KEY}\nVersion: 1.0\n", encoding="utf-8")
    (announced,) = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    group, point = announced.replace('"', "").strip().splitlines()
    section = group.removeprefix("[project.entry-points.")
    (metadata / "entry_points.txt").write_text(f"[{section}\n{point}\n", encoding="utf-8")
