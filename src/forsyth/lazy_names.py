"""Names of a package that are imported on first use, because few of its users need them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def make_lazy_getattr(package: str, module_exports: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the function ``__getattr__`` of a package, which imports the module of each name on first use.

    Args:
        package: The name of the package, ``__name__``.
        module_exports: The names that each module defines, separated by blanks, by the name of the module.
    """
    module_of = {name: module for module, names in module_exports.items() for name in names.split()}

    def get_lazy_name(name: str) -> Any:
        """Import and return the public name `name`. Raise `AttributeError` if there is no such name."""
        # Imported on use, because this module itself is imported with each game.
        import sys
        from importlib import import_module

        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(module_of[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return get_lazy_name
