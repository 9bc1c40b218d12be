"""What a game offers for whole columns of positions: numbers, tensors, and kernels that need no objects.

A `Column` is the accelerator of bulk work as `kernel` is that of single texts: it answers for the rows that
are accepted, with the codes of their warnings, and names the common faults; it leaves the others to the
reader, which is the authority. A game without one (`Game.column` is None) is read row by row.

Buffers: `chars` are the UTF-8 bytes of all texts in a row, as a memoryview of format ``B``; `offsets` says
where each begins, and one more where the last ends, in format ``q``. Nothing is said about the bytes after
the last text: a kernel must not read them. Results go into buffers that the caller has made, row i at place
i, so that several threads can work on parts of one column. Every function works on the rows from `first` up
to, not including, `last`, releases the GIL, and writes nothing for a row it leaves to the reader but its
verdict.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

ASK: Final = 0
"""Verdict: the reader has to say what this row is."""
CANONICAL: Final = 1
"""Verdict: valid, nothing to say about it, and its text is the canonical one."""
SPELLED: Final = 2
"""Verdict: valid, nothing to say about it, but its canonical text is another."""
NOTED: Final = 3
"""Verdict: readable, with findings that are all warnings; `scan` has noted them."""
REFUSED: Final = 4
"""Verdict: the reader finds an error; `scan` has noted it."""

DEFAULT: Final = 0
STRICT: Final = 1
LENIENT: Final = 2
"""The modes, as numbers for kernels."""

NOTES: Final = 6
"""The numbers that `scan` notes of a row that is NOTED or REFUSED (format ``i``): the place of the code in
`Column.codes`; 0 for an error, 1 for a warning; where it starts and ends, in characters; the place of the
square in `Column.squares`, or −1; how many findings there are. They are about the first error, else the first
warning."""


class Feature(NamedTuple):
    """One number that says something about a position, such as a clock; a column of `forsyth features`."""

    name: str
    meaning: str
    labels: tuple[str, ...] = ()
    """Where these are given, the number is a place in them."""


class Planes(NamedTuple):
    """The shape of a position as a tensor for training: `names` planes of `height` rows of `width` bytes."""

    names: tuple[str, ...]
    height: int
    width: int

    @property
    def size(self) -> int:
        """The bytes of one position."""
        return len(self.names) * self.height * self.width


class Column(Protocol):
    """The kernels of one game in one variant."""

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes that `scan` notes, by their numbers."""

    @property
    def squares(self) -> tuple[str, ...]:
        """The squares that `scan` notes, by their numbers."""

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
        """A verdict for each row (format ``B``), and NOTES numbers at ``i * NOTES`` of `notes`.

        With `legality`, findings about the legality of the position count as well. In lenient mode a row
        that the reader would repair, beyond what it accepts in default mode, is left to it.
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
        """The canonical text of each row whose verdict is SPELLED or NOTED, at ``i * width`` of `out`.

        `verdicts` are those of `scan`; `lengths` (format ``i``) takes the length of each text. `width` is the
        game's `max_text`.
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
        """The verdict of each row as by `scan` in default mode without legality, and the 16 bytes of its key.

        Nothing is written for a row that is REFUSED.
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
        """The verdict of each row, and its packed form filled up with zeros to `width`.

        A row whose packed form is longer than `width` is left to the reader.
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
        """The canonical text of each packed form, at ``i * room`` of `out`; verdict ASK where it is none.

        `packed` holds forms of `width` bytes, as `pack` writes them; `room` is the game's `max_text`.
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
        """The verdict of each row, and its features: that of number f at ``f * rows + i`` (format ``i``)."""

    def planes(
        self,
        chars: memoryview,
        offsets: memoryview,
        first: int,
        last: int,
        verdicts: memoryview,
        out: memoryview,
    ) -> None:
        """The verdict of each row, and its planes, `Planes.size` bytes for each row."""
