"""Scenes as text for a terminal: with colours or plain, in Unicode or in ASCII alone.

Accepts
    What `svg` accepts, with the same options. Control, format and unassigned characters in its
    words are replaced, so that no word can speak to the terminal.
Writes
    Lines without a newline at the end. One area is one block of lines of equal width: its rows with their
    labels, its column labels below. Areas that stand beside each other in the scene do so here as far as
    `COLUMNS` allow, under their captions or names; the scene's captions follow, then the notes of cells.
    With `colour`, grounds and owners are painted in the dark shades of the palette (24-bit ANSI), which lie
    between black and white and so carry letters of both. Without it an empty cell is a dot. A mark is a pair
    of brackets in both: ``[ ]`` error, ``( )`` warning, ``< >`` last move, ``{ }`` target, ``: :`` zone,
    ``! !`` check. Hatching is its slant on an empty cell, ``x`` where two cross. What lies between two
    rows is a line without a label. Arrows, circles and highlights are not shown.
Limits
    A character is taken to be one column wide, two where Unicode calls it wide. ASCII stands in for what it
    cannot hold: letters lose their accents, the rest becomes ``?``.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from forsyth.draw.options import scene as dressed
from forsyth.scene import Area, Caption, Cell, Mark, Scene, Token

if TYPE_CHECKING:
    from typing import Unpack

    from forsyth.draw.options import Options, Subject

COLUMNS: Final = 100
"""Widest row of areas side by side; a single wider area is never broken."""

_GAP: Final = "   "
_OFF: Final = "\x1b[0m"
_BRACKETS: Final[Mapping[Mark | None, tuple[str, str]]] = {
    None: (" ", " "),
    "error": ("[", "]"),
    "warning": ("(", ")"),
    "last": ("<", ">"),
    "target": ("{", "}"),
    "zone": (":", ":"),
    "check": ("!", "!"),
}
_ASCII: Final = str.maketrans(
    {"·": "-", "–": "-", "—": "-", "−": "-", "…": "...", "×": "x", "’": "'", "‘": "'", "đ": "d", "Đ": "D"}
)
_LEGIBLE: Final = 1.8
"""Least contrast of a letter with its ground; a token that has less is written in its line's colour."""


class _Line(NamedTuple):
    """A line as it is printed, and how many columns it takes."""

    text: str
    columns: int

    def padded(self, columns: int) -> str:
        return self.text + " " * (columns - self.columns)


_Block = list[_Line]
_Rgb = tuple[int, int, int]


def text(what: Subject, *, colour: bool = False, unicode: bool = True, **how: Unpack[Options]) -> str:
    """A position, reading, match, record, node or scene as lines for a terminal.

    The other options are those of `forsyth.draw.scene`; arrows, circles and highlights are not shown.
    """
    scene = dressed(what, **how)
    pen = _Pen(scene, colour, unicode)
    parts = ["\n".join(row) for row in _rows(scene.areas, pen)]
    below = list(_captions(scene.captions, pen))
    noted = (cell for area in scene.areas for cell in area.cells if cell.note)
    below += [f"{pen.clean(cell.id)}: {pen.clean(cell.note)}" for cell in noted]
    if below:
        parts.append("\n".join(below))
    return "\n\n".join(parts)


def _captions(captions: Iterable[Caption], pen: _Pen) -> Iterator[str]:
    """The words of captions in the order of reading."""
    for caption in sorted(captions, key=lambda caption: (caption.y, caption.x)):
        yield pen.clean(caption.text)


@dataclass(frozen=True, slots=True)
class _Pen:
    """How to write: what each word and colour of a scene becomes in this terminal."""

    scene: Scene
    colour: bool
    unicode: bool

    def clean(self, words: str) -> str:
        """The words without what a terminal would obey, in ASCII where that is all there is."""
        if words.isascii() and words.isprintable():
            return words
        if self.unicode:
            return "".join(_stand_in(ch) for ch in unicodedata.normalize("NFC", words))
        words = words.translate(_ASCII)
        if words.isascii() and words.isprintable():
            return words
        shown = (_stand_in(ch) for ch in unicodedata.normalize("NFKD", words))
        return "".join(ch if ch <= "~" else "?" for ch in shown)

    def token(self, token: Token) -> str:
        if not self.unicode:
            shown = token.symbol
        else:
            shown = (token.solid if self.colour else "") or token.text or token.symbol
        return self.clean(shown) if token.count == 1 else f"{self.clean(shown)}{token.count}"

    def blank(self, cell: Cell) -> str:
        if cell.hatches:
            return cell.hatches[0].slant if len(cell.hatches) == 1 else "x"
        return ("" if self.colour else self.clean(cell.blank)) or self.dot

    @property
    def dot(self) -> str:
        """An empty cell of which nothing is said."""
        return " " if self.colour else "·" if self.unicode else "."

    def ground(self, cell: Cell) -> _Rgb:
        ground = self.shade(cell.ground)
        for hatch in cell.hatches:
            ground = _mix(ground, self.shade(hatch.role))
        if cell.mark is None:
            return ground
        return _mix(self.shade(cell.mark), ground)

    def letter(self, owner: str, ground: _Rgb) -> _Rgb:
        shade = self.shade(owner)
        return shade if _contrast(shade, ground) >= _LEGIBLE else self.shade(f"{owner}-line")

    def shade(self, role: str) -> _Rgb:
        digits = self.scene.colour(role).dark.removeprefix("#")
        red, green, blue = bytes.fromhex(digits)
        return red, green, blue


def _rows(areas: Sequence[Area], pen: _Pen) -> Iterator[list[str]]:
    """The areas' blocks, those of one band side by side as far as they fit."""
    for band in _bands(areas):
        row: list[_Block] = []
        for area in band:
            block = _area(area, pen, named=len(areas) > 1)
            if row and sum(_width(b) + len(_GAP) for b in row) + _width(block) > COLUMNS:
                yield _beside(row)
                row = []
            row.append(block)
        yield _beside(row)


def _bands(areas: Iterable[Area]) -> Iterator[list[Area]]:
    """Groups of areas that overlap from top to bottom, each from left to right."""
    band: list[Area] = []
    bottom = 0.0
    for area in sorted(areas, key=lambda area: area.y):
        if band and area.y >= bottom:
            yield sorted(band, key=lambda area: (area.x, area.y))
            band = []
        bottom = max(bottom, area.y + area.rows * area.scale)
        band.append(area)
    if band:
        yield sorted(band, key=lambda area: (area.x, area.y))


def _beside(blocks: Sequence[_Block]) -> list[str]:
    widths = [_width(block) for block in blocks]
    if len(blocks) == 1:
        return [line.padded(widths[0]) for line in blocks[0]]
    height = max(len(block) for block in blocks)
    nothing = _Line("", 0)
    return [
        _GAP.join(
            (block[row] if row < len(block) else nothing).padded(width)
            for block, width in zip(blocks, widths, strict=True)
        )
        for row in range(height)
    ]


def _width(block: _Block) -> int:
    return max((line.columns for line in block), default=0)


def _area(area: Area, pen: _Pen, *, named: bool) -> _Block:
    cells, between = _contents(area.cells, pen), _contents(area.between, pen)
    row_labels = [f"{pen.clean(label)} " for label in area.row_labels]
    column_labels = [pen.clean(label) for label in area.column_labels]
    margin = max(map(_columns, row_labels), default=0)
    inner = max([1, *map(_columns, column_labels), *map(_columns, {*cells, *between})])
    width = margin + area.columns * (inner + 2)
    rows = _grid(area, area.cells, cells, inner, pen)
    block = []
    if named or area.captions:
        block.append(_plain(_GAP.join(_captions(area.captions, pen)) or pen.clean(area.name)))
    above = _grid(area, area.between, between, inner, pen) if between else {}
    nothing = [" " * (inner + 2)] * area.columns
    for row in range(area.rows):
        if row in above:
            block.append(_Line(f"{' ' * margin}{''.join(above[row])}", width))
        label = row_labels[row] if row < len(row_labels) else ""
        block.append(_Line(f"{_right(label, margin)}{''.join(rows.get(row, nothing))}", width))
    if column_labels:
        below = "".join([f" {_centred(label, inner)} " for label in column_labels])
        block.append(_plain(f"{' ' * margin}{below}"))
    return block


def _plain(words: str) -> _Line:
    return _Line(words, _columns(words))


def _contents(cells: Iterable[Cell], pen: _Pen) -> list[str]:
    """What cells show. The same men on many of them are looked at once."""
    known: dict[int, str] = {}
    dot = pen.dot
    found = []
    for cell in cells:
        men = cell.tokens
        if not men:
            found.append(pen.blank(cell) if cell.blank or cell.hatches else dot)
            continue
        content = known.get(id(men))
        if content is None:
            content = known[id(men)] = "".join(map(pen.token, men))
        found.append(content or pen.blank(cell))
    return found


def _grid(
    area: Area, cells: Iterable[Cell], contents: Iterable[str], inner: int, pen: _Pen
) -> dict[int, list[str]]:
    """The rows that have cells, each as its cells from left to right."""
    rows: dict[int, list[str]] = defaultdict(lambda: [" " * (inner + 2)] * area.columns)
    # Most boards have one letter in a cell.
    single = inner == 1 and not pen.colour
    for cell, content in zip(cells, contents, strict=True):
        plain = single and cell.mark is None
        rows[cell.row][cell.column] = f" {content} " if plain else _cell(cell, content, inner, pen)
    return rows


def _cell(cell: Cell, content: str, inner: int, pen: _Pen) -> str:
    opening, closing = _BRACKETS[cell.mark]
    if not pen.colour:
        return opening + _centred(content, inner) + closing
    ground = pen.ground(cell)
    bracket = _foreground(max(((0, 0, 0), (255, 255, 255)), key=lambda shade: _contrast(shade, ground)))
    left, right = _margins(content, inner)
    tokens = "".join(_foreground(pen.letter(t.owner, ground)) + pen.token(t) for t in cell.tokens) or content
    return (
        f"\x1b[48;2;{ground[0]};{ground[1]};{ground[2]}m{bracket}{opening}"
        f"{' ' * left}{tokens}{' ' * right}{bracket}{closing}{_OFF}"
    )


def _foreground(shade: _Rgb) -> str:
    return f"\x1b[38;2;{shade[0]};{shade[1]};{shade[2]}m"


def _margins(words: str, columns: int) -> tuple[int, int]:
    room = columns - _columns(words)
    return room - room // 2, room // 2


def _centred(words: str, columns: int) -> str:
    if len(words) == columns and words.isascii():
        return words
    left, right = _margins(words, columns)
    return " " * left + words + " " * right


def _right(words: str, columns: int) -> str:
    return " " * (columns - _columns(words)) + words


def _columns(words: str) -> int:
    if words.isascii():
        return len(words)
    return sum(2 if unicodedata.east_asian_width(ch) in "WF" else 1 for ch in words)


def _stand_in(ch: str) -> str:
    """The character itself, or what is shown in its place; a mark that would sit on it is dropped."""
    if " " <= ch <= "~":
        return ch
    category = unicodedata.category(ch)
    if ch in "\t\n\r" or category == "Zs":
        return " "
    if category[0] == "M":
        return ""
    return "?" if category[0] in "CZ" else ch


def _mix(shade: _Rgb, ground: _Rgb) -> _Rgb:
    red, green, blue = ((2 * a + b) // 3 for a, b in zip(shade, ground, strict=True))
    return red, green, blue


def _contrast(a: _Rgb, b: _Rgb) -> float:
    """The contrast ratio of two colours, 1 to 21, as WCAG 2 defines it."""
    dark, light = sorted((_luminance(a), _luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(shade: _Rgb) -> float:
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in shade)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
