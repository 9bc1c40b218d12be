"""One run of everything, and what it learns about the libraries on the way."""

from __future__ import annotations

import os
import platform
import statistics
import sys
from dataclasses import dataclass
from typing import Any, Final

from bench import child
from bench.adapters import OPERATIONS, Adapter
from bench.corpus import START, broken_texts, garbage, some_rows
from bench.en_passant import conventions
from bench.measure import CHUNK, Timing, measure, measure_perft, readable_sans, time_texts, wrong_move_lists
from bench.ours import FORSYTH, compiled_modules, forsyth, load_game
from bench.peers import PYTHON_CHESS, installed_peers
from bench.promises import PURE, Figures
from bench.spellings import dearest, single_ratios

NODES: Final = {3: 8_902, 4: 197_281, 5: 4_865_609}
"""Perft of the start position, by depth."""
PYTHON_CHESS_DEPTH: Final = 3
GARBAGE_REPEATS: Final = 15


@dataclass(frozen=True, slots=True)
class Size:
    """How much to measure."""

    rows: int
    repeats: int
    perft_depth: int
    perft_repeats: int
    broken: int
    broken_repeats: int
    histories: int


FULL: Final = Size(10_000, 15, perft_depth=5, perft_repeats=7, broken=10_000, broken_repeats=9, histories=11)
QUICK: Final = Size(1_000, 5, perft_depth=4, perft_repeats=5, broken=400, broken_repeats=5, histories=5)


class Run:
    """Measure with `figures`, then ask for `facts` and `remarks`."""

    def __init__(self, size: Size, *, silent: bool = False) -> None:
        self.size = size
        self.silent = silent
        self.peers = installed_peers()
        self.failures: dict[str, str] = {}
        self.ours = self._forsyth()
        self.adapters = [adapter for adapter in (self.ours, *self.peers.values()) if adapter is not None]
        self.rows = some_rows(size.rows)
        self.unread_sans: dict[str, int] = {}
        self.wrong_moves: dict[str, int] = {}
        self.en_passant: dict[str, str | None] = {}
        self.details: dict[str, dict[str, float]] = {}

    def _forsyth(self) -> Adapter | None:
        try:
            return forsyth()
        except (ImportError, AttributeError) as error:
            self.failures[FORSYTH] = f"{type(error).__name__}: {error}"
            return None

    def figures(self) -> Figures:
        """Everything, measured."""
        timings = {**self._operations(), "perft": self._perft()}
        scalars: dict[str, float] = {}
        if self.ours is not None:
            timings[PURE] = self._pure()
            scalars = {**self._diagnose(), **self._garbage(), **self._history(), **self._spellings()}
        wrong = frozenset(name for name, kept in self.en_passant.items() if kept is None)
        return Figures(timings, scalars, {"write": wrong})

    def _operations(self) -> dict[str, dict[str, Timing]]:
        self._say("whose answers are right")
        self.en_passant = conventions(self.adapters, self.rows)
        self.wrong_moves = wrong_move_lists(self.adapters, self.rows)
        readable, self.unread_sans = readable_sans(self.adapters, self.rows)
        timings: dict[str, dict[str, Timing]] = {}
        for operation in OPERATIONS:
            self._say(operation)
            rows = readable if operation == "san" else self.rows
            timings[operation] = measure(operation, self.adapters, rows, self.size.repeats)
        return timings

    def _perft(self) -> dict[str, Timing]:
        self._say("perft")
        depths = {adapter.name: self.size.perft_depth for adapter in self.adapters}
        depths[PYTHON_CHESS] = PYTHON_CHESS_DEPTH
        return measure_perft(self.adapters, START, depths, NODES, self.size.perft_repeats)

    def _pure(self) -> dict[str, Timing]:
        self._say("the pure build, in a process of its own")
        try:
            answer = child.run("pure", self.size.rows, self.size.repeats, pure=True)
        except child.ChildError as error:
            self.failures["pure build"] = str(error)
            return {}
        if answer["compiled"]:
            self.failures["pure build"] = f"runs compiled: {', '.join(answer['compiled'])}"
            return {}
        self.details["pure first reading against later ones"] = {"ratio": answer["first_against_later"]}
        return {name: Timing(tuple(samples)) for name, samples in answer["samples"].items()}

    def _diagnose(self) -> dict[str, float]:
        self._say("broken texts")
        read = load_game().read
        texts = broken_texts()[: self.size.broken]
        times = time_texts(lambda text: read(text).diagnostics, texts, self.size.broken_repeats)
        cuts = statistics.quantiles(times, n=100)
        self.details["broken text, µs"] = {"90 %": cuts[89], "99 %": cuts[98], "worst": max(times)}
        return {"diagnose": statistics.median(times)}

    def _garbage(self) -> dict[str, float]:
        self._say("garbage")
        read = load_game().read
        texts = garbage()
        times = time_texts(lambda text: read(text).diagnostics, list(texts.values()), GARBAGE_REPEATS)
        self.details["1 MB of garbage, µs"] = dict(zip(texts, times, strict=True))
        return {"garbage": max(times)}

    def _history(self) -> dict[str, float]:
        self._say("first reading, in processes of their own")
        try:
            ratios = [child.run("history", 10_000, seed)["ratio"] for seed in range(self.size.histories)]
        except child.ChildError as error:
            self.failures["first reading"] = str(error)
            return {}
        self.details["first reading against later ones"] = {"lowest": min(ratios), "highest": max(ratios)}
        return {"history": statistics.median(ratios)}

    def _spellings(self) -> dict[str, float]:
        self._say("other spellings, variants and modes")
        texts = [row.fen for row in self.rows[:CHUNK]]
        ratios = single_ratios(load_game(), texts, self.size.repeats)
        self.details["times canonical text"] = ratios
        return dearest(ratios)

    def facts(self, seconds: float) -> dict[str, Any]:
        """What the figures depend on, and what was found out about the libraries."""
        return {
            "python": platform.python_version(),
            "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
            "seconds": round(seconds, 1),
            "texts": len(self.rows),
            "passes": self.size.repeats,
            "versions": {adapter.name: adapter.version for adapter in self.adapters},
            "missing": [name for name, peer in self.peers.items() if peer is None],
            "failures": self.failures,
            "compiled": compiled_modules(),
            "en_passant": self.en_passant,
            "unread_sans": self.unread_sans,
            "wrong_moves": self.wrong_moves,
            "own_perft": [adapter.name for adapter in self.adapters if adapter.perft_is_own],
            "details": self.details,
        }

    def _say(self, what: str) -> None:
        if not self.silent:
            print(f"measuring: {what} …", file=sys.stderr, flush=True)
