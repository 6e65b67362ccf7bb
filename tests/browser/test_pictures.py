"""The pictures of the table can be taken and show something. `make screenshots` takes those of the documentation."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from scripts.play_screenshots import SHOTS, PlayShot, take_play_shot
from tests.gateway.product import Product

COLOURS = 30


@pytest.mark.parametrize("shot", [SHOTS[0], SHOTS[3]], ids=lambda shot: shot.name)
def test_a_picture_of_the_table_is_drawn(shot: PlayShot, product: Product, browser: Browser, tmp_path: Path) -> None:
    take_play_shot(browser, product.http, shot, tmp_path)
    with Image.open(tmp_path / f"{shot.name}.png") as picture:
        assert picture.size == shot.size
        colours = picture.convert("RGB").getcolors(maxcolors=shot.size[0] * shot.size[1])
    assert colours is not None
    assert len(colours) > COLOURS
