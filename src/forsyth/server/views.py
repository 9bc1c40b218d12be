"""What a page needs to show: a position, or a match with its past, as JSON-ready data.

A view holds the texts, the legal moves, the outcome, what stands where and the drawing, so that a page asks
once for each thing it shows. Of a position that is not legal the moves and the outcome are left out: the
rules do not say.
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
    drawn_as,
    not_judged,
    on_board,
    player_names,
)
from forsyth.diagnostics import Reading
from forsyth.draw.checked import checked_places
from forsyth.draw.findings import marks as marks_of
from forsyth.draw.findings import notes as notes_of
from forsyth.game import Editable, Game, Past, claims_in, outcome_in
from forsyth.identity import kept_text, state_id
from forsyth.match import Match, Ply
from forsyth.record import MovePlace, Record, write_record
from forsyth.record.numbering import place_of
from forsyth.scene import Area, Cell, Mark, Scene, Token
from forsyth.server.bounds.work import require_wanted
from forsyth.server.problems import Problem
from forsyth.server.texts import ReadText

Theme = Literal["light", "dark", "auto"]

PALETTE_SIZE: Final = 48
"""Width of one drawing of the palette, in pixels: a square of a small board."""


class Look(NamedTuple):
    """How a position is to be drawn."""

    theme: Theme = "auto"
    flip: bool = False
    marks: bool = True
    size: int = 480
    men: str | None = None
    """How the game draws its men; None is its usual way."""
    board: str | None = None
    """The colours of the board; None is the usual ones."""
    captions: bool = True
    """Whether a picture has the lines below the board."""


class AsksForLook(Protocol):
    """A request that says how its answer is to be drawn."""

    theme: Theme
    flip: bool
    look: str | None
    board: str | None


def look_of(given: AsksForLook, *, marks: bool = True) -> Look:
    """How the answer to a request is to be drawn."""
    return Look(given.theme, given.flip, marks, men=given.look, board=given.board)


def found(game: Game, position: Any) -> ReadText:
    """A position that needs no reading, as after a legal move."""
    return ReadText(game, position, Reading(game.write(position), game.name, position))


def drawn(game: Game, look: Look) -> Game:
    """The game with its men drawn as asked for; refused where it has no such look."""
    try:
        return drawn_as(game, look.men)
    except ValueError as error:
        raise Problem(400, "UNKNOWN_LOOK", str(error)) from None


def scene_of(one: ReadText, look: Look, last: Mapping[str, Mark] | None = None) -> Scene:
    """What to draw of a position: its findings marked, and the squares of the last move."""
    diagnostics = one.reading.diagnostics if look.marks else ()
    marked = {**(last or {}), **marks_of(diagnostics)}
    game = drawn(one.game, look)
    scene = game.scene(one.position, marks=marked, flip=look.flip, notes=notes_of(diagnostics))
    return coloured(game, scene, look)


def coloured(game: Game, scene: Scene, look: Look) -> Scene:
    """The scene in the colours of the board asked for; refused where the game has no such board."""
    try:
        return on_board(game, scene, look.board)
    except ValueError as error:
        raise Problem(400, "UNKNOWN_LOOK", str(error)) from None


def scene_view(scene: Scene) -> dict[str, Any]:
    """What stands where and what it is called; how it looks is in the drawing."""
    return {
        "areas": [
            {"name": area.name, "cells": [_cell_view(cell) for cell in area.cells]} for area in scene.areas
        ],
        "captions": [caption.text for caption in scene.captions],
    }


def _cell_view(cell: Cell) -> dict[str, Any]:
    """A cell; what most cells do not have is left out where it is not there."""
    view: dict[str, Any] = {"id": cell.id}
    if cell.tokens:
        view["tokens"] = [_token_view(token) for token in cell.tokens]
    if cell.note:
        view["note"] = cell.note
    if cell.label:
        view["label"] = cell.label
    return view


def _token_view(token: Token) -> dict[str, Any]:
    return {"symbol": token.symbol, "label": token.label, "owner": token.owner, "count": token.count}


def position_view(
    one: ReadText, look: Look, *, last: Mapping[str, Mark] | None = None, past: Past | None = None
) -> dict[str, Any]:
    """Everything a page shows of a position; without a past it is the only one of its match."""
    game, position, reading = one
    past = past or Past((position,))
    canonical = game.write(position)
    scene = scene_of(one, look, last)
    legal = reading.ok
    outcome = outcome_in(game, past) if legal else None
    return {
        "text": reading.text,
        "canonical": canonical,
        "game": game.name,
        "variant": game.variant,
        "title": game.title,
        "state_id": state_id(kept_text(position)),
        "key": game.key(position),
        "side_to_move": game.side_to_move(position),
        "player": game.move_number(position)[1],
        "move_number": game.move_number(position)[0],
        "outcome": None if outcome is None else {"result": outcome.result, "reason": outcome.reason},
        "scores": _scores(game, position) if legal else [],
        "unfinished": _unfinished(game, position) if legal else None,
        "overlays": _overlays(game, position),
        "claims": list(claims_in(game, past)) if legal else [],
        "moves": move_list(game, position) if legal else [],
        "actions": list(game.actions(position)) if legal else [],
        "checked": checked_places(game, position, scene, require_wanted) if legal else [],
        "svg": draw.svg(scene, size=look.size, theme=look.theme),
        "scene": scene_view(scene),
        "description": scene.description,
    }


def _scores(game: Game, position: Any) -> list[dict[str, Any]]:
    lines = game.score_table(position) if isinstance(game, Accounting) else ()
    return [{"label": line.label, "values": list(line.values)} for line in lines]


def _unfinished(game: Game, position: Any) -> dict[str, Any] | None:
    why = game.why_open(position) if isinstance(game, OpenTurns) else None
    return None if why is None else why.to_dict()


def _overlays(game: Game, position: Any) -> list[dict[str, Any]]:
    found = game.overlays(position) if isinstance(game, Overlaying) else ()
    return [{"name": one.name, "owner": one.owner, "cells": list(one.cells)} for one in found]


def move_list(game: Game, position: Any) -> list[dict[str, Any]]:
    """The legal moves with every fact about each; of moves with the same ends, what each leaves behind."""
    moves = game.moves(position)
    foresees = game if isinstance(game, Foreseeing) else None
    found = []
    for move in moves:
        require_wanted()
        facts = game.describe_move(position, move)
        view = {**facts.to_dict(), "piece": facts.piece}
        prospect = None if foresees is None else foresees.prospect(position, move)
        if prospect is not None:
            view["prospect"] = prospect._asdict()
        found.append(view)
    ends = [(move["from"], move["to"], move["piece"]) for move in found]
    often = Counter(ends)
    for move, view, end in zip(moves, found, ends, strict=True):
        if often[end] > 1 and view["to"] is not None:
            require_wanted()
            view["becomes"] = _tokens_on(game, game.play(position, move), view["to"])
    return found


def _tokens_on(game: Game, position: Any, square: str) -> list[dict[str, Any]]:
    cells = (cell for area in game.scene(position).areas for cell in area.cells)
    return [_token_view(token) for cell in cells if cell.id == square for token in cell.tokens]


def written_moves(game: Game, position: Any) -> list[str]:
    """The legal moves as texts."""
    found = []
    for move in game.moves(position):
        require_wanted()
        found.append(game.write_move(position, move))
    return found


# --- matches ------------------------------------------------------------------------------------------


def match_view(match: Match, look: Look, at: int | None = None) -> dict[str, Any]:
    """A match with its past; `at` says after how many of its moves the position is shown."""
    plies = match.history
    shown = len(plies) if at is None else min(at, len(plies))
    history = _history(match.game, plies)
    last = _last_move(history[shown - 1]) if shown else {}
    past = match.past(shown)
    view = position_view(found(match.game, past.position), look, last=last, past=past)
    return {
        **view,
        "start": match.game.write(match.start),
        "history": history,
        "captured": _captured(match.game, match.start, past.position, history[:shown]),
        "result": match.result,
        "record": write_record(Record.of(match)),
        "at": shown,
    }


def _history(game: Game, plies: Iterable[Ply]) -> list[dict[str, Any]]:
    found = []
    place: MovePlace | None = None
    for ply in plies:
        require_wanted()
        facts = game.describe_move(ply.before, ply.move)
        place = place_of(game, ply.before, ply.text, place)
        view = {
            **place_view(place),
            "move": ply.text,
            "after": facts.after,
            "from": facts.origin,
            "to": facts.target,
            "captured": facts.captured,
            "piece": facts.piece,
        }
        found.append(view)
    return found


def place_view(place: MovePlace) -> dict[str, Any]:
    """Where a move stands in its game; what most moves are not is left out."""
    view: dict[str, Any] = {"number": place.number, "player": place.player}
    if place.step:
        view["step"] = True
    if place.action is not None:
        view["action"] = place.action
    return view


def _captured(
    game: Game, start: Any, position: Any, history: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """What was captured and has left the scene, in order; what went to a hand is seen there."""
    captures = [(ply["piece"], ply["captured"]) for ply in history if ply["captured"]]
    if not captures or not isinstance(game, Editable):
        return []
    if sum(map(_count, _tokens(game.scene(position)))) >= sum(map(_count, _tokens(game.scene(start)))):
        return []
    kinds = {token.symbol: token for token in _tokens(game.palette(start))}
    found = []
    for piece, letters in captures:
        mover = kinds.get(piece)
        taken = (
            token
            for token in kinds.values()
            if token.symbol.casefold() == letters.casefold() and (mover is None or token.owner != mover.owner)
        )
        found += [_token_view(token) for token in islice(taken, 1)]
    return found


def _tokens(scene: Scene) -> Iterator[Token]:
    return (token for area in scene.areas for cell in area.cells for token in cell.tokens)


def _count(token: Token) -> int:
    return token.count


def _last_move(ply: Mapping[str, Any]) -> dict[str, Mark]:
    return {square: "last" for square in (ply["from"], ply["to"]) if square is not None}


# --- the editor ---------------------------------------------------------------------------------------


def palette_view(game: Editable, position: Any, look: Look) -> list[dict[str, str]]:
    """Everything that can be put on the board, each with its own drawing."""
    scene = game.palette(position)
    return [_palette_entry(scene, area, cell, look.theme) for area in scene.areas for cell in area.cells]


def _palette_entry(scene: Scene, area: Area, cell: Cell, theme: Theme) -> dict[str, str]:
    require_wanted()
    label = cell.tokens[0].label if cell.tokens else cell.note
    alone = Area(area.name, 1, 1, (replace(cell, column=0, row=0),))
    drawing = replace(
        scene, title=label, description=label, width=1.0, height=1.0, areas=(alone,), captions=()
    )
    svg = draw.svg(drawing, size=PALETTE_SIZE, theme=theme)
    return {"symbol": cell.id, "label": label, "group": area.name, "svg": svg}


def fields_view(game: Editable, position: Any) -> list[dict[str, Any]]:
    """What of a position is not on the board, as an editor shows it."""
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


def game_view(game: Game) -> dict[str, Any]:
    """What there is to know about a game before a text of it is at hand."""
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


def code_list(codes: Sequence[Any]) -> list[dict[str, str]]:
    """Codes of findings with what each means."""
    return [
        {"code": one.code, "severity": one.severity.value, "stage": one.stage, "summary": one.summary}
        for one in codes
    ]
