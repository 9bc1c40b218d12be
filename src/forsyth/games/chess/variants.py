"""The variants of chess: what each adds to the rules, as one table, and the names it goes by.

`TABLE` is read by everything that differs between variants: which men a side may have, whether it castles,
what ends the game, how records and packed forms name the rules. Its order is that of the numbers of the
rules, which packed forms, keys and columns hold: new variants come last.

Names in the tag `Variant` of a record are compared in small letters, without blanks and signs, with numbers
as digits, and without the word chess in them; a variant's own name need not be listed. Suicide chess is no
name of antichess: its stalemate is won by the side with fewer men.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

EXPLODES: Final = 1
"""A capture removes the capturing man, and around it all men but pawns; who loses the king so has lost."""
MUST_CAPTURE: Final = 2
"""Who can capture must; the king is a man like others; who has no man left, or no move, has won."""
WHITE_HORDE: Final = 4
"""White has no king and loses with its last man; its pawns on rank 1 may go two squares."""
HILL: Final = 8
"""A king on d4, e4, d5 or e5 has won."""
RACE: Final = 16
"""No move gives check; a king on rank 8 has won, unless Black's gets there one move after White's."""
COUNTS_CHECKS: Final = 32
"""Who has given the last check has won."""
NO_CASTLING: Final = 64
"""Nobody castles."""

_HOME: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
_ANY: Final = 64


@dataclass(frozen=True, slots=True)
class Variant:
    """The rules of one variant, where they are not those of standard chess."""

    name: str
    """What it is asked for by; the name that UCI engines know."""
    number: int
    """Its number in the "binary FEN" of Lichess."""
    traits: int = 0
    start: str = f"{_HOME} w KQkq - 0 1"
    kings: tuple[tuple[int, int], tuple[int, int]] = ((1, 1), (1, 1))
    """The least and the most kings of White, and of Black."""
    pawns: tuple[int, int] = (8, 8)
    """The most pawns of White and of Black."""
    men: tuple[int, int] = (16, 16)
    """The most men of White and of Black."""
    tag: str = ""
    """What is written in a record, where that is not the name: the name on Lichess."""
    names: tuple[str, ...] = ()
    """Other names of it in records."""


TABLE: Final = (
    Variant("standard", 0, names=("classical", "classic", "normal", "orthodox", "regular")),
    Variant(
        "chess960",
        2,
        names=(
            *("960", "fischerandom", "fischerrandom", "fischer", "frc", "freestyle", "9lx", "wildfr"),
            *("fischerandom960", "fischerrandom960", "freestyle960", "960fischerandom", "960fischerrandom"),
        ),
    ),
    Variant("crazyhouse", 1, start=f"{_HOME}[] w KQkq - 0 1", names=("house", "zh")),
    Variant("3check", 5, COUNTS_CHECKS, start=f"{_HOME} w KQkq - 3+3 0 1", names=("3checks",)),
    Variant("atomic", 7, EXPLODES, tag="Atomic", names=("atom",)),
    Variant(
        "antichess",
        6,
        MUST_CAPTURE | NO_CASTLING,
        start=f"{_HOME} w - - 0 1",
        kings=((0, _ANY), (0, _ANY)),
        tag="Antichess",
        names=("anti", "giveaway"),
    ),
    Variant(
        "horde",
        8,
        WHITE_HORDE,
        start="rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
        kings=((0, 0), (1, 1)),
        pawns=(36, 8),
        men=(36, 16),
        tag="Horde",
    ),
    Variant("kingofthehill", 4, HILL, tag="King of the Hill", names=("koth", "hill")),
    Variant(
        "racingkings",
        9,
        RACE | NO_CASTLING,
        start="8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
        pawns=(0, 0),
        tag="Racing Kings",
        names=("racing", "race"),
    ),
)
"""The variants by the numbers of their rules."""

VARIANTS: Final = tuple(variant.name for variant in TABLE)
"""Names of the rules; their numbers are STANDARD, CHESS960, … RACING_KINGS of `position`."""

VARIANT_NAMES: Final = {name: variant.name for variant in TABLE for name in variant.names}
"""The other names of each variant."""

VARIANT_TAGS: Final = {variant.name: variant.tag for variant in TABLE if variant.tag}
"""What records are written with, where that is not the name."""
