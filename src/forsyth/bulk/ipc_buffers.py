"""The messages of Arrow IPC, looked at before Arrow decompresses them.

A batch may be compressed buffer by buffer, each behind eight bytes that claim its size (Arrow columnar
format, "Compression"). What they claim is added up: a batch that claims more than MAX_BULK_MESSAGE, and RATIO
times as much as it has bytes, is refused. A batch that stands in the file as it is claims nothing.

`Framed` is a stream of messages as a file for Arrow, each of them looked at before it is given out.

Limits: the metadata of a message has at most METADATA bytes.
"""

from __future__ import annotations

from struct import error as StructError  # noqa: N812
from struct import unpack_from
from typing import Any, Final, Protocol

import pyarrow as pa

from forsyth.bulk.errors import BulkError, shown
from forsyth.limits import MAX_BULK_MESSAGE

RATIO: Final = 100
"""How much smaller a batch is compressed than any real one: texts become a twentieth."""
METADATA: Final = 16 << 20
_CONTINUES: Final = b"\xff\xff\xff\xff"
_DICTIONARY: Final = 2
_BATCH: Final = 3
"""What a message holds (Message.fbs, `MessageHeader`)."""


class Source(Protocol):
    """Bytes from front to back."""

    def read(self, size: int) -> bytes:
        """The next bytes, fewer than `size` only at the end."""


def must_be_bounded(metadata: bytes, body: Any, path: str) -> None:
    """Raises `BulkError` for a message whose batch claims far more than it holds."""
    try:
        claimed = _claimed(metadata, body)
    except (StructError, IndexError) as error:
        raise BulkError(
            f"{shown(path)} cannot be read (a message has no whole head); it may be cut off or damaged: "
            "copy it again"
        ) from error
    if claimed > MAX_BULK_MESSAGE and claimed > RATIO * len(body):
        raise BulkError(
            f"{shown(path)}: a batch of {len(body)} bytes claims {claimed} when it is decompressed, "
            f"expected at most {MAX_BULK_MESSAGE}; write the file anew with smaller batches"
        )


def must_all_be_bounded(file: Any, begin: int, batches: range, path: str) -> None:
    """The same for some batches of a file that is mapped, and for the dictionaries before them.

    `begin` is the byte behind which the messages stand.
    """
    file.seek(begin)
    number = -1
    for message in pa.ipc.MessageReader.open_stream(file):
        if message.type == "record batch":
            number += 1
            if number < batches.start:
                continue
        if number >= batches.stop:
            break
        must_be_bounded(message.metadata.to_pybytes(), message.body or b"", path)
    file.seek(0)


class Framed:
    """A stream of messages that Arrow reads."""

    closed = False

    def __init__(self, source: Source, path: str) -> None:
        self._source = source
        self._path = path
        self._held = b""
        self._ended = False

    def read(self, size: int = -1) -> bytes:
        """The next bytes, fewer than `size` only at the end."""
        while len(self._held) < size and not self._ended:
            self._held += self._message()
        found, self._held = self._held[:size], self._held[size:]
        return (
            found if len(found) == size or not self._ended else found + self._source.read(size - len(found))
        )

    def close(self) -> None:
        """Whoever opened the stream closes it."""

    def _message(self) -> bytes:
        """The next message whole; what is none ends the looking, and Arrow says what it is."""
        head = self._source.read(4)
        if head == _CONTINUES:
            head += self._source.read(4)
        size = int.from_bytes(head[-4:], "little")
        if not 0 < size <= METADATA:
            self._ended = True
            return head
        metadata = self._source.read(size)
        if len(metadata) < size:
            self._ended = True
            return head + metadata
        body = self._source.read(_body_length(metadata))
        must_be_bounded(metadata, body, self._path)
        return head + metadata + body


# --- FlatBuffers --------------------------------------------------------------------------------------


def _claimed(metadata: bytes, body: Any) -> int:
    """The bytes that the buffers of a message claim; 0 where they are not compressed."""
    message = _root(metadata)
    kind = _scalar(metadata, message, 1, "<B")
    if kind not in (_DICTIONARY, _BATCH):
        return 0
    batch = _table(metadata, message, 2)
    if kind == _DICTIONARY:
        batch = _table(metadata, batch, 1)
    if not _place(metadata, batch, 3):
        return 0
    buffers = _table(metadata, batch, 2)
    (count,) = unpack_from("<I", metadata, buffers)
    total = 0
    for number in range(count):
        offset, length = unpack_from("<qq", metadata, buffers + 4 + 16 * number)
        if length >= 8:
            (claimed,) = unpack_from("<q", body, offset)
            total += length if claimed < 0 else claimed
    return total


def _body_length(metadata: bytes) -> int:
    try:
        return max(_scalar(metadata, _root(metadata), 3, "<q"), 0)
    except StructError:
        return 0


def _root(data: bytes) -> int:
    return int(unpack_from("<I", data, 0)[0])


def _place(data: bytes, table: int, number: int) -> int:
    """Where a field of a table stands; 0 where it is not given."""
    fields = table - unpack_from("<i", data, table)[0]
    if 4 + 2 * number >= unpack_from("<H", data, fields)[0]:
        return 0
    offset: int = unpack_from("<H", data, fields + 4 + 2 * number)[0]
    return table + offset if offset else 0


def _scalar(data: bytes, table: int, number: int, form: str) -> int:
    place = _place(data, table, number)
    return int(unpack_from(form, data, place)[0]) if place else 0


def _table(data: bytes, table: int, number: int) -> int:
    """Where the table or vector of a field stands."""
    place = _place(data, table, number)
    return place + int(unpack_from("<I", data, place)[0])
