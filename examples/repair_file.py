"""Read a file with one text per line, and write the canonical form of every text that can be repaired.

    python examples/repair_file.py examples/positions.txt clean.txt

Each repair and each refusal is printed with its line number.
"""

import sys
from pathlib import Path

import forsyth


def main(source: Path, target: Path) -> None:
    """Write the repaired texts of the file `source` to the file `target`."""
    with source.open(encoding="utf-8") as texts, target.open("w", encoding="utf-8") as repaired:
        for number, line in enumerate(texts, start=1):
            reading = forsyth.check(line.rstrip("\n"), mode="lenient")
            if reading.ok:
                repaired.write(f"{reading.position}\n")
            verdict = "repaired" if reading.ok else "refused"
            for finding in reading.diagnostics:
                print(f"line {number}, {verdict}: {finding.code}: {finding.message}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: repair_file.py SOURCE TARGET")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
