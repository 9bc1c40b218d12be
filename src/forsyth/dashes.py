"""Dashes that look like a hyphen: what a word processor or a web page makes of one."""

from __future__ import annotations

from typing import Final

DASHES: Final = dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0xFE58, 0xFE63, 0xFF0D), "-")
"""Hyphens, figure dash, en and em dash, bar, minus, small and full-width hyphen, for `str.translate`."""
