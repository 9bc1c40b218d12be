"""A record as a tree of moves that is edited in place, with a position at each node.

A tree changes, so it cannot be hashed; a copy is independent, and positions are shared. Two trees are equal
when game, variant and records are. `Record` is the value: `record.tree()` makes a tree of one,
`tree.record()` a record of a tree, and what was not edited comes back as it was, brackets in brackets too.

`reading.tree()` also keeps the text that was read: `tree.text()` gives back byte for byte what an edit left
as it was (see `source_text`).

A comment before a move that nothing separates from the move before it becomes a comment after that one: that
is how it would be read.

Limits: a tree becomes a record while no more than MAX_VARIATION_DEPTH variations stand inside each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Generic

from forsyth.arguments import require_kind, require_text, several, type_of, whole_number
from forsyth.game import Game, M, P
from forsyth.limits import MAX_VARIATION_DEPTH
from forsyth.record.comment_values import without_words
from forsyth.record.model import Line, Node, Record
from forsyth.record.move_node import MoveNode
from forsyth.record.notation import Notation
from forsyth.record.source_text import SourceText
from forsyth.record.write import WIDTH, write_record
from forsyth.registry import game as find_game


class MoveTree(Generic[P, M]):
    """The moves of a game with all their variations, from a start on."""

    def __init__(self, game: Game[P, M], start: P | None = None) -> None:
        """A tree without moves, from the start of the game or from another position."""
        game = find_game(game)
        if start is not None:
            # A game says what is no position of its own.
            game.side_to_move(start)
        self.game = game
        self.tags: dict[str, str] = {}
        self.result = "*"
        self._root: MoveNode[P, M] = MoveNode(game, None, "")
        self._root._position = game.parse(game.start) if start is None else start
        self._source: SourceText | None = None

    @staticmethod
    def of(record: Record[P, M], *, source: str | None = None) -> MoveTree[P, M]:
        """The tree of a record; `source` is the text that it was read from.

        Raises `ValueError` where variations stand too deep inside each other.
        """
        if not isinstance(record, Record):
            raise TypeError(
                f"a Record is expected, not {type_of(record)}; Record.of(match) makes one of a match"
            )
        tree = MoveTree(record.game, record.start)
        tree.tags, tree.result = dict(record.tags), record.result
        tree._root.after = record.comments
        _grow(tree._root, record.line, None, 0)
        if source is not None:
            require_text("the source", source)
            tree._source = SourceText(source, record)
        return tree

    # --- the nodes -----------------------------------------------------------------------------------

    @property
    def root(self) -> MoveNode[P, M]:
        """The start: a node without a move."""
        return self._root

    @property
    def start(self) -> P:
        """The position that the tree begins with."""
        return self._root.position

    @property
    def end(self) -> MoveNode[P, M]:
        """The last node of the main line."""
        node = self._root
        for node in self.main_line():  # noqa: B007
            pass
        return node

    def main_line(self) -> Iterator[MoveNode[P, M]]:
        """The nodes of the main line, without the start."""
        return self._root.onward()

    def __iter__(self) -> Iterator[MoveNode[P, M]]:
        """All nodes but the start: a move, the lines that could stand in its place, what follows it."""
        open_ = [self._root._children]
        while open_:
            siblings = open_.pop()
            if not siblings:
                continue
            main = siblings[0]
            yield main
            open_.append(main._children)
            for node in reversed(main.variations):
                open_.append([node])

    def __len__(self) -> int:
        """How many moves there are, all lines together."""
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        # A tree without moves is a tree all the same.
        return True

    def at(self, path: Iterable[int]) -> MoveNode[P, M]:
        """The node of a path; raises `IndexError` where there is none."""
        node = self._root
        for step in several("the steps of a path", path, "numbers"):
            index = whole_number("a step of a path", step)
            if not 0 <= index < len(node._children):
                raise IndexError(f"there is no move {index} after {node.text or 'the start'}")
            node = node._children[index]
        return node

    # --- records -------------------------------------------------------------------------------------

    def record(self) -> Record[P, M]:
        """The tree as a record; raises `ValueError` for tags, results and depths that cannot be written."""
        require_kind("the value of tags", self.tags, Mapping, "a mapping from names to texts")
        line = _line(self._root._children, 0)
        comments = self._root.after
        if line and comments:
            line = (replace(line[0], before=(*comments, *line[0].before)), *line[1:])
            comments = ()
        return Record(self.game, tuple(self.tags.items()), self.start, line, self.result, comments)

    def text(self, *, width: int | None = WIDTH, notation: Notation = "canonical") -> str:
        """The tree as text: what was read where it has not changed, else as `write_record` does."""
        record = self.record()
        if self._source is None or notation != "canonical":
            return write_record(record, width=width, notation=notation)
        return self._source.after(record, width)

    # --- editing -------------------------------------------------------------------------------------

    def merge(self, other: MoveTree[P, M]) -> None:
        """Add the moves of another tree from the same start, and what it says about those that both have.

        New moves come last among their siblings. Tags and result stay. Raises `ValueError` for a tree of
        another game or start, `MoveError` where the other holds a move that is not legal.
        """
        require_kind("the other tree", other, MoveTree, "a MoveTree")
        mine, theirs = (self.game.name, self.game.variant), (other.game.name, other.game.variant)
        if mine != theirs or self.start != other.start:
            raise ValueError("only a tree of the same game and start can be merged")
        # Both first: a bad move must not be found when half of them are merged.
        for node in (*self, *other):
            _ = node.position
        if other is not self:
            _merge(self._root, other._root)

    def strip_comments(self, *, keep_commands: bool = False) -> None:
        """Take all comments out; where asked for, commands such as clocks stay."""
        for node in (self._root, *self):
            node.before = without_words(node.before) if keep_commands else ()
            node.after = without_words(node.after) if keep_commands else ()

    def strip_glyphs(self) -> None:
        """Take all annotation glyphs out."""
        for node in self:
            node.nags = ()

    def strip_variations(self) -> None:
        """Take out everything but the main line."""
        for node in (self._root, *self.main_line()):
            del node._children[1:]

    # --- copies --------------------------------------------------------------------------------------

    def copy(self) -> MoveTree[P, M]:
        """An independent tree that is equal to this one."""
        other = MoveTree(self.game, self.start)
        other.tags, other.result, other._source = self.tags.copy(), self.result, self._source
        other._root.after = self._root.after
        _copy_below(self._root, other._root)
        return other

    __copy__ = copy

    def __deepcopy__(self, _: object) -> MoveTree[P, M]:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        # As a record: nodes that hold each other are too deep for pickle.
        return _restored, (self.record(), self._source)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MoveTree):
            return NotImplemented
        mine, theirs = self.game, other.game
        return (mine.name, mine.variant) == (theirs.name, theirs.variant) and self.record() == other.record()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<MoveTree {self.game.name}, {self.game.variant}, {len(self)} moves>"


def _restored(record: Record[P, M], source: SourceText | None) -> MoveTree[P, M]:
    tree = MoveTree.of(record)
    tree._source = source
    return tree


# --- from and to records ------------------------------------------------------------------------------


def _grow(parent: MoveNode[P, M], line: Line, held_by: MoveNode[P, M] | None, depth: int) -> None:
    """Add a line with its variations; of its first move the siblings stand in the brackets of another one."""
    _require_depth(depth)
    for said in line:
        node: MoveNode[P, M] = MoveNode(parent._game, parent, said.text)
        node.before, node.after, node.nags = said.before, said.after, said.nags
        node._held_by = held_by
        parent._children.append(node)
        main = parent._children[0] is node
        for variation in said.variations:
            _grow(parent, variation, None if main else node, depth + 1)
        parent, held_by = node, None


def _line(siblings: list[MoveNode[P, M]], depth: int) -> Line:
    """The main line of siblings, with the others as its variations."""
    if not siblings:
        return ()
    held = _held(siblings)
    return _line_from(siblings[0], held, depth)


def _held(siblings: list[MoveNode[P, M]]) -> dict[int, list[MoveNode[P, M]]]:
    """Which variations stand in the brackets of which sibling."""
    held: dict[int, list[MoveNode[P, M]]] = {}
    for node in siblings[1:]:
        held.setdefault(id(node._held_by or siblings[0]), []).append(node)
    return held


def _line_from(first: MoveNode[P, M], held: dict[int, list[MoveNode[P, M]]], depth: int) -> Line:
    _require_depth(depth)
    line: list[Node] = []
    node: MoveNode[P, M] | None = first
    while node is not None:
        variations = tuple(_line_from(one, held, depth + 1) for one in held.get(id(node), ()))
        before = node.before
        if before and line and not line[-1].variations:
            line[-1] = replace(line[-1], after=(*line[-1].after, *before))
            before = ()
        line.append(Node(node.text, node.nags, before, node.after, variations))
        held = _held(node._children) if node._children else {}
        node = node.next
    return tuple(line)


def _require_depth(depth: int) -> None:
    if depth > MAX_VARIATION_DEPTH:
        raise ValueError(f"variations are more than {MAX_VARIATION_DEPTH} deep")


# --- copying ------------------------------------------------------------------------------------------


def _copy_below(source: MoveNode[P, M], target: MoveNode[P, M]) -> None:
    """Copies of all that follows one node, after another."""
    open_ = [(source, target)]
    while open_:
        old, new = open_.pop()
        twins = {id(child): child._twin(new) for child in old._children}
        new._children.extend(twins.values())
        for child in old._children:
            twins[id(child)]._held_by = None if child._held_by is None else twins[id(child._held_by)]
            open_.append((child, twins[id(child)]))


def _merge(mine: MoveNode[P, M], theirs: MoveNode[P, M]) -> None:
    open_ = [(mine, theirs)]
    while open_:
        here, there = open_.pop()
        here.before = _union(here.before, there.before)
        here.after = _union(here.after, there.after)
        here.nags = _union(here.nags, there.nags)
        spelled = {one.write(): one for one in reversed(here._children)}
        for child in there._children:
            known = spelled.get(child.write())
            if known is not None:
                open_.append((known, child))
                continue
            twin = child._twin(here)
            here._children.append(twin)
            spelled[twin.write()] = twin
            _copy_below(child, twin)


def _union(mine: tuple[Any, ...], theirs: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*mine, *(one for one in theirs if one not in mine))
