"""`forsyth import`: positions into a store, any number of them.

Accepts the texts as the other commands do, legal or not, and with ``--in jsonl`` objects with a ``text`` and,
for the library, ``name``, ``tags`` and ``note``, as `forsyth export` writes them. Without ``--game`` the
``game`` of an object counts, and without ``--variant`` each text names its own. A text without a name is only
kept under its identifier. Writes how many there were; with ``--json`` ``{kept, saved, refused}``. A text
that cannot be read is explained on standard error and left out; the others are kept all the same. Texts go to
the store in batches, each of them whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import click

from forsyth.cli.arguments import example
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import Failure, echo, explain, write_json
from forsyth.cli.reader import Reader
from forsyth.identity import kept_text
from forsyth.registry import UnknownGameError
from forsyth.resolver import UnknownVariantError
from forsyth.store import ToSave
from forsyth.store.library import in_batches


@dataclass(slots=True)
class _Count:
    """What became of the texts."""

    kept: int = 0
    saved: int = 0
    refused: int = 0


@click.command(
    "import",
    epilog=example(
        "forsyth import --store positions.sqlite --file positions.txt",
        "forsyth import --in jsonl --tag mates --store positions.sqlite --file library.jsonl",
    ),
)
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag for all positions that have a name.")
@text_command(plays=True)
def store_import(job: Job, tags: tuple[str, ...]) -> int:
    """Keep the positions of files in a store; those with a name are saved in its library."""
    count = _Count()
    store = job.reader.store
    for batch in in_batches(_positions(job, tags, count)):
        named = [one for one in batch if one.name]
        try:
            count.kept += store.put_many((one.text, one.game) for one in batch if not one.name)
            count.saved += store.save_many(named)
        except (TypeError, ValueError) as error:
            raise Failure(f"{error}; what was given before is in the store") from error
    if job.as_json:
        write_json({"kept": count.kept, "saved": count.saved, "refused": count.refused})
    else:
        echo(f"{count.kept:,} kept, {count.saved:,} saved, {count.refused:,} refused", err=True)
    return 1 if count.refused else 0


def _positions(job: Job, tags: tuple[str, ...], count: _Count) -> Iterator[ToSave]:
    """What can be read, canonical; one without a name is only to be kept."""
    for item in job.sources:
        read = _reader_of(item, job).read(item.text)
        position = read.reading.position
        if read.game is None or position is None:
            count.refused += 1
            explain(read.reading, job.heading(item))
            job.suggest_file(item)
            continue
        yield ToSave(kept_text(position), read.game.name, *_named(item, tags))


def _reader_of(item: Item, job: Job) -> Reader:
    """The reader of a text, of its own game where none was asked for."""
    game = item.given.get("game")
    if not isinstance(game, str | None):
        raise Failure(f"line {item.line}: the game must be text")
    try:
        return job.reader if game is None else job.reader.of_game(game)
    except (UnknownGameError, UnknownVariantError) as error:
        raise Failure(f"line {item.line}: {error}") from error


def _named(item: Item, tags: tuple[str, ...]) -> tuple[str, list[str], str]:
    """The name, the tags and the note of a position."""
    name, own, note = (item.given.get(field) for field in ("name", "tags", "note"))
    if name is None:
        return "", [], ""
    if not isinstance(name, str) or not isinstance(own, list | None) or not isinstance(note, str | None):
        raise Failure(f"line {item.line}: name and note must be texts, tags a list of texts")
    return name, [*(own or ()), *tags], note or ""
