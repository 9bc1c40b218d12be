"""The tasks with Forsyth. A type checker knows the type of every expression here: none is `Any`."""

from collections.abc import Sequence
from datetime import timedelta

import forsyth

chess = forsyth.game("chess")


def is_valid(text: str) -> bool:
    """Check whether a text is a legal position."""
    return forsyth.check(text, "chess").ok


def faults(text: str) -> list[str]:
    """List the errors of a text."""
    return [finding.message for finding in forsyth.check(text, "chess").errors]


def legal_moves(text: str) -> list[str]:
    """List the legal moves in standard notation."""
    position = chess.parse(text)
    return sorted(chess.write_move(position, move) for move in position.moves())


def play(text: str, moves: Sequence[str]) -> str:
    """Play moves in standard notation and write the position."""
    position = chess.parse(text)
    for move in moves:
        position = position.play(move)
    return str(position)


def uci_to_san(text: str, move: str) -> str:
    """Convert a move from UCI to standard notation."""
    position = chess.parse(text)
    return chess.write_move(position, chess.read_move(position, move))


def result(text: str) -> str | None:
    """Return the result if the game is over."""
    outcome = chess.parse(text).outcome
    return outcome.result if outcome else None


def count_nodes(text: str, depth: int) -> int:
    """Count the move sequences of a given length (perft)."""
    return chess.perft(chess.parse(text), depth)


def attackers(text: str, square: str, side: str) -> list[str]:
    """List the squares of the pieces of a side that attack a square."""
    return sorted(chess.parse(text).attackers(square, side))


def pinned(text: str) -> list[str]:
    """List the squares of the pinned pieces of the side to move."""
    return sorted(chess.parse(text).pins())


def same_position(first: str, second: str) -> bool:
    """Compare two texts as positions, without their clocks."""
    return chess.parse(first).key == chess.parse(second).key


def targets(text: str, square: str) -> list[str]:
    """List the squares that the piece on a square can move to."""
    return sorted(chess.parse(text).targets(square))


def may_claim_repetition(moves: Sequence[str]) -> bool:
    """Check whether a draw by threefold repetition can be claimed."""
    match = forsyth.Match("chess")
    for move in moves:
        match.play(move)
    return "threefold repetition" in match.claims


def best_moves(line: str) -> list[str]:
    """Read the best moves (`bm`) of an EPD line."""
    best = forsyth.chess.parse_epd(line).get("bm")
    return best.raw.split() if best else []


def tags(text: str) -> dict[str, str]:
    """Read the tags of a game."""
    record = forsyth.parse_record(text, chess)
    return dict(record.tags) | {"Result": record.result}


def positions(text: str) -> list[str]:
    """List every position of the main line of a game."""
    return [str(position) for position in forsyth.parse_record(text, chess).positions()]


def is_sound(text: str) -> bool:
    """Check whether a record can be read to its end."""
    return forsyth.read_record(text, chess).ok


def clocks(text: str) -> list[timedelta | None]:
    """List the clock times in the comments of a game."""
    return [node.clock for node in forsyth.parse_record(text, chess).tree().main_line()]


def add_variation(text: str, ply: int, moves: Sequence[str]) -> str:
    """Add a variation to a game and write it."""
    tree = forsyth.parse_record(text, chess).tree()
    node = list(tree.main_line())[ply - 1].parent or tree.root
    node.add_line(*moves)
    return tree.text()


def draw(text: str) -> str:
    """Draw a position as SVG."""
    return forsyth.draw.svg(chess.parse(text))


def show(text: str) -> str:
    """Draw a board of letters."""
    return forsyth.draw.text(chess.parse(text), unicode=False)
