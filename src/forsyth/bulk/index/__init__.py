"""What was played here: an index from the key of a position to the moves played there, built from records.

`plies` reads records into rows, `runs` spills them to the disk, `tallies` groups and counts them, `parts` are
the Parquet files of an index, `build` and `merge` make one, `book` looks things up in it. No game is known by
name.
"""
