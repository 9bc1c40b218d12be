"""The style sheet of a picture: a class for each palette role in use, and the drawings that tokens share.

The rules are for a light or a dark page, for a page that follows the reader's system (``auto``), or for a
notebook, whose own theme precedes that of the system. Colours are written into a style sheet and must
therefore be of the form ``#rrggbb``; another value raises `ValueError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

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

_DECLARED_DARK: Final = "body[data-jp-theme-light=false],body.vscode-dark"
"""CSS selector of a notebook that declares a dark theme: Jupyter with its exports, or VS Code."""
_NOT_DECLARED_LIGHT: Final = "body:not([data-jp-theme-light=true],.vscode-light)"
"""CSS selector of a page that does not declare a light theme."""


class StyleSheet:
    """Class names for the palette roles in use, ids for the shared drawings, and the rules behind the names.

    Each method that takes a role or a drawing returns its name, and registers it at the first call. A token
    inherits ``fill`` and ``stroke`` from the rule of its owner and takes the line colour of the owner from
    ``currentColor``, so that one drawing serves all owners.
    """

    def __init__(self, scene: Scene) -> None:
        """Create an empty style sheet for a scene, which defines the colours and glyphs."""
        self._scene = scene
        # The class name by the kind of shape and the palette role.
        self._classes: dict[tuple[str, str], str] = {}
        # The id and the markup by the kind of drawing and its name.
        self._drawings: dict[tuple[str, str], tuple[str, str]] = {}

    def fill(self, role: str) -> str:
        """Return the CSS class of shapes filled with the colour of a palette role, such as ``text``."""
        return self._register_class("fill", role)

    def ground(self, role: str) -> str:
        """Return the CSS class of sharp-edged rectangles filled with the colour of a palette role.

        Without sharp edges, a thin gap would be visible between the squares of a board.
        """
        return self._register_class("ground", role)

    def line(self, role: str) -> str:
        """Return the CSS class of lines in the colour of a palette role, such as ``frame``."""
        return self._register_class("stroke", role)

    def owner(self, owner: str) -> str:
        """Return the CSS class of the tokens of an owner, such as ``white``, with its two colours."""
        return self._register_class("owner", owner)

    def _register_class(self, kind: str, role: str) -> str:
        """Return the CSS class for a palette role and a kind of shape; the first call creates it.

        `kind` is ``fill``, ``ground``, ``stroke`` or ``owner``.
        """
        new_class = f"{PREFIX}{len(self._classes)}"
        return self._classes.setdefault((kind, role), new_class)

    def glyph(self, name: str) -> str:
        """Return the id of a drawing in `Scene.glyphs`, such as that of a knight.

        The first call draws its strokes, which all tokens with this drawing then share.
        """
        if ("glyph", name) not in self._drawings:
            strokes = "".join(draw_stroke(stroke, self) for stroke in self._scene.glyphs[name])
            self._drawings["glyph", name] = (self._make_drawing_id(), strokes)
        drawing_id, _ = self._drawings["glyph", name]
        return drawing_id

    def hatching(self, slant: str) -> str:
        """Return the id of the drawing of slanted lines over a cell. `slant` is ``/`` or a backslash.

        The lines inherit their colour from the element that uses the drawing.
        """
        new_drawing = (self._make_drawing_id(), _draw_hatching(slant))
        drawing_id, _ = self._drawings.setdefault(("hatching", slant), new_drawing)
        return drawing_id

    def _make_drawing_id(self) -> str:
        """Return the id for the next new drawing: the prefix of all ids and a text such as ``g3``."""
        return f"{PREFIX}g{len(self._drawings)}"

    def drawings(self) -> Iterator[str]:
        """Yield each drawing that was requested so far as an SVG group with its id."""
        for drawing_id, drawing in self._drawings.values():
            yield f'<g id="{drawing_id}" {ROUND}>{drawing}</g>'

    def rules(self, theme: PageTheme) -> str:
        """Return the CSS rules of all registered classes.

        For the themes ``auto`` and ``notebook``, the light rules come first, followed by the dark rules that
        differ from them, in a condition that holds on dark pages.
        """
        if theme == "light" or theme == "dark":
            return "".join(self._write_rules(theme))
        light_rules = list(self._write_rules("light"))
        known_rules = frozenset(light_rules)
        different_rules = [rule for rule in self._write_rules("dark") if rule not in known_rules]
        light, dark = "".join(light_rules), "".join(different_rules)
        if not dark:
            return light
        if theme == "auto":
            return f"{light}@media(prefers-color-scheme:dark){{{dark}}}"
        # In a notebook, the theme that it declares precedes that of the system.
        by_system = f"@media(prefers-color-scheme:dark){{{_NOT_DECLARED_LIGHT}{{{dark}}}}}"
        by_notebook = f"{_DECLARED_DARK}{{{dark}}}"
        return f"{light}{by_system}{by_notebook}"

    def _write_rules(self, theme: FixedTheme) -> Iterator[str]:
        """Yield the CSS rule of each class that was requested so far, in the colours of a theme."""
        for (kind, role), name in self._classes.items():
            shade = _select_shade(self._scene.colour(role), theme)
            if kind == "owner":
                line_shade = _select_shade(self._scene.colour(f"{role}-line"), theme)
                yield f".{name}{{fill:{shade};stroke:{shade};color:{line_shade}}}"
            elif kind == "ground":
                yield f".{name}{{fill:{shade};shape-rendering:crispEdges}}"
            else:
                # The other kinds, fill and stroke, are names of CSS properties.
                yield f".{name}{{{kind}:{shade}}}"


def _draw_hatching(slant: str) -> str:
    """Return a tint with slanted lines over a cell. `slant` is ``/`` or a backslash.

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
    """Return a stroke of a glyph or map as an SVG path, and register its palette roles in `sheet`."""
    classes = []
    if stroke.fill not in _ROLES_WITHOUT_CLASS:
        classes.append(sheet.fill(stroke.fill))
    if stroke.line not in _ROLES_WITHOUT_CLASS:
        classes.append(sheet.line(stroke.line))
    class_attribute = f' class="{" ".join(classes)}"' if classes else ""
    fill = _paint_attribute("fill", stroke.fill)
    line = _paint_attribute("stroke", stroke.line)
    width = "" if stroke.line == "none" else f' stroke-width="{format_number(stroke.width)}"'
    opacity = "" if stroke.opacity == 1 else f' opacity="{format_number(stroke.opacity)}"'
    return f'<path{class_attribute} d="{escape_text(stroke.path)}"{fill}{line}{width}{opacity}/>'


def _paint_attribute(attribute: str, role: str) -> str:
    """Return the SVG attribute ``fill`` or ``stroke`` of a path, with a blank before it.

    The result is empty if the colour is inherited from the owner of the piece, or comes from a CSS class.

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
