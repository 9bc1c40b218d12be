"""Identity and views: text, key and packed form say the same position; scenes can be drawn."""

from __future__ import annotations

import json
import re
from typing import Any, Final
from xml.etree import ElementTree

from forsyth import draw
from forsyth.abilities import DataText, PositionData
from forsyth.arguments import quoted
from forsyth.asking import Askable, Mirrored, symbols_on
from forsyth.game import Game, M, P
from forsyth.scene import Scene
from forsyth.testing.promise import attempted, require, require_refusal

_ENDINGS: Final = (1, 3, 8, 64)
"""How many zeros follow a packed form: fewer and more than any part that a form may leave out."""


def require_identity(game: Game[P, M], position: P) -> None:
    """Hold a position to what its text, key and packed form promise."""
    text = str(position)
    require(game.write(position) == text, game, f"write and str() of {quoted(text)} differ")
    reading = game.read(text, mode="strict")
    require(reading.ok, game, f"strict mode refuses {quoted(text)}, which was written")
    again = reading.require()
    require(alike(game, again, position), game, f"{quoted(text)} is read as another position")
    twin = game.read(text).require()
    equal = twin == again and hash(twin) == hash(again)
    require(equal, game, f"{quoted(text)} is read as two positions that are not equal")
    _require_styles(game, position)
    key = game.key(position)
    require(re.fullmatch("[0-9a-f]{32}", key), game, f"{quoted(key)} is no key of 32 hexadecimal digits")
    require(key == position.key == game.key(again), game, f"{quoted(text)} has two keys")
    _require_packed(game, position)
    _require_data(game, position, text)


def alike(game: Game[P, M], a: P, b: P) -> bool:
    """Whether two positions are the same to everybody but those who take moves back.

    Not whether they are equal: a text need not say what was before, as in an open turn of several steps.
    """
    return str(a) == str(b) and game.key(a) == game.key(b)


def _require_styles(game: Game[P, M], position: P) -> None:
    for style in game.styles:
        written = attempted(game, f"writing in style {style}", ValueError, game.write, position, style)
        require(written is None or isinstance(written, str), game, f"the style {style} gives no text")
    require_refusal(game, "a style that does not exist", ValueError, game.write, position, "no such style")


def _require_packed(game: Game[P, M], position: P) -> None:
    form = game.pack(position)
    require(form == position.packed, game, "pack and packed differ")
    unpacked = game.unpack(form)
    require(alike(game, unpacked, position), game, f"the form of {quoted(str(position))} is another's")
    for zeros in _ENDINGS:
        require_refusal(game, "a packed form followed by zeros", ValueError, game.unpack, form + bytes(zeros))
    broken = [form[:-1], form[1:], b"", b"\xff" * len(form)]
    broken += [form[:at] + bytes([form[at] ^ 0xFF]) + form[at + 1 :] for at in range(len(form))]
    for data in broken:
        found = attempted(game, "unpacking other bytes", ValueError, game.unpack, data)
        require(found is None or game.pack(found) == data, game, f"{data.hex()} is not packed as it was")


def _require_data(game: Game[P, M], position: P, text: str) -> None:
    if not isinstance(game, PositionData):
        return
    data: dict[str, Any] = json.loads(json.dumps(game.as_data(position, text)))
    if isinstance(game, DataText):
        again = game.read(game.text_of_data(data)).position
        require(again == position, game, f"the data of {quoted(text)} is another position's")


def require_views(game: Game[P, M], position: P) -> None:
    """Hold a position to what can be drawn of it and how it differs from itself and from the start."""
    scene = game.scene(position)
    cells = cells_of(scene)
    require(len(set(cells)) == len(cells), game, "two cells of a scene have one id")
    noted = game.scene(position, marks={cells[0]: "error"}, notes={cells[0]: "a note"}, flip=True)
    require(sorted(cells_of(noted)) == sorted(cells), game, "a scene from the other side has other cells")
    marked = [cell for area in noted.areas for cell in area.cells if cell.mark == "error"]
    # A place may be several cells, such as f0, f0.1 and f0.2.
    places = {cell.id.partition(".")[0] for cell in marked}
    require(places == {cells[0]}, game, f"the mark of {cells[0]} is not in the scene, or others are")
    require(draw.text(scene).strip(), game, "nothing is drawn as text")
    ElementTree.fromstring(draw.svg(noted))
    require(game.side_to_move(position), game, "nobody is to move")
    require(game.diff(position, position).same, game, "a position differs from itself")
    start = game.parse(game.start)
    alike = game.diff(start, position).same == (start == position)
    require(alike, game, f"diff and == disagree about the start and {quoted(str(position))}")


def require_answers(game: Game[P, M], position: P) -> None:
    """Hold what a position says of itself to its scene and its moves."""
    if not isinstance(position, Askable):
        return
    scene = game.scene(position)
    shown = symbols_on(scene)
    men = position.piece_map()
    require(all(shown.get(place) for place in men), game, "piece_map names a place where nothing stands")
    require(all(men.values()), game, "piece_map names a place without saying what stands there")
    counts = position.material()
    require(all(number > 0 for number in counts.values()), game, "material counts what is not there")
    require(bool(counts) >= bool(men), game, "material counts nothing, but something stands on the board")
    place = next(iter(shown))
    require(set(position.targets(place)) <= set(shown), game, f"a target of {place} is no place of the scene")
    require_refusal(game, "a place that does not exist", ValueError, position.targets, "no such place")


def require_mirror(game: Game[P, M], position: P) -> None:
    """Hold a position to its twin with the sides exchanged, where it has one."""
    if not isinstance(position, Mirrored):
        return
    twin = attempted(game, "exchanging the sides", ValueError, position.mirror)
    if twin is None:
        return
    require(
        twin.mirror() == position, game, f"exchanging the sides of {quoted(str(position))} twice changes it"
    )
    same = len(game.moves(twin)) == len(game.moves(position))
    require(same, game, f"{quoted(str(position))} has other moves with the sides exchanged")


def cells_of(scene: Scene) -> list[str]:
    """The ids of the cells of a scene, in order."""
    return [cell.id for area in scene.areas for cell in area.cells]
