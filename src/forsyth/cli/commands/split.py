"""`forsyth split`: assign each position to exactly one set, for training and testing.

Adds a column ``split`` with the name of the set. The set depends only on the key of the position and the
seed, so that all rows of a position are in the same set. ``--twins`` also puts a position and its
colour-flipped twin into the same set. Rows that cannot be read are in no set (null).

``--by`` puts all rows with the same value of a column, such as a game number, into one set, and does not read
the texts. Rows without a value are in no set and are counted (``missing``); the exit status is then 1.
``--separate`` writes each set to its own file, such as ``sets.train.parquet``, without the column ``split``.
"""

from __future__ import annotations

from pathlib import Path

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.bulk_options import (
    STANDARD_OUTPUT,
    BulkJob,
    prefix_option,
    rows_command,
    translate_bulk_errors,
)


@click.command(
    epilog=format_examples(
        "forsyth split positions.parquet -o sets.parquet",
        "forsyth split --sets train=0.9,test=0.1 positions.parquet -o sets.parquet",
        "forsyth split --by game_id --separate positions.parquet -o sets.parquet",
    )
)
@click.option(
    "--sets",
    metavar="NAME=SHARE,...",
    help="Sets and their shares, which must add up to 1.  [default: train=0.8,valid=0.1,test=0.1]",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Random seed; the same seed gives the same sets."
)
@click.option(
    "--by",
    metavar="COLUMN",
    help="Assign all rows with the same value of this column to one set, without reading the texts.",
)
@click.option("--twins", is_flag=True, help="Put a position and its colour-flipped twin into one set.")
@click.option(
    "--separate",
    is_flag=True,
    help="Write a file for each set, such as sets.train.parquet if TARGET is sets.parquet.",
)
@prefix_option
@rows_command
def split(
    job: BulkJob, sets: str | None, seed: int, by: str | None, twins: bool, separate: bool, prefix: str
) -> int:
    """Assign each position to exactly one set.

    The name of the set is written to the column split.
    """
    options = {"sets": sets, "seed": seed, "by": by, "twins": int(twins) or None}
    if not separate:
        return job.print_report(job.run_verb("split", prefix, **options))
    target = job.target or STANDARD_OUTPUT
    with translate_bulk_errors():
        set_targets = name_set_targets(target, sets)
        create_target_directory(target)
    # The files are read once for each set.
    exit_statuses = [
        job.with_target(set_target).run_and_report("split", only=set_name, **options)
        for set_name, set_target in set_targets.items()
    ]
    return max(exit_statuses)


def name_set_targets(target: str, sets: str | None = None) -> dict[str, str]:
    """Return the file or directory to which each set is written, by the name of the set.

    ``sets.parquet`` gives ``{"train": "sets.train.parquet", "test": "sets.test.parquet"}``. A directory
    (``sets/``) gives a subdirectory for each set, such as ``sets/train/``.

    Args:
        target: The file or directory that the user named.
        sets: The sets and their shares, such as ``train=0.9,test=0.1``. None means the default sets.

    Raises:
        BulkError: If `target` is a stream, or the name of a set cannot be part of a file name.
    """
    from forsyth.bulk.errors import BulkError
    from forsyth.bulk.sinks import is_streamed
    from forsyth.bulk.verbs.selection import DEFAULT_SETS, parse_sets

    if is_streamed(target):
        raise BulkError("--separate cannot write to standard output or a pipe; name a file with --output")
    set_names = [name for name, _ in parse_sets(DEFAULT_SETS if sets is None else sets)]
    for name in set_names:
        if not _is_file_name_part(name):
            raise BulkError(
                f"the set name {name!r} cannot be part of a file name; use only letters, digits, - and _"
            )
    is_directory = target.endswith("/")
    if is_directory:
        return {name: f"{target}{name}/" for name in set_names}
    folder, slash, file_name = target.rpartition("/")
    stem, dot, ending = file_name.partition(".")
    return {name: f"{folder}{slash}{stem}.{name}{dot}{ending}" for name in set_names}


def _is_file_name_part(name: str) -> bool:
    """Return True if a name consists of letters, digits, hyphens and underscores.

    At least one character must be a letter or digit.
    """
    letters_and_digits = name.replace("-", "").replace("_", "")
    return letters_and_digits.isalnum()


def create_target_directory(target: str) -> None:
    """Create the directory `target`, if it is a local directory (``DIR/``) and does not exist.

    Do nothing for a file or a URL. Raise `BulkError` if the parent folder does not exist.
    """
    from forsyth.bulk.errors import explaining_errors as explaining_file_errors
    from forsyth.bulk.sinks import is_directory_target
    from forsyth.bulk.sources.files import is_url, local_path

    if is_directory_target(target) and not is_url(target):
        with explaining_file_errors(target, "written"):
            Path(local_path(target)).mkdir(exist_ok=True)
