"""Lines of moves as an animated PNG, from the library, the command line and the service."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

import forsyth
from forsyth import draw, registry
from forsyth.cli.app import forsyth as command_line
from forsyth.match import Match
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
    assert [one[1:5] for one in controls] == [(*size, 0, 0)] * 3
    assert [one[5] / one[6] for one in controls] == [0.5, 0.5, 1.0]
    frames: list[bytes] = []
    for kind, data in found:
        if kind == b"fcTL":
            frames.append(b"")
        elif kind == b"fdAT":
            frames[-1] += data[4:]
    shown = [draw.png(Match(game, position), size=120) for position in positions_of(match)]
    assert [zlib.decompress(one) for one in frames] == [pixels(one) for one in shown]
    still = b"".join(data for kind, data in found if kind == b"IDAT")
    assert zlib.decompress(still) == pixels(shown[-1]), "a viewer without animation shows the end"


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
