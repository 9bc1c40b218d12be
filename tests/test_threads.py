"""Long calls let other threads go on, and an event loop with them.

Nothing here depends on how long anything takes. The interpreter is told never to switch threads by
itself: another thread then runs only if the call lets it.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator

import pyarrow as pa
import pytest
from tests.polling import wait_until

import forsyth
from forsyth.bulk import arrow
from forsyth.kit import game as kit
from forsyth.limits import GIL_RELEASE_DEPTH

NEVER = 10_000.0
MOST = 400
"""How often a call is made before the other thread must have run."""


@pytest.fixture
def never_switching() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(NEVER)
    yield
    sys.setswitchinterval(before)


class Beside:
    """Runs a call in a thread, again and again, until this one was seen to run during it."""

    def __init__(self, call: Callable[[], object]) -> None:
        self._call = call
        self._inside = False
        self._begun = threading.Event()
        self.seen = 0

    def _work(self) -> None:
        self._begun.set()
        for _ in range(MOST):
            self._inside = True
            self._call()
            self._inside = False
            if self.seen:
                return

    def count(self) -> int:
        """How often this thread was seen to run while the other one was in the call."""
        worker = threading.Thread(target=self._work)
        worker.start()
        self._begun.wait()

        def has_ended() -> bool:
            self.seen += self._inside
            return not worker.is_alive()

        wait_until(has_ended, interval=0)
        worker.join()
        return self.seen


def start_of(name: str) -> tuple[forsyth.Game, object]:
    game = forsyth.game(name)
    return game, game.parse(game.start)


def counted(name: str, depth: int, text: str | None = None) -> int:
    game = forsyth.game(name)
    return game.perft(game.parse(text or game.start), depth)


SPARSE_COTULENH = "9hc/11/10h/11/11/11/11/11/11/10H/11/9HC r - - 0 1"
LATE_AZUL = (
    "----|----|----|----|YRKW/YYYRRRKKKWWW/-----|-----|-----|-----|-----/B----|B----|-----|-----|-----/-"
    "/-----|-----|-----|-----|-----/B----|B----|-----|-----|-----/-/0,0/1/0"
)
"""Positions with few moves, of games that release the GIL only for a moment, `BREATH` plies above the leaves.

The other thread misses most of these moments. From the start a call has one, from here about a hundred.
"""


COLUMN = pa.array([forsyth.game("chess").start] * 20_000)
RELEASING: dict[str, Callable[[], object]] = {
    "perft of chess": lambda: counted("chess", 5),
    "perft of CoTuLenh": lambda: counted("cotulenh", 6, SPARSE_COTULENH),
    "perft of Azul": lambda: counted("azul", 5, LATE_AZUL),
    "scan": lambda: arrow.scan(COLUMN, "chess"),
    "key": lambda: arrow.key(COLUMN, "chess"),
}


@pytest.mark.compiled
@pytest.mark.parametrize("call", RELEASING.values(), ids=RELEASING)
def test_a_thread_goes_on_beside_a_long_call(call: Callable[[], object], never_switching: None) -> None:
    assert Beside(call).count() > 0


@pytest.mark.compiled
def test_an_event_loop_goes_on_beside_a_long_call(never_switching: None) -> None:
    inside = False

    def call() -> None:
        nonlocal inside
        inside = True
        counted("chess", 5)
        inside = False

    async def run() -> int:
        turns = 0
        for _ in range(MOST):
            task = asyncio.create_task(asyncio.to_thread(call))
            while not task.done():
                turns += inside
                await asyncio.sleep(0)
            if turns:
                break
        return turns

    assert asyncio.run(run()) > 0


@pytest.mark.parametrize("name", ["xiangqi", "shogi"])
def test_a_perft_of_the_kit_holds_the_gil_for_few_plies(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    depths: list[int] = []

    def count(board: object, depth: int) -> int:
        depths.append(depth)
        return 1

    monkeypatch.setattr(kit, "perft", count)
    game, start = start_of(name)
    moves = len(game.moves(start))
    assert game.perft(start, GIL_RELEASE_DEPTH + 1) == moves
    assert depths == [GIL_RELEASE_DEPTH] * moves
    assert game.perft(start, GIL_RELEASE_DEPTH) == 1


def test_threads_that_count_at_once_do_not_disturb_each_other() -> None:
    game = forsyth.game("chess")
    position = game.parse("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    before = str(position)
    depth = 3 if forsyth.build_info()["compiled"] else 2
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(game.perft(position, depth))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [{2: 2039, 3: 97_862}[depth]] * 4
    assert str(position) == before
