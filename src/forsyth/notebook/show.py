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
from itertools import pairwise
from typing import Any, Final

from forsyth import draw
from forsyth.arguments import type_name
from forsyth.diagnostics import Diagnostic, Reading, make_printable
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
    """Convert a value to an HTML fragment, which a notebook can show.

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
        return make_scrubber(value.record())
    if isinstance(value, Record):
        return make_scrubber(value)
    if isinstance(value, Scene):
        return make_fragment(draw_board(value, _SIZE))
    return make_fragment(_write_position(value))


def _write_position(value: Any) -> str:
    """Return an object with a position, such as a match, as HTML: its board and the text of its position.

    Raise `TypeError` if the value has no position.
    """
    can_have_position = value is not None and not isinstance(value, str)
    found_position = find_position(value) if can_have_position else None
    if found_position is None:
        raise TypeError(
            f"a value of type {type_name(value)} cannot be shown, expected a reading, record, difference, "
            "position, match or scene"
        )
    picture = draw_board(draw.scene(value, last=True, check=True), _SIZE)
    return f"{picture}{format_code(str(found_position.position))}"


# --- readings -------------------------------------------------------------------------------------------


def _write_reading(reading: Reading[Any]) -> str:
    """Return a reading (the result of reading a text) as HTML: the board, and the text with its findings.

    The mistakes in the text are underlined. There is no board if the text could not be read.
    """
    findings = _write_findings(reading.text, reading.diagnostics)
    if reading.position is None:
        return findings
    picture = draw_board(draw.scene(reading, check=reading.ok), _SIZE)
    return f'<div class="boards"><div>{picture}</div><div>{findings}</div></div>'


def _write_findings(text: str, diagnostics: Iterable[Diagnostic]) -> str:
    """Return a text as HTML, with its mistakes underlined, and a numbered list of diagnostics below it."""
    findings = tuple(diagnostics)
    underlined_text = "".join(_underline_mistakes(text, findings))
    items = "".join(f"<li>{_write_finding(text, finding)}</li>" for finding in findings)
    finding_list = f"<ol>{items}</ol>" if findings else "<div>Nothing to report.</div>"
    return f"<pre>{underlined_text}</pre>{finding_list}"


def _underline_mistakes(text: str, diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """Yield the parts of a text as HTML, underlined where they have a mistake.

    The text is divided where the span of a diagnostic begins or ends. An empty span, such as the place of a
    missing field, becomes a bar between two parts. The text is cut after `MAX_TEXT` characters.
    """
    shown_text = make_printable(text[:MAX_TEXT])
    length = len(shown_text)
    span_edges = {min(offset, length) for diagnostic in diagnostics for offset in diagnostic.span}
    edges = sorted({0, length} | span_edges)
    for start, end in pairwise(edges):
        yield _write_insertion_bar(start, diagnostics)
        yield _underline_part(shown_text, start, end, diagnostics)
    yield _write_insertion_bar(length, diagnostics)
    if len(text) > MAX_TEXT:
        yield "…"


def _write_insertion_bar(offset: int, diagnostics: Iterable[Diagnostic]) -> str:
    """Return a bar as HTML if something is missing at an offset of the text, else an empty text.

    The span of a diagnostic about something that is missing is empty.
    """
    insertions = [
        diagnostic for diagnostic in diagnostics if diagnostic.span.start == diagnostic.span.end == offset
    ]
    return f'<span class="empty" title="{_join_messages(insertions)}"></span>' if insertions else ""


def _underline_part(text: str, start: int, end: int, diagnostics: Iterable[Diagnostic]) -> str:
    """Return the part of a text from `start` to before `end` as HTML, underlined if a diagnostic covers it.

    The underline is that of an error if one of these diagnostics is an error, else that of a warning.
    """
    escaped_part = escape_text(text[start:end])
    covering = [
        diagnostic
        for diagnostic in diagnostics
        if diagnostic.span.start <= start and end <= diagnostic.span.end
    ]
    if not covering:
        return escaped_part
    severity = "error" if any(diagnostic.is_error for diagnostic in covering) else "warning"
    return f'<span class="{severity}" title="{_join_messages(covering)}">{escaped_part}</span>'


def _join_messages(diagnostics: Iterable[Diagnostic]) -> str:
    """Join the messages of diagnostics with semicolons, escaped for the value of an HTML attribute."""
    return escape_text("; ".join(diagnostic.message for diagnostic in diagnostics))


def _write_finding(text: str, finding: Diagnostic) -> str:
    """Return an error or warning about `text` as HTML: its severity, code, message and fix.

    If `text` is an encoded text, such as Base64, the findings about the decoded text follow.
    """
    severity = finding.severity.value
    code = format_code(finding.code)
    message = escape_text(finding.message)
    fix = ""
    if finding.fix is not None:
        description = format_code(finding.fix.describe(text))
        fix = f"<br>fix ({finding.fix.confidence.value}): {description}"
    inner_findings = _write_findings(finding.unwrapped, finding.inside) if finding.inside else ""
    return f'<b class="is-{severity}">{severity}</b> {code} {message}{fix}{inner_findings}'


# --- differences ----------------------------------------------------------------------------------------


def _write_difference(difference: Difference) -> str:
    """Return the difference between two positions as HTML: both boards, and a table of the changes."""
    if difference.same:
        return "<div>Nothing differs.</div>"
    positions = [position for position in difference.sides if position is not None]
    pictures = "".join(
        f"<div>{_draw_compared_position(position, difference)}</div>" for position in positions
    )
    changes = (*difference.fields, *difference.squares)
    rows = "".join(_write_change(change) for change in changes)
    table = f"<table><thead><tr><th></th><th>a</th><th>b</th></tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="boards">{pictures}<div>{table}</div></div>'


def _draw_compared_position(position: Any, difference: Difference) -> str:
    """Draw one of two compared positions as an SVG board, on which the changed squares are highlighted."""
    scene = draw.scene(position)
    cell_ids = {cell.id for area in scene.areas for cell in area.cells}
    # The scene may lack a cell for a changed square. Such a square cannot be highlighted.
    changed_squares = [change.name for change in difference.squares if change.name in cell_ids]
    highlights = [(square, _CHANGE_COLOUR) for square in changed_squares]
    return draw_board(draw.scene(scene, highlights=highlights), _SIZE)


def _write_change(change: Change) -> str:
    """Return a changed field or square as an HTML table row: its name and its value in both positions."""
    values = f"<td>{format_code(change.a)}</td><td>{format_code(change.b)}</td>"
    return f"<tr><th>{escape_text(change.name)}</th>{values}</tr>"
