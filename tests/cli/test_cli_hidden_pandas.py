"""Commands do not import pandas, which pyarrow would import where it is installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from forsyth.cli.hidden_pandas import hide_pandas


def test_a_bulk_command_does_not_import_pandas(tmp_path: Path) -> None:
    texts, target = tmp_path / "texts.txt", tmp_path / "keys.parquet"
    texts.write_text("8/8/8/8/8/4k3/8/4K3 w - - 0 1\n")
    command = [
        sys.executable,
        "-X",
        "importtime",
        "-m",
        "forsyth",
        "key",
        "--quiet",
        str(texts),
        "-o",
        str(target),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "pyarrow" in imported
    assert "pandas._libs" not in imported
    assert target.exists()


@pytest.mark.parametrize("words", [["dedupe", "--engine", "ray"], ["key", "--engine=spark", "x.txt"]])
def test_pandas_stays_visible_to_engines_that_need_it(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "meta_path", sys.meta_path.copy())
    before = sys.meta_path.copy()
    hide_pandas(words)
    assert sys.meta_path == before


def test_hidden_pandas_cannot_be_imported_and_other_modules_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", sys.meta_path.copy())
    monkeypatch.delitem(sys.modules, "pandas", raising=False)
    hide_pandas(["key", "x.txt"])
    assert importlib.util.find_spec("colorsys") is not None
    with pytest.raises(ImportError, match="do not import pandas"):
        import pandas  # noqa: F401
