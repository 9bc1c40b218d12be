"""What is found in broken texts is what was found before: tests/golden/findings/README.md."""

from __future__ import annotations

import pytest
from tests import findings

import forsyth


@pytest.mark.parametrize("game", findings.GAMES)
def test_broken_texts_are_answered_as_before(game: str) -> None:
    kept = (findings.FOLDER / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    assert [findings.line(game, text) for text in findings.texts(game)] == kept


@pytest.mark.parametrize("name", forsyth.games())
def test_the_texts_show_every_code(name: str) -> None:
    files = [file for file, game in findings.GAMES.items() if game.name == name]
    words = "".join((findings.FOLDER / f"{file}.jsonl").read_text(encoding="utf-8") for file in files)
    assert [info.code for info in forsyth.game(name).codes if f" {info.code} " not in words] == []
