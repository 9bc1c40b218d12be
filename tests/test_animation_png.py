"""Lines of moves as an animated PNG, from the library, the command line and the service."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

import forsyth
from forsyth import draw, registry
from forsyth.cli.app import forsyth as command_line
from forsyth.draw.animation import build_frame_scenes
from forsyth.draw.animation_png import render_frames
from forsyth.draw.patches import Patch, draw_patches
from forsyth.match import Match
from forsyth.scene import Pointer
from forsyth.server.app import create_app
from forsyth.server.problems import Problem
from forsyth.server.routes import animations
from forsyth.server.settings import Settings
from forsyth.store import MemoryStore

CHESS = forsyth.game("chess")
START = CHESS.parse(CHESS.start)
LINE = "1. e4 e5 2. Nf3"


def chunks(file: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a PNG, each with its sum checked."""
    assert file[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(file):
        length, kind = struct.unpack_from(">I4s", file, at)
        data = file[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", file, at + 8 + length) == (zlib.crc32(kind + data),)
        yield kind, data
        at += length + 12


def pixels(file: bytes) -> bytes:
    return zlib.decompress(b"".join(data for kind, data in chunks(file) if kind == b"IDAT"))


@pytest.mark.parametrize("name", registry.games())
def test_an_animated_png_has_a_picture_of_every_position(name: str) -> None:
    """It is taken apart by the rules of APNG: what is in it are the pictures of the positions."""
    game = registry.game(name)
    match = Match(game)
    for _ in range(2):
        match.play(game.write_move(match.position, game.moves(match.position)[0]))
    found = list(chunks(draw.animation_png(match, seconds=0.5, size=120, last=False)))
    kinds = [kind for kind, _ in found]
    assert kinds[:3] == [b"IHDR", b"acTL", b"IDAT"] and kinds[-1] == b"IEND"
    assert struct.unpack(">II", found[1][1]) == (3, 0)
    numbered = [data for kind, data in found if kind in (b"fcTL", b"fdAT")]
    assert [struct.unpack_from(">I", data)[0] for data in numbered] == list(range(len(numbered)))
    controls = [struct.unpack(">IIIIIHHBB", data) for kind, data in found if kind == b"fcTL"]
    size = struct.unpack_from(">II", found[0][1])
    assert [one[1:5] for one in (controls[0], controls[-1])] == [(*size, 0, 0)] * 2
    assert [one[5] / one[6] for one in controls] == [0.5, 0.5, 1.0]
    shown = [draw.png(Match(game, position), size=120) for position in positions_of(match)]
    still = b"".join(data for kind, data in found if kind == b"IDAT")
    assert zlib.decompress(still) == pixels(shown[-1]), "a viewer without animation shows the end"


def decoded(compressed: bytes, width: int, height: int) -> list[bytearray]:
    """The rows of a PNG of four bytes a pixel, as the specification says how to read them."""
    filtered = zlib.decompress(compressed)
    length = 4 * width
    assert len(filtered) == height * (length + 1)
    rows: list[bytearray] = []
    above = bytearray(length)
    for start in range(0, len(filtered), length + 1):
        kind, row = filtered[start], bytearray(filtered[start + 1 : start + 1 + length])
        for at in range(length):
            left, corner = (row[at - 4], above[at - 4]) if at >= 4 else (0, 0)
            row[at] = (row[at] + predicted(kind, left, above[at], corner)) & 255
        rows.append(row)
        above = row
    return rows


def predicted(kind: int, left: int, above: int, corner: int) -> int:
    if kind < 4:
        return (0, left, above, (left + above) // 2)[kind]
    nearest = left + above - corner
    return min(left, above, corner, key=lambda value: abs(nearest - value))


def played(file: bytes) -> Iterator[list[bytearray]]:
    """What a viewer shows of an animated PNG, frame by frame, by the rules of APNG."""
    canvas: list[bytearray] = []
    control: tuple[int, ...] = ()
    data = b""
    for kind, content in [*chunks(file), (b"fcTL", b"")]:
        if kind == b"fdAT":
            data += content[4:]
        if kind != b"fcTL":
            continue
        if control:
            _, width, height, left, top, _, _, disposal, blending = control
            assert disposal == 0
            rows = decoded(data, width, height)
            if not canvas:
                assert (left, top, blending) == (0, 0, 0)
                canvas = rows
            for number, row in enumerate(rows, top):
                for at in range(0, 4 * width, 4):
                    assert row[at + 3] in (0, 255)
                    if row[at + 3]:
                        place = 4 * left + at
                        canvas[number][place : place + 4] = row[at : at + 4]
            yield [bytearray(row) for row in canvas]
        control = struct.unpack(">IIIIIHHBB", content) if content else ()
        data = b""


@pytest.mark.parametrize("size", [100, 420])
@pytest.mark.parametrize("name", registry.games())
def test_what_changes_is_drawn_as_in_a_whole_picture(name: str, size: int) -> None:
    """Half-transparent pixels at the edges of what is drawn may differ, where a line crosses them."""
    game = registry.game(name)
    options: Any = {"coordinates": "inside", "flip": True} if size == 100 else {}
    match = Match(game)
    random = Random(5)
    for _ in range(4 if size == 100 else 2):
        match.play(game.write_move(match.position, random.choice(list(game.moves(match.position)))))
    scenes = build_frame_scenes(match, **options)
    width, height = max(scene.width for scene in scenes), max(scene.height for scene in scenes)
    shown = list(played(draw.animation_png(match, size=size, **options)))
    assert len(shown) == len(scenes)
    for scene, rows in zip(scenes, shown, strict=True):
        whole = draw.png(replace(scene, width=width, height=height), size=size)
        extent = struct.unpack_from(">II", next(chunks(whole))[1])
        expected = b"".join(
            decoded(b"".join(data for kind, data in chunks(whole) if kind == b"IDAT"), *extent)
        )
        found = b"".join(rows)
        differences = [abs(one - other) for one, other in zip(found, expected, strict=True) if one != other]
        assert len(differences) <= len(expected) / 1000
        assert max(differences, default=0) <= 64


def test_every_frame_was_a_whole_picture() -> None:
    """A line of 60 moves took two seconds of processor time."""
    frames = list(render_frames(build_frame_scenes(Match(CHESS).copy()), 480, "light"))
    assert [type(frame) for frame in frames] == [bytes]
    match = Match(CHESS)
    for move in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]:
        match.play(move)
    first, *patches, last = render_frames(build_frame_scenes(match), 480, "light")
    assert isinstance(first, bytes) and isinstance(last, bytes)
    for patch in patches:
        assert isinstance(patch, Patch)
        drawn = sum(any(row[3::4]) for row in decoded(patch.pixels, patch.width, patch.height))
        assert drawn < patch.height or patch.height < 300, "squares and a caption, not all between them"
        assert len(patch.pixels) < len(first) / 2


def test_scenes_that_differ_in_more_than_squares_are_drawn_whole() -> None:
    scene = draw.scene(START)
    for other in (
        replace(scene, areas=()),
        replace(scene, pointers=(Pointer("e2", "e4", "last"),)),
        replace(scene, areas=(replace(scene.areas[0], columns=9),)),
        replace(scene, areas=(replace(scene.areas[0], cells=scene.areas[0].cells[1:]),)),
    ):
        assert list(draw_patches([scene, other], 100, "light")) == [None]
    (patch,) = draw_patches([scene, scene], 100, "light")
    assert patch is not None and patch[:4] == (0, 0, 1, 1)


def positions_of(match: Match) -> list[Any]:
    return [match.start, *(ply.after for ply in match)]


def test_an_animated_png_is_as_the_svg_in_what_it_refuses() -> None:
    with pytest.raises(ValueError, match=r"expected 0\.1 to 60 seconds"):
        draw.animation_png(START, ["e4"], seconds=61)
    with pytest.raises(forsyth.MoveError):
        draw.animation_png(START, ["e5"])
    with pytest.raises(ValueError, match="theme of a PNG"):
        draw.animation_png(START, ["e4"], theme="auto")  # type: ignore[arg-type]


def test_the_command_line_writes_it(tmp_path: Path) -> None:
    file = tmp_path / "line.png"
    told = ["draw", "--game", "chess", "--animate", LINE, "--size", "100", "-o", str(file), "start"]
    result = CliRunner().invoke(command_line, told)
    assert (result.exit_code, result.output) == (0, "")
    assert file.read_bytes() == draw.animation_png(START, LINE, size=100)


# --- over HTTP --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(Settings(), MemoryStore()), base_url="http://localhost") as client:
        yield client


def ask(client: TestClient, kind: str, **query: Any) -> Any:
    given = {"text": CHESS.start, "moves": LINE, **query}
    return client.get(f"/api/v1/animation.{kind}", params=given)


def test_the_service_draws_lines(client: TestClient) -> None:
    svg = ask(client, "svg", size=100, seconds=2, flip=True)
    assert svg.headers["content-type"].startswith("image/svg+xml")
    assert "max-age" in svg.headers["cache-control"]
    assert svg.text == draw.animation(START, LINE, size=100, seconds=2, flip=True)
    png = ask(client, "png", size=100, circle=["e4:red"], coordinates="none", look="letters")
    assert png.headers["content-type"] == "image/png"
    same = draw.animation_png(START, LINE, size=100, circles=["e4:red"], coordinates="none", look="letters")
    assert png.content == same
    assert ask(client, "svg", text="start", game="shogi", moves="P-7f").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("kind", "query", "code"),
    [
        ("svg", {"moves": "e4 e4"}, "ILLEGAL_MOVE"),
        ("svg", {"seconds": 61}, "BAD_TYPE"),
        ("svg", {"text": "?"}, "GAME_UNKNOWN"),
        ("svg", {"circle": "z9"}, "NOT_DRAWABLE"),
        ("svg", {"look": "glass"}, "UNKNOWN_LOOK"),
        ("svg", {"moves": "Nf3 " * 601}, "NOT_DRAWABLE"),
        ("png", {"moves": "Nf3 Nf6 Ng1 Ng8 " * 16}, "NOT_DRAWABLE"),
        ("png", {"size": 641}, "NOT_DRAWABLE"),
        ("png", {"circle": "z9"}, "NOT_DRAWABLE"),
    ],
)
def test_the_service_says_what_it_does_not_draw(
    client: TestClient, kind: str, query: dict[str, Any], code: str
) -> None:
    answer = ask(client, kind, **query)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_drawing_ends_when_nobody_waits(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def gone() -> None:
        asked.append(len(asked))
        if len(asked) == 2:
            raise Problem(503, "TIMEOUT", "nobody is waiting for the answer")

    monkeypatch.setattr(animations, "stop_if_abandoned", gone)
    assert ask(client, "png", size=50).status_code == 503
    assert len(asked) == 2, "two of the four pictures were drawn"
