"""Adapters that give every measured library the same operations, and the loops that time these operations.

A loop does what a user would write: it binds the function once, calls it for each item and drops the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Final, Literal, cast

Operation = Literal["parse", "write", "validate", "moves", "san"]
Loop = Callable[[Iterable[Any]], None]

OPERATIONS: Final[tuple[Operation, ...]] = ("parse", "write", "validate", "moves", "san")
TEXT_OPERATIONS: Final[frozenset[Operation]] = frozenset({"parse", "validate"})


def copy_with_own_code(loop: Loop) -> Loop:
    """Return a copy of `loop` with a code object of its own.

    CPython specialises bytecode for the calls that it makes. Closures with a common code object would
    share the specialisation for the first library's call, which slows the calls of every other library.
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


def make_loop(call: Callable[[Any], object]) -> Loop:
    """Return a loop that calls `call` with every item."""

    def loop(items: Iterable[Any]) -> None:
        for item in items:
            call(item)

    return copy_with_own_code(loop)


def make_pair_loop(call: Callable[[Any, Any], object]) -> Loop:
    """Return a loop over pairs that calls `call` with both members of every pair."""

    def loop(items: Iterable[Any]) -> None:
        for first, second in items:
            call(first, second)

    return copy_with_own_code(loop)


@dataclass(frozen=True, slots=True)
class Adapter:
    """Operations of one library. An operation is None if the library does not have it.

    `loops` maps operations to loops for calls that need keywords or a second call. With such a loop the
    time of a Python wrapper is not counted as the library's time.

    `uci` writes a move of a position in UCI notation. `perft_is_own` is True if the library itself counts the
    nodes, False if a Python loop over its moves does.
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
        """Return True if the library has this operation."""
        return getattr(self, operation) is not None

    def loop(self, operation: Operation) -> Loop:
        """Return the loop that times `operation`, which the library must support."""
        if operation in self.loops:
            return self.loops[operation]
        call = getattr(self, operation)
        return make_pair_loop(call) if operation == "san" else make_loop(call)

    def items(self, operation: Operation, rows: Sequence[Any]) -> list[Any]:
        """Return the items for the loop of `operation`: texts, positions, or pairs of position and SAN.

        Positions are parsed anew for each call, because some libraries cache the moves of a position in it.
        """
        if operation in TEXT_OPERATIONS:
            return [row.fen for row in rows]
        if operation == "san":
            return [(self.parse(row.fen), row.san) for row in rows]
        return [self.parse(row.fen) for row in rows]
