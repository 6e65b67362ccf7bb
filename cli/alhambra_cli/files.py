"""Games in files: exports, notation, or the bytes of a game, recognised by the first bytes of the file."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from alhambra import AlhambraError, Game, read_export, read_game
from alhambra.export import VIEW_FORMAT, is_game_bytes

from .bad_input import BadInput

SIZE_LIMIT = 32 * 1024 * 1024


class Loaded(NamedTuple):
    """The content of a file: an export as read from JSON, the text of a game in notation, or the bytes of a game."""

    kind: str
    content: Any


def load(path: Path) -> Loaded:
    """Return the content of a file without replaying it. Raise BadInput if it cannot be read or is not a game."""
    try:
        if path.stat().st_size > SIZE_LIMIT:
            raise BadInput(f"{path} is too large for a game: the limit is {SIZE_LIMIT // 1024 // 1024} MiB.")
        data = path.read_bytes()
    except OSError as fault:
        raise BadInput(f"Cannot read {path}: {(fault.strerror or str(fault)).lower()}.") from None
    if is_game_bytes(data):
        return Loaded("bytes", data)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not an export, notation or the bytes of a game.") from None
    if not text.lstrip().startswith("{"):
        return Loaded("notation", text)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise BadInput(f"{path} is not valid JSON: {fault}.") from None
    if document.get("format") == VIEW_FORMAT:
        raise BadInput(f"{path} is the view of one seat; only a complete export can be replayed.")
    return Loaded("export", document)


def load_game(path: Path) -> Game:
    """Return the game in a file, replayed and checked. Raise BadInput if it cannot be read or is not a game."""
    kind, content = load(path)
    try:
        if kind == "export":
            return read_export(content)
        return read_game(content) if kind == "notation" else Game.from_bytes(content)
    except AlhambraError as fault:
        raise BadInput(f"{path}: {fault.message}.") from None
