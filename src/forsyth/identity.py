"""What names a position by its canonical text: identifier, and for small games key and packed form.

A game whose positions need no compact form of their own may take its key and packed form from here.

Stability: what is made of one canonical text is the same in every version of Forsyth, for ever. Golden files
hold that (tests/golden).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from forsyth.arguments import quoted, require_text

STATE_PREFIX: Final = "state_"
PACKED_TEXT: Final = 1
"""The version of the packed form that is a text: this byte, two for the length, then UTF-8."""

_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz234567"
PAIRS: Final = tuple(first + second for first in _ALPHABET for second in _ALPHABET)
_LETTERS: Final = _ALPHABET.encode("ascii").ljust(256, b"?")
_STATE_LETTERS: Final = 52
"""256 bits of the hash and four of padding, five bits a letter."""


def _halvings(letters: int) -> Iterator[tuple[int, int, int]]:
    """How groups of five bits get a byte each: the two halves of every part are moved apart, then theirs.

    Of each step the bits that stay, those that move, and how far.
    """
    while letters > 1:
        parts = sum(1 << 8 * at for at in range(0, 64, letters))
        letters //= 2
        half = (1 << 5 * letters) - 1
        yield parts * half, parts * half << 5 * letters, 3 * letters


_HALVINGS: Final = tuple(_halvings(64))


def state_id(canonical: str) -> str:
    """The `state_…` identifier of a canonical text: 6 + 52 characters, stable for ever (spec/azul 6.2)."""
    require_text("the canonical text", canonical)
    try:
        data = canonical.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"the canonical text is {quoted(canonical)}, expected characters only") from None
    digest = hashlib.sha256(data).digest()
    # All letters at once: the standard library's encoder takes several times as long for the same.
    bits = int.from_bytes(digest, "big") << 4
    for stay, move, by in _HALVINGS:
        bits = bits & stay | (bits & move) << by
    return STATE_PREFIX + bits.to_bytes(_STATE_LETTERS, "big").translate(_LETTERS).decode("ascii")


def kept_text(position: object) -> str:
    """The text that stands for a position in stores, wrapped forms and links: its canonical text.

    A position whose canonical text does not say by which rules it is read has a text of its own for it.
    """
    found = getattr(position, "kept_text", None)
    return found if isinstance(found, str) else str(position)


def key_of_text(canonical: str) -> str:
    """A key made of a canonical text: 32 hexadecimal digits."""
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()[:32]


def packed_text(canonical: str) -> bytes:
    """A packed form made of a canonical text, which tells its own length."""
    data = canonical.encode("utf-8")
    return bytes([PACKED_TEXT]) + len(data).to_bytes(2, "big") + data


def text_of_packed(data: bytes) -> str:
    """The text of such a packed form; raises `ValueError` when it is none."""
    if len(data) <= 3 or data[0] != PACKED_TEXT or int.from_bytes(data[1:3], "big") != len(data) - 3:
        raise ValueError("these bytes are no packed text")
    return data[3:].decode("utf-8")
