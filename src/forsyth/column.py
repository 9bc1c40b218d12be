"""Features, tensors and kernels for whole columns of positions, without Python objects for each position.

A `Column` speeds up bulk work. Its kernels handle the rows that are accepted, with the codes of their
warnings, and the common errors. They leave all other rows to the reader, which decides in every case of
doubt. A game without kernels (`Game.column` is None) is read row by row.

Buffers: `chars` holds the UTF-8 bytes of all texts, one after the other, as a memoryview of format ``B``.
`offsets` holds the start of each text, and the end of the last one, in format ``q``. A kernel must not read
bytes after the last text. The caller allocates the buffers for the results; row i is written at index i, so
that several threads can work on parts of one column. Every method handles the rows from `first` up to, not
including, `last`, and releases the GIL. For a row that is left to the reader, only the verdict is written.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

ASK: Final = 0
"""Verdict: the kernel cannot decide, so the reader has to read this row."""
CANONICAL: Final = 1
"""Verdict: valid without findings, and the text is canonical."""
SPELLED: Final = 2
"""Verdict: valid without findings, but the text is not canonical."""
NOTED: Final = 3
"""Verdict: readable, and all findings are warnings. `scan` wrote notes about them."""
REFUSED: Final = 4
"""Verdict: the text has an error. `scan` wrote notes about it."""

DEFAULT: Final = 0
STRICT: Final = 1
LENIENT: Final = 2
"""The reading modes `default`, `strict` and `lenient`, as numbers for kernels."""

NOTES: Final = 6
"""How many numbers `scan` writes for a row that is NOTED or REFUSED (format ``i``).

They describe the first error, or the first warning if there is no error: the index of the code in
`Column.codes`; 0 for an error or 1 for a warning; start and end of the span in characters; the index of the
square in `Column.squares` or -1; the number of all findings.
"""


class Feature(NamedTuple):
    """A number that describes a position, such as a clock. It is one column of `forsyth features`."""

    name: str
    meaning: str
    labels: tuple[str, ...] = ()
    """If not empty, the number is an index into these labels."""


class Planes(NamedTuple):
    """The shape of a position as a tensor (the input of a neural network).

    There is one plane for each name, such as that for white pawns, with `height` rows of `width` bytes.
    """

    names: tuple[str, ...]
    height: int
    width: int

    @property
    def size(self) -> int:
        """The number of bytes of the whole tensor of one position."""
        return len(self.names) * self.height * self.width


class Column(Protocol):
    """The functions (kernels) of one game that compute whole columns of positions at once."""

    @property
    def codes(self) -> tuple[str, ...]:
        """The diagnostic codes, such as ``board.digit``, by the indexes that `scan` writes into `notes`."""

    @property
    def squares(self) -> tuple[str, ...]:
        """The names of the squares, such as ``e4``, by the indexes that `scan` writes into `notes`."""

    def scan(
        self,
        chars: memoryview,
        offsets: memoryview,
        first: int,
        last: int,
        mode: int,
        legality: bool,
        verdicts: memoryview,
        notes: memoryview,
    ) -> None:
        """Read the texts of the rows from `first` up to `last`, and write a verdict for each.

        A verdict is CANONICAL (valid and canonical), SPELLED (valid, not canonical), NOTED (only warnings),
        REFUSED (an error) or ASK (left to the exact reader). Lenient mode leaves each row that needs a repair
        to the exact reader, unless default mode accepts the row.

        Args:
            chars: The texts as UTF-8, one after the other.
            offsets: The offset in `chars` of each text, and the end of the last one.
            first: The first row.
            last: The row after the last one.
            mode: DEFAULT, STRICT or LENIENT.
            legality: Whether to report findings about the legality of the position too.
            verdicts: Receives one verdict for each row (format ``B``).
            notes: Receives NOTES numbers about the first error, or else the first warning, of row i from
                index ``i * NOTES`` (format ``i``). Only NOTED and REFUSED rows have notes.
        """

    def rewrite(
        self,
        chars: memoryview,
        offsets: memoryview,
        first: int,
        last: int,
        verdicts: memoryview,
        out: memoryview,
        lengths: memoryview,
        width: int,
    ) -> None:
        """Write the canonical text of each row that `scan` found to be valid, but not canonical.

        Only rows with the verdict SPELLED (no findings) or NOTED (only warnings) are written, into `out`.

        Args:
            chars: The texts as UTF-8, one after the other.
            offsets: The offset in `chars` of each text, and the end of the last one.
            first: The first row.
            last: The row after the last one.
            verdicts: The verdict of each row, from an earlier call of `scan`.
            out: Receives the text of row i, starting at byte ``i * width``.
            lengths: Receives the length of each text in bytes (format ``i``).
            width: Bytes for each text: the game's `max_text`.
        """

    def keys(
        self,
        chars: memoryview,
        offsets: memoryview,
        first: int,
        last: int,
        verdicts: memoryview,
        out: memoryview,
    ) -> None:
        """Read texts as `scan` does in default mode without legality, and write their keys into `out`.

        A key is 16 bytes that identify the position. That of row i is written at byte ``i * 16``. A row with
        the verdict ASK (left to the exact reader) or REFUSED (an error) gets no key. The verdicts are written
        into `verdicts`. The other arguments are those of `scan`.
        """

    def pack(
        self,
        chars: memoryview,
        offsets: memoryview,
        first: int,
        last: int,
        verdicts: memoryview,
        out: memoryview,
        width: int,
    ) -> None:
        """Read texts as `keys` does, and write their positions as packed bytes into `out`.

        The packed form of row i starts at byte ``i * width`` and is padded with zeros to `width` bytes. A row
        whose packed form is longer gets the verdict ASK, which leaves it to the exact reader. The other
        arguments are those of `scan`.
        """

    def unpack(
        self,
        packed: memoryview,
        width: int,
        first: int,
        last: int,
        verdicts: memoryview,
        out: memoryview,
        lengths: memoryview,
        room: int,
    ) -> None:
        """Write the canonical text of each packed form (a position as packed bytes) into `out`.

        A packed form that is not valid gets the verdict ASK, which leaves it to the exact reader.

        Args:
            packed: The packed forms, one after the other, from `pack`.
            width: The number of bytes of each packed form, with the zeros at its end.
            first: The first row.
            last: The row after the last one.
            verdicts: Receives one verdict for each row (format ``B``).
            out: Receives the text of row i, starting at byte ``i * room``.
            lengths: Receives the length of each text in bytes (format ``i``).
            room: The number of bytes for each text in `out`: the game's `max_text`.
        """

    def features(
        self,
        chars: memoryview,
        offsets: memoryview,
        first: int,
        last: int,
        verdicts: memoryview,
        out: memoryview,
        rows: int,
    ) -> None:
        """Read texts as `keys` does, and write the features (numbers such as a clock) of each.

        Feature f of row i is written at index ``f * rows + i`` of `out` (format ``i``), so that each feature
        is one column. `rows` is the number of all rows in the column. The other arguments are those of
        `scan`.
        """

    def planes(
        self,
        chars: memoryview,
        offsets: memoryview,
        first: int,
        last: int,
        verdicts: memoryview,
        out: memoryview,
    ) -> None:
        """Read texts as `keys` does, and write their positions as tensors for neural networks.

        The tensor of row i has `Planes.size` bytes and starts at byte ``i * Planes.size`` of `out`. The other
        arguments are those of `scan`.
        """
