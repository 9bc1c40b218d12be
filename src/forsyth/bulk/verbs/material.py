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
    letters_by_side = ["".join(cell.id for cell in area.cells if len(cell.id) == 1) for area in areas]
    if len(letters_by_side) == 2:
        first_letters, second_letters = letters_by_side
        if first_letters.isupper() and second_letters == first_letters.lower():
            return first_letters
    raise BulkError(
        f"{game.name} has no material, because its sides have different pieces; choose another verb"
    )


def material_labels(texts: pa.Array, letters: str) -> pa.Array:
    """Return the material of each text, such as ``KRPvKR``, as a dictionary array. A null gives null.

    The texts must be canonical. `letters` are the letters of all pieces; see `piece_letters`.
    """
    if not len(texts):
        return pa.DictionaryArray.from_arrays(pa.nulls(0, pa.int32()), pa.array([], pa.string()))
    counts = _count_pieces(texts, letters)
    _, kind_count = counts.shape
    # Each row of counts is compared as one value, so that each distinct material is formatted once.
    rows_as_bytes = counts.view(f"V{kind_count}").ravel()
    distinct_rows, row_numbers = np.unique(rows_as_bytes, return_inverse=True)
    distinct_counts = distinct_rows.view(np.uint8).reshape(-1, kind_count)
    labels = [_format_counts(row, letters) for row in distinct_counts]
    is_missing = texts.is_null().to_numpy(zero_copy_only=False)
    indices = pa.array(row_numbers.astype(np.int32).ravel(), pa.int32(), mask=is_missing)
    return pa.DictionaryArray.from_arrays(indices, pa.array(labels, pa.string()))


def _count_pieces(texts: pa.Array, letters: str) -> np.ndarray:
    """Return an array with a row for each text, and in it the number of pieces of each kind.

    The columns are the kinds of the first side in the order of `letters`, then those of the second side.
    """
    _, offset_buffer, char_buffer = texts.buffers()
    offsets = np.frombuffer(offset_buffer, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    all_chars = np.frombuffer(b"" if char_buffer is None else char_buffer, np.uint8)
    chars = all_chars[offsets[0] : offsets[-1]]
    starts = (offsets[:-1] - offsets[0]).astype(np.int64)
    # For each character, the index of its text and of its kind of piece.
    rows = np.repeat(np.arange(len(texts)), np.diff(offsets))
    kinds = _index_pieces(letters)[chars]

    # The board ends at the first blank, or where the pieces in hand begin.
    ends = np.flatnonzero((chars == ord(" ")) | (chars == ord("[")))
    board_ends = np.append(ends, len(chars))[np.searchsorted(ends, starts)]
    is_on_board = (kinds != _NO_PIECE) & (np.arange(len(chars)) < board_ends[rows])

    # Count pairs of a text and a kind as single numbers.
    kind_count = 2 * len(letters)
    pairs = rows[is_on_board] * kind_count + kinds[is_on_board]
    counts = np.bincount(pairs, minlength=len(texts) * kind_count)
    return counts.astype(np.uint8).reshape(len(texts), kind_count)


def _index_pieces(letters: str) -> np.ndarray:
    """Return for each byte the index of the kind of piece that it stands for, or _NO_PIECE.

    The kinds of the first side are in the order of `letters`, those of the second side follow.
    """
    index_by_char = np.full(256, _NO_PIECE, np.uint8)
    for index, letter in enumerate(letters + letters.lower()):
        index_by_char[ord(letter)] = index
    return index_by_char


def _format_counts(counts: np.ndarray, letters: str) -> str:
    """Return the material with these numbers of pieces, such as ``KRPvKR``.

    `counts` is one row of `_count_pieces`: the number of each kind of piece, first of the first side.
    """
    counted_letters = zip(letters + letters.lower(), counts.tolist(), strict=True)
    pieces = "".join(letter * count for letter, count in counted_letters)
    return material_label(pieces, letters)


def material_label(pieces: str, letters: str) -> str:
    """Return the material of some pieces: ``kKrPR`` gives ``KRPvKR``.

    Pieces of the first side are in upper case. `letters` are all kinds of pieces, in order. Characters that
    are not among `letters` are ignored.
    """
    first = "".join([letter * pieces.count(letter) for letter in letters])
    second = "".join([letter * pieces.count(letter.lower()) for letter in letters])
    return f"{first}{SIDE_SEPARATOR}{second}"
