"""The variants of chess as one table: their rules and their names.

`VARIANT_TABLE` describes the differences between variants: the pieces that a side may have, whether it may
castle, how the game ends, and how records and packed forms name the variant. The index of a variant in the
table is the number of its rules. Packed forms, keys and columns contain this number, so new variants must be
added at the end.

Before a name in the tag `Variant` of a record is looked up, it is converted to lower case without blanks and
punctuation, with numbers as digits and without the word chess. The table need not repeat a variant's own
name. It does not list suicide chess as a name of antichess, because there a stalemate is won by the side with
fewer pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

EXPLODES: Final = 1
"""A capture also removes the capturing piece and all adjacent pieces except pawns.

A side whose king is removed in this way has lost.
"""
MUST_CAPTURE: Final = 2
"""A side that can capture must do so, and the king has no special role.

A side wins if it has no pieces left, or no legal move.
"""
WHITE_HORDE: Final = 4
"""White has no king and loses with its last piece. Its pawns on rank 1 may move two squares."""
HILL: Final = 8
"""A side wins if its king reaches d4, e4, d5 or e5."""
RACE: Final = 16
"""No move may give check. A side wins if its king reaches rank 8.

If Black's king reaches rank 8 one move after White's king, the game is a draw.
"""
COUNTS_CHECKS: Final = 32
"""A side wins if it gives its last remaining check."""
NO_CASTLING: Final = 64
"""Castling is not allowed."""

_START_BOARD: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
_UNLIMITED: Final = 64


@dataclass(frozen=True, slots=True)
class Variant:
    """The rules and names of one variant. The defaults are the rules of standard chess."""

    name: str
    """The name in code and options; UCI engines use it as well."""
    number: int
    """The number of the variant in the "binary FEN" of Lichess."""
    traits: int = 0
    """Differences from standard chess, as a sum of the constants above, such as EXPLODES."""
    start: str = f"{_START_BOARD} w KQkq - 0 1"
    """The canonical text of the start position."""
    king_limits: tuple[tuple[int, int], tuple[int, int]] = ((1, 1), (1, 1))
    """The minimum and the maximum number of kings, for White and for Black."""
    max_pawns: tuple[int, int] = (8, 8)
    """The maximum number of pawns, for White and for Black."""
    max_pieces: tuple[int, int] = (16, 16)
    """The maximum number of pieces, pawns included, for White and for Black."""
    tag: str = ""
    """The name in the tag `Variant` of a record, which is that of Lichess; empty if it is `name`."""
    other_names: tuple[str, ...] = ()
    """Further names that records use for the variant, normalised for comparison."""


VARIANT_TABLE: Final = (
    Variant("standard", 0, other_names=("classical", "classic", "normal", "orthodox", "regular")),
    Variant(
        "chess960",
        2,
        other_names=(
            *("960", "fischerandom", "fischerrandom", "fischer", "frc", "freestyle", "9lx", "wildfr"),
            *("fischerandom960", "fischerrandom960", "freestyle960", "960fischerandom", "960fischerrandom"),
        ),
    ),
    Variant("crazyhouse", 1, start=f"{_START_BOARD}[] w KQkq - 0 1", other_names=("house", "zh")),
    Variant("3check", 5, COUNTS_CHECKS, start=f"{_START_BOARD} w KQkq - 3+3 0 1", other_names=("3checks",)),
    Variant("atomic", 7, EXPLODES, tag="Atomic", other_names=("atom",)),
    Variant(
        "antichess",
        6,
        MUST_CAPTURE | NO_CASTLING,
        start=f"{_START_BOARD} w - - 0 1",
        king_limits=((0, _UNLIMITED), (0, _UNLIMITED)),
        tag="Antichess",
        other_names=("anti", "giveaway"),
    ),
    Variant(
        "horde",
        8,
        WHITE_HORDE,
        start="rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
        king_limits=((0, 0), (1, 1)),
        max_pawns=(36, 8),
        max_pieces=(36, 16),
        tag="Horde",
    ),
    Variant("kingofthehill", 4, HILL, tag="King of the Hill", other_names=("koth", "hill")),
    Variant(
        "racingkings",
        9,
        RACE | NO_CASTLING,
        start="8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
        max_pawns=(0, 0),
        tag="Racing Kings",
        other_names=("racing", "race"),
    ),
)
"""All variants, in the order of the numbers of their rules."""

VARIANTS: Final = tuple(variant.name for variant in VARIANT_TABLE)
"""The names of all variants. The index of a name is STANDARD, CHESS960, … RACING_KINGS of `position`."""

VARIANT_NAMES: Final = {
    other_name: variant.name for variant in VARIANT_TABLE for other_name in variant.other_names
}
"""The name of the variant for each further name that records use."""

VARIANT_TAGS: Final = {variant.name: variant.tag for variant in VARIANT_TABLE if variant.tag}
"""The value of the tag `Variant` for each variant that records call by another name than Forsyth."""
