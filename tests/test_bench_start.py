"""The tree that the linter is measured on holds what is said of it."""

from __future__ import annotations

from pathlib import Path

from bench.start import write_tree

from forsyth.lint import Settings, find_files, lint_file


def test_one_file_in_a_hundred_has_findings(tmp_path: Path) -> None:
    write_tree(tmp_path, 200)
    reports = [lint_file(file, Settings(tmp_path)) for file in find_files([tmp_path], Settings(tmp_path))]
    assert [Path(one.file).name for one in reports if one.findings] == ["000000.py", "000100.py"]
    assert len(reports) == 200
