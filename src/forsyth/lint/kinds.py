"""Kinds of files, by the suffix of the name. The kind defines where a file contains position texts.

Any name has a kind. A file with an unknown suffix is searched for quoted texts, like source code.
"""

from __future__ import annotations

from enum import Enum
from pathlib import PurePath
from typing import Final


class FileKind(Enum):
    """The places where a file contains position texts."""

    LINES = "lines"
    """One text on each line. A line that begins with ``#`` is a comment."""
    EPD = "epd"
    """One text on each line, which may lack the clocks and have operations. ``#`` begins a comment line."""
    RECORDS = "records"
    """Records of games (PGN)."""
    MARKDOWN = "markdown"
    """Code spans, quoted texts, and complete lines of fenced blocks."""
    YAML = "yaml"
    """Quoted texts and plain values."""
    QUOTED = "quoted"
    """Quoted texts: source code, JSON, TOML."""


_SUFFIXES: Final = {
    FileKind.LINES: ".fen",
    FileKind.EPD: ".epd",
    FileKind.RECORDS: ".pgn",
    FileKind.MARKDOWN: ".md .markdown .mdx",
    FileKind.YAML: ".yaml .yml",
    FileKind.QUOTED: ".json .jsonl .ndjson .json5 .jsonc .ipynb .toml .ini .rst .adoc .html .xml .svg"
    " .py .pyi .pyx .js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte .rs .java .kt .kts .scala .groovy"
    " .c .h .cc .cpp .cxx .hh .hpp .hxx .m .mm .cs .fs .go .zig .swift .dart .rb .php .pl .pm .lua .jl .r"
    " .ex .exs .erl .hs .ml .mli .clj .nim .d .sh .bash .sql .proto",
}

KIND_BY_SUFFIX: Final = {suffix: kind for kind, listed in _SUFFIXES.items() for suffix in listed.split()}
"""The kind of each suffix. By default, files with these suffixes are linted in directories."""

POSITION_KINDS: Final = frozenset({FileKind.LINES, FileKind.EPD, FileKind.RECORDS})
"""The kinds of files that contain only positions or games."""


def detect_kind(name: str) -> FileKind:
    """Return the kind of a file, which the suffix of its name defines: ``games.pgn`` contains records.

    A file with an unknown suffix has the kind of source code, which is searched for quoted texts.
    """
    suffix = PurePath(name).suffix.lower()
    return KIND_BY_SUFFIX.get(suffix, FileKind.QUOTED)
