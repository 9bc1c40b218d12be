"""`forsyth split`: every row in one of several sets, for training and testing.

Writes the rows with a column ``split`` that names the set. That is decided by the key of the position and the
seed: one position is never in two sets. With ``--twins`` neither are a position and the same with the colours
exchanged. Rows that cannot be read are in none: null. With ``--by`` all rows of one value, such as of one
game, are in one set, and the texts are not read: rows without a value are in none and counted (``missing``),
and the exit status is then 1. With ``--separate`` each set is a file of its own, such as
``sets.train.parquet``, without that column.
"""

from __future__ import annotations

from pathlib import Path

import click

from forsyth.cli.arguments import example
from forsyth.cli.bulk_options import STANDARD, BulkJob, explaining_errors, prefix_option, rows_command


@click.command(
    epilog=example(
        "forsyth split positions.parquet -o sets.parquet",
        "forsyth split --sets train=0.9,test=0.1 positions.parquet -o sets.parquet",
        "forsyth split --by game_id --separate positions.parquet -o sets.parquet",
    )
)
@click.option(
    "--sets",
    metavar="NAME=SHARE,...",
    help="The sets and their shares, 1 together.  [default: train=0.8,valid=0.1,test=0.1]",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed divides differently.")
@click.option(
    "--by",
    metavar="COLUMN",
    help="Keep all rows of one value of this column in one set; texts are not read.",
)
@click.option("--twins", is_flag=True, help="Keep a position and its colour-flipped twin in one set.")
@click.option("--separate", is_flag=True, help="A file for each set, its name before the ending of TARGET.")
@prefix_option
@rows_command
def split(
    job: BulkJob, sets: str | None, seed: int, by: str | None, twins: bool, separate: bool, prefix: str
) -> int:
    """Divide the positions into sets, so that none is in two."""
    options = {"sets": sets, "seed": seed, "by": by, "twins": int(twins) or None}
    if not separate:
        return job.tell(job.verb("split", prefix, **options))
    with explaining_errors():
        targets = targets_of_sets(job.target or STANDARD, sets)
        make_room_for_sets(job.target or STANDARD)
    return max(job.to(target).tell_of("split", only=name, **options) for name, target in targets.items())


def targets_of_sets(target: str, sets: str | None = None) -> dict[str, str]:
    """The target of each set: its name before the ending of the one given; `BulkError` for a stream."""
    from forsyth.bulk.errors import BulkError
    from forsyth.bulk.sinks import is_streamed
    from forsyth.bulk.verbs.selection import SETS, read_sets

    if is_streamed(target):
        raise BulkError("a file for each set needs a target with a name; give it with -o")
    names = [name for name, _ in read_sets(SETS if sets is None else sets)]
    for name in names:
        if not name.replace("-", "").replace("_", "").isalnum():
            raise BulkError(f"the set {name!r} cannot be part of a file name; use letters, digits, - and _")
    if target.endswith("/"):
        return {name: f"{target}{name}/" for name in names}
    folder, _, last = target.rpartition("/")
    stem, dot, ending = last.partition(".")
    before = f"{folder}/" if folder or target.startswith("/") else ""
    return {name: f"{before}{stem}.{name}{dot}{ending}" for name in names}


def make_room_for_sets(target: str) -> None:
    """Make the directory in which the sets get one each; its own place must be there."""
    from forsyth.bulk.errors import explaining_errors as explaining_file_errors
    from forsyth.bulk.sinks import is_directory
    from forsyth.bulk.sources.files import is_url, local_path

    if is_directory(target) and not is_url(target):
        with explaining_file_errors(target, "written"):
            Path(local_path(target)).mkdir(exist_ok=True)
