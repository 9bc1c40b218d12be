"""The run of CI: stages side by side, the cause of a failure in its last lines, races and faults."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.polling import wait_until

ROOT = Path(__file__).parents[1]
FOREVER = "exec tail -f /dev/null"
LAST_LINES = 30


@pytest.fixture(scope="module")
def runner() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / ".ci"))
        yield import_module("run_stages")


@pytest.fixture(scope="module")
def stages(runner: Any) -> Any:
    return import_module("stages").STAGES


@pytest.fixture
def run(runner: Any, tmp_path: Path) -> Any:
    """Run stages; return whether they passed, the outcome of each, and what was printed."""

    def run_stages(*stages: Any, **options: Any) -> tuple[bool, dict[str, str], str]:
        output = io.StringIO()
        started = runner.Run(stages, 3, tmp_path, output, **options)
        passed = started.finish()
        return passed, {result.stage.name: result.outcome for result in started.results}, output.getvalue()

    return run_stages


def test_stages_that_pass_are_printed_with_their_output_and_in_a_table(runner: Any, run: Any) -> None:
    passed, outcomes, output = run(
        runner.Stage("first", "It echoes.", "echo some output"),
        runner.Stage("second", "It follows.", "true", needs=("first",)),
    )
    assert passed
    assert outcomes == {"first": "passed", "second": "passed"}
    assert re.search(r"=== .* first: passed in 0\.0 min\nsome output\n", output)
    table = output.partition("minutes  core minutes  stage\n")[2].splitlines()
    assert {line.split()[-1] for line in table[:2]} == {"first", "second"}
    assert table[2].endswith("total")


def test_the_processor_time_includes_the_processes_that_a_stage_starts(runner: Any, tmp_path: Path) -> None:
    burn = "import time\nwhile time.process_time() < 0.2: pass"
    stage = runner.Stage("busy", "It computes.", f"'{sys.executable}' -c '{burn}'; true")
    run = runner.Run([stage], 3, tmp_path, io.StringIO())
    assert run.finish()
    assert run.results[0].core_minutes * 60 >= 0.2


def test_a_failed_check_ends_the_run_at_once(runner: Any, run: Any) -> None:
    passed, outcomes, output = run(
        runner.Stage("hanging", "It never ends.", FOREVER),
        runner.Stage("check", "It fails.", "echo the cause; false", ends_run=True),
        runner.Stage("later", "It waits.", "true", needs=("hanging",)),
    )
    assert not passed
    assert outcomes == {"check": "failed", "hanging": "stopped", "later": "not run"}
    assert output.endswith("Failed: check. The end of check.log:\nthe cause\n")


def test_a_failed_check_ends_stages_that_end_beside_it(runner: Any, run: Any) -> None:
    stages = [runner.Stage(f"check-{number}", "It fails.", "false", ends_run=True) for number in range(3)]
    passed, outcomes, output = run(*stages)
    assert not passed
    assert set(outcomes) == {stage.name for stage in stages}
    assert "Failed: check-" in output


def test_after_another_failure_the_stages_go_on_that_do_not_need_it(runner: Any, run: Any) -> None:
    passed, outcomes, output = run(
        runner.Stage("broken", "It fails.", "seq 1 100; echo the cause; exit 3"),
        runner.Stage("needs-it", "It is left out.", "true", needs=("broken",)),
        runner.Stage("other", "It passes.", "true"),
        runner.Stage("after-other", "It passes.", "true", needs=("other",)),
    )
    assert not passed
    assert outcomes == {"broken": "failed", "needs-it": "not run", "other": "passed", "after-other": "passed"}
    assert "the cause" in output.splitlines()[-LAST_LINES:]
    assert "Failed: broken." in "".join(output.splitlines()[-LAST_LINES:])


def test_a_stage_that_hangs_fails_and_what_it_started_ends(runner: Any, run: Any, tmp_path: Path) -> None:
    """An hour passes as soon as the child of the stage holds its lock."""
    lock = tmp_path / "lock"
    lock.touch()
    hanging = runner.Stage("hanging", "It hangs.", f"flock {lock} {FOREVER.removeprefix('exec ')} & wait")
    passed, outcomes, output = run(hanging, clock=lambda: 3600.0 if is_locked(lock) else 0.0)
    assert not passed
    assert outcomes == {"hanging": "failed"}
    assert "hanging was stopped: it ran longer than 30 minutes." in output
    wait_until(lambda: not is_locked(lock))


def is_locked(file: Path) -> bool:
    """Return True if a process holds the lock of a file. The system takes it from a process that ends."""
    import fcntl  # Windows has none.

    with file.open() as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def test_stages_share_the_cores(runner: Any, run: Any) -> None:
    """With room for three cores, the second stage of two cores begins after the first has ended."""
    passed, _, output = run(
        runner.Stage("first", "It keeps two cores busy.", "true", load=2),
        runner.Stage("second", "It does too.", "true", load=2),
        runner.Stage("third", "It keeps one core busy.", "true"),
    )
    assert passed
    assert output.index("first: passed") < output.index("second begins")
    assert output.index("third begins") < output.index("first: passed")


def test_a_named_stage_runs_with_what_it_needs(runner: Any, stages: Any) -> None:
    chosen = {stage.name for stage in runner.chosen_stages(stages, ["sdist"])}
    assert {"sdist", "distributions", "libraries", "lint"} <= chosen
    assert not {"browser", "fuzz"} & chosen
    assert runner.chosen_stages(stages, []) == list(stages)
    with pytest.raises(ValueError, match="there is no stage 'sdits'; there are lint, "):
        runner.chosen_stages(stages, ["sdits"])


def test_every_stage_needs_stages_before_it_and_runs_scripts_that_are_there(stages: Any) -> None:
    seen: set[str] = set()
    for stage in stages:
        assert stage.name not in seen
        assert seen.issuperset(stage.needs), stage.name
        for script in re.findall(r"(?<=\.ci/)[a-z_]+(?:\.py)?(?=[\s\"]|$)", stage.command):
            assert (ROOT / ".ci" / script).exists(), script
        seen.add(stage.name)


def test_every_stage_stands_in_the_guide_for_contributors(stages: Any) -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-z-]+)` \| (.*?) \|", guide, re.MULTILINE)
    assert {name for name, _ in listed} >= {stage.name for stage in stages}
    assert {name: proves for name, proves in listed if name in {stage.name for stage in stages}} == {
        stage.name: stage.proves for stage in stages
    }


# --- races and faults -------------------------------------------------------------------------------

FAILS_ONCE = """
from pathlib import Path
def test_{number}():
    seen = Path(__file__).with_name("seen-{number}")
    if not seen.exists():
        seen.touch()
        raise AssertionError("a race")
"""
FAILS = "def test_broken():\n    assert False\n"
PASSES = "def test_good():\n    pass\n"


@pytest.fixture
def flaky(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / ".ci"))
    module = import_module("flaky")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return module


def test_a_test_that_fails_once_is_named_as_flaky(
    flaky: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORSYTH_SOMETHING", "kept")
    (tmp_path / "test_it.py").write_text(PASSES + FAILS_ONCE.format(number=1))
    assert flaky.run_first("browser", ["test_it.py"], tmp_path / "notes") == 0
    assert "Run again alone, at the end of the run:\n  test_it.py::test_1\n" in capfd.readouterr().out
    assert flaky.run_again(tmp_path / "notes") == 0
    assert capfd.readouterr().out.endswith("passed when run again alone:\n  test_it.py::test_1\n")


def test_a_test_that_fails_twice_is_a_fault(
    flaky: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test_it.py").write_text(PASSES + FAILS)
    assert flaky.run_first("browser", ["test_it.py"], tmp_path / "notes") == 0
    assert flaky.run_again(tmp_path / "notes") == 1
    assert capfd.readouterr().out.endswith("Failed twice:\n  test_it.py::test_broken\n")


def test_three_flaky_tests_fail_the_run(
    flaky: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "notes"
    for number in range(3):
        (tmp_path / f"test_{number}.py").write_text(FAILS_ONCE.format(number=number))
    assert flaky.run_first("one", ["test_0.py", "test_1.py", "test_2.py"], notes) == 1
    for number in range(3):
        (tmp_path / f"seen-{number}").unlink()
        assert flaky.run_first(f"stage-{number}", [f"test_{number}.py"], notes) == 0
    assert flaky.run_again(notes) == 1
    assert "3 tests are flaky; more than 2 fail the run." in capfd.readouterr().out


def test_tests_that_cannot_run_are_no_race(flaky: Any, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("import nothing_of_this_name\n")
    assert flaky.run_first("browser", ["test_it.py"], tmp_path / "notes") == 2
    assert flaky.run_first("browser", ["test_nowhere.py"], tmp_path / "notes") == 4
    assert flaky.run_again(tmp_path / "notes") == 0
