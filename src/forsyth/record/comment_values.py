"""Convert between the commands in comments and values such as durations, evaluations, arrows and circles.

`record_bytes.comment_commands` finds the commands: ``clk`` and ``emt`` are durations, ``eval`` is an
evaluation, ``cal`` lists arrows and ``csl`` lists circles. Arrows and circles are a letter for the colour
and the names of squares, such as ``Ge2e4`` and ``Rf7``, separated by commas. Other words are ignored.

Writing replaces the command in its place, or inserts it at the start of the first comment. Durations are
written as ``h:mm:ss`` with up to three decimals of a second. The search depth of an evaluation is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from forsyth.arguments import require_integer, require_type, to_tuple
from forsyth.record_bytes.comment_commands import Commands, read_commands

Comments = tuple[str, ...]

_MATE: Final = 1_000_000
"""`read_commands` returns mate in n moves as this number minus n."""
_MAX_CENTIPAWNS: Final = 500_000
_CENTIPAWNS_PER_PAWN: Final = 100

_COMMAND: Final = re.compile(r"\s*\[%[^\[\]]*\]\s*")
_SQUARE: Final = r"([a-z]+[0-9]+|[0-9]+[a-z]+)"
_ARROW: Final = re.compile(rf"([A-Z]){_SQUARE}{_SQUARE}", re.ASCII)
_CIRCLE: Final = re.compile(rf"([A-Z]){_SQUARE}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation of a position, in hundredths of a pawn or as the number of moves to mate.

    The sign is that of the record, usually positive if White is better. Raise `ValueError` unless exactly
    one of the two numbers is given, or if it is larger than 500,000.
    """

    centipawns: int | None = None
    mate: int | None = None

    def __post_init__(self) -> None:
        given_values = [value for value in (self.centipawns, self.mate) if value is not None]
        for value in given_values:
            require_integer("an evaluation", value)
        if len(given_values) != 1:
            raise ValueError(
                f"the evaluation has {len(given_values)} values, expected either centipawns or moves to mate"
            )
        size = abs(given_values[0])
        if size > _MAX_CENTIPAWNS:
            raise ValueError(f"the evaluation {size} is too large, expected at most {_MAX_CENTIPAWNS}")

    def __str__(self) -> str:
        if self.centipawns is None:
            return f"#{self.mate}"
        sign = "-" if self.centipawns < 0 else ""
        pawns, hundredths = divmod(abs(self.centipawns), _CENTIPAWNS_PER_PAWN)
        return f"{sign}{pawns}.{hundredths:02}"


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow on the board. The colour is a capital letter, usually ``G``, ``R``, ``Y`` or ``B``."""

    origin: str
    target: str
    colour: str = "G"

    def __post_init__(self) -> None:
        if not _ARROW.fullmatch(str(self)):
            raise ValueError(
                f"{str(self)!r} is not an arrow, expected a colour and two squares, such as Ge2e4"
            )

    def __str__(self) -> str:
        return f"{self.colour}{self.origin}{self.target}"


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle on the board. The colour is a capital letter, usually ``G``, ``R``, ``Y`` or ``B``."""

    square: str
    colour: str = "G"

    def __post_init__(self) -> None:
        if not _CIRCLE.fullmatch(str(self)):
            raise ValueError(f"{str(self)!r} is not a circle, expected a colour and a square, such as Ge4")

    def __str__(self) -> str:
        return f"{self.colour}{self.square}"


# --- reading ----------------------------------------------------------------------------------------


def read_all_commands(comments: Comments) -> Commands:
    """Return the values of the commands in all comments of a move, such as ``[%clk 0:05:00]``.

    If two commands have the same name, the first one counts.
    """
    return read_commands("\n".join(comments)) if comments else Commands()


def read_duration(milliseconds: int | None) -> timedelta | None:
    """Convert milliseconds to a `timedelta`. None stays None."""
    return None if milliseconds is None else timedelta(milliseconds=milliseconds)


def read_evaluation(number: int | None) -> Evaluation | None:
    """Convert an evaluation that `read_commands` returned to an `Evaluation`. None stays None.

    Numbers up to 500,000 are centipawns. 1,000,000 − n is a mate in n moves, and its negative is a mate by
    the other side.
    """
    if number is None:
        return None
    if abs(number) <= _MAX_CENTIPAWNS:
        return Evaluation(centipawns=number)
    if number > 0:
        return Evaluation(mate=_MATE - number)
    return Evaluation(mate=-_MATE - number)


def read_arrows(text: str | None) -> tuple[Arrow, ...]:
    """Return the arrows in the value of a ``cal`` command, such as ``Ge2e4,Rd1d8`` (G: green, R: red).

    Words that are not arrows are left out. None, for a comment without the command, gives no arrows.
    """
    matches = (_ARROW.fullmatch(word) for word in (text or "").split(","))
    return tuple(Arrow(origin=match[2], target=match[3], colour=match[1]) for match in matches if match)


def read_circles(text: str | None) -> tuple[Circle, ...]:
    """Return the circles in the value of a ``csl`` command, such as ``Re4,Gf7`` (R: red, G: green).

    Words that are not circles are left out. None, for a comment without the command, gives no circles.
    """
    matches = (_CIRCLE.fullmatch(word) for word in (text or "").split(","))
    return tuple(Circle(square=match[2], colour=match[1]) for match in matches if match)


def remove_commands(comments: Comments) -> str:
    """Return the text of all comments, joined by blanks, without commands such as ``[%clk 0:05:00]``."""
    texts_without_commands = (_COMMAND.sub(" ", comment).strip() for comment in comments)
    return " ".join(text for text in texts_without_commands if text)


# --- writing ----------------------------------------------------------------------------------------


def write_duration(duration: timedelta | None) -> str | None:
    """Return a duration as the value of a command: hours, minutes and seconds, such as ``1:02:03.5``.

    None stays None. Raise `ValueError` if the duration is negative.
    """
    if duration is None:
        return None
    require_type("a time", duration, timedelta, "a timedelta")
    if duration < timedelta(0):
        raise ValueError(f"the time {duration} is negative, expected zero or more")
    total_seconds, milliseconds = divmod(duration // timedelta(milliseconds=1), 1000)
    total_minutes, seconds = divmod(total_seconds, 60)
    hours, minutes = divmod(total_minutes, 60)
    # Without trailing zeros, and without the point if no digit follows it.
    fraction = f".{milliseconds:03}".rstrip("0").rstrip(".")
    return f"{hours}:{minutes:02}:{seconds:02}{fraction}"


def write_evaluation(evaluation: Evaluation | None) -> str | None:
    """Return an evaluation as the value of a command, such as ``-0.31`` or ``#3``. None stays None."""
    if evaluation is None:
        return None
    require_type("an evaluation", evaluation, Evaluation, "an Evaluation")
    return str(evaluation)


def write_drawings(
    drawings: Iterable[Arrow] | Iterable[Circle], drawing_class: type[Arrow] | type[Circle]
) -> str | None:
    """Return arrows or circles as the value of a command, such as ``Ge2e4,Rd1d8``, or None if there are none.

    Raise `TypeError` if one of them is not of the class `drawing_class`.
    """
    class_name = drawing_class.__name__
    label = class_name.lower()
    values = to_tuple(f"{label}s", drawings, f"values of {class_name}")
    for value in values:
        require_type(f"one of the {label}s", value, drawing_class, f"a value of {class_name}")
    return ",".join(map(str, values)) or None


def replace_command(comments: Comments, name: str, value: str | None) -> Comments:
    """Return the comments with a new value of a command, such as ``[%clk 0:05:00]`` for the name ``clk``.

    The first command of this name is replaced in its place and the others are removed. If there is none, the
    command is inserted at the start of the first comment. The value None removes the command.
    """
    pattern = re.compile(rf"\s*\[%{name}\s[^\[\]]*\]\s*")
    command = f"[%{name} {value}]"
    new_comments: list[str] = []
    is_still_to_write = value is not None
    for comment in comments:
        match = pattern.search(comment)
        if match is None:
            new_comment = comment
        elif is_still_to_write:
            text_before = comment[: match.start()].strip()
            text_after = pattern.sub(" ", comment[match.end() :]).strip()
            new_comment = " ".join(part for part in (text_before, command, text_after) if part)
            is_still_to_write = False
        else:
            new_comment = pattern.sub(" ", comment).strip()
        if new_comment:
            new_comments.append(new_comment)

    if not is_still_to_write:
        return tuple(new_comments)
    if not new_comments:
        return (command,)
    return (f"{command} {new_comments[0]}", *new_comments[1:])


def replace_words(comments: Comments, words: str) -> Comments:
    """Return the comments with another text: one comment with all their commands, followed by `words`.

    The commands, such as ``[%clk 0:05:00]``, are kept, and the old text is dropped. The result is an empty
    tuple if there are neither commands nor words.
    """
    commands = [command.strip() for comment in comments for command in _COMMAND.findall(comment)]
    new_comment = " ".join([*commands, words.strip()]).strip()
    return (new_comment,) if new_comment else ()


def keep_only_commands(comments: Comments) -> Comments:
    """Return one comment with all commands of the comments, without their text, or an empty tuple."""
    return replace_words(comments, words="")
