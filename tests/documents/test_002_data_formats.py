"""The document "CoTuLenh Data Formats": FEN, SAN, structures, algorithms, errors and use cases.

Its TypeScript is transcribed line by line and run on the class `CoTuLenh`; its moves are played on boards
where they can be. Where the specification resolves something otherwise, or the move cannot be, that is
asserted, and the case names the clause (spec/cotulenh).
"""

from __future__ import annotations

import dataclasses
import re
from functools import partial
from typing import Any

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
    empty_counts,
    example_rows,
    game_with,
    generate_fen,
    heroic,
    make_san_piece,
    no_blanks_in_stacks,
    parse_fen,
    piece_rows,
    six_fields,
    stack,
)

from forsyth.cotulenh import (
    BITS,
    GAME,
    CoTuLenh,
    FENError,
    MoveRecord,
    Piece,
    Position,
    SanError,
    convert_to_standard_notation,
    validate_fen,
)
from forsyth.games.cotulenh.notation.san import read_move_with_notes, read_shape

COMPLEX = START.replace("6c4", "(+NI)5+C4").replace("6C4", "6c4").replace(" r - - 0 1", " b - - 15 8")
MIDGAME = GAME.names["midgame"]
REGEX = (
    r"^(\(.*\))?(\+)?([CITMEAGSFNH])?([a-k]?(?:1[0-2]|[1-9])?)"
    r"([x<>\+&-]|>x)?([a-k](?:1[0-2]|[1-9]))([#\^]?)?$"
)
"""The document's pattern of a move."""
Units = dict[str, str]


# --- FEN --------------------------------------------------------------------------------------------


def two_and_three() -> None:
    assert codes(game_with({}).fen().replace("5C5", "2T3C4")) == []
    assert CoTuLenh(game_with({}).fen().replace("5C5", "2T3C4")).get("c1") == Piece("t", "r")


def chess_tools() -> None:
    assert GAME.likelihood(START) > 0.9
    assert START.split()[0].count("/") == 11
    standard = convert_to_standard_notation(MIDGAME)
    assert "(" not in standard and standard.split()[1] == "w"


def extended(board: str, suffix: str) -> None:
    """The document's spelling means the session that was played."""
    played = CoTuLenh("6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1")
    played.move("N>c5")
    read = CoTuLenh(f"{board} r - - 0 1 {suffix}")
    assert [finding.code for finding in read.warnings] == ["deploy.spelling"]
    assert read.fen() == played.fen() and read.moves() == played.moves()
    session = read.get_deploy_session()
    assert session is not None and (session.origin, session.steps) == ("c3", ("N>c5",))
    assert [piece.type for piece in session.remaining_pieces] == ["f", "t"]


NOW = "6c4/11/11/11/11/11/11/2N8/11/2(FT)8/11/5C5"
BEFORE = "6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5"


# --- SAN --------------------------------------------------------------------------------------------


def plays(text: str, units: Units, written: str | None = None, turn: str = "r") -> None:
    """A text is a legal move, and is written as it is read."""
    game = game_with(units, turn)
    record = game.move(text)
    assert record.san == (text if written is None else written)


def plays_with(text: str, units: Units, written: str, notes: list[str]) -> None:
    """A text is read as the same in canonical spelling, with a report."""
    game = game_with(units)
    assert read_move_with_notes(game.position, text)[1] == tuple(notes)
    assert game.move(text).san == written


def only_a_shape(text: str, units: Units, canonical: str | None) -> None:
    """A text has the shape of a move and is never legal."""
    assert read_shape(text).canonical == canonical
    with pytest.raises(SanError, match="No matching legal move found"):
        game_with(units).move(text)


def basic_structure() -> None:
    step = read_shape("+T2xe4^")
    (part,) = step.steps
    assert (part.hint, part.sign, step.mark) == ("2", "x", "^")
    (part,) = read_shape("T&e4(TI)").steps
    assert part.sign == "&" and part.result


def piece_notation() -> None:
    for letter in "CITMEAGSFNH":
        assert read_shape(f"{letter}e4").canonical == f"{letter}e4"
        assert read_shape(f"+{letter}e4").canonical == f"+{letter}e4"
    assert read_shape("Be4").canonical == "Ge4" and read_shape("Be4").warnings == ("alias.b",)


def stacks_in_san() -> None:
    for unit in ("(NI)", "(TC)", "(+NI)"):
        assert read_shape(f"{unit}c4").canonical == f"{unit}c4"


def mate() -> None:
    game = game_with({"c1": "C", "d11": "c", "c7": "+n", "j3": "i"}, "b")
    assert game.move("+Nc5").san == "+Nc5#" and game.is_checkmate()


# --- structures -------------------------------------------------------------------------------------


def internal_move() -> None:
    game = game_with({"f5": "(TI)", "f6": "m", "h9": "i", "i9": "i"})
    move = next(move for move in game.moves(verbose=True) if move.san.startswith("(TI)x"))
    assert (move["color"], move["from"], move["to"]) == ("r", "f5", "f6")
    assert move["piece"] == Piece("t", "r", False, (Piece("i", "r"),)) and move["captured"] == Piece("m", "b")
    assert move.bits == BITS.CAPTURE


def bit(name: str, value: int, text: str, units: Units) -> None:
    """A flag has the document's name and number, and the move has the flag."""
    assert BITS[name] == value
    game = game_with(units)
    assert game.move(text).bits & BITS[name]


def piece_structure() -> None:
    names = [field.name for field in dataclasses.fields(Piece)]
    assert names == ["type", "color", "heroic", "carrying"]
    assert Piece("t", "b") == Piece("t", "b", heroic=False, carrying=())


def deploy_move() -> None:
    game = game_with({"c3": "(NFT)", "d4": "i", "h9": "i"})
    game.move("N>c5")
    game.move("F>xd4")
    game.commit_session()
    (turn,) = game.history(verbose=True)
    assert (turn["from"], turn.stay) == ("c3", Piece("t", "r"))
    assert [(piece.type, square) for piece, square in turn.steps] == [("n", "c5"), ("f", "d4")]
    assert turn.captures == (Piece("i", "b"),)


# --- fragments --------------------------------------------------------------------------------------


def deploy_format() -> None:
    shape = read_shape("(FT)<N>c5")
    assert shape.is_turn and shape.stay and len(shape.steps) == 1


def stay_only(text: str) -> None:
    """What stays is no move by itself."""
    assert read_shape(text).steps == () and read_shape(text).stay
    with pytest.raises(SanError, match="what stays is named, but no step"):
        game_with({"c3": "(NFT)"}).move(text)


# --- algorithms, transcribed ------------------------------------------------------------------------


def parsing_fen() -> None:
    for text in (START, MIDGAME):
        assert parse_fen(text) == CoTuLenh(text) and GAME.parse(text) == CoTuLenh(text).position


def generating_fen() -> None:
    for text in (START, MIDGAME):
        assert generate_fen(CoTuLenh(text)) == GAME.write(GAME.parse(text)) == text


def stripped(san: str) -> str:
    """`strippedSan`: without marks and annotations."""
    return re.sub(r"[\^#!?]+$", "", san)


def parse_san(san: str, legal_moves: list[MoveRecord]) -> MoveRecord | None:
    """`parseSAN`, line by line, up to its pattern."""
    clean = stripped(san)
    for move in legal_moves:
        if clean in (stripped(move.san), stripped(move.lan)):
            return move
    return None


def parsing_san() -> None:
    game = CoTuLenh(MIDGAME)
    legal_moves = game.moves(verbose=True)
    for move in legal_moves:
        assert parse_san(f"{move.san}!", legal_moves) == parse_san(move.lan, legal_moves) == move
        for text in (f"{move.san}!", move.lan):
            read = GAME.read_move(game.position, text)
            assert (read.origin, read.target, read.flags) == (move["from"], move["to"], move.flags)


def pattern() -> None:
    for text, units in (("F@e4", {"e7": "F", "e4": "g"}), ("N>_d5", {"c5": "(NF)", "d5": "i"})):
        assert re.fullmatch(REGEX, text) is None
        assert game_with(units).move(text).san == text
    assert re.fullmatch(REGEX, "T2xd4") is not None


def generate_lan(move: MoveRecord) -> str:
    """`generateSAN`, line by line, its second text without the suffix of a combination."""
    separator = ""
    if move.bits & BITS.DEPLOY:
        separator += ">"
    if move.bits & BITS.STAY_CAPTURE:
        separator += "_"
    if move.bits & BITS.CAPTURE:
        separator += "x"
    if move.bits & BITS.SUICIDE_CAPTURE:
        separator += "@"
    if move.bits & BITS.COMBINATION:
        separator += "&"
    return f"{make_san_piece(move.piece)}{move['from']}{separator}{move['to']}"


def generating_san() -> None:
    games = [CoTuLenh(text) for text in (START, MIDGAME)]
    games.append(game_with({"e7": "F", "e4": "g", "c7": "t", "c5": "(NFT)", "d5": "i"}))
    flags = set()
    for move in (move for game in games for move in game.moves(verbose=True)):
        assert move.lan == generate_lan(move)
        flags |= set(move.flags)
    assert flags == set("ncskdb")


def combination_suffix() -> None:
    plays("T&e4(TI)", {"e2": "T", "e4": "I"})
    plays("T&e4(T|I)", {"e2": "T", "e4": "I"}, "T&e4(TI)")


# --- errors -----------------------------------------------------------------------------------------


def fen_error() -> None:
    with pytest.raises(FENError) as caught:
        CoTuLenh(START.replace("6C4", "6C5"))
    assert isinstance(caught.value, Exception)
    assert (caught.value.fen, caught.value.position) == (START.replace("6C4", "6C5"), 11)


def throws(broken: str, said: str, position: int | None) -> None:
    """Loading fails with the document's sentence and fields."""
    with pytest.raises(FENError, match=re.escape(said)) as caught:
        CoTuLenh(broken)
    assert (caught.value.fen, caught.value.position) == (broken, position)
    assert caught.value.seed_message == said


def san_error() -> None:
    with pytest.raises(SanError) as caught:
        CoTuLenh().move("Zz9")
    assert isinstance(caught.value, Exception)
    assert (caught.value.san, caught.value.context) == ("Zz9", None)


def refuses(san: str, said: str, context: object) -> None:
    """Playing fails with the document's sentence and fields."""
    with pytest.raises(SanError) as caught:
        CoTuLenh().move(san)
    assert str(caught.value).startswith(f"{said}{san}")
    assert (caught.value.san, caught.value.context) == (san, context)


def safe_parse_fen(fen: str) -> Position | None:
    """`safeParseFEN`, line by line."""
    try:
        return GAME.parse(fen)
    except FENError as error:
        print("FEN parsing failed:", error)
        return None


def parsing_safely() -> None:
    assert safe_parse_fen(START) == GAME.parse(START) and safe_parse_fen("nonsense") is None


def moving_safely() -> None:
    position = GAME.parse(START)

    def safe_parse_san(san: str) -> object:
        """`safeParseSAN`, line by line."""
        try:
            return GAME.read_move(position, san)
        except SanError as error:
            print("SAN parsing failed:", error)
            return None

    assert safe_parse_san("Ic6") is not None and safe_parse_san("Ic9") is None


def validating() -> None:
    assert validate_fen(START) and not validate_fen(START.rpartition(" ")[0])
    assert not validate_fen(START.replace("/11/11/", "/11/"))
    game = game_with({"c3": "(NFT)"})
    game.move("N>c5")
    assert validate_fen(game.fen())


# --- use cases --------------------------------------------------------------------------------------


def starting() -> None:
    game = CoTuLenh()
    assert game.fen() == (
        "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1"
    )


def custom_position() -> None:
    with pytest.raises(FENError):
        CoTuLenh(WITH_STACKS)
    game = CoTuLenh(WITH_STACKS, mode="lenient")
    assert [finding.code for finding in game.warnings] == ["short.rank"] and str(game.get("f1")) == "(TC)"


def move_information() -> None:
    with pytest.raises(SanError):
        CoTuLenh().move("Tc3")
    game = game_with({"c2": "T", "i3": "I", "h9": "i", "i9": "i"})
    before = game.fen()
    move1 = game.move("Tc3")
    assert (move1.san, move1.lan) == ("Tc3", "Tc2c3")
    assert (move1.before, move1.after) == (before, game.fen())


def analysis() -> None:
    game = CoTuLenh()
    assert len(game.moves()) == 116


def verbose_moves() -> None:
    game = game_with({"f5": "T", "f6": "(ti)"})
    lines = []
    for move in game.moves({"verbose": True}):
        assert isinstance(move, MoveRecord)
        lines.append(f"{move.san}: {move.piece.type} from {move['from']} to {move['to']}")
        if move.captured:
            lines.append(f"  Captures: {move.captured.type}")
    assert "Txf6: t from f5 to f6" in lines and "  Captures: t" in lines


def past_moves() -> None:
    game = CoTuLenh()
    game.move("Ic6")
    game.move("Ic7")
    assert " ".join(game.history()) == "Ic6 Ic7"


def verbose_history() -> None:
    game = CoTuLenh()
    game.move("Ic6")
    game.move("Ic7")
    records = [move for move in game.history({"verbose": True}) if isinstance(move, MoveRecord)]
    lines = [f"{index + 1}. {move.san} ({move.before} -> {move.after})" for index, move in enumerate(records)]
    assert lines[0].startswith(f"1. Ic6 ({START} -> ") and lines[1].endswith(f" -> {game.fen()})")


def serialization() -> None:
    game = CoTuLenh()
    game.move("Ic6")
    saved_position = game.fen()
    restored_game = CoTuLenh(saved_position)
    assert restored_game.fen() == saved_position


def export_game(game: CoTuLenh) -> str:
    """`exportGame`, line by line."""
    history = game.history()
    moves = []
    for i in range(0, len(history), 2):
        move_number = i // 2 + 1
        red_move = history[i]
        blue_move = history[i + 1] if i + 1 < len(history) else ""
        moves.append(f"{move_number}. {red_move} {blue_move}")
    return " ".join(moves)


def exporting() -> None:
    game = CoTuLenh()
    for move in ("Ic6", "Ic7", "Ixc7"):
        game.move(move)
    assert export_game(game).strip() == "1. Ic6 Ic7 2. Ixc7"
    assert game.pgn().endswith("\n\n1. Ic6 Ic7 2. Ixc7 *\n")
    blue_first = CoTuLenh(START.replace(" r - - 0 1", " b - - 0 9"))
    blue_first.move("Ic7")
    assert blue_first.pgn().endswith("\n\n9... Ic7 *\n")


def validate_game_data(data: dict[str, Any]) -> bool:
    """`validateGameData`, line by line."""
    if data.get("fen") and not validate_fen(data["fen"]):
        return False
    if data.get("moves"):
        game = CoTuLenh(data["fen"])
        for move in data["moves"]:
            try:
                game.move(move)
            except SanError:
                return False
    return True


def data_validation() -> None:
    assert validate_game_data({"fen": START, "moves": ["Ic6", "Ic7", "Ixc7"]})
    assert not validate_game_data({"fen": START, "moves": ["Ic6", "Ic6"]})
    assert not validate_game_data({"fen": WITH_STACKS})


def converting() -> None:
    assert convert_to_standard_notation(START) == START.replace(" r ", " w ")
    game = game_with({"c3": "(N+FT)"})
    game.move("N>c5")
    expected = "6c4/11/11/11/11/11/11/2N8/11/2+F8/11/5C5 w - - 0 1"
    assert convert_to_standard_notation(game.fen()) == expected


# --- the cases --------------------------------------------------------------------------------------

NEVER = "no legal move can be written so: "
FRAGMENT = "a part of a move; as a whole move it is refused"
CAPTURING = f"{NEVER}what is taken cannot be joined (18 row 23)"
NO_STACK = f"{NEVER}there is no such stack (18 row 21)"
FEN_ROWS: tuple[Row, ...] = (
    (
        Case(
            "Standard chess tools can parse basic structure",
            "`convert_to_standard_notation(fen)`",
            "no chess tool knows twelve ranks (18 row 40)",
        ),
        chess_tools,
    ),
    (Case("Standard FEN Structure", "`fen()`"), six_fields),
    (Case("Board Dimensions", "`board()`, squares a1 to k12"), board_size),
    *piece_rows(),
    (
        Case("Case Convention", "capital letters Red's, small ones Blue's", "no `R`; `S`, `G` (18 row 2)"),
        case_convention,
    ),
    (Case("Stack `(NFT)`", "`(NFT)`"), partial(stack, "(NFT)", "n", "ft")),
    (Case("Stack `(TC)`", "`(TC)`"), partial(stack, "(TC)", "t", "c")),
    (Case("Stack `(+NI)`", "`(+NI)`"), partial(stack, "(+NI)", "n", "i")),
    (Case("Stack Rules: carrier", "`Piece.carrying`", "any order is read (18 row 18)"), carrier_leads),
    (Case("Stack Rules: no spaces", "`stack.blank`"), no_blanks_in_stacks),
    (Case("Heroic `+C`", "`Piece.heroic`"), partial(heroic, "+C", "c")),
    (Case("Heroic `+T`", "`Piece.heroic`"), partial(heroic, "+T", "t")),
    (Case("Heroic `(+NI)`", "`Piece.heroic`"), partial(heroic, "(+NI)", "n")),
    (Case("Heroic `(N+I)`", "`Piece.heroic`"), partial(heroic, "(N+I)", "i")),
    (Case("Empty Squares: `3`, `11`", "numbers 1 to 11"), empty_counts),
    (Case("Empty Squares: `2T3`", "`2T3`"), two_and_three),
    *CLOCK_ROWS,
    *example_rows(COMPLEX),
    (
        Case(
            "`DEPLOY c3:(FT)<Nc5...` after the current board",
            "`DEPLOY c3:FT 1 N>c5`",
            "read with the warning `deploy.spelling` (18 rows 27 and 33)",
        ),
        partial(extended, NOW, "DEPLOY c3:(FT)<Nc5..."),
    ),
    (
        Case(
            "`DEPLOY c3:(FT)<Nc5...` after the board before",
            "`DEPLOY c3:FT 1 N>c5`",
            "the board shows which one it is (18 row 28)",
        ),
        partial(extended, BEFORE, "DEPLOY c3:(FT)<Nc5..."),
    ),
)
SAN_ROWS: tuple[Row, ...] = (
    (Case("Basic SAN Structure", "`move(san)`"), basic_structure),
    (Case("Basic and Heroic Pieces", "letters, `+`", "`B` is read as `G` (18 row 1)"), piece_notation),
    (Case("Stacks `(NI)`, `(TC)`, `(+NI)`", "`(NI)`, `(TC)`, `(+NI)`"), stacks_in_san),
    (
        Case("Disambiguator `Tac4`", "a file", f"{NEVER}a tank cannot stand on file a (18 row 39)"),
        partial(only_a_shape, "Tac4", {"c2": "T"}, "Tac4"),
    ),
    (
        Case("Disambiguator `T2c4`", "a rank"),
        partial(plays, "T2c4", {"c2": "T", "c6": "T"}),
    ),
    (
        Case("Disambiguator `Ta2c4`", "a square", f"{NEVER}a tank cannot stand on file a (18 row 39)"),
        partial(only_a_shape, "Ta2c4", {"c2": "T"}, "Ta2c4"),
    ),
    (Case("No separator", "`Td5`"), partial(plays, "Td4", {"d3": "T"})),
    (Case("`x` - Normal capture", "`x`"), partial(plays, "Txd5", {"d3": "T", "d5": "i", "k9": "i"})),
    (Case("`_` - Stay capture", "`_`"), partial(plays, "T_b5", {"d5": "T", "b5": "n", "k9": "i"})),
    (Case("`@` - Suicide capture", "`@`"), partial(plays, "F@e5", {"e8": "F", "e5": "g", "k9": "i"})),
    (Case("`>` - Deploy move", "`>`"), partial(plays, "N>c6", {"c5": "(NFT)"})),
    (Case("`&` - Combination move", "`&`"), partial(plays, "T&e5(TI)", {"e3": "T", "e5": "I"})),
    (
        Case("`>x` - Deploy with capture", "`>x`"),
        partial(plays, "T>xd5", {"d3": "(TI)", "d5": "i", "k9": "i"}),
    ),
    (
        Case("`&x` - Combination with capture", "read, and refused", CAPTURING),
        partial(only_a_shape, "I&xe5(TI)", {"e4": "I", "e5": "t"}, None),
    ),
    (
        Case("`^` - Check", "`^`", "may be missing when read (18 row 25)"),
        partial(plays, "Th4", {"f4": "T", "h6": "c", "k9": "i", "k3": "I"}, "Th4^"),
    ),
    (Case("`#` - Checkmate", "`#`", "may be missing when read (18 row 25)"), mate),
    (Case("`Ce4`", "`move(san)`"), partial(plays, "Ce4", {"e1": "C"})),
    (Case("`Td5`", "`move(san)`"), partial(plays, "Td5", {"d3": "T"})),
    (Case("`+Cf6`", "`move(san)`"), partial(plays, "+Cf6", {"f1": "+C"})),
    (
        Case("`(NI)d4`", "read, and refused", f"{NEVER}a navy cannot stand on d4 (18 row 39)"),
        partial(only_a_shape, "(NI)d4", {"c4": "(NI)"}, "(NI)d4"),
    ),
    (Case("`Cxe4`", "`move(san)`"), partial(plays, "Cxe4", {"e3": "C", "e4": "i", "k9": "i"})),
    (
        Case("`T_d5`", "read, and refused", f"{NEVER}a tank can land on d5 (18 row 39)"),
        partial(only_a_shape, "T_d5", {"d3": "T", "d5": "i"}, "T_d5"),
    ),
    (Case("`F@e4`", "`move(san)`"), partial(plays, "F@e4", {"e7": "F", "e4": "g", "k9": "i"})),
    (Case("`I>d4`", "`move(san)`"), partial(plays, "I>d4", {"d3": "(TI)"})),
    (Case("`T<I>d4`", "`move(san)`"), partial(plays, "T<I>d4", {"d3": "(TI)"})),
    (
        Case(
            "`I>d4,T>e4`",
            "`move(san)`",
            "both from one square only with a heroic infantry, `+I>d4,T>e4` (15)",
        ),
        partial(plays_with, "I>d4,T>e4", {"e3": "(T+I)"}, "+I>d4,T>e4", ["heroic.missing"]),
    ),
    (
        Case("`(TI)<T>xd4`", "`I<T>xd4`", "what moves does not stay (18 row 19)"),
        partial(
            plays_with,
            "(TI)<T>xd4",
            {"d3": "(TI)", "d4": "i", "k9": "i"},
            "I<T>xd4",
            ["stay.contains_moved"],
        ),
    ),
    (Case("`T&e4(TI)`", "`move(san)`"), partial(plays, "T&e4(TI)", {"e2": "T", "e4": "I"})),
    (
        Case("`I&xd4(IT)`", "read, and refused", CAPTURING),
        partial(only_a_shape, "I&xd4(IT)", {"d3": "I", "d4": "t"}, None),
    ),
    (
        Case("`+T2xe4^`", "`move(san)`"),
        partial(plays, "+T2xe4^", {"e2": "+T", "e6": "T", "e4": "i", "h4": "c", "k9": "i"}),
    ),
    (
        Case(
            "`(+NI)a<I>xd4#`",
            "`+N<I>xd4#`",
            f"read as the origin's file; {NEVER}d4 is not beside file a (18 row 20)",
        ),
        partial(only_a_shape, "(+NI)a<I>xd4#", {"a4": "(+NI)", "d4": "c"}, "+N<I>xd4#"),
    ),
    (
        Case("`T<I>d4,M>e4`", "read, and refused", NO_STACK),
        partial(only_a_shape, "T<I>d4,M>e4", {"e3": "(TI)"}, "T<I>d4,M>e4"),
    ),
    (
        Case("LAN `Ce1-e4`", "`Ce1e4`", "read with the dash, written without (18 row 24)"),
        partial(plays_with, "Ce1-e4", {"e1": "C"}, "Ce4", ["lan.dash"]),
    ),
    (
        Case("LAN `Td2xe4`", "read, and refused", f"{NEVER}d2 and e4 are on no line (18 row 39)"),
        partial(only_a_shape, "Td2xe4", {"d2": "T", "e4": "i"}, "Td2xe4"),
    ),
    (
        Case("LAN `Id2>e4`", "read, and refused", f"{NEVER}d2 and e4 are on no line (3)"),
        partial(only_a_shape, "Id2>e4", {"d2": "(TI)"}, "Id2>e4"),
    ),
)
STRUCTURE_ROWS: tuple[Row, ...] = (
    (
        Case(
            "`interface InternalMove`",
            "`MoveRecord`",
            "squares are names; `flags` are letters, `bits` the number (15)",
        ),
        internal_move,
    ),
    *(
        (Case(f"`BITS.{name}: {value}`", f"`BITS.{name}`"), partial(bit, name, value, text, units))
        for name, value, text, units in (
            ("NORMAL", 1, "Td4", {"d3": "T"}),
            ("CAPTURE", 2, "Txd5", {"d3": "T", "d5": "i"}),
            ("STAY_CAPTURE", 4, "T_b5", {"d5": "T", "b5": "n"}),
            ("SUICIDE_CAPTURE", 8, "F@e5", {"e8": "F", "e5": "g"}),
            ("DEPLOY", 16, "N>c6", {"c5": "(NFT)"}),
            ("COMBINATION", 32, "T&e5", {"e3": "T", "e5": "I"}),
        )
    ),
    (Case("`interface Piece`", "`Piece`"), piece_structure),
    (
        Case(
            "`interface InternalDeployMove`",
            "`MoveRecord` with `steps`, `stay`, `captures`",
            "played step by step (18 row 37)",
        ),
        deploy_move,
    ),
    (Case("`<stay_pieces><move_pieces>`", "`(FT)<N>c5`"), deploy_format),
    (Case("Stay `T<`", "refused", FRAGMENT), partial(stay_only, "T<")),
    (Case("Stay `(NI)<`", "refused", FRAGMENT), partial(stay_only, "(NI)<")),
    (Case("Move `I>d4`", "`move(san)`"), partial(plays, "I>d4", {"d3": "(TI)", "i3": "I"})),
    (Case("Move `T>xd4`", "`move(san)`"), partial(plays, "T>xd4", {"d3": "(TI)", "d4": "i", "k9": "i"})),
    (Case("Combined `T<I>d4`", "`move(san)`"), partial(plays, "T<I>d4", {"d3": "(TI)", "i3": "I"})),
    (
        Case("Combined `(NI)<T>d4`", "read, and refused", NO_STACK),
        partial(only_a_shape, "(NI)<T>d4", {"c4": "(NI)"}, "(NI)<T>d4"),
    ),
    (
        Case("Combined `I>d4,T>e4`", "`move(san)`", "as above (15)"),
        partial(plays, "I>d4,T>e4", {"e3": "(T+I)", "i3": "I"}, "+I>d4,T>e4"),
    ),
    (
        Case("Combined `(TI)<T>xd4`", "`I<T>xd4`", "as above (18 row 19)"),
        partial(plays, "(TI)<T>xd4", {"d3": "(TI)", "d4": "i", "k9": "i"}, "I<T>xd4"),
    ),
    (Case("Combination `T&e6(TI)`", "`move(san)`"), partial(plays, "T&e6(TI)", {"e4": "T", "e6": "I"})),
    (
        Case("Combination `I&d4(IT)`", "`I&d4(TI)`", "the tank carries (18 row 18)"),
        partial(plays_with, "I&d4(IT)", {"d3": "I", "d4": "T"}, "I&d4(TI)", ["stack.order"]),
    ),
    (
        Case("Combination `T&xe6(TI)`", "read, and refused", CAPTURING),
        partial(only_a_shape, "T&xe6(TI)", {"e4": "T", "e6": "i"}, None),
    ),
)
RANKS = "Invalid FEN: expected 12 ranks, got 11"
LONG = "Invalid FEN: rank 12 has too many squares"
CLOSE = "Invalid FEN: ) without matching ( in rank 6"
PLUS = "Invalid FEN: + without matching piece in rank 1"
MORE = "says more after it (18 row 16)"
CODE_ROWS: tuple[Row, ...] = (
    (Case("`parseFEN(fen)`", "`game.parse(fen)`", "`10` and `11` are one number (18 row 5)"), parsing_fen),
    (Case("`generateFEN(gameState)`", "`game.write(position)`"), generating_fen),
    (Case("`parseSAN(san, legalMoves)`", "`game.read_move(position, san)`"), parsing_san),
    (Case("`const regex`", "`game.read_move(position, san)`", "reads more (18 row 35)"), pattern),
    (Case("`generateSAN(move, legalMoves)`", "`san`, `lan` of a move"), generating_san),
    (
        Case("`makeSanPiece(combined, true)`", "`(TI)` after `&`", "`(T|I)` is read (18 row 22)"),
        combination_suffix,
    ),
    (Case("`class FENError`", "`FENError` with `fen`, `position`"), fen_error),
    (
        Case("`Invalid FEN: expected 12 ranks, got ${ranks.length}`", "`FENError`", MORE),
        partial(throws, START.replace("/11/11/", "/11/"), RANKS, None),
    ),
    (
        Case("`Invalid FEN: rank ${12 - r} has too many squares`", "`FENError`", MORE),
        partial(throws, START.replace("6c4", "6c5"), LONG, 0),
    ),
    (
        Case("`Invalid FEN: ) without matching ( in rank ${12 - r}`", "`FENError`", MORE),
        partial(throws, START.replace("/11/11/", "/11/9T)/"), CLOSE, 6),
    ),
    (
        Case("`Invalid FEN: + without matching piece in rank ${12 - r}`", "`FENError`", MORE),
        partial(throws, START.replace("6C4", "6C4+"), PLUS, 11),
    ),
    (Case("`class SANError`", "`SanError` with `san`, `context`"), san_error),
    (
        Case("`Invalid or illegal move: ${san}`", "`SanError`", MORE),
        partial(refuses, "Tx", "Invalid or illegal move: ", None),
    ),
    (
        Case("`Ambiguous move: multiple matches for ${san}`", "`SanError`", MORE),
        partial(refuses, "Nc3", "Ambiguous move: multiple matches for ", ("Nbc3", "Ncc3")),
    ),
    (
        Case("`No matching legal move found: ${san}`", "`SanError`", MORE),
        partial(refuses, "Ic9", "No matching legal move found: ", None),
    ),
    (
        Case("`Invalid square in move: ${san}`", "`SanError`", MORE),
        partial(refuses, "Ic13", "Invalid square in move: ", {"square": "c13"}),
    ),
    (Case("`safeParseFEN(fen)`", "`game.parse(fen)` and `FENError`"), parsing_safely),
    (
        Case("`safeParseSAN(san, legalMoves)`", "`game.read_move(position, san)` and `SanError`"),
        moving_safely,
    ),
    (
        Case("`validateFEN(fen): boolean`", "`validate_fen(fen)`", "an open session is valid too (18 row 7)"),
        validating,
    ),
)
USE_ROWS: tuple[Row, ...] = (
    (Case("`new CoTuLenh()`", "`CoTuLenh()`"), starting),
    (
        Case("`new CoTuLenh(customFEN)`", '`CoTuLenh(text, mode="lenient")`', "ten squares (18 row 4)"),
        custom_position,
    ),
    (
        Case(
            "`game.move('Tc3')`, `san`, `lan`, `before`, `after`",
            "`move(san)`",
            "not from the start position; with a tank on c2 (18 row 39)",
        ),
        move_information,
    ),
    (
        Case("`game.move('T2xd4')`", "`move(san)`"),
        partial(plays, "T2xd4", {"d2": "T", "d6": "T", "d4": "i", "k9": "i"}),
    ),
    (Case("`game.move('I>e4')`", "`move(san)`"), partial(plays, "I>e4", {"e3": "(TI)"})),
    (Case("`game.move('T&f4(TI)')`", "`move(san)`"), partial(plays, "T&f4(TI)", {"f3": "T", "f4": "I"})),
    (Case("`game.moves()`", "`moves()`"), analysis),
    (Case("`game.moves({ verbose: true })`", '`moves({"verbose": True})`'), verbose_moves),
    (Case("`game.history()`", "`history()`"), past_moves),
    (Case("`game.history({ verbose: true })`", '`history({"verbose": True})`'), verbose_history),
    (Case("Position Serialization", "`fen()`, `CoTuLenh(fen)`"), serialization),
    (
        Case("`exportGame(game)`", "`pgn()`", "with tags and the right numbers (18 row 38)"),
        exporting,
    ),
    (Case("`validateGameData(data)`", "`validate_fen`, `move`, `SanError`"), data_validation),
    (
        Case(
            "`convertToStandardNotation(cotulenhFEN)`",
            "`convert_to_standard_notation(fen)`",
            "the document leaves it open: one piece a square, `w` for Red, no session",
        ),
        converting,
    ),
)
ROWS: tuple[Row, ...] = (*FEN_ROWS, *SAN_ROWS, *STRUCTURE_ROWS, *CODE_ROWS, *USE_ROWS)
CASES: tuple[Case, ...] = tuple(case for case, _ in ROWS)


@pytest.mark.parametrize(("case", "check"), ROWS, ids=[case.name for case in CASES])
def test_the_case_holds(case: Case, check: Check) -> None:
    check()
