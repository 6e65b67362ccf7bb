"""What becomes of an overlay: a test says what lies on a tile, lets the tile take a way, and looks where it is then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from alhambra import Event, Game, Violation
from alhambra.invariants import census
from tests.rules.modules.major_construction_projects_table import obtain
from tests.rules.overlays.forms import FORMS
from tests.rules.overlays.ways import FULL, LAYING, WAYS, Way, in_alhambra, settle
from tests.rules.situations import deck, display, end_game, market, pieces, play, refused, table

EVERY_WAY = {**WAYS, **FORMS}


@dataclass(frozen=True)
class Overlay:
    """Something that can lie on a tile: the modules at the table, how it comes onto the tile of a seat, whether it lies
    there by the state and by what everybody sees, whether it is where such pieces come from, and a tile that it fits.
    """

    modules: tuple[str, ...]
    put: Callable[[Game, int, str], None]
    lies: Callable[[Game, str], bool]
    seen: Callable[[Game, str], bool]
    home: Callable[[Game], bool]
    tile: str = "garden-10"
    clear: Callable[[Game], None] = lambda _game: None
    """Takes off what chance laid on tiles when the game was set up."""


def setting(overlay: Overlay, way: Way) -> Game:
    """A table with a full market, open money, and nothing but money to come for a while."""
    game = table(way.seats, modules=[*dict.fromkeys((*overlay.modules, *way.modules))])
    market(game, **FULL)
    overlay.clear(game)
    if game.ruleset.tiles[overlay.tile].kind == "project":  # taken from those face down to where ways look for tiles
        obtain(game, overlay.tile)
        game.state.tower = (overlay.tile, *game.state.tower)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    deck(game, *(f"gulden-{value}" for value in range(1, 10)))
    return game


def ready(overlay: Overlay, name: str, put: bool = True) -> Game:
    """The tile is where the way begins, with the overlay on it."""
    way = EVERY_WAY[name]
    game = setting(overlay, way)
    way.starts(game, overlay.tile)
    if put:
        overlay.put(game, way.owner, overlay.tile)
    return game


def go(game: Game, name: str, tile: str) -> list[Event]:
    """Takes the way. No piece may be lost or gained, and the tile must be where the way leads."""
    way, before = EVERY_WAY[name], census(game)
    events: list[Event] = []
    if way.first is not None:
        text, nouns = way.first(game, tile)
        events += play(game, text, **nouns)
    events += way.then(game, tile)
    assert census(game) == before, "pieces were lost or gained"
    assert way.lands(game, tile), f"the tile is not where it goes when {name}"
    return events


def moved(overlay: Overlay, name: str, put: bool = True) -> Game:
    """The game after a tile with the overlay took that way."""
    game = ready(overlay, name, put=put)
    go(game, name, overlay.tile)
    return game


def asked_to_lay(overlay: Overlay, name: str, put: bool = True) -> Game:
    """The way is taken up to the question where the tile goes: bought, sold, out of turn or left over."""
    game, first = ready(overlay, name, put=put), EVERY_WAY[name].first
    if name == "left_over":
        end_game(game)
    elif name != "placed":
        assert first is not None
        text, nouns = first(game, overlay.tile)
        play(game, text, **nouns)
    settle(game, *LAYING)
    return game


def fate(overlay: Overlay, name: str) -> str:
    """What became of the overlay of a tile that took that way: a word of the table. State and view must agree."""
    game, tile = moved(overlay, name), overlay.tile
    lies, seen = overlay.lies(game, tile), overlay.seen(game, tile)
    if lies and tile not in game.state.box:
        assert seen, "the view does not show it"
        return "stays"
    assert not seen, "the view still shows it"
    return "leaves" if lies or not overlay.home(game) else "returns"


def bare(overlay: Overlay, name: str) -> bool:
    """Whether a tile that takes that way in play, without anything put on it by the test, carries no such overlay."""
    game = moved(overlay, name, put=False)
    return not overlay.lies(game, overlay.tile) and not overlay.seen(game, overlay.tile)


def check(overlay: Overlay, name: str, expected: str) -> None:
    """A tile takes the way, and its overlay fares as a cell of the table says."""
    if expected == "none":
        assert bare(overlay, name)
    elif expected == "locked":
        assert kept_from(overlay, name)
    elif expected == "arrives":
        game = moved(overlay, name, put=False)
        assert overlay.lies(game, overlay.tile)
        assert overlay.seen(game, overlay.tile)
    else:
        assert fate(overlay, name) == expected


def kept_from(overlay: Overlay, name: str) -> tuple[Violation, ...]:
    """Why a tile with the overlay may not take that way; without the overlay it may."""
    moved(overlay, name, put=False)
    game, first = ready(overlay, name), EVERY_WAY[name].first
    assert first is not None
    text, nouns = first(game, overlay.tile)
    return refused(game, text, **nouns)


def shown_on(game: Game, key: str, kind: str, tile: str) -> bool:
    """Whether everybody sees a piece of that kind on the tile: named with it, or on its cell in an Alhambra."""
    seat = in_alhambra(game, tile)
    cells = () if seat is None else game.state.seats[seat].board.cells_of(tile)
    return any(
        piece.get("tile") == tile or (piece.get("seat") == seat and piece.get("cell") in cells)
        for piece in pieces(game, key, kind=kind)
    )


def walls_shown(game: Game, tile: str) -> bool:
    """Whether everybody sees a wooden wall on a tile that is built."""
    boards = (seat["alhambra"] for seat in game.view(None)["seats"])
    return any(entry["tile"] == tile and "wooden_walls" in entry for board in boards for entry in board)
