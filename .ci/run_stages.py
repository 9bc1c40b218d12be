"""Run the stages of CI side by side, and print how long each took.

Usage: `.ci/run` runs every stage, `.ci/run NAME ...` runs these stages and those they need, and
`.ci/run --list` prints what each stage proves.

The output of a stage is kept together: it is printed when the stage ends, and stays in `build/ci/logs`. A
failed check (`Stage.ends_run`) ends the run at once. After any other failure the remaining stages go on, so
that one run shows every fault; only the stages that need the failed one are left out. The end of the first
failure is printed again as the last thing.

Needs nothing but Python.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

ROOT: Final = Path(__file__).parents[1]
WORK: Final = ROOT / "build" / "ci"
CAUSE_LINES: Final = 25
"""Lines of the first failure that are printed again at the end."""
POLL_SECONDS: Final = 0.1
STOP_SECONDS: Final = 5
"""Seconds that a stage may take to end after SIGTERM, before it gets SIGKILL."""


@dataclass(frozen=True)
class Stage:
    """One step of CI: a shell command that succeeds or fails."""

    name: str
    proves: str
    command: str
    needs: tuple[str, ...] = ()
    """Stages that must have passed before this one begins."""
    load: int = 1
    """How many cores the command keeps busy."""
    ends_run: bool = False
    """True for cheap checks: when one fails, every other stage is stopped."""
    limit: float = 30
    """Minutes after which the stage counts as hanging and fails."""


@dataclass(frozen=True)
class Result:
    """Result of a stage: `outcome` is passed, failed, stopped or not run."""

    stage: Stage
    outcome: str
    minutes: float = 0.0
    core_minutes: float = 0.0
    """Processor time of the stage and of the processes that it waited for."""


class RunningStage:
    """Process of a running stage. It has a process group of its own and writes to a log."""

    def __init__(self, stage: Stage, log: Path, clock: Callable[[], float]) -> None:
        self.stage = stage
        self.log = log
        self._clock = clock
        self._begun = clock()
        self._core_minutes = 0.0
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                ["bash", "-euo", "pipefail", "-c", stage.command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=ROOT,
                start_new_session=True,
            )

    def result(self) -> Result | None:
        """Return the result of the stage, or None while it runs within its time limit."""
        if self._has_ended():
            self._signal(signal.SIGKILL)
            return self._result("failed" if self._process.returncode else "passed")
        if self._minutes() <= self.stage.limit:
            return None
        self._end()
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"\n{self.stage.name} was stopped: it ran longer than {self.stage.limit:g} minutes.\n")
        return self._result("failed")

    def stop(self) -> Result:
        """End the command and all processes that it started, and return the result."""
        self._end()
        return self._result("stopped")

    def _end(self) -> None:
        self._signal(signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while not self._has_ended() and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        self._signal(signal.SIGKILL)
        self._has_ended(wait=True)

    def _has_ended(self, wait: bool = False) -> bool:
        """Return True if the command has ended, and then note its exit status and its processor time.

        `Popen.poll` is not used because it drops the processor time.
        """
        if self._process.returncode is None:
            ended, status, usage = os.wait4(self._process.pid, 0 if wait else os.WNOHANG)
            if ended:
                self._process.returncode = os.waitstatus_to_exitcode(status)
                self._core_minutes = (usage.ru_utime + usage.ru_stime) / 60
        return self._process.returncode is not None

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to all processes of the stage, also to those that its command has left running."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _minutes(self) -> float:
        return (self._clock() - self._begun) / 60

    def _result(self, outcome: str) -> Result:
        return Result(self.stage, outcome, self._minutes(), self._core_minutes)


class Run:
    """Scheduler that runs stages side by side, within a number of cores that they may keep busy."""

    def __init__(
        self,
        stages: Sequence[Stage],
        capacity: int,
        folder: Path,
        output: IO[str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare a run that keeps its logs in `folder` and prints to `output`.

        A stage whose load is larger than `capacity` runs alone. `clock` returns seconds.
        """
        self.results: list[Result] = []
        self._waiting = list(stages)
        self._running: list[RunningStage] = []
        self._capacity = capacity
        self._logs = folder / "logs"
        self._output = output
        self._clock = clock
        self._begun = clock()
        shutil.rmtree(self._logs, ignore_errors=True)
        self._logs.mkdir(parents=True)

    def finish(self) -> bool:
        """Run every stage and print the table. Return True if all have passed."""
        try:
            while self._waiting or self._running:
                self._drop_unreachable()
                self._start_ready()
                self._collect()
                time.sleep(POLL_SECONDS)
        finally:
            self._stop()
            self._print_table()
            self._print_cause()
        return all(result.outcome == "passed" for result in self.results)

    def _drop_unreachable(self) -> None:
        """Drop the stages that need a stage that has not passed."""
        not_passed = {result.stage.name for result in self.results if result.outcome != "passed"}
        for stage in list(self._waiting):
            if not_passed.intersection(stage.needs):
                self._waiting.remove(stage)
                self.results.append(Result(stage, "not run"))

    def _start_ready(self) -> None:
        """Start the stages whose needs have passed, in the order of the list, while cores are left."""
        passed = {result.stage.name for result in self.results}
        for stage in list(self._waiting):
            load = sum(running.stage.load for running in self._running)
            is_room = not self._running or load + stage.load <= self._capacity
            if is_room and passed.issuperset(stage.needs):
                self._waiting.remove(stage)
                self._print(f"[{self._minutes():.1f} min] {stage.name} begins")
                self._running.append(RunningStage(stage, self._logs / f"{stage.name}.log", self._clock))

    def _collect(self) -> None:
        """Print the output of the stages that have ended, and stop the run after a failed check."""
        for running in list(self._running):
            result = running.result()
            if result is None:
                continue
            self._running.remove(running)
            self.results.append(result)
            title = f"{result.stage.name}: {result.outcome} in {result.minutes:.1f} min"
            self._print(f"\n=== [{self._minutes():.1f} min] {title}\n{read_log(running.log)}\n")
            if result.outcome == "failed" and result.stage.ends_run:
                self._stop()
                return

    def _stop(self) -> None:
        """Stop the running stages and drop the waiting ones."""
        self.results += [running.stop() for running in self._running]
        self.results += [Result(stage, "not run") for stage in self._waiting]
        self._running.clear()
        self._waiting.clear()

    def _print_table(self) -> None:
        """Print the minutes and the processor time of each stage, longest first, and the total."""
        self._print("\nminutes  core minutes  stage")
        for result in sorted(self.results, key=lambda result: -result.minutes):
            remark = "" if result.outcome == "passed" else f" ({result.outcome})"
            times = f"{result.minutes:7.1f}  {result.core_minutes:12.1f}"
            self._print(f"{times}  {result.stage.name}{remark}")
        core_minutes = sum(result.core_minutes for result in self.results)
        self._print(f"{self._minutes():7.1f}  {core_minutes:12.1f}  total")

    def _print_cause(self) -> None:
        failed = [result.stage.name for result in self.results if result.outcome == "failed"]
        if failed:
            log = self._logs / f"{failed[0]}.log"
            cause = read_log(log).splitlines()[-CAUSE_LINES:]
            self._print(f"\nFailed: {', '.join(failed)}. The end of {log.name}:")
            self._print("\n".join(cause))

    def _minutes(self) -> float:
        return (self._clock() - self._begun) / 60

    def _print(self, text: str) -> None:
        print(text, file=self._output, flush=True)


def read_log(log: Path) -> str:
    """Return the text of a log without its escape sequences and trailing blank lines."""
    text = log.read_text(encoding="utf-8", errors="replace")
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).rstrip()


def chosen_stages(stages: Sequence[Stage], names: Sequence[str]) -> list[Stage]:
    """Return the named stages and those they need, in the order of `stages`. Without names, return all.

    Raise ValueError if a name is unknown.
    """
    by_name = {stage.name: stage for stage in stages}
    unknown = [name for name in names if name not in by_name]
    if unknown:
        raise ValueError(f"there is no stage {unknown[0]!r}; there are {', '.join(by_name)}")
    chosen: set[str] = set()
    pending = list(names or by_name)
    while pending:
        name = pending.pop()
        if name not in chosen:
            chosen.add(name)
            pending += by_name[name].needs
    return [stage for stage in stages if stage.name in chosen]


def main() -> int:
    """Run the stages that the command line names. Return 1 if one of them fails."""
    from stages import STAGES

    parser = argparse.ArgumentParser(prog=".ci/run", description="Run the stages of CI side by side.")
    parser.add_argument("name", nargs="*", help="stages to run with those they need (default: all)")
    parser.add_argument("--list", action="store_true", help="print what each stage proves")
    options = parser.parse_args()
    if options.list:
        print("\n".join(f"{stage.name:14} {stage.proves}" for stage in STAGES))
        return 0
    try:
        stages = chosen_stages(STAGES, options.name)
    except ValueError as error:
        parser.error(str(error))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # One stage more than there are cores, because stages also wait for disks, browsers and the network.
    run = Run(stages, (os.cpu_count() or 1) + 1, WORK, sys.stdout)
    try:
        return 0 if run.finish() else 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
