"""Installing never fails for want of a compiler: setup.py compiles all hot modules, or none and says why.

A small project with the real setup.py stands in for the package, whose many modules take too long.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from forsyth.build import HOT

ROOT = Path(__file__).parents[1]
SENTENCE = "Forsyth runs as plain Python."
STEERS = ("FORSYTH_PURE", "CC", "CFLAGS", "LDFLAGS")
GOOD = "def double(number: int) -> int:\n    return 2 * number\n"
NO_CYTHON = "raise ImportError('no Cython here')\n"
NO_COMPILER = f"No C compiler with the headers of Python found: {SENTENCE}"
COMPILER = shutil.which("cc") is not None
"""Where there is none, every build is the first of these tests again."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two hot modules, `forsyth.one` and `forsyth.two`."""
    package = tmp_path / "src" / "forsyth"
    package.mkdir(parents=True)
    shutil.copy(ROOT / "setup.py", tmp_path)
    (package / "build.py").write_text('HOT = ("forsyth.one", "forsyth.two")\n')
    (package / "__init__.py").touch()
    options = "[metadata]\nname = forsyth\n\n[options]\npackages = forsyth\npackage_dir =\n    = src\n"
    (tmp_path / "setup.cfg").write_text(options)
    for name in ("one", "two"):
        (package / f"{name}.py").write_text(GOOD)
    return tmp_path


def build(project: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Build in place, as an editable installation does."""
    return run_setup(project, ["build_ext", "--inplace"], environment)


def build_wheel(project: Path, *options: str, **environment: str) -> tuple[str, list[str], str]:
    """Build a wheel, and return its file name, the names of its modules, and the output."""
    done = run_setup(project, ["bdist_wheel", *options], environment)
    assert done.returncode == 0, done.stderr
    [wheel] = project.glob("dist/*.whl")
    with zipfile.ZipFile(wheel) as archive:
        modules = [name for name in archive.namelist() if name.startswith("forsyth/")]
        [description] = [name for name in archive.namelist() if name.endswith(".dist-info/WHEEL")]
        is_pure = b"Root-Is-Purelib: true" in archive.read(description)
    assert is_pure == wheel.name.endswith("-py3-none-any.whl")
    return wheel.name, modules, done.stdout


def run_setup(
    project: Path, command: list[str], environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in STEERS}
    return subprocess.run(
        [sys.executable, "setup.py", *command],
        cwd=project,
        env={**kept, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def compiled(project: Path) -> list[str]:
    """The modules that were compiled, beside their sources and among what a wheel would hold."""
    found = [*project.glob("src/**/*.so"), *project.glob("build/lib*/**/*.so")]
    return sorted({path.name.partition(".")[0] for path in found})


def pretend_built(project: Path) -> None:
    """What an earlier build left behind."""
    suffix = subprocess.run(
        [sys.executable, "-c", "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    (project / "src" / "forsyth" / f"one{suffix}").touch()


def test_without_a_compiler_the_build_succeeds_and_says_so_in_one_line(project: Path) -> None:
    pretend_built(project)
    done = build(project, CC=str(project / "no-such-compiler"))
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if SENTENCE in line] == [NO_COMPILER]
    assert compiled(project) == []


def test_without_cython_the_build_succeeds_and_says_so(project: Path) -> None:
    (project / "Cython").mkdir()
    (project / "Cython" / "__init__.py").write_text(NO_CYTHON)
    done = build(project, PYTHONPATH=str(project))
    assert done.returncode == 0, done.stderr
    assert (f"Cython is not installed: {SENTENCE}" if COMPILER else NO_COMPILER) in done.stdout
    assert compiled(project) == []


def test_all_modules_are_compiled_without_debug_information(project: Path) -> None:
    done = build(project)
    assert done.returncode == 0, done.stderr
    assert compiled(project) == (["one", "two"] if COMPILER else [])
    assert all(b".debug_info" not in path.read_bytes() for path in project.glob("src/**/*.so"))


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("def broken(:\n", "Cython cannot translate the hot modules"),
        (GOOD, "The hot modules do not compile"),
    ],
)
def test_one_module_that_fails_leaves_none_compiled(project: Path, fault: str, reason: str) -> None:
    pretend_built(project)
    (project / "src" / "forsyth" / "two.py").write_text(fault)
    if fault == GOOD:  # A type that Cython takes on trust and the C compiler does not know.
        header = 'cdef extern from "no_such_header.h":\n    int nothing\n'
        (project / "src" / "forsyth" / "two.pxd").write_text(header)
    done = build(project)
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stdout.splitlines() if line.endswith(SENTENCE)]
    assert len(said) == 1
    assert said[0].startswith(reason) if COMPILER else said == [NO_COMPILER]
    assert compiled(project) == []


def test_a_module_that_is_hot_no_more_is_loaded_from_its_source(project: Path) -> None:
    pretend_built(project)
    (project / "src" / "forsyth" / "build.py").write_text('HOT = ("forsyth.two",)\n')
    assert build(project).returncode == 0
    assert compiled(project) == (["two"] if COMPILER else [])


def test_a_compiled_build_that_is_asked_for_must_succeed(project: Path) -> None:
    done = build(project, CC=str(project / "no-such-compiler"), FORSYTH_PURE="0")
    assert done.returncode == 1
    assert "FORSYTH_PURE=0 asks for a compiled build" in done.stderr


def test_a_pure_build_compiles_nothing(project: Path) -> None:
    done = build(project, FORSYTH_PURE="1")
    assert done.returncode == 0, done.stderr
    assert compiled(project) == []


PURE_WHEEL = "Nothing is compiled: this is a pure Python wheel, py3-none-any."


def test_a_wheel_built_without_a_compiler_is_named_as_a_pure_one_and_the_build_prints_it(
    project: Path,
) -> None:
    name, modules, output = build_wheel(project, CC=str(project / "no-such-compiler"))
    assert name.endswith("-py3-none-any.whl")
    assert sorted(modules) == [f"forsyth/{name}.py" for name in ("__init__", "build", "one", "two")]
    assert {NO_COMPILER, PURE_WHEEL} <= set(output.splitlines())


def test_a_wheel_whose_modules_do_not_compile_is_named_as_a_pure_one(project: Path) -> None:
    (project / "src" / "forsyth" / "two.py").write_text("def broken(:\n")
    name, modules, output = build_wheel(project)
    assert name.endswith("-py3-none-any.whl")
    assert [name for name in modules if not name.endswith(".py")] == []
    assert PURE_WHEEL in output


def test_a_wheel_that_is_asked_to_be_pure_is_named_so(project: Path) -> None:
    name, _, output = build_wheel(project, FORSYTH_PURE="1")
    assert name.endswith("-py3-none-any.whl")
    assert PURE_WHEEL in output


def test_a_compiled_wheel_keeps_the_name_of_a_compiled_one(project: Path) -> None:
    name, modules, output = build_wheel(project)
    assert name.endswith("-py3-none-any.whl") is not COMPILER
    assert any(not module.endswith(".py") for module in modules) is COMPILER
    assert (PURE_WHEEL in output) is not COMPILER


def test_the_pre_commit_hooks_compile_nothing(project: Path) -> None:
    """pre-commit installs the repository and the additional dependencies with one call of pip."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    for hook in hooks:
        assert hook["language"] == "python"
        options = [one for one in hook["additional_dependencies"] if one.startswith("-")]
        assert options == ["--config-settings=--build-option=--pure"]
    name, _, output = build_wheel(project, "--pure")
    assert name.endswith("-py3-none-any.whl")
    assert compiled(project) == []
    assert PURE_WHEEL in output


def test_hot_modules_are_those_with_a_source_and_every_list_of_types_belongs_to_one() -> None:
    folder = ROOT / "src"
    assert len(set(HOT)) == len(HOT)
    assert [name for name in HOT if not folder.joinpath(*name.split(".")).with_suffix(".py").is_file()] == []
    typed = {".".join(path.relative_to(folder).with_suffix("").parts) for path in folder.rglob("*.pxd")}
    # What columns are told in numbers is the same for all kernels, and nothing to compile.
    assert typed - {"forsyth.column"} <= set(HOT)


@pytest.mark.parametrize(
    ("file", "where"),
    [
        ("src/forsyth/build.py", 'FALLBACK_VERSION: Final = "{}"'),
        ("ui/package/package.json", '"version": "{}"'),
        ("examples/components/package.json", "forsyth-components-{}.tgz"),
        ("docs/components.md", "forsyth-components-{}.tgz"),
    ],
)
def test_the_version_is_that_of_the_project_wherever_it_stands(file: str, where: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert where.format(project["version"]) in (ROOT / file).read_text(encoding="utf-8")


def test_the_changelog_begins_with_the_version_or_with_what_is_not_released() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    newest = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert next(one for one in newest if one != "Unreleased").startswith(f"{project['version']} (")
