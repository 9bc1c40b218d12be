"""What the benchmark needs from a library: which operations it has, and the loop that times each.

A loop is what a user would write: the function bound once, one call for each item, the result dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Final, Literal, cast

Operation = Literal["parse", "write", "validate", "moves", "san"]
Loop = Callable[[Iterable[Any]], None]

OPERATIONS: Final[tuple[Operation, ...]] = ("parse", "write", "validate", "moves", "san")
FROM_TEXT: Final[frozenset[Operation]] = frozenset({"parse", "validate"})


def own_code(loop: Loop) -> Loop:
    """The same function with a code object of its own.

    CPython specialises bytecode where it runs: closures that share one code object would also share what
    was learnt about the first library's call, and every other library would pay for the wrong guess.
    """
    function = cast(FunctionType, loop)
    copy = FunctionType(
        function.__code__.replace(),
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    return cast(Loop, copy)


def each(call: Callable[[Any], object]) -> Loop:
    """A loop that calls `call` with every item."""

    def loop(items: Iterable[Any]) -> None:
        for item in items:
            call(item)

    return own_code(loop)


def each_pair(call: Callable[[Any, Any], object]) -> Loop:
    """A loop that calls `call` with both halves of every item."""

    def loop(items: Iterable[Any]) -> None:
        for first, second in items:
            call(first, second)

    return own_code(loop)


@dataclass(frozen=True, slots=True)
class Adapter:
    """One library. An operation that is None does not exist there.

    `loops` holds the loops of operations that take more than one plain call (keywords, a second call),
    so that no wrapper of ours is counted as the library's time.
    """

    name: str
    version: str
    parse: Callable[[str], Any]
    uci: Callable[[Any, Any], str]
    write: Callable[[Any], str] | None = None
    validate: Callable[[str], bool] | None = None
    moves: Callable[[Any], Sequence[Any]] | None = None
    san: Callable[[Any, str], Any] | None = None
    perft: Callable[[Any, int], int] | None = None
    perft_is_own: bool = False
    loops: Mapping[str, Loop] = field(default_factory=dict)

    def supports(self, operation: Operation) -> bool:
        """Whether the library has this operation at all."""
        return getattr(self, operation) is not None

    def loop(self, operation: Operation) -> Loop:
        """The loop that times an operation it supports."""
        if operation in self.loops:
            return self.loops[operation]
        call = getattr(self, operation)
        return each_pair(call) if operation == "san" else each(call)

    def items(self, operation: Operation, rows: Sequence[Any]) -> list[Any]:
        """What the loop runs over: texts, or fresh objects, as some libraries keep their moves in them."""
        if operation in FROM_TEXT:
            return [row.fen for row in rows]
        if operation == "san":
            return [(self.parse(row.fen), row.san) for row in rows]
        return [self.parse(row.fen) for row in rows]
