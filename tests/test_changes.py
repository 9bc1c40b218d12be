"""Moves and edits come to what they came to before: tests/golden/changes/README.md."""

from __future__ import annotations

import pytest
from tests import changes

import forsyth


@pytest.mark.parametrize("name", changes.GAMES)
def test_moves_and_edits_come_to_what_they_came_to_before(name: str) -> None:
    kept = (changes.FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    assert list(changes.changes(name)) == kept.splitlines()


def test_every_built_in_game_is_kept() -> None:
    assert {path.stem for path in changes.FOLDER.glob("*.jsonl")} == set(changes.GAMES)
    assert {game for game, _, _ in changes.GAMES.values()} <= set(forsyth.games())
