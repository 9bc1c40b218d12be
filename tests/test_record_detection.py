"""Detection of the game of a record without the usual tags."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from forsyth import read_record, read_records
from forsyth.cli.app import forsyth as command_line
from forsyth.record.detection import split_moves

STUDY = '[Event "Study: Chapter 1"]\n[Site "https://example.org/study/1"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n'


@pytest.mark.parametrize(
    ("text", "game", "variant"),
    [
        (STUDY, "chess", "standard"),
        ('[Event "S"]\n\n1. d4 {a} d5 (1... Nf6 2. c4) 2. c4! 1-0\n', "chess", "standard"),
        ("1. e4 e5 2. Nf3\n", "chess", "standard"),
        ("1.e4 e5 2.Nf3 *\n", "chess", "standard"),
        ('[Variant "Antichess"]\n[Event "S"]\n\n1. e3 b5 2. Bxb5 *\n', "chess", "antichess"),
        ('[Variant "Engine"]\n\n*\n', "cotulenh", "engine"),
        ('[ECO "B01"]\n\n*\n', "chess", "standard"),
        ('[WhiteElo "1200"]\n\n*\n', "chess", "standard"),
        ("1. Nbb3 *\n", "cotulenh", "standard"),
        ("1. 0B2 *\n", "azul", "2-players"),
        ("1. C2.5 *\n", "xiangqi", "standard"),
        ("1. P-7f P-3d *\n", "shogi", "standard"),
    ],
)
def test_a_record_without_the_usual_tags_is_read(text: str, game: str, variant: str) -> None:
    for reading in (read_record(text), *read_records(text), *read_records(io.StringIO(text))):
        assert reading.game == game
        assert reading.record is not None and reading.record.game.variant == variant
        assert "game.unknown" not in [finding.code for finding in reading.diagnostics]


@pytest.mark.parametrize("text", ["*\n", '[Event "S"]\n\n*\n', "garbage more *\n", '[Black "x"]\n\n*\n'])
def test_a_record_that_fits_no_game_or_several_is_undecided(text: str) -> None:
    reading = read_record(text)
    assert reading.game is None
    assert [finding.code for finding in reading.diagnostics] == ["game.unknown"]


def test_moves_are_split_without_numbers_comments_variations_and_glyphs() -> None:
    text = "1. e4! {[%clk 1] e6} e5 $1 (1... c5 (1... e6 2. d4) 2. c3) ; d5\n2.Nf3?! Nc6 2... 3 1/2-1/2"
    assert split_moves(text) == ["e4", "e5", "Nf3", "Nc6"]


@pytest.mark.parametrize("command", [("games",), ("positions",)])
def test_a_table_of_records_without_the_usual_tags(command: tuple[str, ...], tmp_path: Path) -> None:
    source = tmp_path / "study.pgn"
    source.write_text(STUDY * 3)
    result = CliRunner().invoke(
        command_line, [*command, "--json", str(source), "-o", str(tmp_path / "rows.parquet")]
    )
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["game"] == "chess"


def test_an_index_of_standard_input_detects_the_game(tmp_path: Path) -> None:
    result = CliRunner().invoke(command_line, ["index", "-", "-o", str(tmp_path / "book")], input=STUDY * 3)
    assert result.exit_code == 0, result.output


def test_an_undecided_record_is_no_error_of_lint(tmp_path: Path) -> None:
    source = tmp_path / "a.pgn"
    source.write_text('[Event "S"]\n\n*\n')
    result = CliRunner().invoke(command_line, ["lint", "--json", str(source)])
    assert result.exit_code == 0, result.output
    assert "error" not in result.output
