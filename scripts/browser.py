"""The Chromium of the system, without a window, for tests and screenshots."""

from __future__ import annotations

import shutil

from playwright.sync_api import Browser, Playwright

PROGRAM = "chromium"
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-component-update", "--disable-sync")


def start_browser(playwright: Playwright) -> Browser:
    """Starts the browser. `scripts/system_packages.sh` installs it."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise FileNotFoundError(f"{PROGRAM} is not installed: run scripts/system_packages.sh")
    return playwright.chromium.launch(executable_path=program, args=list(FLAGS))
