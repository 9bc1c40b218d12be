"""Data frames of positions with a small board in each row.

Accepts a frame of pandas or Polars; `column` holds the texts, which may be of any form and game. Texts that
cannot be read show their first finding in place of a board. Writes a table with all words escaped. Limits:
the first `rows` rows, `MOST_ROWS` at most; boards are `SMALLEST` to `LARGEST` pixels wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from forsyth import draw
from forsyth.arguments import no_choice, type_of, whole_number
from forsyth.draw.markup import words
from forsyth.notebook.page import Html, board, part
from forsyth.reading import check

ROWS: Final = 20
MOST_ROWS: Final = 500
"""A board is some ten thousand characters, and a browser must hold all of them."""
SIZE: Final = 120
SMALLEST: Final = 48
LARGEST: Final = 480
_MOST_WORDS: Final = 200
"""Longest value of another column that is shown whole."""


def boards(
    frame: Any, column: str = "fen", *, game: str | None = None, rows: int = ROWS, size: int = SIZE
) -> Html:
    """The first rows of a frame as a table, with a board for each text of a column.

    Raises `ValueError` for a column that the frame does not have, `TypeError` for what is no frame.
    """
    rows = whole_number("the number of rows", rows, 1, MOST_ROWS)
    size = whole_number("the size", size, SMALLEST, LARGEST)
    names, values, total = _contents(frame, rows)
    if column not in names:
        raise no_choice("column", column, names)
    at = names.index(column)
    head = "".join(f"<th>{words(name)}</th>" for name in names)
    body = "".join(_row(row, at, game, size) for row in values)
    table = f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"
    more = f"<div>{len(values)} of {total} rows</div>" if total > len(values) else ""
    return Html(part(table + more))


def _contents(frame: Any, rows: int) -> tuple[list[str], list[Sequence[Any]], int]:
    """The columns, the first rows and the number of rows of a frame."""
    if not hasattr(frame, "columns") or not hasattr(frame, "head"):
        raise TypeError(f"a frame of pandas or Polars is expected, not {type_of(frame)}")
    first = frame.head(rows)
    several: Iterable[Sequence[Any]]
    several = first.itertuples(index=False, name=None) if hasattr(first, "itertuples") else first.iter_rows()
    return [str(name) for name in frame.columns], list(several), len(frame)


def _row(row: Sequence[Any], at: int, game: str | None, size: int) -> str:
    cells = "".join(f"<td>{words(_short(value))}</td>" for value in row)
    return f"<tr><td>{_thumbnail(row[at], game, size)}</td>{cells}</tr>"


def _thumbnail(text: Any, game: str | None, size: int) -> str:
    reading = check(text, game)
    if reading.position is None:
        return f'<b class="is-error">{words(reading.errors[0].message)}</b>'
    return board(draw.scene(reading, coordinates="none", captions=False), size)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _MOST_WORDS else f"{text[:_MOST_WORDS]}…"
