"""A real Ray cluster on this machine gives what this process gives, even if a worker is killed meanwhile."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow as pa
import pytest
import ray
import ray.data
from tests.bulk.cluster_jobs import (
    LINES,
    SHARD_BYTES,
    VERBS,
    done,
    findable,
    must_agree,
    positions,
    records_must_agree,
    rows_of,
    run_example,
    told,
)
from tests.bulk.example_texts import TEXTS, locally
from tests.bulk.index_on_engines import must_build_the_same

import forsyth.bulk.ray as adapter
from forsyth.bulk.engines.job import PassSpec
from forsyth.bulk.engines.shard_work import make_tasks
from forsyth.bulk.errors import BulkError
from forsyth.bulk.jobs.run_files import RunOptions, run_files
from forsyth.bulk.sources.files import Format
from forsyth.bulk.sources.shards import Shard
from forsyth.bulk.verbs.verb import Verb

# Ray warns of its own settings while it makes them.
pytestmark = [
    pytest.mark.ray,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray.data.context"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    with findable(), pytest.MonkeyPatch.context() as patch:
        patch.delenv("RAY_ADDRESS", raising=False)
        patch.setattr(ray, "init", partial(ray.init, num_cpus=2))
        adapter._connect_to_cluster()
    yield
    ray.shutdown()


# --- datasets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["scan", "key", "split"])
def test_a_verb_on_a_dataset(cluster: None, name: str) -> None:
    verb = Verb(name, "chess")
    table = pa.table({"row": range(len(TEXTS)), "fen": TEXTS})
    dataset = adapter.apply(ray.data.from_arrow([table.slice(0, 50), table.slice(50)]), verb)
    dataset.context.enable_progress_bars = False
    found = sorted(dataset.take_all(), key=lambda row: int(row["row"]))
    assert [{key: row[key] for key in row if key != "row"} for row in found] == locally(verb)


def test_a_table_without_rows_keeps_the_columns_of_the_verb() -> None:
    verb = Verb("scan", "chess")
    empty = pa.table({"fen": pa.array([], pa.string())})
    assert adapter._apply_to_table(empty, verb.to_dict(), 1).schema == verb.schema(empty.schema)


def test_the_example_of_the_page(cluster: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_example("forsyth.bulk.ray", tmp_path, monkeypatch)


# --- jobs -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS)
def test_jobs_agree_with_this_machine_row_for_row(cluster: None, verb: str, tmp_path: Path) -> None:
    must_agree(verb, "ray", tmp_path)


def test_a_report_without_a_target(cluster: None, tmp_path: Path) -> None:
    source = positions(tmp_path / "positions.txt")
    reports = [
        run_files(
            "scan", [source], None, run_options=RunOptions(engine, shard_bytes=SHARD_BYTES), game="chess"
        )
        for engine in ("local", "ray")
    ]
    assert reports[0] == reports[1]


def test_tables_of_records_agree_with_this_machine(cluster: None, tmp_path: Path) -> None:
    records_must_agree("ray", tmp_path)


def test_progress_is_told_of_all_rows_and_bytes(cluster: None, tmp_path: Path) -> None:
    source = Path(positions(tmp_path / "positions.txt"))
    steps: list[tuple[int, int]] = []
    way = RunOptions(
        "ray",
        shard_bytes=SHARD_BYTES,
        start_progress=lambda total: lambda rows, size: steps.append((rows, size)),
    )
    report = run_files("key", [str(source)], str(tmp_path / "keys.parquet"), run_options=way, game="chess")
    assert len(steps) > 2
    assert sum(rows for rows, _ in steps) == report.rows == 4 * len(LINES)
    assert sum(size for _, size in steps) == source.stat().st_size


def test_what_is_wrong_with_the_data_is_the_same_sentence(cluster: None, tmp_path: Path) -> None:
    source = tmp_path / "positions.txt"
    source.write_bytes(b"\n".join(line.encode() for line in LINES * 4) + b"\n\xff\xfe\n")
    sentences = []
    for engine in ("local", "ray"):
        with pytest.raises(BulkError) as caught:
            done("key", str(source), tmp_path / "keys.parquet", engine)
        sentences.append(str(caught.value))
    assert sentences[0] == sentences[1]
    assert [path.name for path in tmp_path.iterdir()] == ["positions.txt"]


def test_standard_input_cannot_travel() -> None:
    job = PassSpec(pa.schema([("fen", pa.string())]), Verb("key", "chess"), None)
    with pytest.raises(BulkError, match="standard input can only be read by --engine local"):
        make_tasks(job, [Shard("-", Format.TEXT)])


# --- a worker dies ----------------------------------------------------------------------------------


def test_a_killed_worker_does_not_change_the_result(
    cluster: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = positions(tmp_path / "positions.txt", times=60)
    size = Path(source).stat().st_size // 6
    local = done("scan", source, tmp_path / "local.parquet", "local", shard_bytes=size)
    target, killed = tmp_path / "ray.parquet", tmp_path / "killed"
    monkeypatch.setattr(adapter, "run_task", dying(killed))
    report = done("scan", source, target, "ray", shard_bytes=size)
    # The file holds how many shards were finished then.
    assert int(killed.read_text()) < 6
    assert rows_of(target).equals(rows_of(tmp_path / "local.parquet"), check_metadata=True)
    assert told(report) == told(local)


def dying(flag: Path) -> Callable[[str], str]:
    """Return a function that does a task. The first worker that has written a part is killed.

    The file `flag` is made then.
    """

    def run(task: str) -> str:
        # Workers cannot import this file: everything that is called here comes from elsewhere.
        from forsyth.bulk.engines import checkpoints, shard_work

        note = checkpoints.mark_part_finished

        def note_and_die(folder: str, part: Any) -> None:
            note(folder, part)
            with suppress(FileExistsError):
                flag.touch(exist_ok=False)
                flag.write_text(str(len(list(Path(folder).glob("?????.json")))))
                os.kill(os.getpid(), signal.SIGKILL)

        with mock.patch.object(checkpoints, "mark_part_finished", note_and_die):
            return shard_work.run_task(task)

    return run


# --- without Ray ------------------------------------------------------------------------------------


def test_without_ray_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "forsyth.bulk.ray")
    with pytest.raises(BulkError, match=r"forsyth.bulk.ray needs ray: pip install 'forsyth\[ray\]'"):
        importlib.import_module("forsyth.bulk.ray")


def test_an_index_is_the_same_even_if_workers_are_killed(cluster: None, tmp_path: Path) -> None:
    must_build_the_same("ray", tmp_path)
