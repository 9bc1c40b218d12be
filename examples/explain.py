"""Print every finding of the texts given as arguments, or of those in positions.txt."""

import sys
from pathlib import Path

import forsyth

POSITIONS = Path(__file__).with_name("positions.txt")


def main() -> None:
    """Print the findings of each text, then the number of texts with errors."""
    texts = sys.argv[1:] or POSITIONS.read_text(encoding="utf-8").splitlines()
    error_count = 0
    for text in texts:
        reading = forsyth.check(text)
        error_count += not reading.ok
        print("ok " if reading.ok else "bad", text)
        for finding in reading.diagnostics:
            print(f"    {finding.severity}[{finding.code}] at {finding.span.start}: {finding.message}")
    print(f"{len(texts)} text{'s' if len(texts) != 1 else ''}, {error_count} with errors")


if __name__ == "__main__":
    main()
