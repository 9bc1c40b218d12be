"""What was played here: an index from the key of a position to the moves played there, built from records.

`plies` reads records into rows, `files` are where they and the index lie, `tallies` groups and counts them,
`build` makes an index of records or of others, in `tasks` for any engine, `book` looks things up in it. No
game is known by name.
"""
