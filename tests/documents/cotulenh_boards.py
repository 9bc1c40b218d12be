"""What the CoTuLenh documents share: boards for their snippets, and the checks of what they say alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from tests.documents.cases import Case

from forsyth.cotulenh import GAME, CoTuLenh, Piece
from forsyth.diagnostics import Mode
from forsyth.games.cotulenh.stacks import NAMES

Check = Callable[[], None]
Row = tuple[Case, Check]

START = GAME.start
WITH_STACKS = START.replace("6C4", "5(TC)4")
WITH_HEROIC = START.replace("6C4", "5+C4")
PIECES = (
    ("C", "COMMANDER"),
    ("I", "INFANTRY"),
    ("T", "TANK"),
    ("M", "MILITIA"),
    ("E", "ENGINEER"),
    ("A", "ARTILLERY"),
    ("B", "ANTI_AIR"),
    ("S", "MISSILE"),
    ("F", "AIR_FORCE"),
    ("N", "NAVY"),
    ("H", "HEADQUARTER"),
)


def game_with(units: dict[str, str], turn: str = "r") -> CoTuLenh:
    """A game on an otherwise empty board; the commanders stand on f1 and g12 unless they are given."""
    given = "".join(units.values())
    game = CoTuLenh("/".join(["11"] * 12) + f" {turn} - - 0 1")
    for letter, square in (("C", "f1"), ("c", "g12")):
        if letter not in given:
            game.put(letter, square)
    for square, unit in units.items():
        game.put(unit, square)
    return game


def codes(text: str, mode: Mode = "default") -> list[str]:
    """The codes of every finding about a text and its position."""
    reading = CoTuLenh.check_fen(text, mode=mode)
    return [finding.code for finding in reading.diagnostics]


# --- pieces -----------------------------------------------------------------------------------------


def piece_letter(letter: str, name: str) -> None:
    """A letter means its piece, capital Red's and small Blue's."""
    square = "c5" if letter == "N" else "f5"
    text = START.replace("/11/11/", "/11/2N8/" if letter == "N" else f"/11/5{letter}5/")
    assert NAMES["G" if letter == "B" else letter].replace(" ", "_").replace("-", "_").upper() == name
    if letter == "C":
        game = CoTuLenh()
        assert (game.get("g1"), game.get("g12")) == (Piece("c", "r"), Piece("c", "b"))
        return
    if letter == "B":
        assert "piece.letter" in codes(text)
        found = CoTuLenh(text, mode="lenient")
        assert [finding.code for finding in found.warnings] == ["alias.b"]
        assert found.get("f6") == Piece("g", "r") and "5G5" in found.fen()
        assert CoTuLenh(text.replace("B", "b"), mode="lenient").get("f6") == Piece("g", "b")
        return
    for written, color in ((letter, "r"), (letter.lower(), "b")):
        game = game_with({square: written})
        assert game.get(square) == Piece(letter.lower(), color)
        assert CoTuLenh(game.fen()).get(square) == Piece(letter.lower(), color)


def piece_rows() -> tuple[Row, ...]:
    """The rows of the table of pieces."""
    differs = {"B": "`G`, `g` is written; lenient mode reads `B` with a report (18 row 1)"}
    return tuple(
        (
            Case(
                f"`{letter}/{letter.lower()}` - {name}",
                f"`{letter}`, `{letter.lower()}`" if letter != "B" else "`G`, `g`",
                differs.get(letter, ""),
            ),
            partial(piece_letter, letter, name),
        )
        for letter, name in PIECES
    )


def case_convention() -> None:
    """Capitals are Red's; R is no piece, S and G are."""
    assert "piece.letter" in codes(START.replace("/11/11/", "/11/5R5/"))
    assert {letter for letter in START.split()[0] if letter.isalpha()} == set("CITMEAGSFNHcitmeagsfnh")
    assert CoTuLenh().get("f4") == Piece("t", "r") and CoTuLenh().get("f9") == Piece("t", "b")


# --- stacks and marks -------------------------------------------------------------------------------


def stack(text: str, carrier: str, carried: Iterable[str]) -> None:
    """A stack is read as its carrier with what it carries, and written as it was."""
    game = game_with({"c5": text})
    piece = game.get("c5")
    assert piece is not None and piece.type == carrier
    assert [one.type for one in piece.carrying] == list(carried)
    assert str(piece) == text and text in game.fen() and CoTuLenh(game.fen()) == game


def heroic(text: str, marked: Iterable[str]) -> None:
    """Each `+` marks the piece behind it."""
    game = game_with({"c5": text} if text != "+C" else {"f1": "+C"})
    square = "f1" if text == "+C" else "c5"
    piece = game.get(square)
    assert piece is not None
    assert [one.type for one in (piece, *piece.carrying) if one.heroic] == list(marked)
    assert text in game.fen() and CoTuLenh(game.fen()) == game


def carrier_leads() -> None:
    """The first piece carries, and decides how the stack moves; the canonical order puts it first."""
    game = game_with({"c5": "(NF)"})
    assert {move.piece.type for move in game.moves(verbose=True, square="c5") if move.flags == "n"} == {"n"}
    assert codes(game.fen().replace("(NF)", "(FN)")) == ["stack.order"]
    assert CoTuLenh(game.fen().replace("(NF)", "(FN)")) == game


def no_blanks_in_stacks() -> None:
    """A blank in a stack is an error that names the stack."""
    reading = CoTuLenh.check_fen(game_with({"c5": "(NF)"}).fen().replace("(NF)", "(N F)"))
    assert [finding.code for finding in reading.errors] == ["stack.blank"]


def combinations_only() -> None:
    """What the rules allow is a stack, anything else is an error."""
    text = game_with({"c5": "(NFT)"}).fen()
    assert codes(text) == []
    assert codes(text.replace("(NFT)", "(NIT)")) == ["stack.members"]


def marks_in_front() -> None:
    """`+` stands directly before its letter, inside a stack too."""
    text = game_with({"c5": "(NF)"}).fen()
    assert codes(text.replace("(NF)", "(+N+F)")) == []
    for odd in ("+(NF)", "(NF+)", "+2"):
        assert "plus.alone" in codes(text.replace("2(NF)", odd))
    assert codes(text.replace("(NF)", "+(NF)"), "lenient") == ["plus.before_stack"]


# --- fields -----------------------------------------------------------------------------------------


def six_fields() -> None:
    """Board, side, two dashes, clock, number."""
    board, side, castling, passing, half, full = CoTuLenh().fen().split(" ")
    assert board.count("/") == 11
    assert (side, castling, passing, half, full) == ("r", "-", "-", "0", "1")


def board_size() -> None:
    """Twelve ranks of eleven files, rank 12 first."""
    board = CoTuLenh().board()
    assert (len(board), {len(rank) for rank in board}) == (12, {11})
    assert CoTuLenh().get("g12") == board[0][6] and CoTuLenh().get("g1") == board[11][6]
    for name in ("a1", "k1", "a12", "k12"):
        assert CoTuLenh().get(name) is None


def empty_counts() -> None:
    """A number 1 to 11 is that many empty squares; 10 and 11 are one number each."""
    for count in range(1, 11):
        text = START.replace("/11/11/", f"/11/{count}T{10 - count or ''}/")
        square = "abcdefghijk"[count] + "6"
        found = CoTuLenh.check_fen(text, skip_validation=True).position
        assert found is not None and found.unit_at(square) != 0
    assert "board.count" in codes(START.replace("/11/11/", "/11/12/"))
    assert "board.count" in codes(START.replace("/11/11/", "/11/0T92/"))


def active_color() -> None:
    """`r` and `b`, nothing else."""
    assert (CoTuLenh().turn(), CoTuLenh(START.replace(" r ", " b ")).turn()) == ("r", "b")
    assert codes(START.replace(" r ", " w ")) == ["turn.value"]


def always_a_dash(field: int, code: str) -> None:
    """Nothing but `-`."""
    words = START.split()
    words[field] = "KQ"
    assert codes(" ".join(words)) == [code] and CoTuLenh().fen().split()[field] == "-"


def halfmove_clock() -> None:
    """Counts turns since the last capture or commander's move; 100 end the game."""
    units = {"f4": "T", "f6": "t", "h4": "I", "h8": "i", "h9": "i"}
    quiet = CoTuLenh(game_with(units).fen().replace(" 0 1", " 7 9"))
    for move, clock in (("Ih5", 8), ("Txf6", 0), ("Ce1", 0)):
        game = quiet.copy()
        game.move(move)
        assert game.half_moves() == clock
    over = CoTuLenh(game_with(units).fen().replace(" 0 1", " 100 90"))
    assert over.is_draw_by_fifty_moves() and not quiet.is_draw_by_fifty_moves()


def fullmove_number() -> None:
    """Starts at 1, goes up behind Blue's move."""
    game = CoTuLenh()
    numbers = [game.move_number()]
    for move in ("Ic6", "Ic7"):
        game.move(move)
        numbers.append(game.move_number())
    assert numbers == [1, 1, 2]


def loads_as_written(text: str) -> None:
    """The text is canonical and legal."""
    assert CoTuLenh(text).fen() == text and CoTuLenh(text).warnings == ()


def one_square_short(text: str, square: str, piece: str) -> None:
    """Ten squares on rank 1: an error, which lenient mode repairs on the k side."""
    assert codes(text) == ["board.rank_short"]
    game = CoTuLenh(text, mode="lenient")
    assert [finding.code for finding in game.warnings] == ["short.rank"]
    assert str(game.get(square)) == piece and game.fen() == text.replace("4 r", "5 r")


SHORT = "an error: rank 1 has ten squares; lenient mode fills it up and reports it (18 row 4)"
CLOCK_ROWS: tuple[Row, ...] = (
    (Case("Field 2: Active Color", "`turn()`, `r` or `b`"), active_color),
    (Case("Field 3: Castling Availability", "`-`"), partial(always_a_dash, 2, "castling.value")),
    (Case("Field 4: En Passant Target Square", "`-`"), partial(always_a_dash, 3, "ep.value")),
    (Case("Field 5: Halfmove Clock", "`half_moves()`"), halfmove_clock),
    (Case("Field 6: Fullmove Number", "`move_number()`"), fullmove_number),
)


def example_rows(complex_text: str) -> tuple[Row, ...]:
    """The four example texts, which two documents have; they differ in the last."""
    return (
        (Case("Example: Starting Position", "`game.start`"), partial(loads_as_written, START)),
        (
            Case("Example: Position with Stacks, `5(TC)4`", '`CoTuLenh(text, mode="lenient")`', SHORT),
            partial(one_square_short, WITH_STACKS, "f1", "(TC)"),
        ),
        (
            Case("Example: Position with Heroic Pieces, `5+C4`", '`CoTuLenh(text, mode="lenient")`', SHORT),
            partial(one_square_short, WITH_HEROIC, "f1", "+C"),
        ),
        (Case("Example: Complex Position", "`CoTuLenh(text)`"), partial(loads_as_written, complex_text)),
    )


# --- the documents' algorithms, line by line --------------------------------------------------------


def make_san_single_piece(piece: Piece) -> str:
    """`makeSanSinglePiece`, transcribed."""
    symbol = piece.type.upper()
    marked = "+" if piece.heroic else ""
    return marked + symbol


def make_san_piece(combined: Piece, delimiter: bool = False) -> str:
    """`makeSanPiece`, transcribed."""
    carrier = make_san_single_piece(combined)
    if not combined.carrying:
        return carrier
    carried = "".join(map(make_san_single_piece, combined.carrying))
    return f"({carrier}{'|' if delimiter else ''}{carried})"


def generate_fen(game: CoTuLenh) -> str:
    """`generateFEN`, transcribed: the scan from a12 to k1."""
    ranks = []
    for rank in range(12, 0, -1):
        empty, fen = 0, ""
        for file in "abcdefghijk":
            piece = game.get(f"{file}{rank}")
            if piece is None:
                empty += 1
                continue
            if empty > 0:
                fen += str(empty)
                empty = 0
            san = make_san_piece(piece, False)
            fen += san if piece.color == "r" else san.lower()
        ranks.append(fen + (str(empty) if empty > 0 else ""))
    return " ".join(("/".join(ranks), game.turn(), "-", "-", str(game.half_moves()), str(game.move_number())))


def parse_fen(fen: str, digits_apart: bool = False) -> CoTuLenh:
    """`load`, transcribed: piece after piece; with `digits_apart` every digit counts by itself, as there."""
    tokens = fen.split()
    ranks = tokens[0].split("/")
    if len(ranks) != 12:
        raise ValueError(f"Invalid FEN: expected 12 ranks, got {len(ranks)}")
    game = CoTuLenh()
    game.clear()
    parsing_stack = next_heroic = False
    for r, rank in enumerate(ranks):
        col = i = 0
        while i < len(rank):
            char = rank[i]
            i += 1
            if char.isdigit():
                if char == "1" and rank[i : i + 1].isdigit() and not digits_apart:
                    char += rank[i]
                    i += 1
                col += int(char)
            elif char == "+":
                next_heroic = True
            elif char == "(":
                parsing_stack = True
            elif char == ")":
                parsing_stack = False
                col += 1
            else:
                piece = {"type": char.lower(), "color": "r" if char < "a" else "b", "heroic": next_heroic}
                game.put(piece, f"{'abcdefghijk'[col]}{12 - r}", True)
                if not parsing_stack:
                    col += 1
                next_heroic = False
    board = game.fen().split()[0]
    return CoTuLenh(f"{board} {tokens[1]} - - {int(tokens[4])} {int(tokens[5])}")
