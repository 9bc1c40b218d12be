"""Columns of games of the kit: other spellings are answered for by the kernels, as the reader says them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.contract.columns import CASES, Case, Table

from forsyth.column import ASK, NOTED
from forsyth.games.xiangqi.game import SHEET
from forsyth.kit.game import GridGame
from forsyth.kit.notation.scanner import Grammar
from forsyth.kit.numbers.column import GridColumn

SPELLINGS: dict[str, Callable[[str], str]] = {
    "line end": lambda text: f"{text}\r\n",
    "blanks before": lambda text: f" \t{text}",
    "two blanks": lambda text: text.replace(" ", "  ", 1),
    "tab": lambda text: text.replace(" ", "\t", 1),
    "en dash": lambda text: text.replace(" - ", " – "),
    "minus sign and blanks": lambda text: text.replace(" - ", "  \u2212  ") + " ",
    "leading zeros": lambda text: " ".join((*text.split(" ")[:-1], f"00{text.split(' ')[-1]}")),
    "move number 0": lambda text: " ".join((*text.split(" ")[:-1], "0")),
    "move number 00": lambda text: " ".join((*text.split(" ")[:-1], "00")),
}
kit_games = pytest.mark.parametrize(
    "case", [case for case in CASES if case.name in ("xiangqi", "shogi")], ids=lambda case: case.name
)


@kit_games
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_spelling_is_noted_as_the_reader_says_it(case: Case, spelling: str) -> None:
    texts = [SPELLINGS[spelling](text) for text in (case.game.start, case.game.names["midgame"])]
    table = Table(case, [text.encode() for text in texts])
    table.require_law()
    # A start of shogi has nothing in hand, its midgame has.
    dashless = case.name == "shogi" and "dash" in spelling
    assert dashless or set(table.verdicts["syntax"]) == {NOTED}


def test_hands_in_another_form_are_noted() -> None:
    case = next(case for case in CASES if case.name == "shogi")
    board = "4k4/9/9/9/9/9/9/9/4K4"
    texts = [f"{board} b {hands} 1" for hands in ("pP", "1P", "PP", "02P", "2Pp", "-", "R2P3p")]
    table = Table(case, [text.encode() for text in texts])
    table.require_law()
    assert list(table.verdicts["syntax"]) == [NOTED, NOTED, NOTED, NOTED, 1, 1, 1]
    short = Table(case, [f"{board} b -".encode(), f"{board} b 31P".encode(), f"{board} b 32P 1".encode()])
    short.require_law()
    assert list(short.verdicts["syntax"]) == [NOTED, NOTED, ASK]


def test_counts_that_are_none_are_left_to_the_reader() -> None:
    case = next(case for case in CASES if case.name == "xiangqi")
    texts = [case.game.start.replace("/9/", f"/{count}/", 1).encode() for count in ("10", "45", "0", "8")]
    table = Table(case, texts)
    table.require_law()
    assert set(table.verdicts["syntax"]) == {ASK}


def test_texts_without_room_have_no_kernels() -> None:
    long = replace(SHEET, name="x" * 80, styles={})
    assert GridGame(long).column is None
    with pytest.raises(ValueError, match="too long for a scanner"):
        Grammar(long)


def test_what_is_no_sheet_and_a_column_that_was_not_set_up_are_refused() -> None:
    with pytest.raises(TypeError, match="a sheet is expected"):
        Grammar("xiangqi")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected 1 to"):
        GridColumn(SHEET, 1 << 20)
