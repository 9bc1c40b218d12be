"""Scenes as pictures: `svg` for pages, `text` for terminals, `png` for everything else.

Knows scenes and no game; what has a scene, such as a position or a match, is drawn by it.
Importing it also tells scenes how to show themselves in notebooks.
"""

from __future__ import annotations

from forsyth.draw.png import png
from forsyth.draw.svg import svg
from forsyth.draw.text import text
from forsyth.scene import set_painter

__all__ = ["png", "svg", "text"]

set_painter(svg)
