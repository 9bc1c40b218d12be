"""`forsyth export`: write the positions of a store as JSON lines.

Writes the name, tags, note, times and text of each saved position, newest first. With ``--texts`` it writes
``{state_id, game, text}`` for each stored text, saved in the library or not. `forsyth import --in jsonl`
reads both. The positions are fetched and written in batches, so that a large store does not fill the memory.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.lazy_store import LazyStore
from forsyth.cli.output import Failure, write_json


@click.command(
    "export",
    epilog=format_examples(
        "forsyth export --store positions.sqlite > library.jsonl",
        "forsyth export --texts --store positions.sqlite > positions.jsonl",
    ),
)
@click.option(
    "--store", metavar="LOCATION", help="Store to read: a file or postgresql://… (see forsyth doctor)."
)
@click.option("--texts", is_flag=True, help="Export all stored texts, not only the saved positions.")
@click.option("--game", metavar="NAME", help="Export only positions of this game.")
@click.option("--tag", metavar="TAG", help="Export only saved positions with this tag.")
@click.option(
    "--query", metavar="TEXT", help="Export only saved positions with TEXT in name, note, tag or text."
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON lines; this option changes nothing.")
def store_export(
    store: str | None, texts: bool, game: str | None, tag: str | None, query: str | None, as_json: bool
) -> None:
    """Export the saved positions of a store as JSON lines."""
    with LazyStore(store) as opened_store:
        if texts:
            _write_entries(opened_store, game)
        else:
            _write_saved_positions(opened_store, game, tag, query)


def _write_entries(store: LazyStore, game: str | None) -> None:
    """Write the identifier, game and text of each stored text as a JSON line.

    `game` is the name of the game whose texts are written. None writes those of all games.
    """
    for entry in store.entries():
        if game is None or entry.game == game:
            write_json({"state_id": entry.id, "game": entry.game, "text": entry.text})


def _write_saved_positions(store: LazyStore, game: str | None, tag: str | None, query: str | None) -> None:
    """Write each position of the library that matches all filters as a JSON line.

    Raise `Failure` if a filter is not valid.

    Args:
        store: The store with the library.
        game: The name of the game. None accepts every game.
        tag: A tag that the positions have. None accepts any tags.
        query: A text that the name, the note, a tag or the position contains. None accepts any text.
    """
    try:
        for saved in store.all_saved(game, tag, query):
            write_json(saved.to_dict())
    except ValueError as error:
        raise Failure(str(error)) from error
