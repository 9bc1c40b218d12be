"""The value of the tag ``TimeControl`` (PGN standard 9.6.1).

A time control is ``-`` (no clock) or a list of periods, separated by colons. A period is one of:

- ``40/9000``: 40 moves in 9000 seconds;
- ``900``: the rest of the game in 900 seconds;
- one of these with an increment in seconds, such as ``5400+30`` or ``40/5400+30``;
- ``*180``: an hourglass of 180 seconds.

``?`` and every other text is not a time control. Writing reproduces the text, except for leading zeros.

Limits: `MAX_PERIODS` periods, nine digits in a number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MAX_PERIODS: Final = 16
"""Maximum number of periods. Tournaments have up to four."""

_PERIOD: Final = re.compile(
    r"(?:(?P<moves>\d{1,9})/)?(?P<seconds>\d{1,9})(?:\+(?P<increment>\d{1,9}))?", re.ASCII
)
_HOURGLASS: Final = re.compile(r"\*(\d{1,9})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Period:
    """One period of a time control."""

    seconds: int
    """The time for the period."""
    moves: int | None = None
    """The number of moves to make in the period; None is the rest of the game."""
    increment: int = 0
    """Seconds added for each move."""
    hourglass: bool = False
    """Whether the time that one player uses is added to the other player's clock."""

    def __str__(self) -> str:
        if self.hourglass:
            return f"*{self.seconds}"
        moves = "" if self.moves is None else f"{self.moves}/"
        increment = f"+{self.increment}" if self.increment else ""
        return f"{moves}{self.seconds}{increment}"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time that each player has. Without periods there is no clock."""

    periods: tuple[Period, ...] = ()

    def __str__(self) -> str:
        return ":".join(map(str, self.periods)) or "-"


def read_time_control(text: str) -> TimeControl | None:
    """Parse the value of the tag ``TimeControl``, such as ``40/7200:1800+30``.

    ``-`` means that there is no clock. Return None if the text is not a time control.
    """
    text = text.strip()
    if text == "-":
        return TimeControl()
    period_texts = text.split(":", MAX_PERIODS)
    if len(period_texts) > MAX_PERIODS:
        return None
    periods: list[Period] = []
    for period_text in period_texts:
        period = _read_period(period_text)
        if period is None:
            return None
        periods.append(period)
    return TimeControl(tuple(periods))


def _read_period(text: str) -> Period | None:
    """Return the period that `text` describes, or None if it is invalid.

    ``40/7200`` is 40 moves in 7200 seconds, ``900+10`` is 900 seconds and 10 more for each move, and ``*180``
    is an hourglass of 180 seconds.
    """
    hourglass = _HOURGLASS.fullmatch(text)
    if hourglass is not None:
        return Period(int(hourglass[1]), hourglass=True)
    match = _PERIOD.fullmatch(text)
    if match is None:
        return None
    moves = None if match["moves"] is None else int(match["moves"])
    return Period(int(match["seconds"]), moves, int(match["increment"] or 0))
