"""What names a position by its canonical text: identifier, and for small games key and packed form.

A game whose positions need no compact form of their own may take its key and packed form from here.

Stability: what is made of one canonical text is the same in every version of Forsyth, for ever. Golden files
hold that (tests/golden).
"""

from __future__ import annotations

import hashlib
from typing import Final

from forsyth.arguments import require_text

STATE_PREFIX: Final = "state_"
PACKED_TEXT: Final = 1
"""The version of the packed form that is a text: this byte, two for the length, then UTF-8."""

_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz234567"
PAIRS: Final = tuple(first + second for first in _ALPHABET for second in _ALPHABET)
_SHIFTS: Final = range(250, -1, -10)
"""256 bits of the hash and four of padding, as 26 pairs of letters."""


def state_id(canonical: str) -> str:
    """The `state_…` identifier of a canonical text: 6 + 52 characters, stable for ever (spec/azul 6.2)."""
    require_text("the canonical text", canonical)
    digest = hashlib.sha256(canonical.encode("utf-8")).digest()
    # Ten bits at a time: the standard library's encoder takes several times as long for the same letters.
    bits = int.from_bytes(digest, "big") << 4
    return STATE_PREFIX + "".join([PAIRS[bits >> shift & 1023] for shift in _SHIFTS])


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
