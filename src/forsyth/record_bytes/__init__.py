"""Files of games as bytes, below the games: what their kernels read, and what comes of it.

`columns` says what a game offers for whole files of records, `words` finds lines, tags, comments and borders,
`texts` gathers texts from places, `comment_commands` reads clocks, evaluations and drawings, and `epd_lines`
makes the text of a position of a line. Records as values are in `forsyth.record`, above the games.
"""
