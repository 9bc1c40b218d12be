"""Bytes of records that are not UTF-8, and characters that no text contains.

A byte that is not UTF-8 becomes a lone surrogate when it is decoded (``surrogateescape``). In tables and
indexes the byte NUL becomes one, too. The record reader reports lone surrogates with their places, and puts
U+FFFD in their places in tags, comments and the text of the reading. A NUL in a Python text stays as it is.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from forsyth.diagnostics import Confidence, Fix, Span
from forsyth.findings import Findings
from forsyth.limits import MAX_DIAGNOSTICS

Encoding: TypeAlias = Literal["utf-8", "latin-1", "auto"]
"""How bytes are decoded. With ``auto``, a line that is not UTF-8 is decoded as Latin-1."""
ENCODINGS: Final[tuple[Encoding, ...]] = ("utf-8", "latin-1", "auto")
"""All encodings."""

REPLACEMENT: Final = "\ufffd"
_NUL: Final = "\udc00"
"""What stands for the byte NUL."""
_WRONG: Final = re.compile("[\ud800-\udfff]")
_RUN: Final = re.compile("\udc00+|[\udc80-\udcff]+|[\ud800-\udfff]+")
_ESCAPE_OFFSET: Final = 0xDC00
"""The surrogate of a byte is this number plus the byte."""
_ESCAPES: Final = range(_ESCAPE_OFFSET + 0x80, _ESCAPE_OFFSET + 0x100)
_FIRST_LATIN_LETTER: Final = 0xA0
"""The bytes of Latin-1 below are control characters."""
_MAX_SHOWN: Final = 4
"""Upper bound on the bytes that a message shows."""


def decode_records(data: bytes | memoryview) -> str:
    """Return records in UTF-8 as text, with a lone surrogate for each NUL and each byte that is not UTF-8."""
    return str(data, "utf-8", "surrogateescape").replace("\0", _NUL)


def replace_wrong_characters(text: str) -> str:
    """Return a text with U+FFFD for each lone surrogate."""
    return _WRONG.sub(REPLACEMENT, text)


def report_wrong_characters(text: str, findings: Findings) -> None:
    """Add an error for each run of bytes that are not UTF-8 and of NULs, up to `MAX_DIAGNOSTICS`."""
    if _WRONG.search(text) is None:
        return
    for number, run in enumerate(_RUN.finditer(text)):
        if number == MAX_DIAGNOSTICS:
            return
        span = Span(run.start(), run.end())
        findings.add("text.encoding", span, _describe(run.group()), fix=_make_fix(run.group(), span))


def _describe(run: str) -> str:
    """Return the message about a run of wrong characters of the same kind."""
    if run[0] == _NUL:
        return "a NUL character, which no text contains"
    if ord(run[0]) not in _ESCAPES:
        return f"the character U+{ord(run[0]):04X} is half of a surrogate pair, which no text contains"
    shown = " ".join(f"0x{ord(character) - _ESCAPE_OFFSET:02x}" for character in run[:_MAX_SHOWN])
    more = " …" if len(run) > _MAX_SHOWN else ""
    subject = f"the byte {shown} is" if len(run) == 1 else f"the bytes {shown}{more} are"
    return f"{subject} not UTF-8; if the file is Latin-1, read it with the encoding latin-1 or auto"


def _make_fix(run: str, span: Span) -> Fix | None:
    """Return a fix that removes NULs, or that reads bytes as Latin-1 if they are printable."""
    if run[0] == _NUL:
        return Fix(span, "", Confidence.LIKELY)
    codes = [ord(character) - _ESCAPE_OFFSET for character in run]
    is_printable = all(_FIRST_LATIN_LETTER <= code <= 0xFF for code in codes)
    return Fix(span, "".join(map(chr, codes)), Confidence.GUESS) if is_printable else None


def convert_to_utf8(data: bytes, encoding: Encoding) -> bytes:
    """Return the whole lines `data` as UTF-8. Bytes that are not valid in `encoding` stay as they are."""
    if encoding == "utf-8" or data.isascii():
        return data
    if encoding == "latin-1":
        return data.decode("latin-1").encode()
    if _is_utf8(data):
        return data
    lines = data.splitlines(keepends=True)
    return b"".join(line if _is_utf8(line) else line.decode("latin-1").encode() for line in lines)


def _is_utf8(data: bytes) -> bool:
    """Return whether bytes are valid UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
