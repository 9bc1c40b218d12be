"""Requirements on the speed of Forsyth, and the verdicts on them from the figures of one run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from bench.measure import Timing
from bench.ours import FORSYTH
from bench.peers import NCHESS, PYTHON_CHESS
from bench.spellings import SPELLINGS

PURE: Final = "pure parse"


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures of one run. A figure that was not measured is missing."""

    timings: Mapping[str, Mapping[str, Timing]]
    """Microseconds per item (per node for perft), by operation and library."""
    scalars: Mapping[str, float] = field(default_factory=dict)
    """Figures without a rival by name: `diagnose` and `garbage` in microseconds, the others as ratios."""
    wrong_libraries: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Libraries with wrong answers, by operation. They are measured but are no rivals."""


@dataclass(frozen=True, slots=True)
class Faster:
    """Requirement that Forsyth is at least `minimum` times as fast as a rival.

    If `rival` is None, the rival is the fastest library with right answers.
    """

    title: str
    operation: str
    minimum: float
    rival: str | None = None

    @property
    def required(self) -> str:
        """The bound as shown in the table."""
        return f"≥ {self.minimum:g}×"


@dataclass(frozen=True, slots=True)
class AtMost:
    """Requirement that a figure of Forsyth itself does not exceed a bound.

    `figure` is its name in `Figures.scalars`.
    """

    title: str
    figure: str
    maximum: float
    unit: str

    @property
    def required(self) -> str:
        """The bound as shown in the table."""
        return f"≤ {self.maximum:g}{self.unit}"


Requirement = Faster | AtMost

REQUIREMENTS: Final[tuple[Requirement, ...]] = (
    Faster("text → position", "parse", 1.6),
    Faster("text → position", "parse", 120, PYTHON_CHESS),
    Faster("position → text", "write", 2),
    Faster("position → text", "write", 80, PYTHON_CHESS),
    Faster("text → legality verdict", "validate", 1.2),
    Faster("text → legality verdict", "validate", 60, PYTHON_CHESS),
    Faster("legal move list", "moves", 1),
    Faster("legal move list", "moves", 20, PYTHON_CHESS),
    Faster("SAN reading", "san", 1),
    Faster("SAN reading", "san", 20, PYTHON_CHESS),
    Faster("perft", "perft", 0.5, NCHESS),
    Faster("perft", "perft", 100, PYTHON_CHESS),
    Faster("text → position, pure build", PURE, 15, PYTHON_CHESS),
    AtMost("all findings of a broken text", "diagnose", 10, " µs"),
    AtMost("1 MB of garbage refused", "garbage", 1000, " µs"),
    # The first reading must not be slower. Two equal passes differ by this factor on a busy machine.
    AtMost("first reading against later ones", "history", 1.25, "×"),
    *(
        AtMost(f"{spelling.name}: parse, read, check against canonical", spelling.name, 4, "×")
        for spelling in SPELLINGS
    ),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict on one requirement. `is_met` is None if a figure was not measured.

    `value` is the measured ratio or figure, `low` and `high` the lowest and highest ratio of single passes,
    `ours` and `theirs` the median microseconds of Forsyth and of the rival.
    """

    requirement: Requirement
    is_met: bool | None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    rival: str | None = None
    ours: float | None = None
    theirs: float | None = None


def judge(figures: Figures) -> list[Verdict]:
    """Return the verdict on every requirement, in the order of `REQUIREMENTS`."""
    return [
        _judge_faster(requirement, figures)
        if isinstance(requirement, Faster)
        else _judge_at_most(requirement, figures)
        for requirement in REQUIREMENTS
    ]


def all_met(verdicts: list[Verdict]) -> bool:
    """Return True if every requirement was measured and is met."""
    return all(verdict.is_met for verdict in verdicts)


def _judge_at_most(requirement: AtMost, figures: Figures) -> Verdict:
    """Compare a figure of Forsyth with its upper bound."""
    value = figures.scalars.get(requirement.figure)
    if value is None:
        return Verdict(requirement, None)
    return Verdict(requirement, value <= requirement.maximum, value)


def _judge_faster(requirement: Faster, figures: Figures) -> Verdict:
    """Compare the median times of Forsyth and of the rival."""
    timings = figures.timings.get(requirement.operation, {})
    ours = timings.get(FORSYTH)
    rival = requirement.rival or fastest_rival(requirement.operation, figures)
    theirs = timings.get(rival) if rival else None
    if ours is None or theirs is None:
        return Verdict(requirement, None, rival=rival)
    ratio = theirs.median / ours.median
    pass_ratios = list(_pass_ratios(ours, theirs))
    return Verdict(
        requirement,
        ratio >= requirement.minimum,
        ratio,
        min(pass_ratios),
        max(pass_ratios),
        rival,
        ours.median,
        theirs.median,
    )


def _pass_ratios(ours: Timing, theirs: Timing) -> Iterator[float]:
    """Return the ratio of their time to ours for each pass.

    Both libraries ran in each pass, chunk by chunk, so the load of the machine was the same for both.
    """
    return (their_time / our_time for our_time, their_time in zip(ours.samples, theirs.samples, strict=True))


def fastest_rival(operation: str, figures: Figures) -> str | None:
    """Return the name of the fastest peer with right answers, or None if there is none."""
    timings = figures.timings.get(operation, {})
    rivals = {
        name: timing.median
        for name, timing in timings.items()
        if name != FORSYTH and name not in figures.wrong_libraries.get(operation, frozenset())
    }
    return min(rivals, key=rivals.__getitem__, default=None)
