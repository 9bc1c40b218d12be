"""Docstrings, messages and pages use words that a reader outside the project understands.

The linter checks the form of docstrings (rules D of ruff). These tests check what it cannot: words that only
make sense to those who wrote them, and docstrings of functions that begin with a question word or an article.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
PRIVATE_WORDS: Final = {
    r"\bm[ae]n\b": "piece, pieces",
    r"\btold (?:from|apart|by)\b": "detected, distinguished",
    r"\btells? (?:itself|themselves)\b": "is detected",
    r"\bgone on with\b": "resumed",
    r"\bborne out\b": "confirmed, consistent with",
    r"\bdear(?:er|est)?\b": "expensive",
    r"\bfor who(?:ever)? (?:runs|wants|reads|looks)\b": "for users who",
    r"(?<!there )\b(?:is|are) no (?:texts?|positions?|moves?|names?|numbers?)\b": "is not a",
    r"\bmend(?:s|ed|ing)?\b": "fix, repair",
    r"\blet(?:s|ting)? go\b": "release, close",
    r"\bwhat (?:is|was|are) (?:not )?(?:asked|wanted|told|given)\b": "name the thing",
    r"\bwhat became of\b": "outcome, result",
    r"\bin silence\b": "without a report",
    r"\bthe (?:room|rooms) of\b": "the folder, the space",
    r"\bhouse plan\b": "layout",
    r"\bsay(?:s)? of (?:itself|themselves)\b": "describes",
}
"""Words that readers stumbled over, as regular expressions, and what to write instead."""
PRESCRIBED: Final = frozenset({"no men left"})
"""Texts that programs read, such as reasons of outcomes, and that therefore stay as they are."""
QUESTION_WORDS: Final = frozenset(
    ("What", "Which", "Whether", "Why", "How", "Where", "Who", "When", "The", "A", "An")
)
"""First words of sentences that do not say what a function does."""

LEFT_OUT: Final = ("notation",)
"""Folders of parsers that are about to be replaced."""
SOURCES: Final = sorted(
    path
    for folder in ("src/forsyth", "bench", ".ci")
    for path in (ROOT / folder).rglob("*.py")
    if not set(LEFT_OUT) & set(path.relative_to(ROOT).parts) and "node_modules" not in path.parts
)
PAGES: Final = [
    ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "setup.py", "Makefile")
]
NOT_FUNCTIONS: Final = ("property", "cached_property", "setter")


def texts_for_people(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each string with a blank in a Python file: docstrings and messages."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if " " in node.value and node.value not in PRESCRIBED:
            yield node.lineno, node.value


def is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return True if a function is read or set like an attribute."""
    return any(ast.unparse(decorator).endswith(NOT_FUNCTIONS) for decorator in function.decorator_list)


def find_private_words(text: str) -> list[str]:
    """Return each private word in a text, with what to write instead."""
    return [
        f"{match[0]!r} (write: {better})"
        for pattern, better in PRIVATE_WORDS.items()
        if (match := re.search(pattern, text, re.IGNORECASE))
    ]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_docstrings_and_messages_use_no_private_word(path: Path) -> None:
    found = [(line, words) for line, text in texts_for_people(path) if (words := find_private_words(text))]
    assert found == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_use_no_private_word(path: Path) -> None:
    assert find_private_words(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_docstrings_of_functions_begin_with_a_verb(path: Path) -> None:
    functions = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not is_property(node)
    ]
    docstrings = {function.name: ast.get_docstring(function) or "" for function in functions}
    assert [
        f"{name}: {text.splitlines()[0]}"
        for name, text in docstrings.items()
        if text and text.split()[0] in QUESTION_WORDS
    ] == []


def test_the_search_finds_a_private_word() -> None:
    assert find_private_words("The men of a side") == ["'men' (write: piece, pieces)"]
    assert find_private_words("The pieces of a side; a manual; many moves") == []
