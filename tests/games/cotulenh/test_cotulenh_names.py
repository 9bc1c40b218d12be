"""The class `CoTuLenh` by the names of its source documents: options, records, sessions, errors, modes."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from forsyth import cotulenh
from forsyth.cotulenh import BITS, GAME, CoTuLenh, DeployAction, FENError, Piece, SanError
from forsyth.diagnostics import FenError

STACK = "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/5C5 r - - 0 9"
TAKES = "6c4/11/11/11/11/11/5(ti)5/5T5/11/11/11/5C5 r - - 3 9"
SHORT = GAME.start.replace("6C4", "5(TC)4")
LAND = "11/11/11/11/11/11/11/11/5N5/11/11/11 r - - 0 1"


# --- options ----------------------------------------------------------------------------------------


def test_options_can_be_given_as_a_mapping() -> None:
    game = CoTuLenh()
    assert game.moves({}) == game.moves() and game.history({}) == []
    assert game.moves({"verbose": True}) == game.moves(verbose=True)
    assert game.moves({"square": "c5"}) == game.moves(square="c5")
    assert game.moves({"pieceType": "t"}) == game.moves({"piece_type": "T"}) == game.moves(piece_type="t")
    game.move("Ic6")
    assert game.history({"verbose": True}) == game.history(verbose=True) and game.history({}) == ["Ic6"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"verbos": True}, "'verbos' is not an option, expected one or more of verbose, square, piece_type"),
        ({"legal": False}, "not an option"),
        ({3: True}, "not an option"),
        ({"verbose": 1}, "verbose is 1, expected true or false"),
        ({"square": "z9"}, "not a square"),
        ({"pieceType": "x"}, "not a piece type"),
        ("c5", "expected true or false, or a mapping of options"),
    ],
)
def test_options_that_are_none_are_refused(options: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        CoTuLenh().moves(options)


def test_history_has_no_option_but_verbose() -> None:
    with pytest.raises(ValueError, match="'square' is not an option, expected one or more of verbose"):
        CoTuLenh().history({"square": "c5"})


# --- records ----------------------------------------------------------------------------------------


def test_a_capture_keeps_its_colours() -> None:
    (move,) = [move for move in CoTuLenh(TAKES).moves(verbose=True) if move.captured is not None]
    assert (move.piece.type, move.piece.color) == ("t", "r")
    assert move.captured == Piece("t", "b", False, (Piece("i", "b"),)) == move["captured"]
    assert (move.from_square, move.to_square, move["from"], move["to"]) == ("f5", "f6", "f5", "f6")
    assert {name: move[name] for name in ("san", "lan", "color", "flags")} == {
        "san": move.san,
        "lan": "Tf5xf6",
        "color": "r",
        "flags": "c",
    }
    with pytest.raises(KeyError):
        move["to_dict"]


def test_a_turn_tells_every_capture() -> None:
    game = CoTuLenh("6c4/11/11/11/11/5t5/4i6/4(TI)6/11/11/11/5C5 r - - 3 9")
    game.move("T>xe6")
    game.move("I>d5")
    (turn,) = game.history(verbose=True)
    assert turn.captures == (Piece("i", "b"),) and turn.captured == Piece("i", "b")
    assert turn.to_dict()["captures"] == [{"type": "i", "color": "b", "heroic": False}]
    assert CoTuLenh().move("Ic6").captured is None


def test_flags_are_also_bits() -> None:
    assert {bit.name: bit.value for bit in BITS} == {
        "NORMAL": 1,
        "CAPTURE": 2,
        "STAY_CAPTURE": 4,
        "SUICIDE_CAPTURE": 8,
        "DEPLOY": 16,
        "COMBINATION": 32,
    }
    found = {move.flags: move.bits for move in CoTuLenh(STACK).moves(verbose=True)}
    assert found == {"n": BITS.NORMAL, "nd": BITS.NORMAL | BITS.DEPLOY}
    assert CoTuLenh().move("F&c4").bits == BITS.COMBINATION
    assert CoTuLenh(TAKES).move("Txf6").bits & BITS.CAPTURE


# --- pieces without a colour ------------------------------------------------------------------------


def test_a_piece_without_a_colour_is_the_movers_and_a_carried_one_its_carriers() -> None:
    game = CoTuLenh(STACK.replace(" r ", " b "))
    game.put({"type": "t", "carrying": [{"type": "i"}]}, "g5")
    game.put({"type": "f", "color": "r", "carrying": [{"type": "t"}]}, "h5")
    game.put({"type": "m"}, "i5", True)
    assert [str(game.get(square)) for square in ("g5", "h5", "i5")] == ["(ti)", "(FT)", "m"]
    with pytest.raises(ValueError, match="not a stack"):
        game.put({"type": "t", "carrying": [{"type": "i", "color": "r"}]}, "g5")


# --- sessions ---------------------------------------------------------------------------------------


def test_a_session_has_the_fields_of_the_documents() -> None:
    game = CoTuLenh(STACK)
    game.move("N>c6")
    game.move("F>&c6")
    session = game.get_deploy_session()
    assert session is not None
    assert session.stack_square == session.stackSquare == session["stackSquare"] == "c5"
    assert session.turn == session["turn"] == "r"
    assert str(session["originalPiece"]) == "(NFT)"
    assert session.remaining_pieces == (Piece("t", "r"),)
    assert session.moved_count == session["movedCount"] == 2
    assert session.start_fen == session["startFEN"] == STACK
    navy, plane = Piece("n", "r"), Piece("f", "r")
    assert session.actions == (
        DeployAction("remove", "c5", navy),
        DeployAction("place", "c6", navy),
        DeployAction("remove", "c5", plane),
        DeployAction("place", "c6", plane),
    )
    assert session.to_dict()["actions"][0] == {"type": "remove", "square": "c5", "piece": navy.to_dict()}
    with pytest.raises(KeyError):
        session["origin_square"]


def test_a_session_of_which_only_a_number_is_known() -> None:
    game = CoTuLenh("6c4/11/11/11/11/11/2N8/2(FT)8/11/11/11/5C5 r - - 0 9 DEPLOY c5:FT 1")
    session = game.get_deploy_session()
    assert session is not None
    assert (session.moved_count, session.start_fen, session.actions) == (1, None, ())
    assert [piece.type for piece in session.remaining_pieces] == ["f", "t"]


def test_pieces_that_stay_or_die_are_set_nowhere() -> None:
    game = CoTuLenh("6c4/11/11/11/11/11/11/2(NF)i7/3g7/11/11/5C5 r - - 0 9")
    game.move("N>_d5")
    session = game.get_deploy_session()
    assert session is not None and session.moved_count == 1 and session.actions == ()
    game.move("F>@d4", auto_commit=False)
    session = game.get_deploy_session()
    assert session is not None and session.remaining_pieces == ()
    assert session.actions == (DeployAction("remove", "c5", Piece("f", "r")),)


# --- errors -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("broken", "position"),
    [
        (GAME.start.replace("6c4", "7c4"), 0),
        (GAME.start.replace("/11/11/", "/11/(T)I)9/"), 6),
        (GAME.start.replace("6C4", "6C3+"), 11),
        ("  " + GAME.start.replace("6C4", "6C5"), 11),
        (GAME.start.replace("2IE2M2EI", "I1IE2M2EI"), 7),
        (GAME.start.replace("/11/11/", "/11/"), None),
        (GAME.start.replace(" r ", " x "), None),
        ("nonsense", None),
        ("", None),
    ],
)
def test_a_text_that_fails_names_its_rank(broken: str, position: int | None) -> None:
    with pytest.raises(FENError) as caught:
        CoTuLenh(broken)
    error = caught.value
    assert isinstance(error, FenError) and error.fen == broken
    assert error.position == position
    assert error.rank == (None if position is None else 12 - position)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - the bytes are our own
    assert (again.fen, again.position, str(again)) == (error.fen, error.position, str(error))
    with pytest.raises(FENError) as parsed:
        GAME.parse(broken)
    assert (parsed.value.fen, parsed.value.position) == (broken, position)


@pytest.mark.parametrize(
    ("move", "context"),
    [
        ("Tx", None),
        ("Ic9", None),
        ("Nc3", ("Nbc3", "Ncc3")),
        ("Tz9", {"square": "z"}),
        ("Ic13", {"square": "c13"}),
        ({"from": "c5", "to": "m1"}, {"square": "m1"}),
        (7, None),
    ],
)
def test_a_move_that_fails_has_its_text_and_context(move: Any, context: object) -> None:
    with pytest.raises(SanError) as caught:
        CoTuLenh().move(move)
    error = caught.value
    assert error.context == context
    assert error.san == error.text and (error.san == move or not isinstance(move, str))
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - the bytes are our own
    assert (again.san, again.context, str(again)) == (error.san, error.context, str(error))


# --- modes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "codes", "canonical"),
    [
        (SHORT, ["short.rank"], SHORT.replace("(TC)4", "(TC)5")),
        (GAME.start.split()[0], ["missing.fields"], GAME.start),
        (GAME.start.replace("g", "b").replace("G", "B"), ["alias.b"] * 4, GAME.start),
    ],
)
def test_lenient_loading_reports_its_repairs(text: str, codes: list[str], canonical: str) -> None:
    game = CoTuLenh()
    with pytest.raises(FENError):
        game.load(text)
    found = game.load(text, mode="lenient")
    assert [finding.code for finding in found] == codes and game.fen() == canonical
    made = CoTuLenh(text, mode="lenient")
    assert made.warnings == found == made.copy().warnings and made == game
    assert CoTuLenh.check_fen(text, mode="lenient").ok
    made.clear()
    assert made.warnings == ()


def test_strict_loading_takes_canonical_text_only() -> None:
    spaced = GAME.start.replace(" r ", "  r ")
    assert [finding.code for finding in CoTuLenh(spaced).warnings] == ["fen.whitespace"]
    with pytest.raises(FENError):
        CoTuLenh(spaced, mode="strict")


@pytest.mark.parametrize(
    ("text", "loaded"),
    [
        (LAND, LAND),
        ("2I8/11/11/11/11/11/11/11/5N5/11/11/I10", "2I8/11/11/11/11/11/11/11/5N5/11/11/I10 r - - 0 1"),
        (f"{GAME.start.split()[0]} b", GAME.start.replace(" r ", " b ")),
        (STACK.replace("5C5", "C4C5"), STACK.replace("5C5", "C4C5")),
        (STACK.replace("(NFT)", "(AI)"), STACK.replace("(NFT)", "A")),
        (STACK.replace("(NFT)", "(+TTI)"), STACK.replace("(NFT)", "(+TI)")),
        (STACK.replace("(NFT)", "(nFt)"), STACK.replace("(NFT)", "(nt)")),
        (STACK.replace("(NFT)", "(NFTI)"), STACK.replace("(NFT)", "(NFT)")),
    ],
)
def test_without_validation_nothing_is_judged(text: str, loaded: str) -> None:
    if text != loaded or text == LAND:
        assert not CoTuLenh.check_fen(text).ok
    game = CoTuLenh()
    found = game.load(text, skip_validation=True)
    assert game.fen() == loaded and game.warnings == found
    assert bool(found) == (text != loaded)
    assert CoTuLenh(text, skip_validation=True) == game


def test_without_validation_what_is_left_out_is_said() -> None:
    (finding,) = CoTuLenh(STACK.replace("(NFT)", "(AI)"), skip_validation=True).warnings
    assert (finding.code, finding.square) == ("stack.members", "c5")
    assert finding.message.endswith("; A is kept")


@pytest.mark.parametrize("text", ["", "x", STACK.replace("5C5", "6C5"), STACK.replace(" r ", " x ")])
def test_without_validation_what_cannot_be_read_is_an_error(text: str) -> None:
    with pytest.raises(FENError):
        CoTuLenh().load(text, skip_validation=True)


# --- texts ------------------------------------------------------------------------------------------


def test_the_style_marker_is_the_documents_own_form() -> None:
    game = CoTuLenh(STACK)
    assert GAME.write(game.position, "marker") == STACK and "marker" in GAME.styles
    game.move("N>c6")
    now = "6c4/11/11/11/11/11/2N8/2(FT)8/11/11/11/5C5 r - - 0 9"
    written = GAME.write(game.position, "marker")
    assert written == f"{now} DEPLOY c5:FT 1" and game.fen() == f"{written} N>c6"
    assert GAME.write(CoTuLenh(written).position, "marker") == written
    game.move("F>d6")
    assert GAME.write(game.position, "marker").endswith(" DEPLOY c5:T 2")
    game.move("T>d5", auto_commit=False)
    assert GAME.write(game.position, "marker").endswith(" DEPLOY c5:EMPTY 3")


def test_validate_fen_judges_text_and_legality() -> None:
    game = CoTuLenh(STACK)
    game.move("N>c6")
    assert cotulenh.validate_fen(GAME.start) and cotulenh.validate_fen(game.fen())
    no_commander = STACK.replace("5C5", "11")
    bad: list[Any] = [SHORT, LAND, no_commander, GAME.start.rpartition(" ")[0], "", None]
    assert [cotulenh.validate_fen(text) for text in bad] == [False] * len(bad)


def test_standard_notation_has_one_piece_a_square() -> None:
    game = CoTuLenh(STACK.replace("(NFT)", "(N+FT)"))
    game.move("N>c6")
    converted = cotulenh.convert_to_standard_notation(game.fen())
    assert converted == "6c4/11/11/11/11/11/2N8/2+F8/11/11/11/5C5 w - - 0 9"
    blue = cotulenh.convert_to_standard_notation("6c4/2(nft)8/11/11/11/11/11/11/11/11/11/5C5 b - - 3 4")
    assert blue == "6c4/2n8/11/11/11/11/11/11/11/11/11/5C5 b - - 3 4"
    with pytest.raises(FENError, match="expected 12 ranks"):
        cotulenh.convert_to_standard_notation("6c4 r - - 0 1")
