"""Measurements that need a process of their own: the pure build, and the first pass over unread texts.

`python -m bench.child pure|history …` prints JSON for the run that started it.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from bench.adapters import Adapter
from bench.corpus import Row, sample_rows
from bench.measure import measure, time_loop, without_gc
from bench.ours import compiled_modules, make_forsyth_adapter
from bench.peers import PYTHON_CHESS, load_peers

ROOT: Final = Path(__file__).resolve().parent.parent
WARM_UP_ROWS: Final = 500
LATER_PASSES: Final = 9
TIMEOUT_SECONDS: Final = 300


def measure_first_pass_ratio(adapter: Adapter, rows: list[Row], seed: int) -> float:
    """Return the time of the first pass over texts, divided by the median time of later passes.

    The interpreter is warmed up on other rows, and the later passes are in different orders. So only a cache
    of texts or of their parts can make the first pass slower.
    """
    texts = [row.fen for row in rows]
    shuffle = random.Random(seed).shuffle
    shuffle(texts)
    warm_up, unread = texts[:WARM_UP_ROWS], texts[WARM_UP_ROWS:]
    loop = adapter.loop("parse")
    for _ in range(5):
        loop(warm_up)
    "".join(unread)  # loads every text into the processor's caches, as before the later passes
    with without_gc():
        first = time_loop(loop, unread)
        later = []
        for _ in range(LATER_PASSES):
            shuffle(unread)
            "".join(unread)
            later.append(time_loop(loop, unread))
    return first / statistics.median(later)


def measure_history(count: int, seed: int) -> dict[str, Any]:
    """Compare the first pass over `count` texts with later ones. This process must not have read any text."""
    return {"ratio": measure_first_pass_ratio(make_forsyth_adapter(), sample_rows(count), seed)}


def measure_pure_build(count: int, repeats: int) -> dict[str, Any]:
    """Time parsing of `count` texts with uncompiled Forsyth and with python-chess, in turns."""
    python_chess = load_peers()[PYTHON_CHESS]
    forsyth = make_forsyth_adapter()
    rows = sample_rows(count)
    first_pass_ratio = measure_first_pass_ratio(forsyth, rows, seed=0)
    timings = measure("parse", [forsyth] + ([python_chess] if python_chess else []), rows, repeats)
    return {
        "compiled": compiled_modules(),
        "first_against_later": first_pass_ratio,
        "samples": {name: timing.samples for name, timing in timings.items()},
    }


def run_job(job: str, *numbers: int, pure: bool = False) -> dict[str, Any]:
    """Run a job of `JOBS` in a new process and return its result. Raise ChildError if the process fails.

    Args:
        job: Name of the job.
        numbers: Arguments of the job.
        pure: True to run Forsyth uncompiled.
    """
    environment = {name: value for name, value in os.environ.items() if name != "FORSYTH_PURE"}
    if pure:
        environment["FORSYTH_PURE"] = "1"
    command = [sys.executable, "-m", "bench.child", job, *map(str, numbers)]
    process = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    if process.returncode:
        raise ChildError(process.stderr.strip().rpartition("\n")[2])
    result: dict[str, Any] = json.loads(process.stdout)
    return result


class ChildError(RuntimeError):
    """Failure of a child process. The message is the last line of its standard error."""


JOBS: Final = {"pure": measure_pure_build, "history": measure_history}
"""The jobs by name."""


def main(job: str, first: int, second: int) -> None:
    """Run one job with two numbers as arguments, and print its result as JSON."""
    print(json.dumps(JOBS[job](first, second)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
