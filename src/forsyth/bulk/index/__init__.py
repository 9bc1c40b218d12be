"""An index of games: from the key of a position to the moves that were played there, built from records.

`plies` reads records into rows, `files` defines the files of an index and of its temporary runs, `tallies`
groups and counts rows, `build` builds an index from records or merges indexes (`tasks` has the tasks, which
any engine can run), and `book` looks up positions. The package works for every game.
"""
