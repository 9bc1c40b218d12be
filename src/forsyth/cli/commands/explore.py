"""`forsyth explore`: show the moves played in a position, and their results.

Writes for each text a table of moves: how often each was played, the shares of games that the player who
moves won, drew and lost, and the average rating of the players who chose it. The latest and the strongest
games follow. With ``--json`` the fields are those of `GET /api/v1/explore`. A position that no game reached
has no moves. A text that is not a valid position of the index's game is not ok.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.index_options import index_option, open_index, read_position
from forsyth.cli.inputs import InputText
from forsyth.cli.options import TextJob, text_command
from forsyth.cli.output import echo, supports_unicode, write_json

if TYPE_CHECKING:
    from forsyth.bulk.index.book import Book, Exploration, GameSummary, MoveCounts

_BAR_WIDTH = 24
"""Length of the bar of results, in characters."""
_NUMBER_COLUMNS = (1, 2, 5)
"""The indexes of the columns that contain numbers: games, share and rating."""


@click.command(
    epilog=format_examples(
        "forsyth explore start --index book/",
        "forsyth explore 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1' --index book/ --json",
    )
)
@text_command(takes_game=False)
@index_option
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Show at most N moves; 0: all.  [default: 0]",
)
def explore(job: TextJob, folder: str, limit: int) -> int:
    """Show the moves played in a position, and their results."""
    with open_index(folder) as book:
        return job.answer_texts(lambda input_text: _print_exploration(job, book, input_text, limit))


def _print_exploration(job: TextJob, book: Book, input_text: InputText, limit: int) -> bool:
    """Print the moves that games of an index played in a position. Return True if the text is valid.

    Args:
        job: The options of the run.
        book: The index.
        input_text: The text of the position, with its line number.
        limit: Maximum number of moves to print; 0 means all.
    """
    from forsyth.bulk.index.book import explore

    position = read_position(book, job, input_text)
    if position is None:
        if job.as_json:
            write_json({"line": input_text.line, "text": input_text.text, "ok": False})
        return False
    exploration = explore(book, book.game, position)
    if job.as_json:
        json_fields = exploration.to_dict()
        if limit:
            json_fields["moves"] = json_fields["moves"][:limit]
        write_json({"line": input_text.line, "ok": True, **json_fields})
    else:
        echo(job.format_line_heading(input_text) + _format_exploration(exploration, limit))
    return True


def _format_exploration(exploration: Exploration, limit: int) -> str:
    """Format a table of the moves played in a position, then the latest and the strongest games.

    `limit` is the maximum number of moves; 0 means all.
    """
    if not exploration.games:
        return "no game in the index reached this position"
    moves = exploration.moves[:limit] if limit else exploration.moves
    # The share of the games and the bar of results have no heading.
    headings = ("move", "games", "", f"for {exploration.side}", "", "rating")
    rows = [headings, *(_make_move_row(move, exploration.games) for move in moves)]
    if exploration.ended:
        ended_share = _format_share(exploration.ended, exploration.games)
        rows.append(("(ended)", f"{exploration.ended:,}", ended_share, "", "", ""))

    lines = [_align_rows(rows)]
    for title, games in (("latest", exploration.latest), ("strongest", exploration.strongest)):
        lines += ["", f"{title} games:", *(f"  {format_game(game)}" for game in games)]
    return "\n".join(lines)


def _make_move_row(move: MoveCounts, total_games: int) -> tuple[str, str, str, str, str, str]:
    """Return a move and its counts as the cells of a table row.

    An example is ``("e4", "120", "48.0 %", "####===...", " 52  30  18", "2100")``: the move, its games, their
    share, a bar and the percentages of wins, draws and losses, and the average rating. `total_games` is the
    number of games that reached the position.
    """
    return (
        move.move,
        f"{move.games:,}",
        _format_share(move.games, total_games),
        _format_bar(move),
        _format_percentages(move),
        "" if move.rating is None else str(move.rating),
    )


def _format_share(count: int, total: int) -> str:
    """Format the share of `count` in `total` as a percentage, such as ``33.3 %``."""
    return f"{100 * count / total:.1f} %"


def _format_bar(move: MoveCounts) -> str:
    """Format the shares of wins, draws and losses of a move as a bar of characters: ``####===...``.

    Return an empty text if no game with the move has a result.
    """
    game_count = move.wins + move.draws + move.losses
    if not game_count:
        return ""
    win_width = round(_BAR_WIDTH * move.wins / game_count)
    # Rounding the end of the draws, not their width, keeps the bar at its full length.
    draw_end = round(_BAR_WIDTH * (move.wins + move.draws) / game_count)
    draw_width = draw_end - win_width
    loss_width = _BAR_WIDTH - draw_end
    win_sign, draw_sign, loss_sign = "█▒░" if supports_unicode() else "#=."
    return win_sign * win_width + draw_sign * draw_width + loss_sign * loss_width


def _format_percentages(move: MoveCounts) -> str:
    """Format the percentages of wins, draws and losses of a move, such as `` 52  30  18``.

    Return an empty text if no game with the move has a result.
    """
    results = (move.wins, move.draws, move.losses)
    game_count = sum(results)
    if not game_count:
        return ""
    return " ".join(f"{100 * count / game_count:3.0f}" for count in results)


def _align_rows(rows: Sequence[tuple[str, ...]]) -> str:
    """Format rows of cells as a table, in which each column is as wide as its longest cell.

    Columns of numbers are aligned to the right, others to the left. All rows have the same number of cells.
    """
    columns = zip(*rows, strict=True)
    aligned_columns = [_align_column(index, cells) for index, cells in enumerate(columns)]
    aligned_rows = zip(*aligned_columns, strict=True)
    return "\n".join("  ".join(cells).rstrip() for cells in aligned_rows)


def _align_column(index: int, cells: tuple[str, ...]) -> list[str]:
    """Return the cells of a column, filled with blanks to the width of the longest cell.

    `index` is the index of the column, from 0. Columns of numbers are aligned to the right.
    """
    width = max(map(len, cells))
    if index in _NUMBER_COLUMNS:
        return [cell.rjust(width) for cell in cells]
    return [cell.ljust(width) for cell in cells]


def format_game(game: GameSummary) -> str:
    """Format a game of an index as one line, such as ``7. Anna (2100) - Ben, 1-0, Club Open, 2024.05.01``."""
    players_with_rating = []
    for player in game.players:
        rating = "" if player.rating is None else f" ({player.rating})"
        players_with_rating.append(f"{player.name or '?'}{rating}")
    players = " - ".join(players_with_rating)
    parts = (f"{game.game}. {players}", game.result, game.event, game.site, game.date)
    return ", ".join(part for part in parts if part)
