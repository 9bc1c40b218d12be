"""No call from Python ends the interpreter, with whatever arguments: see `crash_calls`.

Each package is called in a process of its own, so that a crash is a failed test that names the call.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.crash_calls import Caller, modules_of, places_of, run_module

import forsyth
from forsyth.build import HOT

ROOT = Path(__file__).parents[1]
SOURCES = Path(forsyth.__file__).parent
pytestmark = [pytest.mark.compiled, pytest.mark.slow]
PACKAGES = sorted({name.rpartition(".")[0] for name in HOT})
LEAST_CALLS = 500


@pytest.mark.parametrize("package", PACKAGES)
def test_no_call_ends_the_process(package: str, tmp_path: Path) -> None:
    call = tmp_path / "call"
    # As this process finds its modules, wherever they are installed.
    path = os.pathsep.join([str(SOURCES.parent), str(ROOT), *sys.path])
    environment = {**os.environ, "PYTHONPATH": path, "FORSYTH_CALL": str(call)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.crash_calls", package],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    last = call.read_bytes().partition(b"\0")[0].decode() if call.exists() else "none"
    assert done.returncode == 0, f"ended with {done.returncode} in {last}\n{done.stderr[-2000:]}"
    assert int(done.stdout) >= LEAST_CALLS


def test_every_hot_module_is_called() -> None:
    called = [module.__name__ for package in PACKAGES for module in modules_of(package)]
    assert sorted(called) == sorted(HOT)


def test_what_is_called_is_what_the_modules_define() -> None:
    import tests.crash_calls as own

    caller = Caller()
    seen = []
    caller.everything = lambda name, function, like=(): seen.append(name) or []  # type: ignore[method-assign,func-returns-value]
    run_module(caller, own)
    assert "tests.crash_calls.places_of" in seen
    assert "tests.crash_calls.Caller" in seen
    assert "tests.crash_calls.OddText.encode" in seen
    assert places_of(places_of) == [["Callable[..., Any]"]]


def test_the_kinds_of_arguments_are_known_of_compiled_functions_too() -> None:
    from forsyth.games.chess.position import Position

    assert places_of(Position.piece_at) == [["", "Name"]]


@pytest.mark.parametrize("game", ["chess", "cotulenh", "azul"])
def test_a_method_takes_no_object_of_another_class_for_its_own(game: str) -> None:
    method: Any = type(forsyth.game(game).parse(forsyth.game(game).start)).__reduce__
    for other in (object(), "", 5, ()):
        with pytest.raises((TypeError, AttributeError)):
            method(other)
