"""`forsyth find`: list the games of an index that reached a position or a set of pieces.

Writes one line per game, in the order of the index. With ``--json`` it writes one object per game with the
fields ``line game players result date event site round plies``, then one object with the counts: ``line text
ok games complete``. `complete` is false if the index does not list all games of the position; the latest and
the strongest games are listed then. The exit status is 1 if a text is not a valid position of the index's
game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.commands.explore import format_game
from forsyth.cli.index_options import index_option, open_index, read_position
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import echo, write_json

if TYPE_CHECKING:
    from forsyth.bulk.index.book import Book, Played


@click.command(
    epilog=format_examples(
        "forsyth find 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1' --index book/",
        "forsyth find --material KRPvKR --index book/ --limit 0 --json",
    )
)
@text_command(uses_rules=True, takes_game=False)
@index_option
@click.option(
    "--material",
    metavar="PIECES",
    help="Find games by material, not by texts: the pieces of the first player, then those of the second, "
    "such as KRPvKR or KRPkr. Needs an index made with --material.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    metavar="N",
    help="List at most N games of each position; 0: all.",
)
def find(job: Job, folder: str, material: str | None, limit: int) -> int:
    """List the games that reached a position or a set of pieces."""
    with open_index(folder) as book:
        if material is None:
            return job.answer_texts(lambda item: _find_text(job, book, item, limit))
        if job.sources.texts or job.sources.files:
            raise click.UsageError("--material and texts exclude each other; use one of them")
        _print_games(job, book, Item(1, material), book.with_material(material), limit)
        return 0


def _find_text(job: Job, book: Book, item: Item, limit: int) -> bool:
    """Print the games of an index that reached a position, and return whether the text is valid.

    Args:
        job: The options of the run.
        book: The index.
        item: The text of the position, with its line number.
        limit: Maximum number of games to print; 0 means all.
    """
    position = read_position(book, job, item)
    if position is None:
        if job.as_json:
            write_json({"line": item.line, "text": item.text, "ok": False, "games": 0, "complete": True})
        return False
    _print_games(job, book, item, book.played(book.game.key(position)), limit)
    return True


def _print_games(job: Job, book: Book, item: Item, rows: Sequence[Played], limit: int) -> None:
    """Print the games that reached a position, and their number.

    Args:
        job: The options of the run.
        book: The index.
        item: The text that was searched for, with its line number.
        rows: The rows of the index for the position, each with the numbers of games.
        limit: Maximum number of games to print; 0 means all.
    """
    from forsyth.bulk.index.book import collect_reached_games, summarise_game

    reached = collect_reached_games(rows)
    game_numbers = reached.numbers[:limit] if limit else reached.numbers
    games = [summarise_game(book.game, row) for row in book.games(game_numbers)]
    if job.as_json:
        for game in games:
            write_json({"line": item.line, **game.to_dict()})
        counts = {"games": reached.games, "complete": reached.complete}
        write_json({"line": item.line, "text": item.text, "ok": True, **counts})
        return
    label = f"line {item.line}: " if len(job.sources.texts) > 1 or job.sources.files else ""
    for game in games:
        echo(label + format_game(game))
    echo(label + _format_count(reached.games, len(games), reached.complete), err=True)


def _format_count(total: int, shown: int, is_complete: bool) -> str:
    """Return a sentence such as ``5 games found, 3 shown``.

    Args:
        total: The number of games found.
        shown: The number of games that are printed.
        is_complete: Whether the index lists all games of the position. For a frequent position it does not.
    """
    if not total:
        return "no game found in the index"
    if not is_complete:
        return f"{total:,} games found, more than the index lists; the latest and the strongest are shown"
    plural = "" if total == 1 else "s"
    return f"{total:,} game{plural} found" + ("" if shown == total else f", {shown:,} shown")
