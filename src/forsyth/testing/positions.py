"""Checks of positions: text, key and packed form, drawing, queries and mirroring."""

from __future__ import annotations

import json
import re
from typing import Any, Final
from xml.etree import ElementTree

from forsyth import draw
from forsyth.abilities import DataText, PositionData
from forsyth.arguments import quoted
from forsyth.game import Game, M, P
from forsyth.queries import Mirrorable, Queryable, map_cell_symbols
from forsyth.scene import Scene
from forsyth.testing.promise import call_or_none, require, require_refusal

_PADDING_SIZES: Final = (1, 3, 8, 64)
"""Numbers of zero bytes that are appended to a packed form.

They are smaller and greater than any part that a packed form may omit.
"""


def require_identity(game: Game[P, M], position: P) -> None:
    """Check that a position can be restored from its text, its packed form (bytes) and its data (JSON).

    The key must be the same for equal positions, and the canonical text must be valid in strict mode. Raise
    `AssertionError` if a check fails.
    """
    text = str(position)
    require(game.write(position) == text, game, f"write and str() of {quoted(text)} differ")
    reading = game.read(text, mode="strict")
    require(reading.ok, game, f"the canonical text {quoted(text)} has errors in strict mode")
    restored = reading.require()
    require(
        is_same_position(game, restored, position),
        game,
        f"the canonical text {quoted(text)} is read as another position",
    )
    restored_again = game.read(text).require()
    are_equal = restored_again == restored and hash(restored_again) == hash(restored)
    require(are_equal, game, f"reading {quoted(text)} twice returns positions that are not equal")
    _require_styles(game, position)
    key = game.key(position)
    require(
        re.fullmatch("[0-9a-f]{32}", key), game, f"the key is {quoted(key)}, expected 32 hexadecimal digits"
    )
    require(key == position.key == game.key(restored), game, f"{quoted(text)} has different keys")
    _require_packed(game, position)
    _require_data(game, position, text)


def is_same_position(game: Game[P, M], a: P, b: P) -> bool:
    """Return True if two positions have the same text and key.

    Such positions may still be unequal, because a text need not contain earlier moves, such as the steps of a
    turn that is not finished.
    """
    return str(a) == str(b) and game.key(a) == game.key(b)


def _require_styles(game: Game[P, M], position: P) -> None:
    """Check that writing a position in each style of the game returns a text or raises `ValueError`.

    An unknown style must raise `ValueError`. Raise `AssertionError` if a check fails.
    """
    for style in game.styles:
        text = call_or_none(game, f"writing in style {style}", ValueError, game.write, position, style)
        is_text = text is None or isinstance(text, str)
        require(is_text, game, f"writing in style {style} returns {quoted(text)}, expected text")
    description = "writing in a style that does not exist"
    require_refusal(game, description, ValueError, game.write, position, "no such style")


def _require_packed(game: Game[P, M], position: P) -> None:
    """Check that the packed form of a position, its bytes, restores the position.

    Changed bytes must raise `ValueError` or be the packed form of another position. Raise `AssertionError` if
    a check fails.
    """
    packed = game.pack(position)
    require(packed == position.packed, game, "pack(position) and position.packed differ")
    unpacked = game.unpack(packed)
    require(
        is_same_position(game, unpacked, position),
        game,
        f"the packed form of {quoted(str(position))} is unpacked as another position",
    )
    for size in _PADDING_SIZES:
        description = "unpacking a packed form followed by zeros"
        require_refusal(game, description, ValueError, game.unpack, packed + bytes(size))
    for data in _make_changed_forms(packed):
        unpacked_position = call_or_none(game, "unpacking changed bytes", ValueError, game.unpack, data)
        require(
            unpacked_position is None or game.pack(unpacked_position) == data,
            game,
            f"the bytes {data.hex()} can be unpacked, but packing the position gives other bytes",
        )


def _make_changed_forms(packed: bytes) -> list[bytes]:
    """Return bytes that are similar to a packed form: cut, empty, all ones, or with one inverted byte."""
    changed_forms = [packed[:-1], packed[1:], b"", b"\xff" * len(packed)]
    for index, byte in enumerate(packed):
        inverted_byte = bytes([byte ^ 0xFF])
        changed_forms.append(packed[:index] + inverted_byte + packed[index + 1 :])
    return changed_forms


def _require_data(game: Game[P, M], position: P, text: str) -> None:
    """Check that the structured data of a position can be written as JSON and restores the position.

    A game without structured data passes. `text` is the canonical text of the position. Raise
    `AssertionError` if a check fails.
    """
    if not isinstance(game, PositionData):
        return
    data: dict[str, Any] = json.loads(json.dumps(game.as_data(position, text)))
    if isinstance(game, DataText):
        restored = game.read(game.text_of_data(data)).position
        require(restored == position, game, f"the data of {quoted(text)} is read as another position")


def require_views(game: Game[P, M], position: P) -> None:
    """Check that a position can be drawn, with a marked cell and flipped, as text and as SVG.

    Also check `side_to_move`, and `diff`, which compares the position with itself and with the start. Raise
    `AssertionError` if a check fails.
    """
    scene = game.scene(position)
    cells = list_cells(scene)
    require(len(set(cells)) == len(cells), game, "two cells of a scene have the same id")
    require(draw.text(scene).strip(), game, "the drawing of a position as text is empty")
    _require_marked_scene(game, position, cells)
    require(game.side_to_move(position), game, "side_to_move returns an empty text, expected a name")
    require(game.diff(position, position).same, game, "diff finds differences of a position from itself")
    start = game.parse(game.start)
    agrees = game.diff(start, position).same == (start == position)
    require(agrees, game, f"diff and == disagree about the start and {quoted(str(position))}")


def _require_marked_scene(game: Game[P, M], position: P, cells: list[str]) -> None:
    """Check the drawing of a position that is flipped, with a mark and a note at its first cell.

    `cells` are the ids of all cells of its normal drawing. Raise `AssertionError` if a check fails.
    """
    marked_cell = cells[0]
    marked_scene = game.scene(
        position, marks={marked_cell: "error"}, notes={marked_cell: "a note"}, flip=True
    )
    require(sorted(list_cells(marked_scene)) == sorted(cells), game, "the flipped scene has different cells")
    marked_cells = [cell.id for area in marked_scene.areas for cell in area.cells if cell.mark == "error"]
    # A square may consist of several cells, such as f0, f0.1 and f0.2.
    marked_squares = {cell.partition(".")[0] for cell in marked_cells}
    require(
        marked_squares == {marked_cell},
        game,
        f"the scene marks {sorted(marked_squares)}, expected the square {marked_cell}",
    )
    # Parsing the SVG raises an error if it is not well-formed XML.
    ElementTree.fromstring(draw.svg(marked_scene))


def require_answers(game: Game[P, M], position: P) -> None:
    """Check that `piece_map`, `material` and `targets` of a position agree with its drawing.

    A position without these methods passes. Raise `AssertionError` if a check fails.
    """
    if not isinstance(position, Queryable):
        return
    symbols = map_cell_symbols(game.scene(position))
    pieces = position.piece_map()
    require(all(symbols.get(square) for square in pieces), game, "piece_map lists an empty square")
    require(all(pieces.values()), game, "piece_map lists a square without a piece")
    material = position.material()
    require(all(count > 0 for count in material.values()), game, "material has a count below 1")
    require(bool(material) or not pieces, game, "material is empty, but there are pieces on the board")
    square = next(iter(symbols))
    require(
        set(position.targets(square)) <= set(symbols),
        game,
        f"a target of {square} is not a square of the scene",
    )
    description = "listing the targets of a square that does not exist"
    require_refusal(game, description, ValueError, position.targets, "no such place")


def require_mirror(game: Game[P, M], position: P) -> None:
    """Check that exchanging the sides twice restores a position and keeps the number of its moves.

    A position that cannot be mirrored passes. Raise `AssertionError` if a check fails.
    """
    if not isinstance(position, Mirrorable):
        return
    mirrored = call_or_none(game, "exchanging the sides", ValueError, position.mirror)
    if mirrored is None:
        return
    text = quoted(str(position))
    require(mirrored.mirror() == position, game, f"exchanging the sides of {text} twice changes it")
    has_same_count = len(game.moves(mirrored)) == len(game.moves(position))
    require(has_same_count, game, f"exchanging the sides of {text} changes the number of legal moves")


def list_cells(scene: Scene) -> list[str]:
    """Return the ids of all cells of a drawing, such as ``e4``, in the order in which they are drawn."""
    return [cell.id for area in scene.areas for cell in area.cells]
