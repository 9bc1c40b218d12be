"""Azul at full speed: sound text to position.

The kernel decodes exactly the texts that are SOUND to `scanner`, and answers None to others; `fen` explains.
Without a compiler `known_fields` does the same from what the scanner made of the fields before.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.azul.position import Position

Text = str
"""What `decode` takes. Cython does not know the name, so that it takes subclasses of str as well."""

if not cython.compiled:
    from forsyth.games.azul.notation.cells import FINDINGS, Cells, position_of
    from forsyth.games.azul.notation.known_fields import decode_known
    from forsyth.games.azul.notation.scanner import LONGEST, SOUND, read_cells

    def is_ascii(text: str) -> bool:
        """Whether `characters` can give the text."""
        return text.isascii()

    def characters(text: str) -> bytes:
        """The characters of an ASCII text."""
        return text.encode()


MAX_LENGTH: Final = LONGEST


def decode(text: Text) -> Position | None:
    """The position of a text without error; None for any other."""
    return _decode(text, False)


def decode_canonical(text: Text) -> Position | None:
    """The position of a canonical text without error; None for any other."""
    return _decode(text, True)


def _decode(text: Text, canonical: bool) -> Position | None:
    cells: Cells
    # Whatever is no text has no characters, and looking for them would end the process.
    if not isinstance(text, str):
        return None
    # What C takes for a text is no subclass of it.
    plain: str = str.__str__(text)
    if not cython.compiled:
        cells = []
        return decode_known(plain, canonical)
    if not is_ascii(plain) or read_cells(characters(plain), len(plain), cells) != SOUND:
        return None
    return None if canonical and cells[FINDINGS] else position_of(cells, plain)
