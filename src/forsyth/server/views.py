"""What a page needs to show: a position, or a match with its past, as JSON-ready data.

A view holds the texts, the legal moves, the outcome and the drawing, so that a page asks once for each thing
it shows. Of a position that is not legal the moves and the outcome are left out: the rules do not say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple

from forsyth import draw
from forsyth.abilities import not_judged
from forsyth.diagnostics import Reading
from forsyth.draw.findings import marks as marks_of
from forsyth.draw.findings import notes as notes_of
from forsyth.game import Editable, Game, Past, claims_in, outcome_in
from forsyth.identity import state_id
from forsyth.match import Match, Ply
from forsyth.record import Record, write_record
from forsyth.scene import Area, Cell, Mark, Scene
from forsyth.server.bounds.work import require_wanted
from forsyth.server.texts import Found

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


def found(game: Game, position: Any) -> Found:
    """A position that needs no reading, as after a legal move."""
    return Found(game, position, Reading(game.write(position), game.name, position))


def scene_of(one: Found, look: Look, last: Mapping[str, Mark] | None = None) -> Scene:
    """What to draw of a position: its findings marked, and the squares of the last move."""
    diagnostics = one.reading.diagnostics if look.marks else ()
    marked = {**(last or {}), **marks_of(diagnostics)}
    return one.game.scene(one.position, marks=marked, flip=look.flip, notes=notes_of(diagnostics))


def position_view(
    one: Found, look: Look, *, last: Mapping[str, Mark] | None = None, past: Past | None = None
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
        "state_id": state_id(canonical),
        "key": game.key(position),
        "side_to_move": game.side_to_move(position),
        "move_number": game.move_number(position)[0],
        "outcome": None if outcome is None else {"result": outcome.result, "reason": outcome.reason},
        "claims": list(claims_in(game, past)) if legal else [],
        "moves": move_list(game, position) if legal else [],
        "actions": list(game.actions(position)) if legal else [],
        "svg": draw.svg(scene, size=look.size, theme=look.theme),
        "description": scene.description,
    }


def move_list(game: Game, position: Any) -> list[dict[str, Any]]:
    """The legal moves with every fact about each."""
    found = []
    for move in game.moves(position):
        require_wanted()
        facts = game.describe_move(position, move)
        found.append({**facts.to_dict(), "piece": facts.piece})
    return found


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
    history = [_history(match.game, ply) for ply in plies]
    last = _last_move(history[shown - 1]) if shown else {}
    past = match.past(shown)
    view = position_view(found(match.game, past.position), look, last=last, past=past)
    return {
        **view,
        "start": match.game.write(match.start),
        "history": history,
        "result": match.result,
        "record": write_record(Record.of(match)),
        "at": shown,
    }


def _history(game: Game, ply: Ply) -> dict[str, Any]:
    require_wanted()
    facts = game.describe_move(ply.before, ply.move)
    number, player = game.move_number(ply.before)
    return {
        "number": number,
        "player": player,
        "move": ply.text,
        "after": facts.after,
        "from": facts.origin,
        "to": facts.target,
    }


def _last_move(ply: Mapping[str, Any]) -> dict[str, Mark]:
    return {square: "last" for square in (ply["from"], ply["to"]) if square is not None}


# --- the editor ---------------------------------------------------------------------------------------


def palette_view(game: Editable, position: Any, theme: Theme) -> list[dict[str, str]]:
    """Everything that can be put on the board, each with its own drawing."""
    scene = game.palette(position)
    return [_palette_entry(scene, area, cell, theme) for area in scene.areas for cell in area.cells]


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
        "not_judged": list(not_judged(game)),
        "codes": len(game.codes),
    }


def code_list(codes: Sequence[Any]) -> list[dict[str, str]]:
    """Codes of findings with what each means."""
    return [
        {"code": one.code, "severity": one.severity.value, "stage": one.stage, "summary": one.summary}
        for one in codes
    ]
