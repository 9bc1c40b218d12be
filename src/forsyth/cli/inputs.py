r"""The input of a command: texts from arguments, files or standard input.

Accepts plain lines, or JSON lines that are each a string or an object with a string ``text``. From a plain
line only the line terminator (``\n`` or ``\r\n``) is removed, because other white space can be an error to
report. JSON lines can contain any text. Bytes that are not UTF-8 become lone surrogates (`surrogateescape`)
and are reported like any other wrong character.

Blank lines are skipped, and so are plain lines that begin with ``#``. Skipped lines are counted, so that a
line number is the place in the file. Arguments are never skipped. A JSON line can contain the empty text.

Limits: input is read line by line and never held as a whole. A plain line is cut after `MAX_LINE` bytes; no
position is that long, so the finding is the same (`fen.length`). A JSON line longer than `MAX_JSON_LINE`
bytes is an error, because JSON that was cut cannot be parsed. So is any line longer than `MAX_SKIPPED_LINE`
bytes: the input may be a device without an end, such as ``/dev/zero``.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import click

from forsyth.arguments import quoted
from forsyth.cli.output import Failure, format_path
from forsyth.record_bytes.epd_lines import epd_text

MAX_LINE: Final = 1 << 20
"""Length after which a plain line is cut, in bytes: hundreds of times the longest valid text."""

MAX_JSON_LINE: Final = 16 << 20
"""Maximum length of a JSON line, in bytes: a text of a million characters fits, even if all are escaped."""

MAX_SKIPPED_LINE: Final = 256 << 20
"""Maximum length of a line, in bytes, whose end is searched. Longer than any file of texts by accident."""

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
class InputText:
    """One text to process, with its place in the input."""

    line: int
    """Number of the argument or line that contains the text, from 1. Lines of files follow the arguments."""
    text: str
    size: int = 0
    """Bytes read from files since the previous text."""
    json_fields: Mapping[str, Any] = field(default_factory=dict)
    """All fields of the JSON object that contains the text; empty for other inputs."""


class LineText(NamedTuple):
    """The text of a line, and all fields of the line if it is a JSON object."""

    text: str
    json_fields: Mapping[str, Any]


LineParser = Callable[[Line, str], LineText | None]
"""Takes a line and its place, such as ``a.txt, line 3``. Returns its text, or None if the line is skipped."""

_NO_FIELDS: Final[Mapping[str, Any]] = {}
_EXPECTED_JSON: Final = 'expected one JSON string, or one JSON object with a string "text", per line'


@dataclass(frozen=True, slots=True)
class Sources:
    """The texts of one run: arguments first, then files, or standard input if there are neither."""

    texts: tuple[str, ...]
    files: tuple[str, ...] = ()
    jsonl: bool = False
    """Whether the files contain JSON lines, not plain lines."""

    @property
    def is_numbered(self) -> bool:
        """Whether the output names the line of each text. A single argument needs no line number."""
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

    def __iter__(self) -> Iterator[InputText]:
        """Yield all texts in order: the arguments, then the lines of the files.

        Arguments and lines are numbered from 1. Blank lines and comments are skipped, but they are counted.
        """
        for number, text in enumerate(self.texts, start=1):
            yield InputText(number, text)

        line_number = len(self.texts)
        reads_standard_input = not self.texts and not self.files
        file_names = (STANDARD_STREAM,) if reads_standard_input else self.files
        for file_name in file_names:
            bytes_since_text = 0
            for line_text, line_size in _read_file(file_name, is_jsonl=self.jsonl):
                line_number += 1
                bytes_since_text += line_size
                if line_text is None:
                    continue
                yield InputText(line_number, line_text.text, bytes_since_text, line_text.json_fields)
                bytes_since_text = 0

    def find_named_file(self, input_text: InputText) -> str | None:
        """Return the name of the file if the text of an argument is the name of an existing file, else None.

        The user has then probably forgotten the option ``--file`` before the name. A line of a file is never
        taken for a file name.
        """
        is_argument = input_text.line <= len(self.texts)
        if not is_argument:
            return None
        try:
            return input_text.text if Path(input_text.text).is_file() else None
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


def read_lines(stream: BinaryIO, limit: int = MAX_LINE, name: str = "standard input") -> Iterator[Line]:
    """Yield the lines of a stream as they arrive, without their terminators.

    Args:
        stream: The stream of bytes.
        limit: Length in bytes after which a line is cut. The rest of the line is read and dropped, so that no
            line fills the memory.
        name: The name of the stream for the message of an error.

    Raises:
        Failure: If a line has more than `MAX_SKIPPED_LINE` bytes.
    """
    max_line_size = limit + len(b"\r\n")
    for number in count(1):
        chunk = stream.readline(max_line_size)
        if not chunk:
            return
        line_size = len(chunk)
        content = chunk
        if chunk.endswith(b"\n"):
            content = chunk.removesuffix(b"\n").removesuffix(b"\r")
        elif line_size == max_line_size:
            # The stream stopped at the limit, not at the end of the line.
            line_size += _skip_rest_of_line(stream, f"{name}, line {number}")
        yield Line(content[:limit], line_size, is_cut=len(content) > limit)


def decode_line(data: bytes) -> str:
    """Decode the bytes of a line as UTF-8.

    A byte that is not UTF-8 becomes a lone surrogate, which is reported as a wrong character of the text.
    """
    return data.decode("utf-8", "surrogateescape")


def _skip_rest_of_line(stream: BinaryIO, place: str) -> int:
    """Read from a stream to the end of the current line, and return the number of bytes read.

    Raise `Failure` if the line has more than `MAX_SKIPPED_LINE` bytes. `place` is the stream and line for the
    message, such as ``a.txt, line 3``.
    """
    skipped_bytes = 0
    while chunk := stream.readline(_SKIP_BYTES):
        skipped_bytes += len(chunk)
        if chunk.endswith(b"\n"):
            break
        if skipped_bytes > MAX_SKIPPED_LINE:
            raise Failure(
                f"{place}: the line has more than {MAX_SKIPPED_LINE} bytes, expected one text per line; "
                "name a file of texts"
            )
    return skipped_bytes


def _read_file(file_name: str, *, is_jsonl: bool) -> Iterator[tuple[LineText | None, int]]:
    """Yield the text and the size in bytes of each line in a file. The text is None if the line is skipped.

    Args:
        file_name: The name of the file, or ``-`` for standard input.
        is_jsonl: Whether the file contains JSON lines. Otherwise a name that ends with ``.epd`` means EPD
            lines, and any other name means plain lines.
    """
    display_name = "standard input" if file_name == STANDARD_STREAM else format_path(file_name)
    parse_line = _select_line_parser(file_name, is_jsonl=is_jsonl)
    max_length = MAX_JSON_LINE if is_jsonl else MAX_LINE
    with _open_file(file_name) as stream:
        for number, line in enumerate(read_lines(stream, max_length, display_name), start=1):
            yield parse_line(line, f"{display_name}, line {number}"), line.size


def _open_file(file_name: str) -> AbstractContextManager[BinaryIO]:
    """Return a context manager that opens a file for reading bytes, and closes it at the end.

    The name ``-`` means standard input, which stays open.
    """
    if file_name == STANDARD_STREAM:
        return nullcontext(open_standard_input())
    return Path(file_name).open("rb")


def _select_line_parser(file_name: str, *, is_jsonl: bool) -> LineParser:
    """Return the function that extracts the text from a line of a file: JSON, EPD or plain text."""
    if is_jsonl:
        return _parse_json_line
    if file_name.lower().endswith(EPD_ENDING):
        return _parse_epd_line
    return _parse_plain_line


def _parse_plain_line(line: Line, _: str) -> LineText | None:
    """Return the text of a plain line, or None if the line is blank or a comment."""
    text = decode_line(line.data)
    if not text.strip() or text.startswith(COMMENT_PREFIX):
        return None
    return LineText(text, _NO_FIELDS)


def _parse_epd_line(line: Line, place: str) -> LineText | None:
    """Return the position text of an EPD line, or None if the line is blank or a comment.

    The operations at the end of the line, such as ``bm e4;``, are left out.
    """
    line_text = _parse_plain_line(line, place)
    return None if line_text is None else LineText(epd_text(line_text.text), _NO_FIELDS)


def _parse_json_line(line: Line, place: str) -> LineText | None:
    """Return the text in a JSON line, and all fields of the line, or None if the line is blank.

    The line contains a string, or an object with a string in the field ``text``. Raise `Failure` if the line
    is too long or contains no text. `place` is the file and line for the message, such as
    ``a.jsonl, line 3``.
    """
    if not line.data.strip():
        return None
    if line.is_cut:
        raise Failure(
            f"{place}: the line has {line.size} bytes, expected at most {MAX_JSON_LINE}; "
            "split it or leave it out"
        )
    value = _parse_json(line.data, place)
    json_fields: Mapping[str, Any] = value if isinstance(value, dict) else _NO_FIELDS
    text = json_fields.get("text") if isinstance(value, dict) else value
    if not isinstance(text, str):
        raise Failure(f"{place}: the line does not contain a text, but {quoted(value)}; {_EXPECTED_JSON}")
    return LineText(text, json_fields)


def _parse_json(data: bytes, place: str) -> Any:
    """Parse a line of JSON and return its value. Raise `Failure` if the line is not valid JSON.

    `place` is the file and line for the message, such as ``a.jsonl, line 3``.
    """
    try:
        return json.loads(decode_line(data))
    except json.JSONDecodeError as error:
        raise Failure(
            f"{place}, column {error.colno}: the line is not valid JSON ({error.msg}); {_EXPECTED_JSON}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise Failure(
            f"{place}: the JSON is nested too deeply or has too large a number; {_EXPECTED_JSON}"
        ) from error


def require_readable_files(
    _: click.Context, parameter: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the file names given to ``--file`` unchanged (a callback of click).

    Raise `click.BadParameter` if one of them is neither a readable file nor ``-`` (standard input). Click
    calls this before the command starts, so that the command does not fail halfway.
    """
    for name in names:
        if name == STANDARD_STREAM:
            continue
        problem = _explain_unreadable_file(name)
        if problem is not None:
            raise click.BadParameter(problem, param=parameter)
    return names


def _explain_unreadable_file(name: str) -> str | None:
    """Return a sentence with the reason why a file cannot be read and a remedy, or None if it can be read."""
    display_name = click.format_filename(name)
    path = Path(name)
    if not path.exists():
        return f"the file {display_name!r} does not exist; check its path"
    if path.is_dir():
        return f"{display_name!r} is a directory; name each file in it with its own --file"
    if not os.access(name, os.R_OK):
        return f"the file {display_name!r} is not readable; change its permissions"
    return None
