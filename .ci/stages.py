"""List of the stages of CI: what each proves, runs and needs. `run_stages.py` runs them.

When several stages could begin, the first in the list does: cheap checks first, then stages that others wait
for, then the longest. Something that several stages need is built by one of them.
"""

from __future__ import annotations

from typing import Final

from run_stages import Stage

TOOLS: Final = ".venv/ci/bin"
MAKE: Final = f"make UV=$PWD/{TOOLS}/uv"
"""Command for make that installs packages with uv, from one cache."""
FLAKY: Final = "$PWD/.venv/bin/python .ci/flaky.py first"

STAGES: Final = (
    # --- cheap checks, and what everything else is built with
    Stage(
        "lint",
        "Sources are formatted, pass ruff, and import each other in one direction.",
        f"""make .venv/ci/bin/python
        {TOOLS}/ruff check .
        {TOOLS}/ruff format --check .
        PYTHONPATH=src {TOOLS}/lint-imports""",
        ends_run=True,
    ),
    Stage("machine", "The machine has PostgreSQL, browsers and a Java, or can get them.", ".ci/machine"),
    Stage(
        "npm",
        "What CI takes from npm can be installed as it is pinned.",
        "! command -v npm >/dev/null || .ci/npm_ci .ci/npm",
        needs=("lint",),
    ),
    Stage(
        "build-tools",
        "`make run` can set up its environment.",
        f"{MAKE} .venv/.run",
        needs=("lint",),
    ),
    Stage(
        "compile",
        "The hot modules compile.",
        f"{MAKE} compile",
        needs=("build-tools",),
        load=2,
    ),
    Stage(
        "libraries",
        "What tests, fuzzers and engines need can be installed as it is pinned.",
        f"{MAKE} .venv/.test .venv/.fuzz .venv/.docs",
        needs=("build-tools",),
    ),
    Stage(
        "workflows",
        "The workflows are well-formed.",
        ".ci/workflows",
        needs=("npm",),
        ends_run=True,
    ),
    Stage(
        "bundle",
        "The page in the package is what ui/ makes, its types are those of the service, and its tests pass.",
        ".ci/bundle",
        needs=("lint",),
        ends_run=True,
    ),
    Stage(
        "mypy",
        "mypy --strict finds no fault.",
        ".venv/bin/mypy",
        needs=("libraries",),
        ends_run=True,
    ),
    Stage(
        "types",
        "pyright knows the types of the everyday tasks.",
        ".ci/types",
        needs=("npm", "libraries"),
        ends_run=True,
    ),
    # --- tests
    Stage(
        "test",
        "`make test`: the checks, the tests of the compiled build, and the core tests of the pure build.",
        "make test",
        needs=("machine", "compile", "mypy"),
        load=2,
    ),
    Stage(
        "browser",
        "The page works in Chromium, its main flows in Firefox.",
        f'make test-browser RACING_PYTEST="{FLAKY} browser"',
        needs=("machine", "compile", "libraries", "bundle"),
        load=2,
    ),
    Stage(
        "pure",
        "The pure build passes the rest of the tests.",
        "make test-pure-rest",
        needs=("machine", "compile", "libraries"),
        load=2,
    ),
    Stage(
        "clusters",
        "Jobs on Ray and Spark do what they do on one machine.",
        f'make test-clusters RACING_PYTEST="{FLAKY} clusters"',
        needs=("machine", "compile", "libraries"),
        load=2,
    ),
    Stage(
        "long",
        "The long tests of the compiled build pass.",
        "make test-long",
        needs=("machine", "compile", "libraries"),
        load=2,
    ),
    Stage(
        "sanitize",
        "No call, text or file leads the compiled build outside its memory.",
        ".ci/sanitize",
        needs=("compile", "libraries"),
        load=2,
    ),
    Stage(
        "fuzz",
        "Three minutes of generated input crash no reader.",
        ".ci/fuzz",
        needs=("compile", "libraries"),
    ),
    # --- what is published
    Stage(
        "distributions",
        "The source distribution and the pure wheel can be built, described and published.",
        "rm -rf build/ci/dist && .ci/distributions build/ci/dist",
        needs=("lint",),
    ),
    Stage(
        "docs",
        "The documentation builds without a warning and names every public function.",
        'FORSYTH_PURE_WHEEL=$(echo "$PWD"/build/ci/dist/*.whl) .ci/docs',
        needs=("npm", "libraries", "distributions"),
    ),
    Stage(
        "pyodide",
        "The pure wheel works in the browser's Python.",
        ".ci/pyodide",
        needs=("docs",),
    ),
    Stage(
        "try-page",
        "The page Try it of the documentation works in Chromium.",
        f'RACING_PYTEST="{FLAKY} try-page" .ci/try_page',
        needs=("docs", "machine", "compile"),
    ),
    Stage(
        "components",
        "The React components work as a package, with React 18 and 19, on a page of another origin.",
        f'RACING_PYTEST="{FLAKY} components" .ci/components',
        needs=("bundle", "machine", "compile", "libraries"),
    ),
    Stage(
        "tricky",
        "Other libraries answer tricky texts as the documentation says.",
        ".ci/tricky",
        needs=("npm", "compile", "libraries"),
    ),
    Stage(
        "sdist",
        "The source distribution passes its tests.",
        ".ci/sdist",
        needs=("distributions", "libraries"),
    ),
    Stage(
        "no-compiler",
        "Nothing but Python is needed to set up, serve, install and pass the tests.",
        ".ci/no_compiler",
        needs=("distributions", "libraries"),
    ),
    Stage(
        "smoke",
        "Wheels are light and work with every Python that is found.",
        ".ci/smoke",
        needs=("distributions", "compile"),
        load=2,
    ),
    Stage(
        "licences",
        "No extra installs a library whose licence its users may not accept.",
        "make licences",
        needs=("libraries",),
    ),
    Stage("sbom", "The list of components can be made.", "make sbom", needs=("libraries",)),
    # --- the end
    Stage(
        "flaky",
        "Browser and cluster tests that failed once pass alone, and are fewer than three.",
        ".venv/bin/python .ci/flaky.py again",
        needs=("browser", "clusters", "components", "try-page"),
        load=99,
    ),
)
