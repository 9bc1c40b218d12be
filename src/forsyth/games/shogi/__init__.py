"""Shogi: SFEN, USI and Western notation, drops, promotion, repetition."""

from __future__ import annotations

from forsyth.games.shogi.game import GAME

__all__ = ["GAME"]
