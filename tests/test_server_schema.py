"""Requests made up from the description of the service: whatever they hold, it answers as described."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from forsyth.server import Settings, create_app
from forsyth.store import MemoryStore

APP = create_app(Settings(), MemoryStore())
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
