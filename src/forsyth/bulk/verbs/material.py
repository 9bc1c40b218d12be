"""The material of a position as a short text, such as ``KRPvKR``: which pieces are on the board.

The pieces of the first side are before the ``v``, and those of the second side behind it. Each piece is
repeated as often as it is on the board. The order is that of the game's palette; in chess it is king, queen,
rook, bishop, knight, pawn. Promoted pieces count as what they were before. Pieces in hand do not count.

Accepts canonical texts, as `forsyth.bulk.arrow.normalise` returns them. Limits: a game without two sides of
the same kinds of pieces, such as Azul, has no material. Pieces are single ASCII letters, upper case for the
first side and lower case for the second.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import pyarrow as pa

from forsyth.bulk.errors import BulkError
from forsyth.game import Editable, Game

SIDE_SEPARATOR: Final = "v"
MATERIAL_TYPE: Final = pa.dictionary(pa.int32(), pa.string())
_NO_PIECE: Final = 255
"""Index of all characters that are not pieces."""


def piece_letters(game: Game) -> str:
    """Return the letters of the game's pieces in upper case and in their usual order, such as ``KQRBNP``.

    Raise `BulkError` if the game does not have two sides with the same kinds of pieces.
    """
    areas = game.palette(game.parse(game.start)).areas if isinstance(game, Editable) else ()
    sides = ["".join(cell.id for cell in area.cells if len(cell.id) == 1) for area in areas]
    if len(sides) != 2 or not sides[0].isupper() or sides[1] != sides[0].lower():
        raise BulkError(
            f"{game.name} has no material, because its sides have different pieces; choose another verb"
        )
    return sides[0]


def material_labels(texts: pa.Array, letters: str) -> pa.Array:
    """Return the material of each text, such as ``KRPvKR``, as a dictionary array. A null gives null.

    The texts must be canonical. `letters` are the letters of all pieces; see `piece_letters`.
    """
    if not len(texts):
        return pa.DictionaryArray.from_arrays(pa.nulls(0, pa.int32()), pa.array([], pa.string()))
    counts = _count_pieces(texts, letters)
    # Each row of counts is compared as one value, so that each distinct material is formatted once.
    distinct_counts, label_numbers = np.unique(
        counts.view(f"V{counts.shape[1]}").ravel(), return_inverse=True
    )
    labels = [
        _format_counts(row, letters) for row in distinct_counts.view(np.uint8).reshape(-1, counts.shape[1])
    ]
    is_missing = texts.is_null().to_numpy(zero_copy_only=False)
    indices = pa.array(label_numbers.astype(np.int32).ravel(), pa.int32(), mask=is_missing)
    return pa.DictionaryArray.from_arrays(indices, pa.array(labels, pa.string()))


def _count_pieces(texts: pa.Array, letters: str) -> np.ndarray:
    """Return an array with a row for each text, and in it the number of pieces of each kind.

    The columns are the kinds of the first side in the order of `letters`, then those of the second side.
    """
    offsets = np.frombuffer(texts.buffers()[1], np.int64)[texts.offset : texts.offset + len(texts) + 1]
    data = texts.buffers()[2]
    chars = np.frombuffer(b"" if data is None else data, np.uint8)[offsets[0] : offsets[-1]]
    starts = (offsets[:-1] - offsets[0]).astype(np.int64)
    rows = np.repeat(np.arange(len(texts)), np.diff(offsets))
    piece_index = np.full(256, _NO_PIECE, np.uint8)
    for i, letter in enumerate(letters + letters.lower()):
        piece_index[ord(letter)] = i
    pieces = piece_index[chars]
    # The board ends at the first blank, or where the pieces in hand begin.
    ends = np.flatnonzero((chars == ord(" ")) | (chars == ord("[")))
    board_ends = np.append(ends, len(chars))[np.searchsorted(ends, starts)]
    is_on_board = (pieces != _NO_PIECE) & (np.arange(len(chars)) < board_ends[rows])
    width = 2 * len(letters)
    cells = rows[is_on_board] * width + pieces[is_on_board]
    return np.bincount(cells, minlength=len(texts) * width).astype(np.uint8).reshape(len(texts), width)


def _format_counts(counts: np.ndarray, letters: str) -> str:
    """Return the material of one row of `_count_pieces`, such as ``KRPvKR``."""
    counted_letters = zip(letters + letters.lower(), counts.tolist(), strict=True)
    return material_label("".join(letter * count for letter, count in counted_letters), letters)


def material_label(pieces: str, letters: str) -> str:
    """Return the material of some pieces: ``kKrPR`` gives ``KRPvKR``.

    Pieces of the first side are in upper case. `letters` are all kinds of pieces, in order. Characters that
    are not among `letters` are ignored.
    """
    first = "".join([letter * pieces.count(letter) for letter in letters])
    second = "".join([letter * pieces.count(letter.lower()) for letter in letters])
    return f"{first}{SIDE_SEPARATOR}{second}"
