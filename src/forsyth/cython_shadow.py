"""Replacement of the `cython` module if Cython is not installed, for modules that are not compiled."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Final

compiled = False
"""Whether the importing module is compiled; Cython sets it to True in compiled modules."""

nogil: Final = nullcontext()
"""Context manager that does nothing. In a compiled module, ``with cython.nogil:`` releases the GIL."""
