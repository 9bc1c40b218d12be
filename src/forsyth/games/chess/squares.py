"""The squares of a chess board as values: a `Square` is a string such as ``e4`` with properties.

A `Square` is equal to its name and can be passed wherever the name of a square is expected. `SQUARES`
contains all squares, a1 first.
"""

from __future__ import annotations

from typing import Final

from forsyth.arguments import quoted, require_integer
from forsyth.games.chess.board import FILES, FLIP_RANK, SQUARE_NUMBER
from forsyth.games.chess.board import SQUARES as _NAMES


class Square(str):
    """One of the 64 squares. Raises `ValueError` for any other text.

    >>> e4 = Square("e4")
    >>> e4.file, e4.rank, e4.number, e4.is_light
    ('e', 4, 28, True)
    >>> e4 == "e4", e4.distance(Square("h8")), e4.mirrored
    (True, 4, 'e5')
    """

    __slots__ = ()

    def __new__(cls, name: str) -> Square:
        """Return the square with a name such as ``e4``. Raise `ValueError` if there is no such square."""
        if not isinstance(name, str) or name not in SQUARE_NUMBER:
            raise ValueError(f"{quoted(name)} is not a square, expected a1 to h8")
        return super().__new__(cls, name)

    @classmethod
    def parse(cls, text: str) -> Square:
        """Return the square that a text names. Raise `ValueError` if it names none.

        The letter may be a capital, and white space around the name is ignored: ``" E4 "`` is the square e4.
        """
        # The constructor raises the error for a value that is not a string.
        return cls(text.strip().lower() if isinstance(text, str) else text)

    @classmethod
    def from_number(cls, number: int) -> Square:
        """Return the square with a number: 0 for a1, 1 for b1, … 63 for h8.

        Raise `ValueError` if `number` is not in this range.
        """
        return SQUARES[require_integer("the number of a square", number, 0, 63)]

    @property
    def number(self) -> int:
        """The number of the square: 0 for a1, 1 for b1, … 63 for h8."""
        return SQUARE_NUMBER[str(self)]

    @property
    def file(self) -> str:
        """The letter of the file, ``a`` to ``h``."""
        return self[0]

    @property
    def rank(self) -> int:
        """The number of the rank, 1 to 8."""
        return int(self[1])

    @property
    def is_light(self) -> bool:
        """True if the square is a light one, such as h1, and False for a dark one, such as a1."""
        # a1 has file 0 and rank 1, so the sum of file and rank is odd on dark squares.
        return (FILES.index(self.file) + self.rank) % 2 == 0

    @property
    def mirrored(self) -> Square:
        """The square on the same file and the opposite rank, such as e5 for e4."""
        return SQUARES[self.number ^ FLIP_RANK]

    def distance(self, other: Square) -> int:
        """Return the number of moves that a king needs from this square to `other` on an empty board."""
        file_distance = abs(FILES.index(self.file) - FILES.index(other.file))
        return max(file_distance, abs(self.rank - other.rank))

    def __repr__(self) -> str:
        return repr(str(self))


SQUARES: Final = tuple(Square(name) for name in _NAMES)
"""All squares by their numbers: a1 first, then b1, … h8 last."""
