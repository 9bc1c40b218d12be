"""`forsyth explore`: what was played in a position, and how it ended.

Writes, per text: the moves with how often each was played, the share of games that the player who moves won,
drew and lost, and the average rating of who played it; then the latest and the strongest games. With
``--json`` the fields of `GET /api/v1/explore`. A position that no game reached has no moves; a text that is
no position of the index's game is not ok.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from forsyth.cli.arguments import example
from forsyth.cli.index_options import index_option, opened, position_in
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import echo, unicode_fits, write_json

if TYPE_CHECKING:
    from forsyth.bulk.index.book import Book, Exploration, GameShown, MoveShown

_WIDTH = 24
"""Characters of a bar."""


@click.command(
    epilog=example(
        "forsyth explore start --index book/",
        "forsyth explore 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1' --index book/ --json",
    )
)
@text_command(plays=True, game=False)
@index_option
@click.option(
    "--limit", type=click.IntRange(min=0), default=0, metavar="N", help="At most N moves; 0 is all."
)
def explore(job: Job, folder: str, limit: int) -> int:
    """Show the moves that were played in a position, with counts and results."""
    with opened(folder) as book:
        return job.each(lambda item: _answer(job, book, item, limit))


def _answer(job: Job, book: Book, item: Item, limit: int) -> bool:
    from forsyth.bulk.index.book import explore

    position = position_in(book, job, item)
    if position is None:
        if job.as_json:
            write_json({"line": item.line, "text": item.text, "ok": False})
        return False
    found = explore(book, book.game, position)
    if job.as_json:
        data = found.to_dict()
        if limit:
            data["moves"] = data["moves"][:limit]
        write_json({"line": item.line, "ok": True, **data})
    else:
        echo(job.heading(item) + _words(found, limit))
    return True


def _words(found: Exploration, limit: int) -> str:
    if not found.games:
        return "no game of the index reached this position"
    moves = found.moves[:limit] if limit else found.moves
    rows: list[tuple[str, ...]] = [("move", "games", "", f"for {found.side}", "", "rating")]
    rows += [
        (
            one.move,
            f"{one.games:,}",
            f"{100 * one.games / found.games:.1f} %",
            _bar(one),
            _shares(one),
            "" if one.rating is None else str(one.rating),
        )
        for one in moves
    ]
    if found.ended:
        rows.append(("(the end)", f"{found.ended:,}", f"{100 * found.ended / found.games:.1f} %", "", "", ""))
    lines = [_aligned(rows)]
    for title, games in (("latest", found.latest), ("strongest", found.strongest)):
        lines += ["", f"{title} games:", *(f"  {words_of(game)}" for game in games)]
    return "\n".join(lines)


def _bar(one: MoveShown) -> str:
    """Wins, draws and losses as one bar."""
    total = one.wins + one.draws + one.losses
    if not total:
        return ""
    wins = round(_WIDTH * one.wins / total)
    draws = round(_WIDTH * (one.wins + one.draws) / total) - wins
    full, half, empty = "█▒░" if unicode_fits() else "#=."
    return full * wins + half * draws + empty * (_WIDTH - wins - draws)


def _shares(one: MoveShown) -> str:
    total = one.wins + one.draws + one.losses
    return (
        " ".join(f"{100 * count / total:3.0f}" for count in (one.wins, one.draws, one.losses))
        if total
        else ""
    )


def _aligned(rows: list[tuple[str, ...]]) -> str:
    """Rows of cells in columns; numbers stand at the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    right = (1, 2, 5)
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def words_of(game: GameShown) -> str:
    """One game on one line."""
    players = " - ".join(
        f"{player.name or '?'}{'' if player.rating is None else f' ({player.rating})'}"
        for player in game.players
    )
    parts = (f"{game.game}. {players}", game.result, game.event, game.site, game.date)
    return ", ".join(part for part in parts if part)
