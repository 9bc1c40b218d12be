"""Adds to the built documentation what is no page: the pure wheel, and Pyodide where npm has brought it.

A hook of mkdocs.
Packing the wheel needs setuptools and no compiler; `FORSYTH_PURE_WHEEL` names one that is packed already.
`npm ci --prefix .ci/npm` brings Pyodide.
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
LOADED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")


def on_post_build(config: Any, **_: Any) -> None:
    """Fill the folder of the page Try it."""
    folder = Path(config["site_dir"]) / "assets" / "try"
    packed = os.environ.get("FORSYTH_PURE_WHEEL")
    if packed:
        shutil.copyfile(packed, folder / "forsyth.whl")
    else:
        pack_wheel(folder / "forsyth.whl")
    if PYODIDE.is_dir():
        (folder / "pyodide").mkdir(exist_ok=True)
        for name in LOADED:
            shutil.copy2(PYODIDE / name, folder / "pyodide" / name)


def pack_wheel(target: Path) -> None:
    """The pure wheel, made outside the repository: what earlier builds left there is not to be in it."""
    with tempfile.TemporaryDirectory() as work:
        command = [sys.executable, "setup.py", "--quiet", "egg_info", "--egg-base", work]
        command += ["build", "--build-base", f"{work}/build", "bdist_wheel", "--dist-dir", f"{work}/dist"]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | {"FORSYTH_PURE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"The pure wheel could not be packed:\n{done.stderr}")
        [wheel] = Path(work, "dist").glob("*-py3-none-any.whl")
        shutil.copyfile(wheel, target)
