"""Every code a finding about an Azul text or position can carry (spec/azul 8.2 to 8.4).

A code is the specification's in lower case, with a dot behind the first word; its family is the one that the
specification spells. The reference page in docs/ is compared with this list by a test, so that no code is
undocumented. Codes that all games share stand in `forsyth.diagnostics.SHARED_CODES`.
"""

from __future__ import annotations

from typing import Final

from forsyth.diagnostics import SHARED_CODES, CodeInfo, Severity
from forsyth.findings import CodeBook

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING

WHOLE: Final = "fen"
"""The field of a finding that is about the text as a whole (spec/azul 8.1)."""

CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo("fen.space", _WARNING, "structure", "lenient: blanks around the text are dropped"),
    CodeInfo("component.count", _ERROR, "structure", "not 11 components (v1), not 11 + 3 per player (v2)"),
    CodeInfo("version.unsupported", _ERROR, "structure", "a version other than `v2/`"),
    CodeInfo("players.range", _ERROR, "structure", "the number of players is not 2, 3 or 4 (v2)"),
    CodeInfo("phase.format", _ERROR, "format", "the phase is not `o`, `t`, `d` or `e` (v2)"),
    CodeInfo("factory.count", _ERROR, "format", "not 5 factories, not 2 per player and one (v2)"),
    CodeInfo("factory.size", _ERROR, "format", "a factory that is not four characters long"),
    CodeInfo("factory.padding", _ERROR, "format", "a dash before a tile of a factory"),
    CodeInfo("tile.color", _ERROR, "format", "a character that is no tile"),
    CodeInfo("center.format", _ERROR, "format", "a centre that is neither tiles nor one dash"),
    CodeInfo("wall.shape", _ERROR, "format", "a wall that is not five rows of five cells"),
    CodeInfo("line.count", _ERROR, "format", "a board that has not five pattern lines"),
    CodeInfo("line.width", _ERROR, "format", "pattern lines that are spelled neither wide nor narrow"),
    CodeInfo("line.gap", _ERROR, "format", "a dash before a tile of a pattern line"),
    CodeInfo("floor.format", _ERROR, "format", "a floor line that is neither tiles nor one dash"),
    CodeInfo("score.format", _ERROR, "format", "a score that is not an integer, or not one for each player"),
    CodeInfo("round.format", _ERROR, "format", "the round is not an integer"),
    CodeInfo("round.range", _ERROR, "format", "the round is not 1 to 10 (v1), not 1 to 9999 (v2)"),
    CodeInfo("player.format", _ERROR, "format", "the current player is not an integer"),
    CodeInfo("player.range", _ERROR, "format", "the current player is not one of the players"),
    CodeInfo("start.format", _ERROR, "format", "the starting player is not an integer (v2)"),
    CodeInfo("start.range", _ERROR, "format", "the starting player is not one of the players (v2)"),
    CodeInfo("bag.format", _ERROR, "format", "the bag is not five counts (v2)"),
    CodeInfo("discard.format", _ERROR, "format", "the discard is not five counts (v2)"),
    CodeInfo("fen.spelling", _ERROR, "format", "strict: a valid text that is not the canonical one"),
    CodeInfo("factory.tiles", _ERROR, "content", "a factory of one to three tiles that cannot be one"),
    CodeInfo("tile.count", _ERROR, "content", "more than 20 tiles of a colour (v1)"),
    CodeInfo("tile.conservation", _ERROR, "content", "not 20 tiles of a colour with bag and discard (v2)"),
    CodeInfo("wall.placement", _ERROR, "content", "a tile on a wall cell of another colour"),
    CodeInfo("line.capacity", _ERROR, "content", "a pattern line with more tiles than it has room for"),
    CodeInfo("line.mixed", _ERROR, "content", "a pattern line of several colours"),
    CodeInfo("line.wall_conflict", _ERROR, "content", "a pattern line whose colour is on the wall beside it"),
    CodeInfo("floor.overflow", _ERROR, "content", "a floor line with more than seven spaces used"),
    CodeInfo("score.negative", _ERROR, "content", "a score below 0"),
    CodeInfo("marker.count", _ERROR, "content", "not one marker, or any after the tiling (v2)"),
    CodeInfo("phase.mismatch", _ERROR, "content", "a phase that does not fit the position (v2)"),
    CodeInfo(
        "center.overfull", _WARNING, "reachability", "more centre tiles than emptied factories sent there"
    ),
    CodeInfo("round.tiles", _WARNING, "reachability", "more tiles in play than one round deals"),
    CodeInfo("missing.tiles", _WARNING, "reachability", "tiles of the first round that went nowhere"),
    CodeInfo("draft.supply", _WARNING, "reachability", "more tiles drafted than the rounds dealt"),
    CodeInfo("wall.round", _WARNING, "reachability", "a wall row with more tiles than finished rounds"),
    CodeInfo("score.wall", _WARNING, "reachability", "a score that the wall cannot have earned"),
    CodeInfo("play.after_end", _WARNING, "reachability", "play after the end of the game"),
    CodeInfo("marker.early", _WARNING, "reachability", "the marker taken before the first move (v2)"),
    CodeInfo("turn.order", _WARNING, "reachability", "before the first move another player's turn (v2)"),
)

FAMILIES: Final[dict[str, str]] = {
    **{info.code: info.code.replace(".", "_").upper() for info in (*SHARED_CODES, *CODES)},
    "fen.type": "EMPTY",
    "fen.empty": "EMPTY",
    "fen.length": "TOO_LONG",
}
"""The specification's spelling of each code; an input that is no text is to it an empty one."""

BOOK: Final = CodeBook(CODES, families=FAMILIES, whole=WHOLE)
