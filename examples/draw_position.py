"""Draw a position as SVG, and mark and explain every square that has a finding.

python examples/draw_position.py '4k3/8/8/8/8/8/4R3/4K3 w - - 0 1' board.svg
"""

import sys
from pathlib import Path

import forsyth


def main(text: str, target: Path) -> None:
    """Draw the position of `text` into the file `target`. Exit with the findings if it cannot be read."""
    reading = forsyth.check(text)
    if reading.game is None or reading.position is None:
        sys.exit(str(reading))
    findings = {finding.square: finding for finding in reading.diagnostics if finding.square is not None}
    scene = forsyth.game(reading.game).scene(
        reading.position,
        marks={square: finding.severity.value for square, finding in findings.items()},
        notes={square: finding.message for square, finding in findings.items()},
    )
    target.write_text(forsyth.draw.svg(scene, size=480), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: draw_position.py TEXT FILE.svg")
    main(sys.argv[1], Path(sys.argv[2]))
