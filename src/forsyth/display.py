"""How values show themselves in notebooks: by the rooms that draw, loaded when a notebook first asks.

A value stands below these rooms and cannot import them; they are found by their names, so that a program
that draws nothing loads none of them.
"""

from __future__ import annotations

from importlib import import_module


def svg_of(value: object) -> str:
    """A value as a picture, as `forsyth.draw.svg` draws it."""
    return str(import_module("forsyth.draw").svg(value))


def html_of(value: object) -> str:
    """A value as a part of a page, as `forsyth.notebook.html` writes it."""
    return str(import_module("forsyth.notebook").html(value))
