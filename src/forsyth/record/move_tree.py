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
        _add_line(tree._root, record.line, bracket_owner=None, depth=0)
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
            main_move = siblings[0]
            yield main_move
            # The last entry of the stack is next: the variations come before the moves after this one.
            stack.append(main_move._children)
            for variation in reversed(main_move.variations):
                stack.append([variation])

    def __len__(self) -> int:
        """Return the number of moves in all lines together."""
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        # Without this, a tree without moves would be false.
        return True

    def at(self, path: Iterable[int]) -> MoveNode[P, M]:
        """Return the node at the end of `path`, such as (0, 1): the second reply to the first move.

        The path contains the index of the child to go to at each move from the start. Raise `IndexError` if
        there is no such child.
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
        line = _build_line(self._root._children, depth=0)
        comments = self._root.after
        if line and comments:
            # Only a record without moves has comments of its own. Otherwise, they precede the first move.
            first_node = replace(line[0], before=(*comments, *line[0].before))
            line = (first_node, *line[1:])
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
        if not _have_same_rules(self, other):
            raise ValueError(
                f"the trees are of {_describe_rules(self)} and {_describe_rules(other)}; "
                "only trees of the same game and start can be merged"
            )
        if self.start != other.start:
            raise ValueError(
                f"the trees begin with {str(self.start)!r} and {str(other.start)!r}; "
                "only trees of the same game and start can be merged"
            )
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
        copied = MoveTree(self.game, self.start)
        copied.tags = self.tags.copy()
        copied.result = self.result
        copied._source = self._source
        copied._root.after = self._root.after
        _copy_children(self._root, copied._root)
        return copied

    __copy__ = copy

    def __deepcopy__(self, _: object) -> MoveTree[P, M]:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickled as a record, because nested nodes would exceed the recursion limit of pickle.
        return _restore_tree, (self.record(), self._source)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MoveTree):
            return NotImplemented
        return _have_same_rules(self, other) and self.record() == other.record()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<MoveTree {self.game.name}, {self.game.variant}, {len(self)} moves>"


def _have_same_rules(tree: MoveTree, other: MoveTree) -> bool:
    """Return whether two trees are of the same game and variant."""
    return (tree.game.name, tree.game.variant) == (other.game.name, other.game.variant)


def _describe_rules(tree: MoveTree) -> str:
    """Return the game and variant of a tree for a message, such as ``chess (standard)``."""
    return f"{tree.game.name} ({tree.game.variant})"


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
        node.before = record_node.before
        node.after = record_node.after
        node.nags = record_node.nags
        node._bracket_owner = bracket_owner
        parent._children.append(node)

        # The variations of a move are siblings of its node.
        is_main_move = parent._children[0] is node
        variation_owner = None if is_main_move else node
        for variation in record_node.variations:
            _add_line(parent, variation, variation_owner, depth + 1)

        parent = node
        bracket_owner = None


def _build_line(siblings: list[MoveNode[P, M]], depth: int) -> Line:
    """Return a line for a record that begins with the first of `siblings`. The others become variations.

    `siblings` are the nodes of all moves in one position. `depth` is the number of variations around the
    line; 0 for the main line.
    """
    if not siblings:
        return ()
    return _build_line_from(siblings[0], _group_by_owner(siblings), depth)


def _group_by_owner(siblings: list[MoveNode[P, M]]) -> dict[int, list[MoveNode[P, M]]]:
    """Return all siblings but the first, grouped by the sibling after which they are written in brackets.

    The keys are the `id` of that sibling. For most variations it is the first one, the main move.
    """
    main_move, *variations = siblings
    variations_by_owner: dict[int, list[MoveNode[P, M]]] = {}
    for node in variations:
        owner = node._bracket_owner or main_move
        variations_by_owner.setdefault(id(owner), []).append(node)
    return variations_by_owner


def _build_line_from(
    first_node: MoveNode[P, M], variations_by_owner: dict[int, list[MoveNode[P, M]]], depth: int
) -> Line:
    """Return a line for a record: the move of `first_node` and the main moves after it, with variations.

    Args:
        first_node: The node of the first move.
        variations_by_owner: The siblings of `first_node`, as `_group_by_owner` returns them.
        depth: The number of variations around the line; 0 for the main line.

    Raises:
        ValueError: If variations are nested too deeply.
    """
    _require_depth(depth)
    line: list[Node] = []
    node: MoveNode[P, M] | None = first_node
    while node is not None:
        variation_starts = variations_by_owner.get(id(node), ())
        variations = tuple(
            _build_line_from(start, variations_by_owner, depth + 1) for start in variation_starts
        )
        before = node.before
        # A comment before a move becomes a comment after the last move, unless variations are between them.
        if before and line and not line[-1].variations:
            line[-1] = replace(line[-1], after=(*line[-1].after, *before))
            before = ()
        line.append(Node(node.text, node.nags, before, node.after, variations))
        variations_by_owner = _group_by_owner(node._children) if node._children else {}
        node = node.next
    return tuple(line)


def _require_depth(depth: int) -> None:
    """Raise `ValueError` if a line is inside of more than `MAX_VARIATION_DEPTH` variations.

    `depth` is the number of variations around the line.
    """
    if depth > MAX_VARIATION_DEPTH:
        raise ValueError(f"variations are nested {depth} deep, expected at most {MAX_VARIATION_DEPTH}")


# --- copying ------------------------------------------------------------------------------------------


def _copy_children(source: MoveNode[P, M], target: MoveNode[P, M]) -> None:
    """Add copies of all nodes below `source` to `target`. `source` stays unchanged."""
    # Pairs of a node and its copy whose children are still to be copied.
    stack = [(source, target)]
    while stack:
        node, node_copy = stack.pop()
        child_copies = {id(child): child._copy_under(node_copy) for child in node._children}
        node_copy._children.extend(child_copies.values())
        for child in node._children:
            child_copy = child_copies[id(child)]
            owner = child._bracket_owner
            child_copy._bracket_owner = None if owner is None else child_copies[id(owner)]
            stack.append((child, child_copy))


def _merge_nodes(target: MoveNode[P, M], source: MoveNode[P, M]) -> None:
    """Add the comments, glyphs and moves of `source`, and of all nodes below it, to `target`.

    Moves that `target` has already are not added again. `source` stays unchanged.
    """
    # Pairs of nodes with the same move that are still to be merged.
    stack = [(target, source)]
    while stack:
        node, source_node = stack.pop()
        node.before = _union(node.before, source_node.before)
        node.after = _union(node.after, source_node.after)
        node.nags = _union(node.nags, source_node.nags)

        # Of two children with the same move the first one is kept, because it is inserted last.
        children_by_move = {child.write(): child for child in reversed(node._children)}
        for source_child in source_node._children:
            same_child = children_by_move.get(source_child.write())
            if same_child is not None:
                stack.append((same_child, source_child))
                continue
            new_child = source_child._copy_under(node)
            node._children.append(new_child)
            children_by_move[new_child.write()] = new_child
            _copy_children(source_child, new_child)


def _union(values: tuple[Any, ...], other_values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return `values`, followed by those of `other_values` that are not among them."""
    new_values = [value for value in other_values if value not in values]
    return (*values, *new_values)
