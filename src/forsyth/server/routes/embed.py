"""Route of the page that other sites may show in a frame: one drawn position, without navigation or scripts.

The query has the text and the drawing options of `/api/v1/draw.svg`. The response is HTML with the drawing
and a link to the page of the position, or with an error message if the text contains no position. The limits
are those of the routes that draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final
from urllib.parse import quote, urlencode

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from forsyth import draw
from forsyth.resolver import GameChoice
from forsyth.server.bounds.middleware import EMBED_PATH
from forsyth.server.problems import Problem
from forsyth.server.routes.pictures import CACHE_DAY, DrawOptionsQuery
from forsyth.server.routing import GameQuery, PictureRoute, ReadableStore, TextQuery
from forsyth.server.texts import require_position
from forsyth.server.views import Theme, build_scene

routes = APIRouter(include_in_schema=False, route_class=PictureRoute)

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
_DARK_STYLES: Final[Mapping[Theme, str]] = {
    "light": "",
    "dark": _DARK,
    "auto": f"@media (prefers-color-scheme: dark) {{ {_DARK} }}",
}
"""Style rules for dark colours, by theme."""


@routes.get(EMBED_PATH, response_class=Response)
def show_embedded_position(
    store: ReadableStore, choice: GameQuery, text: TextQuery, options: DrawOptionsQuery
) -> Response:
    """Return a page with a drawing of one position, for a frame in another site."""
    try:
        parsed = require_position(text, choice, store)
        scene = build_scene(parsed, options)
    except Problem as problem:
        error_html = f'<p role="alert">{escape(str(problem.detail))}</p>'
        page = _render_embedded_page("Forsyth", error_html, text, choice, options.theme)
        return HTMLResponse(page, problem.status_code)
    svg = draw.svg(scene, size=options.size, theme=options.theme)
    page = _render_embedded_page(scene.title, svg, text, choice, options.theme)
    return HTMLResponse(page, 200, CACHE_DAY)


def _render_embedded_page(title: str, content: str, text: str, choice: GameChoice, theme: Theme) -> str:
    """Return the HTML of a page for a frame: a drawing, and a link to Forsyth.

    Args:
        title: Title of the page, as plain text.
        content: HTML of the drawing, or of an error message.
        text: Position text, for the link to its page.
        choice: Names of the game, variant and profile, for the link.
        theme: ``light``, ``dark``, or ``auto``, which follows the settings of the browser.
    """
    scheme = "light dark" if theme == "auto" else theme
    return _PAGE.format(
        title=escape(title),
        content=content,
        href=escape(build_page_path(text, choice)),
        dark=_DARK_STYLES[theme],
        scheme=scheme,
    )


def build_page_path(text: str, choice: GameChoice) -> str:
    """Return the path of the page that shows a position text, such as ``/p/8%2F8...?game=chess``.

    The query has the names of the game, the variant and the profile in `choice`, without those that are None.
    """
    path = f"/p/{quote(text, safe='')}"
    query = {name: value for name, value in choice._asdict().items() if value}
    return f"{path}?{urlencode(query)}" if query else path
