"""What needs a process of its own: the pure build, and a first pass over texts nobody has read before.

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
from bench.corpus import Row, some_rows
from bench.measure import measure, no_collector, timed
from bench.ours import compiled_modules, forsyth
from bench.peers import PYTHON_CHESS, installed_peers

ROOT: Final = Path(__file__).resolve().parent.parent
WARM_UP: Final = 500
LATER_PASSES: Final = 9
TIMEOUT: Final = 300


def first_against_later(adapter: Adapter, rows: list[Row], seed: int) -> float:
    """How much dearer a text is when it and its like have never been read.

    The interpreter is warmed up on other rows; then the first pass over the rest is held against later
    passes in other orders, so that nothing but the memory of what was read can make them differ.
    """
    texts = [row.fen for row in rows]
    shuffle = random.Random(seed).shuffle
    shuffle(texts)
    warm_up, fresh = texts[:WARM_UP], texts[WARM_UP:]
    loop = adapter.loop("parse")
    for _ in range(5):
        loop(warm_up)
    "".join(fresh)  # brings every text into the processor's caches, where later passes find them too
    with no_collector():
        first = timed(loop, fresh)
        later = []
        for _ in range(LATER_PASSES):
            shuffle(fresh)
            "".join(fresh)
            later.append(timed(loop, fresh))
    return first / statistics.median(later)


def history(count: int, seed: int) -> dict[str, Any]:
    """The first pass against later ones, in a process that has read nothing yet."""
    return {"ratio": first_against_later(forsyth(), some_rows(count), seed)}


def pure(count: int, repeats: int) -> dict[str, Any]:
    """Forsyth uncompiled and python-chess, side by side."""
    python_chess = installed_peers()[PYTHON_CHESS]
    ours = forsyth()
    rows = some_rows(count)
    first = first_against_later(ours, rows, seed=0)
    timings = measure("parse", [ours] + ([python_chess] if python_chess else []), rows, repeats)
    return {
        "compiled": compiled_modules(),
        "first_against_later": first,
        "samples": {name: timing.samples for name, timing in timings.items()},
    }


def run(job: str, *numbers: int, pure: bool = False) -> dict[str, Any]:
    """Do one of the jobs above in a new process; raises `ChildError` when it does not come back well."""
    environment = {name: value for name, value in os.environ.items() if name != "FORSYTH_PURE"}
    if pure:
        environment["FORSYTH_PURE"] = "1"
    command = [sys.executable, "-m", "bench.child", job, *map(str, numbers)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    if done.returncode:
        raise ChildError(done.stderr.strip().rpartition("\n")[2])
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


class ChildError(RuntimeError):
    """A process of its own came to a bad end; the message is the last line it wrote."""


def main(job: str, first: int, second: int) -> None:
    """Do one job and print what came of it."""
    jobs = {"pure": pure, "history": history}
    print(json.dumps(jobs[job](first, second)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
