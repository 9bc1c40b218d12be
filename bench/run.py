"""One run of the chess benchmark: its figures, and facts about the libraries."""

from __future__ import annotations

import os
import platform
import statistics
import sys
from dataclasses import dataclass
from typing import Any, Final

from bench import child
from bench.adapters import OPERATIONS, Adapter
from bench.corpus import START, load_broken_texts, make_garbage, sample_rows
from bench.en_passant import find_conventions
from bench.measure import (
    CHUNK_ROWS,
    Timing,
    count_wrong_move_lists,
    measure,
    measure_perft,
    select_readable_rows,
    time_texts,
)
from bench.ours import FORSYTH, compiled_modules, load_game, make_forsyth_adapter
from bench.peers import PYTHON_CHESS, load_peers
from bench.promises import PURE, Figures
from bench.spellings import max_ratios, measure_text_ratios

NODES: Final = {3: 8_902, 4: 197_281, 5: 4_865_609}
"""Perft of the start position, by depth."""
PYTHON_CHESS_DEPTH: Final = 3
GARBAGE_REPEATS: Final = 15


@dataclass(frozen=True, slots=True)
class Size:
    """Amount of work of a run: numbers of texts, passes and processes."""

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
    """One run of the benchmark: `figures` measures, then `facts` describes the libraries and the machine."""

    def __init__(self, size: Size, *, silent: bool = False) -> None:
        self.size = size
        self.silent = silent
        self.peers = load_peers()
        self.failures: dict[str, str] = {}
        self.forsyth = self._load_forsyth()
        self.adapters = [adapter for adapter in (self.forsyth, *self.peers.values()) if adapter is not None]
        self.rows = sample_rows(size.rows)
        self.unread_sans: dict[str, int] = {}
        self.wrong_moves: dict[str, int] = {}
        self.en_passant: dict[str, str | None] = {}
        self.details: dict[str, dict[str, float]] = {}

    def _load_forsyth(self) -> Adapter | None:
        """Return the adapter of Forsyth. If it cannot be loaded, note the failure and return None."""
        try:
            return make_forsyth_adapter()
        except (ImportError, AttributeError) as error:
            self.failures[FORSYTH] = f"{type(error).__name__}: {error}"
            return None

    def figures(self) -> Figures:
        """Measure everything and return the figures."""
        timings = {**self._time_operations(), "perft": self._time_perft()}
        scalars: dict[str, float] = {}
        if self.forsyth is not None:
            timings[PURE] = self._time_pure_build()
            scalars = {
                **self._measure_broken_texts(),
                **self._measure_garbage(),
                **self._measure_history(),
                **self._measure_spellings(),
            }
        wrong_writers = frozenset(name for name, convention in self.en_passant.items() if convention is None)
        return Figures(timings, scalars, {"write": wrong_writers})

    def _time_operations(self) -> dict[str, dict[str, Timing]]:
        """Check the answers of all libraries, then time every operation."""
        self._print_step("correctness of the answers")
        self.en_passant = find_conventions(self.adapters, self.rows)
        self.wrong_moves = count_wrong_move_lists(self.adapters, self.rows)
        readable, self.unread_sans = select_readable_rows(self.adapters, self.rows)
        timings: dict[str, dict[str, Timing]] = {}
        for operation in OPERATIONS:
            self._print_step(operation)
            rows = readable if operation == "san" else self.rows
            timings[operation] = measure(operation, self.adapters, rows, self.size.repeats)
        return timings

    def _time_perft(self) -> dict[str, Timing]:
        """Time perft from the start position. python-chess counts a smaller depth, because it is slow."""
        self._print_step("perft")
        depths = {adapter.name: self.size.perft_depth for adapter in self.adapters}
        depths[PYTHON_CHESS] = PYTHON_CHESS_DEPTH
        return measure_perft(self.adapters, START, depths, NODES, self.size.perft_repeats)

    def _time_pure_build(self) -> dict[str, Timing]:
        """Time parsing of the pure build in a child process, by library.

        If the process fails or runs compiled modules, note the failure and return no timings.
        """
        self._print_step("the pure build, in a process of its own")
        try:
            answer = child.run_job("pure", self.size.rows, self.size.repeats, pure=True)
        except child.ChildError as error:
            self.failures["pure build"] = str(error)
            return {}
        if answer["compiled"]:
            self.failures["pure build"] = f"these modules run compiled: {', '.join(answer['compiled'])}"
            return {}
        self.details["pure first reading against later ones"] = {"ratio": answer["first_against_later"]}
        return {name: Timing(tuple(samples)) for name, samples in answer["samples"].items()}

    def _measure_broken_texts(self) -> dict[str, float]:
        """Return the median microseconds to find all errors of a broken text, as `diagnose`."""
        self._print_step("broken texts")
        read = load_game().read
        texts = load_broken_texts()[: self.size.broken]
        times = time_texts(lambda text: read(text).diagnostics, texts, self.size.broken_repeats)
        percentiles = statistics.quantiles(times, n=100)
        self.details["broken text, µs"] = {
            "90 %": percentiles[89],
            "99 %": percentiles[98],
            "worst": max(times),
        }
        return {"diagnose": statistics.median(times)}

    def _measure_garbage(self) -> dict[str, float]:
        """Return the microseconds to refuse the slowest garbage text, as `garbage`."""
        self._print_step("garbage")
        read = load_game().read
        texts = make_garbage()
        times = time_texts(lambda text: read(text).diagnostics, list(texts.values()), GARBAGE_REPEATS)
        self.details["1 MB of garbage, µs"] = dict(zip(texts, times, strict=True))
        return {"garbage": max(times)}

    def _measure_history(self) -> dict[str, float]:
        """Return the median ratio of the first pass to later ones, as `history`.

        Each ratio is measured in a process of its own. If one fails, note the failure and return {}.
        """
        self._print_step("first reading, in processes of their own")
        try:
            ratios = [child.run_job("history", 10_000, seed)["ratio"] for seed in range(self.size.histories)]
        except child.ChildError as error:
            self.failures["first reading"] = str(error)
            return {}
        self.details["first reading against later ones"] = {"lowest": min(ratios), "highest": max(ratios)}
        return {"history": statistics.median(ratios)}

    def _measure_spellings(self) -> dict[str, float]:
        """Return the highest ratio of each spelling to the canonical text, by name of the spelling."""
        self._print_step("other spellings, variants and modes")
        texts = [row.fen for row in self.rows[:CHUNK_ROWS]]
        ratios = measure_text_ratios(load_game(), texts, self.size.repeats)
        self.details["times canonical text"] = ratios
        return max_ratios(ratios)

    def facts(self, seconds: float) -> dict[str, Any]:
        """Return the conditions of the run and what it found out about the libraries.

        `seconds` is the duration of the run.
        """
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

    def _print_step(self, step: str) -> None:
        """Print to standard error what is measured next, unless the run is silent."""
        if not self.silent:
            print(f"measuring: {step} …", file=sys.stderr, flush=True)
