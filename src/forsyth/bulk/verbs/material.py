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


def list_piece_letters(game: Game) -> str:
    """Return the letters of all kinds of pieces of a game, upper case, such as ``KQRBNP`` for chess.

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


def compute_materials(texts: pa.Array, letters: str) -> pa.Array:
    """Return the pieces on the board of each text, such as ``KRPvKR``, as a dictionary array.

    A null gives null. The texts must be canonical. `letters` are the letters of all kinds of pieces, such as
    ``KQRBNP``.
    """
    if not len(texts):
        return pa.DictionaryArray.from_arrays(pa.nulls(0, pa.int32()), pa.array([], pa.string()))
    counts = _count_pieces(texts, letters)
    _, kind_count = counts.shape
    # A row of counts, which are bytes, is compared as one value. Each distinct material is formatted once.
    rows_as_bytes = counts.view(f"V{kind_count}").ravel()
    distinct_rows, label_indices = np.unique(rows_as_bytes, return_inverse=True)
    distinct_counts = distinct_rows.view(np.uint8).reshape(-1, kind_count)
    labels = [_format_counts(row, letters) for row in distinct_counts]
    is_missing = texts.is_null().to_numpy(zero_copy_only=False)
    indices = pa.array(label_indices.astype(np.int32).ravel(), pa.int32(), mask=is_missing)
    return pa.DictionaryArray.from_arrays(indices, pa.array(labels, pa.string()))


def _count_pieces(texts: pa.Array, letters: str) -> np.ndarray:
    """Return the number of pieces of each kind on the board of each text, one row for each text.

    The columns are the kinds of the first side in the order of `letters`, then those of the second side. The
    texts are canonical, in an array of large strings.
    """
    _, offset_buffer, char_buffer = texts.buffers()
    offsets = np.frombuffer(offset_buffer, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    all_chars = np.frombuffer(b"" if char_buffer is None else char_buffer, np.uint8)
    chars = all_chars[offsets[0] : offsets[-1]]
    starts = (offsets[:-1] - offsets[0]).astype(np.int64)
    # For each character, the index of its text and of its kind of piece.
    rows = np.repeat(np.arange(len(texts)), np.diff(offsets))
    kinds = _make_kind_table(letters)[chars]

    # The board ends at the first blank, or where the pieces in hand begin.
    stops = np.flatnonzero((chars == ord(" ")) | (chars == ord("[")))
    first_stops = np.searchsorted(stops, starts)
    board_ends = np.append(stops, len(chars))[first_stops]
    is_on_board = (kinds != _NO_PIECE) & (np.arange(len(chars)) < board_ends[rows])

    # A pair of a text and a kind is one number, so that all pairs are counted at once.
    kind_count = 2 * len(letters)
    pairs = rows[is_on_board] * kind_count + kinds[is_on_board]
    counts = np.bincount(pairs, minlength=len(texts) * kind_count)
    return counts.astype(np.uint8).reshape(len(texts), kind_count)


def _make_kind_table(letters: str) -> np.ndarray:
    """Return the kind of piece that each of the 256 bytes stands for, or _NO_PIECE.

    With the letters ``KQ``, the bytes of ``K``, ``Q``, ``k`` and ``q`` stand for the kinds 0, 1, 2 and 3.
    """
    kind_by_byte = np.full(256, _NO_PIECE, np.uint8)
    for kind, letter in enumerate(letters + letters.lower()):
        kind_by_byte[ord(letter)] = kind
    return kind_by_byte


def _format_counts(counts: np.ndarray, letters: str) -> str:
    """Return the material with these numbers of pieces, such as ``KRPvKR``.

    `counts` has the number of each kind of piece of the first side, in the order of `letters`, and then of
    the second side.
    """
    counted_letters = zip(letters + letters.lower(), counts.tolist(), strict=True)
    pieces = "".join(letter * count for letter, count in counted_letters)
    return format_material(pieces, letters)


def format_material(pieces: str, letters: str) -> str:
    """Return pieces in the usual order, first side first: ``kKrPR`` gives ``KRPvKR``.

    Args:
        pieces: The pieces in any order, those of the first side in upper case. Characters that are not pieces
            are ignored.
        letters: The letters of all kinds of pieces, in the usual order, such as ``KQRBNP``.
    """
    first_side = "".join([letter * pieces.count(letter) for letter in letters])
    second_side = "".join([letter * pieces.count(letter.lower()) for letter in letters])
    return f"{first_side}{SIDE_SEPARATOR}{second_side}"
