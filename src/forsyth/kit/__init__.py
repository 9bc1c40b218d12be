"""A kit for games on a grid: a complete game from its data, such as its board, pieces and movement.

A game is defined by its data (`sheet`) and a few functions (`rules`). `game` builds everything else from
them. `notation` reads and writes the texts of positions. `numbers` contains packed bytes, features, planes
and columns. `movement`, `tables`, `board` and `search` generate the legal moves.
"""
