"""The interface of a kernel that reads whole files of records into columns, without an object per record.

A `RecordKernel` is for records what `forsyth.column.Column` is for texts of positions. It reads records that
are valid and canonical (TAKEN), and notes what is unusual in others that it can read (NOTED, FAULTY). It
leaves all other records to the record reader (ASK). Offsets count the bytes of the data that `read` was
called with.

A *note* is a finding as numbers: its kind, and the offset and length of its place. The record reader makes
the same findings, in words, from the text of the record. The notes of a record are in the order in which
they were found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

ASK: Final = 0
"""Marks a row of one or more records that the kernel cannot read, so the record reader has to."""
TAKEN: Final = 1
"""Marks a row of one record that the kernel has read, and that has no findings."""
NOTED: Final = 2
"""Marks a row of one record that the kernel has read, and that has warnings only."""
FAULTY: Final = 3
"""Marks a row of one record that the kernel has read up to an illegal move. It may have warnings, too."""

MOVE_REJECTED: Final = 0
"""The kind of a note about a word that is not a legal move. It is the only kind of an error."""
NOTE_CODES: Final = (
    "record.move_",
    "record.result_missing",
    "record.result",
    "record.tag_repeated",
    "record.spelling",
    "record.pass",
    "record.nag",
    "record.number",
)
"""The code of the finding that each kind of note stands for. That of a rejected move is only the beginning:
the record reader finds out whether the move is illegal, ambiguous or no move at all.
"""

RESULTS: Final = ("*", "1-0", "0-1", "1/2-1/2")
"""The results that the numbers in the column `result` stand for."""

NO_CLOCK: Final = -1
NO_EVAL: Final = -(2**31)
"""Numbers in the columns of clocks and evaluations for moves that have none."""

OPTIONAL_COLUMNS: Final = (
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
"""Columns that cost time or memory. A kernel fills only those that it was created with."""
ALWAYS: Final = ("san", "nags", "comments", "variations")
"""Columns that are accepted as optional columns, but are always filled."""

DEFAULT_GAMES: Final = 1 << 12
DEFAULT_PLIES: Final = 1 << 18
"""Default number of games and of moves that one call of `read` has space for."""

Start: TypeAlias = Callable[[str | None, str | None, str | None], Any]
"""Returns the start position by the values of the tags `Variant`, `SetUp` and `FEN` (None: no such tag).

It returns None if the start has findings, which the record reader has to report.
"""
Texts: TypeAlias = tuple[memoryview, memoryview]
"""Texts as in Arrow: their offsets (format ``i``, one more than there are texts), and their characters."""


class Contents(NamedTuple):
    """The content of one record, as written.

    A *node* is a move: its index in the main line, or −1 − its index among the moves of all variations.
    """

    tags: list[tuple[str, str, int]]
    """Name, value, and 1 if the value has escapes, else 0."""
    moves: list[str]
    """The moves of the main line."""
    comments: list[tuple[int, int, str]]
    """The node, flags, and the text. Flag 1: the comment is behind the node, else before it. Flag 2: it has
    line breaks.
    """
    nags: list[tuple[int, int]]
    """The node and the number of each glyph."""
    lines: list[int]
    """For each variation the node that it is an alternative to."""
    sides: list[tuple[int, str]]
    """For each move of a variation the number of the variation, and the move."""
    result: int
    """Index into RESULTS."""


class RecordKernel(Protocol):
    """Reads records into columns, for one thread. The columns hold the records of the last call of `read`."""

    @property
    def games(self) -> int:
        """Number of rows: one per record read, and one per range of bytes left to the record reader."""

    @property
    def fallback_count(self) -> int:
        """Number of rows that are left to the record reader."""

    @property
    def plies(self) -> int:
        """Number of moves in the main lines."""

    @property
    def positions(self) -> int:
        """Number of positions in the main lines."""

    @property
    def note_count(self) -> int:
        """Number of notes about all records."""

    @property
    def error_count(self) -> int:
        """Number of records with a note about an error."""

    def read(self, data: Any, at: int = 0, final: bool = True) -> int:
        """Read records into the columns until they are full, and return the offset for the next call.

        Args:
            data: The bytes that contain the records.
            at: The offset in `data` at which to begin.
            final: Whether `data` ends with the file. If not, a last record that may be incomplete is not
                read, and the returned offset is its start.
        """

    def contents(self, row: int) -> Contents:
        """Return the tags, moves and comments of the record in a row.

        Raise `ValueError` if the row was left to the record reader.
        """

    def column(self, name: str) -> memoryview:
        """Return a column without copying it. Raise `KeyError` if there is no column of that name."""

    def validity(self, name: str) -> tuple[bytes, int]:
        """Return the Arrow validity bitmap of a column such as ``clocks``, and its null count."""

    def tag_texts(self, name: str) -> tuple[memoryview, memoryview, bytes, int]:
        """Return the value of the tag `name` for each game: offsets, characters, validity bitmap, null count.

        The four parts are those of an Arrow column of texts. The value is null if a game lacks the tag.
        """

    def tag_table(self, skip: tuple[str, ...] = ()) -> tuple[memoryview, Texts, Texts]:
        """Return a table of all tags of all games, except the tags whose names are in `skip`.

        The three parts are the first row of each game in the table, the names and the values.
        """

    def san_texts(self) -> Texts:
        """Return the moves of the main lines as written in the records, such as ``Nf3``."""

    def uci_texts(self) -> Texts:
        """Return the moves of the main lines in UCI notation, such as ``g1f3``."""

    def comment_texts(self) -> Texts:
        """Return the comments, each on one line."""
