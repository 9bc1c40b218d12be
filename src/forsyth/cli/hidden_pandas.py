"""Keep pyarrow from importing pandas, which takes as long as the rest of a short command.

pyarrow imports pandas, where it is installed, when it first converts a Python list into an array. No command
uses pandas, except on the engines Ray and Spark.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

_ENGINES_WITH_PANDAS: Final = ("ray", "spark")


def hide_pandas(arguments: Sequence[str]) -> None:
    """Make `import pandas` raise `ImportError` in this process, unless a command line may need pandas.

    Call this only in a process that runs one command: pyarrow does not look for pandas again.

    Args:
        arguments: The words of the command line. A word such as ``--engine=ray`` needs pandas.
    """
    if not any(engine in word for word in arguments for engine in _ENGINES_WITH_PANDAS):
        sys.meta_path.insert(0, _PandasFinder())


class _PandasFinder(MetaPathFinder, Loader):
    """Finder of the module pandas, which refuses to load it.

    A finder that found nothing would be asked before the one that finds pandas, so this one has to find it.
    """

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return a spec with this loader for pandas, and None for every other module."""
        return ModuleSpec(fullname, self) if fullname == "pandas" else None

    def exec_module(self, module: ModuleType) -> None:
        """Raise `ImportError`, as if pandas were not installed."""
        raise ImportError("commands of Forsyth do not import pandas", name=module.__name__)
