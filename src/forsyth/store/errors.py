"""The error that stores raise."""

from __future__ import annotations

from forsyth.arguments import escape_controls


class StoreError(Exception):
    """An error of a store: it cannot be opened or used, or its content is damaged.

    Control characters in the message, such as those in a path, are escaped.
    """

    def __init__(self, message: str) -> None:
        super().__init__(escape_controls(message))
