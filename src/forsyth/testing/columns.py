"""Columns: numbers and tensors of the shape that is promised, and kernels that agree with the reader.

A kernel may leave a row to the reader. Where it answers, it must answer as the reader does.
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

_BITS: Final = 31
_VERDICTS: Final = (ASK, CANONICAL, SPELLED, NOTED, REFUSED)
_MODES: Final[Mapping[Mode, int]] = {"default": DEFAULT, "strict": STRICT, "lenient": LENIENT}


def require_columns(game: Columnar, texts: Sequence[str]) -> None:
    """Hold a game that has columns to what it promises about these texts."""
    assert isinstance(game, Game)
    names = [feature.name for feature in game.feature_list]
    require(len(set(names)) == len(names), game, "two features have one name")
    for text in texts:
        position = game.read(text).position
        if position is None:
            continue
        _require_numbers(game, position, text)
        legal = not any(finding.is_error for finding in game.check(position))
        require(
            not legal or len(game.pack(position)) <= game.packed_width,
            game,
            f"packed_width has no room for {quoted(text)}, which is legal",
        )
    if game.column is not None:
        _require_unpacking(game, game.column, texts)
        _require_kernels(game, game.column, [text.encode("utf-8", "surrogatepass") for text in texts])


def _require_numbers(game: Columnar, position: object, text: str) -> None:
    assert isinstance(game, Game)
    numbers = game.features(position)
    require(len(numbers) == len(game.feature_list), game, f"{quoted(text)} has too few or too many features")
    for feature, number in zip(game.feature_list, numbers, strict=True):
        least, most = (0, len(feature.labels) - 1) if feature.labels else (-(1 << _BITS), (1 << _BITS) - 1)
        require(least <= number <= most, game, f"the feature {feature.name} of {quoted(text)} is {number}")
    size = len(game.planes(position))
    require(size == game.plane_shape.size, game, f"the planes of {quoted(text)} have {size} bytes")


def _require_unpacking(game: Columnar, kernels: Column, texts: Sequence[str]) -> None:
    assert isinstance(game, Game)
    found = [position for text in texts if (position := game.read(text).position) is not None]
    forms = {game.pack(position): str(position) for position in found}
    forms = {form: text for form, text in forms.items() if len(form) <= game.packed_width}
    width, room, count = game.packed_width, game.max_text, len(forms)
    verdicts, out = memoryview(bytearray(count)), memoryview(bytearray(count * room))
    lengths = memoryview(array("i", [0]) * count)
    packed = memoryview(b"".join(form.ljust(width, b"\0") for form in forms))
    kernels.unpack(packed, width, 0, count, verdicts, out, lengths, room)
    for row, text in enumerate(forms.values()):
        written = bytes(out[row * room : row * room + lengths[row]])
        agree = verdicts[row] == ASK or written == text.encode()
        require(agree, game, f"the kernels unpack {quoted(written)} for {quoted(text)}")


class _Rows:
    """Texts as the buffers that kernels take."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        self.count = len(texts)
        offsets = array("q", [0])
        for text in texts:
            offsets.append(offsets[-1] + len(text))
        self.chars, self.offsets = memoryview(b"".join(texts)), memoryview(offsets)
        self.given = (self.chars, self.offsets, 0, self.count)

    def verdicts(self) -> memoryview:
        """Room for the verdicts."""
        return memoryview(bytearray(self.count))

    def notes(self) -> memoryview:
        """Room for what a scan notes."""
        return memoryview(array("i", [0]) * (NOTES * self.count))

    def room(self, size: int) -> memoryview:
        """Room for so many bytes a row."""
        return memoryview(bytearray(self.count * size))


def _require_scan(
    game: Columnar, kernels: Column, texts: Sequence[bytes], mode: Mode, legality: bool
) -> None:
    """Hold a scan, and the canonical texts of what it accepts, to what the reader says in a mode."""
    assert isinstance(game, Game)
    rows = _Rows(texts)
    verdicts, notes = rows.verdicts(), rows.notes()
    kernels.scan(*rows.given, _MODES[mode], legality, verdicts, notes)
    room = game.max_text
    written, lengths = rows.room(room), memoryview(array("i", [0]) * rows.count)
    kernels.rewrite(*rows.given, verdicts, written, lengths, room)
    for row, data in enumerate(texts):
        require(verdicts[row] in _VERDICTS, game, f"a verdict about {quoted(data)} is none of the five")
        if verdicts[row] == ASK:
            continue
        text = data.decode("utf-8", "surrogateescape")
        found = reading.check(text, game, mode=mode) if legality else reading.read(text, game, mode=mode)
        wanted = _verdict(found, data)
        require(verdicts[row] == wanted, game, f"the kernels misjudge {quoted(data)} in {mode} mode")
        if wanted in (SPELLED, NOTED):
            rewritten = bytes(written[row * room : row * room + lengths[row]])
            is_canonical = rewritten == str(found.position).encode()
            require(is_canonical, game, f"the kernels rewrite {quoted(data)} as {quoted(rewritten)}")
        if wanted < NOTED:
            continue
        number, severity, *place, square, count = notes[NOTES * row : NOTES * (row + 1)]
        first = (found.errors or found.warnings)[0]
        noted = (
            kernels.codes[number],
            tuple(Severity)[severity],
            tuple(place),
            kernels.squares[square] if square >= 0 else None,
            count,
        )
        said = (first.code, first.severity, tuple(first.span), first.square, len(found.diagnostics))
        require(noted == said, game, f"the kernels note {noted} about {quoted(data)}, the reader {said}")


def _verdict(found: Reading[object], data: bytes) -> int:
    """The verdict of a row that the kernels answer for, by its reading."""
    if not found.ok:
        return REFUSED
    if found.diagnostics:
        return NOTED
    return CANONICAL if str(found.position).encode() == data else SPELLED


def _require_kernels(game: Columnar, kernels: Column, texts: Sequence[bytes]) -> None:
    assert isinstance(game, Game)
    rows = _Rows(texts)
    scanned = rows.verdicts()
    kernels.scan(*rows.given, DEFAULT, False, scanned, rows.notes())
    for mode in MODES:
        for legality in (False, True):
            _require_scan(game, kernels, texts, mode, legality)
    width, size = game.packed_width, game.plane_shape.size
    keys, packed, planes = rows.room(16), rows.room(width), rows.room(size)
    numbers = memoryview(array("i", [0]) * (rows.count * len(game.feature_list)))
    answered = {verb: rows.verdicts() for verb in ("keys", "pack", "features", "planes")}
    kernels.keys(*rows.given, answered["keys"], keys)
    kernels.pack(*rows.given, answered["pack"], packed, width)
    kernels.features(*rows.given, answered["features"], numbers, rows.count)
    kernels.planes(*rows.given, answered["planes"], planes)
    for row, data in enumerate(texts):
        verdicts = {verb: found[row] for verb, found in answered.items()}
        said = {scanned[row], *verdicts.values()}
        if said == {ASK}:
            continue
        found_by_reader = game.read(data.decode("utf-8", "surrogateescape"))
        wanted = _verdict(found_by_reader, data)
        require(said <= {ASK, wanted}, game, f"the kernels misjudge {quoted(data)}")
        if wanted == REFUSED:
            continue
        position = found_by_reader.require()
        expected = {
            "keys": (bytes(keys[row * 16 : row * 16 + 16]), bytes.fromhex(game.key(position))),
            "pack": (bytes(packed[row * width : (row + 1) * width]), game.pack(position).ljust(width, b"\0")),
            "features": (tuple(numbers[row :: rows.count]), game.features(position)),
            "planes": (bytes(planes[row * size : (row + 1) * size]), game.planes(position)),
        }
        for verb, (by_kernel, by_reader) in expected.items():
            agree = verdicts[verb] == ASK or by_kernel == by_reader
            require(agree, game, f"kernels and reader disagree about the {verb} of {quoted(data)}")
