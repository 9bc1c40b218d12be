"""Positions in notebooks: `html` of values, `boards` of a data frame, and `Board`, a board to play on.

If a reading, difference or record is the last expression of a notebook cell, the notebook shows its HTML
without a call; `html` returns the same HTML. Nothing is loaded from a server. `Board` requires the extra
``notebook``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from forsyth.notebook.frames import boards
from forsyth.notebook.page import Html
from forsyth.notebook.show import html

if TYPE_CHECKING:
    from forsyth.notebook.widget import Board

__all__ = ["Board", "Html", "boards", "html"]


def __getattr__(name: str) -> Any:
    """Return the class `Board`, and import its library only now (Python calls this for missing names).

    Raise `AttributeError` if `name` is another name.
    """
    if name != "Board":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from forsyth.notebook.widget import Board

    return Board
