"""What is distributed: the source is the whole repository, and requirements are pinned by hash."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "src" / "forsyth" / "server" / "static"
PINNED = sorted([*ROOT.glob("requirements/*.txt"), ROOT / "bench" / "requirements.txt"])
IDS = [path.relative_to(ROOT).as_posix() for path in PINNED]

AUDIT = runpy.run_path(str(ROOT / ".ci" / "licences.py"))


def repository() -> set[str]:
    """Every file of the repository; where there is none, every file that the source distribution names."""
    if not (ROOT / ".git").exists():
        return set((ROOT / "src" / "forsyth.egg-info" / "SOURCES.txt").read_text().split("\n")) - {""}
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}


def test_the_source_distribution_holds_every_file_of_the_repository(tmp_path: Path) -> None:
    command = [sys.executable, "setup.py", "--quiet", "egg_info", "--egg-base", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    listed = set((tmp_path / "forsyth.egg-info" / "SOURCES.txt").read_text().splitlines())
    made = {"setup.cfg", "PKG-INFO"}
    missing = {name for name in repository() - listed - made if ".egg-info/" not in name}
    assert not missing
    assert not {name for name in listed if name.endswith((".so", ".pyc", ".c"))}


@pytest.mark.parametrize("page", PINNED, ids=IDS)
def test_every_requirement_is_pinned_with_hashes_and_names_no_registry(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    lines = [line for line in text.replace("\\\n", " ").splitlines() if not line.startswith("#")]
    assert lines
    for line in lines:
        assert re.match(r"[a-z0-9.-]+==\S+ .*--hash=sha256:[0-9a-f]{64}\b", line), line
    assert "://" not in text
    assert page.with_suffix(".in").exists()


def test_everything_that_is_asked_for_is_pinned() -> None:
    """Every direct requirement, those of the extras too, stands in the .txt file beside its .in file."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for page in PINNED:
        source = page.with_suffix(".in").read_text(encoding="utf-8")
        included = re.findall(r"^# extras: (.+)$", source, re.MULTILINE)
        asked = [line for line in source.splitlines() if line and not line.startswith("#")]
        asked += [one for names in included for name in names.split() for one in extras[name]]
        pinned = set(re.findall(r"^([a-z0-9.-]+)==", page.read_text(encoding="utf-8"), re.MULTILINE))
        names = {re.split(r"[\[<>=;! ]", one)[0].lower().replace("_", "-") for one in asked}
        assert names <= pinned, page


def test_the_licences_of_what_the_page_bundles_stand_beside_it() -> None:
    notice = (STATIC / "licenses.md").read_text(encoding="utf-8")
    for name in ("react", "react-dom", "scheduler"):
        assert re.search(rf"^## {name} - \S+ \(MIT\)$", notice, re.MULTILINE)
    assert "Copyright (c) Meta Platforms, Inc. and affiliates." in notice


@pytest.mark.parametrize(
    ("expression", "fine"),
    [
        ("MIT", True),
        ("MIT OR GPL-2.0-only", True),
        ("BSD-3-Clause AND 0BSD AND (MIT AND Zlib)", True),
        ("GPL-3.0-or-later", False),
        ("MIT AND GPL-3.0-only", False),
        ("AGPL-3.0-only WITH some-exception", False),
        ("", False),
    ],
)
def test_the_audit_lets_no_gpl_through(expression: str, fine: bool) -> None:
    assert AUDIT["is_allowed"](expression) is fine


def test_the_audit_refuses_what_tests_alone_may_use() -> None:
    assert "chess has GNU General Public License" in AUDIT["licence_error"]("chess")
