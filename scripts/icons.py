"""Draws the icons of the web app from `static/fountain.svg`, with the Chromium of the system.

    python -m scripts.icons

Browsers want PNG files of two sizes, and one whose edges may be cut off ("maskable"): there the drawing fills the
middle four fifths, and its ground the rest.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright

from .browser import start_browser

STATIC = Path(__file__).resolve().parents[1] / "gateway" / "alhambra_gateway" / "static"
GROUND = "#d98e04"
ICONS = {"icon-192.png": (192, 1.0), "icon-512.png": (512, 1.0), "icon-maskable-512.png": (512, 0.8)}
"""By file: its size in pixels, and the share of it that the drawing fills."""


def main() -> None:
    """Draw every icon."""
    drawing = (STATIC / "fountain.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = start_browser(playwright)
        for name, (size, share) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            ground = GROUND if share < 1 else "transparent"
            body = f"body {{ margin: 0; background: {ground}; display: grid; place-items: center; height: 100vh }}"
            page.set_content(f"<style>{body} svg {{ width: {share:.0%} }}</style>{drawing}")
            page.screenshot(path=STATIC / name, omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
