"""Rendering of values in notebooks. The drawing modules are imported on first use.

The classes that use this module must not import `forsyth.draw` and `forsyth.notebook`, which import them.
Importing by name avoids the cycle, and programs that draw nothing never load these modules.
"""

from __future__ import annotations

from importlib import import_module


def render_svg(value: object) -> str:
    """Return the text of an SVG picture of a scene, position, match or node, drawn by `forsyth.draw.svg`."""
    return str(import_module("forsyth.draw").svg(value))


def render_html(value: object) -> str:
    """Return a value, such as a reading, as an HTML fragment, written by `forsyth.notebook.html`."""
    return str(import_module("forsyth.notebook").html(value))
