"""Every picture, sound and data file stands on docs/provenance.md with who made it, and from what."""

from __future__ import annotations

import re
from pathlib import PurePath

from .test_project import ROOT, tracked_files

PAGE = ROOT / "docs" / "provenance.md"
SUFFIXES = (
    *("svg", "png", "jpg", "jpeg", "gif", "ico", "webp", "wav", "mp3", "ogg", "mp4", "woff", "woff2", "ttf", "otf"),
    *("json", "jsonl", "csv", "tsv", "parquet", "npy", "npz", "pkl", "binpb", "pb", "xz", "gz", "zip", "bin"),
    "webmanifest",
)
SETTINGS_OF_TOOLS = ("package.json", "package-lock.json", "tsconfig.json", "tsconfig.types.json")


def provenance_patterns() -> list[str]:
    """The files that the tables of the page name, as patterns."""
    cells = re.findall(r"^\| (`[^|]*) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [pattern for cell in cells for pattern in re.findall(r"`([^`]+)`", cell)]


def pictures_sounds_and_data() -> list[str]:
    """Every tracked file that is no text of a program, from the root."""
    known = [str(path.relative_to(ROOT)) for path in tracked_files()]
    return [
        name
        for name in known
        if name.rpartition(".")[2] in SUFFIXES and name.rpartition("/")[2] not in SETTINGS_OF_TOOLS
    ]


def test_every_picture_sound_and_data_file_has_its_provenance() -> None:
    patterns = provenance_patterns()
    found = pictures_sounds_and_data()
    assert len(found) > 100
    assert [name for name in found if not any(PurePath(name).match(pattern) for pattern in patterns)] == []


def test_every_row_of_the_page_of_provenance_is_about_files_that_exist() -> None:
    assert [pattern for pattern in provenance_patterns() if not list(ROOT.glob(pattern))] == []


def test_the_page_of_provenance_names_every_public_source_of_the_components() -> None:
    data = (ROOT / "rules/alhambra/data/components.json").read_text(encoding="utf-8")
    sources = set(re.findall(r"source:([\w.-]+(?:/[\w-]+)?)", data))
    page = PAGE.read_text(encoding="utf-8")
    assert len(sources) > 5
    assert sorted(name for name in sources if name not in page and name.partition("/")[0] not in page) == []
