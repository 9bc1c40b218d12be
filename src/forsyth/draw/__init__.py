"""Positions as pictures: `svg` for pages, `text` for terminals, `png` for everything else.

`animation` and `animation_png` draw a line of moves. Knows scenes and no game; what has a position, such as a
match or a reading, is drawn by it. `scene` says which options there are.
"""

from __future__ import annotations

from forsyth.draw.animation import animation
from forsyth.draw.animation_png import animation_png
from forsyth.draw.options import scene
from forsyth.draw.png import png
from forsyth.draw.svg import svg
from forsyth.draw.text import text

__all__ = ["animation", "animation_png", "png", "scene", "svg", "text"]
