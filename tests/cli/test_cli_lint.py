"""`forsyth lint` from outside: formats, exit status, settings, the pre-commit hook and the GitHub Action."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from forsyth.cli.app import forsyth as command_line
from forsyth.lint.formats import make_sarif_log

ROOT = Path(__file__).parents[2]
NINE = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ORDER = "r3k2r/8/8/8/8/8/8/R3K2R w QKqk - 0 1"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(f'x = "{NINE}"\n')
    (tmp_path / "b.fen").write_text(f"{ORDER}\n")
    return tmp_path


def lint(*arguments: str) -> Result:
    return CliRunner().invoke(command_line, ["lint", *arguments])


def test_findings_are_lines_and_the_summary_is_apart(folder: Path) -> None:
    result = lint()
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "a.py:1:24: board.digit: rank 6: '9' is not an empty count, expected 1 to 8",
        "b.fen:1:27: castling.order: castling letters out of order, expected KQkq",
    ]
    assert result.stderr == "2 findings in 2 of 2 files, 2 texts checked\n"


def test_the_summary_counts_the_texts_that_were_checked(folder: Path) -> None:
    (folder / "b.fen").write_text(f"# two texts\n{ORDER}\n\n{ORDER}\n")
    (folder / "c.pgn").write_text("1. e4 *\n\n1. d4 *\n")
    (folder / "d.md").write_text("Nothing.\n")
    expected = "3 findings in 2 of 4 files, 5 texts checked\n"
    assert lint().stderr == expected
    assert lint("--format", "github").stderr == expected
    assert lint("--fix").stderr == "1 finding in 1 of 4 files, 5 texts checked, 2 findings fixed\n"
    assert lint("d.md").stderr == "0 findings in 1 file, 0 texts checked\n"


def test_json_is_an_object_for_each_finding(folder: Path) -> None:
    assert lint("--json").stdout == lint("--format", "json").stdout
    first, second = [json.loads(line) for line in lint("--json").stdout.splitlines()]
    assert first["file"] == "a.py"
    assert first["text"] == NINE
    assert second == {
        "file": "b.fen",
        "line": 1,
        "column": 27,
        "end_line": 1,
        "end_column": 31,
        "code": "castling.order",
        "severity": "warning",
        "message": "castling letters out of order, expected KQkq",
        "game": "chess",
        "text": ORDER,
        "fix": {
            "line": 1,
            "column": 27,
            "end_line": 1,
            "end_column": 31,
            "replacement": "KQkq",
            "confidence": "certain",
        },
    }


def test_sarif_is_one_log_also_when_nothing_is_found(folder: Path) -> None:
    assert len(json.loads(lint("--format", "sarif").stdout)["runs"][0]["results"]) == 2
    result = lint("--format", "sarif", "--select", "ep")
    assert (result.exit_code, json.loads(result.stdout)) == (0, make_sarif_log([]))


def test_what_is_fixed_no_longer_counts(folder: Path) -> None:
    result = lint("--fix", "b.fen")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "0 findings in 1 file, 1 text checked, 1 finding fixed\n"
    assert (folder / "b.fen").read_text() == "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\n"


def test_options_stand_before_the_table(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.forsyth.lint]\nexclude = ["*.fen"]\nselect = ["ep"]\n')
    assert lint().stderr == "0 findings in 2 files, 1 text checked\n"
    assert lint("--select", "board,castling").stderr == "1 finding in 1 of 2 files, 1 text checked\n"
    assert lint("--exclude", "a.*").stderr == "0 findings in 1 file, 0 texts checked\n"
    assert lint("--include", "*.none").stderr == "0 findings in 0 files, 0 texts checked\n"
    other = folder / "other.toml"
    other.write_text("[tool.forsyth.lint]\n")
    result = lint("--config", "other.toml", "--severity", "error")
    assert result.stderr == "1 finding in 1 of 4 files, 2 texts checked\n"


@pytest.mark.parametrize(
    "arguments",
    [["--select", "castle"], ["--game", "checkers"], ["--variant", "none", "--game", "chess"], ["none.py"]],
    ids=" ".join,
)
def test_what_does_not_exist_is_an_error_of_usage(folder: Path, arguments: list[str]) -> None:
    result = lint(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")


def test_a_file_that_cannot_be_written_does_not_stop_the_others(folder: Path) -> None:
    (folder / "b.fen").chmod(0o444)
    result = lint("--fix")
    assert result.exit_code == 2
    assert "b.fen: the file is read-only" in result.stderr
    assert result.stdout.startswith("a.py:1:24: board.digit")


def test_a_file_that_is_edited_while_it_is_fixed_does_not_stop_the_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "c.fen").write_text(f"{ORDER}\n")
    flush = os.fsync
    edits = iter([f"{ORDER}\n# mine\n"])

    def save_first(descriptor: int) -> None:
        for text in edits:
            (folder / "b.fen").write_text(text)
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", save_first)
    result = lint("--fix", "b.fen", "c.fen")
    assert result.exit_code == 2
    assert result.stderr.startswith(
        "b.fen: the file was changed in the meantime, so it was not written; run the command again\n"
    )
    assert (folder / "b.fen").read_text() == f"{ORDER}\n# mine\n"
    assert (folder / "c.fen").read_text() == "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\n"


def test_a_folder_that_cannot_be_listed_does_not_stop_the_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "locked").mkdir()
    listed = os.scandir

    def refused(path: str) -> object:
        if Path(path).name == "locked":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", refused)
    result = lint()
    assert result.exit_code == 2
    assert "locked: Permission denied\n" in result.stderr
    assert result.stdout.startswith("a.py:1:24: board.digit")


def test_the_hooks_install_what_the_command_line_needs() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert [hook["id"] for hook in hooks] == ["forsyth-lint", "forsyth-lint-fix"]
    for hook in hooks:
        # The option for the build is tested in tests/test_build.py.
        assert hook["additional_dependencies"][1:] == extras["cli"]
        assert lint(*hook["entry"].split()[2:], "--help").exit_code == 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="the action runs in bash")
def test_the_step_of_the_action_annotates(folder: Path) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert {name: given["default"] for name, given in action["inputs"].items()} == {
        "files": ".",
        "options": "",
    }
    program = folder / "forsyth" / "bin" / "forsyth"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m forsyth "$@"\n')
    program.chmod(0o755)
    given = {"RUNNER_TEMP": str(folder), "FILES": "a.py $(touch run) *", "OPTIONS": "--severity error"}
    step = action["runs"]["steps"][1]
    environment = {**os.environ, **given, "PYTHONPATH": str(ROOT / "src")}
    asked = subprocess.run(
        ["bash", "-e", "-c", step["run"]], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert asked.returncode == 2
    environment["FILES"] = "a.py b.fen"
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=a.py,line=1,")
    assert not (folder / "run").exists()


def test_files_that_are_passed_over_are_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["forsyth.lint.lint_file"], "MAX_LINT_FILE", 1 << 20)
    (folder / "binary.txt").write_bytes(b"a\0b")
    (folder / "large.txt").write_bytes(b"x" * ((1 << 20) + 1))
    (folder / "fits.txt").write_bytes(b"x" * (1 << 20))
    names = ("binary.txt", "large.txt", "fits.txt")
    result = lint(*(str(folder / name) for name in names))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == (
        f"{folder / 'binary.txt'}: skipped, a binary file\n"
        f"{folder / 'large.txt'}: skipped, larger than 1 MiB; use forsyth scan\n"
        "0 findings in 3 files, 0 texts checked\n"
    )
