"""Scenes as PNG, by way of SVG and resvg.

Accepts
    What `svg` accepts, with the same options. The theme is ``light`` or ``dark``: a
    bitmap cannot follow the page around it.
Writes
    A PNG `size` pixels wide, its background opaque.
Limits
    Needs the extra ``png``; without it `png` raises `ImportError` and says how to get it. Letters (labels,
    captions) are drawn with the fonts of the machine, and a machine without any draws none; pieces and
    marks need no font.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, get_args

from forsyth.arguments import require_choice
from forsyth.draw.svg import SIZE, svg

if TYPE_CHECKING:
    from typing import Unpack

    from forsyth.draw.options import Options, Subject

Theme = Literal["light", "dark"]
THEMES: Final[tuple[str, ...]] = get_args(Theme)


def ground_of(theme: str) -> Theme:
    """The theme of a PNG where one of an SVG is asked for: ``auto`` is light."""
    return "dark" if theme == "dark" else "light"


def png(what: Subject, *, size: int = SIZE, theme: Theme = "light", **how: Unpack[Options]) -> bytes:
    """A position, reading, match, record, node or scene as a PNG file `size` pixels wide.

    The other options are those of `forsyth.draw.scene`.
    """
    require_choice("theme of a PNG", theme, THEMES)
    try:
        import resvg_py
    except ModuleNotFoundError as missing:
        sentence = "drawing PNG needs resvg: pip install 'forsyth[png]'"
        raise ModuleNotFoundError(sentence, name=missing.name) from missing
    return bytes(resvg_py.svg_to_bytes(svg_string=svg(what, size=size, theme=theme, **how)))
