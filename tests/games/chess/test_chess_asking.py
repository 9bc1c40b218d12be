"""What can be asked of a position, beside python-chess on random games, and the same of every game."""

from __future__ import annotations

import ast
import doctest
from pathlib import Path
from random import Random

import chess
import pytest
from tests.golden.make_variants import BOARDS
from tests.golden_data import CHESS, COMPILED, rows

import forsyth
from forsyth import Match, MoveError
from forsyth.games.chess import Move, Position, Square
from forsyth.games.chess.squares import SQUARES
from forsyth.kit.mirror import mirror_position

PEERS: dict[str, type[chess.Board]] = {
    "standard": chess.Board,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "3check": chess.variant.ThreeCheckBoard,
    **BOARDS,
}
GAMES = 3 if COMPILED else 1
SIDES = ((chess.WHITE, "w"), (chess.BLACK, "b"))
NAMES = chess.SQUARE_NAMES


@pytest.mark.parametrize("variant", PEERS)
def test_answers_on_random_games_beside_python_chess(variant: str) -> None:
    game, chance = CHESS.with_variant(variant), Random(f"asking {variant}")
    for _ in range(GAMES):
        board, position = PEERS[variant](), game.new_game()
        for ply in range(100):
            moves = list(board.legal_moves)
            _require_attacks(position, board, chance)
            _require_men(position, board, moves)
            if ply % 3 == 0:
                _require_moves(position, board, moves)
            if not moves or position.outcome is not None:
                break
            captures = [move for move in moves if board.is_capture(move)]
            move = chance.choice(captures if captures and chance.random() < 0.4 else moves)
            position = position.play(board.san(move))
            board.push(move)


def _require_attacks(position: Position, board: chess.Board, chance: Random) -> None:
    for number in chance.sample(range(64), 8):
        for colour, side in SIDES:
            theirs = tuple(NAMES[square] for square in board.attackers(colour, number))
            assert position.attackers(NAMES[number], side) == theirs, str(position)
    assert position.checkers == tuple(NAMES[square] for square in board.checkers()), str(position)
    for colour, side in SIDES:
        pinned = {NAMES[square] for square in chess.SquareSet(board.occupied_co[colour])}
        pinned = {name for name in pinned if board.is_pinned(colour, chess.parse_square(name))}
        # python-chess pins men of antichess to a king that may be captured; its pin allows every move.
        found = position.pins(side)
        assert set(found) == (set() if position.variant == "antichess" else pinned), str(position)
        for man, by in found.items():
            assert by.number in board.pin(colour, man.number)


def _require_men(position: Position, board: chess.Board, moves: list[chess.Move]) -> None:
    assert position.piece_map() == {
        NAMES[square]: piece.symbol() for square, piece in sorted(board.piece_map().items())
    }
    counts = position.material()
    on_board = "".join(position.piece_map().values()) + position.pockets
    assert counts == {letter: on_board.count(letter) for letter in counts}
    assert sum(counts.values()) == len(on_board)
    for square in SQUARES:
        theirs = {NAMES[move.to_square] for move in moves if move.from_square == square.number}
        # A drop of python-chess starts where it ends.
        dropped = {NAMES[move.to_square] for move in moves if move.drop and move.to_square == square.number}
        assert set(position.targets(square)) == theirs - dropped, str(position)
    for colour, side in SIDES:
        ours, theirs_too = position.lacks_material(side), board.has_insufficient_material(colour)
        # Of a horde only the plain cases are judged: it may lack material without our saying so.
        assert ours == theirs_too or (position.variant == "horde" and not ours), str(position)


def _require_moves(position: Position, board: chess.Board, moves: list[chess.Move]) -> None:
    for move in moves[:10]:
        assert position.is_irreversible(board.san(move)) is board.is_irreversible(move), (str(position), move)
    if position.is_check or board.is_variant_end():
        with pytest.raises(MoveError, match="null move"):
            position.pass_turn()
    else:
        after = board.copy()
        after.push(chess.Move.null())
        assert position.pass_turn().board == position.board
        assert position.pass_turn().side == ("w" if after.turn else "b")
    turned = board.transform(lambda squares: chess.flip_horizontal(chess.flip_vertical(squares)))
    assert position.rotate().piece_map() == {
        NAMES[square]: piece.symbol() for square, piece in sorted(turned.piece_map().items())
    }
    if position.variant in ("horde", "racingkings"):
        with pytest.raises(ValueError, match="cannot be exchanged"):
            position.mirror()
        return
    theirs = board.mirror()
    mirror = position.mirror()
    assert mirror.piece_map() == {
        NAMES[square]: piece.symbol() for square, piece in sorted(theirs.piece_map().items())
    }
    assert len(mirror.moves()) == len(position.moves())
    assert mirror.mirror() == position


def test_the_mirror_by_bits_is_the_twin_by_text() -> None:
    for row in rows("valid_fens")[::40]:
        if not row.get("chess960"):
            position = CHESS.parse(row["fen"], legality=False)
            assert position.mirror() == mirror_position(CHESS, position)


def test_the_numbers_of_the_chess960_starts() -> None:
    game = CHESS.with_variant("chess960")
    for number in range(0, 960, 1 if COMPILED else 37):
        assert game.new_game(number).chess960_number == number
    assert CHESS.new_game().chess960_number == 518
    assert CHESS.parse("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").chess960_number is None
    assert CHESS.parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1").chess960_number is None


def test_claims_by_the_next_move() -> None:
    text = "4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80"
    position, board = CHESS.parse(text), chess.Board(text)
    assert board.can_claim_draw()
    assert set(position.claims_by_move().values()) == {("fifty moves",)}
    assert {move.origin for move in position.claims_by_move()} == {"a1", "e1"}
    assert CHESS.new_game().claims_by_move() == {}
    match = Match(CHESS)
    for word in ("Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"):
        match.play(word)
    found = match.claims_by_move()
    assert [(move.uci, why) for move, why in found.items()] == [("f6g8", ("threefold repetition",))]
    assert len(match) == 7
    assert Match("xiangqi").claims_by_move() == {}


def test_squares() -> None:
    assert len(SQUARES) == 64
    for number, square in enumerate(SQUARES):
        assert square == NAMES[number]
        assert square.number == number
        assert (ord(square.file) - 97, square.rank - 1) == divmod(number, 8)[::-1]
        assert square.is_light is bool(chess.BB_LIGHT_SQUARES >> number & 1)
        assert square.mirrored.number == chess.square_mirror(number)
        assert square.distance(SQUARES[27]) == chess.square_distance(number, 27)
        assert Square.from_number(number) is square
    assert Square.parse(" E4 ") == Square("e4") == "e4"
    for wrong in ("e9", "", "E4", "e44", 4, None):
        with pytest.raises(ValueError, match="is not a square"):
            Square(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="number of a square"):
        Square.from_number(64)


def test_questions_that_make_no_sense_are_refused() -> None:
    position = CHESS.new_game()
    with pytest.raises(ValueError, match="is not a square"):
        position.attackers("z9")
    with pytest.raises(ValueError, match="side"):
        position.attackers("e4", "white")
    with pytest.raises(ValueError, match="expected one such as e2"):
        position.targets("N@")
    with pytest.raises(MoveError):
        position.is_irreversible("e5")
    move = CHESS.parse("4k3/8/8/8/8/8/8/4K2R w - - 0 1").moves()[0]
    assert isinstance(move, Move)
    with pytest.raises(MoveError):
        position.is_irreversible(move)
    house = CHESS.with_variant("crazyhouse").parse("4k3/8/8/8/8/8/8/4K3[Nn] w - - 0 1")
    assert len(house.targets("N@")) == 62
    assert house.targets("n@") == ()


@pytest.mark.parametrize("name", ["xiangqi", "shogi", "cotulenh", "azul"])
def test_every_game_can_be_asked(name: str) -> None:
    game, chance = forsyth.game(name), Random(name)
    position = game.new_game(1)
    for _ in range(12):
        facts = [game.describe_move(position, move) for move in game.moves(position)]
        if not facts:
            break
        origin = next((fact.origin for fact in facts if fact.origin in position.piece_map()), None)
        if origin is not None:
            wanted = {fact.target for fact in facts if fact.origin == origin}
            assert set(position.targets(origin)) == wanted - {None}
        assert sum(position.material().values()) > 0
        position = game.play(position, chance.choice(game.moves(position)))
    if name in ("xiangqi", "shogi"):
        passed = game.new_game().pass_turn()
        assert game.side_to_move(passed) != game.side_to_move(game.new_game())
        assert passed.mirror().mirror() == passed


@pytest.mark.parametrize(
    "module",
    [
        *("games.chess.position", "games.chess.squares", "kit.position", "match"),
        *("games.cotulenh.position", "games.azul.position"),
    ],
)
def test_examples_of_the_docstrings(module: str) -> None:
    """From the source: a compiled class hides the docstrings of its methods from doctest."""
    path = Path(forsyth.__file__).parent / f"{module.replace('.', '/')}.py"
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    space = {"Match": Match, "Square": Square}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            text = ast.get_docstring(node) or ""
            runner.run(parser.get_doctest(text, dict(space), node.name, str(path), node.lineno))
    found = runner.summarize()
    assert found.attempted
    assert not found.failed
