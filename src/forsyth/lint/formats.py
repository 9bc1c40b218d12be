"""Output formats for findings: text, JSON lines, GitHub annotations, SARIF 2.1.0.

Text is ``file:line:col: code: message``. JSON is one ASCII object per finding. A GitHub annotation is a
workflow command in which all characters that could end it are escaped. SARIF is one log of all findings: its
columns count code points, its files are URI references, and it contains the fixes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from forsyth.build import installed_version
from forsyth.diagnostics import Severity, make_printable
from forsyth.lint.findings import Finding, Replacement
from forsyth.lint.lines import Place
from forsyth.lint.settings import collect_code_infos


def format_text(finding: Finding) -> str:
    """Format a finding as one line, like the messages of compilers: ``file:line:col: code: message``."""
    return make_printable(str(finding))


def format_json(finding: Finding) -> str:
    """Format a finding as one line of JSON, with fields such as ``file``, ``line`` and ``code``."""
    return json.dumps(finding.to_dict())


def format_github(finding: Finding) -> str:
    """Format a finding as a workflow command, which GitHub shows as a note beside the line of the file.

    The form is ``::error file=a.md,line=3,...::MESSAGE``, or ``::warning`` for a warning.
    """
    properties: dict[str, object] = {
        "file": PurePath(finding.file).as_posix(),
        "line": finding.start.line,
        "endLine": finding.end.line,
        "col": finding.start.column,
        "endColumn": finding.end.column,
        "title": finding.code,
    }
    property_list = ",".join(f"{name}={_escape_property(str(value))}" for name, value in properties.items())
    return f"::{finding.severity.value} {property_list}::{_escape_message(finding.message)}"


LINE_FORMATS: Final[Mapping[str, Callable[[Finding], str]]] = {
    "text": format_text,
    "json": format_json,
    "github": format_github,
}
"""The formats that have one line per finding, with the functions that write it."""


def make_sarif_log(findings: Iterable[Finding]) -> dict[str, Any]:
    """Return a SARIF 2.1.0 log of all findings as a dictionary for JSON.

    SARIF is the format in which code scanning services import findings. The log has a list of rules, one for
    each diagnostic code that occurs. Each result refers to its rule by the index in this list.
    """
    all_findings = list(findings)
    codes = sorted({finding.code for finding in all_findings})
    rule_indexes = {code: index for index, code in enumerate(codes)}
    results = [
        {**_make_sarif_result(finding), "ruleIndex": rule_indexes[finding.code]} for finding in all_findings
    ]
    driver = {"name": "forsyth", "semanticVersion": installed_version(), "rules": _make_sarif_rules(codes)}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"version": "2.1.0", "runs": [run]}


def _make_sarif_rules(codes: Sequence[str]) -> list[dict[str, Any]]:
    """Return a SARIF rule for each diagnostic code: the code and a sentence that describes it.

    If a code has no description, the code itself takes its place.
    """
    # Without codes, the games, which define the descriptions, need not be loaded.
    code_infos = collect_code_infos() if codes else {}
    rules = []
    for code in codes:
        description = code_infos[code].summary if code in code_infos else code
        rules.append({"id": code, "shortDescription": {"text": description}})
    return rules


def _make_sarif_result(finding: Finding) -> dict[str, Any]:
    """Return a finding as a SARIF ``result`` without the field ``ruleIndex``, which `make_sarif_log` adds."""
    artifact = {"uri": quote(PurePath(finding.file).as_posix(), errors="surrogateescape")}
    location = {"artifactLocation": artifact, "region": _make_sarif_region(finding.start, finding.end)}
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": "error" if finding.severity is Severity.ERROR else "warning",
        "message": {"text": _replace_surrogates(finding.message)},
        "locations": [{"physicalLocation": location}],
    }
    if finding.fix is not None:
        result["fixes"] = [_make_sarif_fix(finding.fix, artifact)]
    return result


def _make_sarif_fix(fix: Replacement, artifact: dict[str, str]) -> dict[str, Any]:
    """Return a change of a file as a SARIF ``fix``.

    `artifact` is the SARIF location of the file, such as ``{"uri": "docs/a.md"}``.
    """
    replacement = {
        "deletedRegion": _make_sarif_region(fix.start, fix.end),
        "insertedContent": {"text": _replace_surrogates(fix.replacement)},
    }
    return {
        "description": {"text": f"{fix.confidence.value} fix"},
        "artifactChanges": [{"artifactLocation": artifact, "replacements": [replacement]}],
    }


def _make_sarif_region(start: Place, end: Place) -> dict[str, int]:
    """Return the part of a file from `start` to before `end` as a SARIF ``region`` of lines and columns."""
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }


def _replace_surrogates(text: str) -> str:
    """Return the text with a question mark in place of each lone surrogate (U+D800 to U+DFFF).

    The linter decodes bytes that are not UTF-8 as lone surrogates, which many JSON parsers reject.
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def _escape_message(text: str) -> str:
    """Escape line ends and ``%`` in the message of a GitHub workflow command, which must be one line."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    """Escape a value in the list of properties of a GitHub workflow command, such as ``file=a.md,line=3``."""
    return _escape_message(text).replace(":", "%3A").replace(",", "%2C")
