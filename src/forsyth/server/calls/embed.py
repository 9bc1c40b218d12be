"""The page that others may frame: one position, drawn, without navigation and without a script.

Accepts the text and the look of a drawing in its query, as `/api/v1/draw.svg` does. Written: HTML with the
drawing in it and a link to the page of the position; for a text that is none, the sentence of its first
finding.

Limits: those of the drawing calls; it is counted as one of them.
"""

from __future__ import annotations

from html import escape
from typing import Final
from urllib.parse import quote, urlencode

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from forsyth import draw
from forsyth.resolver import Choice
from forsyth.server.bounds.middleware import FRAMED
from forsyth.server.calls.pictures import CACHED, AskedLook, DrawnText
from forsyth.server.problems import Problem
from forsyth.server.routing import Chosen, ComputingRoute, Stored
from forsyth.server.texts import position_of
from forsyth.server.views import scene_of

routes = APIRouter(include_in_schema=False, route_class=ComputingRoute)

_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="{scheme}"><meta name="robots" content="noindex">
<style>
html, body, main {{ height: 100%; margin: 0; }}
main {{ display: grid; grid-template-rows: minmax(0, 1fr) auto; font: 14px/1.5 Georgia, serif; }}
main > svg {{ width: 100%; height: 100%; }}
main > p {{ margin: 0; padding: 0.2rem 0.6rem; text-align: center; }}
a {{ color: #2f6b4f; }}
h1 {{ position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }}
{dark}
</style></head><body><main><h1>{title}</h1>{content}
<p><a href="{href}" target="_blank" rel="noopener">Open in Forsyth</a></p></main></body></html>
"""
_DARK: Final = "html { background: #17181a; color: #e2ded5; } a { color: #84c7a4; }"


@routes.get(FRAMED, response_class=Response)
def show_embedded(store: Stored, choice: Chosen, text: DrawnText, look: AskedLook) -> Response:
    """A position alone, to stand in a page of somebody else."""
    try:
        one = position_of(text, choice, store)
        scene = scene_of(one, look)
    except Problem as problem:
        words = f'<p role="alert">{escape(str(problem.detail))}</p>'
        return HTMLResponse(_page("Forsyth", words, text, choice, look.theme), problem.status_code)
    drawing = draw.svg(scene, size=look.size, theme=look.theme)
    return HTMLResponse(_page(scene.title, drawing, text, choice, look.theme), 200, CACHED)


def _page(title: str, content: str, text: str, choice: Choice, theme: str) -> str:
    dark = {"dark": _DARK, "light": ""}.get(theme, f"@media (prefers-color-scheme: dark) {{ {_DARK} }}")
    scheme = theme if theme in ("dark", "light") else "light dark"
    return _PAGE.format(
        title=escape(title), content=content, href=escape(page_of(text, choice)), dark=dark, scheme=scheme
    )


def page_of(text: str, choice: Choice) -> str:
    """The path of the page that shows a text."""
    told = {name: value for name, value in choice._asdict().items() if value}
    return f"/p/{quote(text, safe='')}{'?' + urlencode(told) if told else ''}"
