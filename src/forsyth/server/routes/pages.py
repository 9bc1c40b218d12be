"""Routes of the web page: `index.html` at all its addresses, its assets, and the interactive API description.

The page is in ``static/``, built from ``ui/``. The files of the interactive description come from the package
`fastapi-swagger`. Nothing is loaded from other servers. The name of a file under ``/assets/`` contains a hash
of its content, so clients may cache it for a year.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from forsyth.arguments import quoted
from forsyth.limits import MAX_WRAPPED
from forsyth.server.json_responses import JSON_TYPE
from forsyth.server.openapi import Description
from forsyth.server.prepared_content import FileCache, make_content_response
from forsyth.server.problems import Problem
from forsyth.server.routing import BASE, GameQuery

STATIC: Final = Path(__file__).parents[1] / "static"
PAGE_PATHS: Final = ("/", "/play", "/edit", "/library", "/many", "/compare")
SHARED_PATH: Final = "/p/{text:path}"
"""Path of a link to a position, which contains its text."""

PREVIEW_SIZE: Final = 640
"""Width in pixels of the preview picture that messengers show for a link."""

MAX_TITLE_LENGTH: Final = 120
"""Maximum length of the preview title in characters."""

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
"""Content types by file extension. They are fixed here because the tables of operating systems differ."""

_CACHE_YEAR: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
_CACHE_DAY: Final = {"Cache-Control": "public, max-age=86400"}
_NO_CACHE: Final = {"Cache-Control": "no-cache"}

PAGE_MISSING: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Forsyth</title></head>
<body><h1>Forsyth</h1><p>This installation does not contain the web page. The HTTP API is at
<code>/api/v1</code>; its description is at <a href="/docs">/docs</a>.</p></body></html>
"""

DOCS_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Forsyth: the HTTP API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/docs/favicon-32x32.png"><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="api"></div><script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script></body></html>
"""
DOCS_SCRIPT: Final = """SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#api", deepLinking: true, validatorUrl: null,
});
"""
DOCS_MISSING: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Forsyth: the HTTP API</title></head> <body><h1>Forsyth: the
HTTP API</h1><p>The interactive description is not installed; it is part of the extra <code>server</code>. The
plain OpenAPI description is at <a href="/openapi.json">/openapi.json</a>.</p></body></html>
"""

routes = APIRouter(include_in_schema=False)


_FILES: Final = FileCache()
"""Contents of the files that were requested."""


def _make_file_response(request: Request, path: Path, headers: Mapping[str, str]) -> Response:
    """Return the response with a file, such as ``index.html``.

    Args:
        request: The request, whose headers decide whether the file is compressed, or need not be sent at all.
        path: Path of the file. Its extension must be in `TYPES`.
        headers: Further headers of the response.
    """
    content_type = TYPES[path.suffix]
    return make_content_response(request, _FILES.read_file(path), content_type, headers)


def _find_file(folder: Path, name: str) -> Path | None:
    """Return the path of the file `name` in a folder, or None if the folder has no such file.

    Hidden files, and files whose extension is not in `TYPES`, are never found.
    """
    # Compare with the names in the folder, so that a name from a client never reaches the file system.
    visible_paths = folder.glob("[!.]*.*")
    for path in visible_paths:
        if path.name == name and path.suffix in TYPES and path.is_file():
            return path
    return None


def show_page(request: Request) -> Response:
    """Return the web page, or a short note if this installation does not contain it."""
    index_file = STATIC / "index.html"
    if not index_file.is_file():
        return HTMLResponse(PAGE_MISSING, headers=_NO_CACHE)
    return _make_file_response(request, index_file, _NO_CACHE)


def show_shared_position(request: Request, text: str, choice: GameQuery) -> Response:
    """Return the page of a shared link, with the address of a preview picture in its metadata.

    `text` is the position text in the link. It is not read here, but when the picture is requested.
    """
    index_file = STATIC / "index.html"
    if not index_file.is_file() or len(text) > MAX_WRAPPED:
        return show_page(request)
    game_query = {name: value for name, value in choice._asdict().items() if value}
    picture_query = {"text": text, **game_query, "theme": "light", "size": PREVIEW_SIZE}
    # The base address of the service ends with a slash.
    api_url = f"{request.base_url}{BASE.removeprefix('/')}"
    picture_url = f"{api_url}/draw.png?{urlencode(picture_query)}"
    meta_tags = _render_preview_tags(text, picture_url)
    page = index_file.read_text(encoding="utf-8").replace("</head>", f"{meta_tags}</head>", 1)
    return HTMLResponse(page, headers=_NO_CACHE)


def _render_preview_tags(text: str, picture_url: str) -> str:
    """Return the HTML tags from which messengers make the preview of a link.

    The preview has a title, which contains the position text `text`, and the picture at `picture_url`.
    """
    properties = {
        "og:type": "website",
        "og:site_name": "Forsyth",
        "og:title": f"A position: {text}"[:MAX_TITLE_LENGTH],
        "og:image": picture_url,
        "og:image:type": "image/png",
        "twitter:card": "summary_large_image",
    }
    tags = [f'<meta property="{name}" content="{escape(value)}" />' for name, value in properties.items()]
    return "".join(tags)


for _path in PAGE_PATHS:
    routes.add_api_route(_path, show_page, methods=["GET", "HEAD"], response_class=Response)
routes.add_api_route(SHARED_PATH, show_shared_position, methods=["GET", "HEAD"], response_class=Response)


def show_asset(request: Request, name: str) -> Response:
    """Return a script or a style of the web page, such as ``index-BbwnGxIo.js``.

    The name contains a hash of the content, so clients may cache the file for a year. Raise a 404 `Problem`
    if there is no such file.
    """
    path = _find_file(STATIC / "assets", name)
    if path is None:
        raise Problem(404, "NOT_FOUND", f"there is no file {quoted(name)} at this address")
    return _make_file_response(request, path, _CACHE_YEAR)


def show_root_file(request: Request, name: str, kind: str) -> Response:
    """Return a file at the root of the web page, such as ``favicon.svg``.

    `name` is the name before the dot, and `kind` the extension. Raise a 404 `Problem` if the page has no such
    file.
    """
    file_name = f"{name}.{kind}"
    path = _find_file(STATIC, file_name)
    if path is None:
        raise Problem(404, "NOT_FOUND", f"there is no file {quoted(file_name)} at this address")
    return _make_file_response(request, path, _CACHE_DAY)


routes.add_api_route("/assets/{name}", show_asset, methods=["GET", "HEAD"], response_class=Response)


# --- the interactive description ------------------------------------------------------------------------

_SWAGGER_FILES: Final = ("swagger-ui-bundle.js", "swagger-ui.css", "favicon-32x32.png")


def _find_swagger_folder() -> Path | None:
    """Return the folder with the files of Swagger UI, or None if its package is not installed.

    Swagger UI is the page that shows the API description. Its package is found without being imported.
    """
    package = find_spec("fastapi_swagger")
    if package is None or package.origin is None:
        return None
    return Path(package.origin).parent / "resources"


@routes.get("/docs", response_class=Response)
async def show_docs() -> Response:
    """Return the page with the interactive description of the API, or a note if it is not installed."""
    is_installed = _find_swagger_folder() is not None
    return HTMLResponse(DOCS_PAGE if is_installed else DOCS_MISSING, headers=_NO_CACHE)


@routes.get("/docs/{name}", response_class=Response)
def show_docs_file(request: Request, name: str) -> Response:
    """Return a file that the interactive API description loads, such as ``swagger-ui.css``.

    Raise a 404 `Problem` for any other file, or if the description is not installed.
    """
    if name == "start.js":
        return Response(DOCS_SCRIPT, 200, _CACHE_DAY, TYPES[".js"])
    folder = _find_swagger_folder()
    if folder is None or name not in _SWAGGER_FILES:
        raise Problem(404, "NOT_FOUND", f"the API description has no file {quoted(name)}")
    return _make_file_response(request, folder / name, _CACHE_DAY)


@routes.get("/openapi.json", response_class=Response)
async def show_openapi(request: Request) -> Response:
    """Return the OpenAPI description of the service as JSON."""
    description: Description = request.app.state.description
    return make_content_response(request, await description.load_content(), JSON_TYPE, _NO_CACHE)


# Last, because it matches every file name.
routes.add_api_route("/{name}.{kind}", show_root_file, methods=["GET", "HEAD"], response_class=Response)
