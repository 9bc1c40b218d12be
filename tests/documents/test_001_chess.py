"""The document of chess: every definition, step, constant, error, message and function of it is a case.

`chess_document` holds its parser, transcribed line by line. Where the specification resolves something
otherwise, both are asserted: the profile ``seed`` reads as the document does, the usual reader as the
specification says, in the clause that the case names.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations, product
from pathlib import Path

import pytest
from tests.documents import chess_document as document
from tests.documents.cases import Case, table
from tests.documents.chess_parsers import (
    CHESS,
    agree,
    codes,
    read,
    require_same,
    said_by_the_document,
    said_by_the_profile,
)

import forsyth
from forsyth.chess import Board, SeedKind
from forsyth.diagnostics import FenError

PAGE = Path(__file__).parents[2] / "docs" / "documents.md"
BOARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
START = document.FEN_START_POSITION
REST = "w KQkq - 0 1"
BARE = "4k3/8/8/8/8/8/8/4K3"
PARTS = ("pieces", "color", "castling", "en_passant", "half_move_clock", "full_move_number")

Check = Callable[[], None]
CHECKS: dict[Case, Check] = {}


def shows(name: str, ours: str, differs: str = "") -> Callable[[Check], Check]:
    """Let a function be the check of a case."""

    def add(check: Check) -> Check:
        assert name not in {case.name for case in CHECKS}, name
        CHECKS[Case(name, ours, differs)] = check
        return check

    return add


# --- FEN-string definitions -------------------------------------------------------------------------


@shows("The starting position", '`game("chess").start`, the name `start`')
def _() -> None:
    assert CHESS.start == CHESS.names["start"] == Board().fen == START
    assert str(read(START)) == START


@shows("It has 6 parts", "six fields, `Diagnostic.field` 1 to 6")
def _() -> None:
    agree(START, "ok")
    assert len(str(read(START)).split(" ")) == 6


@shows("4 parts, with 0 and 1 assumed", "the same", "a warning `fen.fields4` (5.1)")
def _() -> None:
    short = f"{BARE} b - -"
    agree(short, "ok")
    assert str(read(short)) == str(CHESS.parse(short)) == f"{short} 0 1"
    assert codes(short) == ["fen.fields4"]


for number, (what, ours, value) in enumerate(
    (
        ("pieces and squares", "board", "....k..." + "." * 48 + "R...K..."),
        ("which side is to move", "side", "b"),
        ("castling permissions", "castling", "Q"),
        ("the En Passant square", "ep", "e3"),
        ("half-move clock", "half", 7),
        ("full-move counter", "full", 53),
    ),
    1,
):

    @shows(f"Part {number}: {what}", f"`position.{ours}`")
    def _(ours: str = ours, value: object = value) -> None:
        assert getattr(read("4k3/8/8/8/8/8/8/R3K3 b Q e3 7 53"), ours) == value


@shows("The position after _1. e4, e5_ is at full move nr. 2", "`play` counts so")
def _() -> None:
    board = Board()
    board.play("e4")
    assert board.position.full == 1
    board.play("e5")
    assert board.position.full == 2


for letters, name in zip(
    ("Kk", "Qq", "Rr", "Bb", "Nn", "Pp"), ("King", "Queen", "Rook", "Bishop", "Knight", "Pawn"), strict=True
):

    @shows(f"{letters[0]}, {letters[1]}: {name}", f'`piece_at` gives `"{letters[0]}"` and `"{letters[1]}"`')
    def _(letters: str = letters) -> None:
        text = f"8/8/8/{letters[0]}6{letters[1]}/8/8/8/8 {REST}"
        require_same(text)
        assert (read(text).piece_at("a5"), read(text).piece_at("h5")) == tuple(letters)


@shows("A number means the number of empty squares", "the same", "two numbers in a row are an error (5.1)")
def _() -> None:
    for text in (f"8/1p5P/8/8/8/8/8/8 {REST}", f"44/1p32P/8/8/8/8/8/8 {REST}"):
        require_same(text)
        assert (read(text).piece_at("b7"), read(text).piece_at("h7")) == ("p", "P")
    assert "board.adjacent_digits" in codes(f"44/8/8/8/8/8/8/8 {REST}")


@shows("The setup starts at the top left", "`position.board` begins with a8")
def _() -> None:
    assert read(f"r7/8/8/8/8/8/8/7K {REST}").board == "r" + "." * 62 + "K"


@shows('"w" for white, or "b" for black', "the same")
def _() -> None:
    assert [read(f"{BARE} {side} - - 0 1").side for side in "wb"] == ["w", "b"]
    agree(f"{BARE} W - - 0 1", "Part2")


@shows(
    "A castling letter omitted or replaced with a dash",
    "the same",
    "a dash among letters is a warning `castling.dash_mixed` (5.1)",
)
def _() -> None:
    castle = "r3k2r/8/8/8/8/8/8/R3K2R w {} - 0 1"
    for given in ("Kq", "K--q"):
        require_same(castle.format(given))
        assert CHESS.parse(castle.format(given)).castling == "Kq"
    assert codes(castle.format("K--q")) == ["castling.dash_mixed"]


@shows("The En Passant square is set for EVERY double step", "the canonical text does so")
def _() -> None:
    board = Board()
    board.play("e4")
    assert board.position.ep == "e3"
    board.play("Nf6")
    assert board.position.ep == "-"


@shows("Half-move clock: reset by a pawn move or a capture", "`play` counts so")
def _() -> None:
    board = Board()
    clocks = []
    for move in ("Nf3", "Nc6", "Ne5", "Nxe5", "Nc3", "d5"):
        board.play(move)
        clocks.append(board.position.half)
    assert clocks == [1, 2, 3, 0, 1, 0]


@shows("Full-move number _53_: 52 full moves were made", "`play` counts so")
def _() -> None:
    board = Board()
    for move in ("Nf3", "Nf6", "Ng1", "Ng8") * 26:
        board.play(move)
    assert board.position.full == 53


# --- the steps of the parser ------------------------------------------------------------------------


@shows("Step 1: split the FEN-string into its 6 parts", "fields are split first")
def _() -> None:
    agree(f"{BOARD} w KQkq - 0", "IncorrectLength")
    assert "fen.fields" in codes(f"{BOARD} w KQkq - 0")


@shows("Step 2: a parser function for each part", "each field is judged separately")
def _() -> None:
    for error, wrong in FAULTS.items():
        agree(wrong, error.name)
        assert {finding.field for finding in CHESS.read(wrong).errors} == {list(FAULTS).index(error)}


@shows("Step 3: create a temporary board", "a `Position` never changes, so a new one is made")
def _() -> None:
    board = Board()
    before = board.position
    board.fen_setup(f"{BARE} w - - 0 1", profile="seed")
    assert str(before) == START
    assert board.fen == f"{BARE} w - - 0 1"


@shows(
    "Step 4: put each part through its parser",
    "the same",
    "the usual reader reports every error of every part (4)",
)
def _() -> None:
    wrong = "x/8/8/8/8/8/8/8 x x x x x"
    agree(wrong, "Part1")
    found = CHESS.read(wrong).errors
    assert {finding.field for finding in found} == {1, 2, 3, 4, 5, 6}


@shows(
    "Step 5: as soon as one fails, the FEN-parsing fails",
    'the same with `profile="seed"`',
    "the usual reader continues to the end (4)",
)
def _() -> None:
    good = [BARE, "w", "-", "-", "0", "1"]
    for first in range(6):
        wrong = " ".join(["x" if number >= first else part for number, part in enumerate(good)])
        agree(wrong, f"Part{first + 1}")


@shows("Step 6: if all parts are parsed, the board is set up", "`Board.fen_setup`, `Board.position`")
def _() -> None:
    board = Board()
    board.fen_setup("8/5k2/8/8/8/8/1K6/8 b - - 3 40", profile="seed")
    assert board.fen == "8/5k2/8/8/8/8/1K6/8 b - - 3 40"


@shows("Step 6, again: initialize everything else", "the key and the legal moves follow from the position")
def _() -> None:
    board = Board()
    board.play("e4")
    board.fen_setup(START, profile="seed")
    assert (board.position.key, len(board.moves()), board.history) == (CHESS.parse(START).key, 20, ())


@shows(
    "Step 7: put the temporary board into the engine's board", "`Board.fen_setup` replaces the position last"
)
def _() -> None:
    board = Board()
    for text in (f"{BARE} b - - 0 x", f"ppppppppp/8/8/8/8/8/8/8 {REST}"):
        with pytest.raises(FenError):
            board.fen_setup(text, profile="seed")
        assert board.fen == START


# --- FEN definitions --------------------------------------------------------------------------------


@shows("`FEN_NR_OF_PARTS` is 6", "six fields")
def _() -> None:
    assert document.FEN_NR_OF_PARTS == len(PARTS) == len(START.split(" "))


@shows("`LIST_OF_PIECES`", "twelve letters, no other")
def _() -> None:
    for letter in map(chr, range(33, 127)):
        if letter not in "12345678/":
            fits = letter in document.LIST_OF_PIECES
            agree(f"8/8/8/8/8/8/8/{letter}7 {REST}", "ok" if fits else "Part1")
            assert ("board.char" in codes(f"8/8/8/8/8/8/8/{letter}7 {REST}")) is (
                not fits and letter not in "09"
            )


@shows(
    "`EP_SQUARES_WHITE`, `EP_SQUARES_BLACK`", "ranks 3 and 6", "which of them, the side to move decides (5.2)"
)
def _() -> None:
    for file in "abcdefgh":
        for rank in "12345678":
            agree(f"{BARE} w - {file}{rank} 0 1", "ok" if rank in "36" else "Part4")
            assert ("ep.rank" in codes(f"{BARE} w - {file}{rank} 0 1")) is (rank not in "36")
    wrong_side = forsyth.check("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "chess")
    assert [finding.code for finding in wrong_side.errors] == ["ep.side"]


@shows("`WHITE_OR_BLACK`", "`w` and `b`")
def _() -> None:
    for letter in map(chr, range(33, 127)):
        fits = letter in document.WHITE_OR_BLACK
        agree(f"{BARE} {letter} - - 0 1", "ok" if fits else "Part2")
        assert ("side.value" in codes(f"{BARE} {letter} - - 0 1")) is not fits


@shows("`SPLITTER`", "`/`")
def _() -> None:
    assert BOARD.split(document.SPLITTER) == [
        BOARD[:8],
        BOARD[9:17],
        "8",
        "8",
        "8",
        "8",
        BOARD[26:34],
        BOARD[35:],
    ]
    agree(f"{BOARD.replace('/', chr(92))} {REST}", "Part1")


@shows("`DASH`", "`-`")
def _() -> None:
    agree(f"{BARE} w {document.DASH} {document.DASH} 0 1", "ok")


@shows(
    "`EM_DASH`",
    "the en dash is read as `-`",
    "it is the en dash; the usual reader takes the em dash and its like too, with `fen.dash` (5.1)",
)
def _() -> None:
    assert document.EM_DASH == "\N{EN DASH}"
    for dash, verdict in (("\N{EN DASH}", "ok"), ("\N{EM DASH}", "Part3"), ("\N{MINUS SIGN}", "Part3")):
        text = f"{BARE} w {dash} {dash} 0 1"
        agree(text, verdict)
        assert str(CHESS.parse(text)) == f"{BARE} w - - 0 1"
        assert set(codes(text)) == {"fen.dash"}


@shows("`SPACE`", "one space between fields", "other white space is a warning `fen.whitespace` (5.1)")
def _() -> None:
    for between in ("  ", "\t"):
        agree(START.replace(" ", between), "IncorrectLength")
        assert str(CHESS.parse(START.replace(" ", between))) == START
        assert set(codes(START.replace(" ", between))) == {"fen.whitespace"}


@shows(
    "`enum FenError`", "`forsyth.chess.SeedKind`", "an exception has its name; `FenError.seed_kind` holds it"
)
def _() -> None:
    assert [kind.value for kind in SeedKind] == [error.name for error in document.FenError]


FAULTS = {
    document.FenError.IncorrectLength: f"{BOARD} w KQkq - 0",
    document.FenError.Part1: f"x{BOARD[1:]} {REST}",
    document.FenError.Part2: f"{BOARD} x KQkq - 0 1",
    document.FenError.Part3: f"{BOARD} w x - 0 1",
    document.FenError.Part4: f"{BOARD} w KQkq x 0 1",
    document.FenError.Part5: f"{BOARD} w KQkq - x 1",
    document.FenError.Part6: f"{BOARD} w KQkq - 0 x",
}
"""One text for each error, which the usual reader refuses too."""

for error, wrong in FAULTS.items():

    @shows(
        f"`{error.name}`: {error.value}",
        f"`SeedKind.{SeedKind(error.name).name}`",
        'the message itself with `profile="seed"`, else `seed_message` beside a sentence of our own (3.2)',
    )
    def _(error: document.FenError = error, wrong: str = wrong) -> None:
        agree(wrong, error.name)
        for profile in ("seed", None):
            with pytest.raises(FenError) as caught:
                Board().fen_setup(wrong, profile=profile)
            assert caught.value.seed_kind is SeedKind(error.name)
            assert caught.value.seed_message == error.value
            assert (str(caught.value) == error.value) is (profile == "seed")


@shows("`FenResult`", "`Reading`, or `FenError` raised", "a reading holds the position too")
def _() -> None:
    assert Board().fen_setup(START) is None  # type: ignore[func-returns-value]
    assert CHESS.read(START, profile="seed").require() == CHESS.parse(START)


@shows(
    "`SplitResult`", "`Diagnostic.span`", "the parts are not handed out; a finding says where its part stands"
)
def _() -> None:
    for number, wrong in enumerate(FAULTS.values()):
        (finding,) = CHESS.read(wrong, profile="seed").diagnostics
        place = wrong if number == 0 else document.split_fen_string(wrong)[number - 1]
        assert wrong[slice(*finding.span)] == place


@shows(
    "`FenPartParser`",
    "no separate name",
    "what a part may be does not depend on the others, in either",
)
def _() -> None:
    for parts in product((BARE, ""), "wb", ("K-q-", "-"), ("-", "e3", "a6"), ("0", "100"), ("0", "2048")):
        require_same(" ".join(parts))


# --- the functions ----------------------------------------------------------------------------------


@shows("`fen_setup(None)`", "`Board.fen_setup()`")
def _() -> None:
    board = Board()
    board.play("e4")
    board.fen_setup(profile="seed")
    assert (said_by_the_document(None), board.fen) == ("ok", START)


@shows(
    "`fen_setup(Some(fen_string))`",
    '`Board.fen_setup(text, profile="seed")`',
    "without the profile by the specification",
)
def _() -> None:
    board = Board()
    board.fen_setup(f"{BOARD[:-1]} {REST}", profile="seed")
    assert board.fen == f"{BOARD[:-1]}1 {REST}"
    with pytest.raises(FenError):
        board.fen_setup(f"{BOARD[:-1]} {REST}")


@shows("If parsing fails, the board is not changed", "the same")
def _() -> None:
    theirs, ours = document.Board(), Board()
    theirs.fen_setup(f"{BARE} b - - 4 5")
    ours.fen_setup(f"{BARE} b - - 4 5", profile="seed")
    before, position = dict(theirs.__dict__), ours.position
    for wrong in FAULTS.values():
        with pytest.raises(document.Err):
            theirs.fen_setup(wrong)
        with pytest.raises(FenError):
            ours.fen_setup(wrong, profile="seed")
    assert theirs.__dict__ == before
    assert ours.position is position


@shows(
    "`split_fen_string`",
    "the same",
    "the usual reader offers the missing number as a fix where there are five parts (5.1)",
)
def _() -> None:
    five = f"{BOARD} w KQkq - 0"
    for text, verdict in (
        (START, "ok"),
        (f"{BOARD} w KQkq -", "ok"),
        (f"{BOARD} w KQkq \u2013", "ok"),
        (five, "IncorrectLength"),
        (f"{START} ", "IncorrectLength"),
        (f" {START}", "IncorrectLength"),
        ("", "IncorrectLength"),
        (f" {REST}", "ok"),
    ):
        agree(text, verdict)
    assert forsyth.repair(five, "chess", min_confidence=forsyth.Confidence.GUESS).ok


@shows("`SHORT_FEN_LENGTH` is 4", "four fields or six")
def _() -> None:
    for count in range(9):
        text = " ".join((START + " 1 2 3").split(" ")[:count])
        agree(text, "ok" if count in (document.SHORT_FEN_LENGTH, 6) else "IncorrectLength")


@shows("`create_part_parsers`", "the first part at fault is the one reported")
def _() -> None:
    assert [parser.__name__ for parser in document.create_part_parsers()] == list(PARTS)
    for first, second in combinations(range(1, 7), 2):
        wrong = START.split(" ")
        wrong[first - 1] = wrong[second - 1] = "x"
        agree(" ".join(wrong), f"Part{first}")


@shows(
    "`pieces`",
    '`profile="seed"`: the same, to the bit',
    "every rank is measured and the ranks are counted (3.1, 5.1)",
)
def _() -> None:
    for board, verdict in (
        (BOARD, "ok"),
        ("7/8/8/8/8/8/8/8", "Part1"),
        ("pppppppp1/8/8/8/8/8/8/8", "Part1"),
        ("9/8/8/8/8/8/8/8", "Part1"),
        ("8/8/8/8/8/8/8/x7", "Part1"),
    ):
        agree(f"{board} {REST}", verdict)
        assert CHESS.read(f"{board} {REST}").ok is (verdict == "ok")
    for board in ("8/8/8/8/8/8/8/7", "8/8/8/8/8/8/8", "8/8/8/8/8/8/8/8/8", f"{BOARD}Q", "8" * 33 + "/8"):
        require_same(f"{board} {REST}")
        assert not CHESS.read(f"{board} {REST}").ok


@shows("`pieces`, a ninth man on the top rank", "`Part1`", "the document's program aborts (3.1)")
def _() -> None:
    text = f"ppppppppp/8/8/8/8/8/8/8 {REST}"
    assert (said_by_the_document(text), said_by_the_profile(text)) == ("panic", "Part1")


@shows(
    "`pieces`, a ninth man on the last rank",
    "the later of two men on one square",
    "the document's board holds both (3.1)",
)
def _() -> None:
    text = f"{BOARD}q {REST}"
    require_same(text)
    theirs = document.Board()
    theirs.fen_setup(text)
    both = (theirs.bb_pieces[document.WHITE][document.PAWN], theirs.bb_pieces[document.BLACK][document.QUEEN])
    assert [men >> 8 & 1 for men in both] == [1, 1]
    assert read(text).piece_at("a2") == "q"


@shows("`color`", "the same")
def _() -> None:
    for part, verdict in (("w", "ok"), ("b", "ok"), ("", "Part2"), ("wb", "Part2"), ("\u00e9", "Part2")):
        agree(f"{BARE} {part} - - 0 1", verdict)


@shows("`castling`", "the same", "order and repetition are warnings; king and rook must be there (5.1, 5.2)")
def _() -> None:
    for part in ("KQkq", "-", "----", "K-q-", "KKKK", "qkQK"):
        require_same(f"{BOARD} w {part} - 0 1")
    for part in ("", "KQkq-", "KQkx", "HAha", "\u00e9\u00e9\u00e9"):
        agree(f"{BOARD} w {part} - 0 1", "Part3")
    assert codes(f"{BOARD} w qkQK - 0 1") == ["castling.order"]
    assert codes(f"{BOARD} w KK - 0 1") == ["castling.duplicate"]
    assert not forsyth.check(f"{BARE} w K - 0 1", "chess").ok


@shows("`en_passant`", "the same", "the pawn must be there (5.2)")
def _() -> None:
    for part in ("-", "a3", "h6"):
        require_same(f"{BARE} w - {part} 0 1")
    for part in ("", "e4", "E3", "i3", "e33", "--", "3e", "\u00e9"):
        agree(f"{BARE} w - {part} 0 1", "Part4")
    assert [one.code for one in forsyth.check(f"{BARE} w - a6 0 1", "chess").errors] == ["ep.no_pawn"]


@shows(
    "`half_move_clock`, up to `MAX_MOVE_RULE`",
    '100 with `profile="seed"`',
    "up to 9999: 101 to 150 occur in legal games; a sign is an error, a leading zero a warning (3, 5.1)",
)
def _() -> None:
    for part in ("0", "100", "+5", "007"):
        require_same(f"{BARE} w - - {part} 90")
    for part in ("", "101", "256", "0007", "-0", "+", "1.5", "\u0663"):
        agree(f"{BARE} w - - {part} 90", "Part5")
    assert CHESS.parse(f"{BARE} w - - 101 90").half == 101
    assert codes(f"{BARE} w - - +5 90") == ["half.value"]
    assert codes(f"{BARE} w - - 007 90") == ["half.format"]


@shows(
    "`full_move_number`, up to `MAX_GAME_MOVES`",
    '2048 with `profile="seed"`',
    "up to 9999; 0 is taken as 1, with the warning `full.zero` (3, 5.1)",
)
def _() -> None:
    for part in ("1", "2048", "+5", "0007", "0"):
        require_same(f"{BARE} w - - 0 {part}")
    for part in ("", "2049", "00001", "-1", "+", "x"):
        agree(f"{BARE} w - - 0 {part}", "Part6")
    assert CHESS.parse(f"{BARE} w - - 0 2049").full == 2049
    assert codes(f"{BARE} w - - 0 0") == ["full.zero"]


@shows("If any function fails, the engine will provide an error string", "`str(error)`, `Diagnostic.message`")
def _() -> None:
    for error, wrong in FAULTS.items():
        with pytest.raises(FenError, match=f"^{error.value}$"):
            CHESS.parse(wrong, profile="seed")


CASES: tuple[Case, ...] = tuple(CHECKS)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_document_as_written(case: Case) -> None:
    CHECKS[case]()


def test_the_page_shows_these_cases() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("\n## 001 Chess\n")[2].partition("\n## ")[0]
    shown = [line for line in section.splitlines() if line.startswith("|")]
    assert "\n".join(shown) == table(CASES)


# --- the parser as a whole --------------------------------------------------------------------------


ORIGINALS = (
    START,
    f"{BOARD} w KQkq -",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq e3 99 2047",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - a6 0 1",
    f"{BARE} b K-q- h3 +5 007",
)
SIGNS = "kqrbnpKQRBNP12345678/ w-\u2013\u20140139+xe36\u00e9"


def mutations(count: int) -> Iterator[str]:
    """Texts with one to four slips each, the same in every run."""
    chance = random.Random(1)
    for number in range(count):
        text = ORIGINALS[number % len(ORIGINALS)]
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(("", chance.choice(SIGNS))) + text[at + chance.randint(0, 1) :]
        yield text


def test_the_profile_is_the_documents_parser() -> None:
    verdicts = set()
    for text in mutations(800):
        verdict = said_by_the_document(text)
        verdicts.add(verdict)
        assert said_by_the_profile(text) == verdict.replace("panic", "Part1"), text
        if verdict == "ok":
            require_same(text)
    assert verdicts == {"ok", "panic", *(error.name for error in document.FenError)}
