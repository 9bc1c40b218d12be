"""A record as a board with controls: buttons, a slider, and the moves to click.

Input: a record of any game. The main line is shown up to its first illegal move, and at most
`MAX_ANIMATED_MOVES` moves of it.

Output: one picture with all positions, and a short script. Where scripts do not run, as in an untrusted
notebook, the picture shows the last position, and the moves are listed beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from forsyth.diagnostics import MoveError
from forsyth.draw.animation import MAX_ANIMATED_MOVES, build_frame_scenes
from forsyth.draw.film import build_film, timed_group
from forsyth.draw.markup import escape_text
from forsyth.draw.svg import write_document
from forsyth.match import Match
from forsyth.notebook.page import make_element_id, make_fragment
from forsyth.record import MoveNode, Record

_SIZE: Final = 360
"""Width of the board in pixels."""
_BUTTONS: Final = (
    ("first", "«", "First"),
    ("back", "‹", "Back"),
    ("next", "›", "Next"),
    ("last", "»", "Last"),
)
"""Step in the script, sign and label of each button."""

_SCRIPT: Final = """(() => {
const root = document.getElementById("%s");
if (!root) return;
const parts = [...root.querySelectorAll("[data-from]")], moves = [...root.querySelectorAll("[data-at]")];
const slider = root.querySelector("input"), controls = root.querySelector(".controls");
const most = Number(slider.max);
let at = most;
const show = (wanted) => {
  at = Math.min(most, Math.max(0, wanted));
  for (const part of parts) {
    const seen = Number(part.dataset.from) <= at && at < Number(part.dataset.to);
    part.setAttribute("visibility", seen ? "visible" : "hidden");
  }
  for (const move of moves) {
    if (Number(move.dataset.at) === at) move.setAttribute("aria-current", "true");
    else move.removeAttribute("aria-current");
  }
  slider.value = at;
};
const steps = { first: () => 0, back: () => at - 1, next: () => at + 1, last: () => most };
for (const button of controls.querySelectorAll("[data-step]"))
  button.addEventListener("click", () => show(steps[button.dataset.step]()));
for (const move of moves) move.addEventListener("click", () => show(Number(move.dataset.at)));
slider.addEventListener("input", () => show(Number(slider.value)));
controls.hidden = false;
show(most);
})();"""
"""The script of the controls. ``%s`` stands for the id of the element around board and moves."""


def make_scrubber(record: Record[Any, Any]) -> str:
    """Return a game record as an HTML fragment: a board, with buttons and a slider to step through the moves.

    The moves are listed beside the board, and clicking a move shows its position.
    """
    match, nodes = _play_main_line(record)
    picture = _draw_all_positions(match)
    controls = _write_controls(move_count=len(nodes))
    board = f'<div style="width:{_SIZE}px;max-width:100%">{picture}{controls}</div>'

    moves = "".join(_write_moves(nodes))
    move_list = f'<div class="moves">{moves} {escape_text(record.result)}</div>'
    text_column = f'<div style="flex:1;min-width:200px">{_write_heading(record)}{move_list}</div>'

    body = f'<div class="boards">{board}{text_column}</div>'
    element_id = make_element_id()
    script = _SCRIPT % element_id
    return make_fragment(body, element_id=element_id) + f"<script>{script}</script>\n"


def _draw_all_positions(match: Match[Any, Any]) -> str:
    """Draw all positions of a match in one SVG picture, of which a script shows one position at a time."""
    scenes = build_frame_scenes(match, check=True)
    film = build_film(scenes)
    last_frame = len(scenes) - 1
    layers = film.write_body(lambda key, run: timed_group(run, last_frame))
    return write_document(film.scene, layers, film.sheet, _SIZE, "notebook")


def _play_main_line(record: Record[Any, Any]) -> tuple[Match[Any, Any], list[MoveNode[Any, Any]]]:
    """Play the main line of a record up to its first illegal move, and at most `MAX_ANIMATED_MOVES` moves.

    Return the match with these moves and, for each move, its node in the move tree of the record. A node has
    the text of the move, its move number and its comment.
    """
    match = Match(record.game, record.start)
    nodes: list[MoveNode[Any, Any]] = []
    for node in record.tree().main_line():
        if len(nodes) == MAX_ANIMATED_MOVES:
            break
        try:
            match.play_recorded(node.text)
        except MoveError:
            break
        nodes.append(node)
    return match, nodes


def _write_heading(record: Record[Any, Any]) -> str:
    """Return the players and the event of a record as HTML, or an empty text if it names none of them."""
    player_names = [record.tag(player) for player in record.game.players]
    event_tags = [record.tag(tag) for tag in ("Event", "Site", "Date")]
    if not any(player_names) and not any(event_tags):
        return ""
    players = " – ".join(escape_text(name or "?") for name in player_names)
    event = ", ".join(escape_text(value) for value in event_tags if value)
    return f"<div><b>{players}</b> {event}</div>"


def _write_controls(move_count: int) -> str:
    """Return the buttons and the slider below the board as HTML. The slider goes from 0 to `move_count`.

    Without the script they have no effect, so they are hidden until the script shows them.
    """
    buttons = "".join(
        f'<button type="button" data-step="{step}" aria-label="{label}">{sign}</button>'
        for step, sign, label in _BUTTONS
    )
    slider = f'<input type="range" min="0" max="{move_count}" value="{move_count}" aria-label="Move">'
    return f'<div class="controls" hidden>{buttons}{slider}</div>'


def _write_moves(nodes: list[MoveNode[Any, Any]]) -> Iterator[str]:
    """Yield HTML for the list of moves: move numbers, each move as a button, and comments.

    `nodes` are the moves of the main line in the move tree of the record.
    """
    for ply_number, node in enumerate(nodes, start=1):
        move_number = node.label
        # Only the first player's moves are numbered: "1." but not "1…". The first move is always numbered.
        is_first_player = "…" not in move_number
        if ply_number == 1 or is_first_player:
            yield f" {escape_text(move_number)}"
        # The glyph of a move is a sign such as "!?".
        move_text = escape_text(node.text + node.glyph)
        yield f' <button type="button" data-at="{ply_number}">{move_text}</button>'
        if node.comment:
            yield f" <i>{escape_text(node.comment)}</i>"
