"""A tree of moves that is edited in place, with a position at each node.

`record.tree()` makes a tree from a record and `tree.record()` makes a record from a tree. Everything that was
not edited is the same in the new record, nested brackets included. A tree that was made by `reading.tree()`
also keeps its source text, and `tree.text()` reproduces the unchanged parts byte for byte (`source_text`).

Trees are mutable and cannot be hashed. Two trees are equal if their game, variant and records are equal. A
copy is independent of the original, but shares its positions.

In a record, a comment before a move becomes a comment after the previous move, unless a variation is between
them, because a reader would read it that way.

Limits: a tree with more than MAX_VARIATION_DEPTH nested variations cannot become a record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Generic

from forsyth.arguments import require_integer, require_text, require_type, to_tuple, type_name
from forsyth.game import Game, M, P
from forsyth.limits import MAX_VARIATION_DEPTH
from forsyth.record.comment_values import keep_only_commands
from forsyth.record.model import Line, Node, Record
from forsyth.record.move_node import MoveNode
from forsyth.record.notation import Notation
from forsyth.record.source_text import SourceText
from forsyth.record.write import WIDTH, write_record
from forsyth.registry import game as find_game


class MoveTree(Generic[P, M]):
    """The moves of a game with all variations, from a start position."""

    def __init__(self, game: Game[P, M], start: P | None = None) -> None:
        """Create a tree without moves.

        Args:
            game: The game.
            start: The start position. None is the start of the game.
        """
        game = find_game(game)
        if start is not None:
            # Raises an error if `start` is not a position of the game.
            game.side_to_move(start)
        self.game = game
        self.tags: dict[str, str] = {}
        self.result = "*"
        self._root: MoveNode[P, M] = MoveNode(game, None, "")
        self._root._position = game.parse(game.start) if start is None else start
        self._source: SourceText | None = None

    @staticmethod
    def of(record: Record[P, M], *, source: str | None = None) -> MoveTree[P, M]:
        """Return the tree of a record. Raise `ValueError` if its variations are nested too deeply.

        Args:
            record: The record.
            source: The text that the record was read from, to be reproduced by `text`.
        """
        if not isinstance(record, Record):
            raise TypeError(
                f"expected a Record, not {type_name(record)}; Record.of(match) makes one from a match"
            )
        tree = MoveTree(record.game, record.start)
        tree.tags, tree.result = dict(record.tags), record.result
        tree._root.after = record.comments
        _add_line(tree._root, record.line, None, 0)
        if source is not None:
            require_text("the source", source)
            tree._source = SourceText(source, record)
        return tree

    # --- the nodes -----------------------------------------------------------------------------------

    @property
    def root(self) -> MoveNode[P, M]:
        """The start of the tree: a node without a move."""
        return self._root

    @property
    def start(self) -> P:
        """The start position."""
        return self._root.position

    @property
    def end(self) -> MoveNode[P, M]:
        """The last node of the main line."""
        node = self._root
        for node in self.main_line():  # noqa: B007
            pass
        return node

    def main_line(self) -> Iterator[MoveNode[P, M]]:
        """Yield the nodes of the main line, without the start."""
        return self._root.onward()

    def __iter__(self) -> Iterator[MoveNode[P, M]]:
        """Yield all nodes but the start: a move, then its variations, then the moves after it."""
        stack = [self._root._children]
        while stack:
            siblings = stack.pop()
            if not siblings:
                continue
            main = siblings[0]
            yield main
            stack.append(main._children)
            for node in reversed(main.variations):
                stack.append([node])

    def __len__(self) -> int:
        """Return the number of moves in all lines together."""
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        # Without this, a tree without moves would be false.
        return True

    def at(self, path: Iterable[int]) -> MoveNode[P, M]:
        """Return the node that a path leads to, such as (0, 1): the second reply to the first move.

        A path has the index of the child at each move from the start. Raise `IndexError` if it leads nowhere.
        """
        node = self._root
        for step in to_tuple("the steps of a path", path, "numbers"):
            index = require_integer("a step of a path", step)
            if not 0 <= index < len(node._children):
                raise IndexError(
                    f"the path has step {index} after {node.text or 'the start'}, "
                    f"expected less than {len(node._children)}, the number of moves that follow"
                )
            node = node._children[index]
        return node

    # --- records -------------------------------------------------------------------------------------

    def record(self) -> Record[P, M]:
        """Return the tree as a record.

        Raise `ValueError` if a tag, the result or the depth cannot be written.
        """
        require_type("the value of tags", self.tags, Mapping, "a mapping from names to texts")
        line = _build_line(self._root._children, 0)
        comments = self._root.after
        if line and comments:
            line = (replace(line[0], before=(*comments, *line[0].before)), *line[1:])
            comments = ()
        return Record(self.game, tuple(self.tags.items()), self.start, line, self.result, comments)

    def text(self, *, width: int | None = WIDTH, notation: Notation = "canonical") -> str:
        """Write the tree as text. Parts that have not changed since reading are written as they were read.

        Args:
            width: Maximum length of a line, in characters. None or 0 writes all new moves on one line.
            notation: The notation of the moves. All but ``canonical`` write the whole tree anew.

        Raises:
            ValueError: If a tag, the result or the depth of the tree cannot be written.
        """
        record = self.record()
        if self._source is None or notation != "canonical":
            return write_record(record, width=width, notation=notation)
        return self._source.write_edited(record, width)

    # --- editing -------------------------------------------------------------------------------------

    def merge(self, other: MoveTree[P, M]) -> None:
        """Add the moves, comments and glyphs of another tree that has the same start.

        New moves become the last among their siblings. The tags and the result do not change.

        Args:
            other: The other tree. It does not change.

        Raises:
            ValueError: If the other tree has another game or another start.
            MoveError: If a move of one of the trees is not legal.
        """
        require_type("the other tree", other, MoveTree, "a MoveTree")
        own_rules, other_rules = (self.game.name, self.game.variant), (other.game.name, other.game.variant)
        if own_rules != other_rules or self.start != other.start:
            raise ValueError("the trees differ in game or start; only trees of the same start can be merged")
        # Compute all positions first, so that an illegal move raises before anything is merged.
        for node in (*self, *other):
            _ = node.position
        if other is not self:
            _merge_nodes(self._root, other._root)

    def strip_comments(self, *, keep_commands: bool = False) -> None:
        """Remove all comments.

        Args:
            keep_commands: Keep the commands in the comments, such as clocks.
        """
        for node in (self._root, *self):
            node.before = keep_only_commands(node.before) if keep_commands else ()
            node.after = keep_only_commands(node.after) if keep_commands else ()

    def strip_glyphs(self) -> None:
        """Remove all annotation glyphs."""
        for node in self:
            node.nags = ()

    def strip_variations(self) -> None:
        """Remove everything but the main line."""
        for node in (self._root, *self.main_line()):
            del node._children[1:]

    # --- copies --------------------------------------------------------------------------------------

    def copy(self) -> MoveTree[P, M]:
        """Return an independent tree that is equal to this one."""
        other = MoveTree(self.game, self.start)
        other.tags, other.result, other._source = self.tags.copy(), self.result, self._source
        other._root.after = self._root.after
        _copy_children(self._root, other._root)
        return other

    __copy__ = copy

    def __deepcopy__(self, _: object) -> MoveTree[P, M]:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickled as a record, because nested nodes would exceed the recursion limit of pickle.
        return _restore_tree, (self.record(), self._source)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MoveTree):
            return NotImplemented
        own_rules, other_rules = (self.game.name, self.game.variant), (other.game.name, other.game.variant)
        return own_rules == other_rules and self.record() == other.record()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<MoveTree {self.game.name}, {self.game.variant}, {len(self)} moves>"


def _restore_tree(record: Record[P, M], source: SourceText | None) -> MoveTree[P, M]:
    """Return the tree of a record and its source text. Pickle calls this function to load a tree."""
    tree = MoveTree.of(record)
    tree._source = source
    return tree


# --- from and to records ------------------------------------------------------------------------------


def _add_line(parent: MoveNode[P, M], line: Line, bracket_owner: MoveNode[P, M] | None, depth: int) -> None:
    """Add a line of a record, with its variations, below `parent`.

    Args:
        parent: The node before the first move of the line. It gets a new child.
        line: The line.
        bracket_owner: The sibling after which the line is written in brackets; None for the main move.
        depth: The number of variations around the line; 0 for the main line.

    Raises:
        ValueError: If variations are nested too deeply.
    """
    _require_depth(depth)
    for record_node in line:
        node: MoveNode[P, M] = MoveNode(parent._game, parent, record_node.text)
        node.before, node.after, node.nags = record_node.before, record_node.after, record_node.nags
        node._bracket_owner = bracket_owner
        parent._children.append(node)
        is_main = parent._children[0] is node
        for variation in record_node.variations:
            _add_line(parent, variation, None if is_main else node, depth + 1)
        parent, bracket_owner = node, None


def _build_line(siblings: list[MoveNode[P, M]], depth: int) -> Line:
    """Return the line that begins with the first of `siblings`. The others become variations in it.

    `depth` is the number of variations around the line; 0 for the main line.
    """
    if not siblings:
        return ()
    return _build_line_from(siblings[0], _group_by_owner(siblings), depth)


def _group_by_owner(siblings: list[MoveNode[P, M]]) -> dict[int, list[MoveNode[P, M]]]:
    """Group all siblings but the first by the sibling after which they are written in brackets.

    The keys are the `id` of that sibling, which is the first one for most variations.
    """
    variations: dict[int, list[MoveNode[P, M]]] = {}
    for node in siblings[1:]:
        variations.setdefault(id(node._bracket_owner or siblings[0]), []).append(node)
    return variations


def _build_line_from(
    first: MoveNode[P, M], variations_of: dict[int, list[MoveNode[P, M]]], depth: int
) -> Line:
    """Return the line that begins with `first`. `variations_of` groups its siblings by their owner's `id`."""
    _require_depth(depth)
    line: list[Node] = []
    node: MoveNode[P, M] | None = first
    while node is not None:
        first_moves = variations_of.get(id(node), ())
        variations = tuple(_build_line_from(move, variations_of, depth + 1) for move in first_moves)
        before = node.before
        # A comment before a move becomes a comment after the last move, unless variations are between them.
        if before and line and not line[-1].variations:
            line[-1] = replace(line[-1], after=(*line[-1].after, *before))
            before = ()
        line.append(Node(node.text, node.nags, before, node.after, variations))
        variations_of = _group_by_owner(node._children) if node._children else {}
        node = node.next
    return tuple(line)


def _require_depth(depth: int) -> None:
    """Raise `ValueError` if `depth`, the number of variations around a line, exceeds the maximum."""
    if depth > MAX_VARIATION_DEPTH:
        raise ValueError(f"variations are nested {depth} deep, expected at most {MAX_VARIATION_DEPTH}")


# --- copying ------------------------------------------------------------------------------------------


def _copy_children(source: MoveNode[P, M], target: MoveNode[P, M]) -> None:
    """Add copies of all nodes below `source` to `target`. `source` stays unchanged."""
    stack = [(source, target)]
    while stack:
        old, new = stack.pop()
        copies = {id(child): child._copy_under(new) for child in old._children}
        new._children.extend(copies.values())
        for child in old._children:
            copy, owner = copies[id(child)], child._bracket_owner
            copy._bracket_owner = None if owner is None else copies[id(owner)]
            stack.append((child, copy))


def _merge_nodes(target: MoveNode[P, M], source: MoveNode[P, M]) -> None:
    """Add the comments, glyphs and moves of `source`, and of all nodes below it, to `target`.

    Moves that `target` has already are not added again. `source` stays unchanged.
    """
    stack = [(target, source)]
    while stack:
        target, source = stack.pop()
        target.before = _union(target.before, source.before)
        target.after = _union(target.after, source.after)
        target.nags = _union(target.nags, source.nags)
        # Of two children with the same move the first one is kept, because it is inserted last.
        children = {child.write(): child for child in reversed(target._children)}
        for source_child in source._children:
            same_child = children.get(source_child.write())
            if same_child is not None:
                stack.append((same_child, source_child))
                continue
            copy = source_child._copy_under(target)
            target._children.append(copy)
            children[copy.write()] = copy
            _copy_children(source_child, copy)


def _union(values: tuple[Any, ...], other_values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return `values`, followed by those of `other_values` that are not among them."""
    return (*values, *(value for value in other_values if value not in values))
