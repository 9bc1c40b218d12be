"""A sequence of moves as one animated PNG (APNG), for chats and web pages that accept only bitmaps.

Input: that of `animation`, with the options of `png`.

Output: a PNG that shows all positions one after the other in an endless loop, the last one longer. A viewer
that supports no animation shows the last position.

Limits: those of `animation`, and the extra ``png`` is required. The first and the last frame are complete
pictures. Each other frame contains only the squares and captions that change, unless more than these change.
Pieces do not slide. Times are rounded to hundredths of a second.
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
from forsyth.draw.patches import Patch, draw_patches
from forsyth.draw.png import CHECKSUM, CHUNK_HEADER, SIGNATURE, Theme, png, read_chunks
from forsyth.draw.svg import DEFAULT_SIZE

if TYPE_CHECKING:
    from typing import Unpack

    from forsyth.draw.options import SceneOptions, Subject
    from forsyth.scene import Scene

_SEQUENCE_NUMBER: Final = struct.Struct(">I")
_ANIMATION_CONTROL: Final = struct.Struct(">II")
"""The data of an ``acTL`` chunk: the number of frames and of repetitions, where 0 means endless."""
_ENDLESS: Final = 0
"""The number of repetitions of an animation that does not end."""
_FRAME_CONTROL: Final = struct.Struct(">IIIIIHHBB")
"""The data of an ``fcTL`` chunk.

Sequence number, width and height, x and y offset, numerator and denominator of the time in seconds, and two
flags: how the frame is removed, where 0 means that it stays, and how it is laid over the picture.
"""
_STAYS: Final = 0
_REPLACES: Final = 0
"""Flag of a frame whose pixels replace those of the picture."""
_LAID_OVER: Final = 1
"""Flag of a frame whose transparent pixels leave those of the picture visible."""
_SIZE: Final = struct.Struct(">II")
"""Width and height, with which the data of an ``IHDR`` chunk begins."""
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


def render_frames(scenes: Sequence[Scene], size: int, theme: Theme) -> Iterator[bytes | Patch]:
    """Yield the frame of each scene, for a picture that is `size` pixels wide.

    A frame is a PNG file, or a patch: the part in which the scene differs from the one before. The first and
    the last frame are PNG files. All of these have the same size: smaller scenes are enlarged with empty
    space.
    """
    width = max(scene.width for scene in scenes)
    height = max(scene.height for scene in scenes)
    equal_scenes = [replace(scene, width=width, height=height) for scene in scenes]
    first, *middle, last = equal_scenes if len(equal_scenes) > 1 else equal_scenes * 2
    yield png(first, size=size, theme=theme)
    for scene, patch in zip(middle, draw_patches([first, *middle], size, theme), strict=True):
        yield png(scene, size=size, theme=theme) if patch is None else patch
    if len(equal_scenes) > 1:
        yield png(last, size=size, theme=theme)


def join_pngs(frames: Sequence[bytes | Patch], seconds: float) -> bytes:
    """Return one animated PNG (APNG) that shows each of the frames for `seconds`.

    A frame is a PNG file, or a patch that is laid over the frame before. The first and the last frame are PNG
    files. The last frame is shown `LAST_FRAME_FACTOR` times as long, then the animation starts again.

    Raises:
        ValueError: If the files differ in size or pixel format.
    """
    first_file, last_file = frames[0], frames[-1]
    assert isinstance(first_file, bytes) and isinstance(last_file, bytes), "these frames are complete"
    # The first chunk of a PNG file is IHDR, with the size and the pixel format.
    _, header = next(read_chunks(first_file))
    animation_control = _ANIMATION_CONTROL.pack(len(frames), _ENDLESS)
    chunks = [_write_chunk(b"IHDR", header), _write_chunk(b"acTL", animation_control)]
    # Viewers without support for animations show this picture. It is not one of the frames.
    chunks += [_write_chunk(b"IDAT", pixels) for pixels in _read_pixel_data(last_file, header)]
    chunks += _pack_frames(frames, header, seconds)
    chunks.append(_write_chunk(b"IEND", b""))
    return SIGNATURE + b"".join(chunks)


def _pack_frames(frames: Sequence[bytes | Patch], header: bytes, seconds: float) -> Iterator[bytes]:
    """Yield the chunks of all frames: for each frame its time and place, and then its pixels.

    Args:
        frames: The frames, each a PNG file or a patch.
        header: The data of the ``IHDR`` chunk of the first file.
        seconds: Time for which a frame is shown. The last one is shown longer.
    """
    # The chunks of all frames are numbered together.
    sequence_number = 0
    last_number = len(frames)
    for frame_number, frame in enumerate(frames, start=1):
        frame_seconds = seconds * LAST_FRAME_FACTOR if frame_number == last_number else seconds
        yield _write_chunk(b"fcTL", _pack_frame_control(sequence_number, frame, header, frame_seconds))
        sequence_number += 1
        for pixels in _read_pixel_data(frame, header):
            yield _write_chunk(b"fdAT", _SEQUENCE_NUMBER.pack(sequence_number) + pixels)
            sequence_number += 1


def _pack_frame_control(sequence_number: int, frame: bytes | Patch, header: bytes, seconds: float) -> bytes:
    """Return the data of an ``fcTL`` chunk, which begins a frame that is shown for `seconds`.

    A PNG file fills the picture, and a patch is laid over a part of it. `header` is the data of the ``IHDR``
    chunk, which contains the size of the picture.
    """
    if isinstance(frame, Patch):
        x, y, width, height = frame[:4]
        blending = _LAID_OVER
    else:
        x = y = 0
        width, height = _SIZE.unpack_from(header)
        blending = _REPLACES
    ticks = round(seconds * _TICKS_PER_SECOND)
    return _FRAME_CONTROL.pack(
        sequence_number, width, height, x, y, ticks, _TICKS_PER_SECOND, _STAYS, blending
    )


def _read_pixel_data(frame: bytes | Patch, header: bytes) -> Iterator[bytes]:
    """Yield the compressed pixels of a patch or a PNG file: the data of each of its ``IDAT`` chunks.

    `header` is the data of the ``IHDR`` chunk (size and pixel format) of the first file. Raise `ValueError`
    if that of `file` differs.
    """
    if isinstance(frame, Patch):
        yield frame.pixels
        return
    for chunk_type, data in read_chunks(frame):
        if chunk_type == b"IHDR" and data != header:
            raise ValueError(
                "the frames of an animation differ in size or pixel format, expected equal frames; "
                "draw all of them with the same size"
            )
        if chunk_type == b"IDAT":
            yield data


def _write_chunk(chunk_type: bytes, data: bytes) -> bytes:
    """Return the bytes of a chunk of a PNG file: the length of its data, its type, its data, a checksum."""
    checksum = CHECKSUM.pack(zlib.crc32(chunk_type + data))
    return CHUNK_HEADER.pack(len(data), chunk_type) + data + checksum
