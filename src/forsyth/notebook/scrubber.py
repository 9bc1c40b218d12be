"""A record as a board to go through: first, back, next, last, a slider, and moves to click.

Accepts a record of any game. Its main line is shown, from the first move to `MOST_MOVES`; where a move is not
legal, up to that one. Writes one picture with all positions in it and a short script of its own. Without a
script, as in a notebook that is not trusted, the end of the line and the moves are seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from forsyth.diagnostics import MoveError
from forsyth.draw.animation import MOST_MOVES, frames
from forsyth.draw.film import film, timed
from forsyth.draw.markup import words
from forsyth.draw.svg import document
from forsyth.match import Match
from forsyth.notebook.page import fresh_name, part
from forsyth.record import MoveNode, Record

_SIZE: Final = 360
_BUTTONS: Final = (
    ("first", "«", "First"),
    ("back", "‹", "Back"),
    ("next", "›", "Next"),
    ("last", "»", "Last"),
)

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


def scrubber(record: Record[Any, Any]) -> str:
    """A record as a part of a page."""
    match, nodes = _played(record)
    scenes = frames(match, check=True)
    reel = film(scenes)
    layers = reel.body(lambda key, run: timed(run, len(scenes) - 1))
    picture = document(reel.scene, layers, reel.sheet, _SIZE, "notebook")
    name = fresh_name()
    head, moves = _head(record), "".join(_moves(nodes))
    shown = f'<div style="width:{_SIZE}px;max-width:100%">{picture}{_controls(len(nodes))}</div>'
    listed = f'<div class="moves">{moves} {words(record.result)}</div>'
    text = f'<div style="flex:1;min-width:200px">{head}{listed}</div>'
    body = f'<div class="boards">{shown}{text}</div>'
    return part(body, name=name) + f"<script>{_SCRIPT % name}</script>\n"


def _played(record: Record[Any, Any]) -> tuple[Match[Any, Any], list[MoveNode[Any, Any]]]:
    match = Match(record.game, record.start)
    nodes: list[MoveNode[Any, Any]] = []
    for node in record.tree().main_line():
        if len(nodes) == MOST_MOVES:
            break
        try:
            match.play_recorded(node.text)
        except MoveError:
            break
        nodes.append(node)
    return match, nodes


def _head(record: Record[Any, Any]) -> str:
    players = " – ".join(words(record.tag(name) or "?") for name in record.game.players)
    event = ", ".join(words(value) for name in ("Event", "Site", "Date") if (value := record.tag(name)))
    named = any(record.tag(name) for name in record.game.players)
    return f"<div><b>{players}</b> {event}</div>" if named or event else ""


def _controls(most: int) -> str:
    buttons = "".join(
        f'<button type="button" data-step="{step}" aria-label="{label}">{sign}</button>'
        for step, sign, label in _BUTTONS
    )
    slider = f'<input type="range" min="0" max="{most}" value="{most}" aria-label="Move">'
    return f'<div class="controls" hidden>{buttons}{slider}</div>'


def _moves(nodes: list[MoveNode[Any, Any]]) -> Iterator[str]:
    for number, node in enumerate(nodes, start=1):
        label = node.label
        # Where not the first player moves, the number stands at the beginning of a line alone.
        if number == 1 or "…" not in label:
            yield f" {words(label)}"
        yield f' <button type="button" data-at="{number}">{words(node.text + node.glyph)}</button>'
        if node.comment:
            yield f" <i>{words(node.comment)}</i>"
