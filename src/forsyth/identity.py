"""Identifiers, keys and packed forms that are computed from the canonical text of a position.

`state_id` computes the identifier for every game. A game without a compact key or packed form of its own may
use those of this module.

Stability: the results for a canonical text never change between versions of Forsyth. Golden files check this
(tests/golden).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from forsyth.arguments import quoted, require_text

STATE_PREFIX: Final = "state_"
PACKED_TEXT: Final = 1
"""The version byte of a packed text. Two bytes with the length follow, then the text as UTF-8."""
_LENGTH_BYTES: Final = 2
_HEADER_SIZE: Final = 1 + _LENGTH_BYTES

_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz234567"
"""The letters of Base32, in lower case."""
PAIRS: Final = tuple(first + second for first in _ALPHABET for second in _ALPHABET)
"""All pairs of letters, in order: ten bits select a pair."""
_LETTER_BITS: Final = 5
_BYTE_BITS: Final = 8
_LETTER_TABLE: Final = _ALPHABET.encode("ascii").ljust(256, b"?")
"""The table for `bytes.translate` that turns a number of five bits into a letter."""
_STATE_LETTERS: Final = 52
"""Letters of an identifier: 256 bits of the hash and 4 bits of padding, 5 bits for each letter."""
_PADDING_BITS: Final = 4
_KEY_DIGITS: Final = 32
"""Hexadecimal digits of a key: 128 bits of the hash."""


_SpreadStep = tuple[int, int, int]
"""The mask of the bits that stay, the mask of the bits that move left, and by how many bits they move."""


def _make_spread_steps(letter_count: int) -> Iterator[_SpreadStep]:
    """Yield the steps that spread a number of 5 bits per letter to 8 bits (one byte) per letter.

    The first step moves the upper half of the letters away from the lower half, the next one does the same
    within each half, and so on. `letter_count` must be a power of 2.
    """
    part_size = letter_count
    while part_size > 1:
        # One bit at the start of each part. Multiplying by it repeats a mask in every part.
        part_starts = sum(1 << (_BYTE_BITS * letter) for letter in range(0, letter_count, part_size))
        half_size = part_size // 2
        half_bits = _LETTER_BITS * half_size
        lower_half_mask = (1 << half_bits) - 1
        staying_mask = part_starts * lower_half_mask
        moving_mask = staying_mask << half_bits
        distance = (_BYTE_BITS - _LETTER_BITS) * half_size
        yield staying_mask, moving_mask, distance
        part_size = half_size


_MAX_SPREAD_LETTERS: Final = 64
"""The lowest power of 2 that is not less than `_STATE_LETTERS`."""
_SPREAD_STEPS: Final = tuple(_make_spread_steps(_MAX_SPREAD_LETTERS))


def state_id(canonical: str) -> str:
    """Return the identifier of a canonical text: ``state_`` and 52 characters (spec/azul 6.2).

    The characters are the SHA-256 hash of the text in lower-case Base32 (``a`` to ``z``, ``2`` to ``7``).
    Raise `ValueError` if the text contains a lone surrogate.
    """
    require_text("the canonical text", canonical)
    try:
        data = canonical.encode("utf-8")
    except UnicodeEncodeError:
        message = f"the text {quoted(canonical)} contains a lone surrogate, expected Unicode text"
        raise ValueError(message) from None
    digest = hashlib.sha256(data).digest()
    # Spread the bits so that each byte holds the five bits of one letter. Doing this for all letters at once
    # is several times as fast as the Base32 encoder of the standard library.
    bits = int.from_bytes(digest, "big") << _PADDING_BITS
    for staying_mask, moving_mask, distance in _SPREAD_STEPS:
        bits = (bits & staying_mask) | ((bits & moving_mask) << distance)
    letters = bits.to_bytes(_STATE_LETTERS, "big").translate(_LETTER_TABLE)
    return STATE_PREFIX + letters.decode("ascii")


def stored_text(position: object) -> str:
    """Return the text of a position that alone is enough to restore it, for stores and links.

    It is the canonical text, or the attribute `stored_text` of the position. A position has this attribute if
    its canonical text does not contain the name of its variant.
    """
    text_with_variant = getattr(position, "stored_text", None)
    return text_with_variant if isinstance(text_with_variant, str) else str(position)


def key_of_text(canonical: str) -> str:
    """Return the key of a canonical text: the first 32 hexadecimal digits of its SHA-256 hash."""
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()[:_KEY_DIGITS]


def pack_text(canonical: str) -> bytes:
    """Return a canonical text as bytes: the byte 1, its length in two bytes, and the text as UTF-8.

    The length is big-endian. By the length, `unpack_text` can reject bytes after the text. Raise
    `OverflowError` if the text has more than 65535 bytes.
    """
    data = canonical.encode("utf-8")
    version = bytes([PACKED_TEXT])
    length = len(data).to_bytes(_LENGTH_BYTES, "big")
    return version + length + data


def unpack_text(data: bytes) -> str:
    """Return the text in its packed form: the byte 1, the length in two bytes, and UTF-8.

    Raise `ValueError` if `data` is not such a packed form, for example if other bytes follow.
    """
    text_size = int.from_bytes(data[1:_HEADER_SIZE], "big")
    has_valid_header = len(data) > _HEADER_SIZE and data[0] == PACKED_TEXT
    if not has_valid_header or text_size != len(data) - _HEADER_SIZE:
        raise ValueError(
            f"the {len(data)} bytes are not a packed text, expected the byte {PACKED_TEXT}, "
            "the length of the text in two bytes, and the text as UTF-8"
        )
    return data[_HEADER_SIZE:].decode("utf-8")
