"""Texts of open deploy sessions: what the canonical text loses, and what the replay text keeps."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import forsyth
from forsyth.cotulenh import GAME, CoTuLenh, Position
from forsyth.diagnostics import FenError, MoveError
from forsyth.games.cotulenh import SanError

STARTS = (
    GAME.start,
    GAME.names["stack"],
    GAME.names["midgame"],
    "6c4/11/11/2t8/3i7/11/1n9/1(NFT)2t6/2g8/11/11/5C5 r - - 0 1",
    "6c4/11/11/11/11/11/2t8/2(NFT)i7/4(FTI)6/11/2(EG)8/5(TC)5 r - - 0 1",
    "6c4/4T6/2i8/2(+NF+T)3i4/2T8/11/11/3(FTM)7/11/11/11/5C5 r - - 4 9",
    "2(nfc)8/11/2i1T6/11/11/11/2(NFT)8/4g6/11/11/2I8/8(FTC)2 b - - 4 9",
    "2c8/11/11/11/11/11/11/11/10a/11/10+I/6a3(HC) r - - 0 1",
)


def open_sessions(start: str, seed: int, plies: int) -> Iterator[Position]:
    """The positions with an open session in a game that is played by chance."""
    chance = random.Random(seed)
    position = GAME.parse(start)
    for _ in range(plies):
        if position.session is not None:
            yield position
        moves = GAME.moves(position)
        can_commit = "commit" in GAME.actions(position)
        if GAME.outcome(position) is not None or not (moves or can_commit):
            return
        if can_commit and (not moves or chance.random() < 0.2):
            position = GAME.play(position, GAME.read_move(position, "commit"))
            continue
        steps = [move for move in moves if "d" in move.flags]
        position = GAME.play(position, chance.choice(steps if steps and chance.random() < 0.7 else moves))


def texts(position: Position) -> set[str]:
    return {GAME.write_move(position, move) for move in GAME.moves(position)}


@given(st.sampled_from(STARTS), st.integers(0, 10**6), st.integers(2, 40))
def test_an_open_session_loses_nothing_in_its_replay_text(start: str, seed: int, plies: int) -> None:
    for position in open_sessions(start, seed, plies):
        again = GAME.parse(GAME.write(position, "replay"), legality=False)
        assert again == position
        assert (texts(again), GAME.actions(again)) == (texts(position), GAME.actions(position))
        assert "cancel" in GAME.actions(again)
        game = CoTuLenh(GAME.write(position, "replay"))
        assert game.fen(style="replay") == GAME.write(position, "replay")
        assert position.session is not None
        assert game.cancel_session() and game.fen() == str(position.session.start)


@given(st.sampled_from(STARTS), st.integers(0, 10**6), st.integers(2, 40))
def test_the_canonical_text_of_an_open_session_offers_its_moves_and_names_what_it_loses(
    start: str, seed: int, plies: int
) -> None:
    for position in open_sessions(start, seed, plies):
        again = GAME.parse(str(position), legality=False)
        assert position.session is not None and again.session is not None
        assert str(again) == str(position)
        assert texts(again) <= texts(position)
        assert again.session.start in (None, position.session.start)
        assert GAME.unpack(again.packed) == again
        codes = {finding.code for finding in GAME.check(again)}
        assert ("deploy.no_undo" in codes) is (again.session.start is None)
        is_dead_end = not GAME.moves(again) and not GAME.actions(again)
        assert "deploy.dead_end" in codes or not is_dead_end


# --- moves after a reload ---------------------------------------------------------------------------


def test_a_tank_may_not_join_an_air_force_where_it_may_not_stand_after_a_reload() -> None:
    game = CoTuLenh("6c4/1N1(FT)7/11/11/11/11/11/11/11/8+I2/11/5C5 r - - 0 9")
    game.move("F>&b11")
    again = CoTuLenh(game.fen())
    assert set(again.moves()) == set(game.moves())
    with pytest.raises(MoveError):
        again.move("T>&b11(NFT)")


def test_a_tank_may_join_a_commander_whom_it_could_have_carried_after_a_reload() -> None:
    game = CoTuLenh("5(ftc)5/11/11/11/11/11/11/11/8+I2/11/11/6C4 b - - 0 9")
    game.move("C>d12")
    game.move("F>e12")
    again = CoTuLenh(game.fen())
    assert set(again.moves()) == set(game.moves())
    again.move("T>&d12(TC)")
    game.move("T>&d12(TC)")
    assert again.fen() == game.fen()


# --- starts that are found, and warnings ------------------------------------------------------------


def test_the_start_is_found_beside_a_heroic_piece_that_the_session_cannot_have_promoted() -> None:
    start = "2c8/11/11/11/11/11/11/11/10a/11/10+I/6a3(HC) r - - 0 1"
    game = CoTuLenh(start)
    game.move("C>h1")
    again = CoTuLenh(game.fen())
    assert again.actions() == ("cancel",) and again.warnings == ()
    assert again.undo() and again.fen() == start


@pytest.mark.parametrize(
    ("text", "codes", "reason"),
    [
        (
            "6c4/11/11/11/11/11/11/2T8/11/2(NF)8/11/5C5 r - - 3 7 DEPLOY c3:NF 1 T>xc5",
            ["deploy.no_undo"],
            "more than one position leads to this board",
        ),
        (
            "6c4/11/11/11/11/11/11/2N8/11/2(FT)8/11/5C5 r - - 0 1 DEPLOY c3:FT 1",
            ["deploy.no_undo"],
            "the text does not contain its steps",
        ),
        (
            "6c4/11/11/11/11/11/11/2N8/11/2(FT)8/11/5C5 r - - 0 1 DEPLOY c3:FT 1 N>xc5",
            ["deploy.no_undo"],
            "more than one position leads to this board",
        ),
        (
            "6c4/11/11/11/10N/11/11/11/11/2(FT)8/11/5C5 r - - 0 1 DEPLOY c3:FT 1 N>k8",
            ["terrain.land", "deploy.no_undo"],
            "no position leads to this board by its steps",
        ),
        (
            "2c8/11/11/11/11/11/11/11/10a/11/10a/6aC2H r - - 0 1 DEPLOY k1:H 1 C>xh1",
            ["deploy.no_undo", "deploy.dead_end"],
            "no position leads to this board by its steps",
        ),
    ],
)
def test_a_session_that_cannot_be_undone_or_ended_has_a_warning(
    text: str, codes: list[str], reason: str
) -> None:
    findings = GAME.check(GAME.parse(text, legality=False))
    assert [finding.code for finding in findings] == codes
    assert reason in findings[codes.index("deploy.no_undo")].message
    in_strict_mode = {finding.code for finding in GAME.check(GAME.parse(text, legality=False), mode="strict")}
    assert not in_strict_mode & {"deploy.no_undo", "deploy.dead_end"}


def test_a_game_has_no_style_but_its_own() -> None:
    game = CoTuLenh(GAME.names["stack"])
    assert game.fen(style="replay") == game.fen()
    with pytest.raises(ValueError, match="replay"):
        game.fen(style="replays")


# --- texts that are read and messages ---------------------------------------------------------------


@pytest.mark.parametrize("steps", ["N>b7,C>c4", "Nb7,Cc4", "N>b7,C>c4..."])
def test_a_deploy_suffix_need_not_name_what_stays_where_nothing_stays(steps: str) -> None:
    game = CoTuLenh(f"6c4/11/11/11/11/11/11/11/1(NC)9/11/11/11 r - - 0 9 DEPLOY b4:{steps}")
    assert game.fen().endswith(" DEPLOY b4:EMPTY 2 N>b7,C>c4")
    assert game.actions() == ("commit", "cancel")
    with pytest.raises(FenError, match="nothing said to remain"):
        CoTuLenh(f"{GAME.names['stack']} DEPLOY c5:N>c6")


def test_the_documents_wrong_examples_load_without_validation() -> None:
    for rank in ("5(TC)4", "5+C4"):
        game = CoTuLenh(GAME.start.replace("6C4", rank), skip_validation=True)
        assert game.fen() == GAME.start.replace("6C4", rank.replace("4", "5"))
        assert [warning.code for warning in game.warnings] == ["short.rank"]


def test_a_board_without_a_commander_loads_with_its_warning() -> None:
    text = "11/11/11/11/11/11/11/11/11/11/11/5C5 r - - 0 1"
    game = CoTuLenh(text)
    assert game.fen() == text
    assert [(warning.code, warning.is_error) for warning in game.warnings] == [("no.commander", False)]
    assert CoTuLenh.check_fen(text).ok
    assert not forsyth.check(text, "cotulenh").ok


@pytest.mark.parametrize(
    ("rank", "codes"),
    [
        ("6C)4", ["paren.close"]),
        ("6TC)4", ["paren.close"]),
        ("6(C4", ["paren.open"]),
        ("6(TC4", ["paren.open"]),
        ("6)6", ["paren.close", "board.rank_long"]),
        ("6TC)6", ["paren.close", "board.rank_long"]),
        ("2)2", ["paren.close", "board.rank_short"]),
    ],
)
def test_a_lone_parenthesis_is_one_finding_where_the_rank_can_have_its_length(
    rank: str, codes: list[str]
) -> None:
    assert [finding.code for finding in GAME.read(GAME.start.replace("6C4", rank)).diagnostics] == codes


@pytest.mark.parametrize(
    ("played", "text", "step"),
    [
        ("", "N>c6,F>k12", "F>k12"),
        ("", "(FT)<N>k6", "N>k6"),
        ("", "c5::N>c6,F>c7,T>k1", "T>k1"),
        ("N>c6", "F>c7,T>k12", "T>k12"),
        ("N>c6", "N>c6,F>c7,T>k1", "T>k1"),
    ],
)
def test_an_illegal_turn_names_the_step_that_fails(played: str, text: str, step: str) -> None:
    game = CoTuLenh(GAME.names["stack"])
    if played:
        game.move(played)
    with pytest.raises(SanError, match=f"the step {step} is not possible") as caught:
        game.move(text)
    assert caught.value.span is not None
    assert text[caught.value.span.start : caught.value.span.end] == step


def test_the_dictionary_of_a_session_has_its_remaining_pieces() -> None:
    game = CoTuLenh(GAME.names["stack"])
    game.move("N>c6")
    session = game.get_deploy_session()
    assert session is not None
    assert session["remainingPieces"] == session.remaining_pieces
    assert [str(piece) for piece in session["remainingPieces"]] == ["F", "T"]
