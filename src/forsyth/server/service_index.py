"""Open the opening index of a service, if it was started with one.

`forsyth.bulk` reads the index. It is imported on demand, because a service without an index does not need its
libraries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forsyth.bulk.index.book import Book


def open_index(directory: str | None) -> Book | None:
    """Open the opening index that ``forsyth index`` wrote to a directory. Return None if `directory` is None.

    Raise `ValueError` if the directory contains no valid index, and `ImportError` if a library is missing.
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
    """Return the game of an opening index and its numbers of games and positions as JSON-ready data.

    Return None if `book` is None, because the service has no index.
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
