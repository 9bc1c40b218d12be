"""Dashes that look like a hyphen. Word processors and web pages often replace hyphens by them."""

from __future__ import annotations

from typing import Final

DASHES: Final = dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0xFE58, 0xFE63, 0xFF0D), "-")
"""A table for `str.translate` that replaces every Unicode dash and minus sign by a hyphen.

It covers hyphens, figure dash, en dash, em dash, horizontal bar, minus, small and full-width hyphen.
"""
