"""Reading files of records as bytes: the interface of the kernels, and functions that they share.

`columns` defines the interface, `words` finds lines, tags, comments and borders, `texts` gathers texts,
`comment_commands` reads clocks, evaluations and drawings, and `epd_lines` converts EPD to FEN. This package
is below the games; `forsyth.record`, which has records as values, is above them.
"""
