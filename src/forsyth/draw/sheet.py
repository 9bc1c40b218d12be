"""The style sheet of a picture: a class for each palette role in use, and the drawings that tokens share.

The rules are for a light or a dark page, for a page that follows the reader's system (``auto``), or for a
notebook, whose own theme precedes that of the system. Colours are written into a style sheet and must
therefore be of the form ``#rrggbb``; another value raises `ValueError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from forsyth.arguments import quoted
from forsyth.draw.markup import PREFIX, ROUND, UNIT, escape_text, format_number
from forsyth.scene import Colour, Scene, Stroke

PageTheme = Literal["auto", "light", "dark", "notebook"]
"""The theme that a picture follows. `forsyth.draw.svg.Theme` has the public ones."""
FixedTheme = Literal["light", "dark"]
"""A theme with one set of colours."""

_ROLES_WITHOUT_CLASS: Final = frozenset({"owner", "owner-line", "none"})
"""The roles of strokes that are no palette roles, and therefore need no CSS class."""
HEX_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")

_DARK_NOTEBOOK: Final = "body[data-jp-theme-light=false],body.vscode-dark"
"""CSS selector of a notebook that declares a dark theme: Jupyter with its exports, or VS Code."""
_NOT_LIGHT_NOTEBOOK: Final = "body:not([data-jp-theme-light=true],.vscode-light)"
"""CSS selector of a page that does not declare a light theme."""


class _SharedDrawing(NamedTuple):
    """A drawing that is written once in a picture and used several times."""

    id: str
    markup: str


class StyleSheet:
    """The style sheet of one picture: CSS classes for the colours in use, and the drawings that tokens share.

    A palette role, such as ``text``, is the name of a colour in the scene. The first call of a ``get_...``
    method creates a class or an id, and later calls return the same one. A token inherits ``fill`` and
    ``stroke`` from the class of its owner and takes the line colour of the owner from ``currentColor``, so
    that one drawing serves all owners.
    """

    def __init__(self, scene: Scene) -> None:
        """Create an empty style sheet for a scene, which defines the colours and the drawings of pieces."""
        self._scene = scene
        # Each class name, by the kind of shape (such as "fill") and the palette role.
        self._classes: dict[tuple[str, str], str] = {}
        # Each shared drawing, by its kind ("glyph" or "hatching") and its name in this kind.
        self._drawings: dict[tuple[str, str], _SharedDrawing] = {}

    def get_fill_class(self, role: str) -> str:
        """Return the CSS class of shapes filled with the colour of a palette role, such as ``text``."""
        return self._get_class("fill", role)

    def get_ground_class(self, role: str) -> str:
        """Return the CSS class of sharp-edged rectangles filled with the colour of a palette role.

        Without sharp edges, a thin gap would be visible between the squares of a board.
        """
        return self._get_class("ground", role)

    def get_line_class(self, role: str) -> str:
        """Return the CSS class of lines in the colour of a palette role, such as ``frame``."""
        return self._get_class("stroke", role)

    def get_owner_class(self, owner: str) -> str:
        """Return the CSS class of the tokens of an owner, such as ``white``, with its two colours."""
        return self._get_class("owner", owner)

    def _get_class(self, shape_kind: str, role: str) -> str:
        """Return the CSS class for a palette role and a kind of shape. The first call creates the class.

        `shape_kind` is ``fill``, ``ground``, ``stroke`` or ``owner``.
        """
        new_class = f"{PREFIX}{len(self._classes)}"
        return self._classes.setdefault((shape_kind, role), new_class)

    def get_glyph_id(self, name: str) -> str:
        """Return the id of the drawing of a piece. `name` is its name in `Scene.glyphs`.

        The first call draws its strokes, which all tokens with this drawing then share.
        """
        if ("glyph", name) not in self._drawings:
            strokes = "".join(draw_stroke(stroke, self) for stroke in self._scene.glyphs[name])
            self._drawings["glyph", name] = _SharedDrawing(self._make_drawing_id(), strokes)
        return self._drawings["glyph", name].id

    def get_hatching_id(self, slant: str) -> str:
        """Return the id of the drawing of slanted lines over a cell. `slant` is ``/`` or a backslash.

        The lines inherit their colour from the element that uses the drawing.
        """
        new_drawing = _SharedDrawing(self._make_drawing_id(), _draw_hatching(slant))
        return self._drawings.setdefault(("hatching", slant), new_drawing).id

    def _make_drawing_id(self) -> str:
        """Return the id of the next new drawing: the prefix of all ids, then a text such as ``g3``."""
        return f"{PREFIX}g{len(self._drawings)}"

    def write_drawings(self) -> Iterator[str]:
        """Yield each drawing that was requested so far as an SVG group with its id."""
        for drawing in self._drawings.values():
            yield f'<g id="{drawing.id}" {ROUND}>{drawing.markup}</g>'

    def write_rules(self, theme: PageTheme) -> str:
        """Return the CSS rules of all classes that were requested so far.

        For the themes ``auto`` and ``notebook``, the light rules come first, followed by the dark rules that
        differ from them, in a condition that holds on dark pages.
        """
        if theme == "light" or theme == "dark":
            return "".join(self._write_theme_rules(theme))
        light_rules = list(self._write_theme_rules("light"))
        known_rules = frozenset(light_rules)
        dark_rules = [rule for rule in self._write_theme_rules("dark") if rule not in known_rules]
        light, dark = "".join(light_rules), "".join(dark_rules)
        if not dark:
            return light
        if theme == "auto":
            return f"{light}@media(prefers-color-scheme:dark){{{dark}}}"
        # The theme of a notebook precedes that of the system, which counts if the notebook has none.
        dark_in_system = f"@media(prefers-color-scheme:dark){{{_NOT_LIGHT_NOTEBOOK}{{{dark}}}}}"
        dark_in_notebook = f"{_DARK_NOTEBOOK}{{{dark}}}"
        return f"{light}{dark_in_system}{dark_in_notebook}"

    def _write_theme_rules(self, theme: FixedTheme) -> Iterator[str]:
        """Yield the CSS rule of each class that was requested so far, in the colours of a theme."""
        for (shape_kind, role), class_name in self._classes.items():
            shade = _select_shade(self._scene.colour(role), theme)
            if shape_kind == "owner":
                line_shade = _select_shade(self._scene.colour(f"{role}-line"), theme)
                yield f".{class_name}{{fill:{shade};stroke:{shade};color:{line_shade}}}"
            elif shape_kind == "ground":
                yield f".{class_name}{{fill:{shade};shape-rendering:crispEdges}}"
            else:
                # The other kinds, fill and stroke, are names of CSS properties.
                yield f".{class_name}{{{shape_kind}:{shade}}}"


def _draw_hatching(slant: str) -> str:
    """Return the SVG of a tint with slanted lines over a cell. `slant` is ``/`` or a backslash.

    The distance of the lines divides the side of a cell, so that they continue in the next cell.
    """
    rising_lines = "M0 12.5L12.5 0M0 37.5L37.5 0M0 62.5L62.5 0M0 87.5L87.5 0"
    rising_lines += "M12.5 100L100 12.5M37.5 100L100 37.5M62.5 100L100 62.5M87.5 100L100 87.5"
    # The falling lines are the rising ones, mirrored from left to right.
    mirror = ' transform="matrix(-1 0 0 1 100 0)"' if slant == "\\" else ""
    return (
        f'<rect width="{UNIT}" height="{UNIT}" stroke="none" opacity=".16" shape-rendering="crispEdges"/>'
        f'<path d="{rising_lines}" stroke-width="2.5" stroke-linecap="butt" opacity=".55"{mirror}/>'
    )


def draw_stroke(stroke: Stroke, sheet: StyleSheet) -> str:
    """Return a stroke (a part of a drawing) as an SVG path. `sheet` provides the classes for its colours."""
    classes = []
    if stroke.fill not in _ROLES_WITHOUT_CLASS:
        classes.append(sheet.get_fill_class(stroke.fill))
    if stroke.line not in _ROLES_WITHOUT_CLASS:
        classes.append(sheet.get_line_class(stroke.line))
    class_attribute = f' class="{" ".join(classes)}"' if classes else ""
    fill = _write_paint("fill", stroke.fill)
    line = _write_paint("stroke", stroke.line)
    width = "" if stroke.line == "none" else f' stroke-width="{format_number(stroke.width)}"'
    opacity = "" if stroke.opacity == 1 else f' opacity="{format_number(stroke.opacity)}"'
    return f'<path{class_attribute} d="{escape_text(stroke.path)}"{fill}{line}{width}{opacity}/>'


def _write_paint(attribute: str, role: str) -> str:
    """Return the SVG attribute that paints a path in the line colour of its owner, or not at all.

    The result begins with a blank, such as `` fill="none"``. It is empty if the path inherits the main colour
    of its owner, or gets its colour from a CSS class.

    Args:
        attribute: The name of the attribute, ``fill`` or ``stroke``.
        role: ``owner``, ``owner-line``, ``none``, or a palette role, which has a CSS class.
    """
    if role == "owner-line":
        return f' {attribute}="currentColor"'
    if role == "none":
        return f' {attribute}="none"'
    return ""


def _select_shade(colour: Colour, theme: FixedTheme) -> str:
    """Return the shade of a colour for a light or a dark page.

    Raise `ValueError` if the shade is not of the form ``#rrggbb``.
    """
    shade = colour.dark if theme == "dark" else colour.light
    if not HEX_COLOUR.fullmatch(shade):
        raise ValueError(f"{quoted(shade)} is not a colour, expected #rrggbb")
    return shade
