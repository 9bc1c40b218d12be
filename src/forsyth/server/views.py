"""Build views: a position, or a match with its history, as JSON-ready data for a page.

A view contains the texts, the legal moves, the outcome, the pieces on each square and the drawing, so that a
page needs one request for each position. The view of an illegal position has no moves and no outcome, because
the rules do not define them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final, Literal, NamedTuple, Protocol

from forsyth import draw
from forsyth.abilities import (
    Accounting,
    Boards,
    Foreseeing,
    Looks,
    OpenTurns,
    Overlaying,
    not_judged,
    player_names,
    with_board_colours,
    with_look,
)
from forsyth.diagnostics import Reading
from forsyth.draw.checked_places import find_checked_places
from forsyth.draw.findings import finding_marks, finding_notes
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

    `marks` says whether squares with an error or a warning are marked in the drawing.
    """
    return DrawOptions(request.theme, request.flip, marks, look=request.look, board=request.board)


def as_parsed_text(game: Game, position: Any) -> ParsedText:
    """Return a position as a text that was read without errors or warnings, such as after a legal move."""
    return ParsedText(game, position, Reading(game.write(position), game.name, position))


def apply_look(game: Game, options: DrawOptions) -> Game:
    """Return the game with the piece set of `options`. Raise a `Problem` if it has no such piece set."""
    try:
        return with_look(game, options.look)
    except ValueError as error:
        raise Problem(400, "UNKNOWN_LOOK", str(error)) from None


def build_scene(
    parsed: ParsedText, options: DrawOptions, last_move: Mapping[str, Mark] | None = None
) -> Scene:
    """Return the scene of a position: the description of its drawing.

    Args:
        parsed: The position; the squares of its diagnostics are marked if `options.marks` is true.
        options: Options of the drawing.
        last_move: Marks for the squares of the last move, or None.

    Returns:
        The scene.

    Raises:
        Problem: If the game does not have the piece set or the board colours of `options`.
    """
    diagnostics = parsed.reading.diagnostics if options.marks else ()
    marks = {**(last_move or {}), **finding_marks(diagnostics)}
    game = apply_look(parsed.game, options)
    notes = finding_notes(diagnostics)
    scene = game.scene(parsed.position, marks=marks, flip=options.flip, notes=notes)
    return apply_board_colours(game, scene, options)


def apply_board_colours(game: Game, scene: Scene, options: DrawOptions) -> Scene:
    """Return the scene with the board colours of `options`. Raise a `Problem` if there is no such board."""
    try:
        return with_board_colours(game, scene, options.board)
    except ValueError as error:
        raise Problem(400, "UNKNOWN_LOOK", str(error)) from None


def build_scene_view(scene: Scene) -> dict[str, Any]:
    """Return the squares of a drawing with their pieces, and the lines of text, as JSON-ready data.

    The data has no colours and shapes, which only the SVG of the position shows.
    """
    return {
        "areas": [
            {"name": area.name, "cells": [_build_cell_view(cell) for cell in area.cells]}
            for area in scene.areas
        ],
        "captions": [caption.text for caption in scene.captions],
    }


def _build_cell_view(cell: Cell) -> dict[str, Any]:
    """Return a square of a drawing as JSON-ready data: its id, and its pieces, note and label, if any."""
    view: dict[str, Any] = {"id": cell.id}
    if cell.tokens:
        view["tokens"] = [_build_token_view(token) for token in cell.tokens]
    if cell.note:
        view["note"] = cell.note
    if cell.label:
        view["label"] = cell.label
    return view


def _build_token_view(token: Token) -> dict[str, Any]:
    """Return a piece, or another object on a square, as JSON-ready data."""
    return {"symbol": token.symbol, "label": token.label, "owner": token.owner, "count": token.count}


def build_position_view(
    parsed: ParsedText,
    options: DrawOptions,
    *,
    last_move: Mapping[str, Mark] | None = None,
    past: Past | None = None,
) -> dict[str, Any]:
    """Return everything that a page shows of a position: text, legal moves, result, drawing and more.

    An illegal position has no moves and no result.

    Args:
        parsed: The position.
        options: Options of the drawing.
        last_move: Marks for the squares of the last move, or None.
        past: Positions and moves of the match up to this position; None if the match begins here.

    Returns:
        The fields of `PositionView`.
    """
    game, position, reading = parsed
    past = past or Past((position,))
    canonical = game.write(position)
    move_number, player = game.move_number(position)
    scene = build_scene(parsed, options, last_move)
    is_legal = reading.ok
    outcome = outcome_of_past(game, past) if is_legal else None
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
        "claims": list(claims_of_past(game, past)) if is_legal else [],
        "moves": build_move_list(game, position) if is_legal else [],
        "actions": list(game.actions(position)) if is_legal else [],
        "checked": find_checked_places(game, position, scene, stop_if_abandoned) if is_legal else [],
        "svg": draw.svg(scene, size=options.size, theme=options.theme),
        "scene": build_scene_view(scene),
        "description": scene.description,
    }


def _build_score_lines(game: Game, position: Any) -> list[dict[str, Any]]:
    """Return the final score as JSON-ready data: lines with a label and a number for each player.

    Return an empty list if the game has no points.
    """
    lines = game.score_table(position) if isinstance(game, Accounting) else ()
    return [{"label": line.label, "values": list(line.values)} for line in lines]


def _explain_open_turn(game: Game, position: Any) -> dict[str, Any] | None:
    """Return the reason why the player may not end the current turn in this position, as JSON-ready data.

    Return None if the turn may end here, if no turn has begun, or if a turn of the game is a single move.
    """
    reason = game.why_open(position) if isinstance(game, OpenTurns) else None
    return None if reason is None else reason.to_dict()


def _build_overlays(game: Game, position: Any) -> list[dict[str, Any]]:
    """Return the sets of squares that a page can show over the board, such as those under air defence.

    Each has a name, an owner and its squares. Return an empty list if the game has none.
    """
    overlays = game.overlays(position) if isinstance(game, Overlaying) else ()
    return [
        {"name": overlay.name, "owner": overlay.owner, "cells": list(overlay.cells)} for overlay in overlays
    ]


def build_move_list(game: Game, position: Any) -> list[dict[str, Any]]:
    """Return the legal moves of a position, each with the fields of `MoveData`.

    Moves with the same piece, origin and target, such as promotions, also have the field ``becomes``, the
    pieces on the target after the move, so that a page can offer the choice.
    """
    moves = game.moves(position)
    foreseeing_game = game if isinstance(game, Foreseeing) else None
    views = []
    for move in moves:
        stop_if_abandoned()
        facts = game.describe_move(position, move)
        view = {**facts.to_dict(), "piece": facts.piece}
        prospect = None if foreseeing_game is None else foreseeing_game.prospect(position, move)
        if prospect is not None:
            view["prospect"] = prospect._asdict()
        views.append(view)
    # The piece, origin and target of each move. Moves that share them can only be told apart by their result.
    paths = [(view["from"], view["to"], view["piece"]) for view in views]
    path_counts = Counter(paths)
    for move, view, path in zip(moves, views, paths, strict=True):
        if path_counts[path] > 1 and view["to"] is not None:
            stop_if_abandoned()
            view["becomes"] = _list_tokens_on(game, game.play(position, move), view["to"])
    return views


def _list_tokens_on(game: Game, position: Any, square: str) -> list[dict[str, Any]]:
    """Return the tokens on a square as JSON-ready data, the lowest first."""
    cells = (cell for area in game.scene(position).areas for cell in area.cells)
    return [_build_token_view(token) for cell in cells if cell.id == square for token in cell.tokens]


def write_legal_moves(game: Game, position: Any) -> list[str]:
    """Return the legal moves of a position as texts, such as ``e4``.

    Raise a `Problem` between two moves if nobody waits for the response any more.
    """
    texts = []
    for move in game.moves(position):
        stop_if_abandoned()
        texts.append(game.write_move(position, move))
    return texts


# --- matches ------------------------------------------------------------------------------------------


def build_match_view(match: Match, options: DrawOptions, shown_ply: int | None = None) -> dict[str, Any]:
    """Return everything that a page shows of a match: a position, the history, captured pieces, the record.

    Args:
        match: The match.
        options: Options of the drawing.
        shown_ply: Number of moves after which the position is shown; None shows the last position.

    Returns:
        The fields of `MatchView`.
    """
    plies = match.history
    shown_ply = len(plies) if shown_ply is None else min(shown_ply, len(plies))
    history = _build_history(match.game, plies)
    last_move = _mark_last_move(history[shown_ply - 1]) if shown_ply else {}
    past = match.past(shown_ply)
    parsed = as_parsed_text(match.game, past.position)
    view = build_position_view(parsed, options, last_move=last_move, past=past)
    return {
        **view,
        "start": match.game.write(match.start),
        "history": history,
        "captured": _list_captured(match.game, match.start, past.position, history[:shown_ply]),
        "result": match.result,
        "record": write_record(Record.of(match)),
        "at": shown_ply,
    }


def _build_history(game: Game, plies: Iterable[Ply]) -> list[dict[str, Any]]:
    """Return the moves of a match, each with its number, player, squares and the position after it.

    The fields are those of `Played`.
    """
    history = []
    place: MovePlace | None = None
    for ply in plies:
        stop_if_abandoned()
        facts = game.describe_move(ply.before, ply.move)
        place = locate_move(game, ply.before, ply.text, place)
        view = {
            **build_place_view(place),
            "move": ply.text,
            "after": facts.after,
            "from": facts.origin,
            "to": facts.target,
            "captured": facts.captured,
            "piece": facts.piece,
        }
        history.append(view)
    return history


def build_place_view(place: MovePlace) -> dict[str, Any]:
    """Return the number and player of a move as JSON-ready data.

    `step` is added if the move continues the turn of the previous move, and `action` if the move is one, such
    as a deal.
    """
    view: dict[str, Any] = {"number": place.number, "player": place.player}
    if place.step:
        view["step"] = True
    if place.action is not None:
        view["action"] = place.action
    return view


def _list_captured(
    game: Game, start: Any, position: Any, history: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the captured pieces that have left the board, in the order of their capture.

    Return an empty list if captured pieces stay in the drawing, such as in a hand: it then has as many pieces
    as at the start.

    Args:
        game: The game of the match.
        start: The position before the first move.
        position: The position that is shown.
        history: The moves up to this position, from `_build_history`.
    """
    captures = [(ply["piece"], ply["captured"]) for ply in history if ply["captured"]]
    if not captures or not isinstance(game, Editable):
        return []
    if _count_tokens(game.scene(position)) >= _count_tokens(game.scene(start)):
        return []
    palette = {token.symbol: token for token in _list_tokens(game.palette(start))}
    captured_tokens = []
    for piece, captured in captures:
        mover = palette.get(piece)
        # The captured piece is of another owner than the piece that captured it.
        candidates = (
            token
            for token in palette.values()
            if token.symbol.casefold() == captured.casefold()
            and (mover is None or token.owner != mover.owner)
        )
        captured_tokens += [_build_token_view(token) for token in islice(candidates, 1)]
    return captured_tokens


def _list_tokens(scene: Scene) -> Iterator[Token]:
    """Yield the tokens on all cells of a scene."""
    return (token for area in scene.areas for cell in area.cells for token in cell.tokens)


def _count_tokens(scene: Scene) -> int:
    """Return the number of pieces in a scene, where a token may stand for several equal pieces."""
    return sum(token.count for token in _list_tokens(scene))


def _mark_last_move(ply: Mapping[str, Any]) -> dict[str, Mark]:
    """Return the mark ``last`` for the origin and target of a move. `ply` is an entry of the history."""
    return {square: "last" for square in (ply["from"], ply["to"]) if square is not None}


# --- the editor ---------------------------------------------------------------------------------------


def build_palette_view(game: Editable, position: Any, options: DrawOptions) -> list[dict[str, str]]:
    """Return the pieces and other objects that an editor can put on the board, each with its own SVG."""
    scene = game.palette(position)
    return [
        _build_palette_entry(scene, area, cell, options.theme) for area in scene.areas for cell in area.cells
    ]


def _build_palette_entry(scene: Scene, area: Area, cell: Cell, theme: Theme) -> dict[str, str]:
    """Return a piece of the editor's palette as JSON-ready data, with an SVG of this piece alone.

    Args:
        scene: The scene of the palette, with its drawings and colours.
        area: The group of pieces, which has a name.
        cell: The cell of the piece.
        theme: The theme of the SVG.
    """
    stop_if_abandoned()
    label = cell.tokens[0].label if cell.tokens else cell.note
    single_cell_area = Area(area.name, 1, 1, (replace(cell, column=0, row=0),))
    entry_scene = replace(
        scene, title=label, description=label, width=1.0, height=1.0, areas=(single_cell_area,), captions=()
    )
    svg = draw.svg(entry_scene, size=PALETTE_SIZE, theme=theme)
    return {"symbol": cell.id, "label": label, "group": area.name, "svg": svg}


def build_field_views(game: Editable, position: Any) -> list[dict[str, Any]]:
    """Return the fields of a position that are not on the board, such as the side to move, for an editor."""
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
    """Return what a page shows of a game, such as its variants, as JSON-ready data.

    The fields are those of `GameData`. `codes` is the number of diagnostic codes, not their list.
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
        "player_names": list(player_names(game)),
        "looks": list(game.looks) if isinstance(game, Looks) else [],
        "boards": list(game.boards) if isinstance(game, Boards) else [],
        "overlays": isinstance(game, Overlaying),
        "not_judged": list(not_judged(game)),
        "codes": len(game.codes),
    }


def build_code_list(codes: Sequence[Any]) -> list[dict[str, str]]:
    """Return diagnostic codes with their severity, stage and meaning as JSON-ready data."""
    return [
        {"code": code.code, "severity": code.severity.value, "stage": code.stage, "summary": code.summary}
        for code in codes
    ]
