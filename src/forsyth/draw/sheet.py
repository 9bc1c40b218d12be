"""The style sheet of a picture: class names for the roles in use, and the drawings that tokens share.

Writes rules for a light or a dark page, for one that follows the reader's system (``auto``), or for a
notebook, whose own theme counts before the system's. Colours must be ``#rrggbb``; anything else raises
`ValueError`, for they are written into a style sheet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal

from forsyth.arguments import quoted
from forsyth.draw.markup import PREFIX, ROUND, UNIT, short, words
from forsyth.scene import Colour, Scene, Stroke

Surroundings = Literal["auto", "light", "dark", "notebook"]
"""Whose theme a picture follows; the public ones are `Theme`."""

HEX_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")

_SAID_DARK: Final = "body[data-jp-theme-light=false],body.vscode-dark"
"""How notebooks say on their page that their theme is dark: Jupyter and its exports, and VS Code."""
_UNSAID: Final = "body:not([data-jp-theme-light=true],.vscode-light)"


class Sheet:
    """Hands out a short class name for each role in use, and writes the rules and glyphs behind the names.

    A token inherits ``fill`` and ``stroke`` from its owner's rule and takes the owner's line from
    ``currentColor``: so one drawing serves every owner.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._classes: dict[tuple[str, str], str] = {}
        self._drawings: dict[tuple[str, str], tuple[str, str]] = {}

    def fill(self, role: str) -> str:
        """The class of what is filled with a role's colour."""
        return self._class("fill", role)

    def ground(self, role: str) -> str:
        """The class of a ground, whose edges are sharp."""
        return self._class("ground", role)

    def line(self, role: str) -> str:
        """The class of a line in a role's colour."""
        return self._class("stroke", role)

    def owner(self, owner: str) -> str:
        """The class of what belongs to somebody."""
        return self._class("owner", owner)

    def _class(self, kind: str, role: str) -> str:
        return self._classes.setdefault((kind, role), f"{PREFIX}{len(self._classes)}")

    def glyph(self, name: str) -> str:
        """The id of a drawing; its strokes are written when it is first asked for."""
        if ("glyph", name) not in self._drawings:
            strokes = "".join(stroke_of(stroke, self) for stroke in self._scene.glyphs[name])
            self._drawings["glyph", name] = f"{PREFIX}g{len(self._drawings)}", strokes
        return self._drawings["glyph", name][0]

    def hatching(self, slant: str) -> str:
        """The id of a cell's hatching; it inherits its colour from who uses it."""
        fresh = f"{PREFIX}g{len(self._drawings)}", _hatching(slant)
        return self._drawings.setdefault(("hatching", slant), fresh)[0]

    def drawings(self) -> Iterator[str]:
        """Every drawing that was asked for, under its id."""
        for name, drawing in self._drawings.values():
            yield f'<g id="{name}" {ROUND}>{drawing}</g>'

    def rules(self, theme: Surroundings) -> str:
        """The rules of all classes; the dark ones stand where the surroundings are dark."""
        if theme == "light" or theme == "dark":
            return "".join(self._rules(theme))
        dark = set(self._rules("dark")) - set(self._rules("light"))
        changed = "".join(rule for rule in self._rules("dark") if rule in dark)
        light = "".join(self._rules("light"))
        if not changed:
            return light
        if theme == "auto":
            return f"{light}@media(prefers-color-scheme:dark){{{changed}}}"
        by_system = f"@media(prefers-color-scheme:dark){{{_UNSAID}{{{changed}}}}}"
        return f"{light}{by_system}{_SAID_DARK}{{{changed}}}"

    def _rules(self, theme: Literal["light", "dark"]) -> Iterator[str]:
        for (kind, role), name in self._classes.items():
            colour = _shade(self._scene.colour(role), theme)
            if kind == "owner":
                line = _shade(self._scene.colour(f"{role}-line"), theme)
                yield f".{name}{{fill:{colour};stroke:{colour};color:{line}}}"
            elif kind == "ground":
                yield f".{name}{{fill:{colour};shape-rendering:crispEdges}}"
            else:
                yield f".{name}{{{kind}:{colour}}}"


def _hatching(slant: str) -> str:
    """A tint and four lines, which go on in the next cell because their distance divides the cell."""
    rising = "M0 12.5L12.5 0M0 37.5L37.5 0M0 62.5L62.5 0M0 87.5L87.5 0"
    rising += "M12.5 100L100 12.5M37.5 100L100 37.5M62.5 100L100 62.5M87.5 100L100 87.5"
    mirrored = ' transform="matrix(-1 0 0 1 100 0)"' if slant == "\\" else ""
    return (
        f'<rect width="{UNIT}" height="{UNIT}" stroke="none" opacity=".16" shape-rendering="crispEdges"/>'
        f'<path d="{rising}" stroke-width="2.5" stroke-linecap="butt" opacity=".55"{mirrored}/>'
    )


def stroke_of(stroke: Stroke, sheet: Sheet) -> str:
    """One path of a drawing or map."""
    classes: list[str] = []
    fill = _paint("fill", stroke.fill, sheet.fill, classes)
    line = _paint("stroke", stroke.line, sheet.line, classes)
    width = "" if stroke.line == "none" else f' stroke-width="{short(stroke.width)}"'
    named = f' class="{" ".join(classes)}"' if classes else ""
    faint = "" if stroke.opacity == 1 else f' opacity="{short(stroke.opacity)}"'
    return f'<path{named} d="{words(stroke.path)}"{fill}{line}{width}{faint}/>'


def _paint(attribute: str, role: str, name: Callable[[str], str], classes: list[str]) -> str:
    """The attribute that paints a stroke; a role of the palette joins `classes` instead."""
    if role == "owner":
        return ""
    if role == "owner-line":
        return f' {attribute}="currentColor"'
    if role == "none":
        return f' {attribute}="none"'
    classes.append(name(role))
    return ""


def _shade(colour: Colour, theme: Literal["light", "dark"]) -> str:
    shade = colour.dark if theme == "dark" else colour.light
    if not HEX_COLOUR.fullmatch(shade):
        raise ValueError(f"{quoted(shade)} is not a colour, expected #rrggbb")
    return shade
