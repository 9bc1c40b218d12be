"""Build views: a position, or a match with its history, as JSON-ready data for a page.

A view contains the texts, the legal moves, the outcome, the pieces on each square and the drawing, so that a
page needs one request for each position. The view of an illegal position has no moves and no outcome, because
the rules do not define them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple, Protocol

from forsyth import draw
from forsyth.abilities import (
    Accounting,
    Boards,
    Foreseeing,
    Looks,
    OpenTurns,
    Overlaying,
    list_player_names,
    list_unjudged_rules,
    with_board_colours,
    with_look,
)
from forsyth.diagnostics import Reading
from forsyth.draw.checked_places import find_checked_places
from forsyth.draw.findings import make_finding_marks, make_finding_notes
from forsyth.game import Editable, Game, Past, claims_of_past, outcome_of_past
from forsyth.identity import state_id, stored_text
from forsyth.match import Match, Ply
from forsyth.record import MovePlace, Record, write_record
from forsyth.record.numbering import locate_move
from forsyth.scene import Area, Cell, Mark, Scene, Token
from forsyth.server.bounds.compute_slots import stop_if_abandoned
from forsyth.server.problems import Problem
from forsyth.server.texts import ParsedText

Theme = Literal["light", "dark", "auto"]

PALETTE_SIZE: Final = 48
"""Width of the drawing of one palette entry in pixels: one square of a small board."""


class DrawOptions(NamedTuple):
    """Options for the drawing of a position."""

    theme: Theme = "auto"
    flip: bool = False
    """Whether the board is seen from the other side."""
    marks: bool = True
    """Whether the squares of diagnostics are marked."""
    size: int = 480
    """Width in pixels."""
    look: str | None = None
    """Name of the piece set; None is the game's first."""
    board: str | None = None
    """Name of the board colours; None is the game's first."""
    captions: bool = True
    """Whether the picture contains the lines of text below the board."""


class DrawRequest(Protocol):
    """Request body with the options of a drawing."""

    theme: Theme
    flip: bool
    look: str | None
    board: str | None


def make_draw_options(request: DrawRequest, *, marks: bool = True) -> DrawOptions:
    """Return the drawing options in the body of a request.

    If `marks` is true, squares with an error or a warning are marked in the drawing.
    """
    return DrawOptions(
        theme=request.theme, flip=request.flip, marks=marks, look=request.look, board=request.board
    )


def as_parsed_text(game: Game, position: Any) -> ParsedText:
    """Return a position as if its canonical text had been read without errors and warnings.

    Call this for a position that no text was read for, such as the position after a legal move.
    """
    reading = Reading(game.write(position), game.name, position)
    return ParsedText(game, position, reading)


def apply_look(game: Game, options: DrawOptions) -> Game:
    """Return the game with the piece set that the options name (`look`).

    Raise a 400 `Problem` if the game has no such piece set. None means the game's first piece set.
    """
    try:
        return with_look(game, options.look)
    except ValueError as error:
        raise Problem(400, "UNKNOWN_LOOK", str(error)) from None


def build_scene(
    parsed: ParsedText, options: DrawOptions, last_move: Mapping[str, Mark] | None = None
) -> Scene:
    """Return the scene of a position: the squares, pieces and marks to be drawn.

    Args:
        parsed: The position. The squares of its diagnostics are marked if `options.marks` is true.
        options: Options of the drawing.
        last_move: Marks by square for the last move, such as ``{"e2": "last", "e4": "last"}``, or None.

    Returns:
        The scene.

    Raises:
        Problem: If the game does not have the piece set or the board colours of `options`.
    """
    diagnostics = parsed.reading.diagnostics if options.marks else ()
    last_move_marks = last_move or {}
    # The mark of a diagnostic replaces that of the last move.
    marks = {**last_move_marks, **make_finding_marks(diagnostics)}
    game = apply_look(parsed.game, options)
    notes = make_finding_notes(diagnostics)
    scene = game.scene(parsed.position, marks=marks, flip=options.flip, notes=notes)
    return apply_board_colours(game, scene, options)


def apply_board_colours(game: Game, scene: Scene, options: DrawOptions) -> Scene:
    """Return the scene with the board colours that the options name (`board`).

    Raise a 400 `Problem` if the game has no such board colours. None means the game's first ones.
    """
    try:
        return with_board_colours(game, scene, options.board)
    except ValueError as error:
        raise Problem(400, "UNKNOWN_LOOK", str(error)) from None


def build_scene_view(scene: Scene) -> dict[str, Any]:
    """Return the squares, pieces and lines of text of a drawing as JSON-ready data.

    The data has no colours and shapes. Only the SVG of the position shows them.
    """
    areas = []
    for area in scene.areas:
        cells = [_build_cell_view(cell) for cell in area.cells]
        areas.append({"name": area.name, "cells": cells})
    return {"areas": areas, "captions": [caption.text for caption in scene.captions]}


def _build_cell_view(cell: Cell) -> dict[str, Any]:
    """Return a square of a drawing as JSON-ready data: its id, pieces, note and label.

    Fields that are empty are left out, so an empty square may be ``{"id": "e4"}``.
    """
    view: dict[str, Any] = {"id": cell.id}
    if cell.tokens:
        view["tokens"] = [_build_token_view(token) for token in cell.tokens]
    if cell.note:
        view["note"] = cell.note
    if cell.label:
        view["label"] = cell.label
    return view


def _build_token_view(token: Token) -> dict[str, Any]:
    """Return a piece, or another object on a square, as JSON-ready data.

    ``count`` is the number of equal pieces that the token stands for.
    """
    return {"symbol": token.symbol, "label": token.label, "owner": token.owner, "count": token.count}


def build_position_view(
    parsed: ParsedText,
    options: DrawOptions,
    *,
    last_move: Mapping[str, Mark] | None = None,
    past: Past | None = None,
) -> dict[str, Any]:
    """Return everything that a page shows of a position, such as text, moves and drawing.

    An illegal position has no moves and no result.

    Args:
        parsed: The position.
        options: Options of the drawing.
        last_move: Marks by square for the last move, such as ``{"e4": "last"}``, or None.
        past: Positions and moves of the match up to this position, or None if the match begins here.

    Returns:
        The fields of `PositionView`.
    """
    game, position, reading = parsed
    match_past = past or Past((position,))
    canonical = game.write(position)
    move_number, player = game.move_number(position)
    scene = build_scene(parsed, options, last_move)
    is_legal = reading.ok
    outcome = outcome_of_past(game, match_past) if is_legal else None
    return {
        "text": reading.text,
        "canonical": canonical,
        "game": game.name,
        "variant": game.variant,
        "title": game.title,
        "state_id": state_id(stored_text(position)),
        "key": game.key(position),
        "side_to_move": game.side_to_move(position),
        "player": player,
        "move_number": move_number,
        "outcome": None if outcome is None else {"result": outcome.result, "reason": outcome.reason},
        "scores": _build_score_lines(game, position) if is_legal else [],
        "unfinished": _explain_open_turn(game, position) if is_legal else None,
        "overlays": _build_overlays(game, position),
        "claims": list(claims_of_past(game, match_past)) if is_legal else [],
        "moves": build_move_list(game, position) if is_legal else [],
        "actions": list(game.actions(position)) if is_legal else [],
        "checked": find_checked_places(game, position, scene, stop_if_abandoned) if is_legal else [],
        "svg": draw.svg(scene, size=options.size, theme=options.theme),
        "scene": build_scene_view(scene),
        "description": scene.description,
    }


def _build_score_lines(game: Game, position: Any) -> list[dict[str, Any]]:
    """Return the final score as JSON-ready data: lines with a label and a number for each player.

    A line is ``{"label": "Rows", "values": [4, 2]}``, for example. Return an empty list if the game has no
    points.
    """
    if not isinstance(game, Accounting):
        return []
    score_lines = game.score_table(position)
    return [{"label": line.label, "values": list(line.values)} for line in score_lines]


def _explain_open_turn(game: Game, position: Any) -> dict[str, Any] | None:
    """Return the reason why the player may not end the turn in this position, as JSON-ready data.

    Only games in which a turn has several moves have such a reason. Return None if the turn may end here, if
    no turn has begun, or if each turn of the game is a single move.
    """
    if not isinstance(game, OpenTurns):
        return None
    reason = game.why_open(position)
    return None if reason is None else reason.to_dict()


def _build_overlays(game: Game, position: Any) -> list[dict[str, Any]]:
    """Return the sets of squares that a page can show over the board.

    An example is the set of squares under air defence. Each has a name, an owner and its squares. Return an
    empty list if the game has none.
    """
    if not isinstance(game, Overlaying):
        return []
    return [
        {"name": overlay.name, "owner": overlay.owner, "cells": list(overlay.cells)}
        for overlay in game.overlays(position)
    ]


def build_move_list(game: Game, position: Any) -> list[dict[str, Any]]:
    """Return the legal moves of a position as JSON-ready data, each with the fields of `MoveData`.

    Moves with the same piece, origin and target, such as promotions, also have the field ``becomes``, the
    pieces on the target after the move, so that a page can offer the choice.
    """
    moves = game.moves(position)
    views = []
    for move in moves:
        stop_if_abandoned()
        views.append(_build_move_view(game, position, move))

    # Moves with the same piece and squares can only be distinguished by the pieces on the target.
    path_counts = Counter(map(_get_move_path, views))
    for move, view in zip(moves, views, strict=True):
        target = view["to"]
        is_ambiguous = path_counts[_get_move_path(view)] > 1
        if is_ambiguous and target is not None:
            stop_if_abandoned()
            position_after = game.play(position, move)
            view["becomes"] = _list_tokens_on(game, position_after, target)
    return views


def _build_move_view(game: Game, position: Any, move: Any) -> dict[str, Any]:
    """Return a legal move as JSON-ready data: its text, squares, piece and points.

    The points are those that the move would score, if the game can predict them.
    """
    description = game.describe_move(position, move)
    view = {**description.to_dict(), "piece": description.piece}
    prospect = game.prospect(position, move) if isinstance(game, Foreseeing) else None
    if prospect is not None:
        view["prospect"] = prospect._asdict()
    return view


def _get_move_path(move_view: Mapping[str, Any]) -> tuple[str | None, str | None, str]:
    """Return the origin, the target and the piece of a move, such as ``("e7", "e8", "P")``.

    Several moves may have the same path, such as promotions to different pieces.
    """
    return move_view["from"], move_view["to"], move_view["piece"]


def _list_tokens_on(game: Game, position: Any, square: str) -> list[dict[str, Any]]:
    """Return the pieces and other objects on a square as JSON-ready data, the lowest first."""
    cells = [cell for area in game.scene(position).areas for cell in area.cells if cell.id == square]
    return [_build_token_view(token) for cell in cells for token in cell.tokens]


def write_legal_moves(game: Game, position: Any) -> list[str]:
    """Return the legal moves of a position as texts, such as ``e4``.

    Raise a `Problem` between two moves if nobody waits for the response any more.
    """
    move_texts = []
    for move in game.moves(position):
        stop_if_abandoned()
        move_texts.append(game.write_move(position, move))
    return move_texts


# --- matches ------------------------------------------------------------------------------------------


def build_match_view(match: Match, options: DrawOptions, shown_ply: int | None = None) -> dict[str, Any]:
    """Return everything that a page shows of a match: a position, the history, the record.

    Args:
        match: The match.
        options: Options of the drawing.
        shown_ply: Number of moves after which the position is shown. None, or a number that is too large,
            shows the last position.

    Returns:
        The fields of `MatchView`.
    """
    plies = match.history
    move_count = len(plies) if shown_ply is None else min(shown_ply, len(plies))
    history = _build_history(match.game, plies)
    shown_history = history[:move_count]
    last_move = _mark_last_move(shown_history[-1]) if shown_history else {}
    past = match.past(move_count)
    parsed = as_parsed_text(match.game, past.position)
    view = build_position_view(parsed, options, last_move=last_move, past=past)
    return {
        **view,
        "start": match.game.write(match.start),
        "history": history,
        "captured": _list_captured(match.game, match.start, past.position, shown_history),
        "result": match.result,
        "record": write_record(Record.of(match)),
        "at": move_count,
    }


def _build_history(game: Game, plies: Iterable[Ply]) -> list[dict[str, Any]]:
    """Return the moves of a match as JSON-ready data, each with the fields of `Played`.

    These are its number, player, text, squares and pieces, and the text of the position after it.
    """
    history = []
    # The place of a move is its number and player. It depends on the place of the previous move.
    move_place: MovePlace | None = None
    for ply in plies:
        stop_if_abandoned()
        move_place = locate_move(game, ply.before, ply.text, previous=move_place)
        description = game.describe_move(ply.before, ply.move)
        view = {
            **build_move_place_view(move_place),
            "move": ply.text,
            "after": description.after,
            "from": description.origin,
            "to": description.target,
            "captured": description.captured,
            "piece": description.piece,
        }
        history.append(view)
    return history


def build_move_place_view(move_place: MovePlace) -> dict[str, Any]:
    """Return the number and the player of a move, such as ``{"number": 12, "player": 1}``.

    ``step`` is added if the move continues the turn of the previous move. ``action`` is added if the move is
    an action, such as a deal.
    """
    view: dict[str, Any] = {"number": move_place.number, "player": move_place.player}
    if move_place.step:
        view["step"] = True
    if move_place.action is not None:
        view["action"] = move_place.action
    return view


def _list_captured(
    game: Game, start: Any, position: Any, history: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the captured pieces that have left the board, in the order of their capture.

    The result is JSON-ready data. Return an empty list if captured pieces stay in the drawing, for example in
    a hand. The drawing then has as many pieces as at the start.

    Args:
        game: The game of the match.
        start: The position before the first move.
        position: The position that is shown.
        history: The moves up to this position, as JSON-ready data with the fields of `Played`.
    """
    captures = [(ply["piece"], ply["captured"]) for ply in history if ply["captured"]]
    if not captures or not isinstance(game, Editable):
        return []
    has_all_pieces = _count_tokens(game.scene(position)) >= _count_tokens(game.scene(start))
    if has_all_pieces:
        return []

    # The palette of the editor has each piece of the game once.
    palette = {token.symbol: token for token in _iterate_tokens(game.palette(start))}
    views = []
    for capturing_symbol, captured_symbol in captures:
        token = _find_captured_token(palette, capturing_symbol, captured_symbol)
        if token is not None:
            views.append(_build_token_view(token))
    return views


def _find_captured_token(
    palette: Mapping[str, Token], capturing_symbol: str, captured_symbol: str
) -> Token | None:
    """Return the captured piece of a move, with its owner, or None if it is unknown.

    Args:
        palette: All pieces of the game by their symbols, such as ``P`` and ``p``.
        capturing_symbol: Symbol of the capturing piece. Its owner is not the owner of the captured piece.
        captured_symbol: Symbol of the captured piece. Its case is ignored, because it need not show the
            owner.
    """
    capturing_token = palette.get(capturing_symbol)
    for token in palette.values():
        has_symbol = token.symbol.casefold() == captured_symbol.casefold()
        has_other_owner = capturing_token is None or token.owner != capturing_token.owner
        if has_symbol and has_other_owner:
            return token
    return None


def _iterate_tokens(scene: Scene) -> Iterator[Token]:
    """Return an iterator over the pieces and other objects on all squares of a drawing."""
    return (token for area in scene.areas for cell in area.cells for token in cell.tokens)


def _count_tokens(scene: Scene) -> int:
    """Return the number of pieces in a drawing. A token may stand for several equal pieces."""
    return sum(token.count for token in _iterate_tokens(scene))


def _mark_last_move(move_view: Mapping[str, Any]) -> dict[str, Mark]:
    """Return the marks for the squares of a move, such as ``{"e2": "last", "e4": "last"}``.

    `move_view` is the move as JSON-ready data, with the fields of `Played`. A move without origin, such as a
    drop, marks only its target.
    """
    squares = (move_view["from"], move_view["to"])
    return {square: "last" for square in squares if square is not None}


# --- the editor ---------------------------------------------------------------------------------------


def build_palette_views(game: Editable, position: Any, options: DrawOptions) -> list[dict[str, str]]:
    """Return the pieces that an editor can put on the board, each with its own SVG."""
    palette = game.palette(position)
    return [
        _build_palette_entry(palette, area, cell, options.theme)
        for area in palette.areas
        for cell in area.cells
    ]


def _build_palette_entry(palette: Scene, area: Area, cell: Cell, theme: Theme) -> dict[str, str]:
    """Return a piece that an editor offers as JSON-ready data, with an SVG of this piece alone.

    Args:
        palette: Drawing of all pieces that the editor offers.
        area: The part of `palette` with the group of the piece. Its name is the name of the group.
        cell: The square of `palette` with the piece.
        theme: The theme of the SVG.
    """
    stop_if_abandoned()
    # A cell without a piece is described by its note.
    label = cell.tokens[0].label if cell.tokens else cell.note
    single_cell = replace(cell, column=0, row=0)
    single_cell_area = Area(area.name, columns=1, rows=1, cells=(single_cell,))
    entry_scene = replace(
        palette,
        title=label,
        description=label,
        width=1.0,
        height=1.0,
        areas=(single_cell_area,),
        captions=(),
    )
    svg = draw.svg(entry_scene, size=PALETTE_SIZE, theme=theme)
    return {"symbol": cell.id, "label": label, "group": area.name, "svg": svg}


def build_field_views(game: Editable, position: Any) -> list[dict[str, Any]]:
    """Return the fields of a position for an editor, such as the side to move.

    Each field has its name, its value, and the values that a user can choose.
    """
    return [
        {
            "name": field.name,
            "label": field.label,
            "value": field.value,
            "kind": field.kind,
            "choices": [{"value": value, "label": label} for value, label in field.choices],
        }
        for field in game.fields(position)
    ]


def build_game_view(game: Game) -> dict[str, Any]:
    """Return a game as JSON-ready data: its names, variants, players, examples and drawing options.

    The fields are those of `GameData`. ``codes`` is the number of diagnostic codes, not their list.
    """
    return {
        "name": game.name,
        "title": game.title,
        "variants": list(game.variants),
        "start": game.start,
        "names": dict(game.names),
        "styles": dict(game.styles),
        "examples": dict(game.examples),
        "players": list(game.players),
        "player_names": list(list_player_names(game)),
        "looks": list(game.looks) if isinstance(game, Looks) else [],
        "boards": list(game.boards) if isinstance(game, Boards) else [],
        "overlays": isinstance(game, Overlaying),
        "not_judged": list(list_unjudged_rules(game)),
        "codes": len(game.codes),
    }


def build_code_list(codes: Sequence[Any]) -> list[dict[str, str]]:
    """Return diagnostic codes as JSON-ready data: code, severity, stage and meaning (``summary``).

    The stage is the step of reading that reports the code, such as ``text``, ``form`` or ``fields``.
    """
    return [
        {"code": code.code, "severity": code.severity.value, "stage": code.stage, "summary": code.summary}
        for code in codes
    ]
