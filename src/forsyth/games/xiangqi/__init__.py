"""Xiangqi (Chinese chess): a sheet of data and a few rules on the kit. `GAME` is the game."""

from forsyth.games.xiangqi.game import GAME

__all__ = ["GAME"]
