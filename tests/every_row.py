"""One test for all rows of a golden file.

A test for each row costs more in pytest than the row itself. Here every row is still checked, and a failure
names every row that failed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def every_row(
    rows: Sequence[Any], name: Callable[[Any], object] = lambda row: row["id"]
) -> Callable[[Callable[[Any], None]], Callable[[], None]]:
    """Make a check of one row a test of all of them."""

    def decorate(check: Callable[[Any], None]) -> Callable[[], None]:
        def test() -> None:
            assert rows
            failures = []
            for row in rows:
                try:
                    check(row)
                except Exception as error:
                    error.add_note(f"in row {name(row)}")
                    failures.append(error)
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(rows)} rows fail", failures)

        test.__name__, test.__module__, test.__doc__ = check.__name__, check.__module__, check.__doc__
        return test

    return decorate
