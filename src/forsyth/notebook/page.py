"""The common parts of all HTML for notebooks: the style sheet, fragments, and boards in the notebook's theme.

Colours come from the variables of Jupyter if it defines them, else from the surrounding page. A fragment is
independent of others: two fragments on one page have no id in common.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from forsyth.draw.markup import escape_text
from forsyth.draw.svg import scene_to_svg
from forsyth.scene import Scene

STYLE: Final = """<style>
.forsyth-out{font:14px/1.5 system-ui,sans-serif;color:var(--jp-content-font-color1,inherit);max-width:100%}
.forsyth-out .boards{display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start}
.forsyth-out svg{max-width:100%;height:auto;display:block}
.forsyth-out code,.forsyth-out pre{font:13px/1.6 ui-monospace,monospace;background:none;color:inherit}
.forsyth-out pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0 0 8px}
.forsyth-out .error{text-decoration:underline wavy #d8322f;text-underline-offset:3px}
.forsyth-out .warning{text-decoration:underline wavy #c77f00;text-underline-offset:3px}
.forsyth-out .empty{border-left:2px solid #d8322f;margin:0 1px}
.forsyth-out ol,.forsyth-out ul{margin:0;padding-left:1.6em}
.forsyth-out b.is-error{color:#d8322f}.forsyth-out b.is-warning{color:#b87300}
.forsyth-out table{border-collapse:collapse;font-size:13px;color:inherit}
.forsyth-out td,.forsyth-out th{padding:3px 8px;text-align:left;border-bottom:1px solid #8885}
.forsyth-out .moves button{font:inherit;color:inherit;background:none;border:0;padding:0 3px;cursor:pointer}
.forsyth-out .moves button[aria-current]{background:#d9b13b;color:#17181a;border-radius:3px}
.forsyth-out .controls{display:flex;gap:4px;align-items:center;margin:6px 0}
.forsyth-out .controls[hidden]{display:none}
.forsyth-out .controls input{flex:1}
</style>"""
"""The style sheet, which each fragment contains."""
_ID_LENGTH: Final = 12
"""Number of random hexadecimal digits in the id of an element."""


@dataclass(frozen=True, slots=True)
class Html:
    """An HTML fragment. A notebook shows it, and `str()` returns its text."""

    text: str

    def __str__(self) -> str:
        """Return the text of the fragment."""
        return self.text

    def _repr_html_(self) -> str:
        """Return the text of the fragment, which a notebook shows as HTML."""
        return self.text


def make_fragment(body: str, *, element_id: str = "") -> str:
    """Return an HTML fragment: the style sheet, and an element that contains the HTML `body`.

    `element_id` is the id of that element. An empty text means no id.
    """
    id_attribute = f' id="{element_id}"' if element_id else ""
    return f'{STYLE}\n<div class="forsyth-out"{id_attribute}>{body}</div>\n'


def make_element_id() -> str:
    """Return a random id for an HTML element, such as ``forsyth-3f0c9a1b2d4e``.

    A counter would not do, because a page may contain elements from several processes.
    """
    return f"forsyth-{uuid4().hex[:_ID_LENGTH]}"


def draw_board(scene: Scene, size: int) -> str:
    """Draw a scene (a drawable position) as an SVG picture, `size` pixels wide.

    The colours around the board follow the light or dark theme of the notebook.
    """
    return scene_to_svg(scene, size, "notebook")


def format_code(text: str) -> str:
    """Return a short text, such as a code, as an HTML element in a monospaced font."""
    return f"<code>{escape_text(text)}</code>"
