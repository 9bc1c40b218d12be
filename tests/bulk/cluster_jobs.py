"""Jobs on small files in many shards, done by an engine and on this machine: both must give the same."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.bulk.example_records import ODDITIES, many
from tests.bulk.example_texts import TEXTS
from tests.test_readme import EXAMPLES, ROOT, blocks, run_python

import forsyth
from forsyth.bulk.jobs.report import Report
from forsyth.bulk.jobs.run_files import RunOptions, run_files
from forsyth.bulk.jobs.run_records import run_records

PAGE = ROOT / "docs" / "bulk.md"
LINES = [text for text in TEXTS if text is not None]
SHARD_BYTES = 40_000
VERBS: dict[str, dict[str, Any]] = {
    "scan": {},
    "normalise": {"mode": "lenient"},
    "key": {"legality": True},
    "split": {"options": {"sets": "train=0.5,test=0.5", "seed": 3}},
    "sample": {"options": {"fraction": 0.5}},
}


@contextmanager
def findable() -> Iterator[None]:
    """Workers that are started meanwhile find this Forsyth, wherever it lies."""
    with pytest.MonkeyPatch.context() as patch:
        package = str(Path(forsyth.__file__).parents[1])
        found = os.environ.get("PYTHONPATH")
        patch.setenv("PYTHONPATH", package if not found else os.pathsep.join((package, found)))
        yield


def positions(path: Path, times: int = 4) -> str:
    """A file of texts of every kind, as many as make a few shards."""
    path.write_text("\n".join(LINES * times) + "\n", encoding="utf-8")
    return str(path)


def done(verb: str, source: str, target: Path, engine: str, **asked: Any) -> Report:
    """What an engine makes of a file."""
    way = RunOptions(
        engine, shard_bytes=asked.pop("shard_bytes", SHARD_BYTES), roll_rows=asked.pop("roll_rows", 64)
    )
    return run_files(verb, [source], str(target), run_options=way, game="chess", **asked)


def rows_of(target: Path) -> pa.Table:
    return pq.read_table(target)


def must_agree(verb: str, engine: str, folder: Path) -> None:
    """Row for row, file for file, and what is reported."""
    source = positions(folder / "positions.txt")
    ours, theirs = folder / "local.parquet", folder / f"{engine}.parquet"
    local = done(verb, source, ours, "local", **VERBS[verb])
    other = done(verb, source, theirs, engine, **VERBS[verb])
    assert rows_of(theirs).equals(rows_of(ours), check_metadata=True)
    assert rows_of(theirs).num_rows > 0
    assert told(other) == told(local)
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        ["positions.txt", "local.parquet", f"{engine}.parquet"]
    )


def records_must_agree(engine: str, folder: Path) -> None:
    """Tables of records have the same rows, numbers and places on every engine, wherever files are cut."""
    bad = ODDITIES["a bad move"].encode()
    (folder / "a.pgn").write_bytes(many(40) + bad + many(30) + bad)
    (folder / "b.pgn").write_bytes(many(25))
    sources = [str(folder / "a.pgn"), str(folder / "b.pgn")]
    for kind in ("games", "positions"):
        ours, theirs = folder / f"{kind}.local.parquet", folder / f"{kind}.parquet"
        local = run_records(kind, sources, ours)
        way = RunOptions(engine, shard_bytes=4000, roll_rows=1)
        other = run_records(kind, sources, theirs, run_options=way)
        assert rows_of(theirs).equals(rows_of(ours))
        assert replace(other, target=None) == replace(local, target=None)
        assert (local.games, local.errors) == (99, 2)
    assert not [path.name for path in folder.iterdir() if path.name.startswith(".")]


def run_example(module: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Run the example of the page that needs more than a process: the block that imports this module."""
    patch.chdir(folder)
    shutil.copytree(EXAMPLES, folder / "examples", ignore=shutil.ignore_patterns("node_modules"))
    found = [block for block in blocks(PAGE, "py") if f"import {module}\n" in block.source]
    assert len(found) == 1
    for result in run_python(found[0].source, {"__name__": "page"}):
        assert result.found == result.shown, f"{found[0]}: {result.statement}"


def told(report: Report) -> dict[str, Any]:
    """A report without the name of its target."""
    return {name: value for name, value in report.to_dict().items() if name != "target"}
