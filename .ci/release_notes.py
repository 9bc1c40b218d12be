"""Prints the notes of a release: `release_notes.py v0.2.0`.

They are the section of that version in CHANGELOG.md. Ends with a sentence where the tag, the version in
pyproject.toml and the changelog do not agree.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def notes(tag: str, changelog: str, version: str) -> str:
    """The section of a version, without its heading; raises ValueError with a sentence."""
    if tag != f"v{version}":
        raise ValueError(f"The tag is {tag}, and pyproject.toml has version {version}.")
    heading = rf"^## {re.escape(version)}\b.*$"
    parts = re.split(heading, changelog, maxsplit=1, flags=re.MULTILINE)
    if len(parts) == 1:
        raise ValueError(f"CHANGELOG.md has no section {version}.")
    return re.split(r"^## ", parts[1], maxsplit=1, flags=re.MULTILINE)[0].strip()


def main() -> None:
    """Print the notes, or say what does not agree."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    try:
        text = notes(sys.argv[1], (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    except ValueError as error:
        sys.exit(str(error))
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
