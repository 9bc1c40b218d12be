# cython: boundscheck=False, wraparound=False
"""The contents of one chess record as Python objects, built from the columns of a kernel.

The module runs as it is and compiles with Cython (`contents.pxd` gives the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.records.rows import Rows
from forsyth.record_bytes.columns import Contents

if not cython.compiled:
    Chars = memoryview
    Size = int

    def decode_text(chars: memoryview, start: int, size: int) -> str:
        """Return the `size` bytes at the offset `start`, decoded as UTF-8."""
        return bytes(chars[start : start + size]).decode()


def build_contents(rows: Rows, chars: Chars, row: Size) -> Contents:
    """Return the tags, moves, comments, glyphs, variations and result of one record as Python objects.

    Args:
        rows: The columns of all records.
        chars: The bytes that the records were read from.
        row: The number of the record in the table of games.

    Raises:
        ValueError: If there is no such row, or its record was left to the slower record reader.
    """
    if not 0 <= row < rows.games or not rows.verdict[row]:
        raise ValueError(
            f"row {row} has no contents, expected the row of a record with verdict 1 among {rows.games} rows"
        )
    # The rows of record `row` in each table begin at ``…_from[row]`` and end before ``…_from[row + 1]``.
    tags = [
        (
            decode_text(chars, rows.tag_name[i], rows.tag_name_length[i]),
            decode_text(chars, rows.tag_value[i], rows.tag_value_length[i]),
            rows.tag_escaped[i],
        )
        for i in range(rows.tags_from[row], rows.tags_from[row + 1])
    ]
    moves = [
        decode_move(rows, chars, rows.san[i], rows.san_length[i])
        for i in range(rows.plies_from[row], rows.plies_from[row + 1])
    ]
    comments = [
        (
            rows.comment_node[i],
            # Flag 1: the comment follows its move. Flag 2: the comment has line breaks.
            rows.comment_after[i] | (rows.comment_folded[i] << 1),
            decode_text(chars, rows.comment[i], rows.comment_length[i]),
        )
        for i in range(rows.comments_from[row], rows.comments_from[row + 1])
    ]
    nags = [(rows.nag_node[i], rows.nag[i]) for i in range(rows.nags_from[row], rows.nags_from[row + 1])]
    variation_nodes = [rows.line_node[i] for i in range(rows.lines_from[row], rows.lines_from[row + 1])]
    variation_moves = [
        (rows.side_line[i], decode_move(rows, chars, rows.side_san[i], rows.side_san_length[i]))
        for i in range(rows.sides_from[row], rows.sides_from[row + 1])
    ]
    return Contents(
        tags=tags,
        moves=moves,
        comments=comments,
        nags=nags,
        lines=variation_nodes,
        sides=variation_moves,
        result=rows.result[row],
    )


def decode_move(rows: Rows, chars: Chars, start: Size, size: Size) -> str:
    """Return the SAN of a move: `size` bytes at the offset `start`, or in ``respelled`` if it is negative."""
    return decode_text(chars, start, size) if start >= 0 else decode_text(rows.respelled, -1 - start, size)
