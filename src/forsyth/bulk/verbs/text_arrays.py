"""An Arrow array of texts: its buffers for kernels, and the reader for the rows that kernels leave.

Accepts: string, large string, string view, binary, large binary, binary view, binary of fixed size, and null.
The characters are not copied if Arrow allows it. A row that a kernel answers costs no Python object. The
other rows (`fallback_rows`) are few, and are read by the reader.

`read_row` reads one text as `forsyth check` does. Every verb has the same result for a row, whether it comes
from a kernel or the reader. Wrapped forms are unwrapped (except `state_…`, which needs a store). Bytes that
are not UTF-8 reach the reader as lone surrogates, and are reported like any other character.

Arrays that were made in memory may have offsets, views or buffers that do not fit each other. They raise
`BulkError` (`require_valid_offsets`), because neither Arrow nor a kernel checks them later.

Limits: the reader reads all rows of games and variants without kernels, and all rows in plain Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth import reading
from forsyth.bulk.errors import BulkError, first_line, require_count, require_one_of
from forsyth.bulk.verbs.kernel_output import COMPILED
from forsyth.column import ASK, CANONICAL, DEFAULT, LENIENT, NOTES, REFUSED, STRICT, Column
from forsyth.diagnostics import MODES, Diagnostic, Mode, Severity
from forsyth.game import Game, column_kernels
from forsyth.limits import MAX_BULK_LINE


class RowResult(NamedTuple):
    """The position of one text, and its findings."""

    position: Any
    """The position, or None if the text has an error."""
    findings: tuple[Diagnostic, ...]

    @property
    def first(self) -> Diagnostic | None:
        """The first error, or the first warning if there is no error, or None without findings."""
        errors = [finding for finding in self.findings if finding.severity is Severity.ERROR]
        candidates = errors or self.findings
        return candidates[0] if candidates else None

    @property
    def ok(self) -> bool:
        """Whether the text has no error."""
        return self.position is not None


def read_row(game: Game, text: bytes, mode: Mode, legality: bool) -> RowResult:
    """Read one text, and return its position and its findings (errors and warnings).

    Args:
        game: The game of the text.
        text: The text in UTF-8.
        mode: The reading mode, such as ``strict``.
        legality: Whether a position that is not legal is an error.
    """
    read_text = reading.check if legality else reading.read
    # No valid text is that long, and the shortened text has the same finding.
    shortened = text[:MAX_BULK_LINE]
    result = read_text(shortened.decode("utf-8", "surrogateescape"), game, mode=mode)
    return RowResult(result.position if result.ok else None, result.diagnostics)


def unpack_row(game: Game, data: bytes) -> Any:
    """Return the position of packed bytes that may be padded with zeros, or None if they are not valid.

    A packed form may end with zeros itself, but it is not valid with more zeros behind it (`Game.unpack`).
    Therefore at most one of the possible lengths is valid.
    """
    min_size = len(data.rstrip(b"\0"))
    for size in range(min_size, len(data) + 1):
        try:
            return game.unpack(data[:size])
        except ValueError:
            continue
    return None


_INVALID_OFFSETS: Final = "the column refers to memory outside of its buffers"
_REMEDY: Final = "create the array again, or check it with validate(full=True)"

Kernel = Callable[[memoryview, memoryview, int, int], None]
"""A kernel with its outputs bound. Arguments: characters, offsets, the first row, the row behind the last."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How texts are read: the game, the mode, whether they must be legal, and the number of threads."""

    game: Game
    mode: Mode = "default"
    legality: bool = False
    threads: int = 1

    def __post_init__(self) -> None:
        """Raise `BulkError` if the mode or the number of threads is not valid."""
        require_one_of("mode", self.mode, MODES)
        require_count("threads", self.threads)

    @property
    def column(self) -> Column | None:
        """The kernels of the game, or None if it has none or they are not compiled."""
        return column_kernels(self.game) if COMPILED else None


_MODES: Final[Mapping[Mode, int]] = {"default": DEFAULT, "strict": STRICT, "lenient": LENIENT}


class ScanResult(NamedTuple):
    """The result of a scan by kernels: one verdict per row, and NOTES numbers for rows with findings."""

    verdicts: bytearray
    notes: memoryview


_NO_MEMORY: Final = memoryview(b"")
_ONE_OFFSET: Final = memoryview(bytes(8)).cast("q")
"""The offsets of no texts: the end of the last one, 0, as an integer of 64 bits."""
_NOTE_BYTES: Final = 4
"""Size of one number of the notes of a scan."""


class Texts:
    """An array of texts, and the options for reading them."""

    def __init__(self, texts: pa.Array, options: ReadOptions, result_memory: memoryview = _NO_MEMORY) -> None:
        """Store an array of texts.

        Args:
            texts: The array.
            options: How to read the texts.
            result_memory: Memory to which the results are written, for results of a fixed size.

        Raises:
            BulkError: If the array refers to memory outside of its buffers.
        """
        self.options = options
        self.result_memory = result_memory
        """Memory to which a verb writes its results."""
        self.array = _as_large(require_valid_offsets(texts))
        self.rows = len(self.array)
        """Number of texts."""
        self.offsets = _ONE_OFFSET
        """Offset of the first byte of each text in `chars`, and the end of the last one."""
        self.chars = memoryview(b"")
        """The bytes of all texts, and perhaps of others."""
        _, offset_buffer, char_buffer = self.array.buffers()
        if offset_buffer is not None and self.rows:
            start = self.array.offset
            all_offsets = memoryview(offset_buffer).cast("B").cast("q")
            self.offsets = all_offsets[start : start + self.rows + 1]
        if char_buffer is not None:
            self.chars = memoryview(char_buffer).cast("B")

    # --- kernels -----------------------------------------------------------------------------------

    def scan(self) -> ScanResult:
        """Check all texts with the kernel, the compiled code of the game, and return its verdicts and notes.

        The verdict ASK means that the reader in Python has to read the row. All verdicts are ASK if the game
        has no kernel.
        """
        verdicts = bytearray(self.rows)
        column = self.options.column
        if column is None:
            return ScanResult(verdicts, memoryview(b"").cast("i"))
        # The kernel writes notes for rows with findings only; no other notes are read.
        notes = memoryview(pa.allocate_buffer(_NOTE_BYTES * NOTES * self.rows)).cast("B").cast("i")
        mode, legality = _MODES[self.options.mode], self.options.legality
        column.scan(self.chars, self.offsets, 0, self.rows, mode, legality, memoryview(verdicts), notes)
        if self.array.null_count:
            # A kernel reads a null as an empty text, which has a finding.
            np.frombuffer(verdicts, np.uint8)[self.array.is_null().to_numpy(zero_copy_only=False)] = ASK
        return ScanResult(verdicts, notes)

    def run(self, bind: Callable[[Column, memoryview], Kernel]) -> bytearray:
        """Run a kernel, compiled code, on all rows, and return one verdict for each row.

        The verdict is ASK if the reader in Python has to read the row, and REFUSED if the text has an error.
        Kernels check neither legality nor the rules of other modes. If these are needed, `scan` decides.

        Args:
            bind: Returns the kernel to run. Its arguments are all kernels of the game, and memory to which
                the kernel writes the verdicts.
        """
        verdicts = bytearray(self.rows)
        if self.options.column is None:
            return verdicts
        kernel = bind(self.options.column, memoryview(verdicts))
        kernel(self.chars, self.offsets, 0, self.rows)
        if not self.options.legality and self.options.mode == "default":
            return verdicts
        scan_verdicts = np.frombuffer(self.scan().verdicts, np.uint8)
        kernel_verdicts = np.frombuffer(verdicts, np.uint8)
        # The reader has to read rows that the kernel did not answer, and may accept those that it refused.
        has_no_result = (kernel_verdicts == ASK) | (kernel_verdicts == REFUSED)
        needs_reader = has_no_result & (scan_verdicts != REFUSED)
        return bytearray(np.where(needs_reader, np.uint8(ASK), scan_verdicts).tobytes())

    # --- the reader --------------------------------------------------------------------------------

    def fallback_rows(self, verdicts: bytearray) -> list[int]:
        """Return the indices of the rows that the reader in Python has to read.

        These are the rows with the verdict ASK, except those without a text.
        """
        rows = []
        row = verdicts.find(ASK)
        while row >= 0:
            rows.append(row)
            row = verdicts.find(ASK, row + 1)
        if rows and self.array.null_count:
            has_text = self.array.is_valid().to_pylist()
            rows = [row for row in rows if has_text[row]]
        return rows

    def read(self, row: int) -> RowResult:
        """Read the text at index `row` with the reader in Python, and return its position and findings."""
        text = bytes(self.chars[self.offsets[row] : self.offsets[row + 1]])
        return read_row(self.options.game, text, self.options.mode, self.options.legality)

    def with_fallback(
        self, kernel_results: pa.Array, verdicts: bytearray, convert: Callable[[Any], Any]
    ) -> pa.Array:
        """Return the results of a kernel, completed by those of the reader in Python.

        Args:
            kernel_results: The results of the kernel.
            verdicts: One verdict per row; the reader reads the rows with the verdict ASK.
            convert: Returns the result for a position. A text that cannot be read gives null.
        """
        rows = self.fallback_rows(verdicts)
        positions = [self.read(row).position for row in rows]
        reader_results = [None if position is None else convert(position) for position in positions]
        replacements = pa.array(reader_results, kernel_results.type)
        return self.replace_rows(kernel_results, self.row_mask(rows), replacements)

    def fill_validity(self, verdicts: bytearray, write: Callable[[int, Any], bool]) -> pa.Buffer | None:
        """Read the rows that a kernel left, write their results, and return which rows have a result.

        Args:
            verdicts: One verdict per row: ASK for rows that the kernel left, REFUSED for texts with an error.
            write: Writes the result for a row and its position, and returns whether there is a result.

        Returns:
            The validity bitmap of all rows, for Arrow, or None if all rows have a result.
        """
        is_null = np.frombuffer(verdicts, np.uint8) == REFUSED
        for row in self.fallback_rows(verdicts):
            position = self.read(row).position
            is_null[row] = position is None or not write(row, position)
        if self.array.null_count:
            is_null |= self.array.is_null().to_numpy(zero_copy_only=False)
        return pa.array(~is_null).buffers()[1] if is_null.any() else None

    # --- masks -------------------------------------------------------------------------------------

    def row_mask(self, rows: list[int]) -> pa.Array | None:
        """Return an array of one boolean per row that is true in the rows with the indices `rows`.

        Return None if `rows` is empty.
        """
        if not rows:
            return None
        mask = bytearray(self.rows)
        for row in rows:
            mask[row] = 1
        return _as_bools(mask)

    @staticmethod
    def replace_rows(results: pa.Array, mask: pa.Array | None, replacements: pa.Array) -> pa.Array:
        """Return `results` with the rows where `mask` is true replaced by `replacements`, in order.

        If `mask` is None, nothing is replaced.
        """
        if mask is None:
            return results
        return pc.replace_with_mask(results, mask, replacements)

    def restore_nulls(self, results: pa.Array) -> pa.Array:
        """Return the results with null in each row without a text."""
        if not self.array.null_count:
            return results
        return pc.if_else(self.array.is_valid(), results, pa.scalar(None, results.type))


def is_canonical(verdicts: bytearray) -> pa.Array:
    """Return an array that is true where a text is valid and canonical (the verdict CANONICAL)."""
    return _has_verdict(verdicts, CANONICAL)


def needs_fallback(verdicts: bytearray) -> pa.Array:
    """Return an array that is true where the reader has to read a row (the verdict ASK)."""
    return _has_verdict(verdicts, ASK)


def _has_verdict(verdicts: bytearray, verdict: int) -> pa.Array:
    """Return an array that is true where `verdicts` has this verdict."""
    return pc.equal(_as_bytes(verdicts), pa.scalar(verdict, pa.uint8()))


def _as_bytes(values: bytearray) -> pa.Array:
    """Return bytes as an array of numbers, not copied."""
    return pa.Array.from_buffers(pa.uint8(), len(values), [None, pa.py_buffer(values)])


def _as_bools(values: bytearray) -> pa.Array:
    """Return an array that is true where `values` is not 0."""
    return _as_bytes(values).cast(pa.bool_())


def require_valid_offsets(array: pa.Array) -> pa.Array:
    """Return the array itself. Raise `BulkError` if it refers to memory outside of its buffers.

    Only the offsets are checked, in about a nanosecond per row. The reader finds bytes that are not UTF-8.
    """
    try:
        if array.type in (pa.string_view(), pa.binary_view()):
            array.view(pa.binary_view()).validate(full=True)
        else:
            array.validate()
    except pa.ArrowException as error:
        raise BulkError(f"{_INVALID_OFFSETS} ({first_line(error)}); {_REMEDY}") from error
    offset_type = _offset_type(array.type)
    if not len(array) or offset_type is None:
        return array
    # Arrow checks only the first and the last offset.
    _, offset_buffer, *_ = array.buffers()
    offsets = pa.Array.from_buffers(offset_type, len(array) + 1, [None, offset_buffer], offset=array.offset)
    is_increasing = pc.all(pc.less_equal(offsets[:-1], offsets[1:])).as_py()
    if not is_increasing:
        raise BulkError(f"{_INVALID_OFFSETS} (an offset is lower than the one before it); {_REMEDY}")
    return array


def _offset_type(array_type: pa.DataType) -> pa.DataType | None:
    """Return the type of the offsets in arrays of texts or bytes, or None if such arrays have no offsets.

    `array_type` is the type of the arrays, such as string.
    """
    if pa.types.is_string(array_type) or pa.types.is_binary(array_type):
        return pa.int32()
    if pa.types.is_large_string(array_type) or pa.types.is_large_binary(array_type):
        return pa.int64()
    return None


def _as_large(texts: pa.Array) -> pa.Array:
    """Return an array of texts or bytes in the layout with offsets of eight bytes, which kernels need.

    Raise `BulkError` if the array has neither texts nor bytes.
    """
    text_type = texts.type
    if pa.types.is_null(text_type):
        return pa.nulls(len(texts), pa.large_string())
    if pa.types.is_large_string(text_type) or pa.types.is_large_binary(text_type):
        return texts
    if pa.types.is_string(text_type) or text_type == pa.string_view():
        return texts.cast(pa.large_string())
    has_short_offsets = pa.types.is_binary(text_type) or pa.types.is_fixed_size_binary(text_type)
    if has_short_offsets or text_type == pa.binary_view():
        return texts.cast(pa.large_binary())
    raise BulkError(
        f"the column is of type {text_type}, expected strings or bytes; name another with --column"
    )
