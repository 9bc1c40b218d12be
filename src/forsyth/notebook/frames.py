"""Data frames of positions as HTML tables, with a small board in each row.

Input: a pandas or Polars data frame. One column has the texts, in any form and of any game. If a text cannot
be read, its row shows the first error instead of a board. All texts are escaped.

Limits: the first `rows` rows are shown, at most `MAX_ROWS`. A board is `MIN_BOARD_SIZE` to `MAX_BOARD_SIZE`
pixels wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from forsyth import draw
from forsyth.arguments import require_integer, type_name, unknown_choice_error
from forsyth.draw.markup import escape_text
from forsyth.notebook.page import Html, draw_board, make_fragment
from forsyth.reading import check

DEFAULT_ROWS: Final = 20
MAX_ROWS: Final = 500
"""Maximum number of rows. A board has some ten thousand characters, and a browser must hold all boards."""
DEFAULT_BOARD_SIZE: Final = 120
"""Default width of a board in pixels."""
MIN_BOARD_SIZE: Final = 48
MAX_BOARD_SIZE: Final = 480
_MAX_VALUE_LENGTH: Final = 200
"""Maximum length of a value in the table. A longer value is cut."""


def boards(
    frame: Any,
    column: str = "fen",
    *,
    game: str | None = None,
    rows: int = DEFAULT_ROWS,
    size: int = DEFAULT_BOARD_SIZE,
) -> Html:
    """Return the first rows of a data frame as an HTML table, with a board for each position text.

    Args:
        frame: A pandas or Polars data frame.
        column: The name of the column with the position texts.
        game: The name of the game of the texts, or None to detect it for each text.
        rows: Maximum number of rows to show.
        size: Width of a board in pixels.

    Raises:
        TypeError: If `frame` is not a data frame.
        ValueError: If the frame has no such column, or `rows` or `size` is out of bounds.
    """
    max_rows = require_integer("the number of rows", rows, 1, MAX_ROWS)
    board_size = require_integer("the size", size, MIN_BOARD_SIZE, MAX_BOARD_SIZE)
    excerpt = _read_excerpt(frame, max_rows)
    column_names = excerpt.column_names
    if column not in column_names:
        raise unknown_choice_error("column", column, column_names)
    text_column = column_names.index(column)
    headings = "".join(f"<th>{escape_text(name)}</th>" for name in column_names)
    table_rows = "".join(_write_row(row, text_column, game, board_size) for row in excerpt.rows)
    table = f"<table><thead><tr><th></th>{headings}</tr></thead><tbody>{table_rows}</tbody></table>"
    return Html(make_fragment(table + _write_row_count(excerpt)))


class _FrameExcerpt(NamedTuple):
    """The first rows of a data frame."""

    column_names: list[str]
    rows: list[Sequence[Any]]
    total_rows: int
    """The number of all rows of the data frame."""


def _read_excerpt(frame: Any, max_rows: int) -> _FrameExcerpt:
    """Return the column names of a data frame, at most `max_rows` of its rows, and the number of all rows.

    Raise `TypeError` if `frame` is not a data frame of pandas or Polars.
    """
    if not hasattr(frame, "columns") or not hasattr(frame, "head"):
        raise TypeError(f"the frame is of type {type_name(frame)}, expected a pandas or Polars data frame")
    head = frame.head(max_rows)
    # Only pandas has `itertuples`.
    is_pandas = hasattr(head, "itertuples")
    rows = head.itertuples(index=False, name=None) if is_pandas else head.iter_rows()
    column_names = [str(name) for name in frame.columns]
    return _FrameExcerpt(column_names, list(rows), len(frame))


def _write_row_count(excerpt: _FrameExcerpt) -> str:
    """Return a line of HTML such as ``20 of 500 rows``.

    Return an empty text if all rows of the data frame are shown.
    """
    shown_count = len(excerpt.rows)
    if shown_count >= excerpt.total_rows:
        return ""
    return f"<div>{shown_count} of {excerpt.total_rows} rows</div>"


def _write_row(row: Sequence[Any], text_column: int, game: str | None, size: int) -> str:
    """Return a row of a data frame as an HTML table row: a board, followed by all values of the row.

    Args:
        row: The values of the row.
        text_column: The index of the column with the position text.
        game: The name of the game, or None to detect it from the text.
        size: Width of the board in pixels.
    """
    board = _draw_thumbnail(row[text_column], game, size)
    cells = "".join(f"<td>{escape_text(_format_value(value))}</td>" for value in row)
    return f"<tr><td>{board}</td>{cells}</tr>"


def _draw_thumbnail(text: Any, game: str | None, size: int) -> str:
    """Draw the position of a text as a small SVG board without labels, `size` pixels wide.

    If the text cannot be read, return its first error as HTML instead. `game` is the name of the game, or
    None to detect it from the text.
    """
    reading = check(text, game)
    if reading.position is None:
        return f'<b class="is-error">{escape_text(reading.errors[0].message)}</b>'
    scene = draw.scene(reading, coordinates="none", captions=False)
    return draw_board(scene, size)


def _format_value(value: Any) -> str:
    """Return a value of the table as text. A long text is cut and ends with ``…``."""
    text = str(value)
    return text if len(text) <= _MAX_VALUE_LENGTH else f"{text[:_MAX_VALUE_LENGTH]}…"
