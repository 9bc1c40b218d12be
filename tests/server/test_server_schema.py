"""Requests made up from the description of the service: whatever they hold, it answers as described."""

from __future__ import annotations

import json
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

from forsyth.server import Settings, create_app
from forsyth.store import MemoryStore

# The requests are made for a name that no machine has.
APP = create_app(Settings(allow_host=("testserver",)), MemoryStore())
BATCH = TestClient(APP)
schema = schemathesis.openapi.from_asgi("/openapi.json", APP)


@schemathesis.serializer("application/x-ndjson")
def lines(context: Any, value: Any) -> bytes:
    """A body of lines, which is a text in the description."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.mark.filterwarnings("default")
@schema.parametrize()
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_call_answers_as_described(case: schemathesis.Case[Any]) -> None:
    case.call_and_validate(checks=CHECKS)


def test_the_batch_call_is_among_them() -> None:
    assert schema["/api/v1/batch/check"]["POST"].path == "/api/v1/batch/check"


JSON_LINES = st.one_of(
    st.text(max_size=40).map(json.dumps),
    st.fixed_dictionaries({"text": st.one_of(st.text(max_size=20), st.none(), st.integers())}).map(
        json.dumps
    ),
    st.text(st.characters(exclude_characters="\n\r"), max_size=40),
).map(lambda line: line.encode("utf-8", "surrogatepass"))


@given(st.lists(st.one_of(JSON_LINES, st.binary(max_size=40).map(lambda line: line.replace(b"\n", b"")))))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_a_batch_answers_every_line_of_any_body(body: list[bytes]) -> None:
    answer = BATCH.post("/api/v1/batch/check", content=b"\n".join(body))
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/x-ndjson"
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert [one["line"] for one in found] == [n for n, line in enumerate(body, 1) if line.strip()]
    assert all(one["ok"] or one["diagnostics"] for one in found)
