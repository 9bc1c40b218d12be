"""The option ``--index``, and reading a text as a position of the game of an index."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

from forsyth.cli.bulk_options import explaining_errors
from forsyth.cli.inputs import Item
from forsyth.cli.options import Decorator, Job
from forsyth.cli.output import explain
from forsyth.cli.reader import open_reader
from forsyth.resolver import Choice

if TYPE_CHECKING:
    from forsyth.bulk.index.book import Book

index_option: Final[Decorator] = click.option(
    "--index",
    "folder",
    metavar="DIR",
    required=True,
    help="The index, a directory that forsyth index made.",
)


@contextmanager
def opened(folder: str) -> Iterator[Book]:
    """The index in a directory; every way of failing as one sentence."""
    with explaining_errors():
        from forsyth.bulk.index.book import Book

        book = Book(folder)
        try:
            yield book
        finally:
            book.close()


def position_in(book: Book, job: Job, item: Item) -> Any | None:
    """The position of a text, read by the rules of the index; None, and its findings, where it is none."""
    asked = job.reader
    reader = open_reader(
        Choice(book.manifest.game, book.manifest.variant),
        plays=True,
        mode=asked.mode,
        form=asked.form,
        store=asked.store,
    )
    found, _ = reader.read(item.text)
    if found.position is None:
        explain(found, job.heading(item))
    return found.position
