"""Scenes as PNG, by way of SVG and resvg.

Accepts
    Any `Scene`. The theme is ``light`` or ``dark``: a bitmap cannot follow the page around it.
Writes
    A PNG `size` pixels wide, its background opaque.
Limits
    Needs the extra ``png``; without it `png` raises `ImportError` and says how to get it. Letters (labels,
    captions) are drawn with the fonts of the machine, and a machine without any draws none; pieces and
    marks need no font.
"""

from __future__ import annotations

from typing import Literal

from forsyth.draw.svg import svg
from forsyth.scene import Scene


def png(scene: Scene, *, size: int = 480, theme: Literal["light", "dark"] = "light") -> bytes:
    """The scene as a PNG file `size` pixels wide."""
    try:
        import resvg_py
    except ModuleNotFoundError as missing:
        sentence = "drawing PNG needs resvg: pip install 'forsyth[png]'"
        raise ModuleNotFoundError(sentence, name=missing.name) from missing
    return bytes(resvg_py.svg_to_bytes(svg_string=svg(scene, size=size, theme=theme)))
