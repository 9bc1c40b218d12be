"""Records of whole games as tables: a row for each game, or for each position of their main lines.

`table` says what is asked for and which columns come out; `from_readings` makes rows of what the record
reader says, for any game; `from_kernel` makes them of the columns of a record kernel; `make` joins both for a
block of text; `stream` gives the rows of files as they are read.
"""
