"""What comes of trees of moves that are edited, as it is kept: tests/golden/answers/README.md says what for.

`python -m tests.tree_answers` writes it anew, for a change that is meant; read the difference before it is
kept. Each record of the kept readings is edited step by step, at random but the same each time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from random import Random
from typing import Any, Final, get_args

from tests.answers import FOLDER, kept
from tests.notation_answers import told
from tests.record_answers import TEXTS

from forsyth.record import Arrow, Circle, Evaluation, MoveNode, MoveTree, read_record
from forsyth.record.notation import Notation

FILE: Final = FOLDER / "trees.jsonl"

_EDITS: Final = 8
"""Edits of each tree."""
_NODES: Final = 3
"""Nodes that are described after each edit."""
_LONGEST: Final = 4000
"""Characters of a record that is edited."""
_VALUES: Final[dict[str, tuple[Any, ...]]] = {
    "glyph": ("", "!", "?!", "x"),
    "nags": ((), (1, 13), (255, 2), (256,)),
    "comment": ("", "words (in) brackets", "a } b", "[%clk 1] c"),
    "before": ((), ("one", "two")),
    "after": ((), ("one", "[%emt 0:00:02]")),
    "clock": (None, timedelta(0), timedelta(hours=1, milliseconds=5), timedelta(seconds=-1)),
    "elapsed": (None, timedelta(seconds=59.9), timedelta(days=30)),
    "evaluation": (None, Evaluation(25), Evaluation(-130), Evaluation(mate=-3)),
    "arrows": ((), (Arrow("e2", "e4"), Arrow("a1", "b2", "R"))),
    "circles": ((), (Circle("e4"), Circle("d5", "B"))),
}


def _describe(node: MoveNode[Any, Any]) -> list[Any]:
    """All that a node says of itself."""
    values = [str(getattr(node, name)) for name in _VALUES]
    where = [node.text, node.ply, list(node.path), node.is_main, [one.text for one in node.variations]]
    said = [told(lambda: str(node.place)), told(lambda: node.label), told(lambda: str(node.position))]
    return [*where, *said, *(told(node.write, way) for way in get_args(Notation)), *values]


def _edits(tree: MoveTree[Any, Any], chance: Random) -> Iterator[tuple[str, Callable[[], Any]]]:
    """An edit of each kind, with its name."""
    node = chance.choice([tree.root, *tree])
    for name in ("promote", "demote", "make_main", "remove", "prune"):
        yield name, getattr(node, name)
    name = chance.choice([*_VALUES])
    value = chance.choice(_VALUES[name])
    yield f"{name} = {value}", lambda: setattr(node, name, value)
    move = chance.choice([*(told(lambda: tree.game.moves(node.position)) or ["none"])])
    yield "play", lambda: node.play(move)
    yield "play", lambda: node.play(move)
    yield "line", lambda: node.add_line(*([move, "nonsense"] if chance.random() < 0.5 else [move]))
    yield "merge", lambda: _merged(tree, node, move)
    if chance.random() < 0.3:
        yield "strip", lambda: tree.strip_comments(keep_commands=True)
        yield "strip", chance.choice((tree.strip_glyphs, tree.strip_variations, tree.strip_comments))
    tag = chance.choice(("Event", "White", "Site x"))
    yield f"tag {tag}", lambda: tree.tags.update({tag: 'a "b"'})
    result = chance.choice(("1-0", "*", "won"))
    yield f"result {result}", lambda: setattr(tree, "result", result)


def _merged(tree: MoveTree[Any, Any], node: MoveNode[Any, Any], move: Any) -> None:
    """Add a move in a copy, then what the copy has to the tree."""
    other = tree.copy()
    other.at(node.path).play(move).comment = "merged"
    tree.merge(other)


def _edited(tree: MoveTree[Any, Any], chance: Random) -> Iterator[list[Any]]:
    yield ["read", tree.text(), str(tree), len(tree)]
    for _ in range(_EDITS):
        before = tree.copy()
        name, edit = chance.choice([*_edits(tree, chance)])
        answer = str(told(edit))
        nodes = [*tree]
        said = [_describe(node) for node in chance.sample(nodes, min(_NODES, len(nodes)))]
        yield [name, answer, told(tree.text), said, told(before.__eq__, tree)]
        if isinstance(told(tree.record), str):
            tree.tags, tree.result = before.tags, before.result


def answers() -> Iterator[str]:
    """Every record with what came of each edit, a record a line."""
    for number, (game, text) in enumerate(TEXTS):
        reading = read_record(text, game)
        if reading.ok and len(text) < _LONGEST:
            yield json.dumps([text, *map(kept, _edited(reading.tree(), Random(number)))], default=str)


if __name__ == "__main__":
    FILE.write_text("\n".join(answers()) + "\n", encoding="utf-8", newline="\n")
