"""Stands in for the `cython` module where Cython is not installed: the hot modules are not compiled."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Final

compiled = False
nogil: Final = nullcontext()
"""Where the compiled modules give up the interpreter's lock; plain Python keeps it."""
