"""The page about the React components names all that the package exports, and every prop."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "ui" / "src" / "lib"
PAGE = (ROOT / "docs" / "components.md").read_text(encoding="utf-8")
SHARED = [
    ("service.ts", "About", "Which game"),
    ("ForsythProvider.tsx", "Surroundings", "Where the service is"),
    ("../api/transport.ts", "Connection", "Where the service is"),
]
"""What every component takes: where that stands, and where it is explained."""


def members(source: str, name: str) -> set[str]:
    """The members of an interface, its own alone."""
    found = re.search(rf"interface {name}\b[^{{]*\{{\n(.*?)^\}}", source, re.MULTILINE | re.DOTALL)
    assert found is not None
    return set(re.findall(r"^  (\w+)\??[:(]", found[1], re.MULTILINE))


def section(title: str) -> str:
    return re.split(r"^## ", PAGE.partition(f"\n## {title}\n")[2], flags=re.MULTILINE)[0]


@pytest.mark.parametrize("component", ["FENDisplay", "FENInput", "FENManager", "Board"])
def test_every_prop_is_explained_with_its_component(component: str) -> None:
    props = members((SOURCES / f"{component}.tsx").read_text(encoding="utf-8"), f"{component}Props")
    assert props
    assert {prop for prop in props if f"`{prop}`" not in section(component)} == set()


@pytest.mark.parametrize(("file", "name", "title"), SHARED)
def test_the_props_of_all_components_are_explained(file: str, name: str, title: str) -> None:
    props = members((SOURCES / file).read_text(encoding="utf-8"), name)
    assert props
    assert {prop for prop in props if f"| `{prop}` |" not in section(title)} == set()


def test_every_call_of_the_service_is_explained() -> None:
    calls = members((SOURCES / "service.ts").read_text(encoding="utf-8"), "Service")
    assert calls == set(re.findall(r"^\| `(\w+)\(", section("The page's own calls"), re.MULTILINE))


def test_every_export_that_is_not_a_type_is_named() -> None:
    index = (SOURCES / "index.ts").read_text(encoding="utf-8")
    lists = re.findall(r"^export \{ (.*?) \}", index, re.MULTILINE)
    values = {name for listed in lists for name in listed.split(", ") if not name.startswith("type ")}
    assert "Board" in values
    assert {name for name in values if not re.search(rf"`{name}\b", PAGE)} == set()
