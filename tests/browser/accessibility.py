"""What a checker of accessibility, axe, finds on a page."""

from __future__ import annotations

from typing import Literal

from playwright.sync_api import Page

from tests.gateway import node

AXE = node.PACKAGES / "node_modules" / "axe-core" / "axe.min.js"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
CHECK = """async () => {
    await document.fonts.ready;
    for (const one of document.getAnimations()) if (one.effect?.getTiming().iterations !== Infinity) one.finish();
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html).join(" ")}`);
}"""
"""Checks the page as it stands once everything has faded in: a text that is half there has half its contrast."""


def complaints(page: Page) -> list[str]:
    """Return what axe finds on the page as it is, by day and by night."""
    found = []
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        found += [f"{theme}: {complaint}" for complaint in page.evaluate(CHECK)]
    return found
