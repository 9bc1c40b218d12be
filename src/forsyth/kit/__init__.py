"""What games are made of: the data of a grid game, and everything that follows from it.

A game is a `sheet` and a few `rules`; `game` makes all the rest of them. `notation` holds the texts of
positions, `numbers` packed bytes, features, planes and columns, as in the folders of the games; `movement`,
`tables`, `board` and `search` are the one search for moves.
"""
