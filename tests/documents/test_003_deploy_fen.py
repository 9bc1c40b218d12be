"""The document "FEN Handling in Action-Based Deploy": options, format, algorithms, examples, tests, impact.

Its tests run on an otherwise empty board, which holds the two commanders. Where the specification resolves
something otherwise, that is asserted, and the case names the clause (spec/cotulenh).
"""

from __future__ import annotations

from functools import partial

import pytest
from tests.documents.cases import Case
from tests.documents.cotulenh_boards import Check, Row, game_with

from forsyth.cotulenh import GAME, CoTuLenh, FENError, MoveRecord, Piece, SanError, SessionView

INITIAL = "6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1"
AFTER_NAVY = "6c4/11/11/11/11/11/11/2N8/11/2(FT)8/11/5C5 r - - 0 1"
AFTER_PLANE = "6c4/11/11/11/11/11/11/2N8/3F7/2T8/11/5C5 r - - 0 1"
AFTER_TANK = "6c4/11/11/11/11/11/11/2N8/3F7/3T7/11/5C5 b - - 1 1"
STEPS = ("N>c5", "F>d4", "T>d3")


def after(count: int) -> CoTuLenh:
    """Example 1 after some of its steps."""
    game = CoTuLenh(INITIAL)
    for step in STEPS[:count]:
        game.move(step)
    return game


def marker(game: CoTuLenh) -> str:
    """The text in the document's own form."""
    return GAME.write(game.position, "marker")


def session_of(game: CoTuLenh) -> SessionView:
    session = game.get_deploy_session()
    assert session is not None
    return session


# --- the problem and the options --------------------------------------------------------------------


def the_problem() -> None:
    units = [[str(after(count).get(square)) for square in ("c3", "c5", "d4")] for count in range(3)]
    assert units == [["(NFT)", "None", "None"], ["(FT)", "N", "None"], ["T", "N", "F"]]
    assert [after(count).turn() for count in range(4)] == ["r", "r", "r", "b"]


def intermediate_board() -> None:
    assert [after(count).fen(current_only=True) for count in range(3)] == [INITIAL, AFTER_NAVY, AFTER_PLANE]


def deploy_marker() -> None:
    assert marker(after(0)) == INITIAL
    assert marker(after(1)) == f"{AFTER_NAVY} DEPLOY c3:FT 1"
    assert marker(after(2)) == f"{AFTER_PLANE} DEPLOY c3:T 2"
    assert marker(after(3)) == AFTER_TANK == after(3).fen()


def canonical_text() -> None:
    assert after(1).fen() == f"{AFTER_NAVY} DEPLOY c3:FT 1 N>c5"
    assert after(2).fen() == f"{AFTER_PLANE} DEPLOY c3:T 2 N>c5,F>d4"
    for count in range(4):
        assert after(count).fen().startswith(marker(after(count)))


def virtual_board() -> None:
    assert [session_of(after(count)).start_fen for count in (1, 2)] == [INITIAL, INITIAL]
    written = GAME.write(after(2).position, "replay")
    assert written == f"{INITIAL} c3:T:N>c5,F>d4..." and CoTuLenh(written).fen() == after(2).fen()


# --- the format -------------------------------------------------------------------------------------


def plain_text() -> None:
    assert len(after(0).fen().split()) == len(after(3).fen().split()) == 6


def parts_of_the_marker() -> list[str]:
    """The words behind the six fields."""
    return marker(after(1)).split()[6:]


def turn_stays() -> None:
    assert [marker(after(count)).split()[1] for count in range(4)] == ["r", "r", "r", "b"]


def word(index: int, expected: str) -> None:
    assert parts_of_the_marker()[index] == expected


def stack_square() -> None:
    assert parts_of_the_marker()[1].partition(":")[0] == session_of(after(1)).stack_square == "c3"


def remaining() -> None:
    assert [marker(after(count)).split()[7].partition(":")[2] for count in (1, 2)] == ["FT", "T"]


def nothing_remaining() -> None:
    game = after(2)
    game.move("T>d3", auto_commit=False)
    assert marker(game).endswith(" DEPLOY c3:EMPTY 3") and session_of(game).remaining_pieces == ()
    board = " ".join(marker(game).split()[:6])
    for written in ("EMPTY", ""):
        assert session_of(CoTuLenh(f"{board} DEPLOY c3:{written} 3")).moved_count == 3


def marks_are_kept() -> None:
    game = CoTuLenh(INITIAL.replace("(NFT)", "(N+FT)"))
    game.move("N>c5")
    assert marker(game).endswith(" DEPLOY c3:+FT 1")
    without = marker(game).replace("c3:+FT", "c3:FT")
    assert CoTuLenh(without).fen(current_only=True) == game.fen(current_only=True)


def moved_count() -> None:
    game = after(1)
    assert session_of(game).moved_count == 1
    game.move("F>&c5")
    # Two pieces have moved together: pieces are counted, not steps.
    assert (session_of(game).moved_count, session_of(game).steps) == (2, ("(NF)>c5",))


# --- the algorithms, transcribed --------------------------------------------------------------------


def generated(game: CoTuLenh) -> str:
    """`fen()`, line by line."""
    base = game.fen(current_only=True)
    session = game.get_deploy_session()
    if session is None:
        return base
    left = calculated_remaining(session)
    letters = "".join(piece.type.upper() for piece in left) if len(left) > 0 else "EMPTY"
    return f"{base} DEPLOY {session['stackSquare']}:{letters} {session['movedCount']}"


def moved_piece_types(session: SessionView) -> list[tuple[str, str]]:
    """`extractMovedPieceTypes`, line by line."""
    moved = []
    for action in session["actions"]:
        if action.type == "remove" and action.square == session["stackSquare"]:
            moved.append((action.piece.type, action.piece.color))
    return moved


def calculated_remaining(session: SessionView) -> list[Piece]:
    """`calculateRemainingPieces`, line by line."""
    piece = session["originalPiece"]
    original = [Piece(piece.type, piece.color, piece.heroic), *piece.carrying]
    moved = moved_piece_types(session)
    return [p for p in original if (p.type, p.color) not in moved]


def generating() -> None:
    for count in range(4):
        assert generated(after(count)) == marker(after(count))


def calculating_remaining() -> None:
    for count in (1, 2):
        session = session_of(after(count))
        assert tuple(calculated_remaining(session)) == session.remaining_pieces


def extracting_moved() -> None:
    assert moved_piece_types(session_of(after(2))) == [("n", "r"), ("f", "r")]


def parsing() -> None:
    text = f"{AFTER_NAVY} DEPLOY c3:FT 1"
    parts = text.split(" ")
    assert len(parts) > 6 and parts[6] == "DEPLOY"
    square, pieces = parts[7].split(":")
    session = session_of(CoTuLenh(text))
    assert session["stackSquare"] == square and session["turn"] == parts[1]
    assert "".join(piece.type.upper() for piece in session.remaining_pieces) == pieces
    assert session["movedCount"] == int(parts[8]) and session["actions"] == ()
    # The document leaves the stack to be reconstructed, and takes the board of the moment for the start.
    assert str(session["originalPiece"]) == "(NFT)" and session["startFEN"] is None


def start_text() -> None:
    assert session_of(CoTuLenh(after(1).fen()))["startFEN"] == INITIAL


def no_marker() -> None:
    assert CoTuLenh(INITIAL).get_deploy_session() is None
    with pytest.raises(FENError):
        CoTuLenh(f"{AFTER_NAVY} DEPLOY z3:FT 1")


# --- the examples -----------------------------------------------------------------------------------


def navy_moves_first() -> None:
    texts = [marker(after(count)) for count in range(4)]
    assert texts == [
        INITIAL,
        f"{AFTER_NAVY} DEPLOY c3:FT 1",
        f"{AFTER_PLANE} DEPLOY c3:T 2",
        AFTER_TANK,
    ]
    assert texts[3].split()[1:] == ["b", "-", "-", "1", "1"]


def land_pieces() -> None:
    game = game_with({"c3": "(TI)"})
    with pytest.raises(SanError, match="No matching legal move found"):
        game.move("T>d4")
    game.move("T>d3")
    assert marker(game).endswith("2IT7/11/5C5 r - - 0 1 DEPLOY c3:I 1")
    game.move("I>c4")
    assert game.fen() == "6c4/11/11/11/11/11/11/11/2I8/3T7/11/5C5 b - - 1 1"


# --- the document's tests, as written ---------------------------------------------------------------


def round_trip() -> None:
    game = game_with({})
    game.put({"type": "n", "carrying": [{"type": "f"}, {"type": "t"}]}, "c3")
    # Deploy first piece
    game.move({"from": "c3", "to": "c5", "piece": "n", "deploy": True})
    fen = game.fen()
    assert "DEPLOY c3:FT 1" in fen
    # Load into new game
    game2 = CoTuLenh(fen)
    session = game2.get_deploy_session()
    assert session is not None
    assert session.stackSquare == "c3"
    # Should generate same moves
    assert game2.moves() == game.moves()


def no_marker_after_completion() -> None:
    game = game_with({})
    game.put({"type": "n", "carrying": [{"type": "f"}]}, "c3")
    game.move({"from": "c3", "to": "c5", "piece": "n", "deploy": True})
    assert "DEPLOY" in game.fen()
    game.move({"from": "c3", "to": "c4", "piece": "f", "deploy": True})
    assert "DEPLOY" not in game.fen()


def marker_alone_offers_less() -> None:
    played = CoTuLenh(INITIAL)
    played.move("N>c7")
    read = CoTuLenh(marker(played))
    # The tank would have travelled with the navy; on its own it does not get there.
    assert set(played.moves()) - set(read.moves()) == {"T>&c7(NT)"} and set(read.moves()) < set(
        played.moves()
    )


# --- impact on other systems ------------------------------------------------------------------------


def board_queries() -> None:
    game = after(1)
    assert str(game.get("c3")) == "(FT)" and game.get("c5") == Piece("n", "r")


def move_generation() -> None:
    game = after(1)
    assert {(move.from_square, move.piece.type) for move in game.moves(verbose=True)} == {
        ("c3", "f"),
        ("c3", "t"),
    }
    normal = after(3)
    assert {move.piece.color for move in normal.moves(verbose=True)} == {"b"}


def history() -> None:
    game = CoTuLenh(INITIAL)
    steps: list[MoveRecord] = [game.move(step) for step in STEPS]
    assert [step.san for step in steps[:2]] == ["N>c5", "F>d4"]
    assert [step.after for step in steps[:2]] == [after(1).fen(), after(2).fen()]
    # The last step ends the turn, which is one entry with its steps inside.
    (turn,) = game.history(verbose=True)
    assert turn == steps[2] and (turn.san, turn.after) == ("N>c5,F>d4,T>d3", AFTER_TANK)
    assert [(piece.type, square) for piece, square in turn.steps] == [("n", "c5"), ("f", "d4"), ("t", "d3")]


def ends_when_told() -> None:
    game = after(1)
    assert game.commit_session()["success"]
    assert game.history() == ["(FT)<N>c5"] and game.turn() == "b"


ROWS: tuple[Row, ...] = (
    (Case("The Problem: the stack at each step", "`get(square)`, `turn()`"), the_problem),
    (Case("Option A: Intermediate State FEN", "`fen(current_only=True)`"), intermediate_board),
    (
        Case(
            "Option B: Extended FEN with Deploy Marker",
            '`game.write(position, "marker")`',
            "the last text is `b - - 1 1`: numbers go up after Blue's move (18 row 10)",
        ),
        deploy_marker,
    ),
    (
        Case("Option B: `fen()`", "`fen()`", "the steps follow the marker (18 row 32)"),
        canonical_text,
    ),
    (
        Case(
            "Option C: Virtual FEN",
            '`start_fen` of the session; `game.write(position, "replay")`',
            "beside the canonical text, not in its place (18 row 28)",
        ),
        virtual_board,
    ),
    (Case("Standard FEN", "six fields"), plain_text),
    (Case("`<turn>`: Deploy initiator's color", "`turn()`"), turn_stays),
    (Case("`DEPLOY`: Marker", "`DEPLOY`"), partial(word, 0, "DEPLOY")),
    (Case("`<square>`: Original stack square", "`stack_square` of the session"), stack_square),
    (Case("`<pieces>`: Remaining pieces", "`remaining_pieces` of the session"), remaining),
    (
        Case("`EMPTY`, no pieces remaining", "`EMPTY`", "an empty list is read too (18 row 29)"),
        nothing_remaining,
    ),
    (
        Case("`p.type.toUpperCase()`", "letters with their `+`", "heroic marks are kept (18 row 30)"),
        marks_are_kept,
    ),
    (
        Case(
            "`<moved-count>`, `actions.length / 2`",
            "`moved_count` of the session",
            "counts pieces, not what they did (18 row 31)",
        ),
        moved_count,
    ),
    (Case("Generating: `fen(): string`", '`game.write(position, "marker")`'), generating),
    (
        Case("`calculateRemainingPieces()`", "`remaining_pieces` of the session"),
        calculating_remaining,
    ),
    (Case("`extractMovedPieceTypes()`", "`actions` of the session"), extracting_moved),
    (
        Case(
            "`parseFEN(fen): GameState`",
            "`CoTuLenh(fen)`, `get_deploy_session()`",
            "the stack is reconstructed; what stood before it is not in this form (14)",
        ),
        parsing,
    ),
    (
        Case(
            "`startFEN`",
            "`start_fen` of the session",
            "the text before the first step, where it is known (14)",
        ),
        start_text,
    ),
    (
        Case("`deploySession: DeploySession | null`", "`get_deploy_session()`, a session or None"),
        no_marker,
    ),
    (
        Case(
            "Example 1: Navy Moves First",
            "`move(step)`",
            "ends with `b - - 1 1` (18 row 10)",
        ),
        navy_moves_first,
    ),
    (
        Case(
            "Example 2: Land Piece Deployment",
            "`move(step)`",
            "a tank does not go from c3 to d4; played with d3 and c4 (18 row 39)",
        ),
        land_pieces,
    ),
    (
        Case("Test: should serialize and parse deploy session", "`put`, `move`, `fen`, `moves`"),
        round_trip,
    ),
    (
        Case("Test: should not include DEPLOY marker after completion", "`move`, `fen`"),
        no_marker_after_completion,
    ),
    (
        Case(
            "`game2.moves()` equal to `game.moves()`",
            "`moves()`",
            "needs the steps: the marker alone offers no joining of a piece that has gone (18 row 32)",
        ),
        marker_alone_offers_less,
    ),
    (Case("Board Queries: `game.get('c3')`, `game.get('c5')`", "`get(square)`"), board_queries),
    (Case("Move Generation: `game.moves()`", "`moves()`"), move_generation),
    (
        Case(
            "History: `{ san, fen }` of each step",
            "`move(step)` gives `san` and `after`; `history()`",
            "one entry for each completed turn, its steps inside (18 row 43)",
        ),
        history,
    ),
    (
        Case(
            "Final: All pieces moved, turn switches",
            "`commit_session()`",
            "a turn may also end while pieces stay (18 row 44)",
        ),
        ends_when_told,
    ),
)
CASES: tuple[Case, ...] = tuple(case for case, _ in ROWS)


@pytest.mark.parametrize(("case", "check"), ROWS, ids=[case.name for case in CASES])
def test_the_case_holds(case: Case, check: Check) -> None:
    check()
