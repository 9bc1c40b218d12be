"""Columnar files, looked at before Arrow decompresses them: a few bytes may claim gigabytes.

Parquet: the header of each page says how large the page is (Thrift's compact protocol, `PageHeader` of
parquet.thrift), and a value that is stored once in a dictionary may be repeated in every row, so the longest
value of a dictionary is looked for. Nothing else of a page is read. At a URL the footer is believed where it
says that all pages of a column together are small enough.

Arrow IPC: a batch may be compressed buffer by buffer, each after eight bytes that claim its size (Arrow
columnar format, "Compression"). The claims are added up: a batch that claims more than MAX_BULK_MESSAGE, and
RATIO times as much as it has bytes, is refused. A batch without compression claims nothing. `Framed` is a
stream of messages as a file for Arrow, each of them checked before it is passed on.

Limits: a page has at most MAX_BULK_PAGE bytes when it is decompressed, its header at most HEADER bytes, the
metadata of a message at most METADATA bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import error as StructError  # noqa: N812
from struct import unpack_from
from typing import Any, BinaryIO, Final, NamedTuple, Protocol

import pyarrow as pa

from forsyth.bulk.errors import BulkError, shown
from forsyth.bulk.sources.files import is_url
from forsyth.limits import MAX_BULK_MESSAGE, MAX_BULK_PAGE

HEADER: Final = 1 << 16
"""Most bytes of a header: some tens, and as much again for the least and the largest value of the page."""
_DICTIONARY_PAGE: Final = 2
"""The type of a page that holds a dictionary (parquet.thrift, `PageType`)."""
_DICTIONARY_HEADER: Final = 7
_FLAGS: Final = (1, 2)
_NUMBERS: Final = range(4, 7)
_BYTES: Final = 8
_DOUBLE: Final = 7
_LISTS: Final = (9, 10)
_STRUCT: Final = 12
"""Types of fields in Thrift's compact protocol: true and false, integers of 16 to 64 bits, bytes, a number of
eight bytes, a list or set, a struct."""
_CODECS: Final = {"SNAPPY": "snappy", "GZIP": "gzip", "BROTLI": "brotli", "ZSTD": "zstd", "LZ4": "lz4_raw"}
"""What Arrow calls the compressions of Parquet."""


class Page(NamedTuple):
    """What the header of a page says."""

    kind: int
    size: int
    """Bytes when it is decompressed."""
    packed: int
    """Bytes in the file, which begin at `at`."""
    at: int
    values: int
    """How many a dictionary holds."""


def longest_value(file: BinaryIO, chunk: Any, path: str) -> int:
    """Bytes of the longest value that a column of a group of rows may repeat; 0 where it repeats none.

    Raises `BulkError` for a page that is too large, or a header that cannot be read.
    """
    longest = 0
    for page in _pages(file, chunk, path):
        if not 0 <= page.size <= MAX_BULK_PAGE:
            raise BulkError(
                f"{shown(path)}: a page of the column {chunk.path_in_schema!r} has {page.size} bytes when it "
                f"is decompressed, expected at most {MAX_BULK_PAGE}; write the file again with smaller values"
            )
        if page.kind == _DICTIONARY_PAGE:
            longest = max(longest, _longest_of(file, chunk, page))
        if is_url(path) and chunk.total_uncompressed_size <= MAX_BULK_PAGE:
            # The dictionary comes first. To look at every page would fetch the file twice over a network.
            break
    return longest


def _pages(file: BinaryIO, chunk: Any, path: str) -> Iterator[Page]:
    at = chunk.data_page_offset
    if chunk.has_dictionary_page:
        at = min(at, chunk.dictionary_page_offset)
    end = at + chunk.total_compressed_size
    while at < end:
        file.seek(at)
        try:
            page = _Header(file.read(HEADER)).page(at)
        except (IndexError, ValueError, RecursionError) as error:
            raise BulkError(
                f"{shown(path)} cannot be read (the page at byte {at} has no whole header); it may be cut "
                "off or damaged: copy it again"
            ) from error
        yield page
        at = page.at + page.packed


def _longest_of(file: BinaryIO, chunk: Any, page: Page) -> int:
    if chunk.physical_type == "FIXED_LEN_BYTE_ARRAY":
        return page.size // max(page.values, 1)
    if chunk.physical_type != "BYTE_ARRAY":
        return 0
    file.seek(page.at)
    data = file.read(page.packed)
    if chunk.compression != "UNCOMPRESSED":
        try:
            data = pa.Codec(_CODECS[chunk.compression]).decompress(data, page.size, asbytes=True)
        except (KeyError, OSError, pa.ArrowException):
            # The page cannot be looked into: all of it may be one value.
            return page.size
    return _longest_plain(data)


def _longest_plain(data: bytes) -> int:
    """The longest of values that each follow their length in four bytes."""
    at = longest = 0
    while at + 4 <= len(data):
        size = int.from_bytes(data[at : at + 4], "little")
        longest = max(longest, size)
        at += 4 + size
    return min(longest, len(data))


class _Header:
    """The fields of a header, read from front to back; `IndexError` where the bytes end inside it."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def page(self, begin: int) -> Page:
        """The page whose header stands at `begin` of the file."""
        numbers: dict[int, int] = {}
        values = 0
        for name, kind in self._fields():
            if kind in _NUMBERS:
                numbers[name] = self._number()
            elif name == _DICTIONARY_HEADER:
                values = self._first_number()
            else:
                self._skip(kind)
        if not {1, 2, 3} <= numbers.keys() or numbers[3] < 0:
            raise ValueError("a header without sizes")
        return Page(numbers[1], numbers[2], numbers[3], begin + self._at, values)

    def _fields(self) -> Iterator[tuple[int, int]]:
        """The number and the type of each field of a struct; the caller reads its value."""
        name = 0
        while byte := self._byte():
            name = name + (byte >> 4) if byte >> 4 else self._number()
            yield name, byte & 15

    def _first_number(self) -> int:
        """The first field of a struct, which is read to its end."""
        first = 0
        for name, kind in self._fields():
            if name == 1 and kind in _NUMBERS:
                first = self._number()
            else:
                self._skip(kind)
        return first

    def _skip(self, kind: int) -> None:
        if kind in _NUMBERS:
            self._number()
        elif kind == _BYTES:
            size = self._length()
            self._at += size
        elif kind == _DOUBLE:
            self._at += 8
        elif kind in _LISTS:
            self._skip_list()
        elif kind == _STRUCT:
            for _, inner in self._fields():
                self._skip(inner)
        elif kind not in _FLAGS:
            raise ValueError("a field of no known type")

    def _skip_list(self) -> None:
        byte = self._byte()
        count = byte >> 4 if byte >> 4 < 15 else self._length()
        if byte & 15 in _FLAGS:
            # In a list each of them takes a byte, elsewhere none.
            self._at += count
            return
        for _ in range(count):
            self._skip(byte & 15)
            if self._at > len(self._data):
                raise ValueError("a list that does not end")

    def _byte(self) -> int:
        byte = self._data[self._at]
        self._at += 1
        return byte

    def _length(self) -> int:
        number = 0
        for shift in range(0, 64, 7):
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
        raise ValueError("a number of more than 64 bits")

    def _number(self) -> int:
        number = self._length()
        return number >> 1 ^ -(number & 1)


RATIO: Final = 100
"""How much smaller a batch is compressed than any real one: texts become a twentieth."""
METADATA: Final = 16 << 20
_CONTINUES: Final = b"\xff\xff\xff\xff"
_DICTIONARY_MESSAGE: Final = 2
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
            f"expected at most {MAX_BULK_MESSAGE}; write the file again with smaller batches"
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
    if kind not in (_DICTIONARY_MESSAGE, _BATCH):
        return 0
    batch = _table(metadata, message, 2)
    if kind == _DICTIONARY_MESSAGE:
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
