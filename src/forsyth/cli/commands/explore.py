"""`forsyth explore`: show the moves played in a position, and their results.

Writes for each text a table of moves: how often each was played, the shares of games that the player who
moves won, drew and lost, and the average rating of the players who chose it. The latest and the strongest
games follow. With ``--json`` the fields are those of `GET /api/v1/explore`. A position that no game reached
has no moves. A text that is not a valid position of the index's game is not ok.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.index_options import index_option, open_index, read_position
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import echo, supports_unicode, write_json

if TYPE_CHECKING:
    from forsyth.bulk.index.book import Book, Exploration, GameSummary, MoveCounts

_BAR_WIDTH = 24
"""Length of the bar of results, in characters."""
_RIGHT_ALIGNED = (1, 2, 5)
"""The columns of the table that contain numbers: games, share and rating."""


@click.command(
    epilog=format_examples(
        "forsyth explore start --index book/",
        "forsyth explore 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1' --index book/ --json",
    )
)
@text_command(uses_rules=True, takes_game=False)
@index_option
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Show at most N moves; 0: all.  [default: 0]",
)
def explore(job: Job, folder: str, limit: int) -> int:
    """Show the moves played in a position, and their results."""
    with open_index(folder) as book:
        return job.answer_texts(lambda item: _explore_text(job, book, item, limit))


def _explore_text(job: Job, book: Book, item: Item, limit: int) -> bool:
    """Print the moves that games of an index played in a position, and return whether the text is valid.

    Args:
        job: The options of the run.
        book: The index.
        item: The text of the position, with its line number.
        limit: Maximum number of moves to print; 0 means all.
    """
    from forsyth.bulk.index.book import explore

    position = read_position(book, job, item)
    if position is None:
        if job.as_json:
            write_json({"line": item.line, "text": item.text, "ok": False})
        return False
    exploration = explore(book, book.game, position)
    if job.as_json:
        data = exploration.to_dict()
        if limit:
            data["moves"] = data["moves"][:limit]
        write_json({"line": item.line, "ok": True, **data})
    else:
        echo(job.line_heading(item) + _format_exploration(exploration, limit))
    return True


def _format_exploration(exploration: Exploration, limit: int) -> str:
    """Return a table of the moves played in a position, then the latest and the strongest games.

    `limit` is the maximum number of moves; 0 means all.
    """
    if not exploration.games:
        return "no game in the index reached this position"
    moves = exploration.moves[:limit] if limit else exploration.moves
    rows: list[tuple[str, ...]] = [("move", "games", "", f"for {exploration.side}", "", "rating")]
    rows += [
        (
            move.move,
            f"{move.games:,}",
            f"{100 * move.games / exploration.games:.1f} %",
            _format_bar(move),
            _format_percentages(move),
            "" if move.rating is None else str(move.rating),
        )
        for move in moves
    ]
    if exploration.ended:
        ended_share = 100 * exploration.ended / exploration.games
        rows.append(("(ended)", f"{exploration.ended:,}", f"{ended_share:.1f} %", "", "", ""))
    lines = [_align_columns(rows)]
    for title, games in (("latest", exploration.latest), ("strongest", exploration.strongest)):
        lines += ["", f"{title} games:", *(f"  {format_game(game)}" for game in games)]
    return "\n".join(lines)


def _format_bar(move: MoveCounts) -> str:
    """Return the shares of wins, draws and losses of a move as one bar, such as ``####===...``.

    Return an empty text if no game has a result.
    """
    total = move.wins + move.draws + move.losses
    if not total:
        return ""
    win_width = round(_BAR_WIDTH * move.wins / total)
    # Rounding the end of the draws, not their width, keeps the bar at its full length.
    draw_width = round(_BAR_WIDTH * (move.wins + move.draws) / total) - win_width
    loss_width = _BAR_WIDTH - win_width - draw_width
    full, half, empty = "█▒░" if supports_unicode() else "#=."
    return full * win_width + half * draw_width + empty * loss_width


def _format_percentages(move: MoveCounts) -> str:
    """Return the percentages of wins, draws and losses of a move, such as `` 52  30  18``.

    Return an empty text if no game has a result.
    """
    total = move.wins + move.draws + move.losses
    if not total:
        return ""
    return " ".join(f"{100 * count / total:3.0f}" for count in (move.wins, move.draws, move.losses))


def _align_columns(rows: list[tuple[str, ...]]) -> str:
    """Return rows of cells as a table with aligned columns: numbers to the right, other cells to the left.

    All rows have the same number of cells.
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if column in _RIGHT_ALIGNED else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def format_game(game: GameSummary) -> str:
    """Return a game of an index on one line, such as ``7. Anna (2100) - Ben, 1-0, Club Open, 2024.05.01``."""
    named_players = []
    for player in game.players:
        rating = "" if player.rating is None else f" ({player.rating})"
        named_players.append(f"{player.name or '?'}{rating}")
    players = " - ".join(named_players)
    parts = (f"{game.game}. {players}", game.result, game.event, game.site, game.date)
    return ", ".join(part for part in parts if part)
