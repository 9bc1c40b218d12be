"""Twenty everyday tasks: Forsyth does each, gives the answer of python-chess, and is typed all through."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from bench.tasks import with_forsyth, with_python_chess
from bench.tasks.given import ARGUMENTS, COMPARED
from mypy import api
from tests.mypy_cache import mypy_cache
from tests.test_readme import ROOT

TASKS = Path(with_forsyth.__file__)


def test_there_are_twenty_tasks_and_each_is_done_with_both() -> None:
    for module in (with_forsyth, with_python_chess):
        functions = {name: one for name, one in vars(module).items() if inspect.isfunction(one)}
        assert {name for name, one in functions.items() if one.__module__ == module.__name__} == set(
            ARGUMENTS
        )
    assert len(ARGUMENTS) == 20


@pytest.mark.parametrize("name", ARGUMENTS)
def test_both_give_the_same_answer(name: str) -> None:
    compared = COMPARED.get(name, lambda answer: answer)
    ours, theirs = (getattr(module, name)(*ARGUMENTS[name]) for module in (with_forsyth, with_python_chess))
    assert compared(ours) == compared(theirs)
    assert ours not in (None, [], ""), "an answer that says nothing proves nothing"


@pytest.mark.slow
def test_no_expression_of_a_task_is_of_any_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """`.ci/types` says the same with pyright."""
    monkeypatch.setenv("MYPYPATH", str(ROOT / "src"))
    options = ["--strict", "--disallow-any-expr", "--disallow-any-decorated", "--disallow-any-explicit"]
    options += ["--config-file", str(ROOT / "pyproject.toml")]
    with mypy_cache("tasks") as cache:
        # Only what the tasks themselves say counts, not what stands inside the package.
        output, problem, _ = api.run([*options, "--cache-dir", cache, "--follow-imports=silent", str(TASKS)])
    assert problem == ""
    assert [line for line in output.splitlines() if ": error:" in line] == []
