"""Positions by the million: columns of texts in, columns of facts out, as streams of Arrow record batches.

`places` says what files there are, `sources` reads them batch by batch, `sinks` writes batches to a file that
is whole or absent. The room knows no game by name.
"""
