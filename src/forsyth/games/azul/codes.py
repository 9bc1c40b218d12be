"""Every code of a finding about an Azul text or position (spec/azul 8.2 to 8.4).

A code is the code of the specification in lower case, with a dot after the first word. Its family is the
specification's own spelling, such as `TILE_COLOR`. A test compares this list with the reference page in
docs/, so that every code is documented. Codes that all games share are in `forsyth.diagnostics.SHARED_CODES`.
"""

from __future__ import annotations

from typing import Final

from forsyth.diagnostics import SHARED_CODES, CodeInfo, Severity
from forsyth.findings import CodeBook

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING

WHOLE: Final = "fen"
"""Field name of a finding about the whole text (spec/azul 8.1)."""

CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo("fen.space", _WARNING, "structure", "there are blanks around the text"),
    CodeInfo(
        "component.count",
        _ERROR,
        "structure",
        "the text does not have 11 components (v1), or 11 + 3 per player (v2)",
    ),
    CodeInfo("version.unsupported", _ERROR, "structure", "the version prefix is not `v2/`"),
    CodeInfo("players.range", _ERROR, "structure", "the number of players is not 2, 3 or 4 (v2)"),
    CodeInfo("phase.format", _ERROR, "format", "the phase is not `o`, `t`, `d` or `e` (v2)"),
    CodeInfo(
        "factory.count",
        _ERROR,
        "format",
        "the text does not have 5 factories (v1), or 2 per player and 1 more (v2)",
    ),
    CodeInfo("factory.size", _ERROR, "format", "a factory is not four characters long"),
    CodeInfo("factory.padding", _ERROR, "format", "a dash precedes a tile of a factory"),
    CodeInfo("tile.color", _ERROR, "format", "a character is not a tile"),
    CodeInfo("center.format", _ERROR, "format", "the centre is neither tiles nor one dash"),
    CodeInfo("wall.shape", _ERROR, "format", "a wall is not five rows of five cells"),
    CodeInfo("line.count", _ERROR, "format", "a board does not have five pattern lines"),
    CodeInfo(
        "line.width", _ERROR, "format", "the pattern lines of a board are spelled neither wide nor narrow"
    ),
    CodeInfo("line.gap", _ERROR, "format", "a dash precedes a tile of a pattern line"),
    CodeInfo("floor.format", _ERROR, "format", "a floor line is neither tiles nor one dash"),
    CodeInfo(
        "score.format", _ERROR, "format", "a score is not an integer, or there is not one for each player"
    ),
    CodeInfo("round.format", _ERROR, "format", "the round is not an integer"),
    CodeInfo("round.range", _ERROR, "format", "the round is not from 1 to 10 (v1), or from 1 to 9999 (v2)"),
    CodeInfo("player.format", _ERROR, "format", "the current player is not an integer"),
    CodeInfo("player.range", _ERROR, "format", "the current player is not one of the players"),
    CodeInfo("start.format", _ERROR, "format", "the starting player is not an integer (v2)"),
    CodeInfo("start.range", _ERROR, "format", "the starting player is not one of the players (v2)"),
    CodeInfo("bag.format", _ERROR, "format", "the bag is not five counts (v2)"),
    CodeInfo("discard.format", _ERROR, "format", "the discard is not five counts (v2)"),
    CodeInfo("fen.spelling", _ERROR, "format", "strict: the text is valid, but not the canonical one"),
    CodeInfo(
        "factory.tiles", _ERROR, "content", "a factory has one to three tiles, which cannot happen here"
    ),
    CodeInfo("tile.count", _ERROR, "content", "more than 20 tiles of a colour (v1)"),
    CodeInfo(
        "tile.conservation",
        _ERROR,
        "content",
        "a colour does not have 20 tiles, bag and discard included (v2)",
    ),
    CodeInfo("wall.placement", _ERROR, "content", "a tile is on a wall cell of another colour"),
    CodeInfo("line.capacity", _ERROR, "content", "a pattern line has more tiles than spaces"),
    CodeInfo("line.mixed", _ERROR, "content", "a pattern line has tiles of several colours"),
    CodeInfo(
        "line.wall_conflict", _ERROR, "content", "the colour of a pattern line is already in its wall row"
    ),
    CodeInfo("floor.overflow", _ERROR, "content", "a floor line uses more than seven spaces"),
    CodeInfo("score.negative", _ERROR, "content", "a score is below 0"),
    CodeInfo(
        "marker.count",
        _ERROR,
        "content",
        "there is not exactly one marker, or there is one after the tiling (v2)",
    ),
    CodeInfo("phase.mismatch", _ERROR, "content", "the phase does not fit the position (v2)"),
    CodeInfo(
        "center.overfull",
        _WARNING,
        "reachability",
        "the centre has more tiles than the emptied factories can have sent there",
    ),
    CodeInfo("round.tiles", _WARNING, "reachability", "more tiles in play than one round deals"),
    CodeInfo(
        "missing.tiles",
        _WARNING,
        "reachability",
        "tiles of the first round are missing, and no floor line is full",
    ),
    CodeInfo("draft.supply", _WARNING, "reachability", "more tiles drafted than the rounds dealt"),
    CodeInfo(
        "wall.round", _WARNING, "reachability", "a wall row has more tiles than there are finished rounds"
    ),
    CodeInfo("score.wall", _WARNING, "reachability", "a score is higher than the wall can have earned"),
    CodeInfo("play.after_end", _WARNING, "reachability", "the game goes on although a wall row is complete"),
    CodeInfo(
        "marker.early", _WARNING, "reachability", "the marker has left the centre before the first move (v2)"
    ),
    CodeInfo(
        "turn.order",
        _WARNING,
        "reachability",
        "before the first move it is not the starting player's turn (v2)",
    ),
)

FAMILIES: Final[dict[str, str]] = {
    **{info.code: info.code.replace(".", "_").upper() for info in (*SHARED_CODES, *CODES)},
    "fen.type": "EMPTY",
    "fen.empty": "EMPTY",
    "fen.length": "TOO_LONG",
}
"""The specification's spelling of each code.

Inputs that are not text have the family of an empty text.
"""

BOOK: Final = CodeBook(CODES, families=FAMILIES, whole=WHOLE)
"""The codes of Azul with their families."""
