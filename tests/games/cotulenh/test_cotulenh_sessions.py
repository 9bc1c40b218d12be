"""Deploy sessions of CoTuLenh that are interrupted: written, read back, continued, committed or cancelled."""

from __future__ import annotations

import random
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

import forsyth
from forsyth.bulk.verbs.selection import compute_twin_keys
from forsyth.cli.app import forsyth as command_line
from forsyth.cotulenh import GAME, CoTuLenh
from forsyth.diagnostics import MoveError
from forsyth.games.cotulenh.rules.deploy import may_commit

UNKNOWN = "6c4/11/11/11/11/11/11/2N8/11/2(FT)8/11/5C5 r - - 0 1 DEPLOY c3:FT 1"
KNOWN = f"{UNKNOWN} N>c5"
CAPTURED = "6c4/11/11/11/11/11/11/2T8/11/2(NF)8/11/5C5 r - - 3 7 DEPLOY c3:NF 1 T>xc5"
SESSION_WARNINGS = {"deploy.no_undo", "deploy.dead_end"}
STARTS = (
    GAME.names["stack"],
    GAME.names["midgame"],
    "6c4/11/11/2t8/3i7/11/1n9/1(NFT)2t6/2g8/11/11/5C5 r - - 0 1",
    "6c4/11/11/11/11/11/2t8/2(NFT)i7/4(FTI)6/11/2(EG)8/5(TC)5 r - - 0 1",
    "6c4/4T6/2i8/2(+NF+T)3i4/2T8/11/11/3(FTM)7/11/11/11/5C5 r - - 4 9",
    "2(nfc)8/11/2i1T6/11/11/11/2(NFT)8/4g6/11/11/2I8/8(FTC)2 b - - 4 9",
)


def imported(game: CoTuLenh) -> CoTuLenh:
    """The game as its own record tells it."""
    again = CoTuLenh(rules=game.rules)
    # A record may begin within a session whose start is not known.
    assert {warning.code for warning in again.load_pgn(game.pgn())} <= SESSION_WARNINGS
    return again


def require_record(game: CoTuLenh) -> None:
    """The record of a game imports again, to the same game."""
    again = imported(game)
    assert (again.fen(), again.history(), again.pgn()) == (game.fen(), game.history(), game.pgn())


@pytest.mark.parametrize(
    ("text", "steps", "history"),
    [
        (UNKNOWN, ("F>&c5", "T>d3"), "F>&c5(NF),T>d3"),
        (UNKNOWN, ("F>&c5", "commit"), "T<F>&c5(NF)"),
        (KNOWN, ("F>&c5", "T>d3"), "(NF)>c5,T>d3"),
        (KNOWN, ("F>&c5", "commit"), "T<(NF)>c5"),
        (KNOWN, ("(NF)>c5,T>d3",), "(NF)>c5,T>d3"),
        (CAPTURED, ("F>&c5", "commit"), "N<(FT)>xc5"),
        (CAPTURED, ("N>&c5", "commit"), "F<T>xc5,N>&c5(NT)"),
        (CAPTURED, ("N<(FT)>xc5",), "N<(FT)>xc5"),
    ],
)
def test_a_session_read_back_and_combined_has_a_history_that_can_be_read(
    text: str, steps: tuple[str, ...], history: str
) -> None:
    game = CoTuLenh(text)
    for step in steps:
        game.move(step)
    assert game.history() == [history]
    require_record(game)


def test_a_tank_that_joins_the_commander_goes_with_the_mark_it_had_before_the_session() -> None:
    # The tank becomes heroic once the air force has left; joining, it enters as it was (spec/cotulenh 11).
    game = CoTuLenh("11/11/1(+nfm)1(FC)7/11/3(ftc)3+s3/11/2n8/11/11/11/10A/11 b - - 0 1")
    for step in ("Fd8>d4", "C>e8", "+T>&e8(+TC)"):
        game.move(step)
    assert game.history() == ["F>d4,(TC)>e8^"]
    assert "(tc)" in game.fen()
    require_record(game)


def test_a_text_told_from_the_start_must_agree_with_the_steps_that_were_taken() -> None:
    game = CoTuLenh(KNOWN)
    for text in ("(NF)>c6,T>d3", "T<(NF)>xc5", "(NT)>c4"):
        with pytest.raises(MoveError):
            game.move(text)
    assert game.fen() == KNOWN


def finish(game: CoTuLenh, chance: random.Random, played: list[str]) -> bool:
    """Go on with a session by chance until the turn is over; False where it cannot be."""
    while game.position.session is not None:
        moves = [str(move) for move in game.moves()]
        if game.can_commit_session() and (not moves or chance.random() < 0.4):
            moves = ["commit"]
        if not moves:
            return False
        joins = [move for move in moves if "&" in move]
        played.append(chance.choice(joins if joins and chance.random() < 0.5 else moves))
        game.move(played[-1])
    return True


@given(st.sampled_from(STARTS), st.integers(0, 10**6), st.integers(1, 2))
@example(STARTS[0], 3, 1)
def test_a_session_interrupted_after_any_step_ends_in_a_turn_that_reads_back(
    start: str, seed: int, count: int
) -> None:
    chance = random.Random(seed)
    whole = CoTuLenh(start)
    for _ in range(count):
        steps = [move for move in whole.moves(verbose=True) if "d" in move.flags]
        if not steps:
            return
        whole.move(chance.choice(steps).san)
        if whole.position.session is None:
            return
    text = whole.fen()
    resumed = CoTuLenh(text)
    assert resumed.fen() == text
    assert {finding.code for finding in GAME.check(resumed.position)} <= SESSION_WARNINGS
    played: list[str] = []
    if not finish(resumed, chance, played):
        return
    require_record(resumed)
    told = GAME.parse(text, legality=False).session
    assert told is not None
    if told.start is not None:
        for move in played:
            whole.move(move)
        assert (whole.fen(), whole.history()) == (resumed.fen(), resumed.history())
        require_record(whole)


# --- a commander that the session has captured ------------------------------------------------------

TAKEN = "5C5/11/3F7/11/1(nc)9/11/11/4(EA)6/11/11/11/11 r - - 0 50 e5:E:A>_b8..."


def test_a_commander_that_the_open_session_captured_is_not_missing() -> None:
    position = GAME.parse(TAKEN)
    again = GAME.parse(str(position))
    for one in (position, again):
        assert {GAME.write_move(one, move) for move in GAME.moves(one)} == {"E>e6", "E>f5", "E>e4", "E>d5"}
        assert "commit" in GAME.actions(one)
    assert forsyth.check(TAKEN, GAME).ok
    over = GAME.play(position, GAME.read_move(position, "commit"))
    assert [finding.code for finding in GAME.check(over)] == ["commander.missing"]
    outcome = GAME.outcome(over)
    assert outcome is not None and outcome.result == "1-0"


@pytest.mark.parametrize(
    "text",
    [
        "11/11/11/11/11/11/2N8/2(FT)8/11/11/11/5C5 r - - 0 9 DEPLOY c5:FT 1 N>c6",
        "6c4/11/11/11/11/11/2N8/2(FT)8/11/11/11/11 r - - 0 9 DEPLOY c5:FT 1 N>xc6",
    ],
)
def test_a_missing_commander_that_no_capture_explains_is_an_error(text: str) -> None:
    found = GAME.check(GAME.parse(text, legality=False))
    assert [finding.code for finding in found if finding.is_error] == ["commander.missing"]


# --- ways out ---------------------------------------------------------------------------------------

STUCK = (
    "1n9/1n1a1h1h1(fc)1/2s5a2/11/7t2e/2iEt5I/2(NI)T2f4/6F1GE1/3G4TA1/2S8/1N1A1H1H3/9C1 b - - 4 45",
    ("C>j8", "F>i11"),
)


def test_a_session_without_a_step_and_a_commit_can_be_cancelled() -> None:
    start, steps = STUCK
    match = forsyth.Match("cotulenh", start)
    game = CoTuLenh(start)
    for step in steps:
        match.play(step)
        game.move(step)
    stuck = GAME.parse(str(match))
    assert not may_commit(stuck)
    assert (match.moves(), match.actions(), GAME.actions(stuck), game.actions()) == (
        [],
        ("cancel",),
        ("cancel",),
        ("cancel",),
    )
    assert match.play("cancel").text == "cancel"
    assert str(match) == start
    assert str(GAME.play(stuck, GAME.read_move(stuck, "cancel"))) == start
    record = game.move("cancel")
    assert (record.san, record.after, record.completed) == ("cancel", start, False)
    assert (game.fen(), game.history(), game.actions()) == (start, [], ())


def test_the_command_line_names_the_way_out_of_a_session() -> None:
    start, steps = STUCK
    match = forsyth.Match("cotulenh", start)
    for step in steps:
        match.play(step)
    shown = CliRunner().invoke(command_line, ["moves", str(match)])
    assert "no legal moves; possible actions: cancel" in shown.output


def test_an_open_session_offers_its_commit_first_and_cancelling() -> None:
    position = GAME.parse(GAME.names["stack"])
    after = GAME.play(position, GAME.read_move(position, "N>c6"))
    assert GAME.actions(position) == ()
    assert GAME.actions(after) == ("commit", "cancel")
    facts = GAME.describe_move(after, GAME.read_move(after, "cancel"))
    assert (facts.move, facts.after) == ("cancel", str(position))


def test_what_the_text_does_not_hold_cannot_be_gone_back_to() -> None:
    position = GAME.parse(CAPTURED, legality=False)
    assert GAME.actions(position) == ("commit",)
    with pytest.raises(MoveError, match="what stood before the session is not in the text"):
        GAME.read_move(position, "cancel")
    with pytest.raises(MoveError, match="no deploy session is open"):
        GAME.read_move(GAME.parse(GAME.start), "cancel")


# --- the sides exchanged ----------------------------------------------------------------------------


@given(st.sampled_from((GAME.start, *STARTS)), st.integers(0, 10**6), st.integers(1, 12))
def test_the_twin_of_a_twin_is_the_position_and_has_the_same_moves(start: str, seed: int, plies: int) -> None:
    chance = random.Random(seed)
    position = GAME.parse(start)
    for _ in range(plies):
        moves: list[Any] = list(GAME.moves(position))
        if position.session is not None and may_commit(position):
            moves.append(GAME.read_move(position, "commit"))
        if not moves:
            break
        position = GAME.play(position, chance.choice(moves))
        twin = position.mirror()
        assert twin.mirror() == position
        assert str(GAME.parse(str(twin), legality=False)) == str(twin)
        assert (twin.session is None) == (position.session is None)
        assert len(GAME.moves(twin)) == len(GAME.moves(position))
        # The other side has had one turn more or less, which the clock may not fit.
        odd = {finding.code for finding in (*GAME.check(position), *GAME.check(twin))}
        assert odd <= {"half.inconsistent", *SESSION_WARNINGS}
        own, others = (compute_twin_keys([str(one)], GAME) for one in (position, twin))
        assert own.equals(others)
