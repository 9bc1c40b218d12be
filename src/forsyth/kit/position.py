"""A position on a grid: an immutable, hashable value of any game of the kit.

Equal are positions of one game with the same men, hands, side and clocks. `key` leaves the clocks out.
Writing: `str()` is the canonical text. Stability: canonical text, `key` and `packed` are promised for ever by
the specification of each game.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from forsyth.asking import targets
from forsyth.diagnostics import MoveError
from forsyth.kit.mirror import mirrored
from forsyth.kit.numbers.packing import pack
from forsyth.kit.sheet import MAX_CLOCK
from forsyth.registry import game as find_game

if TYPE_CHECKING:
    from forsyth.game import Outcome
    from forsyth.kit.game import GridGame
    from forsyth.kit.moves import GridMove
    from forsyth.scene import Scene


@dataclass(frozen=True, slots=True)
class GridPosition:
    """The men on all squares, the men in hand, who moves, and the clocks."""

    game: GridGame
    board: bytes
    """The numbers of the men (see `forsyth.kit.sheet`) in the order of a text."""
    hands: bytes
    """How many men of each kind are in hand, the first side's before the second's; empty without hands."""
    turn: int
    """Who moves: 0 or 1."""
    half: int
    """Plies since the last capture."""
    full: int
    """The number of the move about to be played."""

    def __str__(self) -> str:
        return self.game.notation.write(self)

    def __repr__(self) -> str:
        return f"<GridPosition {self.game.name}, {str(self)!r}>"

    @property
    def side(self) -> str:
        """The letter of the side to move."""
        return self.game.sheet.sides[self.turn].letter

    @property
    def key(self) -> str:
        """32 hexadecimal digits of board, side and hands; stable for ever."""
        identity = f"{self.game.name} {self.game.notation.write_identity(self)}"
        return hashlib.blake2b(identity.encode("ascii"), digest_size=16).hexdigest()

    @property
    def packed(self) -> bytes:
        """The binary form (see `forsyth.kit.numbers.packing`)."""
        return pack(self)

    @property
    def is_check(self) -> bool:
        """Whether the king of the side to move is attacked."""
        return bool(self.game.checkers(self, self.turn))

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended here, or None."""
        return self.game.outcome(self)

    def moves(self) -> list[GridMove]:
        """The legal moves."""
        return self.game.moves(self)

    def play(self, move: GridMove | str) -> GridPosition:
        """The position after a legal move, given as a move or as its text; raises `MoveError`."""
        return self.game.play(self, self.game.read_move(self, move) if isinstance(move, str) else move)

    def man_at(self, square: str) -> str:
        """The letter of the man on a square such as ``e1``, empty where none is; raises `ValueError`."""
        return self.game.sheet.letters[self.board[self.game.square(square)]]

    def piece_map(self) -> dict[str, str]:
        """The letters of the men by their squares, in the order of a text.

        >>> import forsyth
        >>> forsyth.game("xiangqi").new_game().piece_map()["e1"]
        'K'
        """
        sheet = self.game.sheet
        return {name: sheet.letters[man] for name, man in zip(sheet.squares, self.board, strict=True) if man}

    def material(self) -> dict[str, int]:
        """How many men of each letter there are, on the board and in hand.

        >>> import forsyth
        >>> forsyth.game("shogi").new_game().material()["P"]
        9
        """
        letters = self.game.sheet.letters
        counts = Counter(letters[man] for man in self.board if man)
        for man, number in enumerate(self.hands, 1):
            counts[letters[man]] += number
        return {letter: counts[letter] for letter in letters if counts[letter]}

    def targets(self, square: str) -> tuple[str, ...]:
        """Where the man on a square, or one in hand (``P*``), may go; raises `ValueError` for no such place.

        >>> import forsyth
        >>> forsyth.game("xiangqi").new_game().targets("b1")
        ('c3', 'a3')
        """
        return targets(self.game, self, square)

    def mirror(self) -> GridPosition:
        """The position with the sides exchanged; raises `ValueError` where their rules differ.

        >>> import forsyth
        >>> str(forsyth.game("xiangqi").new_game().mirror()).split()[1]
        'b'
        """
        return mirrored(self.game, self)

    def pass_turn(self) -> GridPosition:
        """The position after a null move; raises `MoveError` in check and once the game has ended.

        >>> import forsyth
        >>> forsyth.game("shogi").new_game().pass_turn().turn
        1
        """
        sheet, turn = self.game.sheet, self.turn
        if self.is_check or self.outcome is not None:
            why = "a side in check cannot pass" if self.is_check else "the game has ended"
            raise MoveError("illegal", "--", f"'--' is a null move, but {why}")
        half = min(self.half + 1, MAX_CLOCK) if "half" in sheet.fields else 0
        full = min(self.full + (turn or sheet.counts_plies), MAX_CLOCK)
        return replace(self, turn=1 - turn, half=half, full=full)

    def scene(self) -> Scene:
        """What to draw."""
        return self.game.scene(self)

    def _repr_svg_(self) -> str | None:
        return self.scene()._repr_svg_()

    def __copy__(self) -> GridPosition:
        return self

    def __deepcopy__(self, _: object) -> GridPosition:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpacked, (self.game.name, self.packed)


def _unpacked(name: str, packed: bytes) -> Any:
    """A position that another process packed."""
    return find_game(name).unpack(packed)
