"""Every picture as it was when somebody last looked at it: tests/golden/pictures/README.md."""

from __future__ import annotations

import pytest
from tests import pictures


@pytest.mark.parametrize("name", pictures.SCENES)
def test_the_picture_is_the_one_that_was_looked_at(name: str) -> None:
    kept = (pictures.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert pictures.svg(name).splitlines() == kept.splitlines()


@pytest.mark.parametrize("name", pictures.SCENES)
def test_the_terminal_shows_what_was_looked_at(name: str) -> None:
    kept = (pictures.FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert pictures.text(name).splitlines() == kept.splitlines()


def test_every_picture_that_is_kept_is_drawn() -> None:
    kept = {path.stem for path in pictures.FOLDER.iterdir() if path.suffix in (".svg", ".txt")}
    assert kept == {*pictures.SCENES, pictures.LOOKS.stem}


def test_every_look_is_drawn_on_every_board_as_before() -> None:
    assert list(pictures.looks()) == pictures.LOOKS.read_text(encoding="utf-8").splitlines()
