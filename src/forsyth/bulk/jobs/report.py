"""What a job has to say when it is done: how many rows, how many of them could not be read, and why.

The JSON (`to_dict`) is what ``--json`` prints and ``--report FILE.json`` writes; it depends on the data and
on what was asked for alone, not on the machine, the engine or the time it took."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from forsyth import registry
from forsyth.atomic_write import atomic_write, must_be_writable
from forsyth.bulk.engines.tally import Count, Example, Tally
from forsyth.bulk.errors import BulkError, explaining_errors, shown
from forsyth.bulk.sources.shards import Shard
from forsyth.diagnostics import SHARED_CODES, Severity

_PAGES: Final = (".html", ".htm")


@dataclass(frozen=True, slots=True)
class FoundRow:
    """One row that has a finding: where it stands, its text, and the finding with its place in the text."""

    file: str
    row: int
    """From 1, in its file; in a file of lines the number of the line."""
    text: str
    start: int
    end: int
    message: str
    square: str | None
    clipped: bool
    """Whether `text` is only the part of it around the finding."""

    def to_dict(self) -> dict[str, Any]:
        """The row as JSON-ready data."""
        return {
            "file": self.file,
            "row": self.row,
            "text": self.text,
            "clipped": self.clipped,
            "span": [self.start, self.end],
            "square": self.square,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True)
class CodeRows:
    """How many rows have a finding of one code as their first, what the code means, and the first few
    rows."""

    code: str
    severity: str
    stage: str
    meaning: str
    rows: int
    examples: tuple[FoundRow, ...]

    def to_dict(self) -> dict[str, Any]:
        """The code as JSON-ready data."""
        return {
            "code": self.code,
            "severity": self.severity,
            "stage": self.stage,
            "meaning": self.meaning,
            "rows": self.rows,
            "examples": [example.to_dict() for example in self.examples],
        }


@dataclass(frozen=True, slots=True)
class Heading:
    """What was asked for."""

    verb: str
    game: str
    variant: str | None
    detected: bool
    """Whether the game was detected."""
    column: str
    mode: str
    sources: tuple[str, ...]
    target: str | None


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a job's rows."""

    heading: Heading
    rows: int
    written: int
    missing: int
    """Rows without a text: null."""
    unreadable: int
    """Rows whose text could not be read; in a scan those that have an error."""
    codes: tuple[CodeRows, ...] = ()
    """Errors before warnings, the most frequent first."""
    duplicates: int | None = None
    """Rows that were left out because their position stood in another one; None where none are looked for."""

    @property
    def ok(self) -> int:
        """Rows with a text that could be read and, in a scan, has no error."""
        return self.rows - self.missing - self.unreadable

    @property
    def warned(self) -> int:
        """Rows that are ok and have a warning."""
        return sum(one.rows for one in self.codes if one.severity == Severity.WARNING)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-ready data; `codes` only where texts were judged."""
        asked = self.heading
        data: dict[str, Any] = {
            "verb": asked.verb,
            "game": asked.game,
            "variant": asked.variant,
            "detected": asked.detected,
            "column": asked.column,
            "mode": asked.mode,
            "sources": list(asked.sources),
            "target": asked.target,
            "rows": self.rows,
            "written": self.written,
            "ok": self.ok,
            "unreadable": self.unreadable,
            "missing": self.missing,
        }
        if self.duplicates is not None:
            data["duplicates"] = self.duplicates
        if asked.verb == "scan":
            data["warned"] = self.warned
            data["codes"] = [code.to_dict() for code in self.codes]
        return data


def report_of(heading: Heading, tally: Tally, shards: Sequence[Shard], rows: Sequence[int]) -> Report:
    """The report of a tally; `rows` says how many rows each shard has."""
    return Report(
        heading,
        tally.read,
        tally.written,
        tally.missing,
        tally.unreadable,
        _codes(heading, tally, shards, _first_rows(shards, rows)),
    )


def _first_rows(shards: Sequence[Shard], rows: Sequence[int]) -> list[int]:
    """For each shard how many rows of its file lie before it."""
    before: dict[str, int] = {}
    firsts = []
    for shard, count in zip(shards, rows, strict=True):
        firsts.append(before.get(shard.path, 0))
        # Of several files in one shard each is there whole.
        before[shard.path] = firsts[-1] + (0 if shard.more else count)
    return firsts


def _codes(
    heading: Heading, tally: Tally, shards: Sequence[Shard], firsts: Sequence[int]
) -> tuple[CodeRows, ...]:
    game = registry.game(heading.game, heading.variant)
    infos = {info.code: info for info in (*SHARED_CODES, *game.codes)}

    def found(example: Example) -> FoundRow:
        file = shards[example.shard].files[example.file]
        before = 0 if example.file else firsts[example.shard]
        return FoundRow(
            shown(file.path),
            before + example.row + 1,
            example.text,
            example.start,
            example.end,
            example.message,
            example.square,
            example.clipped,
        )

    def rank(one: Count) -> tuple[bool, int, str]:
        return one.severity != Severity.ERROR, -one.rows, one.code

    return tuple(
        CodeRows(
            one.code,
            one.severity,
            infos[one.code].stage,
            infos[one.code].summary,
            one.rows,
            tuple(map(found, one.examples)),
        )
        for one in sorted(tally.counts, key=rank)
    )


def per_cent(rows: int, total: int) -> str:
    """A part of all rows in words, never none when there is one."""
    share = 100 * rows / total
    return f"{share:.2f} %" if share >= 0.01 else "< 0.01 %"


def write_report(report: Report, path: str) -> None:
    """Write a report as a page or as JSON, as the name says; the file is there whole or not at all."""
    from forsyth.bulk.jobs.report_html import page

    must_be_report(path)
    text = page(report) if path.endswith(_PAGES) else json.dumps(report.to_dict(), indent=2) + "\n"
    with explaining_errors(path, "written"), atomic_write(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))


def must_be_report(path: str) -> None:
    """Raises `BulkError` for a name that tells neither a page nor JSON, or that cannot be written."""
    if not path.endswith((*_PAGES, ".json")):
        raise BulkError(f"the report {path} must end with .html or .json")
    with explaining_errors(path, "written"):
        must_be_writable(path)
