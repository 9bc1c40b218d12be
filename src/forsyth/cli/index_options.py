"""The option ``--index``, and reading a text as a position of the game of an opening book (an index)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

from forsyth.cli.bulk_options import translate_bulk_errors
from forsyth.cli.inputs import Item
from forsyth.cli.options import Decorator, Job
from forsyth.cli.output import print_findings
from forsyth.cli.reader import make_reader
from forsyth.resolver import GameChoice

if TYPE_CHECKING:
    from forsyth.bulk.index.book import Book

index_option: Final[Decorator] = click.option(
    "--index",
    "folder",
    metavar="DIR",
    required=True,
    help="Index to search: a directory that forsyth index wrote.",
)


@contextmanager
def open_index(folder: str) -> Iterator[Book]:
    """Open the index that ``forsyth index`` wrote to the directory `folder`, and close it at the end.

    Raise `Failure` if the directory contains no index, or the index cannot be read.
    """
    with translate_bulk_errors():
        from forsyth.bulk.index.book import Book

        book = Book(folder)
        try:
            yield book
        finally:
            book.close()


def read_position(book: Book, job: Job, item: Item) -> Any | None:
    """Return the position of a text, read in the game and variant of the index `book`.

    If the text contains no position, print its errors to standard error and return None.
    """
    job_reader = job.reader
    reader = make_reader(
        GameChoice(book.manifest.game, book.manifest.variant),
        uses_rules=True,
        mode=job_reader.mode,
        form=job_reader.form,
        store=job_reader.store,
    )
    reading, _ = reader.read(item.text)
    if reading.position is None:
        print_findings(reading, job.line_heading(item))
    return reading.position
