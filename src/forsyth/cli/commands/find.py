"""`forsyth find`: the games of an index that reached a position, or had some men on the board.

Writes one line per game, in the order of the index. With ``--json`` one object per game: ``line game players
result date event site round plies``, then one with the counts: ``line text ok games complete``. `complete`
is false where there are more games than the index lists: then the latest and the strongest are given. Exit
status 1 when a text is no position of the index's game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from forsyth.cli.arguments import example
from forsyth.cli.commands.explore import words_of
from forsyth.cli.index_options import index_option, opened, position_in
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import echo, write_json

if TYPE_CHECKING:
    from forsyth.bulk.index.book import Book, Played


@click.command(
    epilog=example(
        "forsyth find 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1' --index book/",
        "forsyth find --material KRPvKR --index book/ --limit 0 --json",
    )
)
@text_command(plays=True, game=False)
@index_option
@click.option(
    "--material",
    metavar="MEN",
    help="In place of texts: exactly these men, the first player's first, as in KRPvKR or KRPkr; the index "
    "must have been made with --material.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    metavar="N",
    help="At most N games of each position; 0 is all.",
)
def find(job: Job, folder: str, material: str | None, limit: int) -> int:
    """List the games that reached a position, or had some men on the board."""
    with opened(folder) as book:
        if material is None:
            return job.each(lambda item: _answer(job, book, item, limit))
        if job.sources.texts or job.sources.files:
            raise click.UsageError("--material names the men, expected no text beside it")
        _tell(job, book, Item(1, material), book.with_material(material), limit)
        return 0


def _answer(job: Job, book: Book, item: Item, limit: int) -> bool:
    position = position_in(book, job, item)
    if position is None:
        if job.as_json:
            write_json({"line": item.line, "text": item.text, "ok": False, "games": 0, "complete": True})
        return False
    _tell(job, book, item, book.played(book.game.key(position)), limit)
    return True


def _tell(job: Job, book: Book, item: Item, rows: Sequence[Played], limit: int) -> None:
    """Write the games of some rows."""
    from forsyth.bulk.index.book import reached, shown

    found = reached(rows)
    games = [shown(book.game, row) for row in book.games(found.numbers[:limit] if limit else found.numbers)]
    if job.as_json:
        for game in games:
            write_json({"line": item.line, **game.to_dict()})
        counts = {"games": found.games, "complete": found.complete}
        write_json({"line": item.line, "text": item.text, "ok": True, **counts})
        return
    label = f"line {item.line}: " if len(job.sources.texts) > 1 or job.sources.files else ""
    for game in games:
        echo(label + words_of(game))
    echo(label + _total(found.games, len(games), found.complete), err=True)


def _total(games: int, shown: int, complete: bool) -> str:
    if not games:
        return "no game of the index had it"
    if not complete:
        return f"{games:,} games had it, more than the index lists; the latest and the strongest are shown"
    plural = "" if games == 1 else "s"
    return f"{games:,} game{plural} had it" + ("" if shown == games else f", {shown:,} are shown")
