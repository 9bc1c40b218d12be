"""Every call in the HTTP reference is there, and its examples are answered as shown.

An ```http block is a request: its line, then its body. The ```json block behind it shows a part of the
answer; a text that ends in ``…`` shows how it begins.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient
from tests.test_readme import ROOT, blocks

from forsyth.bulk import build_index
from forsyth.server import Settings, create_app
from forsyth.server.problems import TITLES
from forsyth.store import MemoryStore

RECORDS = '[White "Anna"]\n[Black "Bela"]\n[WhiteElo "2400"]\n\n1. e4 e5 1-0\n\n1. e4 c5 0-1\n'
"""What the index of the service holds."""
PAGE = ROOT / "docs" / "reference" / "http.md"


def shown(part: Any, whole: Any) -> bool:
    """Whether an answer holds what is shown of it."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            name in whole and shown(value, whole[name]) for name, value in part.items()
        )
    if isinstance(part, str) and part.endswith("…"):
        return isinstance(whole, str) and whole.startswith(part[:-1])
    return bool(part == whole)


def test_examples_are_answered_as_shown(tmp_path: Path) -> None:
    examples = blocks(PAGE, "http")
    assert len(examples) >= 12
    (tmp_path / "games.pgn").write_text(RECORDS)
    build_index(tmp_path / "games.pgn", tmp_path / "book", game="chess")
    settings = Settings(index=str(tmp_path / "book"))
    with TestClient(create_app(settings, MemoryStore()), "http://localhost") as client:
        for example in examples:
            line, _, body = example.source.partition("\n")
            method, _, path = line.partition(" ")
            given = json.loads(body) if body.strip() else None
            answer = client.request(method, path, json=given).json()
            assert example.answer is not None, str(example)
            assert shown(json.loads(example.answer), answer), f"{example}: {answer}"


def test_every_call_is_in_the_reference() -> None:
    text = PAGE.read_text(encoding="utf-8").replace("\n", " ")
    for path, calls in create_app(Settings(), MemoryStore()).openapi()["paths"].items():
        for method in calls:
            assert f"{method.upper()} {path.replace('{name:path}', '{name}')}" in text, (method, path)


def test_every_code_of_a_request_is_in_the_reference() -> None:
    named = set(re.findall(r"`([A-Z_]+)`", PAGE.read_text(encoding="utf-8")))
    assert set(TITLES) - {"BAD_REQUEST", "INTERNAL"} <= named
