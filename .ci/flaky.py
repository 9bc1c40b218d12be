"""Tell races from faults: run a failed browser or cluster test again, once, alone, at the end of the run.

`flaky.py first NAME PYTEST-ARGUMENTS ...` runs pytest. One or two failed tests are noted under NAME and do
not fail the command; three or more do, because three flaky tests fail the run too.

`flaky.py again` runs the noted tests of every NAME one by one. Those that pass now are printed under "Flaky"
and do not fail the command; one that fails again does, and so do three flaky tests together.

Unit tests are never run through this script: a unit test that fails once in fifty runs has a fault.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
NOTES: Final = ROOT / "build" / "ci" / "failed"
MOST_FLAKY: Final = 2
TESTS_FAILED: Final = 1
"""The exit status of pytest when tests failed; others mean that it could not run them."""


def run_first(name: str, arguments: Sequence[str], notes: Path = NOTES) -> int:
    """Run pytest and note the failed tests.

    Return 0 if at most `MOST_FLAKY` tests failed, else the exit status of pytest.
    """
    cache, note = notes / name, notes / f"{name}.json"
    shutil.rmtree(cache, ignore_errors=True)
    note.unlink(missing_ok=True)
    status = run_pytest(arguments, cache)
    failed = failed_tests(cache)
    if status != TESTS_FAILED or not 0 < len(failed) <= MOST_FLAKY:
        return status
    note.write_text(json.dumps({"tests": failed, "environment": forsyth_environment()}), encoding="utf-8")
    print("Run again alone, at the end of the run:", *failed, sep="\n  ", flush=True)
    return 0


def run_again(notes: Path = NOTES) -> int:
    """Run the noted tests alone, and print those that pass now.

    Return 1 if one fails again or too many are flaky, else 0.
    """
    flaky: list[str] = []
    failed: list[str] = []
    for note in sorted(notes.glob("*.json")):
        noted = json.loads(note.read_text(encoding="utf-8"))
        for test in noted["tests"]:
            passed = run_pytest(["-n", "0", test], notes / "again", noted["environment"]) == 0
            (flaky if passed else failed).append(test)
    if flaky:
        print("Flaky: failed once, and passed when run again alone:", *flaky, sep="\n  ")
    if failed:
        print("Failed twice:", *failed, sep="\n  ")
    if len(flaky) > MOST_FLAKY:
        print(f"{len(flaky)} tests are flaky; more than {MOST_FLAKY} fail the run.")
    if not flaky and not failed:
        print("No browser test and no cluster test failed.")
    return 1 if failed or len(flaky) > MOST_FLAKY else 0


def run_pytest(arguments: Sequence[str], cache: Path, variables: Mapping[str, str] | None = None) -> int:
    """Run pytest with these environment variables and a cache folder, and return its exit status."""
    command = [sys.executable, "-m", "pytest", "--override-ini", f"cache_dir={cache}", *arguments]
    return subprocess.run(command, cwd=ROOT, env=os.environ | (variables or {}), check=False).returncode


def failed_tests(cache: Path) -> list[str]:
    """Return the tests that failed in the last run of pytest with this cache."""
    file = cache / "v" / "cache" / "lastfailed"
    return sorted(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else []


def forsyth_environment() -> dict[str, str]:
    """Return the environment variables that select what is tested, such as `FORSYTH_SITE`."""
    return {name: value for name, value in os.environ.items() if name.startswith("FORSYTH_")}


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["first", name, *arguments]:
            sys.exit(run_first(name, arguments))
        case ["again"]:
            sys.exit(run_again())
        case _:
            sys.exit(__doc__)
