"""Sets and samples: which part of the data a row belongs to, decided by 16 bytes and a seed.

The bytes are the key of the position, that of the position and its twin, or those of another column
(`group_keys`): all rows with the same go together, in every run, on every machine. A null is in no set.

Stability: the numbers of `split` by key are those of the first version. Limits: the first 8 bytes decide.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.arrow import KEY_BYTES
from forsyth.bulk.errors import BulkError

SETS: Final = "train=0.8,valid=0.1,test=0.1"
"""How `split` divides where nothing else is asked for."""

_SALTS: Final = {"split": 0, "sample": 0x8CB92BA72F3D8DD7}
"""What makes the numbers of one verb others than those of another."""
_SPREAD: Final = 0x9E3779B97F4A7C15
_FOLD: Final = 0xBF58476D1CE4E5B9
_ALL: Final = (1 << 64) - 1
_SCALE: Final = 2.0**-53


def shares(keys: pa.Array, verb: str, seed: int) -> pa.Array:
    """For each key a number between 0 and 1, another one for another seed; null for a null."""
    if not len(keys):
        return pa.nulls(0, pa.float64())
    start = keys.offset * KEY_BYTES
    words = np.frombuffer(keys.buffers()[1], ">u8", 2 * len(keys), start)[::2].astype(np.uint64)
    if _SALTS[verb]:
        words = _mixed(words ^ np.uint64(_SALTS[verb]))
    words = _mixed(words ^ np.uint64(seed * _SPREAD & _ALL))
    numbers = pa.array((words >> np.uint64(11)).astype(np.float64) * _SCALE)
    return pc.if_else(keys.is_valid(), numbers, pa.scalar(None, pa.float64()))


def _mixed(words: Any) -> Any:
    """Words of 64 bits, each bit of which hangs on all bits of the word it was."""
    with np.errstate(over="ignore"):
        words = (words ^ words >> np.uint64(30)) * np.uint64(_FOLD)
    return words ^ words >> np.uint64(31)


def labelled(numbers: pa.Array, sets: list[tuple[str, float]]) -> pa.Array:
    """The set that each number falls into; null for a null."""
    places = pa.nulls(len(numbers), pa.int16())
    for place in range(len(sets) - 1, -1, -1):
        places = pc.if_else(pc.less(numbers, sets[place][1]), pa.scalar(place, pa.int16()), places)
    return pa.DictionaryArray.from_arrays(places, pa.array([name for name, _ in sets]))


def read_sets(text: str) -> list[tuple[str, float]]:
    """The sets of a text such as ``train=0.9,test=0.1``, each with the sum of shares up to it."""
    found: list[tuple[str, float]] = []
    total = 0.0
    for part in text.split(","):
        name, _, share = part.partition("=")
        try:
            number = float(share)
        except ValueError:
            number = -1.0
        if not name.strip() or not 0 < number <= 1:
            raise BulkError(f"{part!r} is not a set; write its name and share, as in {SETS}")
        total += number
        found.append((name.strip(), total))
    if len({name for name, _ in found}) != len(found):
        raise BulkError(f"a set is named twice in {text!r}; give each a different name")
    if abs(total - 1) > 1e-9:
        raise BulkError(f"the shares of {text!r} are {total:g} together, expected 1")
    # What is left by rounding belongs to the last set.
    return [*found[:-1], (found[-1][0], 2.0)]


def group_keys(column: pa.Array, name: str) -> pa.Array:
    """For each value of a column 16 bytes, the same for the same value in every file and type of number."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_nested(column.type):
        raise BulkError(f"the column {name!r} is of {column.type}; name one of single values with --by")
    values = column if pa.types.is_binary(column.type) else column.cast(pa.large_string())
    encoded = values.dictionary_encode()
    told = [
        blake2b(one if isinstance(one, bytes) else one.encode(), digest_size=KEY_BYTES).digest()
        for one in encoded.dictionary.to_pylist()
    ]
    return pa.array(told, pa.binary(KEY_BYTES)).take(encoded.indices)
