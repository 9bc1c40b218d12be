"""`forsyth import`: import any number of positions into a store.

Accepts texts like the other commands, legal or not. With ``--in jsonl`` it also accepts objects with a
``text`` and, for the library, ``name``, ``tags`` and ``note``, as `forsyth export` writes them. Without
``--game`` the ``game`` of each object is used, and without ``--variant`` the variant is detected from each
text.

A text with a name is saved in the library; a text without a name is only stored under its identifier. A text
that cannot be read is skipped, and its findings go to standard error. Texts are stored in batches; each batch
is stored completely or not at all. The command writes the counts, with ``--json`` as ``{kept, saved,
refused}``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import Failure, echo, print_findings, write_json
from forsyth.cli.reader import Reader
from forsyth.identity import stored_text
from forsyth.registry import UnknownGameError
from forsyth.resolver import UnknownVariantError
from forsyth.store import ToSave
from forsyth.store.library import in_batches


@dataclass(slots=True)
class _ImportCounts:
    """Counts of the texts by outcome."""

    kept: int = 0
    """Texts without a name, stored under their identifier."""
    saved: int = 0
    """Texts with a name, saved in the library."""
    refused: int = 0
    """Texts that could not be read."""


@click.command(
    "import",
    epilog=format_examples(
        "forsyth import --store positions.sqlite --file positions.txt",
        "forsyth import --in jsonl --tag mates --store positions.sqlite --file library.jsonl",
    ),
)
@click.option(
    "--tag",
    "tags",
    multiple=True,
    metavar="TAG",
    help="Tag to add to all positions that have a name. Repeatable.",
)
@text_command(uses_rules=True)
def store_import(job: Job, tags: tuple[str, ...]) -> int:
    """Import positions into a store.

    Positions with a name are saved in the library of the store.
    """
    counts = _ImportCounts()
    store = job.reader.store
    for batch in in_batches(_read_positions(job, tags, counts)):
        named_positions = [position for position in batch if position.name]
        unnamed_texts = [(position.text, position.game) for position in batch if not position.name]
        try:
            counts.kept += store.put_many(unnamed_texts)
            counts.saved += store.save_many(named_positions)
        except (TypeError, ValueError) as error:
            raise Failure(f"{error}; the batches before this error are in the store") from error
    if job.as_json:
        write_json({"kept": counts.kept, "saved": counts.saved, "refused": counts.refused})
    else:
        echo(
            f"{counts.kept:,} stored without a name, {counts.saved:,} saved in the library, "
            f"{counts.refused:,} could not be read",
            err=True,
        )
    return 1 if counts.refused else 0


def _read_positions(job: Job, tags: tuple[str, ...], counts: _ImportCounts) -> Iterator[ToSave]:
    """Yield each text that can be read, in canonical form, with its name, tags and note.

    The name is empty if the input has none. The errors of texts that cannot be read are printed.

    Args:
        job: The texts and the options of the run.
        tags: Tags to add to all positions that have a name.
        counts: Counts the texts that cannot be read. It is changed in place.
    """
    for item in job.sources:
        resolved = _select_reader(item, job).read(item.text)
        position = resolved.reading.position
        if resolved.game is None or position is None:
            counts.refused += 1
            print_findings(resolved.reading, job.line_heading(item))
            job.suggest_file_option(item)
            continue
        yield ToSave(stored_text(position), resolved.game.name, *_library_fields(item, tags))


def _select_reader(item: Item, job: Job) -> Reader:
    """Return the reader for the game in the field ``game`` of a JSON line, unless the options select a game.

    Without the field, return the reader of the run. Raise `Failure` if the field is not the name of a game.
    """
    game = item.json_fields.get("game")
    if not isinstance(game, str | None):
        raise Failure(f"line {item.line}: the field game must be a string")
    try:
        return job.reader if game is None else job.reader.for_game(game)
    except (UnknownGameError, UnknownVariantError) as error:
        raise Failure(f"line {item.line}: {error}") from error


def _library_fields(item: Item, tags: tuple[str, ...]) -> tuple[str, list[str], str]:
    """Return the name, the tags and the note of a JSON line, for saving its position in the library.

    `tags` are added to those of the line. Without a name, all values are empty, and the position is not saved
    in the library. Raise `Failure` if a field has the wrong type.
    """
    name, item_tags, note = (item.json_fields.get(field) for field in ("name", "tags", "note"))
    if name is None:
        return "", [], ""
    has_valid_tags = isinstance(item_tags, list | None)
    if not isinstance(name, str) or not has_valid_tags or not isinstance(note, str | None):
        raise Failure(
            f"line {item.line}: the fields name and note must be strings, and tags must be a list of strings"
        )
    return name, [*(item_tags or ()), *tags], note or ""
