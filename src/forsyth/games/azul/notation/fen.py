# cython: annotation_typing=False
"""Azul texts, standard (v1) and extended (v2): reading any text and saying everything that is wrong with it.

Reading, default mode: the grammars of spec/azul 4.1 and 5. Pattern lines of a standard text may be wide or
narrow, board by board; tiles on factories and in the centre stand in any order. A text that begins with
``v``, digits and a slash is an extended one, any other a standard one. Blanks around the text are accepted
with a warning.

Lenient mode also accepts, with a warning, pattern lines spelled with nothing but their tiles, such as
``B||RR||``. Strict mode takes canonical text only.

The version, the number of players and of components come first: the first of them that is wrong is told, and
with it what is wrong with the components whose place is certain (`structure`). Else every component is looked
at. Writing: `write`. Stability: canonical text is promised for ever.
Limits: 1024 characters, 64 findings; where there are more, each code is still among them.
"""

from __future__ import annotations

from forsyth.arguments import require_choice
from forsyth.diagnostics import MODES, Mode, Reading
from forsyth.findings import CERTAIN, Findings, Place, Word, make_rewrite
from forsyth.games.azul.codes import BOOK
from forsyth.games.azul.notation.components import (
    EXTENDED_ROUNDS,
    PLAYER_COUNTS,
    STANDARD_COMPONENTS,
    components,
)
from forsyth.games.azul.notation.fields import (
    read_center,
    read_counts,
    read_factories,
    read_floor,
    read_lines,
    read_phase,
    read_player,
    read_round,
    read_scores,
    read_wall,
)
from forsyth.games.azul.notation.structure import report_structure
from forsyth.games.azul.notation.write import STANDARD_PLAYERS, STANDARD_ROUNDS, write_canonical
from forsyth.games.azul.position import (
    DONE,
    ENDED,
    OFFER,
    TILING,
    Board,
    Position,
    build_board,
    build_position,
)
from forsyth.games.azul.tiles import COLOURS, NO_TILES, TILES_PER_COLOUR, is_row_complete
from forsyth.limits import MAX_PLAIN

# --- reading ----------------------------------------------------------------------------------------


def read_fen(text: object, *, mode: Mode = "default") -> Reading[Position]:
    """Read a plain text: the position or none, and every finding about the text. Never raises."""
    require_choice("mode", mode, MODES)
    if not isinstance(text, str):
        return _refused("", "fen.type", (0, 0), f"a text is expected, not {type(text).__name__}")
    if not text or text.isspace():
        return _refused(text, "fen.empty", (0, len(text)), "Empty FEN string")
    if len(text) > MAX_PLAIN:
        message = f"FEN string too long: {len(text)} characters"
        return _refused(text, "fen.length", (MAX_PLAIN, len(text)), message)
    findings = Findings(text, mode, BOOK)
    position = _read(findings)
    if position is not None and mode == "strict":
        _require_canonical(findings, position)
    return Reading(text, "azul", None if findings.has_errors else position, tuple(findings.diagnostics))


def _refused(text: str, code: str, place: Place, message: str) -> Reading[Position]:
    return Reading(text, "azul", None, (BOOK.make_diagnostic(code, place, message),))


def _read(findings: Findings) -> Position | None:
    text = findings.text.strip()
    offset = findings.text.index(text)
    if len(text) != len(findings.text):
        _report_blanks(findings, text, offset)
    fields = components(text, offset)
    if fields is None:
        report_structure(findings, text, offset)
        return None
    if len(fields) == STANDARD_COMPONENTS:
        return _read_standard(findings, fields)
    return _read_extended(findings, fields)


def _read_standard(findings: Findings, fields: list[Word]) -> Position | None:
    factories = read_factories(findings, fields[0], STANDARD_PLAYERS)
    center, _ = read_center(findings, fields[1], marked=False)
    boards = _read_boards(findings, fields[2:9], STANDARD_PLAYERS, marked=False)
    number = read_round(findings, fields[9], STANDARD_ROUNDS)
    current = read_player(findings, fields[10], STANDARD_PLAYERS)
    if findings.has_errors:
        return None
    return assumed(factories, center, boards, number, current)


def _read_extended(findings: Findings, fields: list[Word]) -> Position | None:
    players = PLAYER_COUNTS[fields[1].text]
    phase = read_phase(findings, fields[2])
    factories = read_factories(findings, fields[3], players)
    center, marker = read_center(findings, fields[4], marked=True)
    boards = _read_boards(findings, fields[5:-5], players, marked=True)
    number = read_round(findings, fields[-5], EXTENDED_ROUNDS)
    current = read_player(findings, fields[-4], players)
    start = read_player(findings, fields[-3], players)
    bag = read_counts(findings, fields[-2])
    discard = read_counts(findings, fields[-1])
    if findings.has_errors:
        return None
    return build_position(
        factories, center, marker, boards, phase, number, current, start, bag, discard, True
    )


def _read_boards(findings: Findings, fields: list[Word], players: int, *, marked: bool) -> tuple[Board, ...]:
    """The boards: three components each, and the scores behind them."""
    read = []
    for at in range(0, 3 * players, 3):
        wall = read_wall(findings, fields[at])
        lines, wide = read_lines(findings, fields[at + 1], marked=marked)
        floor, held = read_floor(findings, fields[at + 2], marked=marked)
        read.append((wall, lines, floor, held, wide))
    scores = read_scores(findings, fields[-1], players)
    if findings.has_errors:
        return ()
    return tuple(
        [
            build_board(wall, lines, floor, held, score, wide)
            for (wall, lines, floor, held, wide), score in zip(read, scores, strict=True)
        ]
    )


def assumed(
    factories: tuple[str, ...], center: str, boards: tuple[Board, ...], round: int, current: int
) -> Position:
    """The position that a standard text shows, and what is assumed about the rest (spec/azul 5, Conversion).

    While tiles are on display or to be tiled the marker is assumed to lie in the centre; whoever moves has
    begun the round; the bag holds all tiles that are not seen, and the discard none.
    """
    display = "".join(factories) + center
    phase = OFFER if display else _phase_without_display(boards)
    seen = display + "".join(["".join(board.wall) + "".join(board.lines) + board.floor for board in boards])
    bag = tuple([max(0, TILES_PER_COLOUR - seen.count(colour)) for colour in COLOURS])
    marker = phase in (OFFER, TILING)
    return build_position(
        factories, center, marker, boards, phase, round, current, current, bag, NO_TILES, False
    )


def _phase_without_display(boards: tuple[Board, ...]) -> str:
    for board in boards:
        if board.floor or any(len(tiles) > line for line, tiles in enumerate(board.lines)):
            return TILING
    for board in boards:
        if any(is_row_complete(row) for row in board.wall):
            return ENDED
    return DONE


# --- what is wrong with the whole -------------------------------------------------------------------


def _report_blanks(findings: Findings, text: str, offset: int) -> None:
    end = offset + len(text)
    # Blanks may stand on both sides of the text: the finding points at the first of them.
    place = (0, offset) if offset else (end, len(findings.text))
    fix = make_rewrite(findings.text, text, 0, CERTAIN)
    findings.add("fen.space", place, "Blanks around the text, expected none", fix=fix)


def _require_canonical(findings: Findings, position: Position) -> None:
    canonical = write_canonical(position)
    if canonical == findings.text:
        return
    fix = make_rewrite(findings.text, canonical, 0, CERTAIN)
    message = "The text is valid but not canonical, expected sorted tiles and wide pattern lines"
    if position.complete:
        message = "The text is valid but not canonical, expected sorted tiles"
    findings.add("fen.spelling", fix.span, message, fix=fix)
