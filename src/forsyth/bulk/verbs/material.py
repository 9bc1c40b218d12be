"""Which men are on the board: the material of a position as a short text, such as ``KRPvKR``.

The men of the first side stand before the ``v``, those of the second behind it, each as many times as it is
on the board, in the order of the game's palette: in chess king, queen, rook, bishop, knight, pawn. Promoted
men count as what they were; what is in hand or in a pocket does not count.

Accepts: canonical texts, as `forsyth.bulk.arrow.normalise` gives them. Limits: a game without two sides of
equal men, such as Azul, has no material; men are single letters of ASCII, in capitals for the first side and
in small letters for the second.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import pyarrow as pa

from forsyth.bulk.errors import BulkError
from forsyth.game import Editable, Game

BETWEEN: Final = "v"
MATERIAL_TYPE: Final = pa.dictionary(pa.int32(), pa.string())


def letters_of(game: Game) -> str:
    """The letters of the men, in capitals and in order; raises `BulkError` where a game has no such men."""
    areas = game.palette(game.parse(game.start)).areas if isinstance(game, Editable) else ()
    sides = ["".join(cell.id for cell in area.cells if len(cell.id) == 1) for area in areas]
    if len(sides) != 2 or not sides[0].isupper() or sides[1] != sides[0].lower():
        raise BulkError(f"{game.name} has no material of two sides; choose another verb")
    return sides[0]


def labels(texts: pa.Array, letters: str) -> pa.Array:
    """The material of canonical texts, as labels; null where there is none."""
    if not len(texts):
        return pa.DictionaryArray.from_arrays(pa.nulls(0, pa.int32()), pa.array([], pa.string()))
    counts = _counts(texts, letters)
    kinds, places = np.unique(counts.view(f"V{counts.shape[1]}").ravel(), return_inverse=True)
    labels = [_label(row, letters) for row in kinds.view(np.uint8).reshape(-1, counts.shape[1])]
    missing = texts.is_null().to_numpy(zero_copy_only=False)
    indices = pa.array(places.astype(np.int32).ravel(), pa.int32(), mask=missing)
    return pa.DictionaryArray.from_arrays(indices, pa.array(labels, pa.string()))


def _counts(texts: pa.Array, letters: str) -> np.ndarray:
    """How many of each man stand on each board: a row of bytes for each text, first side first."""
    offsets = np.frombuffer(texts.buffers()[1], np.int64)[texts.offset : texts.offset + len(texts) + 1]
    data = texts.buffers()[2]
    chars = np.frombuffer(b"" if data is None else data, np.uint8)[offsets[0] : offsets[-1]]
    starts = (offsets[:-1] - offsets[0]).astype(np.int64)
    rows = np.repeat(np.arange(len(texts)), np.diff(offsets))
    men = np.full(256, 255, np.uint8)
    for place, letter in enumerate(letters + letters.lower()):
        men[ord(letter)] = place
    places = men[chars]
    # The board ends at the first blank, and before it where a pocket begins.
    ends = np.flatnonzero((chars == ord(" ")) | (chars == ord("[")))
    after = np.append(ends, len(chars))[np.searchsorted(ends, starts)]
    on_board = (places != 255) & (np.arange(len(chars)) < after[rows])
    width = 2 * len(letters)
    cells = rows[on_board] * width + places[on_board]
    return np.bincount(cells, minlength=len(texts) * width).astype(np.uint8).reshape(len(texts), width)


def _label(counts: np.ndarray, letters: str) -> str:
    men = zip(letters + letters.lower(), counts.tolist(), strict=True)
    return label_of("".join(letter * count for letter, count in men), letters)


def label_of(men: str, letters: str) -> str:
    """The material of men in any order, capitals for the first side; other characters do not count."""
    first = "".join([letter * men.count(letter) for letter in letters])
    second = "".join([letter * men.count(letter.lower()) for letter in letters])
    return f"{first}{BETWEEN}{second}"
