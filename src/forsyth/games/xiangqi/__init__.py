"""Xiangqi (Chinese chess), built with the kit from a sheet of data and a few rules. `GAME` is the game."""

from forsyth.games.xiangqi.game import GAME

__all__ = ["GAME"]
