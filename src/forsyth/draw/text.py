"""Scenes as text for a terminal: with or without colours, in Unicode or in ASCII.

Input: that of `svg`, with the same options. Control, format and unassigned characters in texts are replaced,
so that no text can send commands to the terminal.

Output: lines, without a newline at the end. An area is a block of lines of equal width: its rows with their
labels, and its column labels below. Areas that are side by side in the scene are side by side here too, up to
`MAX_COLUMNS`, with their captions or names above them. The captions of the scene follow, then the notes of
cells.

With `colour`, backgrounds and owners have the dark shades of the palette (24-bit ANSI). These are of medium
brightness, so that light and dark letters are legible on them. Without `colour`, an empty cell is a dot.

A mark is a pair of brackets: ``[ ]`` error, ``( )`` warning, ``< >`` last move, ``{ }`` target, ``: :`` zone,
``! !`` check. A hatch is its slant on an empty cell, or ``x`` for several hatches. Cells between two rows are
a line without a label. Arrows, circles and highlights are not shown.

Limits: a character counts as one column, or two if Unicode calls it wide. In ASCII, letters lose their
accents, and other characters become ``?``.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from forsyth.draw.options import scene_for
from forsyth.scene import Area, Caption, Cell, Mark, Scene, Token

if TYPE_CHECKING:
    from typing import Unpack

    from forsyth.draw.options import SceneOptions, Subject

MAX_COLUMNS: Final = 100
"""Maximum width of areas side by side, in columns. A single area may be wider."""

_GAP: Final = "   "
"""The space between two areas side by side."""
_RESET: Final = "\x1b[0m"
"""The ANSI code that ends all colours."""
_BRACKETS: Final[Mapping[Mark | None, tuple[str, str]]] = {
    None: (" ", " "),
    "error": ("[", "]"),
    "warning": ("(", ")"),
    "last": ("<", ">"),
    "target": ("{", "}"),
    "zone": (":", ":"),
    "check": ("!", "!"),
}
_BRACKET_COLUMNS: Final = 2
"""The columns that a cell needs beside its content."""
_ASCII_REPLACEMENTS: Final = str.maketrans(
    {"·": "-", "–": "-", "—": "-", "−": "-", "…": "...", "×": "x", "’": "'", "‘": "'", "đ": "d", "Đ": "D"}
)
_LAST_PRINTABLE_ASCII: Final = "~"
_WIDE_CATEGORIES: Final = "WF"
"""The East Asian widths, wide and full-width, of characters that take two columns."""
_MIN_CONTRAST: Final = 1.8
"""Minimum contrast of a token with its background. With less contrast, it is written in its line colour."""


class _Line(NamedTuple):
    """A line of text, and the number of columns that it takes in a terminal."""

    text: str
    columns: int

    def pad(self, columns: int) -> str:
        """Return the text with blanks after it, so that it takes `columns` columns of the terminal."""
        return self.text + " " * (columns - self.columns)


_Block = list[_Line]
_Rgb = tuple[int, int, int]
_BLACK: Final[_Rgb] = (0, 0, 0)
_WHITE: Final[_Rgb] = (255, 255, 255)


def text(
    subject: Subject, *, colour: bool = False, unicode: bool = True, **options: Unpack[SceneOptions]
) -> str:
    """Draw a position as lines of text for a terminal.

    Args:
        subject: A position, reading, match, record, node of a record, or scene.
        colour: Whether to use 24-bit ANSI colours.
        unicode: Whether to use characters outside ASCII.
        **options: The options of `forsyth.draw.scene`. Arrows, circles and highlights are not shown.

    Raises:
        TypeError: If `subject` cannot be drawn, or an argument has the wrong type.
        ValueError: If an argument has an unknown value.
    """
    scene = scene_for("text", subject, options)
    writer = _TerminalWriter(scene, colour, unicode)
    paragraphs = ["\n".join(lines) for lines in _write_areas(scene.areas, writer)]
    cells_with_note = [cell for area in scene.areas for cell in area.cells if cell.note]
    notes = [f"{writer.clean_text(cell.id)}: {writer.clean_text(cell.note)}" for cell in cells_with_note]
    lines_below = [*_list_captions(scene.captions, writer), *notes]
    if lines_below:
        paragraphs.append("\n".join(lines_below))
    return "\n\n".join(paragraphs)


def _list_captions(captions: Iterable[Caption], writer: _TerminalWriter) -> Iterator[str]:
    """Yield the text of each caption from top to bottom. Captions of equal height are from left to right."""
    for caption in sorted(captions, key=lambda caption: (caption.y, caption.x)):
        yield writer.clean_text(caption.text)


@dataclass(frozen=True, slots=True)
class _TerminalWriter:
    """A converter of the texts, pieces and colours of a scene to text for a terminal."""

    scene: Scene
    colour: bool
    """Whether to use colours."""
    unicode: bool
    """Whether to use characters outside ASCII."""

    def clean_text(self, raw_text: str) -> str:
        """Return a text without control characters, and in ASCII if the terminal has no Unicode.

        In ASCII, letters lose their accents, and other characters become ``?``.
        """
        if raw_text.isascii() and raw_text.isprintable():
            return raw_text
        if self.unicode:
            return _replace_unsafe_characters(unicodedata.normalize("NFC", raw_text))
        with_ascii_signs = raw_text.translate(_ASCII_REPLACEMENTS)
        if with_ascii_signs.isascii() and with_ascii_signs.isprintable():
            return with_ascii_signs
        # The decomposition separates letters from their accents, which are then removed.
        without_accents = _replace_unsafe_characters(unicodedata.normalize("NFKD", with_ascii_signs))
        return "".join(ch if ch <= _LAST_PRINTABLE_ASCII else "?" for ch in without_accents)

    def write_token(self, token: Token) -> str:
        """Return the letter or symbol of a piece, such as ``K`` or ``♔``. Three pawns are ``P3``."""
        label = token.symbol
        if self.unicode and self.colour and token.solid:
            label = token.solid
        elif self.unicode and token.text:
            label = token.text
        clean_label = self.clean_text(label)
        return clean_label if token.count == 1 else f"{clean_label}{token.count}"

    def write_empty_cell(self, cell: Cell) -> str:
        """Return the text of an empty cell: its hatch, its own text (such as ``~`` for water), or a dot.

        A hatch (slanted lines) is written as ``/`` or a backslash, and several hatches as ``x``. With colour,
        a blank takes the place of the dot and of the text of the cell.
        """
        if len(cell.hatches) > 1:
            return "x"
        if cell.hatches:
            return cell.hatches[0].slant
        if self.colour:
            return self.dot
        return self.clean_text(cell.blank) or self.dot

    @property
    def dot(self) -> str:
        """The text of an empty cell without hatches and without its own text."""
        if self.colour:
            return " "
        return "·" if self.unicode else "."

    def mix_background(self, cell: Cell) -> _Rgb:
        """Return the background colour of a cell, mixed with the colours of its hatches and its mark."""
        background = self.get_shade(cell.ground)
        for hatch in cell.hatches:
            background = _mix_colours(background, self.get_shade(hatch.role))
        if cell.mark is None:
            return background
        # The first colour of a mixture has the greater part.
        return _mix_colours(self.get_shade(cell.mark), background)

    def choose_token_colour(self, owner: str, background: _Rgb) -> _Rgb:
        """Return a legible colour for the tokens of an owner on a background.

        It is the main colour of the owner, or the line colour of the owner if the contrast is too low.
        """
        shade = self.get_shade(owner)
        is_legible = _contrast_ratio(shade, background) >= _MIN_CONTRAST
        return shade if is_legible else self.get_shade(f"{owner}-line")

    def get_shade(self, role: str) -> _Rgb:
        """Return the colour of a palette role, such as ``text``, as red, green and blue from 0 to 255.

        It is the shade for dark pages, which has medium brightness.
        """
        hex_digits = self.scene.colour(role).dark.removeprefix("#")
        red, green, blue = bytes.fromhex(hex_digits)
        return red, green, blue


def _write_areas(areas: Sequence[Area], writer: _TerminalWriter) -> Iterator[list[str]]:
    """Yield the lines of each row of areas, such as a board with a hand beside it.

    Areas that overlap vertically in the picture are written side by side. If they are wider than
    `MAX_COLUMNS` together, they are split into several rows. `writer` converts the texts and colours.
    """
    show_names = len(areas) > 1
    for group in _group_overlapping_areas(areas):
        row: list[_Block] = []
        for area in group:
            block = _write_area(area, writer, show_name=show_names)
            # The row so far, with a gap after each of its areas.
            row_width = sum(_measure_block(previous) + len(_GAP) for previous in row)
            is_too_wide = row_width + _measure_block(block) > MAX_COLUMNS
            if row and is_too_wide:
                yield _join_blocks(row)
                row = []
            row.append(block)
        yield _join_blocks(row)


def _group_overlapping_areas(areas: Iterable[Area]) -> Iterator[list[Area]]:
    """Yield groups of areas that overlap vertically, the uppermost group first.

    The areas of a group are sorted from left to right.
    """
    groups: list[list[Area]] = []
    bottom = 0.0
    for area in sorted(areas, key=lambda area: area.y):
        is_below_last_group = area.y >= bottom
        if not groups or is_below_last_group:
            groups.append([])
        groups[-1].append(area)
        bottom = max(bottom, area.y + area.rows * area.scale)
    for group in groups:
        yield sorted(group, key=lambda area: (area.x, area.y))


def _join_blocks(blocks: Sequence[_Block]) -> list[str]:
    """Write several blocks of lines side by side, and return the lines.

    Each line of a block is padded to the width of its block. Shorter blocks get empty lines at their end.
    """
    widths = [_measure_block(block) for block in blocks]
    if len(blocks) == 1:
        return [line.pad(widths[0]) for line in blocks[0]]
    empty_line = _Line("", 0)
    joined_lines = []
    for lines_side_by_side in zip_longest(*blocks, fillvalue=empty_line):
        padded_lines = [line.pad(width) for line, width in zip(lines_side_by_side, widths, strict=True)]
        joined_lines.append(_GAP.join(padded_lines))
    return joined_lines


def _measure_block(block: _Block) -> int:
    """Return the width of a block of lines in terminal columns: that of its longest line."""
    return max((line.columns for line in block), default=0)


def _write_area(area: Area, writer: _TerminalWriter, *, show_name: bool) -> _Block:
    """Return an area, such as a board or a hand, as a block of lines.

    Row labels are on the left, column labels below. The captions of the area are above it. If `show_name` is
    True, the name of an area without captions is there.
    """
    contents = _write_cell_contents(area.cells, writer)
    # Cells between two rows, such as a river, are a line of their own.
    between_contents = _write_cell_contents(area.between, writer)
    row_labels = [f"{writer.clean_text(label)} " for label in area.row_labels]
    column_labels = [writer.clean_text(label) for label in area.column_labels]

    margin = max(map(_count_columns, row_labels), default=0)
    label_widths = map(_count_columns, column_labels)
    content_widths = map(_count_columns, {*contents, *between_contents})
    cell_width = max([1, *label_widths, *content_widths])
    bracketed_width = cell_width + _BRACKET_COLUMNS
    width = margin + area.columns * bracketed_width

    rows = _write_rows(area, area.cells, contents, cell_width, writer)
    between_rows = _write_rows(area, area.between, between_contents, cell_width, writer)
    empty_row = [" " * bracketed_width] * area.columns
    block = []
    if show_name or area.captions:
        heading = _GAP.join(_list_captions(area.captions, writer)) or writer.clean_text(area.name)
        block.append(_make_line(heading))
    for row in range(area.rows):
        if row in between_rows:
            block.append(_Line(f"{' ' * margin}{''.join(between_rows[row])}", width))
        label = row_labels[row] if row < len(row_labels) else ""
        row_text = "".join(rows.get(row, empty_row))
        block.append(_Line(f"{_align_right(label, margin)}{row_text}", width))
    if column_labels:
        labels = "".join([f" {_centre_text(label, cell_width)} " for label in column_labels])
        block.append(_make_line(f"{' ' * margin}{labels}"))
    return block


def _make_line(line_text: str) -> _Line:
    """Return a line with a text, which contains no ANSI codes, and its width in terminal columns."""
    return _Line(line_text, _count_columns(line_text))


def _write_cell_contents(cells: Iterable[Cell], writer: _TerminalWriter) -> list[str]:
    """Return the text of each cell without brackets and colours: its pieces, or the sign of an empty cell."""
    # Many cells share one tuple of tokens, whose text is written only once. The key is the id of the tuple.
    text_cache: dict[int, str] = {}
    dot = writer.dot
    contents = []
    for cell in cells:
        tokens = cell.tokens
        if not tokens:
            # Most cells without tokens are a dot, which is written faster.
            is_dot = not (cell.blank or cell.hatches)
            contents.append(dot if is_dot else writer.write_empty_cell(cell))
            continue
        content = text_cache.get(id(tokens))
        if content is None:
            content = "".join(map(writer.write_token, tokens))
            text_cache[id(tokens)] = content
        contents.append(content or writer.write_empty_cell(cell))
    return contents


def _write_rows(
    area: Area, cells: Iterable[Cell], contents: Iterable[str], cell_width: int, writer: _TerminalWriter
) -> dict[int, list[str]]:
    """Return the rows that have a cell, by the number of the row.

    A row is a list with a text for each column. A text includes the brackets of its cell. A place without a
    cell is blank.

    Args:
        area: The area of the cells.
        cells: The cells of the area, or those between its rows.
        contents: The text of each cell, without brackets.
        cell_width: Width of a cell in columns, without its brackets.
        writer: Adds the colours.
    """
    empty_cell = " " * (cell_width + _BRACKET_COLUMNS)
    rows: dict[int, list[str]] = defaultdict(lambda: [empty_cell] * area.columns)
    # Most boards have one letter in each cell, which is written faster.
    has_single_letters = cell_width == 1 and not writer.colour
    for cell, content in zip(cells, contents, strict=True):
        if has_single_letters and cell.mark is None:
            cell_text = f" {content} "
        else:
            cell_text = _write_cell(cell, content, cell_width, writer)
        rows[cell.row][cell.column] = cell_text
    return rows


def _write_cell(cell: Cell, content: str, cell_width: int, writer: _TerminalWriter) -> str:
    """Return the text of a cell with the brackets of its mark, such as ``[K]`` for an error.

    With colour, ANSI codes set the background of the cell and the colour of each piece.

    Args:
        cell: The cell, with its mark and its pieces.
        content: The text of the cell without brackets.
        cell_width: Width of the cell in columns, without its brackets.
        writer: Selects the colours.
    """
    opening, closing = _BRACKETS[cell.mark]
    if not writer.colour:
        return opening + _centre_text(content, cell_width) + closing
    background = writer.mix_background(cell)
    # Brackets are black or white, whichever is more legible.
    bracket_colour = max((_BLACK, _WHITE), key=lambda shade: _contrast_ratio(shade, background))
    bracket_code = _foreground_code(bracket_colour)
    coloured_pieces = ""
    for token in cell.tokens:
        token_colour = writer.choose_token_colour(token.owner, background)
        coloured_pieces += _foreground_code(token_colour) + writer.write_token(token)
    # ANSI codes take no columns, so the space is that of the text without them.
    space_before, space_after = _split_space(content, cell_width)
    centred_content = f"{' ' * space_before}{coloured_pieces or content}{' ' * space_after}"
    return (
        f"{_background_code(background)}{bracket_code}{opening}"
        f"{centred_content}{bracket_code}{closing}{_RESET}"
    )


def _background_code(shade: _Rgb) -> str:
    """Return the ANSI code that sets the background to `shade`: red, green and blue from 0 to 255."""
    red, green, blue = shade
    return f"\x1b[48;2;{red};{green};{blue}m"


def _foreground_code(shade: _Rgb) -> str:
    """Return the ANSI code that sets the text colour to `shade`: red, green and blue from 0 to 255."""
    red, green, blue = shade
    return f"\x1b[38;2;{red};{green};{blue}m"


def _split_space(content: str, columns: int) -> tuple[int, int]:
    """Return the numbers of blanks before and after a text that centre it in `columns` columns.

    If their sum is odd, there is one more blank before the text.
    """
    space = columns - _count_columns(content)
    space_after = space // 2
    return space - space_after, space_after


def _centre_text(content: str, columns: int) -> str:
    """Return a text with blanks on both sides, so that it is in the middle of `columns` columns.

    If the number of blanks is odd, there is one more before the text.
    """
    # Most texts need no blanks, which is found out faster than by counting columns.
    if len(content) == columns and content.isascii():
        return content
    space_before, space_after = _split_space(content, columns)
    return " " * space_before + content + " " * space_after


def _align_right(label: str, columns: int) -> str:
    """Return a text with blanks before it, so that it takes `columns` columns of the terminal."""
    return " " * (columns - _count_columns(label)) + label


def _count_columns(content: str) -> int:
    """Return the number of columns that a text takes in a terminal: two for a wide character, such as 車."""
    if content.isascii():
        return len(content)
    return sum(2 if unicodedata.east_asian_width(ch) in _WIDE_CATEGORIES else 1 for ch in content)


def _replace_unsafe_characters(raw_text: str) -> str:
    """Return a text in which each character is replaced by one that is safe for a terminal."""
    return "".join(_make_safe_character(ch) for ch in raw_text)


def _make_safe_character(ch: str) -> str:
    """Return a character, or a replacement for it that is safe for a terminal.

    White space becomes a blank. Control, format and unassigned characters become ``?``. Combining marks,
    which would be shown over the character before them, become an empty text.
    """
    if " " <= ch <= _LAST_PRINTABLE_ASCII:
        return ch
    # The first letter is the major class: C for control characters, M for marks, Z for separators.
    category = unicodedata.category(ch)
    major_class = category[0]
    if ch in "\t\n\r" or category == "Zs":
        return " "
    if major_class == "M":
        return ""
    return "?" if major_class in "CZ" else ch


def _mix_colours(major: _Rgb, minor: _Rgb) -> _Rgb:
    """Return a colour mixed from two parts of `major` and one part of `minor`."""
    red, green, blue = (
        (2 * major_channel + minor_channel) // 3
        for major_channel, minor_channel in zip(major, minor, strict=True)
    )
    return red, green, blue


def _contrast_ratio(shade: _Rgb, background: _Rgb) -> float:
    """Return the contrast ratio of two colours as WCAG 2 defines it, from 1 to 21."""
    darker, lighter = sorted((_relative_luminance(shade), _relative_luminance(background)))
    return (lighter + 0.05) / (darker + 0.05)


def _relative_luminance(shade: _Rgb) -> float:
    """Return the relative luminance of a colour as WCAG 2 defines it, from 0 (black) to 1 (white)."""
    red, green, blue = (_linearise(channel / 255) for channel in shade)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linearise(value: float) -> float:
    """Return the linear light intensity of an sRGB channel, as WCAG 2 defines it. Both are from 0 to 1."""
    if value <= 0.04045:
        return value / 12.92
    return float(((value + 0.055) / 1.055) ** 2.4)
