"""The same tasks with python-chess, as its documentation does them."""

import io
from collections.abc import Sequence
from datetime import timedelta

import chess
import chess.pgn
import chess.polyglot
import chess.svg


def is_valid(text: str) -> bool:
    """Is a text a legal position?"""
    try:
        return bool(chess.Board(text).is_valid())
    except ValueError:
        return False


def faults(text: str) -> list[str]:
    """What is wrong with a text?"""
    try:
        status = chess.Board(text).status()
    except ValueError as error:
        return [str(error)]
    return [flag.name for flag in chess.Status if flag & status]


def legal_moves(text: str) -> list[str]:
    """All legal moves in standard notation."""
    board = chess.Board(text)
    return sorted(board.san(move) for move in board.legal_moves)


def play(text: str, moves: Sequence[str]) -> str:
    """Play moves in standard notation and write the position."""
    board = chess.Board(text)
    for move in moves:
        board.push_san(move)
    return str(board.fen(en_passant="fen"))


def uci_to_san(text: str, move: str) -> str:
    """A move of an engine as people write it."""
    return str(chess.Board(text).san(chess.Move.from_uci(move)))


def result(text: str) -> str | None:
    """The result, if the game is over."""
    outcome = chess.Board(text).outcome()
    return outcome.result() if outcome else None


def count_nodes(text: str, depth: int) -> int:
    """Perft: the number of ways to play so many moves."""

    def nodes(board: chess.Board, depth: int) -> int:
        if depth == 1:
            return int(board.legal_moves.count())
        count = 0
        for move in board.legal_moves:
            board.push(move)
            count += nodes(board, depth - 1)
            board.pop()
        return count

    return nodes(chess.Board(text), depth)


def attackers(text: str, square: str, side: str) -> list[str]:
    """Which men of a side attack a square?"""
    squares = chess.Board(text).attackers(side == "w", chess.parse_square(square))
    return sorted(chess.square_name(one) for one in squares)


def pinned(text: str) -> list[str]:
    """Which men of the side to move are pinned?"""
    board = chess.Board(text)
    men = chess.SquareSet(board.occupied_co[board.turn])
    return sorted(chess.square_name(one) for one in men if board.is_pinned(board.turn, one))


def same_position(first: str, second: str) -> bool:
    """Are two texts one position, whatever their clocks say?"""
    boards = chess.Board(first), chess.Board(second)
    return bool(chess.polyglot.zobrist_hash(boards[0]) == chess.polyglot.zobrist_hash(boards[1]))


def targets(text: str, square: str) -> list[str]:
    """Where may the man on a square go?"""
    board = chess.Board(text)
    moves = board.generate_legal_moves(from_mask=chess.BB_SQUARES[chess.parse_square(square)])
    return sorted({chess.square_name(move.to_square) for move in moves})


def may_claim_repetition(moves: Sequence[str]) -> bool:
    """May a draw be claimed because the position has come for the third time?"""
    board = chess.Board()
    for move in moves:
        board.push_san(move)
    return bool(board.is_repetition(3))


def best_moves(line: str) -> list[str]:
    """The operation `bm` of an EPD line."""
    board, operations = chess.Board.from_epd(line)
    return [board.san(move) for move in operations["bm"]]


def tags(text: str) -> dict[str, str]:
    """The tags of a game."""
    return dict(chess.pgn.read_headers(io.StringIO(text)) or {})


def positions(text: str) -> list[str]:
    """Every position of the main line of a game."""
    game = chess.pgn.read_game(io.StringIO(text))
    return [node.board().fen(en_passant="fen") for node in (game, *game.mainline())]


def is_sound(text: str) -> bool:
    """Can a record be read to its end?"""
    game = chess.pgn.read_game(io.StringIO(text))
    return not game.errors


def clocks(text: str) -> list[timedelta | None]:
    """The clock times in the comments of a game."""
    game = chess.pgn.read_game(io.StringIO(text))
    seconds = [node.clock() for node in game.mainline()]
    return [None if one is None else timedelta(seconds=one) for one in seconds]


def add_variation(text: str, ply: int, moves: Sequence[str]) -> str:
    """Add a variation to a game and write it."""
    game = chess.pgn.read_game(io.StringIO(text))
    node = list(game.mainline())[ply - 1].parent
    for move in moves:
        node = node.add_variation(node.board().parse_san(move))
    return str(game)


def draw(text: str) -> str:
    """A picture of a position as SVG."""
    return str(chess.svg.board(chess.Board(text)))


def show(text: str) -> str:
    """A board of letters."""
    return str(chess.Board(text))
