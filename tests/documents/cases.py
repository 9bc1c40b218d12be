"""The cases of the source documents: what a document shows, what Forsyth calls it, what differs and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Case(NamedTuple):
    """One snippet, table row, message or workflow of a document."""

    name: str
    ours: str
    differs: str = ""


def table(cases: Iterable[Case]) -> str:
    """The cases as a table of docs/documents.md."""
    rows = ["| the document | Forsyth | what differs |", "|---|---|---|"]
    rows += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in case)} |" for case in cases]
    return "\n".join(row.replace("|  |", "| |") for row in rows)
