"""The games, one folder each: the same file names hold the same rooms in all of them."""
