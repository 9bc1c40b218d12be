"""Where texts come from: arguments, files, standard input.

Accepts: plain lines, of which only the line terminator (``\\n`` or ``\\r\\n``) is taken off, for white space
is part of what there is to diagnose; or JSON lines, each a string or an object with a string ``text``, so
that any text at all can be given. Bytes that are not UTF-8 arrive as lone surrogates (`surrogateescape`)
and are diagnosed like any other character.

Lines of nothing but white space are skipped, and so are plain lines that begin with ``#``: they order a
file and hold no text. They are counted all the same, so that a number is the place in the file. Arguments are
never skipped, and JSON lines can hold any text, the empty one too.

Limits: input is read line by line and never held whole. Of a plain line longer than `MAX_LINE` bytes only
that many are kept: no position is that long, so the finding is the same (`fen.length`). A JSON line longer
than `MAX_JSON_LINE` bytes is an error, because a JSON text cannot be cut.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import click

from forsyth.cli.output import Failure
from forsyth.record_bytes.epd_lines import epd_text

MAX_LINE: Final = 1 << 20
"""Most bytes kept of one plain line: hundreds of times the longest text any form allows."""

MAX_JSON_LINE: Final = 16 << 20
"""Most bytes of one JSON line: a text of a million characters, each of them written as an escape, fits."""

_CHUNK: Final = 1 << 16
"""How much of the unwanted rest of a long line is read at once."""

STANDARD_INPUT: Final = "-"
COMMENT: Final = "#"
"""What a plain line begins with that holds no text."""

EPD: Final = ".epd"
"""How the name of a file ends whose lines are EPD, as for the commands that read whole files."""

NO_TEXT: Final = (
    "there is no text: give one as an argument, name a file with --file, or pipe texts to standard input"
)


class Line(NamedTuple):
    """One line without its terminator; `size` counts the bytes it took, `cut` says that some are left out."""

    data: bytes
    size: int
    cut: bool


@dataclass(frozen=True, slots=True)
class Item:
    """One text to answer: its number among all inputs, counted from 1, and the bytes it took to get to it."""

    line: int
    text: str
    size: int = 0
    given: Mapping[str, Any] = field(default_factory=dict)
    """Of a JSON object all its fields."""


class LineText(NamedTuple):
    """The text of a line, and of a JSON object all its fields."""

    text: str
    given: Mapping[str, Any]


_NOTHING_ELSE: Final[Mapping[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class Sources:
    """The texts of one run: arguments first, then files; standard input when there are neither."""

    texts: tuple[str, ...]
    files: tuple[str, ...] = ()
    jsonl: bool = False

    @property
    def numbered(self) -> bool:
        """Whether answers need a number: always, unless the one text is an argument."""
        return bool(self.files) or len(self.texts) != 1

    @property
    def total(self) -> int | None:
        """How many bytes there are to read, or None when that is not known beforehand."""
        if not self.files or STANDARD_INPUT in self.files:
            return None
        paths = [Path(name) for name in self.files]
        return sum(path.stat().st_size for path in paths) if all(p.is_file() for p in paths) else None

    def __iter__(self) -> Iterator[Item]:
        number = 0
        for number, text in enumerate(self.texts, start=1):
            yield Item(number, text)
        names = self.files or (() if self.texts else (STANDARD_INPUT,))
        for name in names:
            size = 0
            for found, taken in _read(name, self.jsonl):
                number += 1
                size += taken
                if found is None:
                    continue
                yield Item(number, found.text, size, found.given)
                size = 0

    def file_named_by(self, item: Item) -> str | None:
        """The file whose name was given in place of a text, if that is what happened."""
        if item.line > len(self.texts):
            return None
        try:
            return item.text if Path(item.text).is_file() else None
        except (OSError, ValueError):
            # Too long for a name, or with characters that no name has.
            return None


def standard_input() -> BinaryIO:
    """Standard input as bytes; a usage error when it is closed or a person is sitting at it."""
    if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty():
        raise click.UsageError(NO_TEXT)
    return sys.stdin.buffer


def lines(stream: BinaryIO, limit: int = MAX_LINE) -> Iterator[Line]:
    """The lines of a stream as they arrive, of each no more than `limit` bytes."""
    room = limit + len(b"\r\n")
    while data := stream.readline(room):
        ended = data.endswith(b"\n")
        size = len(data)
        if not ended and size == room:
            size += _skip_line(stream)
        if ended:
            data = data[:-1].removesuffix(b"\r")
        yield Line(data[:limit], size, cut=len(data) > limit)


def decoded(data: bytes) -> str:
    """The characters of a line; a byte that is not UTF-8 becomes a lone surrogate, which is diagnosed."""
    return data.decode("utf-8", "surrogateescape")


def _skip_line(stream: BinaryIO) -> int:
    skipped = 0
    while rest := stream.readline(_CHUNK):
        skipped += len(rest)
        if rest.endswith(b"\n"):
            break
    return skipped


def _read(name: str, jsonl: bool) -> Iterator[tuple[LineText | None, int]]:
    """The text of each line, None where it is skipped, and how many bytes it took."""
    shown = "standard input" if name == STANDARD_INPUT else click.format_filename(name)
    decode: Callable[[Line, str], LineText | None] = _json_text if jsonl else _plain_text
    if not jsonl and name.lower().endswith(EPD):
        decode = _epd_line
    limit = MAX_JSON_LINE if jsonl else MAX_LINE
    with nullcontext(standard_input()) if name == STANDARD_INPUT else Path(name).open("rb") as stream:
        for number, line in enumerate(lines(stream, limit), start=1):
            yield decode(line, f"{shown}, line {number}"), line.size


def _plain_text(line: Line, _: str) -> LineText | None:
    text = decoded(line.data)
    return None if text.startswith(COMMENT) or not text.strip() else LineText(text, _NOTHING_ELSE)


def _epd_line(line: Line, place: str) -> LineText | None:
    found = _plain_text(line, place)
    return None if found is None else LineText(epd_text(found.text), _NOTHING_ELSE)


def _json_text(line: Line, place: str) -> LineText | None:
    if not line.data.strip():
        return None
    if line.cut:
        raise Failure(f"{place}: longer than {MAX_JSON_LINE} bytes; split it or leave it out")
    expected = 'give one JSON string, or an object with a string "text", per line'
    try:
        value = json.loads(decoded(line.data))
    except json.JSONDecodeError as error:
        raise Failure(f"{place}, column {error.colno}: not JSON ({error.msg}); {expected}") from error
    except (ValueError, RecursionError) as error:
        raise Failure(f"{place}: not JSON that can be read (too large or too deep); {expected}") from error
    given = value if isinstance(value, dict) else _NOTHING_ELSE
    text = given.get("text") if isinstance(value, dict) else value
    if not isinstance(text, str):
        raise Failure(f"{place}: there is no text in it; {expected}")
    return LineText(text, given)


def existing_files(_: click.Context, parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names given to --file, each of which must be a readable file or ``-``, checked before any work."""
    for name in names:
        if name == STANDARD_INPUT:
            continue
        shown = click.format_filename(name)
        if not Path(name).exists():
            raise click.BadParameter(f"there is no file {shown!r}; check its path", param=parameter)
        if Path(name).is_dir():
            raise click.BadParameter(
                f"{shown!r} is a directory; name the files in it, each with --file", param=parameter
            )
        if not os.access(name, os.R_OK):
            raise click.BadParameter(f"{shown!r} may not be read; change its permissions", param=parameter)
    return names
