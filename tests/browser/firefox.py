"""Where Firefox is, and how Playwright starts one that was not made for it: behind `firefox_bridge`."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Final

CHANNEL: Final = "moz-firefox"
"""What Playwright calls a Firefox that it speaks WebDriver BiDi with."""

NAMES: Final = ("firefox-esr", "firefox")
REPOSITORY: Final = Path(__file__).parents[2]


def firefox() -> str | None:
    """The browser that `FORSYTH_FIREFOX` names, or the first one on the path."""
    named = os.environ.get("FORSYTH_FIREFOX")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def executable(folder: Path) -> Path:
    """A program in a folder that starts Firefox behind the bridge."""
    program = folder / "firefox"
    bridge = f'exec "{sys.executable}" -m tests.browser.firefox_bridge "$@"'
    program.write_text(f'#!/bin/sh\ncd "{REPOSITORY}" && {bridge}\n')
    program.chmod(0o755)
    return program
