"""A sequence of moves as one animated PNG (APNG), for chats and web pages that accept only bitmaps.

Input: that of `animation`, with the options of `png`.

Output: a PNG that shows all positions one after the other in an endless loop, the last one longer. A viewer
that supports no animation shows the last position.

Limits: those of `animation`, and the extra ``png`` is required. Every frame is a complete picture: at the
default size it takes about 30 kB and a tenth of a second. Pieces do not slide. Times are rounded to
hundredths of a second.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from forsyth.draw.animation import (
    DEFAULT_SECONDS,
    LAST_FRAME_FACTOR,
    build_frame_scenes,
    match_to_animate,
    require_duration,
)
from forsyth.draw.png import Theme, png
from forsyth.draw.svg import DEFAULT_SIZE

if TYPE_CHECKING:
    from typing import Unpack

    from forsyth.draw.options import SceneOptions, Subject
    from forsyth.scene import Scene

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
"""The first bytes of every PNG file."""
_CHUNK_HEADER: Final = struct.Struct(">I4s")
"""The beginning of a chunk: the length of its data, and its type."""
_CHECKSUM: Final = struct.Struct(">I")
_SEQUENCE_NUMBER: Final = struct.Struct(">I")
_ANIMATION_CONTROL: Final = struct.Struct(">II")
"""The data of an ``acTL`` chunk: the number of frames and of repetitions, where 0 means endless."""
_ENDLESS: Final = 0
"""The number of repetitions of an animation that does not end."""
_FRAME_CONTROL: Final = struct.Struct(">I8sIIHHBB")
"""The data of an ``fcTL`` chunk.

Sequence number, width and height, x and y offset, numerator and denominator of the time in seconds, and two
flags, which are 0 for a frame that replaces the one before.
"""
_SIZE_BYTES: Final = 8
"""The bytes of width and height, with which the data of an ``IHDR`` chunk begins."""
_TICKS_PER_SECOND: Final = 100
"""The denominator of the times of frames."""


def animation_png(
    subject: Subject,
    moves: Iterable[str] | str = (),
    *,
    seconds: float = DEFAULT_SECONDS,
    size: int = DEFAULT_SIZE,
    theme: Theme = "light",
    **options: Unpack[SceneOptions],
) -> bytes:
    """Return a sequence of moves as an animated PNG file, which shows one position after the other.

    Args:
        subject: A position, reading, match, record or node of a record. The moves of a match or record are
            shown first.
        moves: Further moves, as texts or as one text with blanks between them.
        seconds: Time for which the position after each move is shown.
        size: Width of the picture in pixels.
        theme: The colours of the picture, ``light`` or ``dark``.
        **options: The options of `forsyth.draw.scene`. Each frame marks its last move unless `last` is given.

    Raises:
        ModuleNotFoundError: If the extra ``png`` is not installed.
        MoveError: If a move is not legal.
        TypeError: If `subject` contains no position of a game, such as a scene.
        ValueError: If an argument has an unknown value, or there are more than 600 moves.
    """
    seconds = require_duration(seconds)
    match = match_to_animate(subject, moves)
    scenes = build_frame_scenes(match, **options)
    frames = list(render_frames(scenes, size, theme))
    return join_pngs(frames, seconds)


def render_frames(scenes: Sequence[Scene], size: int, theme: Theme) -> Iterator[bytes]:
    """Yield a PNG file of each scene, all `size` pixels wide and of equal height.

    Smaller scenes are enlarged with empty space, because the frames of an animated PNG need equal sizes.
    """
    width = max(scene.width for scene in scenes)
    height = max(scene.height for scene in scenes)
    for scene in scenes:
        yield png(replace(scene, width=width, height=height), size=size, theme=theme)


def join_pngs(files: Sequence[bytes], seconds: float) -> bytes:
    """Return one animated PNG (APNG) that shows each of the PNG files for `seconds`.

    The last file is shown `LAST_FRAME_FACTOR` times as long, then the animation starts again.

    Raise `ValueError` if the files differ in size or pixel format.
    """
    # The first chunk of a PNG file is IHDR, with the size and the pixel format.
    _, header = next(_read_chunks(files[0]))
    animation_control = _ANIMATION_CONTROL.pack(len(files), _ENDLESS)
    chunks = [_write_chunk(b"IHDR", header), _write_chunk(b"acTL", animation_control)]
    # Viewers without support for animations show this picture. It is not one of the frames.
    chunks += [_write_chunk(b"IDAT", pixels) for pixels in _read_pixel_data(files[-1], header)]

    # The chunks of all frames have one sequence of numbers.
    sequence_number = 0
    last_number = len(files)
    for frame_number, file in enumerate(files, start=1):
        frame_seconds = seconds * LAST_FRAME_FACTOR if frame_number == last_number else seconds
        frame_control = _pack_frame_control(sequence_number, header, frame_seconds)
        chunks.append(_write_chunk(b"fcTL", frame_control))
        sequence_number += 1
        for pixels in _read_pixel_data(file, header):
            chunks.append(_write_chunk(b"fdAT", _SEQUENCE_NUMBER.pack(sequence_number) + pixels))
            sequence_number += 1
    return _SIGNATURE + b"".join(chunks) + _write_chunk(b"IEND", b"")


def _pack_frame_control(sequence_number: int, header: bytes, seconds: float) -> bytes:
    """Return the data of an ``fcTL`` chunk, which begins a frame that fills the picture for `seconds`.

    `header` is the data of the ``IHDR`` chunk, which contains the size.
    """
    frame_size = header[:_SIZE_BYTES]
    ticks = round(seconds * _TICKS_PER_SECOND)
    x = y = 0
    disposal = blending = 0
    return _FRAME_CONTROL.pack(
        sequence_number, frame_size, x, y, ticks, _TICKS_PER_SECOND, disposal, blending
    )


def _read_pixel_data(file: bytes, header: bytes) -> Iterator[bytes]:
    """Yield the compressed pixels of a PNG file: the data of each of its ``IDAT`` chunks.

    Raise `ValueError` if the size or pixel format of the file differs from `header`, the data of the ``IHDR``
    chunk of the first file.
    """
    for chunk_type, data in _read_chunks(file):
        if chunk_type == b"IHDR" and data != header:
            raise ValueError(
                "the frames of an animation differ in size or pixel format, expected equal frames; "
                "draw all of them with the same size"
            )
        if chunk_type == b"IDAT":
            yield data


def _read_chunks(file: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the type, such as ``IDAT``, and the data of each chunk of a PNG file."""
    offset = len(_SIGNATURE)
    while offset < len(file):
        length, chunk_type = _CHUNK_HEADER.unpack_from(file, offset)
        start = offset + _CHUNK_HEADER.size
        yield chunk_type, file[start : start + length]
        offset = start + length + _CHECKSUM.size


def _write_chunk(chunk_type: bytes, data: bytes) -> bytes:
    """Return the bytes of a chunk of a PNG file: the length of its data, its type, its data, a checksum."""
    checksum = _CHECKSUM.pack(zlib.crc32(chunk_type + data))
    return _CHUNK_HEADER.pack(len(data), chunk_type) + data + checksum
