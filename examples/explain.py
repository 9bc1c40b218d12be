"""Say everything that is wrong with the texts given as arguments, or with those of positions.txt."""

import sys
from pathlib import Path

import forsyth

POSITIONS = Path(__file__).with_name("positions.txt")


def main() -> None:
    """Explain each text, then count."""
    texts = sys.argv[1:] or POSITIONS.read_text(encoding="utf-8").splitlines()
    wrong = 0
    for text in texts:
        reading = forsyth.check(text)
        wrong += not reading.ok
        print("ok " if reading.ok else "bad", text)
        for finding in reading.diagnostics:
            print(f"    {finding.severity}[{finding.code}] at {finding.span.start}: {finding.message}")
    print(f"{len(texts)} text{'s' if len(texts) != 1 else ''}, {wrong} with errors")


if __name__ == "__main__":
    main()
