"""The squares of a chess board as values: a `Square` is a text such as ``e4`` that knows where it is.

It can be given wherever a square's name is expected, and is equal to it. `SQUARES` are all of them, a1 first.
"""

from __future__ import annotations

from typing import Final

from forsyth.arguments import quoted, whole_number
from forsyth.games.chess.board import FILES, SQUARE_NUMBER
from forsyth.games.chess.board import SQUARES as _NAMES


class Square(str):
    """One of the 64 squares; `ValueError` for any other text.

    >>> e4 = Square("e4")
    >>> e4.file, e4.rank, e4.number, e4.is_light
    ('e', 4, 28, True)
    >>> e4 == "e4", e4.distance(Square("h8")), e4.mirrored
    (True, 4, 'e5')
    """

    __slots__ = ()

    def __new__(cls, name: str) -> Square:
        """The square of a name such as ``e4``."""
        if not isinstance(name, str) or name not in SQUARE_NUMBER:
            raise ValueError(f"{quoted(name)} is not a square, expected a1 to h8")
        return super().__new__(cls, name)

    @classmethod
    def parse(cls, text: str) -> Square:
        """The square of a text in capital or small letters, with blanks around it, such as ``E4``."""
        return cls(text.strip().lower() if isinstance(text, str) else text)

    @classmethod
    def numbered(cls, number: int) -> Square:
        """The square of a number, 0 for a1, 1 for b1, … 63 for h8."""
        return SQUARES[whole_number("the number of a square", number, 0, 63)]

    @property
    def number(self) -> int:
        """0 for a1, 1 for b1, … 63 for h8."""
        return SQUARE_NUMBER[str(self)]

    @property
    def file(self) -> str:
        """``a`` to ``h``."""
        return self[0]

    @property
    def rank(self) -> int:
        """1 to 8."""
        return int(self[1])

    @property
    def is_light(self) -> bool:
        """Whether it is a light square."""
        return (FILES.index(self.file) + self.rank) % 2 == 0

    @property
    def mirrored(self) -> Square:
        """The square that the other side sees there."""
        return SQUARES[self.number ^ 56]

    def distance(self, other: Square) -> int:
        """How many steps a king needs to another square."""
        files = abs(FILES.index(self.file) - FILES.index(other.file))
        return max(files, abs(self.rank - other.rank))

    def __repr__(self) -> str:
        return repr(str(self))


SQUARES: Final = tuple(Square(name) for name in _NAMES)
"""All squares, a1 first, then b1, … h8 last."""
