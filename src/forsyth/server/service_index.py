"""The index of a service: the one it was started with, or none.

It is read by `forsyth.bulk`, whose libraries a service without an index does not need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forsyth.bulk.index.book import Book


def open_index(where: str | None) -> Book | None:
    """The index in a directory, or None for none; raises `ValueError` and `ImportError` for what is none."""
    if where is None:
        return None
    from forsyth.bulk.errors import BulkError
    from forsyth.bulk.index.book import Book

    try:
        return Book(where)
    except BulkError as error:
        raise ValueError(str(error)) from error


def index_view(book: Book | None) -> dict[str, Any] | None:
    """What a page has to know about an index."""
    if book is None:
        return None
    manifest = book.manifest
    return {
        "game": manifest.game,
        "variant": manifest.variant,
        "games": manifest.games,
        "positions": manifest.positions,
    }
