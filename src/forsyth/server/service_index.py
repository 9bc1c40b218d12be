"""Open the opening index of a service, if it was started with one.

`forsyth.bulk` reads the index. It is imported on demand, because a service without an index does not need its
libraries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forsyth.bulk.index.book import Book


def open_index(directory: str | None) -> Book | None:
    """Open the opening index in `directory`, which the command ``forsyth index`` wrote.

    Return None if `directory` is None. Raise `ValueError` if the directory contains no valid index, and
    `ImportError` if a library for reading it is missing.
    """
    if directory is None:
        return None
    from forsyth.bulk.errors import BulkError
    from forsyth.bulk.index.book import Book

    try:
        return Book(directory)
    except BulkError as error:
        raise ValueError(str(error)) from error


def build_index_view(book: Book | None) -> dict[str, Any] | None:
    """Return the game and variant of an opening index, and its numbers of games and positions.

    For example, ``{"game": "chess", "variant": "standard", "games": 120, "positions": 7311}``. `book` is the
    index, or None if the service has no index; the result is then None.
    """
    if book is None:
        return None
    manifest = book.manifest
    return {
        "game": manifest.game,
        "variant": manifest.variant,
        "games": manifest.games,
        "positions": manifest.positions,
    }
