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
from forsyth.bulk.batches import is_bytes, is_text
from forsyth.bulk.errors import BulkError, first_line, require_count, require_one_of
from forsyth.bulk.verbs.kernel_output import COMPILED
from forsyth.column import ASK, CANONICAL, DEFAULT, LENIENT, NOTES, REFUSED, STRICT, Column
from forsyth.diagnostics import MODES, Diagnostic, Mode, Severity
from forsyth.game import Game, column_kernels
from forsyth.limits import MAX_BULK_LINE


class RowResult(NamedTuple):
    """The position of one text, and its findings: errors and warnings."""

    position: Any
    """The position, or None if the text has an error."""
    findings: tuple[Diagnostic, ...]

    @property
    def first_finding(self) -> Diagnostic | None:
        """The first error, or the first warning if there is no error, or None if there are no findings."""
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
        mode: The reading mode: ``default``, ``strict`` or ``lenient``.
        legality: Whether a position that is not legal is an error.
    """
    read_text = reading.check if legality else reading.read
    # No valid text is that long, and the shortened text has the same finding.
    shortened = text[:MAX_BULK_LINE]
    result = read_text(shortened.decode("utf-8", "surrogateescape"), game, mode=mode)
    position = result.position if result.ok else None
    return RowResult(position, result.diagnostics)


def unpack_row(game: Game, data: bytes) -> Any:
    """Return the position in packed bytes, or None if they are not valid.

    Zeros may have been appended to the bytes to give them a fixed size. A packed form may also end with zeros
    of its own, so all possible sizes are tried. At most one of them is valid.
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
    """How texts are read: the game, the mode, the legality and the number of threads."""

    game: Game
    mode: Mode = "default"
    legality: bool = False
    threads: int = 1

    def __post_init__(self) -> None:
        """Raise `BulkError` if the mode or the number of threads is not valid."""
        require_one_of("mode", self.mode, MODES)
        require_count("threads", self.threads)

    @property
    def kernels(self) -> Column | None:
        """The kernels (fast functions) of the game, or None if it has none or they are not compiled."""
        return column_kernels(self.game) if COMPILED else None


_MODE_NUMBERS: Final[Mapping[Mode, int]] = {"default": DEFAULT, "strict": STRICT, "lenient": LENIENT}
"""The number of each reading mode for kernels."""


class ScanResult(NamedTuple):
    """The result of checking texts with a kernel."""

    verdicts: bytearray
    """One byte per row, such as REFUSED for a text with an error."""
    notes: memoryview
    """NOTES numbers per row, which describe the first finding of the row."""


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
        self.array = _convert_to_large(require_valid_offsets(texts))
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

    def scan_with_kernel(self) -> ScanResult:
        """Check all texts with the compiled kernel of the game, and return its verdicts and notes.

        The verdict is a byte, such as REFUSED for a text with an error. ASK means that the slower reader in
        Python has to read the text. All verdicts are ASK if the game has no kernel.
        """
        verdicts = bytearray(self.rows)
        kernels = self.options.kernels
        if kernels is None:
            return ScanResult(verdicts, _NO_MEMORY.cast("i"))
        # The kernel writes notes for rows with findings only; no other notes are read.
        notes = memoryview(pa.allocate_buffer(_NOTE_BYTES * NOTES * self.rows)).cast("B").cast("i")
        mode = _MODE_NUMBERS[self.options.mode]
        legality = self.options.legality
        kernels.scan(self.chars, self.offsets, 0, self.rows, mode, legality, memoryview(verdicts), notes)
        if self.array.null_count:
            # The kernel reads a null as an empty text, which has a finding.
            is_null = self.array.is_null().to_numpy(zero_copy_only=False)
            np.frombuffer(verdicts, np.uint8)[is_null] = ASK
        return ScanResult(verdicts, notes)

    def run_kernel(self, bind: Callable[[Column, memoryview], Kernel]) -> bytearray:
        """Run a compiled kernel on all texts, and return a verdict (a byte) for each text.

        The verdict is ASK if the slower reader in Python has to read the text, and REFUSED if the text has an
        error. Most kernels check neither legality nor the rules of other modes than the default. If these
        matter, the verdicts of `scan_with_kernel` are returned for the rows with a result.

        Args:
            bind: Returns the kernel to run. Its arguments are all kernels of the game, and memory to which
                the kernel writes the verdicts.
        """
        verdicts = bytearray(self.rows)
        kernels = self.options.kernels
        if kernels is None:
            return verdicts
        kernel = bind(kernels, memoryview(verdicts))
        kernel(self.chars, self.offsets, 0, self.rows)
        if not self.options.legality and self.options.mode == "default":
            return verdicts
        scan_verdicts = np.frombuffer(self.scan_with_kernel().verdicts, np.uint8)
        kernel_verdicts = np.frombuffer(verdicts, np.uint8)
        # The reader has to read texts that the kernel left, and may accept those that the kernel refused.
        has_no_result = (kernel_verdicts == ASK) | (kernel_verdicts == REFUSED)
        needs_reader = has_no_result & (scan_verdicts != REFUSED)
        return bytearray(np.where(needs_reader, np.uint8(ASK), scan_verdicts).tobytes())

    # --- the reader --------------------------------------------------------------------------------

    def find_fallback_rows(self, verdicts: bytearray) -> list[int]:
        """Return the indices of the rows that the kernel has left to the reader in Python.

        They have a text, and ``verdicts[row]`` is ASK.
        """
        rows = []
        row = verdicts.find(ASK)
        while row >= 0:
            rows.append(row)
            row = verdicts.find(ASK, row + 1)
        if rows and self.array.null_count:
            has_text = self.array.is_valid().to_pylist()
            return [row for row in rows if has_text[row]]
        return rows

    def read_text(self, row: int) -> RowResult:
        """Read the text at index `row` with the reader in Python, and return its position and findings."""
        text = bytes(self.chars[self.offsets[row] : self.offsets[row + 1]])
        return read_row(self.options.game, text, self.options.mode, self.options.legality)

    def add_fallback_results(
        self, kernel_results: pa.Array, verdicts: bytearray, convert: Callable[[Any], Any]
    ) -> pa.Array:
        """Return the results of a kernel, with those of the reader in Python for the rows that it left.

        Args:
            kernel_results: The results of the kernel.
            verdicts: One byte per row; ASK marks the rows that the kernel left.
            convert: Returns the result for a position. A text that cannot be read gives null.
        """
        rows = self.find_fallback_rows(verdicts)
        positions = [self.read_text(row).position for row in rows]
        reader_results = [None if position is None else convert(position) for position in positions]
        replacements = pa.array(reader_results, kernel_results.type)
        return self.replace_rows(kernel_results, self.make_row_mask(rows), replacements)

    def write_fallback_results(
        self, verdicts: bytearray, write_result: Callable[[int, Any], bool]
    ) -> pa.Buffer | None:
        """Read the texts that a kernel left, write their results, and return which rows have a result.

        Args:
            verdicts: One byte per row: ASK for rows that the kernel left, REFUSED for texts with an error.
            write_result: Writes the result for a row and its position. Returns false if there is no result.

        Returns:
            The validity bitmap of all rows, for Arrow, or None if all rows have a result.
        """
        has_result = np.frombuffer(verdicts, np.uint8) != REFUSED
        for row in self.find_fallback_rows(verdicts):
            position = self.read_text(row).position
            has_result[row] = False if position is None else write_result(row, position)
        if self.array.null_count:
            has_result &= self.array.is_valid().to_numpy(zero_copy_only=False)
        if has_result.all():
            return None
        _, bitmap = pa.array(has_result).buffers()
        return bitmap

    # --- masks -------------------------------------------------------------------------------------

    def make_row_mask(self, rows: list[int]) -> pa.Array | None:
        """Return an array of booleans, one per text, that is true at the indices `rows`.

        Return None if `rows` is empty.
        """
        if not rows:
            return None
        mask = bytearray(self.rows)
        for row in rows:
            mask[row] = 1
        return _wrap_bytes(mask).cast(pa.bool_())

    @staticmethod
    def replace_rows(results: pa.Array, mask: pa.Array | None, replacements: pa.Array) -> pa.Array:
        """Return `results` with the rows where `mask` is true replaced, in order, by `replacements`.

        There is one replacement for each of these rows. If `mask` is None, nothing is replaced.
        """
        if mask is None:
            return results
        return pc.replace_with_mask(results, mask, replacements)

    def restore_nulls(self, results: pa.Array) -> pa.Array:
        """Return `results` with null in each row whose text is null."""
        if not self.array.null_count:
            return results
        return pc.if_else(self.array.is_valid(), results, pa.scalar(None, results.type))


def mark_canonical_rows(verdicts: bytearray) -> pa.Array:
    """Return an array that is true where ``verdicts[row]`` is CANONICAL: the text is canonical."""
    return _match_verdict(verdicts, CANONICAL)


def mark_fallback_rows(verdicts: bytearray) -> pa.Array:
    """Return an array that is true where ``verdicts[row]`` is ASK: the reader must read the row."""
    return _match_verdict(verdicts, ASK)


def _match_verdict(verdicts: bytearray, verdict: int) -> pa.Array:
    """Return an array that is true where a byte of `verdicts` is `verdict`, such as ASK."""
    return pc.equal(_wrap_bytes(verdicts), pa.scalar(verdict, pa.uint8()))


def _wrap_bytes(values: bytearray) -> pa.Array:
    """Return bytes as an Arrow array of numbers from 0 to 255, without copying them."""
    return pa.Array.from_buffers(pa.uint8(), len(values), [None, pa.py_buffer(values)])


def require_valid_offsets(array: pa.Array) -> pa.Array:
    """Return the array itself. Raise `BulkError` if one of its offsets is outside of its buffers.

    Arrow checks offsets only in arrays that it reads from files. The check takes a nanosecond per row. Bytes
    that are not UTF-8 are not checked here.
    """
    try:
        if array.type in (pa.string_view(), pa.binary_view()):
            array.view(pa.binary_view()).validate(full=True)
        else:
            array.validate()
    except pa.ArrowException as error:
        raise BulkError(f"{_INVALID_OFFSETS} ({first_line(error)}); {_REMEDY}") from error
    offset_type = _get_offset_type(array.type)
    if not len(array) or offset_type is None:
        return array
    # Arrow checks only the first and the last offset.
    _, offset_buffer, *_ = array.buffers()
    offsets = pa.Array.from_buffers(offset_type, len(array) + 1, [None, offset_buffer], offset=array.offset)
    is_increasing = pc.all(pc.less_equal(offsets[:-1], offsets[1:])).as_py()
    if not is_increasing:
        raise BulkError(f"{_INVALID_OFFSETS} (an offset is lower than the one before it); {_REMEDY}")
    return array


def _get_offset_type(array_type: pa.DataType) -> pa.DataType | None:
    """Return the type of the offsets in arrays of one type, such as int32 for arrays of strings.

    Return None if such arrays have no offsets.
    """
    if pa.types.is_string(array_type) or pa.types.is_binary(array_type):
        return pa.int32()
    if pa.types.is_large_string(array_type) or pa.types.is_large_binary(array_type):
        return pa.int64()
    return None


def _convert_to_large(texts: pa.Array) -> pa.Array:
    """Convert texts to large strings, or bytes to large binaries, which kernels need.

    The offsets of these types have 64 bits. Raise `BulkError` if the array has neither texts nor bytes.
    """
    text_type = texts.type
    if pa.types.is_null(text_type):
        return pa.nulls(len(texts), pa.large_string())
    if pa.types.is_large_string(text_type) or pa.types.is_large_binary(text_type):
        return texts
    if is_text(text_type):
        return texts.cast(pa.large_string())
    if is_bytes(text_type):
        return texts.cast(pa.large_binary())
    raise BulkError(
        f"the column is of type {text_type}, expected strings or bytes; name another with --column"
    )
