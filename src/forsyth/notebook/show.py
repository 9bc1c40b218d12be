"""Readings, differences, records and positions as HTML.

Input and output:

- A reading becomes its text with the mistakes underlined, the findings with their fixes, and the board. A
  reading without a position has no board.
- A difference becomes both boards with the changed squares highlighted, and a table of the changes.
- A record or a tree of moves becomes a board with controls (`make_scrubber`).
- Any other value with a position becomes its board and its text.

All texts are escaped. At most `MAX_TEXT` characters of a text are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from forsyth import draw
from forsyth.arguments import type_name
from forsyth.diagnostics import Diagnostic, Reading, printable
from forsyth.draw.markup import escape_text
from forsyth.draw.options import find_position
from forsyth.game_values import Change, Difference
from forsyth.notebook.page import draw_board, format_code, make_fragment
from forsyth.notebook.scrubber import make_scrubber
from forsyth.record import MoveTree, Record, RecordReading
from forsyth.scene import Scene

MAX_TEXT: Final = 4000
"""Maximum number of characters of a text that are shown, more than a position of any game has."""
_SIZE: Final = 320
"""Width of a board in pixels."""
_CHANGE_COLOUR: Final = "yellow"
"""Colour of squares that differ."""


def html(value: Any) -> str:
    """Return a value as an HTML fragment.

    Args:
        value: A reading, a difference, a record or its reading, a tree of moves, a scene, or an object with a
            position, such as a match.

    Raises:
        TypeError: If the value has another type.
    """
    if isinstance(value, Reading):
        return make_fragment(_write_reading(value))
    if isinstance(value, Difference):
        return make_fragment(_write_difference(value))
    if isinstance(value, RecordReading):
        findings = make_fragment(_write_findings(value.text, value.diagnostics))
        return findings if value.record is None else findings + make_scrubber(value.record)
    if isinstance(value, MoveTree):
        value = value.record()
    if isinstance(value, Record):
        return make_scrubber(value)
    if isinstance(value, Scene):
        return make_fragment(draw_board(value, _SIZE))
    drawn = None if isinstance(value, str) or value is None else find_position(value)
    if drawn is None:
        raise TypeError(
            f"a value of type {type_name(value)} cannot be shown, expected a reading, record, difference, "
            "position, match or scene"
        )
    picture = draw_board(draw.scene(value, last=True, check=True), _SIZE)
    return make_fragment(f"{picture}{format_code(str(drawn.position))}")


# --- readings -------------------------------------------------------------------------------------------


def _write_reading(reading: Reading[Any]) -> str:
    """Return a reading as HTML: the text with its mistakes underlined, the findings, and the board.

    There is no board if the text could not be read.
    """
    findings = _write_findings(reading.text, reading.diagnostics)
    if reading.position is None:
        return findings
    picture = draw_board(draw.scene(reading, check=reading.ok), _SIZE)
    return f'<div class="boards"><div>{picture}</div><div>{findings}</div></div>'


def _write_findings(text: str, diagnostics: Iterable[Diagnostic]) -> str:
    """Return a text with its mistakes underlined, followed by the list of its findings, as HTML."""
    findings = tuple(diagnostics)
    items = "".join(f"<li>{_write_finding(text, finding)}</li>" for finding in findings)
    below = f"<ol>{items}</ol>" if findings else "<div>Nothing to report.</div>"
    return f"<pre>{''.join(_underline_mistakes(text, findings))}</pre>{below}"


def _underline_mistakes(text: str, diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """Yield a text as pieces of HTML, each underlined for the worst severity of the findings about it.

    The text is cut where the span of a finding begins or ends, and after `MAX_TEXT` characters. A
    finding about an empty span, such as a missing field, becomes a bar between two pieces.
    """
    shown_text = printable(text[:MAX_TEXT])
    length = len(shown_text)
    span_ends = (min(offset, length) for diagnostic in diagnostics for offset in diagnostic.span)
    edges = sorted({0, length, *span_ends})
    # The last edge has no piece after it (None), but a bar for a finding at the end of the text.
    for start, end in zip(edges, [*edges[1:], None], strict=True):
        insertions = [
            diagnostic for diagnostic in diagnostics if diagnostic.span.start == diagnostic.span.end == start
        ]
        if insertions:
            yield f'<span class="empty" title="{_join_messages(insertions)}"></span>'
        if end is None:
            break
        piece = escape_text(shown_text[start:end])
        covering = [
            diagnostic
            for diagnostic in diagnostics
            if diagnostic.span.start <= start and end <= diagnostic.span.end
        ]
        if covering:
            severity = "error" if any(diagnostic.is_error for diagnostic in covering) else "warning"
            yield f'<span class="{severity}" title="{_join_messages(covering)}">{piece}</span>'
        else:
            yield piece
    if len(text) > MAX_TEXT:
        yield "…"


def _join_messages(diagnostics: Iterable[Diagnostic]) -> str:
    """Return the messages of findings as the value of an HTML attribute, separated by semicolons."""
    return escape_text("; ".join(diagnostic.message for diagnostic in diagnostics))


def _write_finding(text: str, finding: Diagnostic) -> str:
    """Return a finding about `text` as HTML: its severity, code and message, and the proposed fix.

    Findings about the text inside an encoded text follow.
    """
    severity = finding.severity.value
    fix = ""
    if finding.fix is not None:
        description = format_code(finding.fix.describe(text))
        fix = f"<br>fix ({finding.fix.confidence.value}): {description}"
    inside = _write_findings(finding.unwrapped, finding.inside) if finding.inside else ""
    message = escape_text(finding.message)
    return f'<b class="is-{severity}">{severity}</b> {format_code(finding.code)} {message}{fix}{inside}'


# --- differences ----------------------------------------------------------------------------------------


def _write_difference(difference: Difference) -> str:
    """Return a difference as HTML: the boards of both positions, and a table of the changes."""
    if difference.same:
        return "<div>Nothing differs.</div>"
    pictures = "".join(
        f"<div>{_draw_side(position, difference)}</div>"
        for position in difference.sides
        if position is not None
    )
    rows = "".join(_write_row(change) for change in (*difference.fields, *difference.squares))
    table = f"<table><thead><tr><th></th><th>a</th><th>b</th></tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="boards">{pictures}<div>{table}</div></div>'


def _draw_side(position: Any, difference: Difference) -> str:
    """Return one of the two compared positions as an SVG board, with the changed squares highlighted."""
    scene = draw.scene(position)
    places = {cell.id for area in scene.areas for cell in area.cells}
    highlights = [(change.name, _CHANGE_COLOUR) for change in difference.squares if change.name in places]
    return draw_board(draw.scene(scene, highlights=highlights), _SIZE)


def _write_row(change: Change) -> str:
    """Return a changed field or square as an HTML table row: its name and its value in both positions."""
    values = f"<td>{format_code(change.a)}</td><td>{format_code(change.b)}</td>"
    return f"<tr><th>{escape_text(change.name)}</th>{values}</tr>"
