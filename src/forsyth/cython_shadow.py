"""Stands in for the `cython` module where Cython is not installed: the hot modules are not compiled."""

from __future__ import annotations

from contextlib import nullcontext

compiled = False
nogil = nullcontext()
