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
        if position is None:
            continue
        _require_features_and_planes(game, position, text)
        is_legal = not any(finding.is_error for finding in game.check(position))
        packed_size = len(game.pack(position))
        require(
            not is_legal or packed_size <= game.packed_width,
            game,
            f"packed_width is {game.packed_width}, but the packed form of the legal position {quoted(text)} "
            f"has {packed_size} bytes",
        )
    if game.column is not None:
        _require_unpacking(game, game.column, texts)
        _require_kernels(game, game.column, [text.encode("utf-8", "surrogatepass") for text in texts])


def _require_features_and_planes(game: Columnar, position: object, text: str) -> None:
    """Check the number and ranges of the features of a position, and the size of its tensor.

    `text` is the text of the position, for messages. Raise `AssertionError` if a check fails.
    """
    assert isinstance(game, Game)
    values = game.features(position)
    count = len(game.feature_list)
    require(len(values) == count, game, f"{quoted(text)} has {len(values)} features, expected {count}")
    for feature, value in zip(game.feature_list, values, strict=True):
        minimum, maximum = _MIN_INT32, _MAX_INT32
        if feature.labels:
            # The value is an index into the labels.
            minimum, maximum = 0, len(feature.labels) - 1
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
    """Check that the kernel `unpack` turns the packed forms of these positions into their canonical texts.

    It may leave a row undecided with the verdict ASK. Raise `AssertionError` if it writes another text.
    """
    assert isinstance(game, Game)
    width = game.packed_width
    max_text = game.max_text
    canonical_by_form: dict[bytes, str] = {}
    for text in texts:
        position = game.read(text).position
        if position is not None and len(game.pack(position)) <= width:
            canonical_by_form[game.pack(position)] = str(position)
    count = len(canonical_by_form)
    verdicts = memoryview(bytearray(count))
    texts_out = memoryview(bytearray(count * max_text))
    lengths = memoryview(array("i", [0]) * count)
    packed = memoryview(b"".join(form.ljust(width, b"\0") for form in canonical_by_form))
    kernels.unpack(packed, width, 0, count, verdicts, texts_out, lengths, max_text)
    for row, text in enumerate(canonical_by_form.values()):
        unpacked = bytes(texts_out[row * max_text : row * max_text + lengths[row]])
        agrees = verdicts[row] == ASK or unpacked == text.encode()
        require(agrees, game, f"the kernels unpack {quoted(unpacked)}, expected {quoted(text)}")


class _Rows:
    """Texts as the input buffers of kernels, and empty output buffers for them."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        self.count = len(texts)
        offsets = array("q", [0])
        for text in texts:
            offsets.append(offsets[-1] + len(text))
        self.chars, self.offsets = memoryview(b"".join(texts)), memoryview(offsets)
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
    texts_out, lengths = rows.make_buffer(max_text), memoryview(array("i", [0]) * rows.count)
    kernels.rewrite(*rows.arguments, verdicts, texts_out, lengths, max_text)
    for row, data in enumerate(texts):
        verdict = verdicts[row]
        require(verdict in _VERDICTS, game, f"the verdict about {quoted(data)} is {verdict}, expected 0 to 4")
        if verdict == ASK:
            continue
        text = data.decode("utf-8", "surrogateescape")
        result = reading.check(text, game, mode=mode) if legality else reading.read(text, game, mode=mode)
        expected_verdict = _expected_verdict(result, data)
        require(
            verdict == expected_verdict,
            game,
            f"the kernels misjudge {quoted(data)} in {mode} mode: the verdict is {verdict}, "
            f"expected {expected_verdict}",
        )
        if verdict in (SPELLED, NOTED):
            rewritten = bytes(texts_out[row * max_text : row * max_text + lengths[row]])
            canonical = str(result.position).encode()
            require(
                rewritten == canonical,
                game,
                f"the kernels rewrite {quoted(data)} as {quoted(rewritten)}, expected {quoted(canonical)}",
            )
        if verdict in (NOTED, REFUSED):
            noted = _decode_notes(kernels, notes[NOTES * row : NOTES * (row + 1)])
            expected_notes = _expected_notes(result)
            require(
                noted == expected_notes,
                game,
                f"the kernels note {noted} about {quoted(data)}, the reader {expected_notes}",
            )


def _decode_notes(kernels: Column, notes: memoryview) -> tuple[object, ...]:
    """Return the notes that `scan` wrote about one row, with codes and squares in place of their indices.

    The result has the code, severity, span and square of the first finding, and the number of findings. The
    square is None if the finding is not about one.
    """
    code_index, severity_index, start, end, square_index, count = notes
    square = kernels.squares[square_index] if square_index >= 0 else None
    return kernels.codes[code_index], tuple(Severity)[severity_index], (start, end), square, count


def _expected_notes(result: Reading[object]) -> tuple[object, ...]:
    """Return what the notes of `scan` must contain about a reading, in the form of `_decode_notes`.

    They are about the first error, or about the first warning if there is no error.
    """
    first = (result.errors or result.warnings)[0]
    return first.code, first.severity, tuple(first.span), first.square, len(result.diagnostics)


def _expected_verdict(result: Reading[object], data: bytes) -> int:
    """Return the verdict about the text `data` that matches its reading.

    REFUSED means an error, NOTED only warnings, CANONICAL a valid canonical text, and SPELLED a valid text
    that is not canonical.
    """
    if not result.ok:
        return REFUSED
    if result.diagnostics:
        return NOTED
    return CANONICAL if str(result.position).encode() == data else SPELLED


def _require_kernels(game: Columnar, kernels: Column, texts: Sequence[bytes]) -> None:
    """Check that all kernels that read texts agree with the reader: verdicts, keys, tensors and the rest.

    A row with the verdict ASK is left to the reader and not compared. Raise `AssertionError` if one differs.
    """
    assert isinstance(game, Game)
    rows = _Rows(texts)
    scan_verdicts = rows.make_verdicts()
    kernels.scan(*rows.arguments, DEFAULT, False, scan_verdicts, rows.make_notes())
    for mode in MODES:
        for legality in (False, True):
            _require_scan(game, kernels, texts, mode, legality)
    width, plane_size = game.packed_width, game.plane_shape.size
    keys, packed = rows.make_buffer(_KEY_SIZE), rows.make_buffer(width)
    planes = rows.make_buffer(plane_size)
    features = memoryview(array("i", [0]) * (rows.count * len(game.feature_list)))
    verdicts = {verb: rows.make_verdicts() for verb in ("keys", "pack", "features", "planes")}
    kernels.keys(*rows.arguments, verdicts["keys"], keys)
    kernels.pack(*rows.arguments, verdicts["pack"], packed, width)
    kernels.features(*rows.arguments, verdicts["features"], features, rows.count)
    kernels.planes(*rows.arguments, verdicts["planes"], planes)
    for row, data in enumerate(texts):
        verdict_by_verb = {verb: buffer[row] for verb, buffer in verdicts.items()}
        different_verdicts = {scan_verdicts[row], *verdict_by_verb.values()}
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
        if expected_verdict == REFUSED:
            continue
        position = result.require()
        key = bytes(keys[row * _KEY_SIZE : (row + 1) * _KEY_SIZE])
        packed_form = bytes(packed[row * width : (row + 1) * width])
        tensor = bytes(planes[row * plane_size : (row + 1) * plane_size])
        results_of_kernel_and_reader = {
            "keys": (key, bytes.fromhex(game.key(position))),
            "pack": (packed_form, game.pack(position).ljust(width, b"\0")),
            "features": (tuple(features[row :: rows.count]), game.features(position)),
            "planes": (tensor, game.planes(position)),
        }
        for verb, (by_kernel, by_reader) in results_of_kernel_and_reader.items():
            agrees = verdict_by_verb[verb] == ASK or by_kernel == by_reader
            require(agrees, game, f"kernels and reader disagree about the {verb} of {quoted(data)}")
