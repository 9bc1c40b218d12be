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
from forsyth.cli.inputs import InputText
from forsyth.cli.options import TextJob, text_command
from forsyth.cli.output import echo, write_json

if TYPE_CHECKING:
    from forsyth.bulk.index.book import Book, PlayedMove


@click.command(
    epilog=format_examples(
        "forsyth find 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1' --index book/",
        "forsyth find --material KRPvKR --index book/ --limit 0 --json",
    )
)
@text_command(takes_game=False)
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
def find(job: TextJob, folder: str, material: str | None, limit: int) -> int:
    """List the games that reached a position or a set of pieces."""
    with open_index(folder) as book:
        if material is None:
            return job.answer_texts(lambda input_text: _print_games_of_text(job, book, input_text, limit))
        if job.sources.texts or job.sources.files:
            raise click.UsageError("--material and texts exclude each other; use one of them")
        # The material takes the place of the first text in the output.
        input_text = InputText(line=1, text=material)
        _print_games(job, book, input_text, book.with_material(material), limit)
        return 0


def _print_games_of_text(job: TextJob, book: Book, input_text: InputText, limit: int) -> bool:
    """Print the games of an index that reached a position. Return True if the text is a valid position.

    Args:
        job: The options of the run.
        book: The index.
        input_text: The text of the position, with its line number.
        limit: Maximum number of games to print; 0 means all.
    """
    position = read_position(book, job, input_text)
    if position is None:
        if job.as_json:
            write_json(
                {"line": input_text.line, "text": input_text.text, "ok": False, "games": 0, "complete": True}
            )
        return False
    position_key = book.game.key(position)
    _print_games(job, book, input_text, book.played_moves(position_key), limit)
    return True


def _print_games(
    job: TextJob, book: Book, input_text: InputText, played_moves: Sequence[PlayedMove], limit: int
) -> None:
    """Print the games that reached a position or had a material, and the number of these games.

    Args:
        job: The options of the run.
        book: The index.
        input_text: The position or the material that was searched for, with its line number.
        played_moves: The rows of the index that match. Each is a move, with the numbers of its games.
        limit: Maximum number of games to print; 0 means all.
    """
    from forsyth.bulk.index.book import collect_reached_games, summarise_game

    reached = collect_reached_games(played_moves)
    game_numbers = reached.numbers[:limit] if limit else reached.numbers
    games = [summarise_game(book.game, row) for row in book.games(game_numbers)]
    if job.as_json:
        for game in games:
            write_json({"line": input_text.line, **game.to_dict()})
        counts = {"games": reached.games, "complete": reached.complete}
        write_json({"line": input_text.line, "text": input_text.text, "ok": True, **counts})
        return

    has_many_texts = len(job.sources.texts) > 1 or job.sources.files
    label = f"line {input_text.line}: " if has_many_texts else ""
    for game in games:
        echo(label + format_game(game))
    echo(label + _format_count(reached.games, len(games), reached.complete), err=True)


def _format_count(found_count: int, shown_count: int, is_complete: bool) -> str:
    """Format the counts of a search as a line such as ``5 games found, 3 shown``.

    Args:
        found_count: The number of games found.
        shown_count: The number of games that are printed.
        is_complete: Whether the index lists all games of the position. For a frequent position it does not.
    """
    if not found_count:
        return "no game found in the index"
    if not is_complete:
        return (
            f"{found_count:,} games found, more than the index lists; the latest and the strongest are shown"
        )
    found = "1 game found" if found_count == 1 else f"{found_count:,} games found"
    return found if shown_count == found_count else f"{found}, {shown_count:,} shown"
