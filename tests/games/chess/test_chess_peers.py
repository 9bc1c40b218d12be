"""python-chess as an oracle: the same moves, texts and verdicts on golden positions and random games.

Where the two differ on purpose the difference is written down here, next to the test that allows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import chess
import pytest
from chess import variant as chess_variant
from tests.golden_data import CHESS, COMPILED, Row, bench, game_of, rows, variant_of

from forsyth import Match
from forsyth.games.chess import Chess, Position

SAMPLE = 1 if COMPILED else 4
"""Every how manieth golden row is compared: python-chess is the slow one of the two."""
GAMES = 24 if COMPILED else 8
PLIES = 60

_BOARDS = {
    "standard": chess.Board,
    "chess960": lambda fen: chess.Board(fen, chess960=True),
    "crazyhouse": chess_variant.CrazyhouseBoard,
    "3check": chess_variant.ThreeCheckBoard,
}
_STARTS = {
    "crazyhouse": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
    "3check": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
    "standard": CHESS.start,
}


def peer(text: str, variant: str = "standard") -> Any:
    return _BOARDS[variant](text)


def require_same_moves(game: Chess, position: Position, board: Any) -> None:
    ours = {move.uci: game.write_move(position, move) for move in game.moves(position)}
    theirs = {move.uci(): board.san(move) for move in board.legal_moves}
    assert ours == theirs, str(position)


def sampled_rows() -> Iterator[tuple[str, Row]]:
    for name, step in (("valid_fens", 2 * SAMPLE), ("variants", 1), ("san", SAMPLE), ("perft", SAMPLE)):
        yield from ((name, row) for row in rows(name)[::step])


def test_legal_moves_and_their_san() -> None:
    for _, row in sampled_rows():
        game = game_of(row)
        require_same_moves(game, game.parse(row["fen"], legality=False), peer(row["fen"], variant_of(row)))


def test_texts_in_every_convention() -> None:
    for _, row in sampled_rows():
        variant = variant_of(row)
        if variant in ("crazyhouse", "3check"):
            continue
        game, board = game_of(row), peer(row["fen"], variant)
        position = game.parse(row["fen"], legality=False)
        assert game.write(position, "fen") == board.fen(en_passant="fen"), row["id"]
        assert game.write(position, "xfen") == board.fen(en_passant="xfen"), row["id"]
        assert game.write(position, "legal") == board.fen(en_passant="legal"), row["id"]
        # python-chess knows Shredder letters by the name of their engine's interface.
        assert game.write(position, "shredder") == board.fen(shredder=True, en_passant="fen"), row["id"]


def test_the_result_of_a_position() -> None:
    for _, row in sampled_rows():
        game, board = game_of(row), peer(row["fen"], variant_of(row))
        position = game.parse(row["fen"], legality=False)
        outcome = game.outcome(position)
        assert ("*" if outcome is None else outcome.result) == board.result(), row["id"]
        assert game.is_check(position) is board.is_check(), row["id"]


# --- verdicts ---------------------------------------------------------------------------------------

FLAGS = {
    chess.STATUS_PAWNS_ON_BACKRANK: "pawn.backrank",
    chess.STATUS_OPPOSITE_CHECK: "check.opposite",
    chess.STATUS_TOO_MANY_WHITE_PAWNS: "pawn.many",
    chess.STATUS_TOO_MANY_BLACK_PAWNS: "pawn.many",
    chess.STATUS_TOO_MANY_WHITE_PIECES: "pieces.many",
    chess.STATUS_TOO_MANY_BLACK_PIECES: "pieces.many",
    chess.STATUS_NO_WHITE_KING: "king.missing",
    chess.STATUS_NO_BLACK_KING: "king.missing",
    chess.STATUS_TOO_MANY_CHECKERS: "check.many",
}
"""Flags that mean exactly one of our codes."""

ALIKE = tuple(dict.fromkeys(FLAGS.values()))


def flagged(status: int) -> set[str]:
    return {code for flag, code in FLAGS.items() if status & flag}


def is_one_each(codes: set[str]) -> bool:
    """Whether each side has one king; python-chess looks for checks without that too, we do not."""
    return not codes & {"king.missing", "king.many"}


def readable() -> Iterator[tuple[str, Position, Any]]:
    """Golden texts that both read, with both results."""
    for row in rows("invalid_fens"):
        reading = CHESS.read(row["fen"])
        if reading.position is not None:
            text = str(reading.position)
            yield text, reading.position, chess.Board(text)


def test_flags_that_mean_one_code() -> None:
    for text, position, board in readable():
        codes = {d.code for d in CHESS.check(position)}
        if is_one_each(codes):
            theirs = flagged(board.status())
            if board.ep_square is not None:
                # A check counted together with an en-passant square is an impossible one for both of us,
                # but python-chess does not count checkers then.
                theirs -= {"check.many"}
                codes -= {"check.many"}
            assert codes & set(ALIKE) == theirs, text


def test_a_missing_king_is_flagged_by_both() -> None:
    for text, position, board in readable():
        codes = {d.code for d in CHESS.check(position)}
        flag = chess.STATUS_NO_WHITE_KING | chess.STATUS_NO_BLACK_KING | chess.STATUS_EMPTY
        assert ("king.missing" in codes) is bool(board.status() & flag), text


def test_castling_flags() -> None:
    for text, position, board in readable():
        codes = {d.code for d in CHESS.check(position)}
        ours = bool(codes & {"castling.no_king", "castling.no_rook"})
        # python-chess drops a queen-side right without a rook and flags nothing (spec/chess 5.2, note c).
        dropped = board.fen().split()[2] != position.castling
        assert ours is bool(board.status() & chess.STATUS_BAD_CASTLING_RIGHTS) or (ours and dropped), text


def test_en_passant_flags() -> None:
    for text, position, board in readable():
        codes = {d.code for d in CHESS.check(position)}
        ours = bool(codes & {"ep.side", "ep.no_pawn", "ep.blocked"})
        assert ours is bool(board.status() & chess.STATUS_INVALID_EP_SQUARE), text


def test_what_python_chess_calls_impossible_is_impossible() -> None:
    """The other way round we also flag two steppers checking together (spec/chess 5.2, note f)."""
    seen = 0
    for text, position, board in readable():
        codes = {d.code for d in CHESS.check(position)}
        if is_one_each(codes) and board.status() & chess.STATUS_IMPOSSIBLE_CHECK:
            assert "check.impossible" in codes, text
            seen += 1
    assert seen > 10


# --- random games -----------------------------------------------------------------------------------


def starts() -> Iterator[tuple[str, str]]:
    for variant in ("crazyhouse", "3check", "standard"):
        yield variant, _STARTS[variant]
    yield "standard", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    yield "standard", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
    for number in (0, 4, 518, 692, 959):
        yield "chess960", chess.Board.from_chess960_pos(number).fen()


@pytest.mark.parametrize(("variant", "start"), list(starts()))
def test_random_games(variant: str, start: str) -> None:
    game = CHESS.with_variant(variant)
    for seed in range(GAMES):
        random = Random(f"{start} {seed}")
        match, board = Match(game, start), peer(start, variant)
        for _ in range(PLIES):
            require_same_moves(game, match.position, board)
            assert str(match.position).split()[0] == board.fen(promoted=variant == "crazyhouse").split()[0]
            assert (
                game.write(match.position, "legal").split()[1:4] == board.fen(en_passant="legal").split()[1:4]
            )
            assert match.position.half == board.halfmove_clock
            assert match.position.full == board.fullmove_number
            legal = game.moves(match.position)
            if not legal:
                assert match.result == board.result()
                break
            move = random.choice(legal)
            match.play(move)
            board.push_uci(move.uci)
            assert (match.repetitions >= 3) is board.is_repetition(3)
            assert not [d.code for d in game.check(match.position) if d.is_error]


def test_every_chess960_start() -> None:
    game = CHESS.with_variant("chess960")
    for number in range(0, 960, 1 if COMPILED else 8):
        board = chess.Board.from_chess960_pos(number)
        position = game.parse(board.fen(), mode="strict")
        assert str(position) == board.fen()
        assert game.write(position, "shredder") == board.fen(shredder=True)
        require_same_moves(game, position, board)


def test_the_bench_corpus() -> None:
    for text, san in bench()[:: 4 * SAMPLE]:
        board = chess.Board(text)
        position = CHESS.parse(text)
        require_same_moves(CHESS, position, board)
        assert CHESS.read_move(position, san).uci == board.parse_san(san).uci()
