"""The page in the package is the one that its sources make, and is small; the React package is light."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import tomllib
from pathlib import Path

from tests.openapi import shapes

from forsyth.registry import games

ROOT = Path(__file__).parents[1]
UI = ROOT / "ui"
STATIC = ROOT / "src" / "forsyth" / "server" / "static"
SINGLE = ("index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts")
FOLDERS = ("src", "public", "scripts")
PACKAGE = UI / "package" / "package.json"
EXAMPLE = ROOT / "examples" / "components"
SHEET = UI / "src" / "styles" / "components.css"
MOST = 200_000


def source_hash() -> str:
    """As `ui/scripts/hash-sources.mjs` computes it."""
    found = [path for folder in FOLDERS for path in (UI / folder).rglob("*") if path.is_file()]
    names = sorted([*SINGLE, *(path.relative_to(UI).as_posix() for path in found)])
    digest = hashlib.sha256()
    for name in names:
        content = (UI / name).read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def test_the_bundle_was_made_from_these_sources() -> None:
    built = (STATIC / "sources.sha256").read_text(encoding="ascii").strip()
    assert built == source_hash(), "run `npm run build` in ui/ and commit what it writes"


def test_the_types_of_the_page_are_made_from_the_description_of_the_service() -> None:
    """`.ci/bundle` compares the types with this file."""
    again = "run `python -m tests.openapi` and `npm run types` in ui/ and commit what they write"
    assert (UI / "openapi.json").read_text(encoding="utf-8") == shapes(), again


def test_the_page_names_exactly_the_assets_that_are_there() -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    named = set(re.findall(r'(?:src|href)="/assets/([^"]+)"', page))
    assert named == {path.name for path in (STATIC / "assets").iterdir()}


def test_the_bundle_is_small() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    size = sum(len(gzip.compress(path.read_bytes(), mtime=0)) for path in files)
    print(f"the bundle has {size} bytes when compressed")
    assert size <= MOST


def test_the_page_knows_no_game() -> None:
    """Games come from the service; a further one is played, edited and drawn without a change here.

    Two components in `lib` follow the specification of one game, and say so.
    """
    known = re.compile("|".join(games()), re.IGNORECASE)
    elsewhere = ("generated.ts", "FENInput.tsx", "FENManager.tsx")
    sources = [path for path in (UI / "src").rglob("*.ts*") if path.name not in elsewhere]
    named = [path.name for path in sources if known.search(path.read_text(encoding="utf-8"))]
    assert len(sources) > 30
    assert named == []


def test_the_bundle_asks_nobody_else() -> None:
    """Addresses in it are names of languages, or are shown and not fetched."""
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r'(?:src|href)="(?!/)', page)
    styles = "".join(path.read_text(encoding="utf-8") for path in STATIC.rglob("*.css"))
    assert "@import" not in styles
    assert not re.search(r"url\((?!['\"]?(?:data:|/|#))", styles)


def test_the_package_of_components_has_the_version_of_forsyth_and_the_example_uses_it() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    package = json.loads(PACKAGE.read_text(encoding="utf-8"))
    assert package["version"] == version
    tarball = json.loads((EXAMPLE / "package.json").read_text())["dependencies"][package["name"]]
    assert tarball == f"file:../../ui/package/{package['name']}-{version}.tgz"


def test_the_package_of_components_brings_nothing_along() -> None:
    package = json.loads(PACKAGE.read_text(encoding="utf-8"))
    assert "dependencies" not in package
    assert package["peerDependencies"] == {"react": "^18.0.0 || ^19.0.0"}


def test_the_sheet_of_the_package_touches_nothing_but_the_components() -> None:
    """A page that loads it looks as before: each selector begins with a class of the components' own."""
    sheets = [
        SHEET.parent / name for name in re.findall(r'@import "(.+)";', SHEET.read_text(encoding="utf-8"))
    ]
    rules = "".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
    lists = re.findall(r"([^{}]+)\{", re.sub(r"/\*.*?\*/", "", rules, flags=re.DOTALL))
    selectors = [one.strip() for listed in lists for one in listed.split(",\n") if "@media" not in one]
    assert len(sheets) == 4
    assert [one for one in selectors if not re.match(r"\.(forsyth|fen|sign)\b", one)] == []
