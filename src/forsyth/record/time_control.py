"""The tag ``TimeControl`` as a value (PGN standard 9.6.1).

Accepted: periods with colons between them, each of them ``40/9000`` (moves in seconds) or ``900`` (the rest
of the game in seconds), with an increment behind it or without (``5400+30``, ``40/5400+30``), or ``*180`` (an
hourglass). ``-`` is a game without a clock. ``?`` and anything else are no time control.

Writing gives the same text again, but for leading zeros.

Limits: `MOST_PERIODS` periods, nine digits a number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MOST_PERIODS: Final = 16
"""Most periods of a time control: tournaments have up to four."""

_PERIOD: Final = re.compile(
    r"(?:(?P<moves>\d{1,9})/)?(?P<seconds>\d{1,9})(?:\+(?P<increment>\d{1,9}))?", re.ASCII
)
_HOURGLASS: Final = re.compile(r"\*(\d{1,9})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Period:
    """One period of a time control."""

    seconds: int
    moves: int | None = None
    """How many moves must be made in it; None is the rest of the game."""
    increment: int = 0
    """Seconds added for each move."""
    hourglass: bool = False
    """Whether what one player uses is added to the other's clock."""

    def __str__(self) -> str:
        if self.hourglass:
            return f"*{self.seconds}"
        moves = "" if self.moves is None else f"{self.moves}/"
        return f"{moves}{self.seconds}{f'+{self.increment}' if self.increment else ''}"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time the players have; without a period there is no clock."""

    periods: tuple[Period, ...] = ()

    def __str__(self) -> str:
        return ":".join(map(str, self.periods)) or "-"


def read_time_control(text: str) -> TimeControl | None:
    """The time control that a tag's value says; None where it says none."""
    text = text.strip()
    if text == "-":
        return TimeControl()
    parts = text.split(":", MOST_PERIODS)
    if len(parts) > MOST_PERIODS:
        return None
    periods = [period for part in parts if (period := _period(part)) is not None]
    return TimeControl(tuple(periods)) if len(periods) == len(parts) else None


def _period(text: str) -> Period | None:
    if hourglass := _HOURGLASS.fullmatch(text):
        return Period(int(hourglass[1]), hourglass=True)
    found = _PERIOD.fullmatch(text)
    if found is None:
        return None
    moves = None if found["moves"] is None else int(found["moves"])
    return Period(int(found["seconds"]), moves, int(found["increment"] or 0))
