"""The command line: one module per command, all of them speaking to the `Game` protocol alone.

The command line needs the extra `cli`. Without it `main` says so in one sentence and answers 2; nothing
here is imported before that has been found out.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

NEEDED: Final = ("click", "rich")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line on these arguments (those of the process by default); the exit status."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        if sys.stderr is not None:
            sys.stderr.write(
                f"forsyth: the command line needs {' and '.join(missing)}: pip install 'forsyth[cli]'\n"
            )
        return 2
    try:
        from forsyth.cli.app import run
    except KeyboardInterrupt:
        return 130
    return run(arguments)
