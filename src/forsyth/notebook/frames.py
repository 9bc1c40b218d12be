"""Data frames of positions as HTML tables, with a small board in each row.

Input: a pandas or Polars data frame. One column has the texts, in any form and of any game. If a text cannot
be read, its row shows the first error instead of a board. All texts are escaped.

Limits: the first `rows` rows are shown, at most `MAX_ROWS`. A board is `MIN_BOARD_SIZE` to `MAX_BOARD_SIZE`
pixels wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

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
    rows = require_integer("the number of rows", rows, 1, MAX_ROWS)
    size = require_integer("the size", size, MIN_BOARD_SIZE, MAX_BOARD_SIZE)
    names, shown_rows, total_rows = _read_frame(frame, rows)
    if column not in names:
        raise unknown_choice_error("column", column, names)
    column_index = names.index(column)
    head = "".join(f"<th>{escape_text(name)}</th>" for name in names)
    body = "".join(_write_row(row, column_index, game, size) for row in shown_rows)
    table = f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"
    is_cut = total_rows > len(shown_rows)
    row_counts = f"<div>{len(shown_rows)} of {total_rows} rows</div>" if is_cut else ""
    return Html(make_fragment(table + row_counts))


def _read_frame(frame: Any, max_rows: int) -> tuple[list[str], list[Sequence[Any]], int]:
    """Return the column names of a data frame, its first rows, and the number of all rows.

    Raise `TypeError` if `frame` is not a data frame.
    """
    if not hasattr(frame, "columns") or not hasattr(frame, "head"):
        raise TypeError(f"the frame is of type {type_name(frame)}, expected a pandas or Polars data frame")
    head = frame.head(max_rows)
    rows: Iterable[Sequence[Any]]
    # Only pandas has `itertuples`.
    is_pandas = hasattr(head, "itertuples")
    rows = head.itertuples(index=False, name=None) if is_pandas else head.iter_rows()
    return [str(name) for name in frame.columns], list(rows), len(frame)


def _write_row(row: Sequence[Any], column_index: int, game: str | None, size: int) -> str:
    """Return a row of a data frame as an HTML table row: a board, followed by all values.

    Args:
        row: The values of the row.
        column_index: The index of the position text in `row`.
        game: The name of the game, or None to detect it from the text.
        size: Width of the board in pixels.
    """
    cells = "".join(f"<td>{escape_text(_format_value(value))}</td>" for value in row)
    return f"<tr><td>{_draw_thumbnail(row[column_index], game, size)}</td>{cells}</tr>"


def _draw_thumbnail(text: Any, game: str | None, size: int) -> str:
    """Return a position text as a small HTML board without labels, `size` pixels wide.

    If the text cannot be read, return its first error instead. `game` is the name of the game, or None to
    detect it.
    """
    reading = check(text, game)
    if reading.position is None:
        return f'<b class="is-error">{escape_text(reading.errors[0].message)}</b>'
    return draw_board(draw.scene(reading, coordinates="none", captions=False), size)


def _format_value(value: Any) -> str:
    """Return a value of the table as text, cut after `_MAX_VALUE_LENGTH` characters with ``…``."""
    text = str(value)
    return text if len(text) <= _MAX_VALUE_LENGTH else f"{text[:_MAX_VALUE_LENGTH]}…"
