"""The command line: one module per command. Commands use games only through the `Game` protocol.

The command line needs the extra `cli`. Without it `main` writes one sentence to standard error and returns 2.
Therefore no module that needs click or rich is imported before that check.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

REQUIRED_PACKAGES: Final = ("click", "rich")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Args:
        arguments: The words after the program name. None takes them from `sys.argv`.
    """
    missing = [name for name in REQUIRED_PACKAGES if find_spec(name) is None]
    if missing:
        if sys.stderr is not None:
            sys.stderr.write(
                f"forsyth: the command line needs {' and '.join(missing)}; "
                "install with: pip install 'forsyth[cli]'\n"
            )
        return 2
    try:
        from forsyth.cli.app import run
    except KeyboardInterrupt:
        return 130
    return run(arguments)
