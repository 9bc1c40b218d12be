"""Kinds of files: how each holds position texts, by the end of its name.

Accepts: any name. A file whose name says nothing is looked through for quoted texts, as source code is.
"""

from __future__ import annotations

from enum import Enum
from pathlib import PurePath
from typing import Final


class FileKind(Enum):
    """How a file holds position texts."""

    LINES = "lines"
    """One text on each line; ``#`` begins a line that is a comment."""
    EPD = "epd"
    """The same, where a text may lack the clocks and have operations."""
    RECORDS = "records"
    """Records of whole games (PGN)."""
    MARKDOWN = "markdown"
    """Code spans, quoted texts, and whole lines of fenced blocks."""
    YAML = "yaml"
    """Quoted texts and plain values."""
    QUOTED = "quoted"
    """Texts in quotes: source code, JSON, TOML."""


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

KIND_OF: Final = {suffix: kind for kind, listed in _SUFFIXES.items() for suffix in listed.split()}
"""The suffixes that are looked for in directories."""

OF_POSITIONS: Final = frozenset({FileKind.LINES, FileKind.EPD, FileKind.RECORDS})
"""The kinds of files that hold positions and nothing else."""


def kind_of(name: str) -> FileKind:
    """The kind of a file, from its name."""
    return KIND_OF.get(PurePath(name).suffix.lower(), FileKind.QUOTED)
