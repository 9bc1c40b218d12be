"""Chess moves as people write them: the golden files, then each rule of spec/chess 12 by itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.golden_data import CHESS, Row, game_of, report, rows
from tests.strategies import characters, edited, played, positions

from forsyth.dashes import DASHES
from forsyth.diagnostics import MoveError
from forsyth.games.chess import Chess, Move, Position
from forsyth.limits import MAX_MOVE_TEXT

# --- the golden files -------------------------------------------------------------------------------


def test_every_legal_move_is_written_as_the_golden_file_writes_it() -> None:
    for row in rows("san"):
        game = game_of(row)
        position = game.parse(row["fen"])
        found = sorted([move.uci, game.write_move(position, move)] for move in game.moves(position))
        assert found == row["moves"], row["id"]


def test_every_golden_move_is_read_back_strictly_and_as_uci() -> None:
    for row in rows("san"):
        game = game_of(row)
        position = game.parse(row["fen"])
        for uci, san in row["moves"]:
            assert game.read_move(position, san, strict=True).uci == uci, (row["id"], san)
            assert game.read_move(position, uci).uci == uci, (row["id"], uci)


_CASTLING_BY_ROOK = {"e1h1": "e1g1", "e1a1": "e1c1", "e8h8": "e8g8", "e8a8": "e8c8"}
_REFUSED = ("invalid", "illegal", "ambiguous", "err")
_NULL_MOVES = ("0000", "@@@@", "Z0", "--")


def peer_move(verdict: str) -> str | None:
    """A peer's verdict on a move text: the move, castling as the king's step, or None for a refusal."""
    return None if verdict in _REFUSED else _CASTLING_BY_ROOK.get(verdict, verdict)


def our_move(row: Row) -> str | None:
    try:
        return str(CHESS.read_move(CHESS.parse(row["fen"]), row["san"]))
    except MoveError:
        return None


def expected_move(row: Row) -> str | None:
    """What a spelling must mean: what the libraries agree on, or what spec/chess 12 says of the spelling."""
    verdicts = row["verdicts"]
    moves = [peer_move(verdicts[name]) for name in ("python-chess", "chess.js", "chessops")]
    bare = row["san"].partition("$")[0].rstrip("!?").rstrip("+#")
    if bare != row["san"] and bare:
        # Signs behind a move never matter to us: the move is what it is without them.
        return our_move({**row, "san": bare})
    if len(set(moves)) == 1:
        return moves[0]
    if row["san"] in _NULL_MOVES or " " in row["san"] or "ep" in row["san"]:
        return None
    # Two of three take it; chess.js alone repairs slips such as an extra letter or a missing promotion.
    return moves[0]


def test_odd_spellings_mean_what_the_libraries_agree_on_or_the_specification_says() -> None:
    failures = []
    for row in rows("san_parse"):
        found, wanted = our_move(row), expected_move(row)
        if found != wanted:
            failures.append(f"{row['id']} {row['fen']} {row['san']!r}: {found} instead of {wanted}")
    assert not failures, report(failures, len(rows("san_parse")))


def test_a_refused_move_is_invalid_illegal_or_ambiguous_as_python_chess_says() -> None:
    kinds = set()
    for row in rows("san_parse"):
        wanted = row["verdicts"]["python-chess"]
        if wanted not in _REFUSED or our_move(row) is not None:
            continue
        with pytest.raises(MoveError) as caught:
            CHESS.read_move(CHESS.parse(row["fen"]), row["san"])
        assert caught.value.kind == wanted, (row["id"], row["san"])
        kinds.add(wanted)
    assert kinds == {"invalid", "illegal", "ambiguous"}


# --- writing ----------------------------------------------------------------------------------------


def san(text: str, uci: str, variant: str = "standard") -> str:
    game = CHESS.with_variant(variant)
    position = game.parse(text, legality=False)
    return game.write_move(position, next(move for move in game.moves(position) if move.uci == uci))


@pytest.mark.parametrize(
    ("text", "uci", "wanted"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
        pytest.param("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+", id="castling gives check"),
        pytest.param("k7/8/8/8/8/8/8/R1N1K2R w - - 0 1", "c1b3", "Nb3+", id="discovered check"),
        pytest.param("6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1", "d1d8", "Rd8#", id="mate"),
        pytest.param("4k3/8/8/8/8/8/8/RR2K3 w - - 0 1", "a1a8", "Ra8+", id="no other rook reaches it"),
        pytest.param("4k3/8/8/8/8/8/8/R2K3R w - - 0 1", "h1e1", "Re1+", id="the king is in the way"),
        pytest.param("6k1/8/8/8/8/8/4K3/R6R w - - 0 1", "a1e1", "Rae1", id="by file"),
        pytest.param("6k1/R7/8/8/8/8/4K3/R7 w - - 0 1", "a1a4", "R1a4", id="by rank"),
        pytest.param("6k1/8/8/N7/8/8/8/N1N1K3 w - - 0 1", "a1b3", "Na1b3", id="by both"),
        pytest.param("4k3/8/8/8/8/2N5/3r4/N2NK3 w - - 0 1", "a1c2", "Nc2", id="other knights elsewhere"),
        pytest.param("4r1k1/8/8/8/8/2N5/4N3/4K3 w - - 0 1", "c3d5", "Nd5", id="a pinned piece"),
        pytest.param("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6", id="en passant"),
        pytest.param("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", "axb8=N", id="capture and promotion"),
        pytest.param("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q", id="promotion"),
    ],
)
def test_writing(text: str, uci: str, wanted: str) -> None:
    assert san(text, uci) == wanted


def test_writing_drops_and_chess960_castling() -> None:
    assert san("4k3/8/8/8/8/8/8/4K3[QP] w - - 0 1", "Q@e2", "crazyhouse") == "Q@e2+"
    # `P` is never written (spec/chess 12); python-chess and chessops leave it out of drops as well.
    assert san("4k3/8/8/8/8/8/8/4K3[QP] w - - 0 1", "P@e2", "crazyhouse") == "@e2"
    assert san("4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1", "c1b1", "chess960") == "O-O-O"
    assert san("4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1", "c1g1", "chess960") == "O-O"


# --- reading ----------------------------------------------------------------------------------------

MIDDLE = "r3k2r/pP3ppp/2n2n2/3pp3/3PP3/2N2N2/P4PPP/R3K2R w KQkq d6 0 10"


TAKEN = {
    "f3e5": "Nxe5 Ne5 Nfxe5 N3xe5 Nf3xe5 Nf3-e5 f3e5 f3-e5 f3xe5 Nxe5+ Nxe5# Nxe5! Nxe5?? Nxe5+! Nxe5$14",
    "e1g1": "O-O 0-0 O-O+ 0-0! e1g1 e1h1 e1-g1",
    "e1c1": "O-O-O 0-0-0 e1c1 e1a1",
    "b7a8q": "bxa8=Q bxa8Q bxa8q bxa8=q ba8=Q b7a8q b7xa8=Q+ b7a8=Q",
    "e4d5": "exd5 ed5 e4xd5 e4d5 e4-d5",
    "a2a4": "a4 a2a4 a2-a4 aa4 2a4 xa4",
}


@pytest.mark.parametrize(
    ("text", "uci"),
    [*((text, uci) for uci, texts in TAKEN.items() for text in texts.split()), ("Nxe5 $14", "f3e5")],
)
def test_spellings_that_are_taken(text: str, uci: str) -> None:
    assert CHESS.read_move(CHESS.parse(MIDDLE), text).uci == uci


EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"


@pytest.mark.parametrize(
    "text",
    ["exd6 e.p.", "exd6e.p.", "exd6 ep", "exd6ep", "exd6 e.p.+!", "exd6+ e.p.", "ed6 e. p."],
)
def test_en_passant_may_be_said(text: str) -> None:
    position = CHESS.parse(EN_PASSANT)
    assert CHESS.read_move(position, text).uci == "e5d6"
    with pytest.raises(MoveError, match="expected exd6"):
        CHESS.read_move(position, text, strict=True)


@pytest.mark.parametrize("text", ["e6 e.p.", "Kd2 e.p.", "Kd2ep", "e.p.", "exd6 e.p. e.p."])
def test_en_passant_may_be_said_of_nothing_else(text: str) -> None:
    with pytest.raises(MoveError) as caught:
        CHESS.read_move(CHESS.parse(EN_PASSANT), text)
    assert caught.value.kind == "invalid"


@pytest.mark.parametrize("dash", [*map(chr, DASHES)])
def test_any_dash_is_a_hyphen(dash: str) -> None:
    position = CHESS.parse(MIDDLE)
    for text, uci in (("O-O", "e1g1"), ("0-0-0", "e1c1"), ("Nf3-e5", "f3e5"), ("a2-a4", "a2a4")):
        assert CHESS.read_move(position, text.replace("-", dash)).uci == uci
    with pytest.raises(MoveError) as caught:
        CHESS.read_move(CHESS.parse(CHESS.start), f"O{dash}O")
    assert (caught.value.kind, caught.value.text) == ("illegal", f"O{dash}O")
    with pytest.raises(MoveError, match="expected O-O"):
        CHESS.read_move(position, f"O{dash}O", strict=True)


SHAPELESS = """
N e Nf Pe4 nf3 Nf9 Ni3 e2e4e5 O-O-O-O OO O- 0-O o-o e8= e8=K e8=Qq -- Z0 0000 @@@@ exd6ep Nf3++x ++ Nf3!+
Ｎf3 é4 N@e4x K@e4 $1 N3f3f3 Nf3$ Nf3$1234
"""
WITH_BLANKS = ["", " ", " Nf3", "Nf3 ", "N f3", "Nf3\n", "N\0f3", "\ud800", "exd6 e.p.", "N" * 65]
ILLEGAL = "Ke3 Nb4 Qd1 e5 b8 axb3 bxa8 a8=Q Ra4 f3d5 N@e4 xe5 e1e3 Kg1 Rd4 h1e1 a1e1 d7d5 Nf3=Q f3f3"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *((text, "invalid") for text in (*SHAPELESS.split(), *WITH_BLANKS)),
        *((text, "illegal") for text in ILLEGAL.split()),
    ],
)
def test_spellings_that_are_refused(text: str, kind: str) -> None:
    with pytest.raises(MoveError) as caught:
        CHESS.read_move(CHESS.parse(MIDDLE), text)
    assert caught.value.kind == kind
    assert caught.value.text == text


@pytest.mark.parametrize("text", ["P@e2", "@e2", "P@e2+", "@e2!"])
def test_a_pawn_is_dropped_with_or_without_its_letter(text: str) -> None:
    position = CHESS.parse("4k3/8/8/8/8/8/8/4K3[QP] w - - 0 1", variant="crazyhouse")
    assert CHESS.read_move(position, text).uci == "P@e2"


def test_an_ambiguous_move_names_its_candidates() -> None:
    position = CHESS.parse("6k1/8/8/8/8/8/4K3/R6R w - - 0 1")
    with pytest.raises(MoveError) as caught:
        CHESS.read_move(position, "Re1")
    assert caught.value.kind == "ambiguous"
    assert sorted(caught.value.candidates) == ["Rae1", "Rhe1"]
    assert "Rae1" in str(caught.value)


def test_an_illegal_move_names_what_the_piece_could_do() -> None:
    with pytest.raises(MoveError) as caught:
        CHESS.read_move(CHESS.parse(CHESS.start), "Nd4")
    assert sorted(caught.value.candidates) == ["Na3", "Nc3", "Nf3", "Nh3"]


@pytest.mark.parametrize(
    ("text", "written"),
    [("e2e4", "e4"), ("e4!", "e4"), ("Ngf3", "Nf3"), ("Ng1-f3", "Nf3"), ("Nf3+", "Nf3"), ("Nxf3", "Nf3")],
)
def test_strict_reading_takes_the_written_form_only(text: str, written: str) -> None:
    start = CHESS.parse(CHESS.start)
    assert CHESS.read_move(start, written, strict=True) is CHESS.read_move(start, text)
    with pytest.raises(MoveError) as caught:
        CHESS.read_move(start, text, strict=True)
    assert caught.value.candidates == (written,)


def test_a_very_long_text_is_no_move() -> None:
    start = CHESS.parse(CHESS.start)
    for text in ("e4" + "!" * (MAX_MOVE_TEXT - 2), "e4" + "+" * (MAX_MOVE_TEXT - 2)):
        assert CHESS.read_move(start, text).uci == "e2e4"
        with pytest.raises(MoveError) as caught:
            CHESS.read_move(start, text + text[-1])
        assert caught.value.kind == "invalid"
    with pytest.raises(MoveError) as caught:
        CHESS.read_move(start, "e4" * (1 << 19))
    assert len(str(caught.value)) < 300


# --- any text at all --------------------------------------------------------------------------------

MOVE_TEXTS = st.sampled_from([move for row in rows("san_parse")[::3] for move in (row["san"],)])


@given(positions(), st.one_of(st.text(characters(), max_size=12), MOVE_TEXTS, edited(MOVE_TEXTS)))
def test_any_text_is_a_legal_move_or_a_move_error(position: Position, text: str) -> None:
    game = CHESS.with_variant(position.variant)
    legal = game.moves(position)
    try:
        move = game.read_move(position, text)
    except MoveError as error:
        assert error.kind in ("invalid", "illegal", "ambiguous")
    else:
        assert move in legal
        assert game.read_move(position, game.write_move(position, move), strict=True) is move


@given(played())
def test_less_than_the_whole_spelling_never_means_another_move(
    line: tuple[Chess, Position, list[Move]],
) -> None:
    game, position, moves = line
    for move in moves:
        written = game.write_move(position, move)
        require_read(game, position, move, written)
        position = game.play(position, move)


def require_read(game: Chess, position: Position, move: Move, written: str) -> None:
    for text in (written.rstrip("+#"), written.replace("x", ""), written.replace("=", ""), written + "!?"):
        assert game.read_move(position, text) is move, text
