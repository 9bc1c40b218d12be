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
EXIT_FAILURE: Final = 2
"""Exit status for wrong usage, input or output, and for a missing package."""
EXIT_INTERRUPTED: Final = 130
"""128 + SIGINT, which a shell reports for a program stopped with Ctrl-C."""
EXIT_TERMINATED: Final = 143
"""128 + SIGTERM, which a shell reports for a program stopped with ``kill``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status, such as 0 for success.

    If a package that the command line needs is not installed, print that and return 2.

    Args:
        arguments: The words after the program name, such as ``["lint", "src"]``. None takes them from
            `sys.argv`.
    """
    missing_packages = [name for name in REQUIRED_PACKAGES if find_spec(name) is None]
    if missing_packages:
        if sys.stderr is not None:
            sys.stderr.write(
                f"forsyth: the command line needs {' and '.join(missing_packages)}; "
                "install with: pip install 'forsyth[cli]'\n"
            )
        return EXIT_FAILURE
    # Ctrl-C can also come while the modules of the command line are loaded.
    try:
        from forsyth.cli.app import run
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    if arguments is None:
        from forsyth.cli.hidden_pandas import hide_pandas

        hide_pandas(sys.argv[1:])
    return run(arguments)
