"""Check that the API reference documents every public name. A hook of mkdocs.

The title of a page in `docs/reference/api/` is the module that the page documents. The public names stand in
the module's `__all__`. The module is parsed, not imported: the documentation is built without Forsyth.
"""

import ast
import re
import sys
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).parents[1] / "src"


def on_post_build(config: Any, **_: Any) -> None:
    """Exit with the undocumented names, if there are any."""
    pages = sorted(Path(config["docs_dir"], "reference", "api").glob("*.md"))
    titles = {page: page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ") for page in pages}
    modules = {page: title for page, title in titles.items() if title.startswith("forsyth")}
    missing = [
        f"{module}.{name}"
        for page, module in modules.items()
        for name in sorted(public_names(module) - documented_names(Path(config["site_dir"]), page, module))
        if f"{module}.{name}" not in modules.values()
    ]
    if missing:
        sys.exit(f"The reference lacks {', '.join(missing)}.")


def documented_names(site: Path, page: Path, module: str) -> set[str]:
    """Return the names of a module that its built page documents.

    Names of submodules count too: a function may stand in a module of its own name.
    """
    text = (site / "reference" / "api" / page.name).with_suffix(".html").read_text(encoding="utf-8")
    return set(re.findall(rf' id="{re.escape(module)}\.(?:\w+\.)?(\w+)"', text))


def public_names(module: str) -> set[str]:
    """Return the names in `__all__` of a module. The short name of a game stands for its package."""
    parts = Path(*module.split("."))
    places = (SOURCES / "forsyth" / "games" / parts.name, SOURCES / parts)
    source = next(file for place in places if (file := place / "__init__.py").is_file())
    for statement in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
            return set(ast.literal_eval(statement.value))
    sys.exit(f"{source} has no __all__.")
