"""Pictures of positions: `svg` for web pages, `text` for terminals, `png` for everything else.

`animation` and `animation_png` draw a sequence of moves. `scene` returns the description of a drawing; its
options are those of all functions here. This package draws scenes and contains no code for a particular game.
A subject that contains a position, such as a match or a reading, is drawn as that position.
"""

from __future__ import annotations

from forsyth.draw.animation import animation
from forsyth.draw.animation_png import animation_png
from forsyth.draw.options import scene
from forsyth.draw.png import png
from forsyth.draw.svg import svg
from forsyth.draw.text import text

__all__ = ["animation", "animation_png", "png", "scene", "svg", "text"]
