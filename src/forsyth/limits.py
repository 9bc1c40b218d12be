"""Hard bounds on input, each with its reason.

Input is hostile until it is read. Every loop over a text is bounded by one of these numbers, so that
no text costs more than a fixed amount of time or memory.
"""

from __future__ import annotations

from typing import Final

MAX_PLAIN: Final = 1024
"""Longest plain text of any game, in characters (spec/azul 8.1); a game may set a lower bound."""

MAX_WRAPPED: Final = 4096
"""Longest wrapped text (base64, fenz, URL). Base64 of MAX_PLAIN bytes is 1,368 characters; percent
encoding of MAX_PLAIN characters is 3,072."""

MAX_INFLATED: Final = 1024
"""Most bytes a `fenz_` text may inflate to (spec/azul 6.4): a few bytes of DEFLATE can claim gigabytes."""

MAX_DIAGNOSTICS: Final = 64
"""Most findings reported about one text. A person reads a handful; a hostile text could cause hundreds."""

MAX_MOVES: Final = 20_000
"""Most half-moves in one match or one UCI line: far above any real game, low enough to replay at once."""

MAX_MOVE_TEXT: Final = 64
"""Longest move text, in characters; the longest real one is about a third of it."""

MAX_RECORD: Final = 1_048_576
"""Longest record of one game, in characters: MAX_MOVES moves with a clock comment after each fit in it."""

MAX_VARIATION_DEPTH: Final = 64
"""Deepest variation inside a variation of a record: annotators stay below ten; walking a tree is bounded."""

MAX_COMMIT_SEARCH: Final = 50_000
"""Most moves and deploy steps tried to find one that lets a turn of CoTuLenh end: some ten milliseconds. A
mate amid stacks takes hundreds, the dearest found ten thousand; a board made for the purpose would take
hours."""

MAX_MARK_SEARCH: Final = 250_000
"""The same for all marks of one list of moves together: where every other move mates amid stacks, more than a
hundred thousand."""

MAX_PERFT_DEPTH: Final = 12
"""Deepest perft accepted from a command line or a network: the count grows about thirtyfold per ply."""

MAX_COUNTED_DEPTH: Final = 64
"""Deepest perft of all: no count so deep ends, and each ply takes its place on the stack of the process."""

BREATH: Final = 3
"""The depth from which a perft that needs the GIL lets go of it between moves: some ten milliseconds."""

MAX_GAME_NAME: Final = 64
"""Longest name of a game that a store keeps: names are one word, and a database bounds what it can index."""

MAX_NAME: Final = 200
"""Longest name of a saved position, in characters: a title on one or two lines of a page."""

MAX_NOTE: Final = 4000
"""Longest note on a saved position: two pages of text. Longer comments belong into a record."""

MAX_TAG: Final = 50
"""Longest tag of a saved position: a few words, so that many fit beside a board."""

MAX_TAGS: Final = 32
"""Most tags on one saved position: people use a handful, and every search looks through all of them."""

MAX_QUERY: Final = 200
"""Longest query in the saved positions: as long as the longest name. Each row is searched for it."""

MAX_PAGE: Final = 200
"""Most saved positions on one page. At the bounds above a page is about a megabyte."""

MAX_BULK_LINE: Final = 1_048_576
"""Longest line of a file of texts, in bytes: no text of a position has a thousandth of it. A file without
line ends is known before it fills the memory."""

MAX_BULK_PAGE: Final = 64 << 20
"""Largest page of a column, in bytes when it is decompressed: writers make pages of about a megabyte, and a
few bytes of a compressed page can claim gigabytes."""

MAX_BULK_BATCH: Final = 64 << 20
"""About how many bytes the repeated values of a batch may come to: a dictionary can repeat one value in every
row. A batch has as many rows as fit."""

MAX_BULK_MESSAGE: Final = 256 << 20
"""Most bytes that a compressed batch of Arrow IPC may claim without having bytes to show for it: a batch of
real rows has a tenth of them."""

MAX_WHERE: Final = 2000
"""Longest condition on the columns of a job, in characters: a page of them, each asked of every row."""

MAX_WHERE_DEPTH: Final = 32
"""Deepest parentheses of a condition: people write two or three, and each takes a level of the stack."""

MAX_LINT_FILE: Final = 16 << 20
"""Largest file that is linted, in bytes: source files and documents are far smaller, and a linter holds a
file whole. Files of positions by the million are for `forsyth scan`."""

MAX_LINT_FINDINGS: Final = 1000
"""Most findings reported of one file: nobody reads more, and a hostile file could cause millions."""
