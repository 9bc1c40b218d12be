"""Values as parts of pages, for notebooks: `html` of values, `boards` of a data frame, a `Board` to click.

Readings, differences and records show themselves when they are the last line of a cell; `html` gives the same
text. No server is asked and nothing is loaded from elsewhere. `Board` needs the extra ``notebook``.
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
    """The widget, whose library is loaded when it is first asked for."""
    if name != "Board":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from forsyth.notebook.widget import Board

    return Board
