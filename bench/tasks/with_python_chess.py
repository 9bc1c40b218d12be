"""The same tasks with python-chess, as its documentation does them."""

import io
from collections.abc import Sequence
from datetime import timedelta

import chess
import chess.pgn
import chess.polyglot
import chess.svg


def is_valid(text: str) -> bool:
    """Check whether a text is a legal position."""
    try:
        return bool(chess.Board(text).is_valid())
    except ValueError:
        return False


def faults(text: str) -> list[str]:
    """List the errors of a text."""
    try:
        status = chess.Board(text).status()
    except ValueError as error:
        return [str(error)]
    return [flag.name for flag in chess.Status if flag & status]


def legal_moves(text: str) -> list[str]:
    """List the legal moves in standard notation."""
    board = chess.Board(text)
    return sorted(board.san(move) for move in board.legal_moves)


def play(text: str, moves: Sequence[str]) -> str:
    """Play moves in standard notation and write the position."""
    board = chess.Board(text)
    for move in moves:
        board.push_san(move)
    return str(board.fen(en_passant="fen"))


def uci_to_san(text: str, move: str) -> str:
    """Convert a move from UCI to standard notation."""
    return str(chess.Board(text).san(chess.Move.from_uci(move)))


def result(text: str) -> str | None:
    """Return the result if the game is over."""
    outcome = chess.Board(text).outcome()
    return outcome.result() if outcome else None


def count_nodes(text: str, depth: int) -> int:
    """Count the move sequences of a given length (perft)."""

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
    """List the squares of the pieces of a side that attack a square."""
    squares = chess.Board(text).attackers(side == "w", chess.parse_square(square))
    return sorted(chess.square_name(origin) for origin in squares)


def pinned(text: str) -> list[str]:
    """List the squares of the pinned pieces of the side to move."""
    board = chess.Board(text)
    squares = chess.SquareSet(board.occupied_co[board.turn])
    return sorted(chess.square_name(square) for square in squares if board.is_pinned(board.turn, square))


def same_position(first: str, second: str) -> bool:
    """Compare two texts as positions, without their clocks."""
    boards = chess.Board(first), chess.Board(second)
    return bool(chess.polyglot.zobrist_hash(boards[0]) == chess.polyglot.zobrist_hash(boards[1]))


def targets(text: str, square: str) -> list[str]:
    """List the squares that the piece on a square can move to."""
    board = chess.Board(text)
    moves = board.generate_legal_moves(from_mask=chess.BB_SQUARES[chess.parse_square(square)])
    return sorted({chess.square_name(move.to_square) for move in moves})


def may_claim_repetition(moves: Sequence[str]) -> bool:
    """Check whether a draw by threefold repetition can be claimed."""
    board = chess.Board()
    for move in moves:
        board.push_san(move)
    return bool(board.is_repetition(3))


def best_moves(line: str) -> list[str]:
    """Read the best moves (`bm`) of an EPD line."""
    board, operations = chess.Board.from_epd(line)
    return [board.san(move) for move in operations["bm"]]


def tags(text: str) -> dict[str, str]:
    """Read the tags of a game."""
    return dict(chess.pgn.read_headers(io.StringIO(text)) or {})


def positions(text: str) -> list[str]:
    """List every position of the main line of a game."""
    game = chess.pgn.read_game(io.StringIO(text))
    board = game.board()
    texts = [board.fen(en_passant="fen")]
    for move in game.mainline_moves():
        board.push(move)
        texts.append(board.fen(en_passant="fen"))
    return texts


def is_sound(text: str) -> bool:
    """Check whether a record can be read to its end."""
    game = chess.pgn.read_game(io.StringIO(text))
    return not game.errors


def clocks(text: str) -> list[timedelta | None]:
    """List the clock times in the comments of a game."""
    game = chess.pgn.read_game(io.StringIO(text))
    seconds = [node.clock() for node in game.mainline()]
    return [None if clock is None else timedelta(seconds=clock) for clock in seconds]


def add_variation(text: str, ply: int, moves: Sequence[str]) -> str:
    """Add a variation to a game and write it."""
    game = chess.pgn.read_game(io.StringIO(text))
    node = list(game.mainline())[ply - 1].parent
    for move in moves:
        node = node.add_variation(node.board().parse_san(move))
    return str(game)


def draw(text: str) -> str:
    """Draw a position as SVG."""
    return str(chess.svg.board(chess.Board(text)))


def show(text: str) -> str:
    """Draw a board of letters."""
    return str(chess.Board(text))
