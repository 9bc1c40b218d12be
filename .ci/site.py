"""Add the pure wheel and Pyodide to the built documentation, for its page Try it. A hook of mkdocs.

Building the wheel needs setuptools and no compiler. `FORSYTH_PURE_WHEEL` is the path of a wheel that is used
instead of building one. Pyodide is copied if `npm ci --prefix .ci/npm` has installed it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PYODIDE = ROOT / ".ci" / "npm" / "node_modules" / "pyodide"
PYODIDE_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)


def on_post_build(config: Any, **_: Any) -> None:
    """Copy the wheel and Pyodide into the folder of the page Try it."""
    folder = Path(config["site_dir"]) / "assets" / "try"
    wheel = os.environ.get("FORSYTH_PURE_WHEEL")
    if wheel:
        shutil.copyfile(wheel, folder / "forsyth.whl")
    else:
        build_wheel(folder / "forsyth.whl")
    if PYODIDE.is_dir():
        (folder / "pyodide").mkdir(exist_ok=True)
        for name in PYODIDE_FILES:
            shutil.copy2(PYODIDE / name, folder / "pyodide" / name)


def build_wheel(target: Path) -> None:
    """Build the pure wheel at `target`, in a temporary folder without files of earlier builds."""
    with tempfile.TemporaryDirectory() as work:
        command = [sys.executable, "setup.py", "--quiet", "egg_info", "--egg-base", work]
        command += ["build", "--build-base", f"{work}/build", "bdist_wheel", "--dist-dir", f"{work}/dist"]
        process = subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | {"FORSYTH_PURE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        if process.returncode:
            sys.exit(f"The pure wheel could not be built:\n{process.stderr}")
        [wheel] = Path(work, "dist").glob("*-py3-none-any.whl")
        shutil.copyfile(wheel, target)
