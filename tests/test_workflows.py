"""What is published and how: workflows, release notes, and what other systems lack.

`.ci/workflows` lints the workflows with actionlint; here they are held to the rest of the repository.
"""

from __future__ import annotations

import os
import re
import runpy
import socket
import sys
import tomllib
from pathlib import Path

import pytest

from forsyth import atomic_write
from forsyth.bulk.engines import checkpoints

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RELEASE = runpy.run_path(str(ROOT / ".ci" / "release_notes.py"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_action_is_pinned_by_its_commit_and_names_its_version(path: Path) -> None:
    used = re.findall(r"uses: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert used
    for one in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one), one


def test_one_action_has_one_commit() -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    pinned = set(re.findall(r"uses: (\S+)@(\w+)", texts))
    assert len({name for name, _ in pinned}) == len(pinned)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_the_scripts_that_a_workflow_runs_are_there_and_can_be_run(path: Path) -> None:
    scripts = re.findall(r"(\.ci/[a-z_.]+)(?=[\s\"])", path.read_text(encoding="utf-8"))
    for script in scripts:
        file = ROOT / script
        assert file.is_file() or file.is_dir(), script
        assert file.suffix == ".py" or os.access(file, os.X_OK), script


def test_every_python_of_the_metadata_is_tested_and_gets_wheels() -> None:
    listed = [one.rpartition(" :: ")[2] for one in PROJECT["project"]["classifiers"] if ":: 3." in one]
    matrix = re.search(r"python: \[(.*)\]", (ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    assert matrix is not None
    assert re.findall(r'"([\d.]+)"', matrix[1]) == listed
    wheels = PROJECT["tool"]["cibuildwheel"]["build"].split()
    assert wheels == [f"cp{one.replace('.', '')}-*" for one in listed]
    assert PROJECT["project"]["requires-python"] == f">={listed[0]}"


CHANGELOG = "# Changelog\n\n## Unreleased\n\n- later\n\n## 0.2.0 (2026)\n\n- new\n\n## 0.1.0\n\n- old\n"


def test_the_notes_of_a_release_are_its_section() -> None:
    assert RELEASE["release_notes"]("v0.2.0", CHANGELOG, "0.2.0") == "- new"


@pytest.mark.parametrize(
    ("tag", "version", "said"),
    [("v0.2.1", "0.2.0", "The tag is v0.2.1"), ("v0.3.0", "0.3.0", "no section 0.3.0")],
)
def test_a_tag_that_does_not_agree_is_no_release(tag: str, version: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        RELEASE["release_notes"](tag, CHANGELOG, version)


# --- what other systems lack -------------------------------------------------------------------------


def test_no_signal_is_sent_on_windows_to_ask_whether_a_process_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, _: sent.append(pid))
    holder = {"pid": 1, "host": socket.gethostname()}
    monkeypatch.setattr(sys, "platform", "win32")
    assert checkpoints._may_be_running(holder)
    assert not sent
    monkeypatch.setattr(sys, "platform", "linux")
    assert checkpoints._may_be_running(holder)
    assert sent == [1]


def test_files_are_replaced_where_nothing_has_an_owner_and_no_folder_can_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows."""
    opened = os.open

    def open_no_folder(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if Path(path).is_dir():
            raise PermissionError(13, "Permission denied")
        return opened(path, flags, mode)

    monkeypatch.delattr(os, "chown")
    monkeypatch.setattr(os, "open", open_no_folder)
    target = tmp_path / "texts.txt"
    target.write_text("before", encoding="utf-8")
    with atomic_write.atomic_write(target) as file:
        file.write(b"after")
    assert target.read_text(encoding="utf-8") == "after"
    assert [path.name for path in tmp_path.iterdir()] == ["texts.txt"]
