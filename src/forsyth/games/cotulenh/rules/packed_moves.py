"""The fields of a packed move of CoTuLenh, see `generate` for the layout of the number.

Compiled modules use the inline functions of the same names in `generate.pxd`.
"""

from __future__ import annotations

from forsyth.games.cotulenh.rules.attacks import SQUARE_MASK, TYPES_SHIFT
from forsyth.games.cotulenh.rules.generate import FLAG_MASK, FLAGS_SHIFT, TARGET_SHIFT
from forsyth.games.cotulenh.stacks import TYPES


def get_origin(move: int) -> int:
    """Return the number of the square on which a packed move begins, 0 for a1."""
    return move & SQUARE_MASK


def get_target(move: int) -> int:
    """Return the number of the square to which a packed move goes, or on which it captures."""
    return move >> TARGET_SHIFT & SQUARE_MASK


def get_moving_types(move: int) -> int:
    """Return the set of the piece types that a packed move takes along, one bit for each type."""
    return move >> TYPES_SHIFT & TYPES


def get_flags(move: int) -> int:
    """Return the flags of a packed move as bits, such as ``DEPLOY | CAPTURE``."""
    return move >> FLAGS_SHIFT & FLAG_MASK
