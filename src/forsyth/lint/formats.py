"""Findings as others read them: lines of text, JSON lines, annotations of GitHub, SARIF 2.1.0.

Writes: ``file:line:col: code: message``; one ASCII JSON object per finding; workflow commands with every
character escaped that would end them; one SARIF log, in which columns count code points, files are URI
references, and certain fixes are given.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from forsyth.build import installed_version
from forsyth.diagnostics import Severity, printable
from forsyth.lint.findings import Finding, Replacement
from forsyth.lint.lines import Place
from forsyth.lint.settings import code_infos


def as_text(finding: Finding) -> str:
    """One line for a person, and for every program that knows compilers."""
    return printable(str(finding))


def as_json(finding: Finding) -> str:
    """One line of JSON."""
    return json.dumps(finding.to_dict())


def as_github(finding: Finding) -> str:
    """A workflow command: GitHub shows it as an annotation at its line."""
    properties: dict[str, object] = {
        "file": PurePath(finding.file).as_posix(),
        "line": finding.start.line,
        "endLine": finding.end.line,
        "col": finding.start.column,
        "endColumn": finding.end.column,
        "title": finding.code,
    }
    given = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{finding.severity.value} {given}::{_message(finding.message)}"


LINE_FORMATS: Final[Mapping[str, Callable[[Finding], str]]] = {
    "text": as_text,
    "json": as_json,
    "github": as_github,
}
"""The formats that are written finding by finding."""


def sarif(findings: Iterable[Finding]) -> dict[str, Any]:
    """One SARIF log of all findings."""
    found = list(findings)
    infos = code_infos() if found else {}
    rules = sorted({one.code for one in found})
    numbers = {code: number for number, code in enumerate(rules)}
    driver = {
        "name": "forsyth",
        "semanticVersion": installed_version(),
        "rules": [
            {"id": code, "shortDescription": {"text": infos[code].summary if code in infos else code}}
            for code in rules
        ],
    }
    results = [{**_result(one), "ruleIndex": numbers[one.code]} for one in found]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"version": "2.1.0", "runs": [run]}


def _result(finding: Finding) -> dict[str, Any]:
    artifact = {"uri": quote(PurePath(finding.file).as_posix(), errors="surrogateescape")}
    place = {"artifactLocation": artifact, "region": _region(finding.start, finding.end)}
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": "error" if finding.severity is Severity.ERROR else "warning",
        "message": {"text": _whole(finding.message)},
        "locations": [{"physicalLocation": place}],
    }
    if finding.fix is not None:
        result["fixes"] = [_fix(finding.fix, artifact)]
    return result


def _fix(fix: Replacement, artifact: dict[str, str]) -> dict[str, Any]:
    replacement = {
        "deletedRegion": _region(fix.start, fix.end),
        "insertedContent": {"text": _whole(fix.replacement)},
    }
    return {
        "description": {"text": f"{fix.confidence.value} fix"},
        "artifactChanges": [{"artifactLocation": artifact, "replacements": [replacement]}],
    }


def _region(start: Place, end: Place) -> dict[str, int]:
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }


def _whole(text: str) -> str:
    """Without lone surrogates, which many readers of JSON refuse."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
