"""The error that stores raise."""

from __future__ import annotations


class StoreError(Exception):
    """An error of a store: it cannot be opened or used, or its content is damaged."""
