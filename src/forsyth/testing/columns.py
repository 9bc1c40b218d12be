"""Checks of table columns: features, tensors and packed forms, and kernels that agree with the reader.

A kernel may leave a row to the reader. If it decides, its result must be that of the reader.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Final

from forsyth import reading
from forsyth.abilities import Columnar
from forsyth.arguments import quoted
from forsyth.column import (
    ASK,
    CANONICAL,
    DEFAULT,
    LENIENT,
    NOTED,
    NOTES,
    REFUSED,
    SPELLED,
    STRICT,
    Column,
)
from forsyth.diagnostics import MODES, Mode, Reading, Severity
from forsyth.game import Game
from forsyth.testing.promise import require

_MIN_INT32: Final = -(1 << 31)
_MAX_INT32: Final = (1 << 31) - 1
_KEY_SIZE: Final = 16
"""Bytes of a key."""
_VERDICTS: Final = (ASK, CANONICAL, SPELLED, NOTED, REFUSED)
_MODE_NUMBERS: Final[Mapping[Mode, int]] = {"default": DEFAULT, "strict": STRICT, "lenient": LENIENT}


def require_columns(game: Columnar, texts: Sequence[str]) -> None:
    """Check the table columns that a game offers: features, tensors and packed forms of positions.

    Kernels, the functions that compute a whole column at once, must agree with the reader on all of `texts`,
    valid or not. Raise `AssertionError` if a check fails.
    """
    assert isinstance(game, Game)
    names = [feature.name for feature in game.feature_list]
    require(len(set(names)) == len(names), game, "two features have the same name, expected different names")
    for text in texts:
        position = game.read(text).position
        if position is not None:
            _require_features_and_planes(game, position, text)
            _require_packed_width(game, position, text)
    if game.column is not None:
        texts_as_bytes = [text.encode("utf-8", "surrogatepass") for text in texts]
        _require_unpacking(game, game.column, texts)
        _require_kernels(game, game.column, texts_as_bytes)


def _require_packed_width(game: Columnar, position: object, text: str) -> None:
    """Check that the packed form (the bytes) of a legal position has at most `packed_width` bytes.

    An illegal position passes. `text` is the text of the position, for the message. Raise `AssertionError` if
    the packed form is longer.
    """
    assert isinstance(game, Game)
    is_legal = not any(finding.is_error for finding in game.check(position))
    packed_size = len(game.pack(position))
    require(
        not is_legal or packed_size <= game.packed_width,
        game,
        f"packed_width is {game.packed_width}, but the packed form of the legal position {quoted(text)} "
        f"has {packed_size} bytes",
    )


def _require_features_and_planes(game: Columnar, position: object, text: str) -> None:
    """Check the number and ranges of the features of a position, and the size of its tensor.

    `text` is the text of the position, for messages. Raise `AssertionError` if a check fails.
    """
    assert isinstance(game, Game)
    values = game.features(position)
    count = len(game.feature_list)
    require(len(values) == count, game, f"{quoted(text)} has {len(values)} features, expected {count}")
    for feature, value in zip(game.feature_list, values, strict=True):
        # The value of a feature with labels is an index into the labels.
        minimum = 0 if feature.labels else _MIN_INT32
        maximum = len(feature.labels) - 1 if feature.labels else _MAX_INT32
        require(
            minimum <= value <= maximum,
            game,
            f"the feature {feature.name} of {quoted(text)} is {value}, expected {minimum} to {maximum}",
        )
    size = len(game.planes(position))
    expected_size = game.plane_shape.size
    require(
        size == expected_size,
        game,
        f"the planes of {quoted(text)} have {size} bytes, expected {expected_size}",
    )


def _require_unpacking(game: Columnar, kernels: Column, texts: Sequence[str]) -> None:
    """Check that the kernel `unpack` turns the packed forms of positions into their canonical texts.

    The positions are those of `texts`. The kernel may leave a row undecided with the verdict ASK. Raise
    `AssertionError` if it writes another text.
    """
    assert isinstance(game, Game)
    width = game.packed_width
    max_text = game.max_text
    canonical_by_packed: dict[bytes, str] = {}
    for text in texts:
        position = game.read(text).position
        if position is not None and len(game.pack(position)) <= width:
            canonical_by_packed[game.pack(position)] = str(position)
    row_count = len(canonical_by_packed)

    packed_rows = memoryview(b"".join(packed.ljust(width, b"\0") for packed in canonical_by_packed))
    verdicts = memoryview(bytearray(row_count))
    text_rows = memoryview(bytearray(row_count * max_text))
    lengths = memoryview(array("i", [0]) * row_count)
    kernels.unpack(packed_rows, width, 0, row_count, verdicts, text_rows, lengths, max_text)

    for row, canonical in enumerate(canonical_by_packed.values()):
        unpacked = _text_of_row(text_rows, row, max_text, lengths)
        agrees = verdicts[row] == ASK or unpacked == canonical.encode()
        require(agrees, game, f"the kernels unpack {quoted(unpacked)}, expected {quoted(canonical)}")


def _text_of_row(text_rows: memoryview, row: int, max_text: int, lengths: memoryview) -> bytes:
    """Return the text that a kernel has written for one row.

    Each row has `max_text` bytes in the buffer `text_rows`. `lengths` has the length of each text.
    """
    start = row * max_text
    return bytes(text_rows[start : start + lengths[row]])


class _Rows:
    """Texts as the input buffers of kernels, and empty output buffers for them.

    A kernel is a function that computes values of a whole column of texts at once.
    """

    def __init__(self, texts: Sequence[bytes]) -> None:
        self.count = len(texts)
        offsets = array("q", [0])
        for text in texts:
            offsets.append(offsets[-1] + len(text))
        self.chars = memoryview(b"".join(texts))
        self.offsets = memoryview(offsets)
        self.arguments = (self.chars, self.offsets, 0, self.count)
        """The first arguments of every kernel that reads texts: all rows."""

    def make_verdicts(self) -> memoryview:
        """Return a buffer of zeros for verdicts, one byte for each row."""
        return memoryview(bytearray(self.count))

    def make_notes(self) -> memoryview:
        """Return a buffer of zeros for the notes of `scan`, `NOTES` integers for each row."""
        return memoryview(array("i", [0]) * (NOTES * self.count))

    def make_buffer(self, size: int) -> memoryview:
        """Return a buffer of zeros with `size` bytes for each row."""
        return memoryview(bytearray(self.count * size))


def _require_scan(
    game: Columnar, kernels: Column, texts: Sequence[bytes], mode: Mode, legality: bool
) -> None:
    """Check that the kernels `scan` and `rewrite` agree with the reader about all texts in one mode.

    For each text, compare the verdict, the canonical text, and the first finding. A row with the verdict ASK
    is left to the reader and not compared. With `legality`, findings about legality count too. Raise
    `AssertionError` if something differs.
    """
    assert isinstance(game, Game)
    rows = _Rows(texts)
    verdicts, notes = rows.make_verdicts(), rows.make_notes()
    kernels.scan(*rows.arguments, _MODE_NUMBERS[mode], legality, verdicts, notes)
    max_text = game.max_text
    text_rows = rows.make_buffer(max_text)
    lengths = memoryview(array("i", [0]) * rows.count)
    kernels.rewrite(*rows.arguments, verdicts, text_rows, lengths, max_text)

    read_text = reading.check if legality else reading.read
    for row, data in enumerate(texts):
        verdict = verdicts[row]
        require(verdict in _VERDICTS, game, f"the verdict about {quoted(data)} is {verdict}, expected 0 to 4")
        if verdict == ASK:
            continue
        result = read_text(data.decode("utf-8", "surrogateescape"), game, mode=mode)
        expected_verdict = _expected_verdict(result, data)
        require(
            verdict == expected_verdict,
            game,
            f"the kernels misjudge {quoted(data)} in {mode} mode: the verdict is {verdict}, "
            f"expected {expected_verdict}",
        )
        if verdict in (SPELLED, NOTED):
            rewritten = _text_of_row(text_rows, row, max_text, lengths)
            canonical = str(result.position).encode()
            require(
                rewritten == canonical,
                game,
                f"the kernels rewrite {quoted(data)} as {quoted(rewritten)}, expected {quoted(canonical)}",
            )
        if verdict in (NOTED, REFUSED):
            row_notes = _decode_notes(kernels, notes[NOTES * row : NOTES * (row + 1)])
            expected_notes = _expected_notes(result)
            require(
                row_notes == expected_notes,
                game,
                f"the kernels note {row_notes} about {quoted(data)}, the reader {expected_notes}",
            )


def _decode_notes(kernels: Column, notes: memoryview) -> tuple[object, ...]:
    """Return what the kernel `scan` wrote about one row: six numbers, with names in place of indices.

    The result has the code, severity, span (start and end) and square of the first finding, and the number of
    findings. The square is None if the finding is not about one.
    """
    code_index, severity_index, start, end, square_index, count = notes
    square = kernels.squares[square_index] if square_index >= 0 else None
    severity = tuple(Severity)[severity_index]
    return kernels.codes[code_index], severity, (start, end), square, count


def _expected_notes(result: Reading[object]) -> tuple[object, ...]:
    """Return what the kernel `scan` must write about a text with this reading (see `_decode_notes`).

    It writes about the first error, or about the first warning if there is no error.
    """
    first_finding = (result.errors or result.warnings)[0]
    return (
        first_finding.code,
        first_finding.severity,
        tuple(first_finding.span),
        first_finding.square,
        len(result.diagnostics),
    )


def _expected_verdict(result: Reading[object], data: bytes) -> int:
    """Return the verdict that a kernel must give on the text `data`. `result` is its reading.

    REFUSED means an error, NOTED only warnings, CANONICAL a valid canonical text, and SPELLED a valid text
    that is not canonical.
    """
    if not result.ok:
        return REFUSED
    if result.diagnostics:
        return NOTED
    is_canonical = str(result.position).encode() == data
    return CANONICAL if is_canonical else SPELLED


def _require_kernels(game: Columnar, kernels: Column, texts: Sequence[bytes]) -> None:
    """Check that all kernels that read texts agree with the reader: verdicts, keys, tensors and the rest.

    A row with the verdict ASK is left to the reader and not compared. Raise `AssertionError` if one differs.
    """
    assert isinstance(game, Game)
    for mode in MODES:
        for legality in (False, True):
            _require_scan(game, kernels, texts, mode, legality)
    rows = _Rows(texts)
    results = _KernelResults(game, kernels, rows)
    for row, data in enumerate(texts):
        different_verdicts = results.verdicts_of_row(row)
        if different_verdicts == {ASK}:
            continue
        result = game.read(data.decode("utf-8", "surrogateescape"))
        expected_verdict = _expected_verdict(result, data)
        require(
            different_verdicts <= {ASK, expected_verdict},
            game,
            f"the kernels misjudge {quoted(data)}: the verdicts are {sorted(different_verdicts)}, "
            f"expected {expected_verdict}",
        )
        if expected_verdict != REFUSED:
            _require_values(game, results, row, result.require(), data)


class _KernelResults:
    """The output of the kernels for all rows: their verdicts, and keys, packed forms, features and planes."""

    def __init__(self, game: Columnar, kernels: Column, rows: _Rows) -> None:
        assert isinstance(game, Game)
        self._row_count = rows.count
        self._packed_width = game.packed_width
        self._plane_size = game.plane_shape.size
        verbs = ("scan", "keys", "pack", "features", "planes")
        self._verdicts = {verb: rows.make_verdicts() for verb in verbs}
        self._keys = rows.make_buffer(_KEY_SIZE)
        self._packed = rows.make_buffer(self._packed_width)
        self._features = memoryview(array("i", [0]) * (rows.count * len(game.feature_list)))
        self._planes = rows.make_buffer(self._plane_size)

        kernels.scan(*rows.arguments, DEFAULT, False, self._verdicts["scan"], rows.make_notes())
        kernels.keys(*rows.arguments, self._verdicts["keys"], self._keys)
        kernels.pack(*rows.arguments, self._verdicts["pack"], self._packed, self._packed_width)
        kernels.features(*rows.arguments, self._verdicts["features"], self._features, rows.count)
        kernels.planes(*rows.arguments, self._verdicts["planes"], self._planes)

    def verdict(self, verb: str, row: int) -> int:
        """Return the verdict of one kernel, such as ``keys``, on a row."""
        return int(self._verdicts[verb][row])

    def verdicts_of_row(self, row: int) -> set[int]:
        """Return the different verdicts of all kernels on a row."""
        return {self.verdict(verb, row) for verb in self._verdicts}

    def values_of_row(self, row: int) -> dict[str, object]:
        """Return the key, packed form, features and planes of a row, by the kernels that wrote them."""
        return {
            "keys": _slice_row(self._keys, row, _KEY_SIZE),
            "pack": _slice_row(self._packed, row, self._packed_width),
            # The values of one feature for all rows are together.
            "features": tuple(self._features[row :: self._row_count]),
            "planes": _slice_row(self._planes, row, self._plane_size),
        }


def _slice_row(buffer: memoryview, row: int, size: int) -> bytes:
    """Return the bytes of one row in a buffer with `size` bytes for each row."""
    return bytes(buffer[row * size : (row + 1) * size])


def _require_values(game: Columnar, results: _KernelResults, row: int, position: object, data: bytes) -> None:
    """Check that the kernels wrote the key, packed form, features and planes of a position.

    `data` is the text in this row, and `position` its position. If a kernel has given the verdict ASK, its
    values are not compared. Raise `AssertionError` if a value differs.
    """
    assert isinstance(game, Game)
    expected_values = {
        "keys": bytes.fromhex(game.key(position)),
        "pack": game.pack(position).ljust(game.packed_width, b"\0"),
        "features": game.features(position),
        "planes": game.planes(position),
    }
    values = results.values_of_row(row)
    for verb, expected_value in expected_values.items():
        agrees = results.verdict(verb, row) == ASK or values[verb] == expected_value
        require(agrees, game, f"kernels and reader disagree about the {verb} of {quoted(data)}")
