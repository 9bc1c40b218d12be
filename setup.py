"""Compile the hot modules with Cython where a C compiler is found; without one they run as they are.

Everything else stands in pyproject.toml. `FORSYTH_PURE=1` at build time compiles nothing.
"""

from __future__ import annotations

import os
import runpy

from setuptools import Extension, setup

HOT = runpy.run_path("src/forsyth/build.py")["HOT"]
DIRECTIVES = {
    "language_level": "3",
    "cdivision": True,
    # None in place of a position would be followed like one.
    "allow_none_for_extension_args": False,
    # What is pickled says itself how; what Cython would add fills objects from whatever it is given.
    "auto_pickle": False,
}


def extensions() -> list[Extension]:
    """The hot modules as extensions, or nothing when Cython is absent or a pure build is asked for."""
    if os.environ.get("FORSYTH_PURE") == "1":
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    flags = [] if os.name == "nt" else ["-O3", "-fno-math-errno"]
    modules = [
        Extension(name, [f"src/{name.replace('.', '/')}.py"], extra_compile_args=flags, optional=True)
        for name in HOT
    ]
    compiled: list[Extension] = cythonize(
        modules, include_path=["src"], compiler_directives=DIRECTIVES, build_dir="build/cython", quiet=True
    )
    return compiled


# Compiling takes minutes on one core, and no module waits for another.
setup(ext_modules=extensions(), options={"build_ext": {"parallel": True}})
