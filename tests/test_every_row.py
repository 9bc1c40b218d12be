"""A test of all rows fails with each row that fails, and without rows."""

from __future__ import annotations

import pytest
from tests.every_row import every_row


def test_every_row_that_fails_is_named() -> None:
    seen = []

    @every_row([{"id": "a"}, {"id": "b"}, {"id": "c"}])
    def check(row: dict[str, str]) -> None:
        seen.append(row["id"])
        assert row["id"] == "b"

    with pytest.raises(ExceptionGroup, match="2 of 3 rows fail") as failed:
        check()
    assert seen == ["a", "b", "c"]
    assert [error.__notes__ for error in failed.value.exceptions] == [["in row a"], ["in row c"]]


def test_without_rows_nothing_is_held() -> None:
    check = every_row([])(lambda row: None)
    with pytest.raises(AssertionError):
        check()
