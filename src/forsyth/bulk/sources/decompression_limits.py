"""Size checks on columnar files before Arrow decompresses them: a few bytes may claim gigabytes.

Parquet: the header of each page states the size of the page (Thrift's compact protocol, `PageHeader` of
parquet.thrift). A value that is stored once in a dictionary may be repeated in every row, so the longest
value of each dictionary is measured. Nothing else of a page is read. For a URL the footer is trusted if it
states that all pages of a column together are small enough.

Arrow IPC: a batch may be compressed buffer by buffer, and eight bytes before each buffer claim its size
(Arrow columnar format, "Compression"). The claims are added up. A batch is rejected if it claims more than
`MAX_BULK_MESSAGE` bytes and more than `MAX_COMPRESSION_RATIO` times the bytes that it has. A batch without
compression claims nothing. `CheckedMessageStream` is a file for Arrow that checks each message before Arrow
reads it.

Limits: a decompressed page has at most `MAX_BULK_PAGE` bytes, the header of a page at most
`MAX_HEADER_BYTES`, the metadata of a message at most `MAX_METADATA_BYTES`.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import error as StructError  # noqa: N812
from struct import unpack_from
from typing import Any, BinaryIO, Final, NamedTuple, Protocol

import pyarrow as pa

from forsyth.bulk.errors import BulkError, display_name
from forsyth.bulk.sources.files import is_url
from forsyth.limits import MAX_BULK_MESSAGE, MAX_BULK_PAGE

MAX_HEADER_BYTES: Final = 1 << 16
"""Upper bound on a page header: some tens of bytes, and the smallest and the largest value of the page."""
_DICTIONARY_PAGE: Final = 2
"""The type of a page that holds a dictionary (parquet.thrift, `PageType`)."""
_PAGE_TYPE_FIELD: Final = 1
_PAGE_SIZE_FIELD: Final = 2
_COMPRESSED_SIZE_FIELD: Final = 3
_DICTIONARY_HEADER_FIELD: Final = 7
"""Numbers of the fields of a page header (parquet.thrift, `PageHeader`)."""
_VALUE_COUNT_FIELD: Final = 1
"""The number of the field with the number of values (parquet.thrift, `DictionaryPageHeader`)."""
_THRIFT_BOOLEANS: Final = (1, 2)
_THRIFT_INTEGERS: Final = range(4, 7)
_THRIFT_BYTES: Final = 8
_THRIFT_DOUBLE: Final = 7
_THRIFT_LISTS: Final = (9, 10)
_THRIFT_STRUCT: Final = 12
"""Field types of Thrift's compact protocol: true and false, integers of 16 to 64 bits, bytes, a float of
eight bytes, a list or a set, a struct."""
_CODECS: Final = {"SNAPPY": "snappy", "GZIP": "gzip", "BROTLI": "brotli", "ZSTD": "zstd", "LZ4": "lz4_raw"}
"""Arrow's names for the compressions of Parquet."""
_LENGTH_BYTES: Final = 4
"""Size of the length before each value of a dictionary."""


class Page(NamedTuple):
    """The content of a page header."""

    page_type: int
    size: int
    """Size of the decompressed page in bytes."""
    compressed_size: int
    """Size of the page in the file, in bytes."""
    data_offset: int
    """Offset of the data of the page, behind the header."""
    value_count: int
    """Number of values in a dictionary page; 0 for other pages."""


def measure_longest_value(file: BinaryIO, chunk: Any, path: str) -> int:
    """Return the size in bytes of the longest value in the dictionaries of a column of one row group.

    A dictionary stores a value once, but any number of rows may repeat it. Return 0 if the column has no
    dictionary. Raise `BulkError` if a page is too large or its header cannot be read.

    Args:
        file: The Parquet file.
        chunk: The metadata of the column in one row group, as Arrow returns it.
        path: The path of the file for error messages.
    """
    max_length = 0
    for page in _iter_pages(file, chunk, path):
        if not 0 <= page.size <= MAX_BULK_PAGE:
            raise BulkError(
                f"{display_name(path)}: a page of the column {chunk.path_in_schema!r} has {page.size} bytes "
                f"when it is decompressed, expected at most {MAX_BULK_PAGE}; "
                "write the file again with smaller values"
            )
        if page.page_type == _DICTIONARY_PAGE:
            max_length = max(max_length, _measure_dictionary(file, chunk, page))
        if is_url(path) and chunk.total_uncompressed_size <= MAX_BULK_PAGE:
            # The dictionary comes first. Reading every header would fetch the file twice over the network.
            break
    return max_length


def _iter_pages(file: BinaryIO, chunk: Any, path: str) -> Iterator[Page]:
    """Yield the header of each page of `chunk`, a column of one row group of the Parquet file `path`.

    Raise `BulkError` if a header is incomplete.
    """
    offset = chunk.data_page_offset
    if chunk.has_dictionary_page:
        offset = min(offset, chunk.dictionary_page_offset)
    end = offset + chunk.total_compressed_size
    while offset < end:
        file.seek(offset)
        try:
            page = _HeaderReader(file.read(MAX_HEADER_BYTES)).read_page(offset)
        except (IndexError, ValueError, RecursionError) as error:
            raise BulkError(
                f"{display_name(path)} cannot be read (the header of the page at byte {offset} is "
                "incomplete); it may be cut off or damaged: copy it again"
            ) from error
        yield page
        offset = page.data_offset + page.compressed_size


def _measure_dictionary(file: BinaryIO, chunk: Any, page: Page) -> int:
    """Return the size in bytes of the longest text or byte string in a dictionary page.

    Return 0 if the column `chunk` has values of another type, which are all short.
    """
    if chunk.physical_type == "FIXED_LEN_BYTE_ARRAY":
        return page.size // max(page.value_count, 1)
    if chunk.physical_type != "BYTE_ARRAY":
        return 0
    file.seek(page.data_offset)
    data = file.read(page.compressed_size)
    if chunk.compression != "UNCOMPRESSED":
        try:
            data = pa.Codec(_CODECS[chunk.compression]).decompress(data, page.size, asbytes=True)
        except (KeyError, OSError, pa.ArrowException):
            # The page cannot be inspected, so all of it may be one value.
            return page.size
    return _measure_plain_values(data)


def _measure_plain_values(data: bytes) -> int:
    """Return the size in bytes of the longest value in `data`, at most the size of `data`.

    Each value follows its length, a little-endian number of four bytes.
    """
    offset = max_length = 0
    while offset + _LENGTH_BYTES <= len(data):
        length = int.from_bytes(data[offset : offset + _LENGTH_BYTES], "little")
        max_length = max(max_length, length)
        offset += _LENGTH_BYTES + length
    return min(max_length, len(data))


class _HeaderReader:
    """A reader of page headers in Thrift's compact protocol.

    All methods raise `IndexError` if the bytes end inside the header.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._offset = 0

    def read_page(self, header_offset: int) -> Page:
        """Read the header that starts at `header_offset` of the file, and return its page.

        Raise `ValueError` if the header has no sizes or a field of an unknown type.
        """
        integer_fields: dict[int, int] = {}
        value_count = 0
        for field, field_type in self._iter_fields():
            if field_type in _THRIFT_INTEGERS:
                integer_fields[field] = self._read_integer()
            elif field == _DICTIONARY_HEADER_FIELD:
                value_count = self._read_value_count()
            else:
                self._skip_value(field_type)
        required = {_PAGE_TYPE_FIELD, _PAGE_SIZE_FIELD, _COMPRESSED_SIZE_FIELD}
        if not required <= integer_fields.keys() or integer_fields[_COMPRESSED_SIZE_FIELD] < 0:
            raise ValueError(
                "the page header has no valid sizes, expected the type and both sizes of the page"
            )
        return Page(
            integer_fields[_PAGE_TYPE_FIELD],
            integer_fields[_PAGE_SIZE_FIELD],
            integer_fields[_COMPRESSED_SIZE_FIELD],
            header_offset + self._offset,
            value_count,
        )

    def _iter_fields(self) -> Iterator[tuple[int, int]]:
        """Yield the number and the type of each field of a Thrift struct, up to the zero byte at its end.

        The caller must read or skip the value of a field before it asks for the next field.
        """
        field = 0
        while byte := self._read_byte():
            # The upper four bits are the distance from the field before, or 0 if the number follows.
            delta, field_type = byte >> 4, byte & 0x0F
            field = field + delta if delta else self._read_integer()
            yield field, field_type

    def _read_value_count(self) -> int:
        """Read the header of a dictionary page to its end, and return the number of its values, or 0."""
        value_count = 0
        for field, field_type in self._iter_fields():
            if field == _VALUE_COUNT_FIELD and field_type in _THRIFT_INTEGERS:
                value_count = self._read_integer()
            else:
                self._skip_value(field_type)
        return value_count

    def _skip_value(self, field_type: int) -> None:
        """Skip a value of a type of Thrift's compact protocol; raise `ValueError` if the type is unknown."""
        if field_type in _THRIFT_INTEGERS:
            self._read_integer()
        elif field_type == _THRIFT_BYTES:
            size = self._read_unsigned()
            self._offset += size
        elif field_type == _THRIFT_DOUBLE:
            self._offset += 8
        elif field_type in _THRIFT_LISTS:
            self._skip_list()
        elif field_type == _THRIFT_STRUCT:
            for _, inner_type in self._iter_fields():
                self._skip_value(inner_type)
        elif field_type not in _THRIFT_BOOLEANS:
            raise ValueError(f"the page header has a field of the unknown type {field_type}")

    def _skip_list(self) -> None:
        """Skip a list or a set; raise `ValueError` if it reaches beyond the end of the bytes."""
        byte = self._read_byte()
        # The upper four bits are the number of values, or 15 if the number follows.
        short_count, value_type = byte >> 4, byte & 0x0F
        count = short_count if short_count < 15 else self._read_unsigned()
        if value_type in _THRIFT_BOOLEANS:
            # A boolean takes one byte in a list, and none as a field of a struct.
            self._offset += count
            return
        for _ in range(count):
            self._skip_value(value_type)
            if self._offset > len(self._data):
                raise ValueError(f"a list of {count} values in the page header ends beyond the header")

    def _read_byte(self) -> int:
        byte = self._data[self._offset]
        self._offset += 1
        return byte

    def _read_unsigned(self) -> int:
        """Read a variable-length integer (LEB128), such as ``0xAC 0x02`` for 300.

        Each byte has seven bits of the number, lowest first; the highest bit is set if another byte follows.
        Raise `ValueError` if the number has more than 64 bits.
        """
        number = 0
        for shift in range(0, 64, 7):
            byte = self._read_byte()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
        raise ValueError("the page header has a number of more than 64 bits")

    def _read_integer(self) -> int:
        """Read a signed integer in zigzag encoding: 0, -1, 1, -2 are written as 0, 1, 2, 3."""
        number = self._read_unsigned()
        return number >> 1 ^ -(number & 1)


MAX_COMPRESSION_RATIO: Final = 100
"""Upper bound on the ratio of claimed to actual bytes of a batch. Real texts shrink to a twentieth."""
MAX_METADATA_BYTES: Final = 16 << 20
"""Upper bound on the metadata of a message, in bytes."""
_CONTINUATION_MARK: Final = b"\xff\xff\xff\xff"
"""Bytes before the metadata length of each message (Arrow columnar format, encapsulated message format)."""
_DICTIONARY_MESSAGE: Final = 2
_BATCH_MESSAGE: Final = 3
"""Types of messages (Message.fbs, `MessageHeader`)."""
_MESSAGE_HEADER_TYPE: Final = 1
_MESSAGE_HEADER: Final = 2
_MESSAGE_BODY_LENGTH: Final = 3
_DICTIONARY_DATA: Final = 1
_BATCH_BUFFERS: Final = 2
_BATCH_COMPRESSION: Final = 3
"""Indexes of the fields of the tables `Message`, `DictionaryBatch` and `RecordBatch` (Message.fbs)."""
_CLAIM_BYTES: Final = 8
"""Size of the number before a compressed buffer that claims its decompressed size."""


class Readable(Protocol):
    """A source of bytes that is read from front to back."""

    def read(self, size: int) -> bytes:
        """Return the next `size` bytes, or fewer at the end."""


def check_message(metadata: bytes, body: Any, path: str) -> None:
    """Raise `BulkError` if decompressing a message of an Arrow IPC stream would take far too much memory.

    Args:
        metadata: The metadata of the message, a FlatBuffers table.
        body: The bytes of its buffers, which state their decompressed sizes.
        path: The path of the file for error messages.
    """
    try:
        claimed = _sum_claimed_sizes(metadata, body)
    except (StructError, IndexError) as error:
        raise BulkError(
            f"{display_name(path)} cannot be read (the metadata of a message is incomplete); "
            "it may be cut off or damaged: copy it again"
        ) from error
    if claimed > MAX_BULK_MESSAGE and claimed > MAX_COMPRESSION_RATIO * len(body):
        raise BulkError(
            f"{display_name(path)}: a batch of {len(body)} bytes claims {claimed} bytes when it is "
            f"decompressed, expected at most {MAX_BULK_MESSAGE}; write the file again with smaller batches"
        )


def check_file_messages(file: Any, start: int, batches: range, path: str) -> None:
    """Check with `check_message` some batches of an IPC file, and all dictionaries before them.

    The file is at its beginning afterwards. Raise `BulkError` if a batch would decompress to far too many
    bytes.

    Args:
        file: The IPC file as Arrow opened it.
        start: The offset of the first message.
        batches: The indexes of the batches to check.
        path: The path of the file for error messages.
    """
    file.seek(start)
    batch_index = -1
    for message in pa.ipc.MessageReader.open_stream(file):
        if message.type == "record batch":
            batch_index += 1
            if batch_index < batches.start:
                continue
        if batch_index >= batches.stop:
            break
        check_message(message.metadata.to_pybytes(), message.body or b"", path)
    file.seek(0)


class CheckedMessageStream:
    """A file for Arrow that checks each message of an IPC stream before Arrow reads it."""

    closed = False

    def __init__(self, source: Readable, path: str) -> None:
        self._source = source
        self._path = path
        self._buffer = b""
        self._has_ended = False

    def read(self, size: int = -1) -> bytes:
        """Return the next `size` bytes, or fewer at the end.

        Raise `BulkError` if a batch in them would decompress to far too many bytes.
        """
        while len(self._buffer) < size and not self._has_ended:
            self._buffer += self._read_message()
        data, self._buffer = self._buffer[:size], self._buffer[size:]
        if len(data) == size or not self._has_ended:
            return data
        return data + self._source.read(size - len(data))

    def close(self) -> None:
        """Do nothing: the owner of the stream closes it."""

    def _read_message(self) -> bytes:
        """Return the bytes of the next message after checking it.

        A message has an optional mark, the length of its metadata, the metadata and the body. Bytes that are
        not a message end the checks. They are returned unchanged, and Arrow reports them.
        """
        head = self._source.read(4)
        if head == _CONTINUATION_MARK:
            head += self._source.read(4)
        metadata_size = int.from_bytes(head[-4:], "little")
        if not 0 < metadata_size <= MAX_METADATA_BYTES:
            self._has_ended = True
            return head
        metadata = self._source.read(metadata_size)
        if len(metadata) < metadata_size:
            self._has_ended = True
            return head + metadata
        body = self._source.read(_read_body_length(metadata))
        check_message(metadata, body, self._path)
        return head + metadata + body


# --- FlatBuffers --------------------------------------------------------------------------------------


def _sum_claimed_sizes(metadata: bytes, body: Any) -> int:
    """Return the number of bytes that all buffers of a message claim to have when they are decompressed.

    Return 0 if the message is not a batch or is not compressed. Raise `StructError` or `IndexError` if the
    metadata is incomplete.

    Args:
        metadata: The metadata of the message, a FlatBuffers table.
        body: The buffers, each with its decompressed size in the first eight bytes.
    """
    message = _find_root(metadata)
    message_type = _read_number(metadata, message, _MESSAGE_HEADER_TYPE, "<B")
    if message_type not in (_DICTIONARY_MESSAGE, _BATCH_MESSAGE):
        return 0
    batch = _find_target(metadata, message, _MESSAGE_HEADER)
    if message_type == _DICTIONARY_MESSAGE:
        batch = _find_target(metadata, batch, _DICTIONARY_DATA)
    is_compressed = _find_field(metadata, batch, _BATCH_COMPRESSION) != 0
    if not is_compressed:
        return 0
    buffers = _find_target(metadata, batch, _BATCH_BUFFERS)
    (buffer_count,) = unpack_from("<I", metadata, buffers)
    total = 0
    for index in range(buffer_count):
        # The vector has its length in 4 bytes, then offset and length of each buffer in 16 bytes.
        offset, length = unpack_from("<qq", metadata, buffers + 4 + 16 * index)
        if length >= _CLAIM_BYTES:
            (claimed,) = unpack_from("<q", body, offset)
            # The claim of a buffer that is not compressed is -1.
            total += length if claimed < 0 else claimed
    return total


def _read_body_length(metadata: bytes) -> int:
    """Return the length in bytes of the body that follows the metadata of a message, 0 if it is damaged."""
    try:
        return max(_read_number(metadata, _find_root(metadata), _MESSAGE_BODY_LENGTH, "<q"), 0)
    except StructError:
        return 0


def _find_root(data: bytes) -> int:
    """Return the offset of the root table of FlatBuffers data; the first four bytes contain it."""
    return int(unpack_from("<I", data, 0)[0])


def _find_field(data: bytes, table: int, field_index: int) -> int:
    """Return the offset in `data` of a field of the FlatBuffers table at offset `table`.

    Return 0 if the table does not have field number `field_index`.
    """
    # A table starts with the distance back to its vtable: two sizes, then an offset for each field.
    vtable = table - unpack_from("<i", data, table)[0]
    entry = 4 + 2 * field_index
    vtable_size = unpack_from("<H", data, vtable)[0]
    if entry >= vtable_size:
        return 0
    offset: int = unpack_from("<H", data, vtable + entry)[0]
    return table + offset if offset else 0


def _read_number(data: bytes, table: int, field_index: int, number_format: str) -> int:
    """Return the number in a field of the FlatBuffers table at offset `table`, 0 if the field is missing.

    `number_format` is a format of `struct`, such as ``<q``.
    """
    offset = _find_field(data, table, field_index)
    return int(unpack_from(number_format, data, offset)[0]) if offset else 0


def _find_target(data: bytes, table: int, field_index: int) -> int:
    """Return the offset of the table or vector to which a field of a FlatBuffers table refers.

    The field contains the distance from itself to its target.
    """
    offset = _find_field(data, table, field_index)
    return offset + int(unpack_from("<I", data, offset)[0])
