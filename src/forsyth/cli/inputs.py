r"""The input of a command: texts from arguments, files or standard input.

Accepts plain lines, or JSON lines that are each a string or an object with a string ``text``. From a plain
line only the line terminator (``\n`` or ``\r\n``) is removed, because other white space can be an error to
report. JSON lines can contain any text. Bytes that are not UTF-8 become lone surrogates (`surrogateescape`)
and are reported like any other wrong character.

Blank lines are skipped, and so are plain lines that begin with ``#``. Skipped lines are counted, so that a
line number is the place in the file. Arguments are never skipped. A JSON line can contain the empty text.

Limits: input is read line by line and never held as a whole. A plain line is cut after `MAX_LINE` bytes; no
position is that long, so the finding is the same (`fen.length`). A JSON line longer than `MAX_JSON_LINE`
bytes is an error, because JSON that was cut cannot be parsed.
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
"""Length after which a plain line is cut, in bytes: hundreds of times the longest valid text."""

MAX_JSON_LINE: Final = 16 << 20
"""Maximum length of a JSON line, in bytes: a text of a million characters fits, even if all are escaped."""

_SKIP_BYTES: Final = 1 << 16
"""Number of bytes to read at once while the end of a long line is skipped."""

STANDARD_STREAM: Final = "-"
"""The file name that stands for standard input or standard output."""

COMMENT_PREFIX: Final = "#"
"""Prefix of plain lines that are skipped."""

EPD_ENDING: Final = ".epd"
"""Ending of the names of files with EPD lines."""

NO_TEXT_MESSAGE: Final = (
    "no text was given; write one as an argument, name a file with --file, or pipe texts to standard input"
)


class Line(NamedTuple):
    """One line of a file, without its terminator."""

    data: bytes
    size: int
    """Length of the line in the file, in bytes, with its terminator."""
    is_cut: bool
    """Whether `data` lacks the end of the line, because the line is too long."""


@dataclass(frozen=True, slots=True)
class Item:
    """One text to process, with its place in the input."""

    line: int
    """Number of the text among the arguments, or of its line among all lines of the files; from 1."""
    text: str
    size: int = 0
    """Bytes read from files since the previous text."""
    json_fields: Mapping[str, Any] = field(default_factory=dict)
    """All fields of the JSON object that contains the text; empty for other inputs."""


class LineText(NamedTuple):
    """The text of a line, and all fields of the line if it is a JSON object."""

    text: str
    json_fields: Mapping[str, Any]


_NO_FIELDS: Final[Mapping[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class Sources:
    """The texts of one run: arguments first, then files, or standard input if there are neither."""

    texts: tuple[str, ...]
    files: tuple[str, ...] = ()
    jsonl: bool = False
    """Whether the files contain JSON lines, not plain lines."""

    @property
    def is_numbered(self) -> bool:
        """Whether the output names the line of each text. It does, unless the only text is an argument."""
        return bool(self.files) or len(self.texts) != 1

    @property
    def total_bytes(self) -> int | None:
        """The number of bytes in all files, or None if it is not known, such as for standard input."""
        if not self.files or STANDARD_STREAM in self.files:
            return None
        paths = [Path(name) for name in self.files]
        if not all(path.is_file() for path in paths):
            return None
        return sum(path.stat().st_size for path in paths)

    def __iter__(self) -> Iterator[Item]:
        """Yield the texts in order: the arguments, then the lines of the files.

        The number of a text counts arguments and lines, including the lines that are skipped.
        """
        number = 0
        for number, text in enumerate(self.texts, start=1):
            yield Item(number, text)
        names = self.files
        if not self.texts and not self.files:
            names = (STANDARD_STREAM,)
        for name in names:
            bytes_since_text = 0
            for line_text, line_size in _read_file(name, self.jsonl):
                number += 1
                bytes_since_text += line_size
                if line_text is None:
                    continue
                yield Item(number, line_text.text, bytes_since_text, line_text.json_fields)
                bytes_since_text = 0

    def find_named_file(self, item: Item) -> str | None:
        """Return the file name if the text of `item` is an argument that names an existing file, else None.

        The user has then probably forgotten the option ``--file``.
        """
        if item.line > len(self.texts):
            return None
        try:
            return item.text if Path(item.text).is_file() else None
        except (OSError, ValueError):
            # The text is too long for a file name, or has characters that file names cannot contain.
            return None


def open_standard_input() -> BinaryIO:
    """Return standard input as a stream of bytes.

    Raise `click.UsageError` if it is closed, or if it is a terminal, where nothing was piped in.
    """
    if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty():
        raise click.UsageError(NO_TEXT_MESSAGE)
    return sys.stdin.buffer


def read_lines(stream: BinaryIO, limit: int = MAX_LINE) -> Iterator[Line]:
    """Yield the lines of a stream as they arrive, each cut after `limit` bytes.

    The rest of a line that was cut is read and dropped, so that no line fills the memory.
    """
    max_size = limit + len(b"\r\n")
    while data := stream.readline(max_size):
        is_complete = data.endswith(b"\n")
        size = len(data)
        if not is_complete and size == max_size:
            size += _skip_line(stream)
        if is_complete:
            data = data[:-1].removesuffix(b"\r")
        yield Line(data[:limit], size, is_cut=len(data) > limit)


def decode_line(data: bytes) -> str:
    """Return a line as text.

    A byte that is not UTF-8 becomes a lone surrogate, which is reported as a wrong character of the text.
    """
    return data.decode("utf-8", "surrogateescape")


def _skip_line(stream: BinaryIO) -> int:
    """Read to the end of the current line and return the number of bytes read."""
    skipped = 0
    while chunk := stream.readline(_SKIP_BYTES):
        skipped += len(chunk)
        if chunk.endswith(b"\n"):
            break
    return skipped


def _read_file(name: str, jsonl: bool) -> Iterator[tuple[LineText | None, int]]:
    """Yield for each line of a file its text, or None if it is skipped, and its size in bytes.

    Args:
        name: The name of the file, or ``-`` for standard input.
        jsonl: Whether the file contains JSON lines. Otherwise a name that ends with ``.epd`` means EPD lines,
            and any other name means plain lines.
    """
    is_standard_input = name == STANDARD_STREAM
    display_name = "standard input" if is_standard_input else click.format_filename(name)
    parse_line: Callable[[Line, str], LineText | None] = _parse_json_line if jsonl else _parse_plain_line
    if not jsonl and name.lower().endswith(EPD_ENDING):
        parse_line = _parse_epd_line
    limit = MAX_JSON_LINE if jsonl else MAX_LINE
    with nullcontext(open_standard_input()) if is_standard_input else Path(name).open("rb") as stream:
        for number, line in enumerate(read_lines(stream, limit), start=1):
            yield parse_line(line, f"{display_name}, line {number}"), line.size


def _parse_plain_line(line: Line, _: str) -> LineText | None:
    """Return the text of a plain line, or None if the line is blank or a comment."""
    text = decode_line(line.data)
    if not text.strip() or text.startswith(COMMENT_PREFIX):
        return None
    return LineText(text, _NO_FIELDS)


def _parse_epd_line(line: Line, place: str) -> LineText | None:
    """Return the position of an EPD line without its operations (such as ``bm e4;``).

    Return None if the line is blank or a comment.
    """
    line_text = _parse_plain_line(line, place)
    return None if line_text is None else LineText(epd_text(line_text.text), _NO_FIELDS)


def _parse_json_line(line: Line, place: str) -> LineText | None:
    """Return the text and the fields of a JSON line, or None if the line is blank.

    A line is a string, or an object with a string in the field ``text``. Raise `Failure` if the line is too
    long or contains no text. `place` is the file and line for its message, such as ``a.jsonl, line 3``.
    """
    if not line.data.strip():
        return None
    if line.is_cut:
        raise Failure(f"{place}: the line is longer than {MAX_JSON_LINE} bytes; split it or leave it out")
    expected = 'expected one JSON string, or one JSON object with a string "text", per line'
    try:
        value = json.loads(decode_line(line.data))
    except json.JSONDecodeError as error:
        raise Failure(
            f"{place}, column {error.colno}: the line is not valid JSON ({error.msg}); {expected}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise Failure(
            f"{place}: the JSON is nested too deeply or has too large a number; {expected}"
        ) from error
    json_fields = value if isinstance(value, dict) else _NO_FIELDS
    text = json_fields.get("text") if isinstance(value, dict) else value
    if not isinstance(text, str):
        raise Failure(f"{place}: the line does not contain a text; {expected}")
    return LineText(text, json_fields)


def check_files(_: click.Context, parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the file names given to ``--file`` unchanged. Click calls this before the command starts.

    Raise `click.BadParameter` if one of them is neither a readable file nor ``-``. The check comes
    first, so that the command does not fail halfway.
    """
    for name in names:
        if name == STANDARD_STREAM:
            continue
        display_name = click.format_filename(name)
        if not Path(name).exists():
            raise click.BadParameter(
                f"the file {display_name!r} does not exist; check its path", param=parameter
            )
        if Path(name).is_dir():
            raise click.BadParameter(
                f"{display_name!r} is a directory; name each file in it with its own --file", param=parameter
            )
        if not os.access(name, os.R_OK):
            raise click.BadParameter(
                f"the file {display_name!r} is not readable; change its permissions", param=parameter
            )
    return names
