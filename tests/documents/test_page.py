"""The page docs/documents.md shows the cases of the documents' tests, and nothing else."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest
from tests.documents.cases import table

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "documents.md"
MODULES = {path.stem.split("_")[1]: path.stem for path in sorted(HERE.glob("test_[0-9]*.py"))}


def sections() -> dict[str, str]:
    """What stands below each heading, by the number that the heading begins with."""
    parts = re.split(r"^## ([0-9]+) .+$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_document_has_its_section() -> None:
    assert list(sections()) == list(MODULES)


@pytest.mark.parametrize("number", MODULES)
def test_the_section_shows_the_cases(number: str) -> None:
    cases = import_module(f"tests.documents.{MODULES[number]}").CASES
    shown = [line for line in sections()[number].splitlines() if line.startswith("|")]
    assert "\n".join(shown) == table(cases)
    assert len({case.name for case in cases}) == len(cases)
