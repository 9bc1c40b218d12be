"""The progress bars of the command line: for people at a terminal, beside answers that are never touched."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest
import rich.progress
from click.testing import CliRunner

from forsyth.cli import bulk_progress, output
from forsyth.cli.app import forsyth as command_line


class Bar:
    """Stands in for the bar of rich, and notes what it is told."""

    made: list[Bar]

    def __init__(self, *columns: Any, **options: Any) -> None:
        self.columns, self.options = columns, options
        self.told: list[tuple[Any, ...]] = []
        Bar.made.append(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.told.append(("left",))

    def add_task(self, what: str, **facts: Any) -> int:
        self.told.append((what, facts))
        return 7

    def update(self, task: int, **facts: Any) -> None:
        self.told.append((task, facts))

    def advance(self, task: int, step: int) -> None:
        self.told.append((task, step))


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> list[Bar]:
    """The bars that are shown, on a terminal and by a clock that ticks every two seconds."""
    ticks = iter(range(0, 100, 2))
    Bar.made = []
    monkeypatch.setattr(rich.progress, "Progress", Bar)
    monkeypatch.setattr(time, "monotonic", lambda: float(next(ticks)))
    for module in (bulk_progress, output):
        monkeypatch.setattr(module, "is_terminal", lambda *, err: err)
    return Bar.made


def must_leave_answers_alone(bar: Bar) -> None:
    console = bar.options.pop("console")
    assert console.stderr is True
    assert bar.options == {"transient": True, "redirect_stdout": False}


def test_a_job_shows_rows_rate_and_size(bars: list[Bar]) -> None:
    with bulk_progress.progress_bar("scan", quiet=False) as begin:
        assert begin is not None
        step = begin(5_000_000)
        step(1000, 3_000_000)
        step(3000, 1_000_000)
    (bar,) = bars
    must_leave_answers_alone(bar)
    assert bar.columns[0] == "{task.description}"
    assert bar.columns[3].text_format == "{task.fields[rate]}"
    assert bar.columns[4].elapsed_when_finished is True
    assert bar.told == [
        ("scan", {"total": 5_000_000, "rate": ""}),
        (7, {"advance": 3_000_000, "rate": "1,000 rows  500 rows/s  1.5 MB/s"}),
        (7, {"advance": 1_000_000, "rate": "4,000 rows  1,000 rows/s  1.0 MB/s"}),
        ("left",),
    ]


def test_counting_has_a_bar_of_its_own(bars: list[Bar]) -> None:
    with bulk_progress.progress_bar("index", quiet=False, unit="games") as begin:
        assert begin is not None
        begin.start_counting(4)(3000, 1)
    assert bars[0].told[:2] == [
        ("index, counting", {"total": 4, "rate": ""}),
        (7, {"advance": 1, "rate": "3,000 positions  1,500 positions/s  1 parts"}),
    ]


def test_a_job_that_takes_no_time_has_a_rate(bars: list[Bar], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 5.0)
    with bulk_progress.progress_bar("games", quiet=False, unit="games") as begin:
        assert begin is not None
        begin(None)(1, 1000)
    assert bars[0].told[1] == (7, {"advance": 1000, "rate": "1 games  1,000 games/s  1.0 MB/s"})


def test_nobody_looks_at_a_bar(bars: list[Bar], monkeypatch: pytest.MonkeyPatch) -> None:
    with bulk_progress.progress_bar("scan", quiet=True) as begin:
        assert begin is None
    with output.show_progress("reading", None) as advance:
        advance(5)
    monkeypatch.setattr(bulk_progress, "is_terminal", lambda *, err: False)
    monkeypatch.setattr(output, "is_terminal", lambda *, err: False)
    with bulk_progress.progress_bar("scan", quiet=False) as begin:
        assert begin is None
    with output.show_progress("reading", 5) as advance:
        advance(5)
    assert bars == []


@pytest.mark.parametrize(
    ("unit", "column"),
    [("bytes", rich.progress.DownloadColumn), ("texts", rich.progress.MofNCompleteColumn)],
)
def test_texts_show_how_many_are_read(bars: list[Bar], unit: str, column: type[object]) -> None:
    with output.show_progress("reading", 50, unit=unit) as advance:
        advance(20)
        advance(30)
    (bar,) = bars
    must_leave_answers_alone(bar)
    assert bar.columns[0] == "{task.description}"
    assert isinstance(bar.columns[2], column)
    assert bar.told == [("reading", {"total": 50}), (7, 20), (7, 30), ("left",)]


def test_linting_advances_by_one_for_each_file(bars: list[Bar], tmp_path: Path) -> None:
    for name in ("a.md", "b.md", "c.md"):
        (tmp_path / name).write_text("nothing\n", encoding="utf-8")
    assert CliRunner().invoke(command_line, ["lint", str(tmp_path)]).exit_code == 0
    (bar,) = bars
    must_leave_answers_alone(bar)
    steps = [step for task, step in bar.told[1:-1] if task == 7]
    assert (bar.told[0][0], sum(steps)) == ("linting", 3)
