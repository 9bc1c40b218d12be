"""The measurement of indexes runs and says whether each bound is kept; how fast it is does not matter."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench import index

from forsyth.bulk.index.book import Book


def test_every_figure_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(index, "QUICK_GAMES", 100)
    monkeypatch.setattr(index, "QUICK_POSITIONS", 3200)
    assert index.main(["--quick"]) in (0, 1)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 7
    assert all(line.endswith(("yes", "no")) for line in lines[2:])


def test_a_bound_is_kept_or_not() -> None:
    assert index.Requirement("size", 20, 32, "bytes").is_met
    assert not index.Requirement("size", 33, 32, "bytes").is_met
    assert not index.Requirement("speed", 19_999, 20_000, "games/s", True).is_met


def test_the_large_index_is_one(tmp_path: Path) -> None:
    keys = index.write_large(1600, tmp_path / "large")
    book = Book(tmp_path / "large")
    assert all(len(book.played_moves(key)) == 1 for key in keys)
    assert book.played_moves("f" * 32) == []
