"""The hot modules with every access checked: `python -m tests.sanitize`, or `make sanitize`.

They are compiled with gcc's address and undefined-behaviour sanitizers into build/sanitize, beside a copy of
the sources; what is installed stays as it is, and what has not changed is not compiled again. Then the
corpus of the fuzzers and the crash calls go through them. Anything that a sanitizer reports ends the process
at once and makes the exit status 1.

Needs gcc with its sanitizer libraries. What CPython keeps until its end counts as no leak.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
WORK: Final = ROOT / "build" / "sanitize"
# The frame pointer is what a report finds its way back by; -g1 gives it lines and little else. -O0 compiles
# in a third of the time of -O1, and keeps accesses that an optimiser would remove before they are checked.
FLAGS: Final = [
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
    "-fno-omit-frame-pointer",
    "-g1",
    "-O0",
    "-w",
]
TESTS: Final = ["tests/test_fuzz_corpus.py", "tests/test_no_crash.py", "tests/bulk/test_bulk_lying.py"]


def build() -> None:
    """Compile what setup.py lists, with other flags and to another place."""
    from distutils.core import run_setup

    os.chdir(ROOT)
    distribution = run_setup("setup.py", ["build_ext"], stop_after="commandline")
    for module in distribution.ext_modules:
        module.extra_compile_args = FLAGS
        module.extra_link_args = FLAGS
        module.optional = False
    command = distribution.get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(WORK / "lib"), str(WORK / "temp")
    distribution.run_command("build_ext")


def lay_out() -> None:
    """The sources beside what was compiled of them, and nothing else that is compiled."""
    shutil.copytree(
        ROOT / "src" / "forsyth",
        WORK / "lib" / "forsyth",
        ignore=shutil.ignore_patterns("*.so", "__pycache__", "static"),
        dirs_exist_ok=True,
    )


def environment() -> dict[str, str]:
    """The environment in which Python loads the sanitizers before all else."""
    libraries = [
        subprocess.run(
            ["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    return {
        **os.environ,
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=512",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": os.pathsep.join([str(WORK / "lib"), str(ROOT)]),
        "FORSYTH_PURE": "0",
    }


def main() -> int:
    """Build, then run the tests; the exit status of the tests."""
    build()
    lay_out()
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *TESTS]
    return subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
