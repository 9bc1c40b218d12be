"""Texts of one Arrow array for the kernels of a game, and their answers joined with the reader's.

Accepts: string, large string, string view, binary, large binary, binary view, binary of fixed size, null. The
characters are not copied where Arrow allows it. Rows that a kernel answers for cost no Python object; the
others (`asked`) are few and go through the reader.

`read_row` is what the reader says of one text, which is what `forsyth check` says of it: every verb gives for
a row what it gives. Wrapped forms are unwrapped (except `state_…`, which needs a store); bytes that are not
UTF-8 reach the reader as lone surrogates and are diagnosed like any other character.

Arrays made in memory may claim anything about where their texts are; one whose offsets, views or buffers do
not fit each other is a `BulkError` (`sound`), since neither Arrow nor a kernel would look again.

Limits: for games and variants without kernels, and in the pure build, the reader answers for all rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth import reading
from forsyth.bulk.errors import BulkError, brief, must_be_count, must_be_one_of
from forsyth.bulk.verbs.kernel_output import COMPILED
from forsyth.column import ASK, CANONICAL, DEFAULT, LENIENT, NOTES, REFUSED, STRICT, Column
from forsyth.diagnostics import MODES, Diagnostic, Mode, Severity
from forsyth.game import Game, kernels_of
from forsyth.limits import MAX_BULK_LINE


class Row(NamedTuple):
    """What became of one text."""

    position: Any
    """The position; None where there is an error."""
    findings: tuple[Diagnostic, ...]

    @property
    def first(self) -> Diagnostic | None:
        """The finding that stands for the row: the first error, else the first warning."""
        errors = [finding for finding in self.findings if finding.severity is Severity.ERROR]
        return next(iter(errors or self.findings), None)

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return self.position is not None


def read_row(game: Game, text: bytes, mode: Mode, legality: bool) -> Row:
    """Read one text; with `legality` the position is judged as well."""
    judge = reading.check if legality else reading.read
    # No text is that long: what is left of it has the same finding.
    text = text[:MAX_BULK_LINE]
    found = judge(text.decode("utf-8", "surrogateescape"), game, mode=mode)
    return Row(found.position if found.ok else None, found.diagnostics)


def unpack_row(game: Game, data: bytes) -> Any:
    """The position of a packed form that may be filled up with zeros; None where it is none.

    A form may itself end with zeros, but followed by zeros it is no form (`Game.unpack`): of the lengths that
    the bytes may have, one at most is that of a form.
    """
    form = data.rstrip(b"\0")
    for size in range(len(form), len(data) + 1):
        try:
            return game.unpack(data[:size])
        except ValueError:
            continue
    return None


_UNSOUND: Final = "the column points outside its own memory"
_REMEDY: Final = "make the array again, or have Arrow check it with validate(full=True)"

Kernel = Callable[[memoryview, memoryview, int, int], None]
"""A kernel with its results bound: characters, offsets, first row, row after the last."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How texts are read: by which game, in which mode, whether they must be legal, by how many threads."""

    game: Game
    mode: Mode = "default"
    legality: bool = False
    threads: int = 1

    def __post_init__(self) -> None:
        must_be_one_of("mode", self.mode, MODES)
        must_be_count("threads", self.threads)

    @property
    def column(self) -> Column | None:
        """The kernels that can answer for texts read this way, and are quicker than the reader."""
        return kernels_of(self.game) if COMPILED else None


_MODES: Final[Mapping[Mode, int]] = {"default": DEFAULT, "strict": STRICT, "lenient": LENIENT}


class Scanned(NamedTuple):
    """What the kernels say of the rows: a verdict each, and NOTES numbers for some."""

    verdicts: bytearray
    notes: memoryview


_NO_ROOM: Final = memoryview(b"")


class Texts:
    """An array of texts, and how they are read."""

    def __init__(self, texts: pa.Array, options: ReadOptions, room: memoryview = _NO_ROOM) -> None:
        self.options = options
        self.room = room
        """Where a verb writes its answers."""
        self.array = _as_large(sound(texts))
        self.rows = len(self.array)
        self.offsets = memoryview(bytes(8)).cast("q")
        self.chars = memoryview(b"")
        _, offsets, chars = self.array.buffers()
        if offsets is not None and self.rows:
            start = self.array.offset
            self.offsets = memoryview(offsets).cast("B").cast("q")[start : start + self.rows + 1]
        if chars is not None:
            self.chars = memoryview(chars).cast("B")

    # --- kernels ------------------------------------------------------------------------------------

    def scan(self) -> Scanned:
        """What the game's kernel says of each row; ASK for all where there is no kernel to ask."""
        verdicts = bytearray(self.rows)
        column = self.options.column
        if column is None:
            return Scanned(verdicts, memoryview(b"").cast("i"))
        # Numbers are written for few rows, and only those are looked at.
        notes = memoryview(pa.allocate_buffer(4 * NOTES * self.rows)).cast("B").cast("i")
        room, mode, legality = memoryview(verdicts), _MODES[self.options.mode], self.options.legality
        column.scan(self.chars, self.offsets, 0, self.rows, mode, legality, room, notes)
        if self.array.null_count:
            # To a kernel no text is an empty text, of which there is something to say.
            np.frombuffer(verdicts, np.uint8)[self.array.is_null().to_numpy(zero_copy_only=False)] = ASK
        return Scanned(verdicts, notes)

    def run(self, bind: Callable[[Column, memoryview], Kernel]) -> bytearray:
        """Run a kernel over all rows; its verdicts, and those of `scan` where mode or legality ask."""
        verdicts = bytearray(self.rows)
        if self.options.column is None:
            return verdicts
        kernel = bind(self.options.column, memoryview(verdicts))
        kernel(self.chars, self.offsets, 0, self.rows)
        if not self.options.legality and self.options.mode == "default":
            return verdicts
        judged = np.frombuffer(self.scan().verdicts, np.uint8)
        answered = np.frombuffer(verdicts, np.uint8)
        # The reader has to say what a kernel did not answer for, and may take what it refused.
        silent = (judged != REFUSED) & ((answered == ASK) | (answered == REFUSED))
        return bytearray(np.where(silent, np.uint8(ASK), judged).tobytes())

    # --- the reader ---------------------------------------------------------------------------------

    def asked(self, verdicts: bytearray) -> list[int]:
        """The rows that the reader has to answer for; nulls are not among them."""
        rows = []
        row = verdicts.find(ASK)
        while row >= 0:
            rows.append(row)
            row = verdicts.find(ASK, row + 1)
        if rows and self.array.null_count:
            valid = self.array.is_valid().to_pylist()
            rows = [row for row in rows if valid[row]]
        return rows

    def read(self, row: int) -> Row:
        """What the reader says of a row."""
        text = bytes(self.chars[self.offsets[row] : self.offsets[row + 1]])
        return read_row(self.options.game, text, self.options.mode, self.options.legality)

    def answered(self, answers: pa.Array, verdicts: bytearray, tell: Callable[[Any], Any]) -> pa.Array:
        """The kernel's answers, null where it has none, with what the positions of the reader `tell`."""
        asked = self.asked(verdicts)
        positions = [self.read(row).position for row in asked]
        told = [None if position is None else tell(position) for position in positions]
        return self.replaced(answers, self.mask(asked), pa.array(told, answers.type))

    def answered_rows(self, verdicts: bytearray, write: Callable[[int, Any], bool]) -> pa.Buffer | None:
        """The bits of the rows that have an answer in the room; None where all have one.

        `write` writes that of a row for which the reader finds a position, and says whether there is one.
        """
        empty = np.frombuffer(verdicts, np.uint8) == REFUSED
        for row in self.asked(verdicts):
            position = self.read(row).position
            empty[row] = position is None or not write(row, position)
        if self.array.null_count:
            empty |= self.array.is_null().to_numpy(zero_copy_only=False)
        return pa.array(~empty).buffers()[1] if empty.any() else None

    # --- masks --------------------------------------------------------------------------------------

    def mask(self, rows: list[int]) -> pa.Array | None:
        """An array that is true in these rows; None for no rows."""
        if not rows:
            return None
        mask = bytearray(self.rows)
        for row in rows:
            mask[row] = 1
        return _as_bools(mask)

    @staticmethod
    def replaced(answers: pa.Array, mask: pa.Array | None, told: pa.Array) -> pa.Array:
        """Answers with others in the rows of a mask."""
        return answers if mask is None else pc.replace_with_mask(answers, mask, told)

    def without_nulls(self, answers: pa.Array) -> pa.Array:
        """Answers that are null where the text is."""
        if not self.array.null_count:
            return answers
        return pc.if_else(self.array.is_valid(), answers, pa.scalar(None, answers.type))


def canonical(verdicts: bytearray) -> pa.Array:
    """An array that is true where the verdict is CANONICAL."""
    return _is(verdicts, CANONICAL)


def asking(verdicts: bytearray) -> pa.Array:
    """An array that is true where the verdict is ASK."""
    return _is(verdicts, ASK)


def _is(verdicts: bytearray, verdict: int) -> pa.Array:
    return pc.equal(_as_bytes(verdicts), pa.scalar(verdict, pa.uint8()))


def _as_bytes(values: bytearray) -> pa.Array:
    return pa.Array.from_buffers(pa.uint8(), len(values), [None, pa.py_buffer(values)])


def _as_bools(values: bytearray) -> pa.Array:
    return _as_bytes(values).cast(pa.bool_())


def sound(array: pa.Array) -> pa.Array:
    """The array itself; raises `BulkError` where it would lead out of its buffers.

    Only what says where values stand is looked at, in about a nanosecond for each row; whether texts are
    UTF-8 the reader finds out.
    """
    kind = array.type
    try:
        if kind in (pa.string_view(), pa.binary_view()):
            array.view(pa.binary_view()).validate(full=True)
        else:
            array.validate()
    except pa.ArrowException as error:
        raise BulkError(f"{_UNSOUND} ({brief(error)}); {_REMEDY}") from error
    if len(array) and (offsets := _offset_type(kind)) is not None:
        places = pa.Array.from_buffers(
            offsets, len(array) + 1, [None, array.buffers()[1]], offset=array.offset
        )
        if not pc.all(pc.less_equal(places[:-1], places[1:])).as_py():
            raise BulkError(f"{_UNSOUND} (an offset is lower than the one before it); {_REMEDY}")
    return array


def _offset_type(kind: pa.DataType) -> pa.DataType | None:
    """The type of the offsets of an array that has them."""
    if pa.types.is_string(kind) or pa.types.is_binary(kind):
        return pa.int32()
    return pa.int64() if pa.types.is_large_string(kind) or pa.types.is_large_binary(kind) else None


def _as_large(texts: pa.Array) -> pa.Array:
    """The texts with offsets of eight bytes."""
    kind = texts.type
    if pa.types.is_null(kind):
        return pa.nulls(len(texts), pa.large_string())
    if pa.types.is_large_string(kind) or pa.types.is_large_binary(kind):
        return texts
    if pa.types.is_string(kind) or kind == pa.string_view():
        return texts.cast(pa.large_string())
    if pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind) or kind == pa.binary_view():
        return texts.cast(pa.large_binary())
    raise BulkError(f"a column of {kind} holds no texts; name one of strings or bytes with --column")
