"""The corpus of the fuzzers as unit tests: every named file goes through its target, without atheris."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest
from tests.every_row import every_row
from tests.fuzz.harness import CORPUS, READERS, Target
from tests.golden_data import rows

_NAME = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")


def target(reader: str) -> Target:
    found: Target = import_module(f"tests.fuzz.fuzz_{reader}").check
    return found


@every_row([path for reader in READERS for path in sorted((CORPUS / reader).iterdir())], str)
def test_named_input(path: Path) -> None:
    target(path.parent.name)(path.read_bytes())


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_has_a_target_and_a_corpus_of_named_defects(reader: str) -> None:
    names = [path.name for path in (CORPUS / reader).iterdir()]
    assert len(names) >= 10
    assert [name for name in names if not _NAME.fullmatch(name)] == []


def test_every_folder_and_every_target_belongs_to_a_reader() -> None:
    assert sorted(path.name for path in CORPUS.iterdir()) == sorted(READERS)
    scripts = [path.stem.removeprefix("fuzz_") for path in Path(CORPUS.parent).glob("fuzz_*.py")]
    assert sorted(scripts) == sorted(READERS)


def test_the_targets_do_without_atheris() -> None:
    for reader in READERS:
        target(reader)(b"")
    assert "atheris" not in sys.modules


@pytest.mark.parametrize("reader", ["fen", "epd", "unwrap"])
def test_golden_broken_texts_go_through_the_targets_too(reader: str) -> None:
    check = target(reader)
    for row in rows("invalid_fens")[::20]:
        check(row["fen"].encode("utf-8", "surrogatepass"))


def test_a_target_notices_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("tests.fuzz.fuzz_fen")
    monkeypatch.setattr(module, "MODES", ("strict",))
    monkeypatch.setattr(module, "require_agreement", lambda text: module.require(len(text) > 3, text))
    module.check(b"abcd")
    with pytest.raises(AssertionError):
        module.check(b"abc")
