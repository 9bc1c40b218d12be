"""One move of a tree: its text, the position it leads to, what is said about it, and what could follow.

The first of the moves that follow is the main line there, the others are variations. A position is made when
it is asked for, with all before it, and kept. Every change succeeds or leaves all as it was.

A removed node still answers questions; only its tree no longer has it.

Limits: MAX_MOVES moves from the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any, Generic

from forsyth.arguments import quoted, require_text, several, type_of, whole_number
from forsyth.diagnostics import MoveError
from forsyth.game import Game, M, P, not_legal, read_recorded
from forsyth.limits import MAX_MOVES
from forsyth.match import Match, Ply
from forsyth.record import comment_values
from forsyth.record.comment_values import Arrow, Circle, Comments, Evaluation
from forsyth.record.model import GLYPHS, MOST_NAG
from forsyth.record.notation import Notation, require_notation, write_in
from forsyth.record.numbering import MovePlace, place_of

_SIGNS = {number: sign for sign, number in GLYPHS.items()}


class MoveNode(Generic[P, M]):
    """A move in a tree, or the start, which has no move; made by `MoveTree` and by playing."""

    __slots__ = (
        "_after",
        "_before",
        "_children",
        "_game",
        "_held_by",
        "_move",
        "_nags",
        "_parent",
        "_ply",
        "_position",
        "_text",
    )

    def __init__(self, game: Game[P, M], parent: MoveNode[P, M] | None, text: str) -> None:
        self._game = game
        self._parent = parent
        self._text = text
        self._ply: int = 0 if parent is None else parent._ply + 1
        self._move: M | None = None
        self._position: P | None = None
        self._before: Comments = ()
        self._after: Comments = ()
        self._nags: tuple[int, ...] = ()
        self._children: list[MoveNode[P, M]] = []
        self._held_by: MoveNode[P, M] | None = None
        """The variation inside whose brackets this one was read; None is the main move's."""

    def __repr__(self) -> str:
        return f"<MoveNode {self._text or 'start'}, move {self._ply}>"

    # --- the move ------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The move in canonical notation; empty at the start."""
        return self._text

    @property
    def ply(self) -> int:
        """How many moves lead here."""
        return self._ply

    @property
    def parent(self) -> MoveNode[P, M] | None:
        """The node before; None at the start."""
        return self._parent

    @property
    def children(self) -> tuple[MoveNode[P, M], ...]:
        """The moves that follow, the main one first."""
        return tuple(self._children)

    @property
    def next(self) -> MoveNode[P, M] | None:
        """The main move that follows; None at the end of a line."""
        return self._children[0] if self._children else None

    @property
    def variations(self) -> tuple[MoveNode[P, M], ...]:
        """The moves that could stand in place of this one, if it is the main one of its siblings."""
        siblings = [] if self._parent is None else self._parent._children
        return tuple(siblings[1:]) if siblings and siblings[0] is self else ()

    @property
    def is_main(self) -> bool:
        """Whether it is on the main line of its tree."""
        return all(node._siblings()[0] is node for node in self.line())

    @property
    def path(self) -> tuple[int, ...]:
        """Which child is taken at each move from the start; `MoveTree.at` finds the node again."""
        return tuple(node._index() for node in self.line())

    def line(self, *, start: bool = False) -> list[MoveNode[P, M]]:
        """The nodes from the start to this one; the start itself only where asked for."""
        found: list[MoveNode[P, M]] = []
        node: MoveNode[P, M] | None = self
        while node is not None and (start or node._parent is not None):
            found.append(node)
            node = node._parent
        return found[::-1]

    def onward(self) -> Iterator[MoveNode[P, M]]:
        """The main moves that follow, to the end of the line."""
        node = self.next
        while node is not None:
            yield node
            node = node.next

    @property
    def position(self) -> P:
        """The position after the move; raises `MoveError` where a record holds a move that is not legal."""
        missing: list[MoveNode[P, M]] = []
        node = self
        while node._position is None and node._parent is not None:
            missing.append(node)
            node = node._parent
        position = node._position
        assert position is not None, "the start of a tree has its position"
        for one in reversed(missing):
            one._move = read_recorded(self._game, position, one._text)
            position = self._game.play(position, one._move)
            one._position = position
        return position

    @property
    def move(self) -> M:
        """The move as a value of the game; raises `ValueError` at the start."""
        self._require_parent()
        position = self.position
        assert position is not None and self._move is not None
        return self._move

    @property
    def place(self) -> MovePlace:
        """Its number, who plays it, and whether it is an action or a step of a turn, by the game's rule."""
        parent = self._require_parent()
        around = parent._parent
        before = None if around is None else place_of(self._game, around.position, parent._text)
        return place_of(self._game, parent.position, self._text, before)

    @property
    def label(self) -> str:
        """What stands before the move in a list: ``34.``, or ``34…`` where not the first player moves."""
        return self.place.label

    def write(self, notation: Notation = "canonical") -> str:
        """The move in a notation; raises `ValueError` where the game does not have it."""
        require_notation(self._game, notation)
        return write_in(self._game, self._require_parent().position, self.move, notation)

    def match(self) -> Match[P, M]:
        """The moves from the start to this node as a match, which knows outcome and repetitions."""
        nodes = self.line(start=True)
        match = Match(self._game, nodes[0].position)
        for node in nodes[1:]:
            match.play_recorded(node._text)
        return match

    # --- what is said --------------------------------------------------------------------------------

    @property
    def before(self) -> Comments:
        """Comments before the move."""
        return self._before

    @before.setter
    def before(self, comments: Iterable[str]) -> None:
        self._before = _comments(comments)

    @property
    def after(self) -> Comments:
        """Comments after the move; at the start those before all moves."""
        return self._after

    @after.setter
    def after(self, comments: Iterable[str]) -> None:
        self._after = _comments(comments)

    @property
    def comment(self) -> str:
        """The words of the comments after the move, without commands; setting them keeps the commands."""
        return comment_values.words_of(self._after)

    @comment.setter
    def comment(self, words: str) -> None:
        require_text("a comment", words)
        self._after = comment_values.with_words(self._after, words)

    @property
    def nags(self) -> tuple[int, ...]:
        """The numbers of its annotation glyphs."""
        return self._nags

    @nags.setter
    def nags(self, numbers: Iterable[int]) -> None:
        given = several("annotation glyphs", numbers, "numbers")
        self._nags = tuple(whole_number("an annotation glyph", one, 0, MOST_NAG) for one in given)

    @property
    def glyph(self) -> str:
        """The sign behind the move, ``!`` to ``?!``; empty without one. Setting it keeps the other glyphs."""
        return next((_SIGNS[nag] for nag in self._nags if nag in _SIGNS), "")

    @glyph.setter
    def glyph(self, sign: str) -> None:
        if sign not in ("", *GLYPHS):
            raise ValueError(f"{quoted(sign)} is not a glyph, expected one of {' '.join(GLYPHS)} or nothing")
        others = tuple(nag for nag in self._nags if nag not in _SIGNS)
        self._nags = (GLYPHS[sign], *others) if sign else others

    @property
    def clock(self) -> timedelta | None:
        """What the clock showed after the move (``clk``)."""
        return comment_values.read_duration(comment_values.commands_in(self._after).clock)

    @clock.setter
    def clock(self, value: timedelta | None) -> None:
        self._command("clk", comment_values.write_duration(value))

    @property
    def elapsed(self) -> timedelta | None:
        """The time that the move took (``emt``)."""
        return comment_values.read_duration(comment_values.commands_in(self._after).emt)

    @elapsed.setter
    def elapsed(self, value: timedelta | None) -> None:
        self._command("emt", comment_values.write_duration(value))

    @property
    def evaluation(self) -> Evaluation | None:
        """What the position is worth (``eval``)."""
        return comment_values.read_evaluation(comment_values.commands_in(self._after).eval)

    @evaluation.setter
    def evaluation(self, value: Evaluation | None) -> None:
        self._command("eval", comment_values.write_evaluation(value))

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        """Arrows on the board (``cal``)."""
        return comment_values.read_arrows(comment_values.commands_in(self._after).arrows)

    @arrows.setter
    def arrows(self, values: Iterable[Arrow]) -> None:
        self._command("cal", comment_values.write_drawings(values, Arrow))

    @property
    def circles(self) -> tuple[Circle, ...]:
        """Circles on the board (``csl``)."""
        return comment_values.read_circles(comment_values.commands_in(self._after).circles)

    @circles.setter
    def circles(self, values: Iterable[Circle]) -> None:
        self._command("csl", comment_values.write_drawings(values, Circle))

    def _command(self, name: str, value: str | None) -> None:
        self._after = comment_values.with_command(self._after, name, value)

    # --- editing -------------------------------------------------------------------------------------

    def play(self, move: M | str) -> MoveNode[P, M]:
        """The node after a move: the one that is there, or a new one, behind its siblings.

        A text may be a pass, as in records. Raises `MoveError`.
        """
        return self.add_line(move)

    def add_line(self, *moves: M | str) -> MoveNode[P, M]:
        """The last node of a line of moves from here; of a line with a bad move nothing is added."""
        if self._ply + len(moves) > MAX_MOVES:
            raise MoveError("illegal", quoted(moves[-1]), f"a line holds at most {MAX_MOVES} moves")
        plies: list[Ply[P, M]] = []
        position = self.position
        for move in moves:
            ply = _ply(self._game, position, move)
            plies.append(ply)
            position = ply.after
        node = self
        for ply in plies:
            node = node._child(ply)
        return node

    def promote(self) -> bool:
        """Move it one place up among its siblings; False where it is the main move."""
        return self._move_to(self._index() - 1)

    def demote(self) -> bool:
        """Move it one place down among its siblings; False where it is the last one."""
        return self._move_to(self._index() + 1)

    def make_main(self) -> None:
        """Make the line to this node the main line of the tree."""
        for node in self.line():
            node._move_to(0)

    def remove(self) -> None:
        """Take the move and all that follows it out of the tree."""
        siblings = self._siblings()
        del siblings[self._index()]
        _release(siblings)

    def prune(self) -> None:
        """Take out all that follows the move."""
        self._children = []

    # --- inside --------------------------------------------------------------------------------------

    def _require_parent(self) -> MoveNode[P, M]:
        if self._parent is None:
            raise ValueError("the start of a tree has no move")
        return self._parent

    def _siblings(self) -> list[MoveNode[P, M]]:
        return self._require_parent()._children

    def _index(self) -> int:
        for index, node in enumerate(self._siblings()):
            if node is self:
                return index
        raise ValueError(f"the move {self._text} is no longer in its tree")

    def _move_to(self, index: int) -> bool:
        siblings, now = self._siblings(), self._index()
        if index == now or not 0 <= index < len(siblings):
            return False
        siblings.insert(index, siblings.pop(now))
        _release(siblings)
        return True

    def _child(self, ply: Ply[P, M]) -> MoveNode[P, M]:
        for child in self._children:
            if child._text == ply.text or child._is(ply.move):
                return child
        child = MoveNode(self._game, self, ply.text)
        child._move, child._position = ply.move, ply.after
        self._children.append(child)
        return child

    def _is(self, move: M) -> bool:
        """Whether it is a move in another spelling; one that a record has and nobody can play is none."""
        try:
            return self.move == move
        except MoveError:
            return False

    def _twin(self, parent: MoveNode[P, M] | None) -> MoveNode[P, M]:
        """The same move with all that is said about it, in another place."""
        twin = MoveNode(self._game, parent, self._text)
        twin._move, twin._position = self._move, self._position
        twin._before, twin._after, twin._nags = self._before, self._after, self._nags
        return twin


def _release(siblings: Iterable[MoveNode[Any, Any]]) -> None:
    """Put every variation beside the main move: the brackets that were read are of another order."""
    for node in siblings:
        node._held_by = None


def _comments(comments: Iterable[str]) -> Comments:
    if isinstance(comments, str):
        raise TypeError(f"comments are several texts, not {type_of(comments)}; write ({quoted(comments)},)")
    found = several("comments", comments, "texts")
    for text in found:
        require_text("a comment", text)
    return found


def _ply(game: Game[P, M], position: P, move: Any) -> Ply[P, M]:
    if isinstance(move, str):
        move = read_recorded(game, position, move)
    elif move not in game.moves(position):
        raise not_legal(move)
    return Ply(move, game.write_move(position, move), position, game.play(position, move))
