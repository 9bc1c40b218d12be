"""Stands in for the `cython` module where Cython is not installed: the hot modules are not compiled."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Final

compiled = False

nogil: Final = nullcontext()
"""``with cython.nogil:`` releases the GIL in a compiled module and does nothing in a plain one."""
