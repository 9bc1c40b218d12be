"""The peers: for each library on the package index that reads chess positions fast, what it can do.

Every peer gets its quickest correct way: where two calls do one job, the faster one was taken.
A peer that is not installed is None in `installed_peers`, not an error.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from bench.adapters import Adapter

PYTHON_CHESS: Final = "python-chess"
NCHESS: Final = "nchess"


def python_chess() -> Adapter:
    """python-chess: written in Python, and what most people use."""
    chess: Any = importlib.import_module("chess")
    board = chess.Board

    def texts(boards: Iterable[Any]) -> None:
        for position in boards:
            position.fen(en_passant="fen")

    def verdicts(fens: Iterable[str]) -> None:
        for fen in fens:
            board(fen).is_valid()

    def lists(boards: Iterable[Any]) -> None:
        for position in boards:
            list(position.legal_moves)

    def perft(position: Any, depth: int) -> int:
        if depth == 1:
            return int(position.legal_moves.count())
        nodes = 0
        for move in position.legal_moves:
            position.push(move)
            nodes += perft(position, depth - 1)
            position.pop()
        return nodes

    return Adapter(
        name=PYTHON_CHESS,
        version=version("chess"),
        parse=board,
        uci=lambda _, move: str(move.uci()),
        write=lambda position: str(position.fen(en_passant="fen")),
        validate=lambda fen: bool(board(fen).is_valid()),
        moves=lambda position: list(position.legal_moves),
        san=board.parse_san,
        perft=perft,
        loops={"write": texts, "validate": verdicts, "moves": lists},
    )


def nchess() -> Adapter:
    """nchess: C. Checks no legality; its en-passant field is a number, not a square."""
    library: Any = importlib.import_module("nchess")
    board = library.Board
    return Adapter(
        name=NCHESS,
        version=version("nchess"),
        parse=board,
        uci=lambda _, move: str(move)[len('Move("') : -len('")')],
        write=board.fen,
        moves=board.generate_legal_moves,
        perft=lambda position, depth: int(position.perft(depth, no_print=True)),
        perft_is_own=True,
    )


def cozy_chess() -> Adapter:
    """cozy-chess: Rust. Validates whatever it parses; castling is king takes own rook."""
    library: Any = importlib.import_module("cozy_chess")
    board = library.Board
    king = library.Piece.King

    def uci(position: Any, move: Any) -> str:
        origin, target = move.from_square, move.to_square
        castles = position.piece_on(origin) == king and position.color_on(target) == position.side_to_move()
        if not castles:
            return str(move)
        text = str(target)
        return f"{origin}{'g' if text[0] > str(origin)[0] else 'c'}{text[1]}"

    return Adapter(
        name="cozy-chess-py",
        version=version("cozy-chess-py"),
        parse=board.from_fen,
        uci=uci,
        write=board.fen,
        validate=accepts(board.from_fen),
        moves=board.generate_moves,
        perft=perft_by_copies(board.generate_moves, board.__copy__, board.play_unchecked),
    )


def pyrust_chess() -> Adapter:
    """pyrust_chess: Rust behind python-chess's names.

    `is_valid()` lets most faults of castling and en passant pass, `status()` finds them, so that is timed.
    """
    library: Any = importlib.import_module("pyrust_chess")
    board = library.Board

    def texts(boards: Iterable[Any]) -> None:
        for position in boards:
            position.fen(en_passant="fen")

    def verdicts(fens: Iterable[str]) -> None:
        for fen in fens:
            board(fen).status()

    def perft(position: Any, depth: int) -> int:
        if depth == 1:
            return int(position.legal_moves.count())
        nodes = 0
        for move in position.generate_legal_moves():
            position.push(move)
            nodes += perft(position, depth - 1)
            position.pop()
        return nodes

    return Adapter(
        name="pyrust_chess",
        version=version("pyrust_chess"),
        parse=board,
        uci=lambda _, move: str(move.uci()),
        write=lambda position: str(position.fen(en_passant="fen")),
        validate=lambda fen: int(board(fen).status()) == 0,
        moves=board.generate_legal_moves,
        san=board.parse_san,
        perft=perft,
        loops={"write": texts, "validate": verdicts},
    )


def shakmaty() -> Adapter:
    """shakmaty: Rust. Validates whatever it parses, and panics when that fails."""
    library: Any = importlib.import_module("shakmaty_python_binding")
    board = library.MyChess
    return Adapter(
        name="shakmaty_python_binding",
        version=version("shakmaty_python_binding"),
        parse=board,
        uci=lambda _, move: str(move.uci()),
        write=board.fen,
        validate=accepts(board),
        moves=board.legal_moves,
        perft=perft_by_copies(board.legal_moves, board.copy, board.play),
    )


def rust_chess() -> Adapter:
    """rust-chess: Rust. Its sanity check misses pawns on the last ranks and all of en passant: no verdict."""
    library: Any = importlib.import_module("rust_chess")
    board = library.Board

    def lists(boards: Iterable[Any]) -> None:
        for position in boards:
            list(position.generate_legal_moves())

    def perft(position: Any, depth: int) -> int:
        # The generator inside a board is used up by reading it, also by an earlier repeat.
        position.reset_move_generator()
        if depth == 1:
            return int(position.get_generator_num_remaining())
        return sum(
            perft(position.make_move_new(move, False), depth - 1) for move in position.generate_legal_moves()
        )

    return Adapter(
        name="rust-chess",
        version=version("rust-chess"),
        parse=board.from_fen,
        uci=lambda _, move: str(move.get_uci()),
        write=board.get_fen,
        moves=lambda position: list(position.generate_legal_moves()),
        san=board.get_move_from_san,
        perft=perft,
        loops={"moves": lists},
    )


def accepts(parse: Callable[[str], object]) -> Callable[[str], bool]:
    """The verdict of a library whose parser refuses what is illegal.

    A Rust panic is no `Exception`, and its class can be imported from nowhere.
    """

    def verdict(text: str) -> bool:
        try:
            parse(text)
        except ValueError:
            return False
        except BaseException as error:
            if type(error).__name__ != "PanicException":
                raise
            return False
        return True

    return verdict


def perft_by_copies(
    moves: Callable[[Any], list[Any]], copy: Callable[[Any], Any], play: Callable[[Any, Any], object]
) -> Callable[[Any, int], int]:
    """Perft for a library without undo: play every move on a copy; the last ply is only counted."""

    def perft(position: Any, depth: int) -> int:
        if depth == 1:
            return len(moves(position))
        nodes = 0
        for move in moves(position):
            child = copy(position)
            play(child, move)
            nodes += perft(child, depth - 1)
        return nodes

    return perft


PEERS: Final[dict[str, Callable[[], Adapter]]] = {
    PYTHON_CHESS: python_chess,
    NCHESS: nchess,
    "cozy-chess-py": cozy_chess,
    "pyrust_chess": pyrust_chess,
    "shakmaty_python_binding": shakmaty,
    "rust-chess": rust_chess,
}


def installed_peers() -> dict[str, Adapter | None]:
    """Every peer by name; None where it is not installed."""
    return {name: _or_none(load) for name, load in PEERS.items()}


def _or_none(load: Callable[[], Adapter]) -> Adapter | None:
    try:
        return load()
    except (ImportError, PackageNotFoundError):
        return None
