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
from typing import NamedTuple, TypeVar

import click

from forsyth.arguments import quoted
from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import InputText
from forsyth.cli.options import TextJob, text_command
from forsyth.cli.output import Failure, echo, print_findings, write_json
from forsyth.cli.reader import Reader
from forsyth.identity import stored_text
from forsyth.registry import UnknownGameError
from forsyth.resolver import UnknownVariantError
from forsyth.store import ToSave
from forsyth.store.library import split_into_batches

T = TypeVar("T")


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
@text_command()
def store_import(job: TextJob, tags: tuple[str, ...]) -> int:
    """Import positions into a store.

    Positions with a name are saved in the library of the store.
    """
    counts = _ImportCounts()
    store = job.reader.store
    for batch in split_into_batches(_read_positions(job, tags, counts)):
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


def _read_positions(job: TextJob, tags: tuple[str, ...], counts: _ImportCounts) -> Iterator[ToSave]:
    """Yield the position of each text that can be read, with its game, name, tags and note.

    The name is empty if the input has none. If a text cannot be read, its errors are printed.

    Args:
        job: The texts and the options of the run.
        tags: Tags to add to all positions that have a name.
        counts: The counts of the run. Each text that cannot be read increases `counts.refused`.
    """
    for input_text in job.sources:
        resolved = _select_reader(input_text, job).read(input_text.text)
        position = resolved.reading.position
        if resolved.game is None or position is None:
            counts.refused += 1
            print_findings(resolved.reading, job.format_line_heading(input_text))
            job.suggest_file_option(input_text)
            continue
        fields = _read_library_fields(input_text, tags)
        yield ToSave(stored_text(position), resolved.game.name, fields.name, fields.tags, fields.note)


def _select_reader(input_text: InputText, job: TextJob) -> Reader:
    """Return the reader for a text. If its JSON line has a field ``game``, the reader is for that game.

    A game that the options select takes precedence over the field. Raise `Failure` if the field is not the
    name of a game.
    """
    game_name = _get_field(input_text, "game", str, "a string")
    if game_name is None:
        return job.reader
    try:
        return job.reader.select_game(game_name)
    except (UnknownGameError, UnknownVariantError) as error:
        raise Failure(f"line {input_text.line}: {error}") from error


class _LibraryFields(NamedTuple):
    """The fields of a position in the library of the store. All are empty if it is not saved there."""

    name: str
    tags: list[str]
    note: str


def _read_library_fields(input_text: InputText, further_tags: tuple[str, ...]) -> _LibraryFields:
    """Return the name, the tags and the note in the JSON line of a text.

    `further_tags` are added to the tags of the line. If the line has no name, all three fields are empty.
    Raise `Failure` if a field has the wrong type.
    """
    name = _get_field(input_text, "name", str, "a string")
    if name is None:
        return _LibraryFields(name="", tags=[], note="")
    line_tags = _get_field(input_text, "tags", list, "a list of strings") or []
    note = _get_field(input_text, "note", str, "a string") or ""
    return _LibraryFields(name, [*line_tags, *further_tags], note)


def _get_field(input_text: InputText, field: str, field_type: type[T], expected: str) -> T | None:
    """Return the value of a field in the JSON line of a text, or None if it has no such field.

    Raise `Failure` if the value has the wrong type.

    Args:
        input_text: The text, with all fields of its JSON line.
        field: The name of the field.
        field_type: The type that the value must have.
        expected: A description of this type for the message, such as ``a string``.
    """
    value = input_text.json_fields.get(field)
    if value is None or isinstance(value, field_type):
        return value
    raise Failure(
        f"line {input_text.line}: the field {field} is {quoted(value)}, expected {expected}; correct the line"
    )
