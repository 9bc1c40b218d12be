"""`forsyth export`: all positions of a store, as JSON lines.

Writes for each saved position its name, tags, note, times and text, newest first; with ``--texts`` for each
text that is kept, saved or not, ``{state_id, game, text}``. `forsyth import --in jsonl` reads both. Nothing
is held but the batch that is being written.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import example
from forsyth.cli.lazy_store import LazyStore
from forsyth.cli.output import Failure, write_json


@click.command(
    "export",
    epilog=example(
        "forsyth export --store positions.sqlite > library.jsonl",
        "forsyth export --texts --store positions.sqlite > positions.jsonl",
    ),
)
@click.option("--store", metavar="WHERE", help="The store, a file or postgresql://…; see forsyth doctor.")
@click.option("--texts", is_flag=True, help="All texts that are kept, not the library.")
@click.option("--game", metavar="NAME", help="Only positions of this game.")
@click.option("--tag", metavar="TAG", help="Only saved positions with this tag.")
@click.option("--query", metavar="TEXT", help="Only saved positions with this in name, note, tag or text.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines, which is what is written without it too.")
def store_export(
    store: str | None, texts: bool, game: str | None, tag: str | None, query: str | None, as_json: bool
) -> None:
    """Write the saved positions of a store as JSON lines, or all texts that it keeps."""
    with LazyStore(store) as opened:
        if texts:
            for entry in opened.entries():
                if game is None or entry.game == game:
                    write_json({"state_id": entry.id, "game": entry.game, "text": entry.text})
            return
        try:
            for saved in opened.all_saved(game, tag, query):
                write_json(saved.to_dict())
        except ValueError as error:
            raise Failure(str(error)) from error
