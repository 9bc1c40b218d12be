"""A match: moves, undo, redo, repetition, result; every operation succeeds or changes nothing."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from tests.golden_data import CHESS, rows

import forsyth
from forsyth import Match, Outcome
from forsyth.abilities import find_hindrance
from forsyth.diagnostics import FenError, MoveError
from forsyth.game import Historical, outcome_of_past
from forsyth.games.chess import Chess, Move, Position
from forsyth.limits import MAX_MOVES

FOOLS_MATE = ("f3", "e5", "g4", "Qh4#")


def state(match: Match) -> tuple[Any, ...]:
    """Everything that can be seen of a match."""
    return (
        match.start,
        match.position,
        match.history,
        len(match),
        match.repetitions,
        match.outcome,
        match.claims,
        match.result,
        match.moves(),
    )


def played(*moves: str, start: str | None = None) -> Match:
    match = Match("chess", start)
    for move in moves:
        match.play(move)
    return match


def test_a_match_begins_with_the_start_position() -> None:
    match = Match("chess")
    assert str(match) == str(match.start) == CHESS.start
    assert (len(match), match.history, match.repetitions, match.result) == (0, (), 1, "*")
    assert len(match.moves()) == 20


@pytest.mark.parametrize("game", ["chess", CHESS, forsyth.game("chess", "chess960")])
def test_a_game_is_given_by_name_or_as_itself(game: Any) -> None:
    assert Match(game).game.name == "chess"


def test_a_match_begins_from_a_text_or_a_position() -> None:
    text = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
    assert Match("chess", text).position == Match("chess", CHESS.parse(text)).position


def test_a_match_does_not_begin_from_an_illegal_or_unreadable_text() -> None:
    for text in ("8/8/8/8/8/8/8/8 w - - 0 1", "rubbish"):
        with pytest.raises(FenError):
            Match("chess", text)
    with pytest.raises(forsyth.UnknownGameError):
        Match("no such game")


def test_playing_by_text_and_by_move_is_the_same() -> None:
    by_text = played("e4", "e7e5", "Ng1-f3")
    by_move = Match("chess")
    for ply in by_text:
        by_move.play(ply.move)
    assert state(by_text) == state(by_move)
    assert [ply.text for ply in by_move] == ["e4", "e5", "Nf3"]


def test_a_ply_joins_the_positions_around_it() -> None:
    match = played("e4", "c5", "Nf3")
    assert [ply.before for ply in match] == [match.start, *(ply.after for ply in match.history[:-1])]
    assert match.history[-1].after == match.position
    for ply in match:
        assert CHESS.play(ply.before, ply.move) == ply.after


def test_undo_and_redo_walk_the_same_way() -> None:
    match = Match("chess")
    states = [state(match)]
    for move in FOOLS_MATE:
        match.play(move)
        states.append(state(match))
    for wanted in reversed(states[:-1]):
        assert match.undo() is not None
        assert state(match) == wanted
    assert match.undo() is None
    for wanted in states[1:]:
        assert match.redo() is not None
        assert state(match) == wanted
    assert match.redo() is None
    assert match.result == "0-1"


def test_a_new_move_after_undo_forgets_what_was_undone() -> None:
    match = played("e4", "e5")
    match.undo()
    match.play("c5")
    assert match.redo() is None
    assert [ply.text for ply in match] == ["e4", "c5"]


@pytest.mark.parametrize("move", ["e4", "Ke2", "rubbish", "", "0000", "\ud800", "e2e4e5", "x" * 1000])
def test_a_refused_move_changes_nothing(move: str) -> None:
    match = played("e4", "e5")
    match.undo()
    before = state(match)
    with pytest.raises(MoveError):
        match.play(move)
    assert state(match) == before
    # What was undone can still be redone.
    assert match.redo() is not None


def test_a_move_of_another_position_is_refused() -> None:
    match = played("e4")
    before = state(match)
    move: Move = CHESS.moves(CHESS.parse(CHESS.start))[0]
    with pytest.raises(MoveError) as caught:
        match.play(move)
    assert caught.value.kind == "illegal"
    assert state(match) == before


@pytest.mark.parametrize("move", [None, 7, object(), b"e4"])
def test_what_is_not_a_move_is_refused_and_changes_nothing(move: Any) -> None:
    match = played("e4")
    before = state(match)
    with pytest.raises((MoveError, TypeError)):
        match.play(move)
    assert state(match) == before


def test_repetition_is_counted_through_undo_and_redo() -> None:
    match = Match("chess")
    shuffle = ("Nf3", "Nf6", "Ng1", "Ng8") * 2
    counts = [match.repetitions]
    for move in shuffle:
        match.play(move)
        counts.append(match.repetitions)
    assert counts == [1, 1, 1, 1, 2, 2, 2, 2, 3]
    while match.undo() is not None:
        counts.pop()
        assert match.repetitions == counts[-1]
    while match.redo() is not None:
        counts.append(match.repetitions)
    assert counts == [1, 1, 1, 1, 2, 2, 2, 2, 3]


def test_undoing_forgets_positions_for_good() -> None:
    match = Match("chess")
    for _ in range(10):
        match.play("Nf3")
        match.undo()
    match.play("Nf3")
    assert match.repetitions == 1


def test_a_finished_match_says_so_and_has_no_moves() -> None:
    match = played(*FOOLS_MATE)
    assert match.moves() == []
    assert match.outcome is not None
    assert (match.result, match.outcome.reason) == ("0-1", "checkmate")


def test_a_match_is_drawn_in_a_notebook() -> None:
    picture = Match("chess")._repr_svg_()
    assert picture is not None
    assert picture.startswith("<svg")


def test_iterating_over_a_match_does_not_mind_changes() -> None:
    match = played("e4", "e5", "Nf3")
    for _ in match:
        match.undo()
    assert len(match) == 0


def test_a_match_holds_a_bounded_number_of_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_MOVES == 20_000
    monkeypatch.setattr("forsyth.match.MAX_MOVES", 3)
    match = played("e4", "e5", "Nf3")
    before = state(match)
    with pytest.raises(MoveError, match="has 3 moves, which is the maximum"):
        match.play("Nc6")
    assert state(match) == before


def test_long_games_are_followed_to_their_end() -> None:
    lines = [row for row in rows("uci") if row["ok"] and not row.get("chess960") and row["plies"] > 10]
    for row in lines:
        words = row["line"].split()
        start = None if words[1] == "startpos" else " ".join(words[2 : words.index("moves")])
        if start is not None and len(start.split()) < 6:
            continue
        match = Match("chess", None if start is None else CHESS.parse(start, legality=False))
        for move in words[words.index("moves") + 1 :]:
            match.play(move)
        assert str(match) == row["fen"], row["id"]
        while match.undo() is not None:
            pass
        assert match.repetitions == 1


def test_variants_are_played_by_their_own_rules() -> None:
    match = Match(CHESS.with_variant("crazyhouse"), "4k3/8/8/3q4/4P3/8/8/4K3[] w - - 0 1")
    match.play("exd5")
    match.play("Kd7")
    match.play("Q@e6+")
    assert str(match) == "8/3k4/4Q3/3P4/8/8/8/4K3[] b - - 2 2"
    match.undo()
    assert match.position.pockets == "Q"


def test_difference_of_two_moments() -> None:
    match = played("e4", "d5", "exd5")
    found = CHESS.diff(match.history[1].after, match.position)
    assert {change.name: (change.a, change.b) for change in found.squares} == {
        "d5": ("p", "P"),
        "e4": ("P", ""),
    }
    assert [change.name for change in found.fields] == ["side", "ep"]
    assert found.to_dict()["same"] is False
    assert CHESS.diff(match.position, match.position).same


# --- as a value -------------------------------------------------------------------------------------


OPENINGS = {"chess": ("e4", "e5"), "cotulenh": ("Tf5", "Tf8"), "azul": ("0B0", "cY1")}


def opened(game: str) -> Match:
    match = Match(game)
    for move in OPENINGS[game]:
        match.play(move)
    return match


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, Match.copy])
@pytest.mark.parametrize("game", OPENINGS)
def test_a_copy_goes_on_by_itself(game: str, copied: Callable[[Match], Match]) -> None:
    match = opened(game)
    match.undo()
    before = state(match)
    other = copied(match)
    assert other == match
    assert other.redo() is not None
    assert state(match) == before
    assert other != match
    assert match.redo() is not None
    assert other == match


@pytest.mark.parametrize("game", OPENINGS)
def test_a_match_survives_pickling(game: str) -> None:
    match = opened(game)
    restored = pickle.loads(pickle.dumps(match))  # noqa: S301 - our own bytes
    assert restored == match
    assert state(restored) == state(match)
    assert restored.undo() == match.history[-1]


def test_equal_matches_have_the_same_game_variant_start_and_moves() -> None:
    match = played("e4")
    assert match == played("e4")
    assert match != played("d4")
    assert match != played()
    assert match != Match("chess", match.position)
    assert Match("chess") != Match(forsyth.game("chess", "chess960"))
    assert match != str(match)
    with pytest.raises(TypeError, match="unhashable"):
        hash(match)


def test_a_match_without_moves_is_true_and_shows_itself() -> None:
    match = Match("chess")
    assert len(match) == 0
    assert match
    assert repr(match) == f"<Match chess, standard, 0 moves, {CHESS.start!r}>"
    assert repr(played("e4")).startswith("<Match chess, standard, 1 move, 'rnbqkbnr/")


@pytest.mark.parametrize("text", ["start", forsyth.wrap(CHESS.start, "base64"), CHESS.start])
def test_a_match_begins_from_a_text_in_any_form(text: str) -> None:
    assert Match("chess", text) == Match("chess")


def test_a_match_says_why_a_wrapped_text_is_none() -> None:
    with pytest.raises(FenError, match="Unknown state identifier"):
        Match("chess", forsyth.state_id(CHESS.start))


# --- the past ---------------------------------------------------------------------------------------


def test_moves_are_the_games_and_texts_their_notation() -> None:
    match = played("e4")
    assert match.moves() == CHESS.moves(match.position)
    assert match.texts() == [CHESS.write_move(match.position, move) for move in match.moves()]


def test_the_past_is_what_was_played_all_of_it_or_up_to_a_move() -> None:
    match = played("Nf3", "Nf6", "Ng1", "Ng8", "Nf3")
    past = match.past()
    assert (past.start, past.position, past.repetitions) == (match.start, match.position, 2)
    assert past.positions == (match.start, *(ply.after for ply in match))
    assert past.moves == tuple(ply.move for ply in match)
    assert [match.past(at).repetitions for at in range(6)] == [1, 1, 1, 1, 2, 2]
    assert (match.past(0).positions, match.past(0).moves) == ((match.start,), ())
    assert len(match.past(3).positions) == len(match.past(3).moves) + 1 == 4
    for at in (-1, 6, 99):
        with pytest.raises(ValueError, match=f"the number of moves is {at}, expected 0 to 5"):
            match.past(at)


class NoWayBack(Chess):
    """Chess in which it is lost to come back to a position, and a draw may be claimed after four moves."""

    def outcome_of(self, past: forsyth.Past[Position, Move]) -> Outcome | None:
        return Outcome("0-1", "came back") if past.position in past.positions[:-2] else None

    def claims_of(self, past: forsyth.Past[Position, Move]) -> tuple[str, ...]:
        return ("four moves",) if len(past.moves) == 4 else ()


def test_rules_that_need_the_past_see_it() -> None:
    game = NoWayBack()
    assert isinstance(game, Historical) and not isinstance(CHESS, Historical)
    match = Match(game, "4k3/8/8/8/8/8/8/4K2R w - - 0 1")
    match.play("Rh2")
    assert (match.outcome, match.claims) == (None, ())
    for text in ("Ke7", "Rh1", "Ke8"):
        match.play(text)
    assert (match.result, match.claims) == ("*", ("four moves",))
    same = [replaced(position) for position in match.past().positions]
    match = Match(game, same[0])
    past = forsyth.Past(tuple(same), match.past().moves)
    assert outcome_of_past(game, past) == Outcome("0-1", "came back")


def replaced(position: Position) -> Position:
    """The position with its clocks at nothing, so that it can come back."""
    return position.replace(half=0, full=1)


def test_a_record_is_judged_by_rules_that_need_the_past() -> None:
    class Short(NoWayBack):
        def outcome_of(self, past: forsyth.Past[Position, Move]) -> Outcome | None:
            return (
                Outcome("1/2-1/2", "two moves")
                if [move.uci for move in past.moves] == ["e2e4", "e7e5"]
                else None
            )

    found = forsyth.read_record("1. e4 e5 1-0", Short()).diagnostics
    assert [one.message for one in found if one.code == "record.result"] == [
        "the result is 1-0, but the game ended 1/2-1/2 by two moves"
    ]


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        ("chess", "Ke2", "the mover's own pawn stands on e2"),
        ("chess", "a1a5", "the pawn on a2 is in the way of the rook on a1"),
        ("xiangqi", "a1a5", "the soldier on a4 is in the way of the chariot on a1"),
    ],
)
def test_play_gives_the_reason_as_explain_does(game: str, text: str, reason: str) -> None:
    match = Match(game)
    hindrance = find_hindrance(match.game, match.position, text)
    assert hindrance is not None and hindrance.message == reason
    with pytest.raises(MoveError) as caught:
        match.play(text)
    error = caught.value
    assert (error.kind, error.text) == ("illegal", text)
    assert str(error).startswith(f"{text!r} is not a legal move here")
    assert str(error).endswith(f"; {reason}")
    assert len(match) == 0
    with pytest.raises(MoveError) as caught:
        match.game.read_move(match.position, text)
    assert caught.value.candidates == error.candidates


def test_play_adds_no_reason_where_explain_has_none() -> None:
    match = Match("chess")
    for text in ("e9", "Nd2", "--"):
        with pytest.raises(MoveError) as played:
            match.play(text)
        with pytest.raises(MoveError) as read:
            match.game.read_move(match.position, text)
        hindrance = find_hindrance(match.game, match.position, text)
        assert str(played.value) == (
            str(read.value) if hindrance is None else f"{read.value}; {hindrance.message}"
        )
