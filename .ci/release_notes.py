"""Print the notes of a release: `release_notes.py v0.2.0`.

The notes are the section of that version in CHANGELOG.md. Exit with a sentence if the tag, the version in
pyproject.toml and the changelog disagree.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def release_notes(tag: str, changelog: str, version: str) -> str:
    """Return the section of a version in the changelog, without its heading.

    Raise ValueError if the tag does not name the version or the changelog has no such section.
    """
    if tag != f"v{version}":
        raise ValueError(
            f"The tag is {tag}, but pyproject.toml has version {version}; expected the tag v{version}."
        )
    heading = rf"^## {re.escape(version)}\b.*$"
    parts = re.split(heading, changelog, maxsplit=1, flags=re.MULTILINE)
    if len(parts) == 1:
        raise ValueError(f"CHANGELOG.md has no section {version}; add one before the release.")
    return re.split(r"^## ", parts[1], maxsplit=1, flags=re.MULTILINE)[0].strip()


def main() -> None:
    """Print the notes, or exit with the disagreement."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    try:
        text = release_notes(sys.argv[1], (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    except ValueError as error:
        sys.exit(str(error))
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
