"""The web page: one `index.html` for all its addresses, its assets, and the interactive API description.

The bundle is in ``static/``, built from ``ui/``; the description's own files come from the package
`fastapi-swagger`. Nothing is loaded from elsewhere. Files under ``/assets/`` have a hash of their content in
their names and may be kept for a year.
"""

from __future__ import annotations

import os
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from forsyth.limits import MAX_WRAPPED
from forsyth.server.problems import Problem
from forsyth.server.routing import BASE, Chosen

STATIC: Final = Path(__file__).parents[1] / "static"
ADDRESSES: Final = ("/", "/play", "/edit", "/library", "/many", "/compare")
SHARED: Final = "/p/{text:path}"
PREVIEW_SIZE: Final = 640
"""Width in pixels of the picture that a message shows beside a link."""
MOST_TITLE: Final = 120
"""Characters of the title beside it."""

TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""Said here, because what the machine's own table says differs from one to the next."""

_YEAR: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
_DAY: Final = {"Cache-Control": "public, max-age=86400"}
_FRESH: Final = {"Cache-Control": "no-cache"}

ABSENT: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Forsyth</title></head>
<body><h1>Forsyth</h1><p>The web page is not built into this installation. The service answers under
<code>/api/v1</code>; its description is at <a href="/docs">/docs</a>.</p></body></html>
"""

DOCS: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Forsyth: the HTTP API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/docs/favicon-32x32.png"><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="api"></div><script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script></body></html>
"""
START: Final = """SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#api", deepLinking: true, validatorUrl: null,
});
"""
NO_DOCS: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Forsyth: the HTTP API</title></head>
<body><h1>Forsyth: the HTTP API</h1><p>The interactive description needs the extra <code>server</code>. The
description itself is at <a href="/openapi.json">/openapi.json</a>.</p></body></html>
"""

routes = APIRouter(include_in_schema=False)


class Assets(StaticFiles):
    """Files with a hash in their names, to be kept for a year."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The file with its type and how long it may be kept."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers.update(_YEAR)
        kind = TYPES.get(Path(full_path).suffix)
        if kind is not None and "content-type" in response.headers:
            response.headers["content-type"] = kind
        return response


def assets() -> Assets:
    """What is mounted at ``/assets``; the bundle may be built while the service runs."""
    return Assets(directory=STATIC / "assets", check_dir=False)


async def show_page() -> Response:
    """The page, or a few words where it is not built."""
    index = STATIC / "index.html"
    if not index.is_file():
        return HTMLResponse(ABSENT, headers=_FRESH)
    return FileResponse(index, media_type=TYPES[".html"], headers=_FRESH)


async def show_shared(request: Request, text: str, choice: Chosen) -> Response:
    """The page of a link, with the address of a picture for who shows links with pictures.

    Nothing is read or drawn here: that is done when the picture is asked for, within the bounds of that call.
    """
    index = STATIC / "index.html"
    if not index.is_file() or len(text) > MAX_WRAPPED:
        return await show_page()
    told = {name: value for name, value in choice._asdict().items() if value}
    picture = {"text": text, **told, "theme": "light", "size": PREVIEW_SIZE}
    address = f"{request.base_url}{BASE[1:]}/draw.png?{urlencode(picture)}"
    tags = {
        "og:type": "website",
        "og:site_name": "Forsyth",
        "og:title": f"A position: {text}"[:MOST_TITLE],
        "og:image": address,
        "og:image:type": "image/png",
        "twitter:card": "summary_large_image",
    }
    head = "".join(f'<meta property="{name}" content="{escape(value)}" />' for name, value in tags.items())
    page = index.read_text(encoding="utf-8").replace("</head>", f"{head}</head>", 1)
    return HTMLResponse(page, headers=_FRESH)


for _address in ADDRESSES:
    routes.add_api_route(_address, show_page, methods=["GET", "HEAD"], response_class=Response)
routes.add_api_route(SHARED, show_shared, methods=["GET", "HEAD"], response_class=Response)


@routes.get("/{name}.{kind}", response_class=Response)
async def show_file(name: str, kind: str) -> Response:
    """A file beside the page, such as its icon."""
    # It is looked for among the names that are there: the system is asked about none that a client made up.
    there = {file.name for file in STATIC.glob("[!.]*.*") if file.is_file()}
    if f".{kind}" not in TYPES or f"{name}.{kind}" not in there:
        raise Problem(404, "NOT_FOUND", "there is nothing at this address")
    return FileResponse(STATIC / f"{name}.{kind}", media_type=TYPES[f".{kind}"], headers=_DAY)


# --- the description ------------------------------------------------------------------------------------

_DOCS_FILES: Final = ("swagger-ui-bundle.js", "swagger-ui.css", "favicon-32x32.png")


def _bundle() -> Path | None:
    """Where the files of the interactive description are; its package is looked at, not run."""
    spec = find_spec("fastapi_swagger")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / "resources"


@routes.get("/docs", response_class=Response)
async def show_docs() -> Response:
    """The interactive description of the API."""
    return HTMLResponse(DOCS if _bundle() else NO_DOCS, headers=_FRESH)


@routes.get("/docs/{name}", response_class=Response)
async def show_docs_file(name: str) -> Response:
    """A file of the interactive description."""
    if name == "start.js":
        return Response(START, 200, _DAY, TYPES[".js"])
    bundle = _bundle()
    if bundle is None or name not in _DOCS_FILES:
        raise Problem(404, "NOT_FOUND", "there is nothing at this address")
    return FileResponse(bundle / name, media_type=TYPES[Path(name).suffix], headers=_DAY)
