"""The name of a position that never changes: `state_` and the hash of its canonical text.

Stability: `state_id` of one canonical text is the same in every version of Forsyth, for ever. Golden
files hold that (tests/golden).
"""

from __future__ import annotations

import hashlib
from typing import Final

from forsyth.arguments import require_text

STATE_PREFIX: Final = "state_"

_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz234567"
_PAIRS: Final = tuple(first + second for first in _ALPHABET for second in _ALPHABET)
_SHIFTS: Final = range(250, -1, -10)
"""256 bits of the hash and four of padding, as 26 pairs of letters."""


def state_id(canonical: str) -> str:
    """The `state_…` identifier of a canonical text: 6 + 52 characters, stable for ever (spec/azul 6.2)."""
    require_text("the canonical text", canonical)
    digest = hashlib.sha256(canonical.encode("utf-8")).digest()
    # Ten bits at a time: the standard library's encoder takes several times as long for the same letters.
    bits = int.from_bytes(digest, "big") << 4
    return STATE_PREFIX + "".join([_PAIRS[bits >> shift & 1023] for shift in _SHIFTS])
