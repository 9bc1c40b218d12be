"""A column of planes as a NumPy array of bytes (.npy), for training: positions, planes, rows, columns.

The column is the one whose field has metadata ``shape``, such as ``12,8,8``; others are left out. A row
without planes is a tensor of zeros, so that row and tensor keep the same number. The file is written from
front to back but for its header, which says how many there are: that goes in at the end, so that it must be a
local file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, BinaryIO, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.errors import BulkError

HEADER: Final = 128
"""Bytes of the header: NumPy's format 1.0 wants a multiple of 64, and any count fits in these."""


class NpyWriter:
    """Writes the planes of batches behind one another."""

    def __init__(self, file: BinaryIO, schema: pa.Schema) -> None:
        self._file = file
        self._name, self._shape = planes_of(schema)
        self._rows = 0
        file.write(bytes(HEADER))

    def write(self, batch: pa.RecordBatch) -> None:
        """The planes of each row; zeros where there are none."""
        size = math.prod(self._shape)
        planes = batch.column(self._name)
        if planes.null_count:
            planes = pc.fill_null(planes, pa.scalar(bytes(size), planes.type))
        self._file.write(planes.buffers()[1].slice(planes.offset * size, len(planes) * size))
        self._rows += len(planes)

    def finish(self) -> None:
        """Writes the header."""
        self._file.seek(0)
        self._file.write(npy_header((self._rows, *self._shape)))

    def abandon(self) -> None:
        """Does nothing: nothing is held back."""


def planes_of(schema: pa.Schema) -> tuple[str, tuple[int, ...]]:
    """The name and the shape of the column of planes; raises `BulkError` where there is none."""
    for field in schema:
        found = re.findall(rb"\d+", (field.metadata or {}).get(b"shape", b""))
        shape = tuple(map(int, found))
        if shape and field.type == pa.binary(math.prod(shape)):
            return field.name, shape
    raise BulkError("a NumPy array is made of planes, and there are none; write parquet, or ask for planes")


def npy_header(shape: Sequence[int]) -> bytes:
    """The first bytes of a file of bytes in this shape (NumPy's format 1.0)."""
    sizes = ", ".join(map(str, shape))
    facts = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({sizes},), }}"
    begin = b"\x93NUMPY\x01\x00" + (HEADER - 10).to_bytes(2, "little")
    return begin + facts.encode().ljust(HEADER - 11) + b"\n"


def npy_shape(file: Any) -> tuple[int, ...]:
    """The shape of an array whose header is read, so that its values are next."""
    np.lib.format.read_magic(file)
    shape: tuple[int, ...] = np.lib.format.read_array_header_1_0(file)[0]
    return shape
