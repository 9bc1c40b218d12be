"""What a game offers for whole files of records: a kernel that makes columns of their bytes, without objects.

A `RecordKernel` is to records what `forsyth.column.Column` is to texts of positions: it takes the records
about which the record reader has nothing to say, and leaves the others to it (ASK). Places are offsets into
the bytes that were read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

ASK: Final = 0
"""Verdict: the record reader has to read this stretch, which holds one record or more."""
TAKEN: Final = 1
"""Verdict: one record, about which there is nothing to say."""

RESULTS: Final = ("*", "1-0", "0-1", "1/2-1/2")
"""What the column `result` says."""

NO_CLOCK: Final = -1
NO_EVAL: Final = -(2**31)
"""What stands in the columns of clocks and evaluations where nothing was said."""

WANTED: Final = (
    "clocks",
    "emts",
    "evals",
    "shapes",
    "keys",
    "packed",
    "boards",
    "planes",
    "fens",
)
"""What costs time or memory and is made where it is asked for."""
ALWAYS: Final = ("san", "nags", "comments", "variations")
"""What may be asked for and is always there."""

GAMES: Final = 1 << 12
PLIES: Final = 1 << 18
"""The room of one call where nothing else is said."""

Start: TypeAlias = Callable[[str | None, str | None, str | None], Any]
"""Gives the start of a game by its tags `Variant`, `SetUp` and `FEN`; None where they need a word."""
Texts: TypeAlias = tuple[memoryview, memoryview]
"""Where each text begins, and one more number where the last ends (format ``i``); the characters."""


class Contents(NamedTuple):
    """What one record says, word by word; nodes as in the column `comment_node`."""

    tags: list[tuple[str, str, int]]
    """Name, value, and 1 where the value has escapes."""
    moves: list[str]
    comments: list[tuple[int, int, str]]
    """The node; 0 for a comment before it, 1 for one behind it, 2 more where it has line breaks; the text."""
    nags: list[tuple[int, int]]
    """The node and the glyph."""
    lines: list[int]
    """For each variation the node that it could replace."""
    sides: list[tuple[int, str]]
    """For each move of a variation the number of that, and the move."""
    result: int
    """A place in RESULTS."""


class RecordKernel(Protocol):
    """Makes columns of records; for one thread. The columns are those of the last call of `read`."""

    @property
    def games(self) -> int:
        """How many rows there are, one for each record taken and for each stretch left to the reader."""

    @property
    def asked(self) -> int:
        """How many of them are left to the reader."""

    @property
    def plies(self) -> int:
        """How many moves the main lines have."""

    @property
    def positions(self) -> int:
        """How many positions the main lines have."""

    def read(self, data: Any, at: int = 0, final: bool = True) -> int:
        """Read records from a place on, as many as there is room for; where the next call has to begin.

        Without `final` more bytes follow, and a last record that may be cut off is left to the next call.
        """

    def contents(self, row: int) -> Contents:
        """What the record of a row says; `ValueError` where the row was left to the record reader."""

    def column(self, name: str) -> memoryview:
        """A column as it lies in memory; `KeyError` where there is none of that name."""

    def valid(self, name: str) -> tuple[bytes, int]:
        """Where a column of clocks or evaluations says something, as Arrow's bits; how often it does not."""

    def tag_texts(self, name: str) -> tuple[memoryview, memoryview, bytes, int]:
        """The values of a tag: texts, which games have it, and how many have not."""

    def tag_table(self, skip: tuple[str, ...] = ()) -> tuple[memoryview, Texts, Texts]:
        """All other tags: where those of each game begin, names and values."""

    def san_texts(self) -> Texts:
        """The moves of the main lines as they stand in the records."""

    def uci_texts(self) -> Texts:
        """The moves of the main lines in long algebraic notation for programs."""

    def comment_texts(self) -> Texts:
        """The comments, folded."""
