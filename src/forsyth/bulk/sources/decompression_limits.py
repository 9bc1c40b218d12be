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
_NIBBLE_VALUES: Final = 16
"""Number of values of half a byte."""
_THRIFT_BOOLEANS: Final = (1, 2)
_THRIFT_INTEGERS: Final = range(4, 7)
_THRIFT_BYTES: Final = 8
_THRIFT_DOUBLE: Final = 7
_THRIFT_LISTS: Final = (9, 10)
_THRIFT_STRUCT: Final = 12
"""Field types of Thrift's compact protocol: true and false, integers of 16 to 64 bits, bytes, a float of
eight bytes, a list or a set, a struct."""
_DOUBLE_BYTES: Final = 8
_LONG_LIST: Final = 15
"""The value in the header of a list that means that the number of values follows."""
_MAX_INTEGER_BITS: Final = 64
_VARINT_BITS: Final = 7
"""Number of bits of a variable-length integer in one byte."""
_VARINT_MASK: Final = 0x7F
_CONTINUATION_BIT: Final = 0x80
"""The bit that is set in a byte of a variable-length integer if another byte follows."""
_CODECS: Final = {"SNAPPY": "snappy", "GZIP": "gzip", "BROTLI": "brotli", "ZSTD": "zstd", "LZ4": "lz4_raw"}
"""Arrow's names for the compressions of Parquet."""
_LENGTH_BYTES: Final = 4
"""Size of the length before each value of a dictionary."""


class PageHeader(NamedTuple):
    """The description of a Parquet page: a part of a column, which is compressed by itself."""

    page_type: int
    decompressed_size: int
    """Size of the page in bytes when it is decompressed."""
    compressed_size: int
    """Size of the page in the file, in bytes."""
    data_offset: int
    """Offset in the file of the data of the page, behind the header."""
    value_count: int
    """Number of values in a dictionary page; 0 for other pages."""


def measure_longest_value(file: BinaryIO, chunk: Any, path: str) -> int:
    """Return the size in bytes of the longest value that a column's dictionaries hold in one row group.

    A dictionary stores a value once, but any number of rows may repeat it. Return 0 if the column has no
    dictionary. Raise `BulkError` if a page is too large or its header cannot be read.

    Args:
        file: The Parquet file.
        chunk: The metadata of the column in one row group, as Arrow returns it.
        path: The path of the file for error messages.
    """
    # Reading every header would fetch the file twice over the network. The dictionary is in the first page.
    trusts_total_size = is_url(path) and chunk.total_uncompressed_size <= MAX_BULK_PAGE
    max_length = 0
    for page in _iter_page_headers(file, chunk, path):
        _require_bounded_page(page, chunk.path_in_schema, path)
        if page.page_type == _DICTIONARY_PAGE:
            max_length = max(max_length, _measure_dictionary(file, chunk, page))
        if trusts_total_size:
            break
    return max_length


def _require_bounded_page(page: PageHeader, column_name: str, path: str) -> None:
    """Raise `BulkError` if a page of the column `column_name` has more than `MAX_BULK_PAGE` bytes.

    The size of the decompressed page counts. `path` is the path of the file for the message.
    """
    if not 0 <= page.decompressed_size <= MAX_BULK_PAGE:
        raise BulkError(
            f"{display_name(path)}: a page of the column {column_name!r} has {page.decompressed_size} bytes "
            f"when it is decompressed, expected at most {MAX_BULK_PAGE}; "
            "write the file again with smaller values"
        )


def _iter_page_headers(file: BinaryIO, chunk: Any, path: str) -> Iterator[PageHeader]:
    """Yield the header of each page that a column of a Parquet file has in one row group.

    Args:
        file: The Parquet file.
        chunk: The metadata of the column in one row group, as Arrow returns it.
        path: The path of the file for error messages.

    Raises:
        BulkError: If a header is incomplete.
    """
    header_offset = chunk.data_page_offset
    if chunk.has_dictionary_page:
        header_offset = min(header_offset, chunk.dictionary_page_offset)
    end = header_offset + chunk.total_compressed_size
    while header_offset < end:
        file.seek(header_offset)
        try:
            page = _PageHeaderReader(file.read(MAX_HEADER_BYTES)).read_header(header_offset)
        except (IndexError, ValueError, RecursionError) as error:
            raise BulkError(
                f"{display_name(path)} cannot be read (the header of the page at byte {header_offset} is "
                "incomplete); it may be cut off or damaged: copy it again"
            ) from error
        yield page
        header_offset = page.data_offset + page.compressed_size


def _measure_dictionary(file: BinaryIO, chunk: Any, page: PageHeader) -> int:
    """Return the size in bytes of the longest text or byte string in the dictionary page `page`.

    `chunk` is the metadata of the column. Return 0 if its values are not texts or byte strings: numbers, for
    example, are always short.
    """
    if chunk.physical_type == "FIXED_LEN_BYTE_ARRAY":
        return page.decompressed_size // max(page.value_count, 1)
    if chunk.physical_type != "BYTE_ARRAY":
        return 0
    file.seek(page.data_offset)
    data = file.read(page.compressed_size)
    if chunk.compression == "UNCOMPRESSED":
        return _measure_longest_plain_value(data)
    try:
        codec = pa.Codec(_CODECS[chunk.compression])
        decompressed_data = codec.decompress(data, page.decompressed_size, asbytes=True)
    except (KeyError, OSError, pa.ArrowException):
        # The page cannot be inspected, so all of it may be one value.
        return page.decompressed_size
    return _measure_longest_plain_value(decompressed_data)


def _measure_longest_plain_value(data: bytes) -> int:
    """Return the size in bytes of the longest of the values in `data`, at most the size of `data`.

    In front of each value is its length, a little-endian number of four bytes: ``03 00 00 00`` and ``abc``.
    """
    offset = max_length = 0
    while offset + _LENGTH_BYTES <= len(data):
        value_start = offset + _LENGTH_BYTES
        length = int.from_bytes(data[offset:value_start], "little")
        max_length = max(max_length, length)
        offset = value_start + length
    return min(max_length, len(data))


class _PageHeaderReader:
    """A reader of one page header, which is a struct in Thrift's compact protocol.

    All methods raise `IndexError` if the bytes end inside the header.
    """

    def __init__(self, data: bytes) -> None:
        """Read the header at the beginning of `data`."""
        self._data = data
        self._offset = 0

    def read_header(self, header_offset: int) -> PageHeader:
        """Read the header, which starts at `header_offset` of the file, and return its content.

        Raise `ValueError` if the header has no sizes or a field of an unknown type.
        """
        integer_fields: dict[int, int] = {}
        value_count = 0
        for field_number, field_type in self._iter_fields():
            if field_type in _THRIFT_INTEGERS:
                integer_fields[field_number] = self._read_integer()
            elif field_number == _DICTIONARY_HEADER_FIELD:
                value_count = self._read_value_count()
            else:
                self._skip_value(field_type)
        required_fields = {_PAGE_TYPE_FIELD, _PAGE_SIZE_FIELD, _COMPRESSED_SIZE_FIELD}
        has_required_fields = required_fields <= integer_fields.keys()
        if not has_required_fields or integer_fields[_COMPRESSED_SIZE_FIELD] < 0:
            raise ValueError(
                "the page header has no valid sizes, expected the type and both sizes of the page"
            )
        return PageHeader(
            page_type=integer_fields[_PAGE_TYPE_FIELD],
            decompressed_size=integer_fields[_PAGE_SIZE_FIELD],
            compressed_size=integer_fields[_COMPRESSED_SIZE_FIELD],
            data_offset=header_offset + self._offset,
            value_count=value_count,
        )

    def _iter_fields(self) -> Iterator[tuple[int, int]]:
        """Yield the number and the type of each field of a Thrift struct, up to the zero byte at its end.

        The caller must read or skip the value of a field before it asks for the next field.
        """
        field_number = 0
        while field_header := self._read_byte():
            # The upper four bits are the distance from the field before, or 0 if the number follows.
            distance, field_type = _split_nibbles(field_header)
            field_number = field_number + distance if distance else self._read_integer()
            yield field_number, field_type

    def _read_value_count(self) -> int:
        """Read the header of a dictionary page to its end, and return the number of its values.

        Return 0 if the header does not contain the number.
        """
        value_count = 0
        for field_number, field_type in self._iter_fields():
            if field_number == _VALUE_COUNT_FIELD and field_type in _THRIFT_INTEGERS:
                value_count = self._read_integer()
            else:
                self._skip_value(field_type)
        return value_count

    def _skip_value(self, field_type: int) -> None:
        """Skip a value of a field of type `field_type`, such as `_THRIFT_STRUCT`.

        Raise `ValueError` if Thrift's compact protocol has no such type.
        """
        if field_type in _THRIFT_INTEGERS:
            self._read_integer()
        elif field_type == _THRIFT_BYTES:
            size = self._read_unsigned()
            self._offset += size
        elif field_type == _THRIFT_DOUBLE:
            self._offset += _DOUBLE_BYTES
        elif field_type in _THRIFT_LISTS:
            self._skip_list()
        elif field_type == _THRIFT_STRUCT:
            for _, inner_type in self._iter_fields():
                self._skip_value(inner_type)
        elif field_type not in _THRIFT_BOOLEANS:
            raise ValueError(f"the page header has a field of the unknown type {field_type}")

    def _skip_list(self) -> None:
        """Skip a list or a set; raise `ValueError` if it reaches beyond the end of the bytes."""
        # The upper four bits are the number of values, except in a long list.
        short_count, value_type = _split_nibbles(self._read_byte())
        count = self._read_unsigned() if short_count == _LONG_LIST else short_count
        if value_type in _THRIFT_BOOLEANS:
            # A boolean takes one byte in a list, and none as a field of a struct.
            self._offset += count
            return
        for _ in range(count):
            self._skip_value(value_type)
            if self._offset > len(self._data):
                raise ValueError(f"a list of {count} values in the page header ends beyond the header")

    def _read_byte(self) -> int:
        """Read one byte as a number."""
        byte = self._data[self._offset]
        self._offset += 1
        return byte

    def _read_unsigned(self) -> int:
        """Read a variable-length integer (LEB128), such as ``0xAC 0x02`` for 300.

        Each byte has seven bits of the number, lowest first; the highest bit is set if another byte follows.
        Raise `ValueError` if the number has more than 64 bits.
        """
        number = 0
        for shift in range(0, _MAX_INTEGER_BITS, _VARINT_BITS):
            byte = self._read_byte()
            number |= (byte & _VARINT_MASK) << shift
            if not byte & _CONTINUATION_BIT:
                return number
        raise ValueError("the page header has a number of more than 64 bits")

    def _read_integer(self) -> int:
        """Read a signed integer in zigzag encoding: 0, -1, 1, -2 are written as 0, 1, 2, 3."""
        # The lowest bit of the written number is the sign.
        magnitude, is_negative = divmod(self._read_unsigned(), 2)
        return -magnitude - 1 if is_negative else magnitude


def _split_nibbles(byte: int) -> tuple[int, int]:
    """Return the upper and the lower four bits of a byte as two numbers: 0xA3 gives 10 and 3."""
    return divmod(byte, _NIBBLE_VALUES)


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
_MESSAGE_SIZE_BYTES: Final = 4
"""Size of the number before a message that gives the length of its metadata."""
_VTABLE_HEADER_BYTES: Final = 4
_VTABLE_ENTRY_BYTES: Final = 2
_VECTOR_LENGTH_BYTES: Final = 4
_BUFFER_ENTRY_BYTES: Final = 16
"""Sizes in FlatBuffers: of the two numbers at the start of a vtable, of each number after them, of the length
of a vector, and of the description of a buffer (its offset and its length)."""


class Readable(Protocol):
    """A source of bytes that is read from front to back."""

    def read(self, size: int) -> bytes:
        """Return the next `size` bytes, or fewer at the end."""


def check_message(metadata: bytes, body: Any, path: str) -> None:
    """Raise `BulkError` if decompressing a message of an Arrow IPC stream would take too much memory.

    A message has too many bytes if it claims more than `MAX_BULK_MESSAGE` bytes when it is decompressed, and
    more than `MAX_COMPRESSION_RATIO` times the bytes that it has.

    Args:
        metadata: The metadata of the message, a FlatBuffers table.
        body: The bytes of its buffers, which state their decompressed sizes.
        path: The path of the file for error messages.
    """
    actual_bytes = len(body)
    try:
        claimed_bytes = _sum_claimed_sizes(metadata, body)
    except (StructError, IndexError) as error:
        raise BulkError(
            f"{display_name(path)} cannot be read (the metadata of a message is incomplete); "
            "it may be cut off or damaged: copy it again"
        ) from error
    if claimed_bytes > MAX_BULK_MESSAGE and claimed_bytes > MAX_COMPRESSION_RATIO * actual_bytes:
        raise BulkError(
            f"{display_name(path)}: a batch of {actual_bytes} bytes claims {claimed_bytes} bytes when it is "
            f"decompressed, expected at most {MAX_BULK_MESSAGE}; write the file again with smaller batches"
        )


def check_file_messages(file: Any, start: int, batches: range, path: str) -> None:
    """Check the sizes of some batches of an Arrow IPC file, and of all dictionaries before them.

    The file is positioned at its beginning afterwards.

    Args:
        file: The IPC file as Arrow opened it.
        start: The offset of the first message in bytes.
        batches: The indexes of the batches to check.
        path: The path of the file for error messages.

    Raises:
        BulkError: If a batch would decompress to far too many bytes.
    """
    file.seek(start)
    batches_seen = 0
    for message in pa.ipc.MessageReader.open_stream(file):
        if message.type == "record batch":
            is_before_range = batches_seen < batches.start
            batches_seen += 1
            if is_before_range:
                continue
        if batches_seen > batches.stop:
            break
        check_message(message.metadata.to_pybytes(), message.body or b"", path)
    file.seek(0)


class CheckedMessageStream:
    """A file for Arrow that checks each message of an IPC stream before Arrow reads it."""

    closed = False

    def __init__(self, source: Readable, path: str) -> None:
        """Read from `source`. Error messages name the file `path`."""
        self._source = source
        self._path = path
        self._checked_bytes = b""
        """Checked bytes that have not been returned yet."""
        self._reached_last_message = False
        """Whether the bytes that follow are not messages, and are therefore not checked."""

    def read(self, size: int = -1) -> bytes:
        """Return the next `size` bytes, or fewer at the end.

        Raise `BulkError` if a batch in them would decompress to far too many bytes.
        """
        while len(self._checked_bytes) < size and not self._reached_last_message:
            self._checked_bytes += self._read_message()
        data = self._checked_bytes[:size]
        self._checked_bytes = self._checked_bytes[size:]
        missing_size = size - len(data)
        if missing_size and self._reached_last_message:
            data += self._source.read(missing_size)
        return data

    def close(self) -> None:
        """Do nothing: the owner of the stream closes it."""

    def _read_message(self) -> bytes:
        """Return the bytes of the next message after checking it.

        A message consists of an optional mark, the length of its metadata, the metadata and the body. Bytes
        that are not a message end the checks. They are returned unchanged, and Arrow reports them.
        """
        head = self._source.read(_MESSAGE_SIZE_BYTES)
        if head == _CONTINUATION_MARK:
            head += self._source.read(_MESSAGE_SIZE_BYTES)
        metadata_size = int.from_bytes(head[-_MESSAGE_SIZE_BYTES:], "little")
        if not 0 < metadata_size <= MAX_METADATA_BYTES:
            self._reached_last_message = True
            return head
        metadata = self._source.read(metadata_size)
        if len(metadata) < metadata_size:
            self._reached_last_message = True
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
    batch = _find_batch_table(metadata)
    is_compressed = batch is not None and _find_field(metadata, batch, _BATCH_COMPRESSION) != 0
    if batch is None or not is_compressed:
        return 0
    buffer_list = _follow_reference(metadata, batch, _BATCH_BUFFERS)
    (buffer_count,) = unpack_from("<I", metadata, buffer_list)
    first_entry = buffer_list + _VECTOR_LENGTH_BYTES
    total_size = 0
    for index in range(buffer_count):
        offset, length = unpack_from("<qq", metadata, first_entry + _BUFFER_ENTRY_BYTES * index)
        total_size += _read_claimed_size(body, offset, length)
    return total_size


def _find_batch_table(metadata: bytes) -> int | None:
    """Return the offset of the FlatBuffers table `RecordBatch` in the metadata of a message.

    A dictionary message contains such a table as well. Return None if the message is of another type.
    """
    message = _find_root_table(metadata)
    message_type = _read_number(metadata, message, _MESSAGE_HEADER_TYPE, "<B")
    if message_type not in (_DICTIONARY_MESSAGE, _BATCH_MESSAGE):
        return None
    header = _follow_reference(metadata, message, _MESSAGE_HEADER)
    if message_type == _BATCH_MESSAGE:
        return header
    return _follow_reference(metadata, header, _DICTIONARY_DATA)


def _read_claimed_size(body: Any, offset: int, length: int) -> int:
    """Return the number of bytes that one buffer of a message claims to have when it is decompressed.

    The buffer has `length` bytes at `offset` of the body. A negative claim means that it is not compressed.
    """
    if length < _CLAIM_BYTES:
        return 0
    (claimed_size,) = unpack_from("<q", body, offset)
    return length if claimed_size < 0 else int(claimed_size)


def _read_body_length(metadata: bytes) -> int:
    """Return the length in bytes of the body that follows the metadata of a message.

    Return 0 if the metadata is damaged.
    """
    try:
        length = _read_number(metadata, _find_root_table(metadata), _MESSAGE_BODY_LENGTH, "<q")
    except StructError:
        return 0
    return max(length, 0)


def _find_root_table(data: bytes) -> int:
    """Return the offset of the root table of FlatBuffers data; the first four bytes contain it."""
    (root_offset,) = unpack_from("<I", data, 0)
    return int(root_offset)


def _find_field(data: bytes, table: int, field_index: int) -> int:
    """Return the offset in `data` of field number `field_index` of the FlatBuffers table at offset `table`.

    Return 0 if the table does not have the field.
    """
    # A table starts with the distance back to its vtable, which has the offset of each field in the table.
    (vtable_distance,) = unpack_from("<i", data, table)
    vtable = table - vtable_distance
    (vtable_size,) = unpack_from("<H", data, vtable)
    entry = _VTABLE_HEADER_BYTES + _VTABLE_ENTRY_BYTES * field_index
    if entry >= vtable_size:
        return 0
    (field_offset,) = unpack_from("<H", data, vtable + entry)
    return table + int(field_offset) if field_offset else 0


def _read_number(data: bytes, table: int, field_index: int, number_format: str) -> int:
    """Return the number in a field of the FlatBuffers table at offset `table`, 0 if the field is missing.

    `number_format` is a format of Python's `struct`, such as ``<q`` for a signed number of eight bytes.
    """
    offset = _find_field(data, table, field_index)
    if not offset:
        return 0
    (number,) = unpack_from(number_format, data, offset)
    return int(number)


def _follow_reference(data: bytes, table: int, field_index: int) -> int:
    """Return the offset of the table or vector to which a field of a FlatBuffers table refers.

    `table` is the offset of the table with the field. The field contains the distance from itself to its
    target.
    """
    field_offset = _find_field(data, table, field_index)
    (distance,) = unpack_from("<I", data, field_offset)
    return field_offset + int(distance)
