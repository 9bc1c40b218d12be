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
from forsyth.draw.options import require_scene_options
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
    """Draw a sequence of moves, and return an animated PNG file that shows one position after the other.

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
    require_scene_options("animation_png", options)
    seconds = require_duration(seconds)
    match = match_to_animate(subject, moves)
    scenes = build_frame_scenes(match, **options)
    frames = list(render_frames(scenes, size, theme))
    return join_pngs(frames, seconds)


def render_frames(scenes: Sequence[Scene], size: int, theme: Theme) -> Iterator[bytes]:
    """Draw each scene as a PNG file, and yield the bytes of these files.

    All files are `size` pixels wide and of equal height. Empty space is added to the smaller scenes, because
    the frames of an animated PNG need equal sizes.
    """
    width = max(scene.width for scene in scenes)
    height = max(scene.height for scene in scenes)
    for scene in scenes:
        yield png(replace(scene, width=width, height=height), size=size, theme=theme)


def join_pngs(files: Sequence[bytes], seconds: float) -> bytes:
    """Join PNG files into one animated PNG (APNG), and return its bytes.

    Args:
        files: The bytes of the PNG file of each frame.
        seconds: Time for which a frame is shown. The last one is shown `LAST_FRAME_FACTOR` times as long.

    Raises:
        ValueError: If the files differ in size or pixel format.
    """
    # The first chunk of a PNG file is IHDR, with the size and the pixel format.
    _, header = next(_read_chunks(files[0]))
    animation_control = _ANIMATION_CONTROL.pack(len(files), _ENDLESS)
    chunks = [_pack_chunk(b"IHDR", header), _pack_chunk(b"acTL", animation_control)]
    # Viewers without support for animations show this picture. It is not one of the frames.
    chunks += [_pack_chunk(b"IDAT", pixels) for pixels in _read_pixel_data(files[-1], header)]
    chunks += _pack_frames(files, header, seconds)
    chunks.append(_pack_chunk(b"IEND", b""))
    return _SIGNATURE + b"".join(chunks)


def _pack_frames(files: Sequence[bytes], header: bytes, seconds: float) -> Iterator[bytes]:
    """Yield the chunks of all frames: for each PNG file its time, and then its pixels.

    Args:
        files: The bytes of the PNG file of each frame.
        header: The data of the ``IHDR`` chunk of the first file.
        seconds: Time for which a frame is shown. The last one is shown longer.
    """
    # The chunks of all frames are numbered together.
    sequence_number = 0
    last_frame = len(files) - 1
    for frame, file in enumerate(files):
        frame_seconds = seconds * LAST_FRAME_FACTOR if frame == last_frame else seconds
        yield _pack_chunk(b"fcTL", _pack_frame_control(sequence_number, header, frame_seconds))
        sequence_number += 1
        for pixels in _read_pixel_data(file, header):
            yield _pack_chunk(b"fdAT", _SEQUENCE_NUMBER.pack(sequence_number) + pixels)
            sequence_number += 1


def _pack_frame_control(sequence_number: int, header: bytes, seconds: float) -> bytes:
    """Return the data of an ``fcTL`` chunk, which begins a frame that fills the whole picture.

    Args:
        sequence_number: The number of the chunk among those of all frames, from 0.
        header: The data of the ``IHDR`` chunk, which contains the size of the picture.
        seconds: Time for which the frame is shown.
    """
    frame_size = header[:_SIZE_BYTES]
    ticks = round(seconds * _TICKS_PER_SECOND)
    x_offset = y_offset = 0
    # With these values, a frame replaces the one before.
    disposal = blending = 0
    return _FRAME_CONTROL.pack(
        sequence_number, frame_size, x_offset, y_offset, ticks, _TICKS_PER_SECOND, disposal, blending
    )


def _read_pixel_data(file: bytes, header: bytes) -> Iterator[bytes]:
    """Yield the compressed pixels of a PNG file: the data of each of its ``IDAT`` chunks.

    `header` is the data of the ``IHDR`` chunk (size and pixel format) of the first file. Raise `ValueError`
    if that of `file` differs.
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
        data_start = offset + _CHUNK_HEADER.size
        data_end = data_start + length
        yield chunk_type, file[data_start:data_end]
        offset = data_end + _CHECKSUM.size


def _pack_chunk(chunk_type: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG file as bytes: the length of its data, its type, its data, a checksum."""
    checksum = _CHECKSUM.pack(zlib.crc32(chunk_type + data))
    return _CHUNK_HEADER.pack(len(data), chunk_type) + data + checksum
