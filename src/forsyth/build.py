"""Which build is in use: compiled hot modules or plain Python, and how to force the latter.

`FORSYTH_PURE=1` in the environment makes every module of Forsyth load from its source.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

FALLBACK_VERSION: Final = "0.1.0"

HOT: Final = (
    "forsyth.findings",
    "forsyth.comment_commands",
    "forsyth.record_words",
    "forsyth.record_texts",
    "forsyth.record.quick",
    "forsyth.games.chess.board",
    "forsyth.games.chess.position",
    "forsyth.games.chess.kernel",
    "forsyth.games.chess.attacks",
    "forsyth.games.chess.legality",
    "forsyth.games.chess.key",
    "forsyth.games.chess.packing",
    "forsyth.games.chess.features",
    "forsyth.games.chess.planes",
    "forsyth.games.chess.notes",
    "forsyth.games.chess.words",
    "forsyth.games.chess.scan_fields",
    "forsyth.games.chess.fault_notes",
    "forsyth.games.chess.scanner",
    "forsyth.games.chess.column",
    "forsyth.games.chess.generate",
    "forsyth.games.chess.moves",
    "forsyth.games.chess.san",
    "forsyth.games.chess.material",
    "forsyth.games.chess.outcome",
    "forsyth.games.chess.record_moves",
    "forsyth.games.chess.record_rows",
    "forsyth.games.chess.record_tables",
    "forsyth.games.chess.record_contents",
    "forsyth.games.chess.record_head",
    "forsyth.games.chess.record_tree",
    "forsyth.games.chess.record_kernel",
    "forsyth.games.chess.source_document",
    "forsyth.games.chess.fields",
    "forsyth.games.chess.fen",
    "forsyth.games.chess.game",
    "forsyth.games.cotulenh.board",
    "forsyth.games.cotulenh.stacks",
    "forsyth.games.cotulenh.position",
    "forsyth.games.cotulenh.attacks",
    "forsyth.games.cotulenh.generate",
    "forsyth.games.cotulenh.apply",
    "forsyth.games.cotulenh.trials",
    "forsyth.games.cotulenh.safety",
    "forsyth.games.cotulenh.moves",
    "forsyth.games.cotulenh.deploy",
    "forsyth.games.cotulenh.completion",
    "forsyth.games.cotulenh.kernel",
    "forsyth.games.cotulenh.write",
    "forsyth.games.cotulenh.legality",
    "forsyth.games.cotulenh.notes",
    "forsyth.games.cotulenh.scan_fields",
    "forsyth.games.cotulenh.scan_board",
    "forsyth.games.cotulenh.fault_notes",
    "forsyth.games.cotulenh.scanner",
    "forsyth.games.cotulenh.key",
    "forsyth.games.cotulenh.packing",
    "forsyth.games.cotulenh.features",
    "forsyth.games.cotulenh.planes",
    "forsyth.games.cotulenh.column",
    "forsyth.games.cotulenh.outcome",
    "forsyth.games.cotulenh.turns",
    "forsyth.games.cotulenh.san_write",
    "forsyth.games.cotulenh.san",
    "forsyth.games.cotulenh.game",
    "forsyth.games.azul.tiles",
    "forsyth.games.azul.position",
    "forsyth.games.azul.write",
    "forsyth.games.azul.moves",
    "forsyth.games.azul.walls",
    "forsyth.games.azul.scoring",
    "forsyth.games.azul.rounds",
    "forsyth.games.azul.components",
    "forsyth.games.azul.fields",
    "forsyth.games.azul.fen",
    "forsyth.games.azul.check",
    "forsyth.games.azul.cells",
    "forsyth.games.azul.legality",
    "forsyth.games.azul.strange_boards",
    "forsyth.games.azul.scanner",
    "forsyth.games.azul.notes",
    "forsyth.games.azul.reachability_notes",
    "forsyth.games.azul.format_notes",
    "forsyth.games.azul.kernel",
    "forsyth.games.azul.cells_write",
    "forsyth.games.azul.packed",
    "forsyth.games.azul.features",
    "forsyth.games.azul.planes",
    "forsyth.games.azul.column",
    "forsyth.games.azul.game",
    "forsyth.games.azul.state",
    "forsyth.kit.tables",
    "forsyth.kit.board",
    "forsyth.kit.search",
    "forsyth.kit.blake2b",
    "forsyth.kit.scanner",
    "forsyth.kit.column_buffers",
    "forsyth.kit.column",
    "forsyth.bulk.verbs.compact",
)
"""The modules that are compiled where there is a C compiler; setup.py reads this list.

With each of them something that `make bench` measures, or the reading of broken texts, is at least a
twentieth faster.
"""


class _SourceOnly:
    """Finds the modules of Forsyth by their source and passes compiled ones over."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not name.startswith("forsyth.") or path is None:
            return None
        for folder in path:
            finder = FileFinder(folder, (SourceFileLoader, [".py"]))
            spec = finder.find_spec(name)
            if spec is not None and spec.loader is not None:
                return spec
        return None


def force_pure() -> None:
    """From now on import the modules of Forsyth from their sources."""
    sys.meta_path.insert(0, _SourceOnly)


def build_info() -> dict[str, Any]:
    """The version, and which of the hot modules loaded so far are compiled.

    All of them are, or none is: where none was loaded, the first one is.
    """
    import_module(HOT[0])
    modules = {
        name: not str(sys.modules[name].__file__).endswith(".py") for name in HOT if name in sys.modules
    }
    return {"version": installed_version(), "compiled": any(modules.values()), "modules": modules}


def installed_version() -> str:
    """The version of the installed package."""
    # Only here: it takes longer to load than most programs need for their positions.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("forsyth")
    except PackageNotFoundError:
        return FALLBACK_VERSION
