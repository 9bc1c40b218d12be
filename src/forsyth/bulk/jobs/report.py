"""Reports of finished jobs: the number of rows, the number of unreadable rows, and their findings.

The JSON (`to_dict`) is printed by ``--json`` and written by ``--report FILE.json``. It depends only on the
data and the options, not on the machine, the engine or the time that the job took.

The page (``--report FILE.html``) shows charts of the findings, and examples with the place of each finding.
It is self-contained: styles and charts are in it, and its security policy forbids loading and running
anything. It is light or dark like the reader's system, and prints in black on white. All texts of files are
escaped.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final, NamedTuple

import forsyth
from forsyth import registry
from forsyth.atomic_write import atomic_write, require_writable
from forsyth.bulk.engines.job import CodeCount, Example, Tally
from forsyth.bulk.errors import BulkError, display_name, explaining_errors
from forsyth.bulk.sources.shards import Shard
from forsyth.diagnostics import SHARED_CODES, Severity

_PAGE_ENDINGS: Final = (".html", ".htm")
_MIN_PERCENTAGE: Final = 0.01
"""Lowest percentage that is shown as a number."""


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """A row with an error or warning, as an example for a report."""

    file: str
    row: int
    """Number of the row in its file, from 1; in a file of lines this is the number of the line."""
    text: str
    start: int
    """Start of the finding in `text`, in characters."""
    end: int
    """End of the finding in `text`, in characters."""
    message: str
    square: str | None
    clipped: bool
    """Whether `text` is only a part of the row's text, around the finding."""

    def to_dict(self) -> dict[str, Any]:
        """Return the row as a dictionary for JSON. Its ``span`` is the start and end of the finding."""
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
class CodeSummary:
    """The number of rows whose first finding has one code, such as ``fen.fields``, with examples."""

    code: str
    severity: str
    stage: str
    """The step of reading that reports the code, such as ``text``."""
    meaning: str
    """The description of the code."""
    rows: int
    """Number of rows."""
    examples: tuple[ExampleRow, ...]
    """The first few rows."""

    def to_dict(self) -> dict[str, Any]:
        """Return the code, its number of rows and the examples as a dictionary for JSON."""
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
    """The first part of a report: the verb, the game, the sources and the target of the job."""

    verb: str
    game: str
    variant: str | None
    detected: bool
    """Whether the game was detected, not named."""
    column: str
    """Name of the column with the texts."""
    mode: str
    sources: tuple[str, ...]
    target: str | None
    by: str | None = None
    """Column whose values are used instead of the texts, which are then not read; None to use the texts."""


@dataclass(frozen=True, slots=True)
class Report:
    """The counts of the rows of a job: how many were read, were written, and have an error."""

    heading: Heading
    rows: int
    """Number of rows read."""
    written: int
    """Number of rows written."""
    missing: int
    """Number of rows whose text, or value in the column `by` of the heading, is null."""
    unreadable: int
    """Number of rows whose text could not be read; in a scan, of rows with an error."""
    codes: tuple[CodeSummary, ...] = ()
    """Errors before warnings, the most frequent first."""
    duplicates: int | None = None
    """Number of rows left out because another row has their position; None if duplicates are kept."""

    @property
    def ok(self) -> int:
        """Number of rows that are neither missing nor unreadable."""
        return self.rows - self.missing - self.unreadable

    @property
    def warned(self) -> int:
        """Number of rows that are ok and have a warning."""
        return sum(code.rows for code in self.codes if code.severity == Severity.WARNING)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as a dictionary that can be written as JSON.

        The keys `warned` and `codes` are only in the report of a scan, `by` only if a column is used instead
        of the texts, and `duplicates` only if duplicates are removed.
        """
        heading = self.heading
        data: dict[str, Any] = {
            "verb": heading.verb,
            "game": heading.game,
            "variant": heading.variant,
            "detected": heading.detected,
            "column": heading.column,
            "mode": heading.mode,
            "sources": list(heading.sources),
            "target": heading.target,
            "rows": self.rows,
            "written": self.written,
            "ok": self.ok,
            "unreadable": self.unreadable,
            "missing": self.missing,
        }
        if heading.by is not None:
            data["by"] = heading.by
        if self.duplicates is not None:
            data["duplicates"] = self.duplicates
        if heading.verb == "scan":
            data["warned"] = self.warned
            data["codes"] = [code.to_dict() for code in self.codes]
        return data


def make_report(heading: Heading, tally: Tally, shards: Sequence[Shard], rows: Sequence[int]) -> Report:
    """Return the report of a job that is finished.

    Args:
        heading: The verb, the game, the sources and the target of the job.
        tally: The counts of all rows, with the codes of their errors and warnings.
        shards: The parts of the input, such as ranges of files.
        rows: The number of rows of each shard.
    """
    rows_before = _count_rows_before(shards, rows)
    return Report(
        heading,
        rows=tally.read,
        written=tally.written,
        missing=tally.missing,
        unreadable=tally.unreadable,
        codes=_summarise_codes(heading, tally, shards, rows_before),
    )


def _count_rows_before(shards: Sequence[Shard], rows: Sequence[int]) -> list[int]:
    """Return for each shard the number of rows of its file that come before the shard.

    A shard is a part of the input. A large file is cut into several of them. `rows` has the number of rows of
    each shard.
    """
    rows_before: list[int] = []
    # The number of rows of each file in the shards so far.
    rows_by_path: dict[str, int] = {}
    for shard, row_count in zip(shards, rows, strict=True):
        rows_before_shard = rows_by_path.get(shard.path, 0)
        rows_before.append(rows_before_shard)
        # A shard of several files contains each of them as a whole, so no shard continues its first file.
        if not shard.more:
            rows_by_path[shard.path] = rows_before_shard + row_count
    return rows_before


def _summarise_codes(
    heading: Heading, tally: Tally, shards: Sequence[Shard], rows_before: Sequence[int]
) -> tuple[CodeSummary, ...]:
    """Return the meaning, the number of rows and some examples of each code of findings.

    Errors come before warnings, and frequent codes before rare ones.

    Args:
        heading: The first part of the report. Its game has the meanings of the codes.
        tally: The counts and examples of each code.
        shards: The parts of the input, which contain the examples.
        rows_before: The number of rows before each shard in its file.
    """
    game = registry.game(heading.game, heading.variant)
    info_by_code = {info.code: info for info in (*SHARED_CODES, *game.codes)}

    def sort_key(count: CodeCount) -> tuple[bool, int, str]:
        """Return a key that sorts errors before warnings, and frequent codes before rare ones."""
        return count.severity != Severity.ERROR, -count.rows, count.code

    summaries = []
    for count in sorted(tally.counts, key=sort_key):
        info = info_by_code[count.code]
        examples = [_locate_example(example, shards, rows_before) for example in count.examples]
        summaries.append(
            CodeSummary(
                code=count.code,
                severity=count.severity,
                stage=info.stage,
                meaning=info.summary,
                rows=count.rows,
                examples=tuple(examples),
            )
        )
    return tuple(summaries)


def _locate_example(example: Example, shards: Sequence[Shard], rows_before: Sequence[int]) -> ExampleRow:
    """Return an example of a finding with the name of its file, and the number of its row there.

    Args:
        example: The example. Its row is counted from the start of its shard.
        shards: The parts of the input.
        rows_before: The number of rows before each shard in its file.
    """
    file = shards[example.shard].files[example.file]
    is_first_file = example.file == 0
    # Only the first file of a shard may begin in an earlier shard.
    file_rows_before = rows_before[example.shard] if is_first_file else 0
    return ExampleRow(
        file=display_name(file.path),
        row=file_rows_before + example.row + 1,
        text=example.text,
        start=example.start,
        end=example.end,
        message=example.message,
        square=example.square,
        clipped=example.clipped,
    )


def format_percentage(rows: int, total: int) -> str:
    """Return the share of `rows` in `total` as a percentage, such as ``12.50 %``.

    A very small share is ``< 0.01 %`` instead of 0.
    """
    percentage = 100 * rows / total
    return f"{percentage:.2f} %" if percentage >= _MIN_PERCENTAGE else f"< {_MIN_PERCENTAGE} %"


def write_report(report: Report, path: str) -> None:
    """Write a report as an HTML page or as JSON, depending on the ending of `path`.

    The ending is .html, .htm or .json. The file is written completely or not at all. Raise `BulkError` if the
    ending is unknown or the file cannot be written.
    """
    check_report_path(path)
    if path.endswith(_PAGE_ENDINGS):
        text = render_page(report)
    else:
        text = json.dumps(report.to_dict(), indent=2) + "\n"
    with explaining_errors(path, "written"), atomic_write(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))


def check_report_path(path: str) -> None:
    """Raise `BulkError` if the file of a report has an unknown ending or cannot be written.

    The ending of `path` must be .html, .htm or .json.
    """
    if not path.endswith((*_PAGE_ENDINGS, ".json")):
        raise BulkError(f"the report {path} must end with .html or .json; name such a file")
    with explaining_errors(path, "written"):
        require_writable(path)


# --- the page ---------------------------------------------------------------------------------------


_CODE_QUOTE: Final = re.compile(r"`([^`]*)`")
_SECURITY_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
_BAR_WIDTH: Final = 1000
"""Width of the longest bar, in units of the drawing."""
_MIN_BAR_WIDTH: Final = 2
"""Width of the shortest bar, so that it is visible."""
_BAR_HEIGHT: Final = 10
_SHOWN_SOURCES: Final = 5
"""Number of sources that the page lists by name."""

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


def render_page(report: Report) -> str:
    """Return the report as a complete HTML page: a chart of the counts, the findings and examples."""
    heading = report.heading
    game_title = registry.game(heading.game).title
    title = f"{game_title} ({heading.variant})" if heading.variant else game_title
    game_origin = "detected" if heading.detected else "as given"
    reading = f"read in mode {heading.mode}, column <code>{_escape(heading.column)}</code>"
    version = str(forsyth.build_info()["version"])
    body = [
        f"<h1>{_format_rows(report.rows)} of {_escape(title)}</h1>",
        f'<p class="soft">{_render_sources(heading.sources)}; the game {game_origin}; {reading}.</p>',
        _render_outcomes(report),
        _render_findings(report),
    ]
    if report.codes:
        body += _render_stages(report)
        body += ["<h2>Examples</h2>", *map(_render_examples, report.codes)]
    body.append(f'<footer class="soft">forsyth {_escape(version)} scan</footer>')
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_SECURITY_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_format_rows(report.rows)} of {_escape(title)}: findings</title>\n"
        f"<style>{_STYLE}</style>\n</head>\n<body>\n" + "\n".join(body) + "\n</body>\n</html>\n"
    )


def _render_sources(sources: tuple[str, ...]) -> str:
    """Return the names of the sources as HTML. After the first five it ends with ``and 3 more``."""
    names = ", ".join(f"<code>{_escape(source)}</code>" for source in sources[:_SHOWN_SOURCES])
    hidden_count = len(sources) - _SHOWN_SOURCES
    return f"{names} and {hidden_count} more" if hidden_count > 0 else names


# --- charts -----------------------------------------------------------------------------------------


def _render_outcomes(report: Report) -> str:
    """Return a bar with a segment for each outcome of the rows, and a legend, as HTML.

    The outcomes are: ok, ok with a warning, with an error, without a text.
    """
    outcomes = [
        _Outcome("ok", "ok", report.ok - report.warned),
        _Outcome("warning", "ok with a warning", report.warned),
        _Outcome("error", "with an error", report.unreadable),
        _Outcome("missing", "without a text", report.missing),
    ]
    shown_outcomes = [outcome for outcome in outcomes if outcome.rows]
    legend = "\n".join(
        f'<li style="--dot: var(--{outcome.style})">{outcome.rows:,} {outcome.label} '
        f'<span class="soft">{_format_share(outcome.rows, report.rows)}</span></li>'
        for outcome in shown_outcomes
    )
    description = ", ".join(f"{outcome.rows:,} {outcome.label}" for outcome in shown_outcomes) or "no rows"
    drawing = _render_drawing("whole", description, _render_segments(shown_outcomes))
    return f'{drawing}\n<ul class="key">\n{legend}\n</ul>'


class _Outcome(NamedTuple):
    """An outcome of rows, such as "with an error", and the number of rows that have it."""

    style: str
    """The end of the CSS class of its segment, such as ``ok``."""
    label: str
    rows: int


def _render_segments(outcomes: Sequence[_Outcome]) -> str:
    """Return a bar as SVG shapes: a segment for each outcome, as wide as its share of the rows."""
    segments = [f'<rect class="track" width="{_BAR_WIDTH}" height="{_BAR_HEIGHT}"/>']
    widths = _scale_widths([outcome.rows for outcome in outcomes])
    left = 0.0
    for outcome, width in zip(outcomes, widths, strict=True):
        segments.append(
            f'<rect class="of-{outcome.style}" x="{left:.2f}" width="{width:.2f}" height="{_BAR_HEIGHT}"/>'
        )
        left += width
    return "".join(segments)


def _scale_widths(counts: list[int]) -> list[float]:
    """Return a width for each count, in proportion to the counts, but never too small to be visible.

    The widths add up to `_BAR_WIDTH`.
    """
    if not counts:
        return []
    # A tiny count gets the minimum width, which makes all widths together too large.
    total_count = sum(counts)
    visible_widths = [max(_MIN_BAR_WIDTH, _BAR_WIDTH * count / total_count) for count in counts]
    total_width = sum(visible_widths)
    return [_BAR_WIDTH * width / total_width for width in visible_widths]


def _render_findings(report: Report) -> str:
    """Return an HTML table of the codes of all errors and warnings, or a sentence if there are none."""
    if not report.codes:
        return "<h2>Findings</h2>\n<p>None: every text is valid, and nothing is unusual about any.</p>"
    max_rows = max(code.rows for code in report.codes)
    table_rows = "\n".join(_render_code_row(code, max_rows, report.rows) for code in report.codes)
    return (
        f"<h2>Findings</h2>\n{_render_table('code', table_rows)}\n"
        '<p class="soft">Each row is counted once, under its first error, or its first warning where it has '
        "no error.</p>"
    )


def _render_code_row(code: CodeSummary, max_rows: int, total: int) -> str:
    """Return the row of a code, such as ``fen.fields``, in the HTML table of findings.

    It shows the meaning of the code, a bar, the number of rows with this code and their share.

    Args:
        code: The code with its counts.
        max_rows: The number of rows of the most frequent code, which has the longest bar.
        total: The number of all rows.
    """
    style = _choose_style(code)
    return (
        f'<tr><td><a href="#{_make_anchor(code)}"><code class="{style}">{_escape(code.code)}</code></a>'
        f'<span class="meaning">{_render_meaning(code)}</span></td>'
        f'<td class="drawn">{_render_bar(style, code.code, code.rows, max_rows)}</td>'
        f'<td class="number">{code.rows:,}</td><td class="number">{_format_share(code.rows, total)}</td></tr>'
    )


def _render_stages(report: Report) -> list[str]:
    """Return an HTML table with the number of rows that have a finding of each stage of reading.

    A stage is, for example, ``text``. Return an empty list instead of one table if there is only one stage.
    """
    rows_by_stage: Counter[str] = Counter()
    for code in report.codes:
        rows_by_stage[code.stage] += code.rows
    if len(rows_by_stage) < 2:
        return []
    max_rows = max(rows_by_stage.values())
    table_rows = []
    for stage, count in rows_by_stage.most_common():
        bar = _render_bar("ok", stage, count, max_rows)
        share = _format_share(count, report.rows)
        table_rows.append(
            f'<tr><td>{_escape(stage)}</td><td class="drawn">{bar}</td>'
            f'<td class="number">{count:,}</td><td class="number">{share}</td></tr>'
        )
    table = _render_table("stage", "\n".join(table_rows))
    return [f"<h2>By stage of reading</h2>\n{table}"]


def _render_table(first_heading: str, table_rows: str) -> str:
    """Return an HTML table with the columns bar, rows and share after a first column.

    `first_heading` is the heading of the first column. `table_rows` are the rows of the table as HTML.
    """
    return (
        f"<table>\n<thead><tr><th>{first_heading}</th>"
        '<th class="drawn"><span class="unseen">drawn</span></th>'
        '<th class="number">rows</th><th class="number">share</th></tr></thead>\n'
        f"<tbody>\n{table_rows}\n</tbody>\n</table>"
    )


def _render_bar(style: str, name: str, count: int, max_count: int) -> str:
    """Return an SVG image with a bar for a count. A bar for `max_count` would have the full width.

    `style` is the end of its CSS class, such as ``error``, and `name` is read out by screen readers.
    """
    width = max(_MIN_BAR_WIDTH, _BAR_WIDTH * count / max_count)
    bar = f'<rect class="of-{style}" width="{width:.2f}" height="{_BAR_HEIGHT}"/>'
    return _render_drawing("bar", f"{name}: {count:,}", bar)


def _render_drawing(css_class: str, description: str, shapes: str) -> str:
    """Return an SVG image of the given shapes, with a description for screen readers.

    `css_class` is the CSS class of the image: ``whole`` or ``bar``.
    """
    return (
        f'<svg class="{css_class}" viewBox="0 0 {_BAR_WIDTH} {_BAR_HEIGHT}" preserveAspectRatio="none" '
        f'role="img" aria-label="{_escape(description)}">{shapes}</svg>'
    )


# --- examples ---------------------------------------------------------------------------------------


def _render_examples(code: CodeSummary) -> str:
    """Return the HTML section of a code, such as ``fen.fields``, with its meaning and its examples."""
    style = _choose_style(code)
    examples = "\n".join(_render_example(example, style) for example in code.examples)
    return (
        f'<section id="{_make_anchor(code)}">\n'
        f'<h3><span class="{style}">{_escape(code.severity)}</span> '
        f"<code>{_escape(code.code)}</code></h3>\n"
        f'<p class="soft">{_render_meaning(code)}; {_format_rows(code.rows)}.</p>\n{examples}\n</section>'
    )


def _render_example(example: ExampleRow, style: str) -> str:
    """Return an example as HTML: its file and row, the message, and the underlined text.

    `style` is the colour of the underline, ``error`` or ``warning``.
    """
    text = example.text
    before = _escape(text[: example.start])
    marked = _escape(text[example.start : example.end])
    after = _escape(text[example.end :])
    dots = '<span class="soft">…</span>' if example.clipped else ""
    square = f" ({_escape(example.square)})" if example.square else ""
    return (
        f'<p class="place">{_escape(example.file)}, row {example.row:,}</p>\n'
        f"<p>{_escape(example.message)}{square}</p>\n"
        f'<pre style="--mark: var(--{style})">{dots}{before}<u>{marked}</u>{after}{dots}</pre>'
    )


def _make_anchor(code: CodeSummary) -> str:
    """Return the HTML id of the section with the examples of a code, such as ``error-fen.fields``."""
    return _escape(f"{code.severity}-{code.code}")


def _render_meaning(code: CodeSummary) -> str:
    """Return the description of a code as HTML, with its parts in backquotes as ``<code>`` elements."""
    return _CODE_QUOTE.sub(r"<code>\1</code>", _escape(code.meaning))


def _choose_style(code: CodeSummary) -> str:
    """Return the CSS class for the severity of a code: ``error`` or ``warning``."""
    return "error" if code.severity == Severity.ERROR else "warning"


def _format_rows(count: int) -> str:
    """Return a count of rows as text, such as ``1 row`` or ``1,234 rows``."""
    return f"{count:,} row" if count == 1 else f"{count:,} rows"


def _format_share(count: int, total: int) -> str:
    """Return the share of `count` in `total` as a percentage for HTML, such as ``12.50 %``."""
    return _escape(format_percentage(count, total))


def _escape(text: str) -> str:
    """Return a text with ``<``, ``&`` and quotes escaped, for HTML and for attributes in quotes."""
    return escape(text, quote=True)
