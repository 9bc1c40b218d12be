"""What comments say in commands, as values, and comments with other values written into them.

`record_bytes.comment_commands` lists what is read: ``clk`` and ``emt`` are durations, ``eval`` an evaluation,
``cal`` arrows and ``csl`` circles. Arrows and circles are a letter for the colour and the names of squares,
such as ``Ge2e4`` and ``Rf7``, with commas between them; what is none of these is left out.

Writing replaces the command where it stands, or puts it before the words of the first comment. Durations are
``h:mm:ss`` with as many digits of a second as there are, to the millisecond; a depth behind an evaluation is
not kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from forsyth.arguments import require_kind, several, whole_number
from forsyth.record_bytes.comment_commands import Commands, read_commands

Comments = tuple[str, ...]

_MATE: Final = 1_000_000
"""What `read_commands` gives for mate, less the moves to it."""
_MOST_CENTIPAWNS: Final = 500_000

_COMMAND: Final = re.compile(r"\s*\[%[^\[\]]*\]\s*")
_SQUARE: Final = r"([a-z]+[0-9]+|[0-9]+[a-z]+)"
_ARROW: Final = re.compile(rf"([A-Z]){_SQUARE}{_SQUARE}", re.ASCII)
_CIRCLE: Final = re.compile(rf"([A-Z]){_SQUARE}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a position is worth, seen as the record has it: in hundredths of a pawn, or as moves to mate."""

    centipawns: int | None = None
    mate: int | None = None

    def __post_init__(self) -> None:
        numbers = [one for one in (self.centipawns, self.mate) if one is not None]
        given = [abs(whole_number("an evaluation", one)) for one in numbers]
        if len(given) != 1:
            raise ValueError("an evaluation is either in centipawns or in moves to mate")
        if given[0] > _MOST_CENTIPAWNS:
            raise ValueError(f"an evaluation of {given[0]} is too large, expected {_MOST_CENTIPAWNS} at most")

    def __str__(self) -> str:
        if self.centipawns is None:
            return f"#{self.mate}"
        sign = "-" if self.centipawns < 0 else ""
        return f"{sign}{abs(self.centipawns) // 100}.{abs(self.centipawns) % 100:02}"


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow on the board; the colour is a capital letter, usually ``G``, ``R``, ``Y`` or ``B``."""

    origin: str
    target: str
    colour: str = "G"

    def __post_init__(self) -> None:
        if not _ARROW.fullmatch(str(self)):
            raise ValueError(f"{str(self)!r} is no arrow, expected a colour and two squares, such as Ge2e4")

    def __str__(self) -> str:
        return f"{self.colour}{self.origin}{self.target}"


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle on the board; the colour is a capital letter, usually ``G``, ``R``, ``Y`` or ``B``."""

    square: str
    colour: str = "G"

    def __post_init__(self) -> None:
        if not _CIRCLE.fullmatch(str(self)):
            raise ValueError(f"{str(self)!r} is no circle, expected a colour and a square, such as Ge4")

    def __str__(self) -> str:
        return f"{self.colour}{self.square}"


# --- reading ----------------------------------------------------------------------------------------


def commands_in(comments: Comments) -> Commands:
    """The commands in all comments of a move together."""
    return read_commands("\n".join(comments)) if comments else Commands()


def read_duration(milliseconds: int | None) -> timedelta | None:
    """A clock or a time spent as a duration."""
    return None if milliseconds is None else timedelta(milliseconds=milliseconds)


def read_evaluation(number: int | None) -> Evaluation | None:
    """An evaluation from its one number."""
    if number is None:
        return None
    if abs(number) <= _MOST_CENTIPAWNS:
        return Evaluation(number)
    return Evaluation(mate=_MATE - number if number > 0 else -_MATE - number)


def read_arrows(text: str | None) -> tuple[Arrow, ...]:
    """The arrows of a command's value."""
    found = (_ARROW.fullmatch(word) for word in (text or "").split(","))
    return tuple(Arrow(one[2], one[3], one[1]) for one in found if one)


def read_circles(text: str | None) -> tuple[Circle, ...]:
    """The circles of a command's value."""
    found = (_CIRCLE.fullmatch(word) for word in (text or "").split(","))
    return tuple(Circle(one[2], one[1]) for one in found if one)


def words_of(comments: Comments) -> str:
    """What comments say to people: everything but the commands."""
    return " ".join(words for text in comments if (words := _COMMAND.sub(" ", text).strip()))


# --- writing ----------------------------------------------------------------------------------------


def write_duration(value: timedelta | None) -> str | None:
    """A duration as commands have it; raises `ValueError` for a negative one."""
    if value is None:
        return None
    require_kind("a time", value, timedelta, "a timedelta")
    if value < timedelta(0):
        raise ValueError(f"a clock shows no negative time, and {value} is one")
    seconds, milliseconds = divmod(value // timedelta(milliseconds=1), 1000)
    fraction = f".{milliseconds:03}".rstrip("0").rstrip(".")
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"


def write_evaluation(value: Evaluation | None) -> str | None:
    """An evaluation as the value of a command."""
    if value is None:
        return None
    require_kind("an evaluation", value, Evaluation, "an Evaluation")
    return str(value)


def write_drawings(
    drawings: Iterable[Arrow] | Iterable[Circle], kind: type[Arrow] | type[Circle]
) -> str | None:
    """Arrows or circles as the value of a command; None where there are none."""
    name = kind.__name__.lower()
    given = several(f"{name}s", drawings, f"values of {kind.__name__}")
    for one in given:
        require_kind(f"one of the {name}s", one, kind, f"a value of {kind.__name__}")
    return ",".join(map(str, given)) or None


def with_command(comments: Comments, name: str, value: str | None) -> Comments:
    """The comments with another value of a command, or without the command."""
    pattern = re.compile(rf"\s*\[%{name}\s[^\[\]]*\]\s*")
    command = f"[%{name} {value}]"
    found: list[str] = []
    written = value is None
    for text in comments:
        place = None if written else pattern.search(text)
        rest = pattern.sub(" ", text).strip() if pattern.search(text) else text
        if place is not None:
            before, after = text[: place.start()], pattern.sub(" ", text[place.end() :])
            rest = " ".join(part for part in (before.strip(), command, after.strip()) if part)
            written = True
        if rest:
            found.append(rest)
    if written:
        return tuple(found)
    return (f"{command} {found[0]}", *found[1:]) if found else (command,)


def with_words(comments: Comments, words: str) -> Comments:
    """The comments with other words, in one comment; the commands stay, before the words."""
    commands = [one.strip() for text in comments for one in _COMMAND.findall(text)]
    whole = " ".join([*commands, words.strip()]).strip()
    return (whole,) if whole else ()


def without_words(comments: Comments) -> Comments:
    """The commands alone."""
    return with_words(comments, "")
