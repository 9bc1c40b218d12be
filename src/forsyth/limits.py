"""Upper bounds on input, each with its reason.

Input may be hostile. Each loop over a text is bounded by one of these numbers, so that no text costs more
than a fixed amount of time or memory.
"""

from __future__ import annotations

from typing import Final

MAX_PLAIN: Final = 1024
"""Maximum length of a plain text in characters (spec/azul 8.1). A game may set a lower bound."""

MAX_WRAPPED: Final = 4096
"""Maximum length of a wrapped text (base64, fenz, URL) in characters.

Base64 of MAX_PLAIN bytes has 1,368 characters. Percent encoding of MAX_PLAIN ASCII characters has at most
3,072.
"""

MAX_INFLATED: Final = 1024
"""Maximum size of an inflated `fenz_` text in bytes (spec/azul 6.4). A few bytes can inflate to gigabytes."""

MAX_DIAGNOSTICS: Final = 64
"""Maximum number of findings about one text. People read a few; a hostile text can cause hundreds."""

MAX_MOVES: Final = 20_000
"""Maximum number of half-moves in a match or a UCI line: more than any real game, but quick to replay."""

MAX_MOVE_TEXT: Final = 64
"""Maximum length of a move text in characters. The longest valid one is about a third as long."""

MAX_RECORD: Final = 1_048_576
"""Maximum length of the record of one game in characters: MAX_MOVES moves with clock comments fit in it."""

MAX_COMMENT_LOOKAHEAD: Final = 1 << 16
"""Maximum number of bytes in which the end of a comment is searched that contains a blank line and a tag.

There the next record begins if the comment is not closed. Annotators write a few thousand characters.
"""

MAX_VARIATION_DEPTH: Final = 64
"""Maximum nesting of variations in a record. Annotators stay below ten; the bound limits recursion."""

MAX_COMMIT_SEARCH: Final = 50_000
"""Maximum number of moves tried to find a legal end of a CoTuLenh turn, which takes some ten milliseconds.

A mate among stacks takes hundreds of tries, the most expensive known position ten thousand. A position built
for the purpose would take hours.
"""

MAX_MARK_SEARCH: Final = 250_000
"""Maximum number of moves tried to write the check and mate marks of all moves of one position.

A position in which every other move mates among stacks takes more than a hundred thousand.
"""

MAX_PERFT_DEPTH: Final = 12
"""Maximum perft depth on the command line and over HTTP. The count grows about thirtyfold per ply."""

MAX_COUNTED_DEPTH: Final = 64
"""Maximum perft depth in the library, which bounds the recursion. No count of this depth ever ends."""

GIL_RELEASE_DEPTH: Final = 3
"""Depth from which a perft releases the GIL between moves. A subtree below takes some ten milliseconds."""

MAX_GAME_NAME: Final = 64
"""Maximum length of the name of a game in a store. Names are one word, and databases limit index entries."""

MAX_NAME: Final = 200
"""Maximum length of the name of a saved position in characters: one or two lines of a page."""

MAX_NOTE: Final = 4000
"""Maximum length of a note on a saved position in characters: two pages of text."""

MAX_TAG: Final = 50
"""Maximum length of a tag of a saved position in characters: a few words."""

MAX_TAGS: Final = 32
"""Maximum number of tags of a saved position. People use a few, and a search reads all of them."""

MAX_QUERY: Final = 200
"""Maximum length of a query for saved positions in characters: that of the longest name."""

MAX_PAGE: Final = 200
"""Maximum number of saved positions on a page. With the bounds above, a page has at most about a megabyte."""

MAX_BULK_LINE: Final = 1_048_576
"""Maximum length of a line in a file of texts, in bytes: a thousand times the longest position text.

A file without line ends is rejected before it fills the memory.
"""

MAX_BULK_PAGE: Final = 64 << 20
"""Maximum size of a decompressed column page, in bytes.

Writers make pages of about a megabyte, but a few compressed bytes can decompress to gigabytes.
"""

MAX_BULK_BATCH: Final = 64 << 20
"""Approximate maximum size of the repeated values in a batch, in bytes. It limits the rows of a batch.

A dictionary can repeat one long value in every row.
"""

MAX_BULK_MESSAGE: Final = 256 << 20
"""Maximum size that a compressed Arrow IPC batch may declare for its decompressed data, in bytes.

A batch of real rows has a tenth of it.
"""

MAX_WHERE: Final = 2000
"""Maximum length of a condition on columns (`--where`) in characters. It is evaluated for every row."""

MAX_WHERE_DEPTH: Final = 32
"""Maximum nesting of parentheses in a condition. People write two or three; each is one recursion."""

MAX_LINT_FILE: Final = 16 << 20
"""Maximum size of a file for `forsyth lint`, in bytes. The linter reads a whole file into memory.

Source files and documents are far smaller. Files with millions of positions are for `forsyth scan`.
"""

MAX_LINT_FINDINGS: Final = 1000
"""Maximum number of findings reported for one linted file. A hostile file can cause millions."""
