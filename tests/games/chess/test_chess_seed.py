"""The source document's parser to the letter, and its board."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.golden_data import CHESS, Row, rows

import forsyth
from forsyth.diagnostics import MODES, FenError, Mode, MoveError
from forsyth.games.chess import Chess
from forsyth.games.chess.codes import SEED_KINDS, SEED_MESSAGES, SeedKind
from forsyth.games.chess.documents.api import Board
from forsyth.games.chess.documents.source_document import Verdict, imitate_seed_parser, read_seed
from forsyth.games.chess.notation.fen import read_fen
from forsyth.limits import MAX_WRAPPED

BOARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
START = f"{BOARD} w KQkq - 0 1"

# The document's own words.
MESSAGES = {
    "IncorrectLength": "Error in FEN string: Must be 6 parts",
    "Part1": "Error in FEN Part 1: Pieces or squares",
    "Part2": "Error in FEN Part 2: Colors",
    "Part3": "Error in FEN Part 3: Castling rights",
    "Part4": "Error in FEN Part 4: En passant field",
    "Part5": "Error in FEN Part 5: Half-move clock",
    "Part6": "Error in FEN Part 6: Full-move number",
}


REFUSED = {
    SeedKind.INCORRECT_LENGTH: f"{BOARD} w KQkq - 0",
    SeedKind.PART1: f"x{BOARD[1:]} w KQkq - 0 1",
    SeedKind.PART2: f"{BOARD} x KQkq - 0 1",
    SeedKind.PART3: f"{BOARD} w x - 0 1",
    SeedKind.PART4: f"{BOARD} w KQkq x 0 1",
    SeedKind.PART5: f"{BOARD} w KQkq - x 1",
    SeedKind.PART6: f"{BOARD} w KQkq - 0 x",
}


def test_the_seven_messages_are_verbatim() -> None:
    assert tuple(MESSAGES.values()) == SEED_MESSAGES


def test_every_verdict_on_broken_texts() -> None:
    wrong = [
        (row["id"], verdict.value, row["verdicts"]["seed"])
        for row in rows("invalid_fens")
        if (verdict := imitate_seed_parser(row["fen"])[0]) != row["verdicts"]["seed"]
    ]
    assert wrong == []


def expected_of_valid(row: Row) -> str:
    if not set(row["castling"]) <= set("KQkq-"):
        return "Part3"
    if row["half"] > 100:
        return "Part5"
    return "Part6" if row["full"] > 2048 else "ok"


def test_every_verdict_on_valid_texts() -> None:
    verdicts = {row["id"]: imitate_seed_parser(row["fen"])[0].value for row in rows("valid_fens")}
    assert verdicts == {row["id"]: expected_of_valid(row) for row in rows("valid_fens")}
    assert {"ok", "Part5", "Part6"} <= set(verdicts.values())


def test_what_both_readers_accept_is_the_same_position() -> None:
    compared = 0
    for row in rows("valid_fens") + rows("invalid_fens"):
        ours = read_fen(row["fen"])
        position = imitate_seed_parser(row["fen"])[1]
        if ours.position is not None and position is not None:
            assert position == ours.position, row["fen"]
            compared += 1
    assert compared > 6000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, "ok"),
        ("", "IncorrectLength"),
        (START, "ok"),
        (f"{BOARD} w KQkq -", "ok"),
        (f"{BOARD} w KQkq – 0 1", "ok"),
        (f"{BOARD} w KQkq — 0 1", "Part4"),
        (f"{BOARD} w KQkq - 0", "IncorrectLength"),
        (f"{BOARD}  w KQkq - 0 1", "IncorrectLength"),
        (f"{START} ", "IncorrectLength"),
        (f"{BOARD}\tw KQkq - 0 1", "IncorrectLength"),
        (" w KQkq - 0 1", "ok"),
        (BOARD[:-1] + " w KQkq - 0 1", "ok"),
        (BOARD + "Q w KQkq - 0 1", "ok"),
        ("rnbqkbnrP/8/8/8/8/8/8/8 w - - 0 1", "panic"),
        ("8/8/8/8/8/8/8/8/8 w - - 0 1", "ok"),
        ("8/8/8/8/8/8/8/8/K7 w - - 0 1", "panic"),
        ("8/8/8/8/8/8/8/8/8K w - - 0 1", "ok"),
        ("8" * 33 + "/8/8/8/8/8/8/8 w - - 0 1", "ok"),
        ("8" * 32 + "/8/8/8/8/8/8/8 w - - 0 1", "Part1"),
        ("7/8/8/8/8/8/8/8 w - - 0 1", "Part1"),
        ("9/8/8/8/8/8/8/8 w - - 0 1", "Part1"),
        ("44/8/8/8/8/8/8/8 w - - 0 1", "ok"),
        (f"{BOARD} W KQkq - 0 1", "Part2"),
        (f"{BOARD} ww KQkq - 0 1", "Part2"),
        (f"{BOARD}  KQkq - 0 1", "Part2"),
        (f"{BOARD} w K-q- - 0 1", "ok"),
        (f"{BOARD} w KKKK - 0 1", "ok"),
        (f"{BOARD} w KQkq- - 0 1", "Part3"),
        (f"{BOARD} w HAha - 0 1", "Part3"),
        (f"{BOARD} w  - 0 1", "Part3"),
        (f"{BOARD} w - e3 0 1", "ok"),
        (f"{BOARD} w - E3 0 1", "Part4"),
        (f"{BOARD} w - e4 0 1", "Part4"),
        (f"{BOARD} w - e33 0 1", "Part4"),
        (f"{BOARD} w - - 100 1", "ok"),
        (f"{BOARD} w - - 101 1", "Part5"),
        (f"{BOARD} w - - 256 1", "Part5"),
        (f"{BOARD} w - - +5 1", "ok"),
        (f"{BOARD} w - - + 1", "Part5"),
        (f"{BOARD} w - - -0 1", "Part5"),
        (f"{BOARD} w - - 007 1", "ok"),
        (f"{BOARD} w - - 0007 1", "Part5"),
        (f"{BOARD} w - - ٣ 1", "Part5"),
        (f"{BOARD} w - - 0 0", "ok"),
        (f"{BOARD} w - - 0 2048", "ok"),
        (f"{BOARD} w - - 0 2049", "Part6"),
        (f"{BOARD} w - - 0 00001", "Part6"),
        (f"{BOARD} w - - 0 ", "Part6"),
        (f"{BOARD} \ud800 - - 0 1", "Part2"),
        (f"{BOARD} w \ud800 - 0 1", "Part3"),
        ("\udfff w - - 0 1", "Part1"),
    ],
)
def test_corner_cases(text: str | None, expected: str) -> None:
    verdict, position = imitate_seed_parser(text)
    assert verdict == expected
    assert (position is None) == (expected != "ok")
    message = MESSAGES.get("Part1" if expected == "panic" else expected, "")
    assert verdict.message == message


def test_eight_bit_counters_wrap() -> None:
    # Behind the ninth rank's eight files the square number wraps from 256 to 0: a1.
    position = imitate_seed_parser("8/8/8/8/8/8/8/8/8K w - - 0 1")[1]
    assert position is not None
    assert position.piece_at("a1") == "K"


def test_of_two_men_on_one_square_the_later_one_stays() -> None:
    position = imitate_seed_parser(f"{BOARD}qk w KQkq - 0 1")[1]
    assert position is not None
    assert (position.piece_at("a2"), position.piece_at("b2"), position.piece_at("c2")) == ("q", "k", "P")
    assert position.white & position.black == 0


def test_a_position_counts_moves_from_one() -> None:
    position = imitate_seed_parser(f"{BOARD} b - e3 5 0")[1]
    assert position is not None
    assert str(position) == f"{BOARD} b - e3 5 1"


@pytest.mark.parametrize(
    ("text", "code", "field", "place"),
    [
        (f"{BOARD} w KQkq - 0", "fen.fields", 0, f"{BOARD} w KQkq - 0"),
        (f"x{BOARD} w KQkq - 0 1", "board.char", 1, f"x{BOARD}"),
        (f"{BOARD}R/ w KQkq - 0 1", "board.char", 1, f"{BOARD}R/"),
        ("ppppppppp/8/8/8/8/8/8/8 w - - 0 1", "board.char", 1, "ppppppppp/8/8/8/8/8/8/8"),
        (f"{BOARD} white KQkq - 0 1", "side.value", 2, "white"),
        (f"{BOARD} w HAha - 0 1", "castling.char", 3, "HAha"),
        (f"{BOARD} w KQkq e4 0 1", "ep.value", 4, "e4"),
        (f"{BOARD} w KQkq – 101 1", "half.value", 5, "101"),
        (f"{BOARD} w KQkq – 0 9999", "full.value", 6, "9999"),
    ],
)
def test_a_reading_has_the_documents_sentence_and_the_place(
    text: str, code: str, field: int, place: str
) -> None:
    reading = read_seed(text)
    (finding,) = reading.diagnostics
    assert reading.position is None
    assert (finding.code, finding.field) == (code, field)
    assert text[slice(*finding.span)] == place
    assert finding.message == finding.seed_message == SEED_MESSAGES[field]


ODD_CHARACTERS = "\t\n\u00a0\u2003\u3000\u200b\ufeff\u0432\u041a\u0660\uff30\u2014\u0000\U0001d7d8"


@settings(max_examples=150)
@given(st.integers(0, len(START)), st.sampled_from(ODD_CHARACTERS), st.booleans(), st.sampled_from(MODES))
def test_an_odd_character_has_the_documents_sentence_for_its_part(
    index: int, character: str, replaces: bool, mode: Mode
) -> None:
    text = START[:index] + character + START[index + replaces :]
    verdict = imitate_seed_parser(text)[0]
    finding = CHESS.read(text, mode=mode).diagnostics[0]
    assert finding.seed_message == verdict.message
    assert finding.seed_kind == verdict.value


@pytest.mark.parametrize("text", [f"{BOARD}  KQkq - 0 1", f"{BOARD} w KQkq -  1", f"{BOARD} w KQkq - 0 "])
def test_an_empty_part_has_the_documents_sentence_for_it(text: str) -> None:
    verdict = imitate_seed_parser(text)[0]
    assert verdict.field
    for finding in CHESS.read(text).diagnostics:
        assert (finding.seed_message, finding.seed_kind) == (verdict.message, verdict.value)


@pytest.mark.parametrize("text", ["\u200b", "\ufeff", "\u200b\u2060 \u00a0", " \ufeff\n"])
def test_zero_width_characters_alone_are_an_empty_text_in_lenient_mode(text: str) -> None:
    reading = CHESS.read(text, mode="lenient")
    (error,) = reading.errors
    assert (error.code, tuple(error.span)) == ("fen.empty", (0, len(text)))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{BOARD} w KQqk - 0 1", id="castling out of order"),
        pytest.param(f"{BOARD} w KQkq – 0 1", id="an en dash"),
        pytest.param("8/8/8/8/8/8/8/7 w - - 0 1", id="a short last rank"),
        pytest.param("8/8/8/8/8/8/8/8 w - - 0 1", id="no kings"),
        pytest.param(f"{BOARD} w KQkq e3 0 1", id="an en passant square that cannot be"),
    ],
)
def test_no_sentence_where_the_document_accepts_the_text(text: str) -> None:
    assert imitate_seed_parser(text)[0] is Verdict.OK
    found = forsyth.check(text, CHESS).diagnostics
    assert found
    assert {(finding.seed_message, finding.seed_kind) for finding in found} == {("", None)}


def test_what_is_said_about_positions_is_never_the_documents() -> None:
    found = forsyth.check("8/8/8/8/8/8/8/8 w - - 101 1", CHESS).errors
    assert {finding.seed_message for finding in found} == {""}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param(START, "epd.is_fen", id="a FEN, which the document accepts"),
        pytest.param(
            f"{BOARD} w KQkq - " + "x" * MAX_WRAPPED, "fen.length", id="longer than it is asked about"
        ),
    ],
)
def test_no_sentence_about_a_record_that_the_document_does_not_refuse(text: str, code: str) -> None:
    (finding,) = forsyth.chess.read_epd(text).diagnostics
    assert (finding.code, finding.seed_message, finding.seed_kind) == (code, "", None)


@pytest.mark.parametrize("mode", ["strict", "default", "lenient"])
@pytest.mark.parametrize("kind", SEED_KINDS)
def test_every_kind_is_on_the_error(kind: SeedKind, mode: Mode) -> None:
    text = REFUSED[kind]
    with pytest.raises(FenError) as caught:
        CHESS.parse(text, profile="seed", mode=mode)
    assert (str(caught.value), caught.value.seed_kind) == (MESSAGES[kind.value], kind)
    with pytest.raises(FenError) as caught:
        forsyth.check(text, profile="seed").require()
    assert (str(caught.value), caught.value.seed_kind) == (MESSAGES[kind.value], kind)
    with pytest.raises(FenError) as caught:
        Board().fen_setup(text, profile="seed")
    assert (str(caught.value), caught.value.seed_kind) == (MESSAGES[kind.value], kind)
    with pytest.raises(FenError) as caught:
        CHESS.parse(text)
    assert (caught.value.seed_message, caught.value.seed_kind) == (MESSAGES[kind.value], kind)
    assert str(caught.value) != MESSAGES[kind.value]


# --- the profile ------------------------------------------------------------------------------------


SHORT = f"{BOARD[:-1]} w KQkq - 0 1"
LATE = f"{BOARD} w KQkq - 101 1"


@pytest.mark.parametrize("game", [CHESS, None])
def test_the_profile_reads_wherever_texts_are_read(game: Chess | None) -> None:
    for how in (forsyth.read, forsyth.check, forsyth.repair):
        assert how(SHORT, game, profile="seed").ok
        (finding,) = how(LATE, game, profile="seed").diagnostics
        assert (finding.message, finding.seed_kind) == (MESSAGES["Part5"], SeedKind.PART5)
    assert forsyth.check("8/8/8/8/8/8/8/8 w - - 0 1", game, profile="seed").ok


def test_the_profile_of_a_game() -> None:
    document = CHESS.with_profile("seed")
    assert str(document) == "<Game chess, standard, profile seed>"
    assert document.parse(SHORT) == CHESS.parse(SHORT, profile="seed")
    with pytest.raises(FenError) as caught:
        document.parse(LATE)
    assert str(caught.value) == MESSAGES["Part5"]
    assert caught.value.seed_kind is SeedKind.PART5
    assert document.column is None
    assert document.with_variant("standard").profile == "seed"
    assert document.with_profile(None).parse(LATE).half == 101
    assert not document.read(7).ok  # type: ignore[arg-type]


def test_a_match_is_played_by_the_game_that_reads() -> None:
    match = forsyth.Match(CHESS.with_profile("seed"), SHORT)
    match.play("e4")
    assert str(match.position) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBN1 b KQkq e3 0 1"
    with pytest.raises(FenError, match=MESSAGES["Part5"]):
        forsyth.Match(CHESS.with_profile("seed"), LATE)


def test_profiles_that_are_not_there() -> None:
    with pytest.raises(ValueError, match="there is no chess profile 'sead'; choose one of seed"):
        CHESS.with_profile("sead")
    with pytest.raises(ValueError, match="chess has no profile 'sead'; available profiles: seed"):
        forsyth.check(START, CHESS, profile="sead")
    with pytest.raises(ValueError, match="no game has a profile 'sead'; available profiles: seed"):
        forsyth.check(START, profile="sead")
    with pytest.raises(ValueError, match="azul has no profile 'seed'; available profiles: none"):
        forsyth.check(START, forsyth.game("azul"), profile="seed")
    with pytest.raises(ValueError, match="there is no chess profile ''"):
        CHESS.read(START, profile="")


@pytest.mark.parametrize("variant", ["chess960", "crazyhouse", "3check"])
def test_the_document_knows_standard_chess_only(variant: str) -> None:
    document = CHESS.with_profile("seed")
    assert document.variants == ("standard",)
    assert document.with_variant("auto").parse(SHORT) == document.parse(SHORT)
    refused = f"the profile seed has no variant '{variant}' of chess; choose standard or auto"
    for choose in (
        lambda: document.with_variant(variant),
        lambda: CHESS.with_variant(variant).with_profile("seed"),
        lambda: document.read(START, variant=variant),
        lambda: CHESS.with_variant(variant).read(START, profile="seed"),
    ):
        with pytest.raises(ValueError, match=refused):
            choose()


def test_a_good_reading_has_nothing_to_say() -> None:
    reading = read_seed(START)
    assert reading.ok
    assert reading.diagnostics == ()
    assert str(reading.require()) == START
    assert str(read_seed(None).require()) == START


def test_a_new_board_and_no_text_are_the_start_position() -> None:
    board = Board()
    assert board.fen == START
    board.play("e4")
    board.fen_setup()
    assert board.fen == str(board) == START
    assert board.history == ()


def test_the_two_readers_of_a_board_differ() -> None:
    board = Board()
    board.fen_setup(f"{BOARD} w KQkq - 101 1")
    assert board.position.half == 101
    with pytest.raises(FenError) as caught:
        board.fen_setup(f"{BOARD} w KQkq - 101 1", profile="seed")
    assert caught.value.seed_message == MESSAGES["Part5"]
    assert board.position.half == 101
    board.fen_setup("7/8/8 w - - 0 1".replace("7", "8"), profile="seed")
    assert board.position.board == "." * 64
    with pytest.raises(FenError):
        board.fen_setup("8/8/8 w - - 0 1")
    with pytest.raises(ValueError, match="there is no profile 'sead'"):
        board.fen_setup(START, profile="sead")


def _part_of_first_error(error: FenError) -> int:
    """The number of the document's part for an error about the whole text, or 0."""
    if error.first.code == "fen.fields":
        return imitate_seed_parser(error.text)[0].field
    fields = error.text.split(" ")
    if error.first.code != "fen.chars" or len(fields) not in (4, 6):
        return 0
    ends = itertools.accumulate(len(field) + 1 for field in fields)
    return 1 + next(number for number, end in enumerate(ends) if error.first.span.start < end)


def test_every_refusal_has_one_of_the_seven_messages_and_changes_nothing() -> None:
    board = Board()
    board.play("e4")
    board.play("e5")
    before, past = board.position, board.history
    for row in rows("invalid_fens"):
        for profile in (None, "seed"):
            refused = row["want"]["parse"] != "ok" if profile is None else row["verdicts"]["seed"] != "ok"
            if not refused:
                continue
            with pytest.raises(FenError) as caught:
                board.fen_setup(row["fen"], profile=profile)
            if profile == "seed":
                verdict = row["verdicts"]["seed"].replace("panic", "Part1")
                assert caught.value.seed_message == MESSAGES[verdict]
            elif row["verdicts"]["seed"] == "ok" or len(row["fen"]) > MAX_WRAPPED:
                assert (caught.value.seed_message, caught.value.seed_kind) == ("", None), row["id"]
            else:
                field = row["want"]["field"] or _part_of_first_error(caught.value)
                assert caught.value.seed_message == SEED_MESSAGES[field], row["id"]
                assert caught.value.seed_kind is SEED_KINDS[field], row["id"]
            assert board.position is before
            assert board.history == past


def test_a_board_plays_and_undoes() -> None:
    board = Board()
    assert len(board.moves()) == 20
    assert "Nf3" in board.moves()
    assert board.play("e4").uci == "e2e4"
    assert board.play("e7e5").uci == "e7e5"
    assert board.fen == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"
    with pytest.raises(MoveError):
        board.play("Ke3")
    assert len(board.history) == 2
    assert board.undo()
    assert board.undo()
    assert not board.undo()
    assert board.fen == START


TEXTS = st.one_of(
    st.text(max_size=80),
    st.text(alphabet="rnbqkpRNBQKP12345678/ w-KQkq0e36–+", max_size=80),
    st.lists(st.text(alphabet="rnbqkpP18/w-KQkq0e36+", max_size=9), min_size=4, max_size=6).map(" ".join),
)


@given(TEXTS)
def test_any_text_has_a_verdict_and_a_place(text: str) -> None:
    verdict, position = imitate_seed_parser(text)
    reading = read_seed(text)
    assert reading.position == position
    assert (verdict is Verdict.OK) == reading.ok
    for finding in reading.diagnostics:
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
        assert finding.seed_message == verdict.message


@given(TEXTS, st.sampled_from([None, "seed"]))
def test_a_set_up_succeeds_or_changes_nothing(text: str, profile: str | None) -> None:
    board = Board()
    board.play("d4")
    before, past = board.position, board.history
    try:
        board.fen_setup(text, profile=profile)
    except FenError as error:
        accepted = imitate_seed_parser(text)[0] is Verdict.OK
        assert (error.seed_message == "") is accepted
        assert (error.seed_kind is None) is accepted
        assert (board.position, board.history) == (before, past)
    else:
        assert board.history == ()
