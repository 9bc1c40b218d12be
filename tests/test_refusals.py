"""Calls from Python are refused with the sentences they were before: tests/golden/answers/README.md."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from tests import inner_refusals, refusals

import forsyth

CHESS: Any = forsyth.game("chess")
AZUL: Any = forsyth.game("azul")
COTULENH: Any = forsyth.game("cotulenh")


def test_calls_are_refused_as_before() -> None:
    assert list(refusals.refusals()) == refusals.FILE.read_text(encoding="utf-8").splitlines()


def test_what_the_rules_refuse_when_they_are_called_by_themselves() -> None:
    assert list(inner_refusals.refusals()) == inner_refusals.FILE.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("what", "found", "name"),
    [
        ("position", CHESS.parse(CHESS.start), "half"),
        ("position", COTULENH.parse(COTULENH.start), "half"),
        ("position", AZUL.parse(AZUL.start), "round"),
        ("board", AZUL.parse(AZUL.start).boards[0], "score"),
    ],
)
def test_what_was_read_does_not_change(what: str, found: Any, name: str) -> None:
    said = []
    for change in (partial(setattr, found, name, 5), partial(delattr, found, name)):
        with pytest.raises(AttributeError) as caught:
            change()
        said.append(str(caught.value))
    # Of a compiled class Python itself says it, each version in its own words.
    if not forsyth.build_info()["compiled"]:
        assert said == [f"a {what} does not change: {name} cannot be {done}" for done in ("set", "deleted")]
