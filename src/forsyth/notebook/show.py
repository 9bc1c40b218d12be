"""Readings, differences, records and positions as parts of pages.

Accepts
    A reading: the text with its mistakes underlined, each with its sentence and fix, and the board. A
    difference: both boards with what differs highlighted, and the fields. A record or a tree of moves: a
    board to go through (`scrubber`). Whatever else holds a position: its board and its text.
Writes
    HTML with all words escaped. A value that cannot be drawn, such as a reading without a position, is shown
    without a board.
Limits
    Of a text `MOST_TEXT` characters are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from forsyth import draw
from forsyth.arguments import type_of
from forsyth.diagnostics import Diagnostic, Reading, printable
from forsyth.draw.markup import words
from forsyth.draw.options import shown_of
from forsyth.game_values import Change, Difference
from forsyth.notebook.page import board, code, part
from forsyth.notebook.scrubber import scrubber
from forsyth.record import MoveTree, Record, RecordReading
from forsyth.scene import Scene

MOST_TEXT: Final = 4000
"""Longest text that is shown whole: longer than a position of any game."""
_SIZE: Final = 320
_DIFFERENT: Final = "yellow"


def html(value: Any) -> str:
    """A value as a part of a page; raises `TypeError` for one that nobody can show."""
    if isinstance(value, Reading):
        return part(_reading(value))
    if isinstance(value, Difference):
        return part(_difference(value))
    if isinstance(value, RecordReading):
        findings = _findings(value.text, value.diagnostics)
        return part(findings) if value.record is None else part(findings) + scrubber(value.record)
    if isinstance(value, MoveTree):
        value = value.record()
    if isinstance(value, Record):
        return scrubber(value)
    if isinstance(value, Scene):
        return part(board(value, _SIZE))
    shown = None if isinstance(value, str) or value is None else shown_of(value)
    if shown is None:
        raise TypeError(f"{type_of(value)} cannot be shown; a reading, record, difference or position can")
    picture = board(draw.scene(value, last=True, check=True), _SIZE)
    return part(f"{picture}{code(str(shown.position))}")


# --- readings -------------------------------------------------------------------------------------------


def _reading(reading: Reading[Any]) -> str:
    found = _findings(reading.text, reading.diagnostics)
    if reading.position is None:
        return found
    picture = board(draw.scene(reading, check=reading.ok), _SIZE)
    return f'<div class="boards"><div>{picture}</div><div>{found}</div></div>'


def _findings(text: str, diagnostics: Iterable[Diagnostic]) -> str:
    several = tuple(diagnostics)
    listed = "".join(f"<li>{_finding(text, one)}</li>" for one in several)
    below = f"<ol>{listed}</ol>" if several else "<div>Nothing to report.</div>"
    return f"<pre>{''.join(_underlined(text, several))}</pre>{below}"


def _underlined(text: str, diagnostics: tuple[Diagnostic, ...]) -> Iterator[str]:
    """The text in pieces, each under the worst finding that covers it; an insertion is a bar between two."""
    shown = printable(text[:MOST_TEXT])
    edges = sorted({0, len(shown), *(min(e, len(shown)) for d in diagnostics for e in d.span)})
    for start, end in zip(edges, [*edges[1:], None], strict=True):
        here = [d for d in diagnostics if d.span.start == d.span.end == start]
        if here:
            yield f'<span class="empty" title="{_sentences(here)}"></span>'
        if end is None:
            break
        over = [d for d in diagnostics if d.span.start <= start and end <= d.span.end]
        piece = words(shown[start:end])
        worst = "error" if any(d.is_error for d in over) else "warning"
        yield f'<span class="{worst}" title="{_sentences(over)}">{piece}</span>' if over else piece
    if len(text) > MOST_TEXT:
        yield "…"


def _sentences(diagnostics: Iterable[Diagnostic]) -> str:
    return words("; ".join(d.message for d in diagnostics))


def _finding(text: str, one: Diagnostic) -> str:
    severity = one.severity.value
    fix = ""
    if one.fix is not None:
        fix = f"<br>fix ({one.fix.confidence.value}): {code(one.fix.describe(text))}"
    inside = _findings(one.unwrapped, one.inside) if one.inside else ""
    return f'<b class="is-{severity}">{severity}</b> {code(one.code)} {words(one.message)}{fix}{inside}'


# --- differences ----------------------------------------------------------------------------------------


def _difference(difference: Difference) -> str:
    if difference.same:
        return "<div>Nothing differs.</div>"
    pictures = "".join(
        f"<div>{_side(position, difference)}</div>" for position in difference.sides if position is not None
    )
    rows = "".join(_row(change) for change in (*difference.fields, *difference.squares))
    table = f"<table><thead><tr><th></th><th>a</th><th>b</th></tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="boards">{pictures}<div>{table}</div></div>'


def _side(position: Any, difference: Difference) -> str:
    plain = draw.scene(position)
    places = {cell.id for area in plain.areas for cell in area.cells}
    changed = [(change.name, _DIFFERENT) for change in difference.squares if change.name in places]
    return board(draw.scene(plain, highlights=changed), _SIZE)


def _row(change: Change) -> str:
    return f"<tr><th>{words(change.name)}</th><td>{code(change.a)}</td><td>{code(change.b)}</td></tr>"
