"""The option ``--index``, and reading a text as a position of the game of an opening book (an index)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

from forsyth.cli.bulk_options import translate_bulk_errors
from forsyth.cli.inputs import InputText
from forsyth.cli.options import Decorator, TextJob
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
    """Open an index of games for the ``with`` block, and close it afterwards.

    `folder` is the directory to which ``forsyth index`` wrote the index. Raise `Failure` if it contains no
    index, or the index cannot be read.
    """
    with translate_bulk_errors():
        from forsyth.bulk.index.book import Book

        book = Book(folder)
        try:
            yield book
        finally:
            book.close()


def read_position(book: Book, job: TextJob, input_text: InputText) -> Any | None:
    """Return the position that a text describes. If it cannot be read, print its errors and return None.

    The command line does not name a game, so the text is read as a position of the game of the index.

    Args:
        book: The index of games.
        job: The options of the run.
        input_text: The text, with its line number.
    """
    book_game = GameChoice(game=book.manifest.game, variant=book.manifest.variant)
    reader = make_reader(book_game, mode=job.reader.mode, form=job.reader.form, store=job.reader.store)
    reading, _ = reader.read(input_text.text)
    if reading.position is None:
        print_findings(reading, job.format_line_heading(input_text))
    return reading.position
