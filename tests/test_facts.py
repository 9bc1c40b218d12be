"""What each game says about itself is what it said before: tests/golden/facts/README.md."""

from __future__ import annotations

import pytest
from tests import facts

import forsyth


@pytest.mark.parametrize("name", facts.GAMES)
def test_a_game_says_of_itself_what_it_said_before(name: str) -> None:
    kept = (facts.FOLDER / f"{name}.json").read_text(encoding="utf-8")
    assert facts.facts(name).splitlines() == kept.splitlines()


def test_the_codes_that_belong_to_no_game_mean_what_they_meant_before() -> None:
    assert facts.codes().splitlines() == (facts.FOLDER / "codes.txt").read_text(encoding="utf-8").splitlines()


def test_every_built_in_game_is_kept() -> None:
    assert {path.stem for path in facts.FOLDER.glob("*.json")} == set(facts.GAMES) <= set(forsyth.games())
