"""Shogi, built with the kit: SFEN, USI and Western notation, drops and promotion. `GAME` is the game."""

from __future__ import annotations

from forsyth.games.shogi.game import GAME

__all__ = ["GAME"]
