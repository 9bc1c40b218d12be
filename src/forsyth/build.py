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

FALLBACK_VERSION: Final = "0.2.0"

HOT: Final = (
    "forsyth.findings",
    "forsyth.record_bytes.comment_commands",
    "forsyth.record_bytes.words",
    "forsyth.record_bytes.texts",
    "forsyth.record.quick",
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
