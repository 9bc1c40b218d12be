"""UCI moves and position lines."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.every_row import every_row
from tests.golden_data import Row, rows

from forsyth.diagnostics import FenError, MoveError
from forsyth.games.chess.notation.fen import read_fen, rules_named, write_fen
from forsyth.games.chess.notation.uci import (
    PositionLineError,
    read_position_line,
    read_uci_move,
    write_position_line,
    write_uci_move,
)
from forsyth.games.chess.position import CHESS960, Position
from forsyth.games.chess.rules.moves import legal_moves, play
from forsyth.limits import MAX_MOVES

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def position_of(text: str, variant: str = "standard") -> Position:
    return read_fen(text, rules=rules_named(variant)).require()


def first_bad_move(row: Row) -> int:
    """The row's own index, except that we take no null move inside a line (spec/chess 11)."""
    moves = row["line"].split(" moves ")[1].split()
    bad: int = row["bad_index"]
    return moves.index("0000") if "0000" in moves[:bad] else bad


@every_row(rows("uci"))
def test_golden_lines(row: Row) -> None:
    chess960 = row.get("chess960", False)
    if not row["ok"]:
        with pytest.raises(PositionLineError) as caught:
            read_position_line(row["line"], chess960=chess960)
        assert caught.value.index == first_bad_move(row)
        assert isinstance(caught.value.__cause__, MoveError)
        return
    line = read_position_line(row["line"], chess960=chess960)
    assert str(line.position) == row["fen"]
    assert write_fen(line.position, ep="legal") == row["norm"]
    assert len(line.moves) == row["plies"]
    assert write_position_line(line.start, line.moves) == row["line"]


@every_row(rows("san")[::3])
def test_every_legal_move_is_read_and_written(row: Row) -> None:
    position = position_of(row["fen"], "chess960" if row.get("chess960") else "standard")
    moves = [read_uci_move(position, uci) for uci, _ in row["moves"]]
    assert [write_uci_move(position, move) for move in moves] == [uci for uci, _ in row["moves"]]
    assert set(moves) == set(legal_moves(position))


@pytest.mark.parametrize(
    ("text", "variant", "given", "move"),
    [
        (CASTLING, "standard", "e1g1", "e1g1"),
        (CASTLING, "standard", "e1c1", "e1c1"),
        (CASTLING, "standard", "e1h1", "e1g1"),
        (CASTLING, "standard", "e1a1", "e1c1"),
        (CASTLING.replace(" w ", " b "), "standard", "e8h8", "e8g8"),
        (CASTLING.replace(" w ", " b "), "standard", "e8a8", "e8c8"),
        (CASTLING, "chess960", "e1h1", "e1h1"),
        (CASTLING, "chess960", "e1a1", "e1a1"),
        (CASTLING, "chess960", "e1g1", "e1h1"),
        (CASTLING, "chess960", "e1c1", "e1a1"),
        (CASTLING.replace(" w ", " b "), "chess960", "e8g8", "e8h8"),
        ("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", "chess960", "b1g1", "b1h1"),
        ("4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1", "chess960", "f1g1", "f1g1"),
        ("4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1", "chess960", "f1c1", "f1a1"),
        ("4k3/8/8/8/8/8/8/1RK4R w KQ - 0 1", "chess960", "c1b1", "c1b1"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "standard", "a7a8n", "a7a8n"),
        ("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "crazyhouse", "Q@e4", "Q@e4"),
        ("r3k2r/8/8/8/8/8/8/R3K2R[] w KQkq - 0 1", "crazyhouse", "e1h1", "e1g1"),
    ],
)
def test_a_move_is_read(text: str, variant: str, given: str, move: str) -> None:
    assert read_uci_move(position_of(text, variant), given).uci == move


@pytest.mark.parametrize(
    ("text", "variant", "given", "kind"),
    [
        (START, "standard", "0000", "illegal"),
        (START, "standard", "E2E4", "invalid"),
        (START, "standard", "e2", "invalid"),
        (START, "standard", "e2-e4", "invalid"),
        (START, "standard", "Nf3", "invalid"),
        (START, "standard", "e2e4 ", "invalid"),
        (START, "standard", "e2e4\n", "invalid"),
        (START, "standard", "e7e8k", "invalid"),
        (START, "standard", "", "invalid"),
        (START, "standard", "e2e4" * 1000, "invalid"),
        (START, "standard", "e2e5", "illegal"),
        (START, "standard", "e2e4q", "illegal"),
        (START, "standard", "a1a1", "illegal"),
        (START, "standard", "e1h1", "illegal"),
        (START, "standard", "Q@e4", "illegal"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "standard", "a7a8", "illegal"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "standard", "e1h1", "illegal"),
        ("4k3/8/8/8/8/8/8/4KR2 w - - 0 1", "standard", "e1f1", "illegal"),
        (START, "chess960", "e1g1", "illegal"),
        ("4k3/8/8/8/8/8/8/R3K1RR w HA - 0 1", "chess960", "e1g1", "illegal"),
        ("4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1", "chess960", "f1b1", "illegal"),
        ("4k3/8/8/8/8/8/8/R5KR w KQ - 0 1", "chess960", "g1a2", "illegal"),
        ("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "crazyhouse", "q@e4", "invalid"),
        ("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "crazyhouse", "R@e4", "illegal"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "standard", "e2e4", "illegal"),
    ],
)
def test_what_is_no_legal_move_is_refused(text: str, variant: str, given: str, kind: str) -> None:
    with pytest.raises(MoveError) as caught:
        read_uci_move(position_of(text, variant), given)
    assert caught.value.kind == kind
    assert caught.value.text == given
    assert len(str(caught.value)) < 200


def test_an_illegal_move_comes_with_the_moves_of_the_same_piece() -> None:
    with pytest.raises(MoveError) as caught:
        read_uci_move(position_of(START), "g1g3")
    assert sorted(caught.value.candidates) == ["g1f3", "g1h3"]


def test_a_move_of_another_position_is_not_written() -> None:
    move = read_uci_move(position_of(START), "e2e4")
    after = play(position_of(START), move)
    with pytest.raises(MoveError, match="'e2e4' is not a legal move here"):
        write_uci_move(after, move)


def test_a_line_may_have_four_to_six_fields_and_any_blanks() -> None:
    board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    assert str(read_position_line(f"position fen {board} w KQkq -").position) == START
    assert str(read_position_line(f"position fen {board} w KQkq - 7").position) == f"{board} w KQkq - 7 1"
    line = read_position_line(f"  position\tfen {board}  w KQkq - 7 9 moves  e2e4\n")
    assert [move.uci for move in line.moves] == ["e2e4"]
    assert str(line.start) == f"{board} w KQkq - 7 9"
    assert str(line.position) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 9"


def test_moves_may_be_none() -> None:
    assert read_position_line("position startpos moves").moves == ()


def test_chess960_starts_with_its_own_rules() -> None:
    line = read_position_line("position startpos moves e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1h1", chess960=True)
    assert line.start.rules == CHESS960
    assert line.position.board.endswith("RNBQ.RK.")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "startpos",
        "go infinite",
        "position",
        "position moves e2e4",
        "position startpos e2e4",
        "position start moves e2e4",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w -",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1 2",
        "position fen moves e2e4",
        "position startpos moves " + "e2e4 " * 40_000,
    ],
)
def test_a_malformed_line_is_refused(line: str) -> None:
    with pytest.raises(PositionLineError) as caught:
        read_position_line(line)
    assert caught.value.index is None
    assert caught.value.line == line


def test_a_line_of_too_many_moves_is_refused_before_any_is_played() -> None:
    with pytest.raises(PositionLineError, match="20001 moves, expected at most 20000") as caught:
        read_position_line("position startpos moves" + " e2e4" * (MAX_MOVES + 1))
    assert caught.value.index == MAX_MOVES


def test_a_bad_fen_is_explained_with_its_place_in_the_line() -> None:
    line = "position  fen rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 moves e2e4"
    with pytest.raises(FenError) as caught:
        read_position_line(line)
    found = {finding.code: finding for finding in caught.value.diagnostics}
    assert set(found) == {"board.digit", "ep.value"}
    assert line[slice(*found["board.digit"].span)] == "9"
    assert line[slice(*found["ep.value"].span)] == "e9"
    fix = found["board.digit"].fix
    assert fix is not None
    assert line[slice(*fix.span)] == "9"


def test_an_error_survives_pickling() -> None:
    with pytest.raises(PositionLineError) as caught:
        read_position_line("position startpos moves e2e4 e2e4")
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert (copy.line, copy.index, str(copy)) == (caught.value.line, 1, str(caught.value))


@given(st.data())
def test_a_game_comes_back_from_its_line(data: st.DataObject) -> None:
    row = data.draw(st.sampled_from([row for row in rows("valid_fens") if row["moves"]]))
    position = start = position_of(row["fen"], "chess960" if row.get("chess960") else "standard")
    moves = []
    for _ in range(data.draw(st.integers(0, 12))):
        legal = legal_moves(position)
        if not legal:
            break
        moves.append(data.draw(st.sampled_from(legal)))
        position = play(position, moves[-1])
    line = read_position_line(write_position_line(start, tuple(moves)), chess960=row.get("chess960", False))
    assert (line.start, line.moves, line.position) == (start, tuple(moves), position)


@given(st.text(max_size=40), st.sampled_from(["", "position ", "position fen ", "position startpos moves "]))
def test_any_text_is_followed_or_refused(text: str, before: str) -> None:
    try:
        line = read_position_line(before + text)
    except FenError as error:
        assert all(0 <= d.span.start <= d.span.end <= len(before + text) for d in error.diagnostics)
    except PositionLineError as error:
        assert error.line == before + text
    else:
        assert isinstance(line.position, Position)
