"""The kernels say of texts what they said before: tests/golden/columns/README.md."""

from __future__ import annotations

import pytest
from tests import column_answers


@pytest.mark.parametrize("name", column_answers.GAMES)
def test_kernels_answer_as_before(name: str) -> None:
    kept = (column_answers.FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    assert column_answers.answers(name) == kept
