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
    """Quoted texts and running text, but not in fenced blocks of changes."""
    DOCUMENT = "document"
    """Quoted texts and running text."""
    TABLE = "table"
    """Cells that consist of a text, with or without quotes (CSV)."""
    YAML = "yaml"
    """Quoted texts, plain values and comments."""
    QUOTED = "quoted"
    """Quoted texts, comments and triple-quoted texts: source code, JSON, TOML."""


_SUFFIXES_BY_KIND: Final = {
    FileKind.LINES: ".fen",
    FileKind.EPD: ".epd",
    FileKind.RECORDS: ".pgn",
    FileKind.MARKDOWN: ".md .markdown .mdx",
    FileKind.DOCUMENT: ".txt .text .rst .adoc .tex .html .htm .xml .svg",
    FileKind.TABLE: ".csv .tsv",
    FileKind.YAML: ".yaml .yml",
    FileKind.QUOTED: ".json .jsonl .ndjson .json5 .jsonc .ipynb .toml .ini"
    " .py .pyi .pyx .js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte .rs .java .kt .kts .scala .groovy"
    " .c .h .cc .cpp .cxx .hh .hpp .hxx .m .mm .cs .fs .go .zig .swift .dart .rb .php .pl .pm .lua .jl .r"
    " .ex .exs .erl .hs .ml .mli .clj .nim .d .sh .bash .sql .proto",
}

KIND_BY_SUFFIX: Final = {
    suffix: kind for kind, suffixes in _SUFFIXES_BY_KIND.items() for suffix in suffixes.split()
}
"""The kind of each suffix. By default, files with these suffixes are linted in directories."""

POSITION_KINDS: Final = frozenset({FileKind.LINES, FileKind.EPD, FileKind.RECORDS})
"""The kinds of files that contain only positions or games."""


DOCUMENT_KINDS: Final = frozenset({FileKind.MARKDOWN, FileKind.DOCUMENT})
"""The kinds of files that consist of running text."""


def detect_kind(name: str) -> FileKind:
    """Return the kind of a file by the suffix of its name: ``games.pgn`` is a file of records.

    A file with an unknown suffix is searched like source code, for quoted texts and comments.
    """
    suffix = PurePath(name).suffix.lower()
    return KIND_BY_SUFFIX.get(suffix, FileKind.QUOTED)
