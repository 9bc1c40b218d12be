"""What is promised about speed, and the verdict on each promise from the figures of one run."""

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
    """All that one run measured. A missing entry was not measured."""

    timings: Mapping[str, Mapping[str, Timing]]
    """Operation → library → microseconds per item (per node for perft)."""
    scalars: Mapping[str, float] = field(default_factory=dict)
    """Figures without a rival: `diagnose` and `garbage` in microseconds, the others as ratios."""
    wrong: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Operation → libraries whose answers are wrong: measured, but no rivals."""


@dataclass(frozen=True, slots=True)
class Faster:
    """Forsyth must be `minimum` times as fast as one rival, or as the fastest when none is named."""

    title: str
    operation: str
    minimum: float
    rival: str | None = None

    @property
    def required(self) -> str:
        """The bound as a person reads it."""
        return f"≥ {self.minimum:g}×"


@dataclass(frozen=True, slots=True)
class AtMost:
    """A figure of Forsyth's own that must not exceed a bound."""

    title: str
    figure: str
    maximum: float
    unit: str

    @property
    def required(self) -> str:
        """The bound as a person reads it."""
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
    # Reads "must not depend": the slack is what two passes of the same work differ by on a busy machine.
    AtMost("first reading against later ones", "history", 1.25, "×"),
    *(
        AtMost(f"{spelling.name}: parse, read, check against canonical", spelling.name, 4, "×")
        for spelling in SPELLINGS
    ),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One requirement, held against the figures. `met` is None when something was not measured."""

    requirement: Requirement
    met: bool | None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    rival: str | None = None
    ours: float | None = None
    theirs: float | None = None


def judge(figures: Figures) -> list[Verdict]:
    """The verdict on every requirement, in their order."""
    return [
        _faster(requirement, figures) if isinstance(requirement, Faster) else _at_most(requirement, figures)
        for requirement in REQUIREMENTS
    ]


def all_met(verdicts: list[Verdict]) -> bool:
    """Whether every promise is kept; one that could not be checked is not."""
    return all(verdict.met for verdict in verdicts)


def _at_most(requirement: AtMost, figures: Figures) -> Verdict:
    value = figures.scalars.get(requirement.figure)
    if value is None:
        return Verdict(requirement, None)
    return Verdict(requirement, value <= requirement.maximum, value)


def _faster(requirement: Faster, figures: Figures) -> Verdict:
    timings = figures.timings.get(requirement.operation, {})
    ours = timings.get(FORSYTH)
    rival = requirement.rival or fastest(requirement.operation, figures)
    theirs = timings.get(rival) if rival else None
    if ours is None or theirs is None:
        return Verdict(requirement, None, rival=rival)
    ratio = theirs.median / ours.median
    paired = list(_paired(ours, theirs))
    return Verdict(
        requirement,
        ratio >= requirement.minimum,
        ratio,
        min(paired),
        max(paired),
        rival,
        ours.median,
        theirs.median,
    )


def _paired(ours: Timing, theirs: Timing) -> Iterator[float]:
    """The ratio of every pass: both ran in it, chunk by chunk, so its load was the same for both."""
    return (their / our for our, their in zip(ours.samples, theirs.samples, strict=True))


def fastest(operation: str, figures: Figures) -> str | None:
    """The quickest peer whose answers are right."""
    timings = figures.timings.get(operation, {})
    rivals = {
        name: timing.median
        for name, timing in timings.items()
        if name != FORSYTH and name not in figures.wrong.get(operation, frozenset())
    }
    return min(rivals, key=rivals.__getitem__, default=None)
