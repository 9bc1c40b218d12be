"""Parsing of blocks by the threads of a job, beside the thread that reads them.

`parse_blocks` is a `map` whose results keep the order of the blocks. A few blocks are parsed in advance,
while earlier rows are processed. Their number is limited, and so is the memory. The calling thread parses the
next block itself if no thread has begun with it, so that it never waits behind other work.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import NamedTuple, TypeVar

Block = TypeVar("Block")
Result = TypeVar("Result")


class ParsePool(NamedTuple):
    """The threads that may parse blocks."""

    executor: Executor
    """The threads. Their tasks must not wait for each other."""
    max_pending: int
    """Upper bound on the blocks that are parsed, or wait to be parsed, at the same time."""


def parse_blocks(
    parse: Callable[[Block], Result], blocks: Iterable[Block], pool: ParsePool | None
) -> Iterator[Result]:
    """Yield the result of `parse` for each block, in the order of the blocks.

    An error of `parse`, or of reading a block, is raised after the results of all earlier blocks.

    Args:
        parse: The function, which may be called in any thread.
        blocks: The blocks, which are read in the calling thread.
        pool: The threads; None to parse in the calling thread.
    """
    return map(parse, blocks) if pool is None else _parse_ahead(parse, blocks, pool)


def _parse_ahead(
    parse: Callable[[Block], Result], blocks: Iterable[Block], pool: ParsePool
) -> Iterator[Result]:
    """Yield the results of `parse` in order, while threads parse the next blocks."""
    remaining_blocks = iter(blocks)
    pending: deque[tuple[Block, Future[Result]]] = deque()
    read_error: Exception | None = None
    is_read = False
    try:
        while True:
            while not is_read and len(pending) < pool.max_pending:
                try:
                    block = next(remaining_blocks)
                except StopIteration:
                    is_read = True
                except Exception as error:  # The blocks before the faulty one are yielded first.
                    is_read = True
                    read_error = error
                else:
                    pending.append((block, pool.executor.submit(parse, block)))
            if not pending:
                break
            block, future = pending.popleft()
            was_waiting = future.cancel()
            yield parse(block) if was_waiting else future.result()
    finally:
        for _, future in pending:
            future.cancel()
    if read_error is not None:
        raise read_error
