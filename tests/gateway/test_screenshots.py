"""The pages and pictures in a real browser: they are drawn, they say what they should, nothing is blank or broken.

The pictures go to a folder of the test; `python -m scripts.screenshots` takes those of the documentation.
"""

from __future__ import annotations

from functools import cache
from html import unescape
from pathlib import Path

import pytest
from PIL import Image, ImageStat

from scripts.play_screenshots import SHOTS as PLAY_SHOTS
from scripts.play_series import SERIES
from scripts.polite import PoliteClient
from scripts.screenshots import FRONT_PICTURE, IMAGES, Shot, front_picture, shots, take

from .product import Product

NAMES = (
    *("front", "front-dark", "docs", "problem", "module", "module-small", "guide-small"),
    *("board-early", "board-late", "board-modules", "board-modules-small", "table-modules", "table-modules-small"),
)
COLOURS = 30
"""Fewer different colours no page of ours has."""
BACKGROUND = 0.97
"""No colour covers more of a picture than this part."""


@cache
def wanted(base: str) -> dict[str, Shot]:
    with PoliteClient(base) as client:
        return {shot.name: shot for shot in shots(client)}


@pytest.mark.parametrize("name", NAMES)
def test_the_browser_draws(name: str, product: Product, tmp_path: Path) -> None:
    shot = wanted(product.http)[name]
    drawn = unescape(take(product.http, shot, tmp_path))
    assert [word for word in shot.says if word not in drawn] == []
    with Image.open(tmp_path / f"{name}.png") as picture:
        assert picture.size == shot.size
        points = shot.size[0] * shot.size[1]
        colours = picture.convert("RGB").getcolors(maxcolors=points)
        light = ImageStat.Stat(picture.convert("L")).mean[0] / 255
    assert colours is not None
    assert len(colours) > COLOURS
    assert max(count for count, _ in colours) < BACKGROUND * points
    assert (light < 0.5) == shot.dark, "a picture is as dark as the reader's system wants it"


def test_every_picture_of_the_documentation_is_one_that_is_tested() -> None:
    assert {path.stem for path in IMAGES.glob("*.png")} == {*NAMES, *(shot.name for shot in PLAY_SHOTS), *SERIES}


def test_the_picture_of_the_front_page_is_what_the_service_draws() -> None:
    assert FRONT_PICTURE.read_bytes() == front_picture()
