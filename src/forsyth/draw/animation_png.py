"""A line of moves as one PNG that moves by itself (APNG), for chats and pages that take pictures alone.

Accepts
    What `animation` accepts, with the options of `png`.
Writes
    A PNG with a picture of every position, one after the other, for ever; the last one is shown for longer.
    A viewer that knows no animation shows the end of the line.
Limits
    Those of `animation`, and the extra ``png``. Every position is a whole picture: some 30 kB and a tenth of
    a second each at the usual size. Men do not slide. Times are in hundredths of a second.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from forsyth.draw.animation import LAST, SECONDS, duration, frames, played
from forsyth.draw.png import Theme, png
from forsyth.draw.svg import SIZE

if TYPE_CHECKING:
    from typing import Unpack

    from forsyth.draw.options import Options, Subject
    from forsyth.scene import Scene

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_TICKS: Final = 100
"""Parts of a second that times are counted in."""


def animation_png(
    what: Subject,
    moves: Iterable[str] | str = (),
    *,
    seconds: float = SECONDS,
    size: int = SIZE,
    theme: Theme = "light",
    **how: Unpack[Options],
) -> bytes:
    """A line of moves as a PNG file `size` pixels wide that shows one position after the other.

    The other options are those of `forsyth.draw.scene`; the last move is marked unless `last` says otherwise.
    """
    seconds = duration(seconds)
    scenes = frames(played(what, moves), **how)
    return joined(list(pictures(scenes, size, theme)), seconds)


def pictures(scenes: Sequence[Scene], size: int, theme: Theme) -> Iterator[bytes]:
    """A PNG of every scene, one when it is asked for, all of the same size."""
    width, height = max(scene.width for scene in scenes), max(scene.height for scene in scenes)
    for scene in scenes:
        yield png(replace(scene, width=width, height=height), size=size, theme=theme)


def joined(files: Sequence[bytes], seconds: float) -> bytes:
    """PNG files of the same size and kind as one that shows each of them for so long."""
    header = next(_chunks(files[0]))[1]
    # The picture of viewers that know no animation comes first, and is none of its frames.
    parts = [_SIGNATURE, _chunk(b"IHDR", header), _chunk(b"acTL", struct.pack(">II", len(files), 0))]
    parts += [_chunk(b"IDAT", data) for data in _pixels(files[-1], header)]
    number = 0
    for at, file in enumerate(files, start=1):
        ticks = round(seconds * _TICKS * (LAST if at == len(files) else 1))
        # As wide and high as the whole, in its corner, in the place of what was there.
        frame = struct.pack(">I8sIIHHBB", number, header[:8], 0, 0, ticks, _TICKS, 0, 0)
        parts.append(_chunk(b"fcTL", frame))
        number += 1
        for data in _pixels(file, header):
            parts.append(_chunk(b"fdAT", struct.pack(">I", number) + data))
            number += 1
    return b"".join([*parts, _chunk(b"IEND", b"")])


def _pixels(file: bytes, header: bytes) -> Iterator[bytes]:
    """The pixels of a file, still compressed."""
    for kind, data in _chunks(file):
        if kind == b"IHDR" and data != header:
            raise ValueError("the pictures of an animation differ in size or kind")
        if kind == b"IDAT":
            yield data


def _chunks(file: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at < len(file):
        length, kind = struct.unpack_from(">I4s", file, at)
        yield kind, file[at + 8 : at + 8 + length]
        at += length + 12


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
