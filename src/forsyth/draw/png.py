"""Scenes as PNG, converted from SVG by resvg.

Input: that of `svg`, with the same options. The theme is ``light`` or ``dark``, because a bitmap cannot
follow the theme of the page around it.

Output: a PNG `size` pixels wide with an opaque background.

Limits: the extra ``png`` is required; without it, `png` raises `ModuleNotFoundError`. Labels and captions are
drawn with the fonts of the machine; without fonts they are missing. Pieces and marks need no fonts.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal, get_args

from forsyth.arguments import require_choice
from forsyth.draw.options import require_scene_options
from forsyth.draw.svg import DEFAULT_SIZE, svg

if TYPE_CHECKING:
    from typing import Unpack

    from forsyth.draw.options import SceneOptions, Subject

Theme = Literal["light", "dark"]
"""The themes of a PNG."""
THEMES: Final[tuple[str, ...]] = get_args(Theme)
"""All values of `Theme`."""

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
"""The first bytes of every PNG file."""
CHUNK_HEADER: Final = struct.Struct(">I4s")
"""The beginning of a chunk: the length of its data, and its type."""
CHECKSUM: Final = struct.Struct(">I")
"""The end of a chunk: the CRC of its type and data."""


def select_png_theme(theme: str) -> Theme:
    """Return the theme of a PNG that replaces a theme of an SVG: ``dark`` for ``dark``, else ``light``.

    The theme ``auto`` of an SVG follows the page around the picture, which a bitmap cannot do.
    """
    return "dark" if theme == "dark" else "light"


def png(
    subject: Subject, *, size: int = DEFAULT_SIZE, theme: Theme = "light", **options: Unpack[SceneOptions]
) -> bytes:
    """Draw a position, and return the picture as the bytes of a PNG file.

    Args:
        subject: A position, reading, match, record, node of a record, or scene.
        size: Width of the picture in pixels.
        theme: The colours of the picture, ``light`` or ``dark``.
        **options: The options of `forsyth.draw.scene`, such as `flip` and `arrows`.

    Raises:
        ModuleNotFoundError: If the extra ``png`` is not installed.
        TypeError: If `subject` cannot be drawn, or an argument has the wrong type.
        ValueError: If an argument has an unknown value.
    """
    require_scene_options("png", options)
    require_choice("theme of a PNG", theme, THEMES)
    return rasterise(svg(subject, size=size, theme=theme, **options))


def rasterise(svg_text: str) -> bytes:
    """Return an SVG document as a PNG file.

    Raise `ModuleNotFoundError` if the extra ``png`` is not installed.
    """
    try:
        import resvg_py
    except ModuleNotFoundError as error:
        message = "drawing a PNG needs the package resvg-py; install it with: pip install 'forsyth[png]'"
        raise ModuleNotFoundError(message, name=error.name) from error
    # Finding the fonts of the machine takes as long as drawing a few pieces.
    needs_fonts = "<text" in svg_text
    return bytes(resvg_py.svg_to_bytes(svg_string=svg_text, skip_system_fonts=not needs_fonts))


def read_chunks(file: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the type, such as ``IDAT``, and the data of each chunk of a PNG file."""
    offset = len(SIGNATURE)
    while offset < len(file):
        length, chunk_type = CHUNK_HEADER.unpack_from(file, offset)
        start = offset + CHUNK_HEADER.size
        yield chunk_type, file[start : start + length]
        offset = start + length + CHECKSUM.size
