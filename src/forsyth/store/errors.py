"""What a store cannot do."""

from __future__ import annotations


class StoreError(Exception):
    """A store that cannot be opened or used, or that does not hold what it should."""
