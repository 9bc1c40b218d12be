"""The name of a position that never changes: `state_` and the hash of its canonical text.

Stability: `state_id` of one canonical text is the same in every version of Forsyth, for ever. Golden
files hold that (tests/golden).
"""

from __future__ import annotations

import base64
import hashlib
from typing import Final

STATE_PREFIX: Final = "state_"


def state_id(canonical: str) -> str:
    """The `state_…` identifier of a canonical text: 6 + 52 characters, stable for ever (spec/azul 6.2)."""
    digest = hashlib.sha256(canonical.encode("utf-8")).digest()
    return STATE_PREFIX + base64.b32encode(digest).decode("ascii").rstrip("=").lower()
