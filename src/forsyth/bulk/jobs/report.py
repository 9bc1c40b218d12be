"""What a job has to say when it is done: how many rows, how many of them could not be read, and why.

The JSON (`to_dict`) is what ``--json`` prints and ``--report FILE.json`` writes; it depends on the data and
on what was asked for alone, not on the machine, the engine or the time it took.

The page (``--report FILE.html``) shows what a file holds, drawn, and examples with the place of each finding.
It is self-contained: styles and charts are in it, and its security policy forbids loading and running
anything. It is light or dark like the reader's system, and prints in black on white. All texts of files are
escaped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

import forsyth
from forsyth import registry
from forsyth.atomic_write import atomic_write, must_be_writable
from forsyth.bulk.engines.job import Count, Example, Tally
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
    by: str | None = None
    """The column that decides in place of the texts, which are then not read."""


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a job's rows."""

    heading: Heading
    rows: int
    written: int
    missing: int
    """Rows without a text: null; where a column decides in its place, rows without a value of it."""
    unreadable: int
    """Rows whose text could not be read; in a scan those that have an error."""
    codes: tuple[CodeRows, ...] = ()
    """Errors before warnings, the most frequent first."""
    duplicates: int | None = None
    """Rows that were left out because their position stood in another one; None where none are looked for."""

    @property
    def ok(self) -> int:
        """Rows with a text that could be read and, in a scan, has no error; or with a value that decides."""
        return self.rows - self.missing - self.unreadable

    @property
    def warned(self) -> int:
        """Rows that are ok and have a warning."""
        return sum(one.rows for one in self.codes if one.severity == Severity.WARNING)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-ready data; `codes` where texts were judged, `by` where a column decides."""
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
        if asked.by is not None:
            data["by"] = asked.by
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
    from forsyth.bulk.jobs.report import page

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


# --- the page ---------------------------------------------------------------------------------------


_QUOTED: Final = re.compile(r"`([^`]*)`")
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
_WIDTH: Final = 1000
"""Units across a bar."""
_LEAST: Final = 2
"""Units of the shortest bar: what is there can be seen."""

_STYLE: Final = """
:root {
  color-scheme: light dark;
  --paper: #fdfcf9; --ink: #1d1c1a; --soft: #6d6a64; --line: #dedad1; --track: #efece5;
  --ok: #7d8f82; --warning: #b07d1c; --error: #a8352a; --missing: #b9b4aa;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #191817; --ink: #e9e6df; --soft: #9c978d; --line: #38352f; --track: #26241f;
    --ok: #72857a; --warning: #d3a143; --error: #e2776a; --missing: #57534b;
  }
}
@media print { :root { --paper: #fff; --ink: #000; --soft: #444; } section { break-inside: avoid; } }
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 4rem 1.5rem 5rem; max-width: 50rem;
  background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.55 "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif;
  font-variant-numeric: oldstyle-nums proportional-nums;
}
h1 { font-size: 2rem; font-weight: 400; line-height: 1.2; margin: 0 0 .35rem; }
h2 { font-size: 1.25rem; font-weight: 400; font-style: italic; margin: 3.25rem 0 1rem; }
h3 { font-size: 1rem; font-weight: 600; margin: 2.25rem 0 .15rem; }
p { margin: .35rem 0; max-width: 42rem; }
table + p { margin-top: .8rem; }
code, pre { font: .84em/1.6 ui-monospace, "SFMono-Regular", "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.soft { color: var(--soft); }
.error { color: var(--error); } .warning { color: var(--warning); }
svg { display: block; width: 100%; }
.whole { height: 1.1rem; margin: 2rem 0 .8rem; }
.bar { height: .5rem; }
.track { fill: var(--track); }
.of-ok { fill: var(--ok); } .of-warning { fill: var(--warning); }
.of-error { fill: var(--error); } .of-missing { fill: var(--missing); }
ul.key { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 1.75rem; margin: 0; padding: 0; }
ul.key li::before {
  content: ""; display: inline-block; width: .65em; height: .65em; margin-right: .5em; background: var(--dot);
}
table {
  border-collapse: collapse; table-layout: fixed; width: 100%;
  font-variant-numeric: lining-nums tabular-nums;
}
th { font-weight: 400; font-style: italic; color: var(--soft); text-align: left; }
th, td { padding: .45rem 0 .45rem 1.25rem; border-bottom: 1px solid var(--line); vertical-align: baseline; }
th:first-child, td:first-child { padding-left: 0; }
th.number, td.number { text-align: right; white-space: nowrap; }
th.drawn { width: 36%; } th.number { width: 14%; } td.drawn { vertical-align: middle; }
td .meaning { display: block; font-size: .9rem; color: var(--soft); }
.place { font-size: .9rem; color: var(--soft); margin-top: 1rem; overflow-wrap: anywhere; }
pre { margin: .15rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
pre u {
  text-decoration: underline 2px; text-underline-offset: .3em; text-decoration-skip-ink: none;
  text-decoration-color: var(--mark);
}
pre u:empty { border-left: 2px solid var(--mark); margin: 0 1px; }
a { color: inherit; text-decoration-color: var(--line); text-underline-offset: .2em; }
footer { margin-top: 4rem; border-top: 1px solid var(--line); padding-top: .8rem; font-size: .9rem; }
@media (max-width: 36rem) { td.drawn, th.drawn { display: none; } body { padding-top: 2rem; } }
"""


def page(report: Report) -> str:
    """The report as HTML."""
    asked = report.heading
    title = registry.game(asked.game).title
    name = f"{title} ({asked.variant})" if asked.variant else title
    told = "detected" if asked.detected else "as given"
    how = f"read in mode {asked.mode}, column <code>{_safe(asked.column)}</code>"
    body = [
        f"<h1>{_rows(report.rows)} of {_safe(name)}</h1>",
        f'<p class="soft">{_sources(asked.sources)}; the game {told}; {how}.</p>',
        _whole(report),
        _findings(report),
        *(_stages(report) if report.codes else ()),
        *(["<h2>Examples</h2>", *map(_section, report.codes)] if report.codes else []),
        f'<footer class="soft">forsyth {_safe(str(forsyth.build_info()["version"]))} scan</footer>',
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_rows(report.rows)} of {_safe(name)}: findings</title>\n"
        f"<style>{_STYLE}</style>\n</head>\n<body>\n" + "\n".join(body) + "\n</body>\n</html>\n"
    )


def _sources(sources: tuple[str, ...]) -> str:
    shown = ", ".join(f"<code>{_safe(one)}</code>" for one in sources[:5])
    return shown if len(sources) <= 5 else f"{shown} and {len(sources) - 5} more"


# --- charts -----------------------------------------------------------------------------------------


def _whole(report: Report) -> str:
    """One bar of all rows: ok, ok with a warning, with an error, without a text."""
    parts = [
        ("ok", "ok", report.ok - report.warned),
        ("warning", "ok with a warning", report.warned),
        ("error", "with an error", report.unreadable),
        ("missing", "without a text", report.missing),
    ]
    there = [part for part in parts if part[2]]
    keys = "\n".join(
        f'<li style="--dot: var(--{kind})">{count:,} {label} '
        f'<span class="soft">{_share(count, report.rows)}</span></li>'
        for kind, label, count in there
    )
    words = ", ".join(f"{count:,} {label}" for _, label, count in there) or "no rows"
    widths = _widths([count for _, _, count in there])
    pieces, at = [], 0.0
    for (kind, _, _), width in zip(there, widths, strict=True):
        pieces.append(f'<rect class="of-{kind}" x="{at:.2f}" width="{width:.2f}" height="10"/>')
        at += width
    drawing = f'<rect class="track" width="{_WIDTH}" height="10"/>{"".join(pieces)}'
    return f'{_drawing("whole", words, drawing)}\n<ul class="key">\n{keys}\n</ul>'


def _widths(counts: list[int]) -> list[float]:
    """Parts of the whole width, none of them too small to be seen."""
    if not counts:
        return []
    least = [max(_LEAST, _WIDTH * count / sum(counts)) for count in counts]
    return [_WIDTH * width / sum(least) for width in least]


def _findings(report: Report) -> str:
    if not report.codes:
        return "<h2>Findings</h2>\n<p>None: every text is valid, and nothing is unusual about any.</p>"
    most = max(code.rows for code in report.codes)
    rows = "\n".join(_finding(code, most, report.rows) for code in report.codes)
    return (
        f"<h2>Findings</h2>\n{_table('code', rows)}\n"
        '<p class="soft">Each row is counted once, under its first error, or its first warning where it has '
        "no error.</p>"
    )


def _finding(code: CodeRows, most: int, total: int) -> str:
    return (
        f'<tr><td><a href="#{_anchor(code)}"><code class="{_kind(code)}">{_safe(code.code)}</code></a>'
        f'<span class="meaning">{_meaning(code)}</span></td>'
        f'<td class="drawn">{_bar(_kind(code), code.code, code.rows, most)}</td>'
        f'<td class="number">{code.rows:,}</td><td class="number">{_share(code.rows, total)}</td></tr>'
    )


def _stages(report: Report) -> list[str]:
    """Where in reading a text the findings come up, when that is in more than one place."""
    counts: dict[str, int] = {}
    for code in report.codes:
        counts[code.stage] = counts.get(code.stage, 0) + code.rows
    if len(counts) < 2:
        return []
    most = max(counts.values())
    rows = "\n".join(
        f'<tr><td>{_safe(stage)}</td><td class="drawn">{_bar("ok", stage, count, most)}</td>'
        f'<td class="number">{count:,}</td><td class="number">{_share(count, report.rows)}</td></tr>'
        for stage, count in sorted(counts.items(), key=lambda item: -item[1])
    )
    return [f"<h2>By stage of reading</h2>\n{_table('stage', rows)}"]


def _table(first: str, rows: str) -> str:
    return (
        f'<table>\n<thead><tr><th>{first}</th><th class="drawn"><span class="unseen">drawn</span></th>'
        '<th class="number">rows</th><th class="number">share</th></tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table>"
    )


def _bar(kind: str, name: str, count: int, most: int) -> str:
    width = max(_LEAST, _WIDTH * count / most)
    drawing = f'<rect class="of-{kind}" width="{width:.2f}" height="10"/>'
    return _drawing("bar", f"{name}: {count:,}", drawing)


def _drawing(name: str, words: str, drawing: str) -> str:
    return (
        f'<svg class="{name}" viewBox="0 0 {_WIDTH} 10" preserveAspectRatio="none" role="img" '
        f'aria-label="{_safe(words)}">{drawing}</svg>'
    )


# --- examples ---------------------------------------------------------------------------------------


def _section(code: CodeRows) -> str:
    examples = "\n".join(_example(one, _kind(code)) for one in code.examples)
    return (
        f'<section id="{_anchor(code)}">\n'
        f'<h3><span class="{_kind(code)}">{_safe(code.severity)}</span> '
        f"<code>{_safe(code.code)}</code></h3>\n"
        f'<p class="soft">{_meaning(code)}; {_rows(code.rows)}.</p>\n{examples}\n</section>'
    )


def _example(found: FoundRow, kind: str) -> str:
    before, inside, after = (
        _safe(part)
        for part in (found.text[: found.start], found.text[found.start : found.end], found.text[found.end :])
    )
    dots = '<span class="soft">…</span>' if found.clipped else ""
    square = f" ({_safe(found.square)})" if found.square else ""
    return (
        f'<p class="place">{_safe(found.file)}, row {found.row:,}</p>\n'
        f"<p>{_safe(found.message)}{square}</p>\n"
        f'<pre style="--mark: var(--{kind})">{dots}{before}<u>{inside}</u>{after}{dots}</pre>'
    )


def _anchor(code: CodeRows) -> str:
    return _safe(f"{code.severity}-{code.code}")


def _meaning(code: CodeRows) -> str:
    return _QUOTED.sub(r"<code>\1</code>", _safe(code.meaning))


def _kind(code: CodeRows) -> str:
    return "error" if code.severity == Severity.ERROR else "warning"


def _rows(count: int) -> str:
    return f"{count:,} row" if count == 1 else f"{count:,} rows"


def _share(count: int, total: int) -> str:
    return _safe(per_cent(count, total))


def _safe(text: str) -> str:
    return escape(text, quote=True)
