"""Information about the build in use: compiled hot modules or plain Python.

If the environment variable `FORSYTH_PURE` is ``1``, every module of Forsyth is loaded from its source.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

FALLBACK_VERSION: Final = "0.2.0"
"""The version of a source tree that is not installed."""

HOT: Final = (
    "forsyth.findings",
    "forsyth.record_bytes.comment_commands",
    "forsyth.record_bytes.words",
    "forsyth.record_bytes.texts",
    "forsyth.record.fast_path",
    "forsyth.games.chess.board",
    "forsyth.games.chess.position",
    "forsyth.games.chess.notation.kernel",
    "forsyth.games.chess.rules.attacks",
    "forsyth.games.chess.rules.legality",
    "forsyth.games.chess.numbers.key",
    "forsyth.games.chess.numbers.packing",
    "forsyth.games.chess.numbers.features",
    "forsyth.games.chess.numbers.planes",
    "forsyth.games.chess.notation.notes",
    "forsyth.games.chess.notation.words",
    "forsyth.games.chess.notation.scan_fields",
    "forsyth.games.chess.notation.fault_notes",
    "forsyth.games.chess.notation.scanner",
    "forsyth.games.chess.numbers.column",
    "forsyth.games.chess.rules.generate",
    "forsyth.games.chess.rules.moves",
    "forsyth.games.chess.notation.san",
    "forsyth.games.chess.rules.material",
    "forsyth.games.chess.rules.outcome",
    "forsyth.games.chess.records.moves",
    "forsyth.games.chess.records.rows",
    "forsyth.games.chess.records.tables",
    "forsyth.games.chess.records.contents",
    "forsyth.games.chess.records.head",
    "forsyth.games.chess.records.tree",
    "forsyth.games.chess.records.kernel",
    "forsyth.games.chess.documents.source_document",
    "forsyth.games.chess.notation.fields",
    "forsyth.games.chess.notation.fen",
    "forsyth.games.chess.game",
    "forsyth.games.cotulenh.board",
    "forsyth.games.cotulenh.stacks",
    "forsyth.games.cotulenh.position",
    "forsyth.games.cotulenh.rules.attacks",
    "forsyth.games.cotulenh.rules.generate",
    "forsyth.games.cotulenh.rules.apply",
    "forsyth.games.cotulenh.rules.trials",
    "forsyth.games.cotulenh.rules.safety",
    "forsyth.games.cotulenh.rules.moves",
    "forsyth.games.cotulenh.rules.deploy",
    "forsyth.games.cotulenh.rules.completion",
    "forsyth.games.cotulenh.notation.kernel",
    "forsyth.games.cotulenh.notation.write",
    "forsyth.games.cotulenh.rules.legality",
    "forsyth.games.cotulenh.notation.notes",
    "forsyth.games.cotulenh.notation.scan_fields",
    "forsyth.games.cotulenh.notation.scan_board",
    "forsyth.games.cotulenh.notation.fault_notes",
    "forsyth.games.cotulenh.notation.scanner",
    "forsyth.games.cotulenh.numbers.key",
    "forsyth.games.cotulenh.numbers.packing",
    "forsyth.games.cotulenh.numbers.features",
    "forsyth.games.cotulenh.numbers.planes",
    "forsyth.games.cotulenh.numbers.column",
    "forsyth.games.cotulenh.rules.outcome",
    "forsyth.games.cotulenh.rules.turns",
    "forsyth.games.cotulenh.notation.san_write",
    "forsyth.games.cotulenh.notation.san",
    "forsyth.games.cotulenh.game",
    "forsyth.games.azul.tiles",
    "forsyth.games.azul.position",
    "forsyth.games.azul.notation.write",
    "forsyth.games.azul.rules.moves",
    "forsyth.games.azul.rules.walls",
    "forsyth.games.azul.rules.scoring",
    "forsyth.games.azul.rules.rounds",
    "forsyth.games.azul.notation.components",
    "forsyth.games.azul.notation.fields",
    "forsyth.games.azul.notation.fen",
    "forsyth.games.azul.rules.check",
    "forsyth.games.azul.notation.cells",
    "forsyth.games.azul.rules.legality",
    "forsyth.games.azul.notation.strange_boards",
    "forsyth.games.azul.notation.scanner",
    "forsyth.games.azul.notation.notes",
    "forsyth.games.azul.notation.reachability_notes",
    "forsyth.games.azul.notation.format_notes",
    "forsyth.games.azul.notation.kernel",
    "forsyth.games.azul.notation.cells_write",
    "forsyth.games.azul.numbers.packed",
    "forsyth.games.azul.numbers.features",
    "forsyth.games.azul.numbers.planes",
    "forsyth.games.azul.numbers.column",
    "forsyth.games.azul.game",
    "forsyth.games.azul.documents.state",
    "forsyth.kit.tables",
    "forsyth.kit.board",
    "forsyth.kit.search",
    "forsyth.kit.numbers.blake2b",
    "forsyth.kit.notation.scanner",
    "forsyth.kit.numbers.column_verbs",
    "forsyth.kit.numbers.column",
    "forsyth.bulk.verbs.kernel_output",
)
"""The modules that are compiled if a C compiler is available; setup.py reads this list.

Compiling each of them makes a measurement of `make bench`, or the reading of broken texts, at least 5 %
faster.
"""


class _SourceFinder:
    """A finder for ``sys.meta_path`` that finds only the source of Forsyth modules."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec to import a submodule of Forsyth from its ``.py`` file.

        Return None for all other modules. Python calls this for each import. `path` are the folders of the
        parent package, or None for a top-level module. `target` is not used.
        """
        is_submodule = name.startswith("forsyth.")
        if not is_submodule or path is None:
            return None
        for folder in path:
            source_finder = FileFinder(folder, (SourceFileLoader, [".py"]))
            spec = source_finder.find_spec(name)
            # A folder without source, such as a namespace package, has no loader.
            if spec is not None and spec.loader is not None:
                return spec
        return None


def force_pure() -> None:
    """Make all later imports of Forsyth modules load their ``.py`` source, not compiled files.

    Modules that are imported already stay as they are.
    """
    sys.meta_path.insert(0, _SourceFinder)


def build_info() -> dict[str, Any]:
    """Return the version of Forsyth, and whether its speed-critical modules run compiled.

    The keys are ``version``, ``compiled`` (whether at least one of these modules is compiled) and
    ``modules``, which maps the name of each one that is loaded to True or False.
    """
    # At least one hot module must be loaded to know whether the hot modules are compiled.
    import_module(HOT[0])
    is_compiled = {name: _is_compiled(sys.modules[name]) for name in HOT if name in sys.modules}
    return {"version": installed_version(), "compiled": any(is_compiled.values()), "modules": is_compiled}


def _is_compiled(module: ModuleType) -> bool:
    """Return True if a module was loaded from a compiled file, not from its ``.py`` source."""
    return not str(module.__file__).endswith(".py")


def installed_version() -> str:
    """Return the version of the installed package, or `FALLBACK_VERSION` if it is not installed."""
    # Imported on use, because loading importlib.metadata takes longer than most programs run.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("forsyth")
    except PackageNotFoundError:
        return FALLBACK_VERSION
