"""The rules of chess, case by case: castling, en passant, promotion, endings, clocks, the variants."""

from __future__ import annotations

import pickle

import pytest
from chess.variant import AtomicBoard, CrazyhouseBoard
from tests.golden_data import CHESS

from forsyth import Match
from forsyth.diagnostics import MoveError
from forsyth.games.chess import Chess, Position

NINE_SIXTY = CHESS.with_variant("chess960")
CRAZYHOUSE = CHESS.with_variant("crazyhouse")
THREE_CHECK = CHESS.with_variant("3check")


def at(text: str, game: Chess = CHESS) -> Position:
    return game.parse(text, legality=False)


def moves(text: str, game: Chess = CHESS) -> list[str]:
    return sorted(move.uci for move in game.moves(at(text, game)))


def castlings(text: str, game: Chess = CHESS) -> list[str]:
    return sorted(move.uci for move in game.moves(at(text, game)) if move.is_castling)


def after(text: str, move: str, game: Chess = CHESS) -> str:
    position = at(text, game)
    return str(game.play(position, game.read_move(position, move)))


# --- castling ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1c1", "e1g1"]),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", ["e8c8", "e8g8"]),
        pytest.param("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", [], id="no right"),
        pytest.param("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", ["e1g1"], id="one right"),
        pytest.param("4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", [], id="in check"),
        pytest.param("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", ["e1c1"], id="through check"),
        pytest.param("4k3/8/8/8/8/6r1/8/R3K2R w KQ - 0 1", ["e1c1"], id="into check"),
        pytest.param("4k3/8/8/8/8/7r/8/R3K2R w KQ - 0 1", ["e1c1", "e1g1"], id="rook attacked"),
        pytest.param("4k3/8/8/8/8/1r6/8/R3K2R w KQ - 0 1", ["e1c1", "e1g1"], id="b1 attacked"),
        pytest.param("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", [], id="men between, beside the rook"),
        pytest.param("4k3/8/8/8/8/8/8/R2BKB1R w KQ - 0 1", [], id="men between, beside the king"),
        pytest.param("4k3/8/8/8/8/8/8/b3K2R w KQ - 0 1", ["e1g1"], id="an enemy on the rook's square"),
        pytest.param("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", [], id="rights without rooks"),
        pytest.param("4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1", [], id="rights without a king at home"),
        pytest.param("4k3/8/8/8/8/8/4p3/R3K2R w KQ - 0 1", [], id="a pawn guards both ways"),
        pytest.param("4k3/8/8/8/8/8/6p1/R3K2R w KQ - 0 1", ["e1c1"], id="a pawn guards f1"),
        pytest.param("4k3/8/8/8/8/8/8/r2QK2R w K - 0 1", ["e1g1"], id="pinned queen does not matter"),
    ],
)
def test_castling(text: str, wanted: list[str]) -> None:
    assert castlings(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param("4k3/8/8/8/8/8/8/5RKR w HF - 0 1", ["g1f1"], id="the other rook stands on f1"),
        pytest.param("1k6/8/8/8/8/8/8/RK5R w HA - 0 1", ["b1a1", "b1h1"], id="king next to the a-rook"),
        pytest.param("1k6/8/8/8/8/8/8/RKB4R w HA - 0 1", [], id="bishop on the king's and rook's way"),
        pytest.param("4k3/8/8/8/8/8/8/2RK3R w HC - 0 1", ["d1c1", "d1h1"], id="king and rook change places"),
        pytest.param("4k3/8/8/8/8/8/8/6KR w H - 0 1", ["g1h1"], id="king stays, rook jumps over"),
        pytest.param("4k3/8/8/8/8/8/8/2K2R2 w F - 0 1", ["c1f1"], id="rook stays, king passes it"),
        pytest.param("4k3/8/8/8/8/8/8/2KR4 w D - 0 1", ["c1d1"], id="rook on the king's way"),
        pytest.param("1k6/8/8/8/8/8/8/qRK5 w B - 0 1", [], id="the rook covered the king from a1"),
        pytest.param("1k6/8/8/8/8/8/8/q1RK4 w C - 0 1", [], id="the rook covered the king from afar"),
        pytest.param("4k3/8/8/8/8/8/8/1R2K2q w B - 0 1", [], id="in check along the back rank"),
        pytest.param("4k3/8/8/8/8/8/8/nRK5 w B - 0 1", ["c1b1"], id="a knight on a1 does not matter"),
        pytest.param("2r1k3/8/8/8/8/8/8/R4K1R w HA - 0 1", ["f1h1"], id="c1 is attacked"),
        pytest.param("3rk3/8/8/8/8/8/8/R4K1R w HA - 0 1", ["f1h1"], id="d1 is attacked, on the king's way"),
        pytest.param("1r2k3/8/8/8/8/8/8/R4K1R w HA - 0 1", ["f1a1", "f1h1"], id="b1 is attacked"),
        pytest.param("4k3/8/8/8/8/8/8/KR6 w B - 0 1", [], id="king in the corner"),
        pytest.param("4k3/8/8/8/8/8/8/1R5K w B - 0 1", [], id="king in the other corner"),
    ],
)
def test_chess960_castling(text: str, wanted: list[str]) -> None:
    assert castlings(text, NINE_SIXTY) == wanted


@pytest.mark.parametrize(
    ("text", "move", "board"),
    [
        ("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", "b1a1", "2KR3R"),
        ("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", "b1h1", "R4RK1"),
        ("4k3/8/8/8/8/8/8/2RK3R w HC - 0 1", "d1c1", "2KR3R"),
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "5RK1"),
        ("4k3/8/8/8/8/8/8/2K2R2 w F - 0 1", "O-O", "5RK1"),
        ("4k3/8/8/8/8/8/8/2KR4 w D - 0 1", "O-O", "5RK1"),
    ],
)
def test_chess960_castling_lands_on_the_usual_squares(text: str, move: str, board: str) -> None:
    played = after(text, move, NINE_SIXTY)
    assert played == f"4k3/8/8/8/8/8/8/{board} b - - 1 1"


@pytest.mark.parametrize(
    ("text", "move", "castling"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", "kq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Ke2", "kq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Rb1", "Kkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Rxa8+", "Kk"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Rxh8+", "Qq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O", "KQ"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "Rg8", "KQq"),
        ("r3k2r/6P1/8/8/8/8/8/R3K2R w KQkq - 0 1", "gxh8=N", "KQq"),
    ],
)
def test_a_right_goes_with_its_king_or_rook(text: str, move: str, castling: str) -> None:
    assert after(text, move).split()[2] == castling


def test_the_same_castling_is_two_squares_in_standard_and_king_takes_rook_in_chess960() -> None:
    text = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    assert castlings(text, NINE_SIXTY) == ["e1a1", "e1h1"]
    for move in ("O-O", "O-O-O"):
        assert after(text, move) == after(text, move, NINE_SIXTY)


# --- en passant -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", ["e5d6"]),
        pytest.param("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", ["c5d6", "e5d6"], id="from both sides"),
        pytest.param("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", ["e4d3"], id="black"),
        pytest.param("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", [], id="both pawns leave the rank of the king"),
        pytest.param("4k3/8/8/r2pP2K/8/8/8/8 w - d6 0 1", [], id="both pawns leave the rank, other side"),
        pytest.param("4k3/8/8/K1Pp3r/8/8/8/8 w - d6 0 1", [], id="capturing pawn nearer to the king"),
        pytest.param("4k3/8/8/KB1pP2r/8/8/8/8 w - d6 0 1", ["e5d6"], id="a third man on the rank"),
        pytest.param("3rk3/8/8/3pP3/8/8/8/3K4 w - d6 0 1", ["e5d6"], id="the file stays closed"),
        pytest.param("4k3/8/8/3pP3/8/8/8/b3K3 w - d6 0 1", ["e5d6"], id="no pin"),
        pytest.param("4k3/8/8/8/3pP3/8/8/b3K3 w - - 0 1", [], id="no square, no capture"),
        pytest.param("4k3/b7/8/2pP4/8/4K3/8/8 w - c6 0 1", [], id="the pushed pawn shields a diagonal"),
        pytest.param("4k3/8/8/2pP4/1K6/8/8/8 w - c6 0 1", ["d5c6"], id="the pushed pawn gives check"),
        pytest.param("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", [], id="pinned on the file"),
        pytest.param("6k1/8/7b/3pP3/8/4K3/8/8 w - d6 0 1", [], id="another check stays"),
        pytest.param("4k3/8/8/3pP3/8/8/8/4K3 w - e6 0 1", [], id="a square that no double step left"),
        pytest.param("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", ["e5d6"], id="a plain capture"),
        pytest.param("4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 1", [], id="the wrong side"),
    ],
)
def test_en_passant(text: str, wanted: list[str]) -> None:
    square = text.split()[3]
    found = [move for move in moves(text) if move[2:] == square and move[0] != square[0]]
    assert found == wanted


def test_en_passant_takes_the_pawn_beside_and_lasts_one_move() -> None:
    text = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
    assert after(text, "exd6") == "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1"
    assert after(text, "Kd1").split()[3] == "-"


@pytest.mark.parametrize(
    ("text", "move", "wanted"),
    [
        ("4k3/8/8/8/1p6/P7/8/4K3 b - a3 0 1", "bxa3", "4k3/8/8/8/8/p7/8/4K3 w - - 0 2"),
        ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "4k3/8/3P4/3p4/8/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - e6 0 1", "e6", "4k3/8/4P3/3p4/8/8/8/4K3 b - - 0 1"),
    ],
)
def test_a_square_that_no_double_step_left_changes_no_move(text: str, move: str, wanted: str) -> None:
    assert after(text, move) == wanted


def test_a_double_step_leaves_its_square_whether_or_not_it_can_be_captured() -> None:
    assert after(CHESS.start, "e4").split()[3] == "e3"
    assert after("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a4").split()[3] == "a3"
    assert after("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a3").split()[3] == "-"
    assert after("4k3/p7/8/8/8/8/8/4K3 b - - 0 1", "a5").split()[3] == "a6"


@pytest.mark.parametrize("blocker", ["4k3/8/8/8/8/n7/P7/4K3", "4k3/8/8/8/n7/8/P7/4K3"])
def test_a_double_step_needs_both_squares(blocker: str) -> None:
    assert "a2a4" not in moves(f"{blocker} w - - 0 1")


# --- promotion --------------------------------------------------------------------------------------


def test_a_pawn_on_the_last_rank_becomes_one_of_four() -> None:
    assert [m for m in moves("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1") if m.startswith("a7")] == [
        *("a7a8b", "a7a8n", "a7a8q", "a7a8r"),
        *("a7b8b", "a7b8n", "a7b8q", "a7b8r"),
    ]
    assert after("4k3/P7/8/8/8/8/8/4K3 w - - 9 7", "a8=R+") == "R3k3/8/8/8/8/8/8/4K3 b - - 0 7"
    assert after("4k3/8/8/8/8/8/p7/1N2K3 b - - 9 7", "axb1=N") == "4k3/8/8/8/8/8/8/1n2K3 w - - 0 8"


def test_a_pinned_pawn_promotes_along_its_pin_only() -> None:
    found = [m for m in moves("2r1k3/1P6/K7/8/8/8/8/8 w - - 0 1") if m.startswith("b7")]
    assert found == ["b7b8b", "b7b8n", "b7b8q", "b7b8r", "b7c8b", "b7c8n", "b7c8q", "b7c8r"]
    assert [m for m in moves("2b1k3/1P6/K7/8/8/8/8/8 w - - 0 1") if m.startswith("b7")] == [
        *("b7c8b", "b7c8n", "b7c8q", "b7c8r"),
    ]


@pytest.mark.parametrize("move", ["a8", "a8=K", "a8=P", "a7a8", "a7a8k"])
def test_a_promotion_names_its_piece(move: str) -> None:
    position = at("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    with pytest.raises(MoveError):
        CHESS.read_move(position, move)


# --- how a game ends --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "result", "reason"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "0-1", "checkmate"),
        ("6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1", "*", ""),
        ("3R2k1/5ppp/8/8/8/8/8/6K1 b - - 1 1", "1-0", "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2", "stalemate"),
        ("7k/5Q2/8/8/8/8/8/6K1 b - - 0 1", "1/2-1/2", "stalemate"),
        pytest.param("3R2k1/5ppp/8/8/8/8/8/6K1 b - - 150 99", "1-0", "checkmate", id="mate comes first"),
        pytest.param("4k3/8/8/8/8/8/8/R3K3 w Q - 149 90", "*", "", id="149"),
        pytest.param("4k3/8/8/8/8/8/8/R3K3 w Q - 150 90", "1/2-1/2", "seventy-five moves", id="150"),
        pytest.param("4k3/8/8/8/8/8/8/R3K3 w Q - 9999 9999", "1/2-1/2", "seventy-five moves", id="9999"),
    ],
)
def test_outcomes(text: str, result: str, reason: str) -> None:
    match = Match(CHESS, at(text))
    assert match.result == result
    assert (match.outcome.reason if match.outcome else "") == reason


@pytest.mark.parametrize(
    ("board", "drawn"),
    [
        ("4k3/8/8/8/8/8/8/4K3", True),
        ("4k3/8/8/8/8/8/8/2B1K3", True),
        ("4k3/8/8/8/8/8/8/1N2K3", True),
        ("1n2k3/8/8/8/8/8/8/4K3", True),
        pytest.param("2b1k3/8/8/8/8/8/8/3BK3", True, id="bishops on one colour"),
        pytest.param("4k3/8/8/1B1B4/8/8/8/4K3", True, id="two bishops of one side on one colour"),
        pytest.param("2b1k3/8/8/8/8/8/8/2B1K3", False, id="bishops on both colours"),
        pytest.param("4k3/8/8/8/8/8/8/1BB1K3", False, id="the bishop pair"),
        pytest.param("4k3/8/8/8/8/8/8/1NN1K3", False, id="two knights"),
        pytest.param("4k3/8/8/8/8/8/8/1NB1K3", False, id="knight and bishop"),
        pytest.param("1n2k3/8/8/8/8/8/8/1N2K3", False, id="a knight each"),
        pytest.param("1n2k3/8/8/8/8/8/8/2B1K3", False, id="knight against bishop"),
        pytest.param("4k3/8/8/8/8/8/P7/4K3", False, id="a pawn"),
        pytest.param("4k3/8/8/8/8/8/8/R3K3", False, id="a rook"),
        pytest.param("4k3/8/8/8/8/8/8/Q3K3", False, id="a queen"),
    ],
)
def test_insufficient_material(board: str, drawn: bool) -> None:
    outcome = CHESS.outcome(at(f"{board} w - - 0 1"))
    assert (outcome is not None and outcome.reason == "insufficient material") is drawn


def shuffle(match: Match, times: int) -> None:
    for _ in range(times):
        for move in ("Nf3", "Nf6", "Ng1", "Ng8"):
            match.play(move)


def test_repetition_three_times_may_be_claimed_five_times_ends_the_game() -> None:
    match = Match("chess")
    shuffle(match, 2)
    assert (match.repetitions, match.claims, match.outcome) == (3, ("threefold repetition",), None)
    shuffle(match, 2)
    assert match.repetitions == 5
    assert match.result == "1/2-1/2"
    assert match.outcome is not None
    assert match.outcome.reason == "fivefold repetition"


def test_a_lost_right_or_a_real_en_passant_makes_another_position() -> None:
    match = Match("chess")
    for move in ("e4", "Nc6", "e5", "d5"):
        match.play(move)
    # The capture on d6 was possible once, and is not when the board looks the same again.
    shuffle_back = ("Nf3", "Nf6", "Ng1", "Ng8")
    for move in shuffle_back:
        match.play(move)
    assert match.repetitions == 1
    for move in ("Ke2", "Nf6", "Ke1", "Ng8"):
        match.play(move)
    assert match.repetitions == 1


def test_an_en_passant_square_that_nobody_can_use_does_not_make_another_position() -> None:
    match = Match("chess")
    match.play("e4")
    for move in ("Nf6", "Nf3", "Ng8", "Ng1"):
        match.play(move)
    assert match.position.ep == "-"
    assert match.repetitions == 2


@pytest.mark.parametrize(("half", "wanted"), [(99, ()), (100, ("fifty moves",)), (149, ("fifty moves",))])
def test_fifty_moves_may_be_claimed(half: int, wanted: tuple[str, ...]) -> None:
    assert CHESS.claims(at(f"4k3/8/8/8/8/8/8/R3K3 w - - {half} 90")) == wanted


@pytest.mark.parametrize(
    ("game", "text"),
    [
        pytest.param(CHESS, "3R2k1/5ppp/8/8/8/8/8/6K1 b - - 120 99", id="mated"),
        pytest.param(CHESS, "7k/5Q2/6K1/8/8/8/8/8 b - - 120 99", id="stalemated"),
        pytest.param(CHESS, "4k3/8/8/8/8/8/8/2B1K3 w - - 120 99", id="dead"),
        pytest.param(CHESS, "4k3/8/8/8/8/8/8/R3K3 w - - 150 99", id="seventy-five moves"),
        pytest.param(NINE_SIXTY, "3R2k1/5ppp/8/8/8/8/8/6K1 b - - 120 99", id="mated in chess960"),
        pytest.param(CRAZYHOUSE, "3R2k1/5ppp/8/8/8/8/8/6K1[] b - - 120 99", id="mated in crazyhouse"),
        pytest.param(THREE_CHECK, "R3k3/8/8/8/8/8/8/4K3 b - - 0+3 120 99", id="the third check"),
    ],
)
def test_nothing_is_claimed_where_the_game_has_ended(game: Chess, text: str) -> None:
    position = at(text, game)
    assert game.outcome(position, 3) is not None
    assert game.claims(position, 3) == ()


def test_the_fifth_repetition_leaves_nothing_to_claim() -> None:
    match = Match("chess")
    shuffle(match, 3)
    before = match.claims
    shuffle(match, 1)
    assert (before, match.claims) == (("threefold repetition",), ())


# --- the null move ----------------------------------------------------------------------------------


def test_a_null_move_passes_the_turn_and_is_no_move_of_the_rules() -> None:
    position = at("4k3/8/8/3pP3/8/8/8/R3K2R b KQ d6 7 2")
    null = CHESS.read_pass(position, "--")
    assert null is not None and null.is_null
    assert str(CHESS.play(position, null)) == "4k3/8/8/3pP3/8/8/8/R3K2R w KQ - 8 3"
    assert (null.uci, null.origin, null.target) == ("0000", None, "")
    assert pickle.loads(pickle.dumps(null)) is null  # noqa: S301
    facts = CHESS.describe_move(position, null)
    assert (facts.move, facts.lan, facts.origin, facts.target, facts.flags) == ("--", "0000", None, None, "")
    assert (facts.captured, facts.piece) == (None, "")
    assert null not in CHESS.moves(position)
    match = Match(CHESS, position)
    for move in (null, "--", "0000"):
        with pytest.raises(MoveError):
            match.play(move)


@pytest.mark.parametrize("text", ["--", "––", "Z0", "z0", "@@@@", "0000", "null", "NULL", "pass", "Pass"])
def test_the_spellings_of_a_null_move(text: str) -> None:
    assert CHESS.read_pass(at(CHESS.start), text) is CHESS.read_pass(at(CHESS.start), "--")


@pytest.mark.parametrize("text", ["e4", "-", "---", "Z1", "000", ""])
def test_other_texts_are_no_null_move(text: str) -> None:
    assert CHESS.read_pass(at(CHESS.start), text) is None


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (CHESS, "R3k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        (THREE_CHECK, "4k3/8/8/8/8/8/8/R3K3 b - - 0+3 0 1"),
    ],
)
def test_nobody_passes_in_check_or_after_the_end(game: Chess, text: str) -> None:
    with pytest.raises(MoveError) as caught:
        game.read_pass(at(text, game), "--")
    assert caught.value.kind == "illegal"


# --- clocks -----------------------------------------------------------------------------------------


def test_clocks_count_and_go_back_to_nought() -> None:
    assert after("4k3/8/8/8/8/8/P7/4K3 w - - 7 3", "Kd1").split()[4:] == ["8", "3"]
    assert after("4k3/8/8/8/8/8/P7/4K3 b - - 7 3", "Kd7").split()[4:] == ["8", "4"]
    assert after("4k3/8/8/8/8/8/P7/4K3 w - - 7 3", "a3").split()[4:] == ["0", "3"]
    assert after("4k3/8/8/8/8/8/n7/R3K3 w - - 7 3", "Rxa2").split()[4:] == ["0", "3"]


def test_clocks_stop_at_9999() -> None:
    assert after("4k3/8/8/8/8/8/8/R3K3 b - - 9999 9999", "Kd7").split()[4:] == ["9999", "9999"]
    assert after("4k3/8/8/8/8/8/8/R3K3 b - - 9998 9998", "Kd7").split()[4:] == ["9999", "9999"]


# --- boards without kings ---------------------------------------------------------------------------


KINGLESS = ["8/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/R7", "4k3/8/8/8/8/8/8/R7", "4k3/8/8/8/8/8/8/KK6"]


@pytest.mark.parametrize("board", KINGLESS)
def test_a_side_without_its_one_king_has_no_moves_and_no_result(board: str) -> None:
    position = at(f"{board} w - - 0 1")
    assert CHESS.moves(position) == []
    assert not CHESS.is_check(position)
    assert CHESS.perft(position, 3) == 0
    outcome = CHESS.outcome(position)
    assert outcome is None or outcome.reason not in ("checkmate", "stalemate")


def test_the_king_of_the_side_that_waits_may_be_missing() -> None:
    assert len(moves("8/8/8/8/8/8/8/R3K3 w - - 0 1")) == 10 + 5


# --- Crazyhouse -------------------------------------------------------------------------------------


def test_a_captured_man_changes_sides_and_goes_into_the_pocket() -> None:
    assert after("4k3/8/8/3q4/4P3/8/8/4K3[] w - - 0 1", "exd5", CRAZYHOUSE).split()[0].endswith("[Q]")
    assert after("4k3/8/8/3q~4/4P3/8/8/4K3[] w - - 0 1", "exd5", CRAZYHOUSE).split()[0].endswith("[P]")
    assert after("4k3/8/8/3pP3/8/8/8/4K3[n] w - d6 0 1", "exd6", CRAZYHOUSE).split()[0].endswith("[Pn]")


def test_a_promoted_man_keeps_its_mark_and_loses_it_only_when_taken() -> None:
    text = after("4k3/P7/8/8/8/8/8/4K3[] w - - 0 1", "a8=Q+", CRAZYHOUSE)
    assert text.startswith("Q~3k3/")
    text = after(text, "Kd7", CRAZYHOUSE)
    assert after(text, "Qa4+", CRAZYHOUSE).startswith("8/3k4/8/8/Q~7/")


def test_drops_fill_empty_squares_and_pawns_stay_off_the_end_ranks() -> None:
    text = "4k3/8/8/8/8/8/8/4K3[PN] w - - 0 1"
    drops = [move for move in moves(text, CRAZYHOUSE) if "@" in move]
    assert len(drops) == 48 + 62
    assert after(text, "N@e4", CRAZYHOUSE) == "4k3/8/8/8/4N3/8/8/4K3[P] b - - 1 1"
    # As in python-chess a dropped pawn has not moved; chessops begins to count anew.
    assert after(text, "P@e4", CRAZYHOUSE) == "4k3/8/8/8/4P3/8/8/4K3[N] b - - 1 1"


def test_a_drop_can_block_a_check_and_smothered_mate_looks_at_the_pocket() -> None:
    text = "4k3/8/8/8/8/8/5PPP/r5K1[{}] w - - 0 1"
    assert CRAZYHOUSE.outcome(at(text.format(""), CRAZYHOUSE)) is not None
    assert CRAZYHOUSE.outcome(at(text.format("N"), CRAZYHOUSE)) is None
    assert moves(text.format("N"), CRAZYHOUSE) == ["N@b1", "N@c1", "N@d1", "N@e1", "N@f1"]
    # A pawn cannot be dropped on the first rank.
    assert moves(text.format("P"), CRAZYHOUSE) == []


@pytest.mark.parametrize("pocket", ["", "N", "b", "P", "r", "Nn", "Bb"])
@pytest.mark.parametrize("men", ["", "N", "b", "N~", "r~", "BB", "Nn", "p", "R", "q"])
def test_material_is_insufficient_in_crazyhouse_as_another_library_says(men: str, pocket: str) -> None:
    text = f"4k3/8/8/{men}{8 - len(men.replace('~', '')) or ''}/8/8/8/4K3[{pocket}] w - - 0 1"
    other = CrazyhouseBoard(text)
    outcome = CRAZYHOUSE.outcome(at(text, CRAZYHOUSE))
    assert (outcome is not None and outcome.reason == "insufficient material") is (
        other.is_insufficient_material()
    )


# --- Three-check ------------------------------------------------------------------------------------


def test_the_third_check_wins() -> None:
    match = Match(THREE_CHECK, "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1")
    match.play("Ra8+")
    assert match.position.checks == (0, 3)
    assert match.outcome is not None
    assert (match.result, match.outcome.reason) == ("1-0", "three checks")
    assert match.moves() == []
    match.undo()
    assert match.position.checks == (1, 3)
    assert match.result == "*"


def test_checks_are_counted_for_who_gives_them() -> None:
    match = Match(THREE_CHECK, "r3k3/8/8/8/8/8/8/R3K3 w - - 3+3 0 1")
    for move, checks in (("Rxa8+", (2, 3)), ("Kd7", (2, 3)), ("Ra7+", (1, 3))):
        match.play(move)
        assert match.position.checks == checks


def test_a_minor_piece_is_enough_in_three_check() -> None:
    assert THREE_CHECK.outcome(at("4k3/8/8/8/8/8/8/2B1K3 w - - 3+3 0 1", THREE_CHECK)) is None
    assert THREE_CHECK.outcome(at("4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1", THREE_CHECK)) is not None


ATOMIC = CHESS.with_variant("atomic")


@pytest.mark.parametrize(
    ("board", "white", "black"),
    [
        # A bare king explodes nothing, and kings do not capture.
        ("4k3/8/8/8/8/8/8/4K3", True, True),
        # Alone against a king, a queen and a pawn can win.
        ("4k3/8/8/8/8/8/8/3QK3", False, True),
        ("4k3/8/8/8/8/8/P7/4K3", False, True),
        ("3qk3/8/8/8/8/8/8/4K3", True, False),
        ("4k3/p7/8/8/8/8/8/4K3", True, False),
        # One rook, bishop or knight cannot, nor two knights. Any other two pieces can.
        ("4k3/8/8/8/8/8/8/R3K3", True, True),
        ("4k3/8/8/8/8/8/8/B3K3", True, True),
        ("n3k3/8/8/8/8/8/8/4K3", True, True),
        ("4k3/8/8/8/8/8/8/NN2K3", True, True),
        ("4k3/8/8/8/8/8/8/NNN1K3", False, True),
        ("4k3/8/8/8/8/8/8/RR2K3", False, True),
        ("4k3/8/8/8/8/8/8/BB2K3", False, True),
        ("bn2k3/8/8/8/8/8/8/4K3", True, False),
        # Pieces of both sides can capture each other beside a king.
        ("n3k3/8/8/8/8/8/8/B3K3", False, False),
        ("bn2k3/8/8/8/8/8/8/1B2K3", False, False),
        ("r3k3/8/8/8/8/8/8/R3K3", False, False),
        # Bishops meet only on squares of one colour.
        ("b3k3/8/8/8/8/8/8/1B2K3", False, False),
        ("1b2k3/8/8/8/8/8/8/B3K3", False, False),
        ("b3k3/8/8/8/8/8/8/B3K3", True, True),
        ("1b2k3/8/8/8/8/8/8/1B2K3", True, True),
        ("b3k3/8/8/8/8/8/8/BB2K3", False, False),
        ("bb2k3/8/8/8/8/8/8/B3K3", False, False),
    ],
)
def test_material_that_cannot_win_in_atomic_chess(board: str, white: bool, black: bool) -> None:
    text = f"{board} w - - 0 1"
    position = ATOMIC.parse(text)
    assert (position.lacks_material("w"), position.lacks_material("b")) == (white, black)
    other = AtomicBoard(text)
    assert other.has_insufficient_material(True) is white
    assert other.has_insufficient_material(False) is black
    outcome = ATOMIC.outcome(position)
    assert (outcome is not None and outcome.reason == "insufficient material") is (white and black)


def test_a_side_whose_enemy_king_has_exploded_does_not_lack_material() -> None:
    position = ATOMIC.parse("8/8/8/8/8/8/8/R3K3 b - - 0 1", legality=False)
    assert not position.lacks_material("w")
