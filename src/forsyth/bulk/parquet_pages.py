"""The pages of a Parquet file, looked at before Arrow decompresses them.

A page of a few bytes may claim gigabytes, and a value that stands once in a dictionary may be repeated in
every row. The header of each page says how large it is (Thrift's compact protocol, `PageHeader` of
parquet.thrift); of a dictionary the longest value is looked for. Nothing else of a page is read.

At a URL the footer is believed where it says that all pages of a column together are small enough.

Limits: a page has at most MAX_BULK_PAGE bytes when it is decompressed; a header at most HEADER bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, Final, NamedTuple

import pyarrow as pa

from forsyth.bulk.errors import BulkError, shown
from forsyth.bulk.places import is_url
from forsyth.limits import MAX_BULK_PAGE

HEADER: Final = 1 << 16
"""Most bytes of a header: some tens, and as much again for the least and the largest value of the page."""
_DICTIONARY: Final = 2
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
                f"is decompressed, expected at most {MAX_BULK_PAGE}; write the file anew with smaller values"
            )
        if page.kind == _DICTIONARY:
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
    """The longest of values that each stand behind their length in four bytes."""
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
