"""Draw the gallery of the documentation: `docs/gallery.md` and its pictures.

    python examples/gallery.py

The page shows below each picture the Python call that draws it.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import forsyth
from forsyth import draw

DOCS = Path(__file__).resolve().parents[1] / "docs"
FOLDER = "assets/gallery"
HEAD = """# Gallery

Made by `python examples/gallery.py` with [`forsyth.draw`](library.md#drawing). All pictures are SVG and
follow the theme of their page; `forsyth draw` makes them on the command line, `draw.png` makes PNG of them.
"""


class Picture(NamedTuple):
    """Picture of the gallery: file name, alternative text, the call that draws it, and its variables."""

    file: str
    alt_text: str
    call: str
    names: dict[str, Any]


def draw_every_game() -> Iterator[Picture]:
    """Yield a picture of each game, drawn without options."""
    for name in forsyth.games():
        game = forsyth.game(name)
        text = game.names.get("midgame", game.start)
        names = {"position": game.parse(text)}
        yield Picture(name, f"A position of {game.title}", "draw.svg(position, size=400)", names)


def draw_looks() -> Iterator[Picture]:
    """Yield pictures of the piece sets with different boards."""
    chess, shogi = forsyth.game("chess"), forsyth.game("shogi")
    middle = "r1bq1rk1/pp3ppp/2n1pn2/2bp4/2P5/P1N1PN2/1PQ2PPP/R1B1KB1R w KQ - 0 9"
    names = {"chess": chess.parse(middle), "shogi": shogi.parse(shogi.names["midgame"])}
    for look, board in zip(chess.looks, ("green", "blue", "brown"), strict=True):
        call = (
            f'draw.svg(chess, look="{look}", board="{board}", coordinates="inside", captions=False, size=300)'
        )
        yield Picture(f"chess-{look}", f"Pieces called {look} on a {board} board", call, names)
    call = 'draw.svg(shogi, look="letters", board="paper", coordinates="none", flip=True, size=360)'
    yield Picture("shogi-letters", "Shogi in letters, seen from the other side", call, names)


def draw_marks() -> Iterator[Picture]:
    """Yield pictures with arrows, circles, highlights, the last move, a check, and findings."""
    match = forsyth.Match("chess")
    for move in ("e4", "e5", "Nf3", "d6", "Bc4", "Bg4", "Nc3", "g6", "Nxe5", "Bxd1", "Bxf7+"):
        match.play(move)
    call = (
        'draw.svg(match, last=True, check=True, arrows=["e5f7:red", "c3d5"], circles=["d1:blue"],\n'
        '         highlights={"e8": "orange"}, notes={"d1": "the queen was here"}, size=400)'
    )
    yield Picture("arrows", "Arrows, a circle, the last move and a king in check", call, {"match": match})
    reading = forsyth.check("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQK2P w KQkq e6 0 2", "chess")
    yield Picture("findings", "Squares with findings", "draw.svg(reading, size=400)", {"reading": reading})
    xiangqi = forsyth.game("xiangqi")
    names = {"position": xiangqi.parse(xiangqi.start)}
    call = 'draw.svg(position, arrows=["h3e3:green", "h10g8:red"], circles=["e7"], size=400)'
    yield Picture("xiangqi-arrows", "Arrows on a board of xiangqi", call, names)


def draw_animations() -> Iterator[Picture]:
    """Yield animated pictures that play lines of moves."""
    chess, cotulenh = forsyth.game("chess"), forsyth.game("cotulenh")
    names = {"chess": chess.new_game(), "cotulenh": cotulenh.new_game()}
    moves = "1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5#"
    call = f'draw.animation(chess, "{moves}",\n               check=True, size=400)'
    yield Picture("legal-mate", "Seven moves of chess, one after the other", call, names)
    match = forsyth.Match(cotulenh)
    for number in range(6):
        match.play(match.moves()[number * 17 % len(match.moves())])
    call = f'draw.animation(cotulenh, "{" ".join(ply.text for ply in match)}", seconds=1.5, size=400)'
    yield Picture("cotulenh-line", "Six moves of CoTuLenh", call, names)


SECTIONS = {
    "Every game": draw_every_game,
    "Looks and boards": draw_looks,
    "Arrows, circles, marks": draw_marks,
    "Lines of moves": draw_animations,
}


def build_files() -> Iterator[tuple[str, str]]:
    """Yield the path of each file below `docs` and its content."""
    text = [HEAD]
    for title, section in SECTIONS.items():
        text.append(f"## {title}\n")
        for picture in section():
            name = f"{FOLDER}/{picture.file}.svg"
            # The call is evaluated, so that the page shows exactly the code that drew the picture.
            yield name, eval(picture.call, {"draw": draw}, picture.names)  # noqa: S307
            text.append(f"![{picture.alt_text}]({name})\n\n```text\n{picture.call}\n```\n")
    yield "gallery.md", "\n".join(text)


def main() -> None:
    """Write the page and its pictures, and print the size of each file."""
    for name, content in build_files():
        path = DOCS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")
        sys.stdout.write(f"{name}: {len(content)} characters\n")


if __name__ == "__main__":
    main()
