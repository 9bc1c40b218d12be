"""A position of any game of the kit: an immutable, hashable value.

Two positions are equal if they have the same game, pieces, hands, side to move and clocks. Their `key` is
equal also if only the clocks differ. `str()` of a position is its canonical text.

Stability: canonical text, `key` and `packed` never change. The specification of each game defines them.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from forsyth.diagnostics import MoveError
from forsyth.kit.mirror import mirror_position
from forsyth.kit.numbers.packing import pack
from forsyth.kit.sheet import MAX_CLOCK
from forsyth.queries import list_targets
from forsyth.registry import game as find_game

if TYPE_CHECKING:
    from forsyth.game import Outcome
    from forsyth.kit.game import GridGame
    from forsyth.kit.moves import GridMove
    from forsyth.scene import Scene


@dataclass(frozen=True, slots=True)
class GridPosition:
    """A position on a grid: the pieces on all squares and in hand, the side to move, and the clocks."""

    game: GridGame
    board: bytes
    """The piece number on each square, in the order of a text (see `forsyth.kit.sheet`)."""
    hands: bytes
    """The number of pieces of each kind in hand, the first side's first; empty in games without hands."""
    turn: int
    """The side to move: 0 or 1."""
    half: int
    """Plies since the last capture."""
    full: int
    """The number of the move about to be played."""

    def __str__(self) -> str:
        return self.game.notation.write(self)

    def __repr__(self) -> str:
        return f"<GridPosition {self.game.name}, {str(self)!r}>"

    @property
    def fen(self) -> str:
        """The canonical text of the position, the same as ``str(position)``."""
        return str(self)

    @property
    def side(self) -> str:
        """The letter of the side to move."""
        return self.game.sheet.sides[self.turn].letter

    @property
    def key(self) -> str:
        """The hash of board, side to move and hands as 32 hexadecimal digits. It never changes."""
        identity = f"{self.game.name} {self.game.notation.write_identity(self)}"
        return hashlib.blake2b(identity.encode("ascii"), digest_size=16).hexdigest()

    @property
    def packed(self) -> bytes:
        """The position as bytes, from which `GridGame.unpack` restores it. They never change."""
        return pack(self)

    @property
    def is_check(self) -> bool:
        """Whether the king of the side to move is attacked."""
        checkers = self.game.checkers(self, self.turn)
        return bool(checkers)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome if the game has ended in this position, else None."""
        return self.game.outcome(self)

    def moves(self) -> list[GridMove]:
        """Return the legal moves."""
        return self.game.moves(self)

    def play(self, move: GridMove | str) -> GridPosition:
        """Return the position after a move, given as a `GridMove` or as a text such as ``h3e3``.

        Raise `MoveError` if the move is not legal.
        """
        legal_move = self.game.read_move(self, move) if isinstance(move, str) else move
        return self.game.play(self, legal_move)

    def san(self, move: GridMove | str) -> str:
        """Return a legal move in canonical notation, such as ``h3e3``. `move` may be a text in any notation.

        Raise `MoveError` if the text does not name a legal move.
        """
        legal_move = self.game.read_move(self, move) if isinstance(move, str) else move
        return self.game.write_move(self, legal_move)

    def piece_at(self, square: str) -> str:
        """Return the letter of the piece on a square such as ``e1``, or an empty string if it is empty.

        Raise `ValueError` if there is no such square.
        """
        return self.game.sheet.letters[self.board[self.game.square(square)]]

    def piece_map(self) -> dict[str, str]:
        """Return the letters of all pieces by the names of their squares, in the order of a text.

        >>> import forsyth
        >>> forsyth.game("xiangqi").new_game().piece_map()["e1"]
        'K'
        """
        sheet = self.game.sheet
        names_and_pieces = zip(sheet.squares, self.board, strict=True)
        return {name: sheet.letters[piece] for name, piece in names_and_pieces if piece}

    def material(self) -> dict[str, int]:
        """Return the number of pieces of each letter, on the board and in hand together.

        >>> import forsyth
        >>> forsyth.game("shogi").new_game().material()["P"]
        9
        """
        letters = self.game.sheet.letters
        counts = Counter(letters[piece] for piece in self.board if piece)
        # Hands have a count for each piece number from 1 on.
        for piece, hand_count in enumerate(self.hands, start=1):
            counts[letters[piece]] += hand_count
        return {letter: counts[letter] for letter in letters if counts[letter]}

    def targets(self, square: str) -> tuple[str, ...]:
        """Return the names of the squares to which a piece can legally move, or on which it can be dropped.

        Args:
            square: The square of the piece, or the place of a piece in hand, such as ``P*``.

        Raises:
            ValueError: If there is no such place.

        >>> import forsyth
        >>> forsyth.game("xiangqi").new_game().targets("b1")
        ('c3', 'a3')
        """
        return list_targets(self.game, self, square)

    def mirror(self) -> GridPosition:
        """Return the position with the sides exchanged: colours, board and side to move.

        Raise `ValueError` if the rules of the sides differ.

        >>> import forsyth
        >>> str(forsyth.game("xiangqi").new_game().mirror()).split()[1]
        'b'
        """
        return mirror_position(self.game, self)

    def pass_turn(self) -> GridPosition:
        """Return the position after a null move: the other side is to move, and the board is the same.

        Raise `MoveError` if the side to move is in check or the game has ended.

        >>> import forsyth
        >>> forsyth.game("shogi").new_game().pass_turn().turn
        1
        """
        if self.is_check:
            raise MoveError("illegal", "--", "'--' is a null move, but a side in check cannot pass")
        if self.outcome is not None:
            raise MoveError("illegal", "--", "'--' is a null move, but the game has ended")
        half, full = next_half_moves(self), next_move_number(self)
        return replace(self, turn=1 - self.turn, half=half, full=full)

    def scene(self) -> Scene:
        """Return the drawing of the position, which can be saved as SVG or shown in a terminal."""
        return self.game.scene(self)

    def _repr_svg_(self) -> str | None:
        return self.scene()._repr_svg_()

    def __copy__(self) -> GridPosition:
        return self

    def __deepcopy__(self, _: object) -> GridPosition:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_position, (self.game.name, self.packed)


def next_half_moves(position: GridPosition) -> int:
    """Return the half-move clock after one more ply without a capture, or 0 if the game has no such clock."""
    if "half" not in position.game.sheet.fields:
        return 0
    return min(position.half + 1, MAX_CLOCK)


def next_move_number(position: GridPosition) -> int:
    """Return the move number after one more ply.

    The number grows after the second side's moves, and in some games after every ply.
    """
    grows = position.turn == 1 or position.game.sheet.counts_plies
    return min(position.full + 1, MAX_CLOCK) if grows else position.full


def _restore_position(name: str, packed: bytes) -> Any:
    """Return the position that `packed` contains, in the bytes that the game `name` packs.

    Pickle calls this function to restore a position.
    """
    return find_game(name).unpack(packed)
