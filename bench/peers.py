"""Adapters of the peers: the libraries on the package index that read chess positions fast.

Where a peer has two correct calls for one operation, its adapter uses the faster one. `load_peers` gives None
for a peer that is not installed.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from bench.adapters import Adapter

PYTHON_CHESS: Final = "python-chess"
NCHESS: Final = "nchess"


def make_python_chess() -> Adapter:
    """Return the adapter of python-chess, the most used library, written in Python."""
    chess: Any = importlib.import_module("chess")
    board = chess.Board

    def write_all(boards: Iterable[Any]) -> None:
        for position in boards:
            position.fen(en_passant="fen")

    def validate_all(fens: Iterable[str]) -> None:
        for fen in fens:
            board(fen).is_valid()

    def list_moves(boards: Iterable[Any]) -> None:
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
        loops={"write": write_all, "validate": validate_all, "moves": list_moves},
    )


def make_nchess() -> Adapter:
    """Return the adapter of nchess, written in C.

    It checks no legality, and it writes a number instead of the en-passant square.
    """
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


def make_cozy_chess() -> Adapter:
    """Return the adapter of cozy-chess, written in Rust.

    It validates every text that it parses. It writes castling as the king capturing its own rook.
    """
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
        validate=make_validator(board.from_fen),
        moves=board.generate_moves,
        perft=make_copying_perft(board.generate_moves, board.__copy__, board.play_unchecked),
    )


def make_pyrust_chess() -> Adapter:
    """Return the adapter of pyrust_chess, written in Rust with the names of python-chess.

    `validate` calls `status()`, because `is_valid()` misses most errors of castling and en passant.
    """
    library: Any = importlib.import_module("pyrust_chess")
    board = library.Board

    def write_all(boards: Iterable[Any]) -> None:
        for position in boards:
            position.fen(en_passant="fen")

    def validate_all(fens: Iterable[str]) -> None:
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
        loops={"write": write_all, "validate": validate_all},
    )


def make_shakmaty() -> Adapter:
    """Return the adapter of shakmaty, written in Rust.

    It validates every text that it parses, and panics if the text is invalid.
    """
    library: Any = importlib.import_module("shakmaty_python_binding")
    board = library.MyChess
    return Adapter(
        name="shakmaty_python_binding",
        version=version("shakmaty_python_binding"),
        parse=board,
        uci=lambda _, move: str(move.uci()),
        write=board.fen,
        validate=make_validator(board),
        moves=board.legal_moves,
        perft=make_copying_perft(board.legal_moves, board.copy, board.play),
    )


def make_rust_chess() -> Adapter:
    """Return the adapter of rust-chess, written in Rust.

    It has no operation `validate`, because its check misses pawns on the last ranks and all errors of en
    passant.
    """
    library: Any = importlib.import_module("rust_chess")
    board = library.Board

    def list_moves(boards: Iterable[Any]) -> None:
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
        loops={"moves": list_moves},
    )


def make_validator(parse: Callable[[str], object]) -> Callable[[str], bool]:
    """Return a function that returns True if `parse` accepts a text.

    It suits parsers that refuse illegal positions.

    A Rust panic counts as refusal. It is recognised by the name of its class, which cannot be imported and is
    not derived from `Exception`.
    """

    def is_valid(text: str) -> bool:
        try:
            parse(text)
        except ValueError:
            return False
        except BaseException as error:
            if type(error).__name__ != "PanicException":
                raise
            return False
        return True

    return is_valid


def make_copying_perft(
    moves: Callable[[Any], list[Any]], copy: Callable[[Any], Any], play: Callable[[Any, Any], object]
) -> Callable[[Any, int], int]:
    """Return a perft function for a library that cannot take moves back.

    It plays each move on a copy of the position. The moves of the last ply are counted without playing them.

    Args:
        moves: Lists the legal moves of a position.
        copy: Copies a position.
        play: Plays a move on a position and changes it in place.
    """

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
    PYTHON_CHESS: make_python_chess,
    NCHESS: make_nchess,
    "cozy-chess-py": make_cozy_chess,
    "pyrust_chess": make_pyrust_chess,
    "shakmaty_python_binding": make_shakmaty,
    "rust-chess": make_rust_chess,
}


def load_peers() -> dict[str, Adapter | None]:
    """Return the adapter of every peer by name, or None if the peer is not installed."""
    return {name: _load_or_none(load) for name, load in PEERS.items()}


def _load_or_none(load: Callable[[], Adapter]) -> Adapter | None:
    """Return the adapter that `load` makes, or None if its library is not installed."""
    try:
        return load()
    except (ImportError, PackageNotFoundError):
        return None
