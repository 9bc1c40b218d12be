"""Where Chromium is, and how it is started: without a window, and without a word to anyone else."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def executable() -> str | None:
    """The browser that `FORSYTH_CHROMIUM` names, or the first one on the path."""
    named = os.environ.get("FORSYTH_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)
