"""Run every fuzz target for a bounded time: `python tests/fuzz/run.py --seconds 180 [reader …]`.

The seconds are for all targets together. Each is fuzzed in plain Python, where atheris sees which lines run,
from the named corpus and from what earlier runs have found; new inputs are kept in build/fuzz, which git
ignores. Then the compiled build runs through all of them once. A crash leaves its input in build/fuzz and
makes the exit status 1: name it after the defect and add it to tests/fuzz/corpus.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "fuzz"


def main() -> int:
    """Parse the command line and run the targets."""
    corpus = Path(__file__).parent / "corpus"
    readers = sorted(folder.name for folder in corpus.iterdir())
    parser = argparse.ArgumentParser(description="Fuzz every reader for a bounded time.")
    parser.add_argument(
        "--seconds", type=int, default=180, help="how long all targets run together (default 180)"
    )
    parser.add_argument("reader", nargs="*", help=f"which targets, of {', '.join(readers)} (default all)")
    options = parser.parse_args()
    unknown = set(options.reader) - set(readers)
    if unknown:
        parser.error(f"there is no target {', '.join(sorted(unknown))}")
    chosen = options.reader or readers
    seconds = max(1, options.seconds // len(chosen))
    before = _kept(chosen)
    failed = [reader for reader in chosen if not fuzzed(reader, corpus / reader, seconds)]
    print(f"fuzz: {_kept(chosen) - before} new inputs kept in {WORK.relative_to(ROOT)}", flush=True)
    print(f"fuzz: {'crashes in ' + ', '.join(failed) if failed else 'no crash'}", flush=True)
    return 1 if failed else 0


def _kept(readers: list[str]) -> int:
    """How many inputs earlier runs have found."""
    return sum(1 for reader in readers for _ in (WORK / reader / "corpus").glob("*"))


def fuzzed(reader: str, corpus: Path, seconds: int) -> bool:
    """Fuzz one target, then run the compiled build through what was found; whether all went well."""
    found = WORK / reader / "corpus"
    found.mkdir(parents=True, exist_ok=True)
    limits = ["-max_len=2048", "-timeout=10", "-rss_limit_mb=2048", f"-artifact_prefix={WORK / reader}/"]
    print(f"fuzz: {reader}, {seconds} seconds", flush=True)
    if not _run(reader, [f"-max_total_time={seconds}", *limits, str(found), str(corpus)], pure=True):
        return False
    print(f"fuzz: {reader}, what was found, as built", flush=True)
    return _run(reader, ["-runs=0", *limits, str(found), str(corpus)], pure=False)


def _run(reader: str, arguments: list[str], *, pure: bool) -> bool:
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "FORSYTH_PURE": "1" if pure else "0", "PYTHONPATH": path}
    output = ["-verbosity=0", "-print_final_stats=1"]
    command = [sys.executable, "-m", f"tests.fuzz.fuzz_{reader}", *output, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
