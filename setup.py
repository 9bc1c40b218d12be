"""Compile the hot modules with Cython if a C compiler is found. Without one they run as plain Python.

Everything else is in pyproject.toml. Either all hot modules are compiled or none, because a compiled module
needs the C types of the others. If they cannot be compiled (no Cython, no C compiler, no Python headers, a
faulty module), the installation continues as plain Python and prints the reason in one line.

`FORSYTH_PURE=1` at build time compiles nothing. `FORSYTH_PURE=0` makes a failed compilation an error.
The option `--pure` of `bdist_wheel` compiles nothing either. The pre-commit hooks use it, because they can
set options, but no environment variables.
`CFLAGS` and `LDFLAGS` replace the flags below if they are set.
"""

from __future__ import annotations

import os
import runpy
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

HOT = runpy.run_path("src/forsyth/build.py")["HOT"]
DIRECTIVES = {
    "language_level": "3",
    "cdivision": True,
    # A None in place of a position would be dereferenced like a position.
    "allow_none_for_extension_args": False,
    # Classes that can be pickled define it themselves. Cython's own __setstate__ would accept any data.
    "auto_pickle": False,
    # Built-in methods check the type of self; Cython's bound functions would dereference any object as self.
    # The signatures stay visible in the docstrings.
    "binding": False,
    "embedsignature": True,
    "embedsignature.format": "clinic",
}
# Python's default flags add debug information, which is four fifths of a compiled module.
LINK = ["-Wl,-s"] if sys.platform == "linux" and "LDFLAGS" not in os.environ else []
# Modules that mostly call Python objects. Compiled for size they are as fast, a third smaller, and compile in
# two thirds of the time.
FOR_SIZE = {
    "forsyth.record.fast_path",
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
            "game",
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
    """Reason why the hot modules cannot be compiled, in a few words."""


class CompileHot(build_ext):
    """Build command that compiles all hot modules, or none and prints why."""

    def build_extensions(self) -> None:
        """Compile all hot modules, or remove every compiled one.

        Exit with an error if compiling fails and `FORSYTH_PURE=0` is set.
        """
        self._remove_compiled(self._find_strays())
        try:
            self._try_compiler()
            self._translate()
            self._compile()
        except CompilingError as reason:
            self._remove_compiled(HOT)
            if os.environ.get("FORSYTH_PURE") == "0":
                raise SystemExit(f"{reason}, and FORSYTH_PURE=0 asks for a compiled build.") from None
            self.extensions = []
            # The other commands take the package for compiled as long as the distribution has extensions.
            self.distribution.ext_modules = []
            sys.stdout.write(f"{reason}: Forsyth runs as plain Python.\n")

    def _try_compiler(self) -> None:
        """Raise CompilingError if a one-line C file does not compile.

        This comes first, because translating takes long and is useless without a C compiler.
        """
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "probe.c"
            source.write_text("#include <Python.h>\n", encoding="ascii")
            try:
                self.compiler.compile([str(source)], output_dir=folder)
            except (BaseError, CCompilerError):
                raise CompilingError("No C compiler with the headers of Python found") from None

    def _translate(self) -> None:
        """Translate the hot modules from Python to C, and point the extensions at the C files.

        The extension objects are kept: those that `cythonize` returns lose their flags.
        """
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
        except Exception as error:  # Whatever the cause, the sources run without Cython.
            raise CompilingError(f"Cython cannot translate the hot modules ({error})") from error
        sources = {extension.name: extension.sources for extension in translated}
        for extension in self.extensions:
            extension.sources = sources[extension.name]

    def _compile(self) -> None:
        # The largest module first, so that no core has to wait for it at the end.
        self.extensions.sort(key=lambda extension: -Path(extension.sources[0]).stat().st_size)
        try:
            super().build_extensions()
        except (BaseError, CCompilerError) as error:
            raise CompilingError(f"The hot modules do not compile ({error})") from error

    def _find_strays(self) -> list[str]:
        """Return the names of modules that an earlier build compiled and that are no longer hot."""
        suffix = self.get_ext_filename("x").removeprefix("x")
        roots = (Path("src"), Path(self.build_lib))
        names = {
            ".".join(path.relative_to(root).parts).removesuffix(suffix)
            for root in roots
            for path in root.rglob(f"forsyth/**/*{suffix}")
        }
        return sorted(names - set(HOT))

    def _remove_compiled(self, names: Iterable[str]) -> None:
        """Delete the compiled files of these modules, in the build folder and beside the sources.

        A compiled file beside a source would be imported instead of the source.
        """
        for name in names:
            for root in ("src", self.build_lib):
                Path(root, self.get_ext_filename(name)).unlink(missing_ok=True)


class PackWheel(bdist_wheel):
    """Build command that names a wheel without compiled modules ``py3-none-any``, and prints that."""

    user_options: ClassVar = [*bdist_wheel.user_options, ("pure", None, "compile nothing")]
    boolean_options: ClassVar = [*bdist_wheel.boolean_options, "pure"]

    def initialize_options(self) -> None:
        """Set all options to their defaults."""
        super().initialize_options()
        self.pure = False

    def finalize_options(self) -> None:
        """Remove the extensions if the option `pure` is set."""
        if self.pure:
            self.distribution.ext_modules = []
        super().finalize_options()

    def run_command(self, command: str) -> None:
        """Run another command. After the command ``build`` it is known whether anything was compiled."""
        super().run_command(command)
        if command == "build" and not self.distribution.has_ext_modules():
            self.root_is_pure = True
            sys.stdout.write(
                f"Nothing is compiled: this is a pure Python wheel, {'-'.join(self.get_tag())}.\n"
            )


def _is_outdated() -> bool:
    """Return True if a module was translated before this file last changed. Cython does not check that."""
    change_time = Path("setup.py").stat().st_mtime
    return any(path.stat().st_mtime < change_time for path in TRANSLATED.rglob("*.c"))


def hot_extensions() -> list[Extension]:
    """Return the extensions of all hot modules, or none if `FORSYTH_PURE=1` is set."""
    if os.environ.get("FORSYTH_PURE") == "1":
        return []
    return [hot_extension(name, Path("src", *name.split(".")).with_suffix(".py")) for name in HOT]


def hot_extension(name: str, source: Path) -> Extension:
    """Return the extension of one hot module, with its compiler flags.

    A module with a .pxd file has C types and loops to optimise. The others mostly call Python objects and
    are as fast with less optimisation.
    """
    level = "-Os" if name in FOR_SIZE else "-O3" if source.with_suffix(".pxd").exists() else "-O2"
    uses_own_flags = os.name == "posix" and "CFLAGS" not in os.environ
    # Unwind tables serve C++ exceptions and debuggers. Without them a wheel is a twentieth smaller.
    flags = [level, "-fno-math-errno", "-fno-asynchronous-unwind-tables", "-g0"] if uses_own_flags else []
    return Extension(
        name, [source.as_posix()], extra_compile_args=flags, extra_link_args=LINK, depends=["setup.py"]
    )


# Cython's worker processes import this file again where they cannot be forked.
if __name__ == "__main__":
    setup(
        ext_modules=hot_extensions(),
        cmdclass={"build_ext": CompileHot, "bdist_wheel": PackWheel},
        options={"build_ext": {"parallel": CORES}},
    )
