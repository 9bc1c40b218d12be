"""One move in a tree of moves: its text, position, comments and annotation glyphs, and the moves after it.

The first child of a node continues the main line and the others are variations. Positions are computed on
first access and cached. Every edit either succeeds or leaves the tree unchanged.

A removed node can still be read, but it is no longer part of its tree.

Limits: MAX_MOVES moves from the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any, Generic

from forsyth.arguments import quoted, require_integer, require_text, to_tuple, type_name
from forsyth.diagnostics import MoveError
from forsyth.display import render_svg
from forsyth.game import Game, M, P, illegal_move_error, read_record_move
from forsyth.limits import MAX_MOVES
from forsyth.match import Match, Ply
from forsyth.record import comment_values
from forsyth.record.comment_values import Arrow, Circle, Comments, Evaluation
from forsyth.record.model import GLYPHS, MAX_NAG
from forsyth.record.notation import Notation, require_notation, write_move
from forsyth.record.numbering import MovePlace, locate_move

_SIGNS = {number: sign for sign, number in GLYPHS.items()}
"""The sign of each annotation glyph that has one, by its number."""


class MoveNode(Generic[P, M]):
    """A move in a tree, or its start, which has no move. `MoveTree` and `play` create nodes."""

    __slots__ = (
        "_after",
        "_before",
        "_bracket_owner",
        "_children",
        "_game",
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
        self._bracket_owner: MoveNode[P, M] | None = None
        """The sibling behind which this variation is written in brackets; None is the main move."""

    def __repr__(self) -> str:
        return f"<MoveNode {self._describe()}>"

    def _describe(self) -> str:
        """Return the move with its number, such as ``1. e4``, or ``start`` for the start of the tree.

        The number is left out if it cannot be computed, because a move up to here is not legal.
        """
        if self._parent is None:
            return "start"
        try:
            return f"{self.label} {self._text}"
        except MoveError:
            return self._text

    def _repr_svg_(self) -> str | None:
        try:
            return render_svg(self)
        except MoveError:
            # There is no position to draw after a move that is not legal.
            return None

    # --- the move ------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The move in canonical notation; empty at the start."""
        return self._text

    @property
    def ply(self) -> int:
        """The number of moves from the start to this node."""
        return self._ply

    @property
    def parent(self) -> MoveNode[P, M] | None:
        """The node before this one; None at the start."""
        return self._parent

    @property
    def children(self) -> tuple[MoveNode[P, M], ...]:
        """The nodes of all moves that follow, the main move first."""
        return tuple(self._children)

    @property
    def next(self) -> MoveNode[P, M] | None:
        """The node of the main move that follows; None at the end of a line."""
        return self._children[0] if self._children else None

    @property
    def variations(self) -> tuple[MoveNode[P, M], ...]:
        """The siblings of this node if it is the main move among them, else nothing."""
        siblings = [] if self._parent is None else self._parent._children
        return tuple(siblings[1:]) if siblings and siblings[0] is self else ()

    @property
    def is_main(self) -> bool:
        """Whether the node is on the main line of its tree."""
        return all(node._siblings()[0] is node for node in self.line())

    @property
    def path(self) -> tuple[int, ...]:
        """The index of the child at each move from the start. `MoveTree.at` returns the node of a path."""
        return tuple(node._index() for node in self.line())

    def line(self, *, start: bool = False) -> list[MoveNode[P, M]]:
        """Return the nodes from the first move of the game to this node, in order.

        Args:
            start: Whether to begin with the start of the tree, which has no move.
        """
        nodes: list[MoveNode[P, M]] = []
        node: MoveNode[P, M] | None = self
        while node is not None and (start or node._parent is not None):
            nodes.append(node)
            node = node._parent
        nodes.reverse()
        return nodes

    def onward(self) -> Iterator[MoveNode[P, M]]:
        """Yield the main moves after this node, to the end of the line."""
        node = self.next
        while node is not None:
            yield node
            node = node.next

    @property
    def position(self) -> P:
        """The position after the move. Raise `MoveError` if a move up to here is not legal."""
        nodes_without_position: list[MoveNode[P, M]] = []
        node = self
        while node._position is None and node._parent is not None:
            nodes_without_position.append(node)
            node = node._parent
        position = node._position
        assert position is not None, "the start of a tree has its position"
        for node in reversed(nodes_without_position):
            node._move = read_record_move(self._game, position, node._text)
            position = self._game.play(position, node._move)
            node._position = position
        return position

    @property
    def move(self) -> M:
        """The move as a value of the game. Raise `ValueError` at the start."""
        self._require_parent()
        position = self.position
        assert position is not None and self._move is not None
        return self._move

    @property
    def place(self) -> MovePlace:
        """The number and player of the move, and whether it is an action or a step of a turn."""
        parent = self._require_parent()
        grandparent = parent._parent
        previous_place = None
        if grandparent is not None:
            previous_place = locate_move(self._game, grandparent.position, parent._text)
        return locate_move(self._game, parent.position, self._text, previous_place)

    @property
    def label(self) -> str:
        """The number before the move in a list: ``34.``, or ``34…`` if the first player does not move."""
        return self.place.label

    def write(self, notation: Notation = "canonical") -> str:
        """Return the move as text in a notation, such as ``Nf3`` or, for ``uci``, ``g1f3``.

        Raise `ValueError` if the game does not have the notation, or at the start of the tree.
        """
        require_notation(self._game, notation)
        return write_move(self._game, self._require_parent().position, self.move, notation)

    def match(self) -> Match[P, M]:
        """Return a match with the moves from the start to this node, which also has the outcome."""
        nodes = self.line(start=True)
        match = Match(self._game, nodes[0].position)
        for node in nodes[1:]:
            match.play_recorded(node._text)
        return match

    # --- comments and glyphs--------------------------------------------------------------------------

    @property
    def before(self) -> Comments:
        """The comments before the move."""
        return self._before

    @before.setter
    def before(self, comments: Iterable[str]) -> None:
        self._before = _check_comments(comments)

    @property
    def after(self) -> Comments:
        """The comments after the move. At the start, those before all moves."""
        return self._after

    @after.setter
    def after(self, comments: Iterable[str]) -> None:
        self._after = _check_comments(comments)

    @property
    def comment(self) -> str:
        """The text of the comments after the move, without commands. Setting it keeps the commands."""
        return comment_values.remove_commands(self._after)

    @comment.setter
    def comment(self, words: str) -> None:
        require_text("a comment", words)
        self._after = comment_values.replace_words(self._after, words)

    @property
    def nags(self) -> tuple[int, ...]:
        """The numbers of the annotation glyphs of the move."""
        return self._nags

    @nags.setter
    def nags(self, numbers: Iterable[int]) -> None:
        nags = to_tuple("annotation glyphs", numbers, "numbers")
        self._nags = tuple(require_integer("an annotation glyph", nag, 0, MAX_NAG) for nag in nags)

    @property
    def glyph(self) -> str:
        """The sign after the move, ``!`` to ``?!``, or an empty text. Setting it keeps the other glyphs."""
        return next((_SIGNS[nag] for nag in self._nags if nag in _SIGNS), "")

    @glyph.setter
    def glyph(self, sign: str) -> None:
        if sign not in ("", *GLYPHS):
            raise ValueError(f"{quoted(sign)} is not a glyph, expected one of {' '.join(GLYPHS)} or ''")
        other_nags = tuple(nag for nag in self._nags if nag not in _SIGNS)
        self._nags = (GLYPHS[sign], *other_nags) if sign else other_nags

    @property
    def clock(self) -> timedelta | None:
        """The time on the clock after the move (``clk``), or None."""
        return comment_values.read_duration(comment_values.read_all_commands(self._after).clock)

    @clock.setter
    def clock(self, value: timedelta | None) -> None:
        self._set_command("clk", comment_values.write_duration(value))

    @property
    def elapsed(self) -> timedelta | None:
        """The time that the move took (``emt``), or None."""
        return comment_values.read_duration(comment_values.read_all_commands(self._after).emt)

    @elapsed.setter
    def elapsed(self, value: timedelta | None) -> None:
        self._set_command("emt", comment_values.write_duration(value))

    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluation of the position after the move (``eval``), or None."""
        return comment_values.read_evaluation(comment_values.read_all_commands(self._after).eval)

    @evaluation.setter
    def evaluation(self, value: Evaluation | None) -> None:
        self._set_command("eval", comment_values.write_evaluation(value))

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        """The arrows on the board (``cal``)."""
        return comment_values.read_arrows(comment_values.read_all_commands(self._after).arrows)

    @arrows.setter
    def arrows(self, values: Iterable[Arrow]) -> None:
        self._set_command("cal", comment_values.write_drawings(values, Arrow))

    @property
    def circles(self) -> tuple[Circle, ...]:
        """The circles on the board (``csl``)."""
        return comment_values.read_circles(comment_values.read_all_commands(self._after).circles)

    @circles.setter
    def circles(self, values: Iterable[Circle]) -> None:
        self._set_command("csl", comment_values.write_drawings(values, Circle))

    def _set_command(self, name: str, value: str | None) -> None:
        """Replace a command such as ``[%clk 0:05:00]`` in the comments after the move.

        `name` is the name of the command, such as ``clk``. The value None removes the command.
        """
        self._after = comment_values.replace_command(self._after, name, value)

    # --- editing -------------------------------------------------------------------------------------

    def play(self, move: M | str) -> MoveNode[P, M]:
        """Return the child for a move. If there is none yet, add it as the last child.

        A move given as text may be a pass, as in records. Raise `MoveError` if the move is not legal.
        """
        return self.add_line(move)

    def add_line(self, *moves: M | str) -> MoveNode[P, M]:
        """Play several moves from here and return the last node. Moves that exist already are reused.

        Raise `MoveError` and add nothing if one of the moves is not legal.
        """
        if self._ply + len(moves) > MAX_MOVES:
            message = f"the line would have {self._ply + len(moves)} moves, expected at most {MAX_MOVES}"
            raise MoveError("illegal", quoted(moves[-1]), message)
        plies: list[Ply[P, M]] = []
        position = self.position
        for move in moves:
            ply = _make_ply(self._game, position, move)
            plies.append(ply)
            position = ply.after
        node = self
        for ply in plies:
            node = node._find_or_add_child(ply)
        return node

    def promote(self) -> bool:
        """Move the node up by one among its siblings. Return False if it already is the main move."""
        return self._move_to(self._index() - 1)

    def demote(self) -> bool:
        """Move the node down by one among its siblings. Return False if it already is the last one."""
        return self._move_to(self._index() + 1)

    def make_main(self) -> None:
        """Make the line to this node the main line of the tree."""
        for node in self.line():
            node._move_to(0)

    def remove(self) -> None:
        """Remove the move and all moves after it from the tree."""
        siblings = self._siblings()
        del siblings[self._index()]
        _reset_bracket_owners(siblings)

    def prune(self) -> None:
        """Remove all moves after this one."""
        self._children = []

    # --- internal ------------------------------------------------------------------------------------

    def _require_parent(self) -> MoveNode[P, M]:
        """Return the node before this one. Raise `ValueError` at the start."""
        if self._parent is None:
            raise ValueError("the start of a tree has no move, expected a node after it, such as a child")
        return self._parent

    def _siblings(self) -> list[MoveNode[P, M]]:
        """Return the children of the parent, among them this node. Raise `ValueError` at the start."""
        return self._require_parent()._children

    def _index(self) -> int:
        """Return the index of this node among the children of its parent.

        Raise `ValueError` if the node was removed from its tree, and at the start.
        """
        for index, node in enumerate(self._siblings()):
            if node is self:
                return index
        raise ValueError(f"the move {self._text} was removed from its tree; play it again with `play`")

    def _move_to(self, index: int) -> bool:
        """Move the node to an index among the children of its parent. Index 0 is the main move.

        Return whether the node was moved. It is not if it is there already, or if the index does not exist.
        """
        siblings = self._siblings()
        old_index = self._index()
        index_exists = 0 <= index < len(siblings)
        if index == old_index or not index_exists:
            return False
        siblings.insert(index, siblings.pop(old_index))
        _reset_bracket_owners(siblings)
        return True

    def _find_or_add_child(self, ply: Ply[P, M]) -> MoveNode[P, M]:
        """Return the child with the move of `ply`. If there is none, add it as the last child."""
        for child in self._children:
            if child._text == ply.text or child._has_move(ply.move):
                return child
        child = MoveNode(self._game, self, ply.text)
        child._move, child._position = ply.move, ply.after
        self._children.append(child)
        return child

    def _has_move(self, move: M) -> bool:
        """Return whether this node has the move `move`. Return False if the node's own move is illegal."""
        try:
            return self.move == move
        except MoveError:
            return False

    def _copy_under(self, parent: MoveNode[P, M] | None) -> MoveNode[P, M]:
        """Return a copy of this node, without its children, whose parent is `parent`."""
        copied = MoveNode(self._game, parent, self._text)
        copied._move = self._move
        copied._position = self._position
        copied._before = self._before
        copied._after = self._after
        copied._nags = self._nags
        return copied


def _reset_bracket_owners(siblings: Iterable[MoveNode[Any, Any]]) -> None:
    """Forget after which sibling each of `siblings` was written in brackets in the source text.

    From now on, all variations among them are written after the main move.
    """
    for node in siblings:
        node._bracket_owner = None


def _check_comments(comments: Iterable[str]) -> Comments:
    """Return several comments as a tuple. Raise `TypeError` for a single text, or if one is not a text."""
    if isinstance(comments, str):
        raise TypeError(f"comments are several texts, not {type_name(comments)}; write ({quoted(comments)},)")
    texts = to_tuple("comments", comments, "texts")
    for text in texts:
        require_text("a comment", text)
    return texts


def _make_ply(game: Game[P, M], position: P, move: Any) -> Ply[P, M]:
    """Return a move with the positions before and after it, as a `Ply`.

    The move is a text, which may name a pass, or a move object of the game. Raise `MoveError` if it is not
    legal.
    """
    if isinstance(move, str):
        move = read_record_move(game, position, move)
    elif move not in game.moves(position):
        raise illegal_move_error(move)
    return Ply(move, game.write_move(position, move), position, game.play(position, move))
