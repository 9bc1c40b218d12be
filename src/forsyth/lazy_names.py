"""Names of a package that are imported on first use, because few of its users need them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def make_lazy_getattr(package: str, module_exports: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a function ``__getattr__`` for a package, which imports each public name on first use.

    Args:
        package: The name of the package, ``__name__``.
        module_exports: The public names of each module, separated by blanks, such as
            ``{"forsyth.forms": "unwrap wrap"}``.
    """
    module_of = {name: module for module, names in module_exports.items() for name in names.split()}

    def get_lazy_name(name: str) -> Any:
        """Return the object with the public name `name`, and import its module for it.

        Raise `AttributeError` if the package has no such public name.
        """
        # Imported on use, because this module itself is imported with each game.
        import sys
        from importlib import import_module

        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(module_of[name]), name)
        # Stored, so that the next access does not call this function.
        setattr(sys.modules[package], name, value)
        return value

    return get_lazy_name
