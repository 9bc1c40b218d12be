"""Compile the hot modules with Cython where a C compiler is found; without one they run as they are.

Everything else stands in pyproject.toml. The hot modules are compiled all or none: a compiled one needs the C
types of others, which their sources do not have. Whatever is in the way (no Cython, no C compiler, no headers
of Python, a module that does not compile), the installation goes on and one line says why.

`FORSYTH_PURE=1` at build time compiles nothing; `FORSYTH_PURE=0` insists: what is in the way is an error.
`CFLAGS` and `LDFLAGS`, where they are set, replace the flags that stand here.
"""

from __future__ import annotations

import os
import runpy
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

HOT = runpy.run_path("src/forsyth/build.py")["HOT"]
DIRECTIVES = {
    "language_level": "3",
    "cdivision": True,
    # None in place of a position would be followed like one.
    "allow_none_for_extension_args": False,
    # What is pickled says itself how; what Cython would add fills objects from whatever it is given.
    "auto_pickle": False,
    # Methods as Python's own types have them, which look at the type of self: what Cython makes otherwise
    # follows any object as if it were one of the class. Signatures stay to be seen.
    "binding": False,
    "embedsignature": True,
    "embedsignature.format": "clinic",
}
# Python's own flags ask for debug information, which is four fifths of a compiled module.
LINK = ["-Wl,-s"] if sys.platform == "linux" and "LDFLAGS" not in os.environ else []
# Modules whose time goes into calls of Python: compiled for size they are as fast, a third smaller and built
# in two thirds of the time.
FOR_SIZE = {
    "forsyth.record.quick",
    "forsyth.kit.tables",
    *(
        f"forsyth.games.chess.{name}"
        for name in (
            "board",
            "game",
            "notation.fields",
            "documents.source_document",
            "records.kernel",
            "records.rows",
            "records.tables",
        )
    ),
    *(
        f"forsyth.games.cotulenh.{name}"
        for name in (
            "board",
            "game",
            "stacks",
            "notation.san",
            "rules.deploy",
            "rules.moves",
            "rules.outcome",
            "rules.turns",
        )
    ),
    *(
        f"forsyth.games.azul.{name}"
        for name in (
            "tiles",
            "notation.fen",
            "notation.fields",
            "rules.check",
            "rules.rounds",
            "rules.scoring",
            "documents.state",
        )
    ),
}
CORES = os.cpu_count() or 1
TRANSLATED = Path("build", "cython")


class CompilingError(Exception):
    """What is in the way, in a few words."""


class CompileHot(build_ext):
    """Compiles all hot modules, or none and says why."""

    def build_extensions(self) -> None:
        """Compile them, or leave nothing behind that was compiled."""
        self._remove_compiled(self._strays())
        try:
            self._try_compiler()
            self._translate()
            self._compile()
        except CompilingError as reason:
            self._remove_compiled(HOT)
            if os.environ.get("FORSYTH_PURE") == "0":
                raise SystemExit(f"{reason}, and FORSYTH_PURE=0 asks for a compiled build.") from None
            self.extensions = []
            sys.stdout.write(f"{reason}: Forsyth runs as plain Python.\n")

    def _try_compiler(self) -> None:
        """Compile one line first: translating takes its time, and is for nothing without a compiler."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "probe.c"
            source.write_text("#include <Python.h>\n", encoding="ascii")
            try:
                self.compiler.compile([str(source)], output_dir=folder)
            except (BaseError, CCompilerError):
                raise CompilingError("No C compiler with the headers of Python found") from None

    def _translate(self) -> None:
        """From Python to C. The extensions stay the same objects: those of `cythonize` forget half."""
        try:
            from Cython.Build import cythonize
        except ImportError:
            raise CompilingError("Cython is not installed") from None
        try:
            translated = cythonize(
                [Extension(extension.name, extension.sources) for extension in self.extensions],
                include_path=["src"],
                compiler_directives=DIRECTIVES,
                build_dir=str(TRANSLATED),
                nthreads=CORES,
                force=_is_outdated(),
                quiet=True,
            )
        except Exception as error:  # Whatever Cython trips over, the sources run without it.
            raise CompilingError(f"Cython cannot translate the hot modules ({error})") from error
        sources = {extension.name: extension.sources for extension in translated}
        for extension in self.extensions:
            extension.sources = sources[extension.name]

    def _compile(self) -> None:
        # The largest first, so that no core waits for one that was begun last.
        self.extensions.sort(key=lambda extension: -Path(extension.sources[0]).stat().st_size)
        try:
            super().build_extensions()
        except (BaseError, CCompilerError) as error:
            raise CompilingError(f"The hot modules do not compile ({error})") from error

    def _strays(self) -> list[str]:
        """Modules that were compiled once and are hot no more."""
        ending = self.get_ext_filename("x").removeprefix("x")
        roots = (Path("src"), Path(self.build_lib))
        names = {
            ".".join(path.relative_to(root).parts).removesuffix(ending)
            for root in roots
            for path in root.rglob(f"forsyth/**/*{ending}")
        }
        return sorted(names - set(HOT))

    def _remove_compiled(self, names: Iterable[str]) -> None:
        """Also what an earlier build left beside the sources: it would be loaded in their place."""
        for name in names:
            for root in ("src", self.build_lib):
                Path(root, self.get_ext_filename(name)).unlink(missing_ok=True)


def _is_outdated() -> bool:
    """Whether something was translated before this file changed, which Cython does not see."""
    changed = Path("setup.py").stat().st_mtime
    return any(path.stat().st_mtime < changed for path in TRANSLATED.rglob("*.c"))


def extensions() -> list[Extension]:
    """The hot modules, or nothing when a pure build is asked for."""
    if os.environ.get("FORSYTH_PURE") == "1":
        return []
    return [extension(name, Path("src", *name.split(".")).with_suffix(".py")) for name in HOT]


def extension(name: str, source: Path) -> Extension:
    """One hot module.

    Where a .pxd file gives C types the compiler has loops to optimise. The rest is calls of Python: they come
    out as fast with less work.
    """
    level = "-Os" if name in FOR_SIZE else "-O3" if source.with_suffix(".pxd").exists() else "-O2"
    own = os.name == "posix" and "CFLAGS" not in os.environ
    flags = [level, "-fno-math-errno", "-g0"] if own else []
    return Extension(
        name, [source.as_posix()], extra_compile_args=flags, extra_link_args=LINK, depends=["setup.py"]
    )


# Cython's processes import this file again where they are not forked.
if __name__ == "__main__":
    setup(
        ext_modules=extensions(),
        cmdclass={"build_ext": CompileHot},
        options={"build_ext": {"parallel": CORES}},
    )
