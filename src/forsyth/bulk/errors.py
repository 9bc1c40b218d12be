"""What ends a bulk job: one sentence for a person."""

from __future__ import annotations


class BulkError(Exception):
    """Data, a file or what was asked for is wrong; the text says what, where, and a remedy."""
