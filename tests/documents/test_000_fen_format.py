"""The document "FEN Format Construction": every name, table row, algorithm, example, rule and message.

Its TypeScript is transcribed line by line and run on the class `CoTuLenh`. Where the specification resolves
something otherwise, that is asserted, and the case names the clause (spec/cotulenh).
"""

from __future__ import annotations

from functools import partial

import pytest
from tests.documents.cases import Case
from tests.documents.cotulenh_boards import (
    CLOCK_ROWS,
    START,
    WITH_STACKS,
    Check,
    Row,
    board_size,
    carrier_leads,
    case_convention,
    codes,
    combinations_only,
    empty_counts,
    example_rows,
    game_with,
    generate_fen,
    heroic,
    make_san_piece,
    make_san_single_piece,
    marks_in_front,
    no_blanks_in_stacks,
    parse_fen,
    piece_rows,
    six_fields,
    stack,
)

from forsyth.cotulenh import GAME, CoTuLenh, FENError, Piece

COMPLEX = START.replace("6C4", "(+NI)5+C4").replace(" r - - 0 1", " b - - 15 8")


def glossed_otherwise() -> None:
    stack("(NFT)", "n", "ft")
    assert codes(game_with({"c5": "(NFT)"}).fen().replace("(NFT)", "(NITM)")) == ["stack.members"]


def heroic_ranges() -> None:
    plain, marked = (game_with({"f5": unit, "i2": "I"}) for unit in ("T", "+T"))
    reached = [{move.to_square for move in game.moves(verbose=True, square="f5")} for game in (plain, marked)]
    assert "f8" in reached[1] - reached[0] and "g6" in reached[1] - reached[0]


def generation() -> None:
    for text in (START, COMPLEX, GAME.names["midgame"]):
        assert generate_fen(CoTuLenh(text)) == text == CoTuLenh(text).fen()


def san_piece() -> None:
    navy = Piece("n", "r", True, (Piece("i", "r"),))
    assert (make_san_piece(navy), make_san_piece(navy, True)) == ("(+NI)", "(+N|I)")
    assert str(navy) == "(+NI)" and str(Piece("n", "b", True, (Piece("i", "b"),))) == "(+ni)"


def san_single_piece() -> None:
    assert make_san_single_piece(Piece("t", "b", True)) == "+T" and str(Piece("t", "b", True)) == "+t"


def parsing() -> None:
    for text in (START, COMPLEX, GAME.names["midgame"]):
        assert parse_fen(text) == CoTuLenh(text)


def digits() -> None:
    # Added one by one, the 11 of an empty rank is 2, and the rank of ten empty squares puts its piece on b.
    text = START.replace("/11/11/", "/10T/11/")
    assert CoTuLenh(text).get("k7") == Piece("t", "r")
    with pytest.raises(ValueError, match="may not stand on b7"):
        parse_fen(text, digits_apart=True)


def turn_management() -> None:
    game = game_with({"c3": "(NFT)"})
    game.move("N>c5")
    assert game.turn() == "r"
    game.move("F>d4")
    assert game.turn() == "r"
    game.move("T>d3")
    assert game.turn() == "b"


def half_moves() -> None:
    game = CoTuLenh()
    game.move("Ic6")
    game.move("Ic7")
    assert game.half_moves() == 2
    game.move("Ixc7")
    assert game.half_moves() == 0


def move_number() -> None:
    game = CoTuLenh(START.replace(" r - - 0 1", " b - - 0 41"))
    game.move("Ic7")
    assert (game.move_number(), game.turn()) == (42, "r")


def position_counts() -> None:
    game = game_with({"h3": "I", "h9": "i", "i3": "I", "i9": "i"})
    for _ in range(2):
        for move in ("Ce1", "Ch12", "Cf1", "Cg12"):
            assert not game.is_threefold_repetition()
            game.move(move)
    # The full texts differ in their clocks and would never be alike.
    assert game.is_threefold_repetition() and game.is_draw()
    texts = [record.after for record in game.history(verbose=True)]
    assert len(set(texts)) == len(texts)


def headers() -> None:
    game = CoTuLenh()
    game.move("Ic6")
    assert "FEN" not in game.get_headers()
    other = CoTuLenh(COMPLEX)
    other.move(other.moves()[0])
    assert (other.get_headers()["SetUp"], other.get_headers()["FEN"]) == ("1", COMPLEX)


def six_or_a_session() -> None:
    assert codes(START.rpartition(" ")[0]) == ["fen.fields"]
    assert codes(f"{START} 7") == ["fen.fields"]
    game = game_with({"c3": "(NFT)"})
    game.move("N>c5")
    assert codes(game.fen()) == [] and len(game.fen().split()) > 6


def gives(broken: str, code: str) -> None:
    """One place of the start position is broken, and exactly that is found."""
    assert codes(broken) == [code]


def at_most_one_commander() -> None:
    text = START.replace("/11/11/", "/11/5C5/")
    assert codes(text) == ["commander.many"]
    none = START.replace("6C4", "11")
    # Loading takes a board without a commander; judging a text does not.
    assert CoTuLenh(none).get_commander_square("r") is None
    with pytest.raises(ValueError, match="Red has no commander"):
        GAME.parse(none)


def terrain() -> None:
    assert codes(START.replace("/11/11/", "/11/5N5/")) == ["terrain.land"]
    assert codes(START.replace("/11/11/", "/11/T10/")) == ["terrain.water"]
    for unit, square in (("N", "c6"), ("T", "c6"), ("N", "d6"), ("T", "d6"), ("(NT)", "a6")):
        assert codes(game_with({square: unit}).fen()) == []


def clock_and_number() -> None:
    impossible = START.replace(" 0 1", " 50 1")
    assert codes(impossible) == ["half.inconsistent"]
    assert CoTuLenh(impossible).half_moves() == 50
    assert CoTuLenh.check_fen(impossible, mode="strict").ok


def message(broken: str, said: str, rank: int | None) -> None:
    """Loading fails with the document's sentence, and says where."""
    with pytest.raises(FENError) as caught:
        CoTuLenh(broken)
    assert str(caught.value).startswith(said) and caught.value.seed_message == said
    assert (caught.value.fen, caught.value.rank) == (broken, rank)
    if rank is not None:
        assert caught.value.position == 12 - rank


def skipping_validation() -> None:
    text = START.replace("/11/11/", "/T4N5/11/").replace("6C4", "11")
    with pytest.raises(FENError):
        CoTuLenh().load(text)
    game = CoTuLenh()
    game.load(text, skip_validation=True)
    assert game.fen() == text


def partial_texts() -> None:
    board = START.split()[0]
    for text in (board, f"{board} r", f"{board} r - -", f"{board} r - - 0"):
        with pytest.raises(FENError):
            CoTuLenh(text)
        for game in (CoTuLenh(text, mode="lenient"), CoTuLenh(text, skip_validation=True)):
            assert game.fen() == START
            assert [finding.code for finding in game.warnings] == ["missing.fields"]


def reporting() -> None:
    with pytest.raises(FENError) as caught:
        CoTuLenh(START.replace("2IE2M2EI", "2IE2X2EI"))
    error = caught.value
    assert (error.rank, error.position, error.first.square) == (5, 7, "g5")
    assert error.text[slice(*error.span)] == "X"


ROWS: tuple[Row, ...] = (
    (Case("FEN Structure: six fields", "`fen()`"), six_fields),
    (Case("Dimensions, Rank Separation", "`board()`, squares a1 to k12"), board_size),
    (Case("Empty Squares: Numbers 1-11", "numbers 1 to 11"), empty_counts),
    (
        Case(
            "Uppercase, Lowercase", "capital letters Red's, small ones Blue's", "no `R`; `S`, `G` (18 row 2)"
        ),
        case_convention,
    ),
    *piece_rows(),
    (
        Case("`(NFT)`", "`(NFT)`", "carries air force and tank, as its letters say (18 row 3)"),
        glossed_otherwise,
    ),
    (Case("`(TC)`", "`(TC)`"), partial(stack, "(TC)", "t", "c")),
    (
        Case(
            "First piece in parentheses is the carrier", "`Piece.carrying`", "any order is read (18 row 18)"
        ),
        carrier_leads,
    ),
    (Case("No spaces between pieces", "`stack.blank`"), no_blanks_in_stacks),
    (Case("Multiple pieces if combination rules allow", "`stack.members`"), combinations_only),
    (Case("`+C` - Heroic Commander", "`Piece.heroic`"), partial(heroic, "+C", "c")),
    (Case("`+T` - Heroic Tank", "`Piece.heroic`"), partial(heroic, "+T", "t")),
    (Case("`(+NI)` - Heroic Navy carrying Infantry", "`Piece.heroic`"), partial(heroic, "(+NI)", "n")),
    (
        Case(
            "`+` immediately before the piece symbol", "`plus.alone`", "lenient mode reads `+(` (18 row 13)"
        ),
        marks_in_front,
    ),
    (Case("`+` applies to pieces within stacks", "`(N+I)`"), partial(heroic, "(N+I)", "i")),
    (Case("Heroic status affects ranges", "`moves()`"), heroic_ranges),
    *CLOCK_ROWS,
    (Case("`fen(): string`", "`fen()`"), generation),
    (Case("`makeSanPiece(piece, delimiter)`", "`str(piece)`", "small letters for Blue, no `|`"), san_piece),
    (Case("`makeSanSinglePiece(piece)`", "`str(piece)`", "small letters for Blue"), san_single_piece),
    (Case("`load(fen: string)`", "`load(fen)`"), parsing),
    (
        Case("`col += parseInt(char)`", "`10` and `11` are one number", "two-digit reading (18 row 5)"),
        digits,
    ),
    *example_rows(COMPLEX),
    (Case("`_turn`", "`turn()`"), turn_management),
    (
        Case("`_halfMoves`", "`half_moves()`", "a commander's move resets it too, as in field 5 (18 row 9)"),
        half_moves,
    ),
    (Case("`_moveNumber`", "`move_number()`"), move_number),
    (
        Case("`_positionCount[fen]`", "`is_threefold_repetition()`", "counted without clocks (18 row 11)"),
        position_counts,
    ),
    (
        Case(
            "`_header['SetUp']`, `_header['FEN']`", "`get_headers()`", "the start position only (18 row 12)"
        ),
        headers,
    ),
    (
        Case("Exactly 6 space-separated fields", "`fen.fields`", "or six and a deploy session (18 row 7)"),
        six_or_a_session,
    ),
    (
        Case("12 ranks separated by forward slashes", "`board.rank_count`"),
        partial(gives, START.replace("/11/11/", "/11/"), "board.rank_count"),
    ),
    (
        Case("Valid piece symbols and stack notation", "`piece.letter`, `paren.open`"),
        partial(gives, START.replace("2IE2M2EI", "2IE2X2EI"), "piece.letter"),
    ),
    (
        Case("Proper heroic marker placement", "`plus.double`"),
        partial(gives, START.replace("6C4", "6++C4"), "plus.double"),
    ),
    (
        Case("Correct empty square counts", "`board.rank_short`, `board.rank_long`", "exactly 11 (18 row 6)"),
        partial(gives, START.replace("6C4", "6C3"), "board.rank_short"),
    ),
    (
        Case(
            "Maximum one commander per color",
            "`commander.many`",
            "a legal position has exactly one; `load` also takes none (18 row 8)",
        ),
        at_most_one_commander,
    ),
    (
        Case(
            "Pieces on appropriate terrain",
            "`terrain.land`, `terrain.water`",
            "file c and the river mouth serve both, a stack stands by its carrier (18 row 14)",
        ),
        terrain,
    ),
    (
        Case("Valid piece combinations in stacks", "`stack.members`"),
        partial(gives, START.replace("/11/11/", "/11/5(AI)5/"), "stack.members"),
    ),
    (
        Case(
            "Consistent turn and move number relationship",
            "`half.inconsistent`",
            "a warning, never an error (18 row 15)",
        ),
        clock_and_number,
    ),
    (
        Case(
            "`Invalid FEN: expected 12 ranks, got X`",
            "`FENError`, `board.rank_count`",
            "says more (18 row 16)",
        ),
        partial(message, START.replace("/11/11/", "/11/"), "Invalid FEN: expected 12 ranks, got 11", None),
    ),
    (
        Case(
            "`Invalid FEN: ) without matching ( in rank X`",
            "`FENError`, `paren.close`",
            "says more (18 row 16)",
        ),
        partial(
            message,
            START.replace("/11/11/", "/11/9T)/"),
            "Invalid FEN: ) without matching ( in rank 6",
            6,
        ),
    ),
    (
        Case(
            "`Invalid FEN: + without matching piece in rank X`",
            "`FENError`, `plus.alone`",
            "says more (18 row 16)",
        ),
        partial(
            message,
            START.replace("6C4", "6C4+"),
            "Invalid FEN: + without matching piece in rank 1",
            1,
        ),
    ),
    (
        Case(
            "`Invalid FEN: rank X has too many squares`",
            "`FENError`, `board.rank_long`",
            "says more (18 row 16)",
        ),
        partial(message, START.replace("6c4", "6c5"), "Invalid FEN: rank 12 has too many squares", 12),
    ),
    (Case("`skipValidation: true`", "`skip_validation=True`"), skipping_validation),
    (
        Case(
            "Partial FEN loading with default values",
            '`mode="lenient"` or `skip_validation=True`',
            "reported as `missing.fields`; otherwise an error (18 row 7)",
        ),
        partial_texts,
    ),
    (
        Case(
            "Error reporting with rank and position", "`FENError.rank`, `.position`, `.span`, `.first.square`"
        ),
        reporting,
    ),
)
CASES: tuple[Case, ...] = tuple(case for case, _ in ROWS)


@pytest.mark.parametrize(("case", "check"), ROWS, ids=[case.name for case in CASES])
def test_the_case_holds(case: Case, check: Check) -> None:
    check()


def test_the_examples_are_the_documents() -> None:
    board = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2"
    assert f"{board}/6C4 r - - 0 1" == START
    assert f"{board}/5(TC)4 r - - 0 1" == WITH_STACKS
    assert f"{board}/(+NI)5+C4 b - - 15 8" == COMPLEX
