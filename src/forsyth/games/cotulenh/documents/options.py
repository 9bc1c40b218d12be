"""Options in one mapping, as in the source documents: ``moves({"verbose": True})``.

The names may have the documents' spelling (``pieceType``) or Python's (``piece_type``). Any other name raises
an error, so that misspelt options are noticed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from forsyth.arguments import quoted

_PYTHON_NAMES: Final = {"pieceType": "piece_type"}
"""The Python name of each option that the source documents spell differently."""


def parse_options(verbose_or_mapping: object, allowed_names: tuple[str, ...]) -> dict[str, Any]:
    """Return options by their Python names, such as ``{"verbose": True, "piece_type": "t"}``.

    The option `verbose` is always among them, False by default.

    Args:
        verbose_or_mapping: The value of `verbose`, or a mapping of options, whose names may have the spelling
            of the source documents (``pieceType``).
        allowed_names: The Python names of the options that the mapping may contain.

    Raises:
        ValueError: If an option does not exist or `verbose` is not a boolean.
    """
    is_flag = isinstance(verbose_or_mapping, bool)
    given_options = {"verbose": verbose_or_mapping} if is_flag else verbose_or_mapping
    if not isinstance(given_options, Mapping):
        raise ValueError(
            f"verbose is {quoted(verbose_or_mapping)}, expected true or false, or a mapping of options"
        )
    options: dict[str, Any] = {}
    for name, value in given_options.items():
        # The source documents spell some names differently.
        python_name = _PYTHON_NAMES.get(name, name)
        if python_name not in allowed_names:
            raise ValueError(
                f"{quoted(name)} is not an option, expected one or more of {', '.join(allowed_names)}"
            )
        options[python_name] = value
    verbose = options.setdefault("verbose", False)
    if not isinstance(verbose, bool):
        raise ValueError(f"verbose is {quoted(verbose)}, expected true or false")
    return options
