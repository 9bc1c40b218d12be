"""How every test runs: one way to import the helpers, and Hypothesis the same each time.

The examples of a property test are always the same ones, so that a failure is a failure for everyone. To
search for new ones: `HYPOTHESIS_PROFILE=search python -m pytest tests/games/chess/test_chess_properties.py`.
"""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import forsyth

ROOT = Path(__file__).parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

CORE = re.compile(
    r"test_(chess|cotulenh|azul)_\w+\.py|test_(arguments|column_answers|diagnostics|edit|facts|findings|forms|fuzz_corpus|match|"
    r"pictures|positions|record|refusals|texts_given|toy_game|columns|conform|games)\.py"
)
"""The test files that hold both builds to notation, rules and contracts."""
ONCE = re.compile(
    r"test_(bench\w*|build|bundle|ci|components_page|constants|distribution|plain_language|types|workflows)\.py"
)
"""The test files about sources, benchmarks, builds and CI.

They use no hot module or choose the build themselves, so a run of the pure build would repeat them.
"""

pytest_plugins = ["tests.store.postgres_server"]
"""Fixtures for every test; the server of one is started when the first test asks for it."""

# The pure build is about ten times slower; the first examples find most.
_EXAMPLES = 200 if forsyth.build_info()["compiled"] else 60

settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    max_examples=_EXAMPLES,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "search",
    derandomize=False,
    deadline=None,
    max_examples=15 * _EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no other files where core tests alone are asked for."""
    asked = str(config.option.markexpr).startswith("core and ")
    return True if asked and collection_path.is_file() and not CORE.match(collection_path.name) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the files above."""
    for item in items:
        if CORE.match(item.path.name):
            item.add_marker(pytest.mark.core)
        if ONCE.match(item.path.name):
            item.add_marker(pytest.mark.once)


def pytest_collection_finish() -> None:
    """Keep the collector away from what is loaded: a full collection takes a third of a second."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def ctrl_c_is_not_ignored() -> Iterator[None]:
    """Let Ctrl-C stop what a test starts, also where a shell has started the tests in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
