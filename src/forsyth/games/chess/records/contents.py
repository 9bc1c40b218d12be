# cython: boundscheck=False, wraparound=False
"""One chess record of the rows of a kernel as texts, for whoever needs objects.

The module runs as it is and compiles with Cython (`record_contents.pxd` gives the C types).
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

    def text_at(s: memoryview, at: int, size: int) -> str:
        """The text at a place."""
        return bytes(s[at : at + size]).decode()


def contents_of(rows: Rows, s: Chars, row: Size) -> Contents:
    """What the record of a row says."""
    if not 0 <= row < rows.games or not rows.verdict[row]:
        raise ValueError(f"row {row} is no record that was taken")
    tags = [
        (
            text_at(s, rows.tag_name[i], rows.tag_name_length[i]),
            text_at(s, rows.tag_value[i], rows.tag_value_length[i]),
            rows.tag_escaped[i],
        )
        for i in range(rows.tags_from[row], rows.tags_from[row + 1])
    ]
    moves = [
        text_at(s, rows.san[i], rows.san_length[i])
        for i in range(rows.plies_from[row], rows.plies_from[row + 1])
    ]
    comments = [
        (
            rows.comment_node[i],
            rows.comment_after[i] | rows.comment_folded[i] << 1,
            text_at(s, rows.comment[i], rows.comment_length[i]),
        )
        for i in range(rows.comments_from[row], rows.comments_from[row + 1])
    ]
    nags = [(rows.nag_node[i], rows.nag[i]) for i in range(rows.nags_from[row], rows.nags_from[row + 1])]
    lines = [rows.line_node[i] for i in range(rows.lines_from[row], rows.lines_from[row + 1])]
    sides = [
        (rows.side_line[i], text_at(s, rows.side_san[i], rows.side_san_length[i]))
        for i in range(rows.sides_from[row], rows.sides_from[row + 1])
    ]
    return Contents(tags, moves, comments, nags, lines, sides, rows.result[row])
