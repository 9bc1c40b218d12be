"""What every part of a page here has: its own style, safe words, a board that follows the notebook's theme.

Colours come from Jupyter's variables where it has them, else from the page around. Each part stands alone:
two of them on one page share no id.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from forsyth.draw.markup import words
from forsyth.draw.svg import still
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


@dataclass(frozen=True, slots=True)
class Html:
    """A part of a page; a notebook shows it, `str()` gives its text."""

    text: str

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.text


def part(body: str, *, name: str = "") -> str:
    """A part of a page, with the style that it needs."""
    named = f' id="{name}"' if name else ""
    return f'{STYLE}\n<div class="forsyth-out"{named}>{body}</div>\n'


def fresh_name() -> str:
    """An id that no other part has, in this process or another."""
    return f"forsyth-{uuid4().hex[:12]}"


def board(scene: Scene, size: int) -> str:
    """A scene as a picture that follows the theme of the notebook."""
    return still(scene, size, "notebook")


def code(text: str) -> str:
    """A short text in letters of one width."""
    return f"<code>{words(text)}</code>"
