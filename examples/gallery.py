"""Draws the gallery of the documentation: `docs/gallery.md` and its pictures.

    python examples/gallery.py

Every picture is made with the line of Python that stands below it on the page.
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


class Shown(NamedTuple):
    """One picture: the name of its file, what a reader who cannot see it is told, the call, its names."""

    file: str
    words: str
    call: str
    names: dict[str, Any]


def every_game() -> Iterator[Shown]:
    """A position of each game as it is drawn without options."""
    for name in forsyth.games():
        game = forsyth.game(name)
        text = game.names.get("midgame", game.start)
        names = {"position": game.parse(text)}
        yield Shown(name, f"A position of {game.title}", "draw.svg(position, size=400)", names)


def looks() -> Iterator[Shown]:
    """Sets of pieces and boards."""
    chess, shogi = forsyth.game("chess"), forsyth.game("shogi")
    middle = "r1bq1rk1/pp3ppp/2n1pn2/2bp4/2P5/P1N1PN2/1PQ2PPP/R1B1KB1R w KQ - 0 9"
    names = {"chess": chess.parse(middle), "shogi": shogi.parse(shogi.names["midgame"])}
    for look, board in zip(chess.looks, ("green", "blue", "brown"), strict=True):
        call = (
            f'draw.svg(chess, look="{look}", board="{board}", coordinates="inside", captions=False, size=300)'
        )
        yield Shown(f"chess-{look}", f"Pieces called {look} on a {board} board", call, names)
    call = 'draw.svg(shogi, look="letters", board="paper", coordinates="none", flip=True, size=360)'
    yield Shown("shogi-letters", "Shogi in letters, seen from the other side", call, names)


def drawings() -> Iterator[Shown]:
    """Arrows, circles, highlights, the last move, check, findings."""
    match = forsyth.Match("chess")
    for move in ("e4", "e5", "Nf3", "d6", "Bc4", "Bg4", "Nc3", "g6", "Nxe5", "Bxd1", "Bxf7+"):
        match.play(move)
    call = (
        'draw.svg(match, last=True, check=True, arrows=["e5f7:red", "c3d5"], circles=["d1:blue"],\n'
        '         highlights={"e8": "orange"}, notes={"d1": "the queen was here"}, size=400)'
    )
    yield Shown("arrows", "Arrows, a circle, the last move and a king in check", call, {"match": match})
    reading = forsyth.check("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQK2P w KQkq e6 0 2", "chess")
    yield Shown("findings", "Squares with findings", "draw.svg(reading, size=400)", {"reading": reading})
    xiangqi = forsyth.game("xiangqi")
    names = {"position": xiangqi.parse(xiangqi.start)}
    call = 'draw.svg(position, arrows=["h3e3:green", "h10g8:red"], circles=["e7"], size=400)'
    yield Shown("xiangqi-arrows", "Arrows on a board of xiangqi", call, names)


def lines() -> Iterator[Shown]:
    """Lines of moves that play by themselves."""
    chess, cotulenh = forsyth.game("chess"), forsyth.game("cotulenh")
    names = {"chess": chess.new_game(), "cotulenh": cotulenh.new_game()}
    moves = "1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5#"
    call = f'draw.animation(chess, "{moves}",\n               check=True, size=400)'
    yield Shown("legal-mate", "Seven moves of chess, one after the other", call, names)
    match = forsyth.Match(cotulenh)
    for number in range(6):
        match.play(match.moves()[number * 17 % len(match.moves())])
    call = f'draw.animation(cotulenh, "{" ".join(ply.text for ply in match)}", seconds=1.5, size=400)'
    yield Shown("cotulenh-line", "Six moves of CoTuLenh", call, names)


SECTIONS = {
    "Every game": every_game,
    "Looks and boards": looks,
    "Arrows, circles, marks": drawings,
    "Lines of moves": lines,
}


def pages() -> Iterator[tuple[str, str]]:
    """The files below `docs` and what they hold."""
    text = [HEAD]
    for title, section in SECTIONS.items():
        text.append(f"## {title}\n")
        for shown in section():
            name = f"{FOLDER}/{shown.file}.svg"
            yield name, eval(shown.call, {"draw": draw}, shown.names)  # noqa: S307  # what is shown is what is run
            text.append(f"![{shown.words}]({name})\n\n```text\n{shown.call}\n```\n")
    yield "gallery.md", "\n".join(text)


def main() -> None:
    """Write all of it."""
    for name, content in pages():
        path = DOCS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")
        sys.stdout.write(f"{name}: {len(content)} characters\n")


if __name__ == "__main__":
    main()
