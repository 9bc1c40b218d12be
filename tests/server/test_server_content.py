"""What many clients receive is rendered and compressed once."""

from __future__ import annotations

import gzip
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.server.test_server import client, made

from forsyth.server import openapi, prepared_content
from forsyth.server.prepared_content import MAX_FILES, FileCache, prepare_content

__all__ = ["client"]

GZIP = {"Accept-Encoding": "gzip"}
PLAIN = {"Accept-Encoding": "identity"}


def counted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[Any]:
    """The calls of a function, from now on."""
    calls: list[Any] = []
    original = getattr(module, name)

    def count(*arguments: Any, **options: Any) -> Any:
        calls.append(arguments)
        return original(*arguments, **options)

    monkeypatch.setattr(module, name, count)
    return calls


def test_the_description_is_not_rendered_for_each_request(monkeypatch: pytest.MonkeyPatch) -> None:
    rendered = counted(monkeypatch, openapi, "encode_json")
    with made() as client, ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: client.get("/openapi.json"), range(8)))
    assert len(rendered) == 1
    assert len({answer.text for answer in answers}) == 1


def test_the_description_is_sent_once_to_a_client_that_keeps_it(client: TestClient) -> None:
    first = client.get("/openapi.json", headers=GZIP)
    assert first.headers["content-encoding"] == "gzip"
    assert first.headers["vary"] == "Accept-Encoding"
    assert first.headers["cache-control"] == "no-cache"
    assert first.headers["content-type"] == "application/json"
    again = client.get("/openapi.json", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    plain = client.get("/openapi.json", headers=PLAIN)
    assert "content-encoding" not in plain.headers
    assert (plain.content, plain.headers["etag"]) == (first.content, first.headers["etag"])


def test_a_file_of_the_page_is_not_compressed_for_each_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>" + "here " * 500)
    (tmp_path / "assets" / "a.js").write_text("there();" * 500)
    monkeypatch.setattr("forsyth.server.routes.pages.STATIC", tmp_path)
    monkeypatch.setattr("forsyth.server.routes.pages._FILES", FileCache())
    compressed = counted(monkeypatch, prepared_content, "prepare_content")
    with made() as client:
        for path in ("/", "/play", "/assets/a.js") * 3:
            answer = client.get(path, headers=GZIP)
            assert answer.headers["content-encoding"] == "gzip"
            assert "here" in answer.text
            assert client.head(path, headers=GZIP).status_code == 200
            kept = client.get(path, headers={"If-None-Match": answer.headers["etag"]})
            assert (kept.status_code, kept.content) == (304, b"")
            assert client.get(path, headers=PLAIN).text == answer.text
        assert len(compressed) == 2
        (tmp_path / "index.html").write_text("<!doctype html>elsewhere")
        assert client.get("/").text == "<!doctype html>elsewhere"
        assert len(compressed) == 3


def test_a_cache_of_files_is_bounded_and_notices_changes(tmp_path: Path) -> None:
    cache = FileCache()
    files = [tmp_path / f"{number}.txt" for number in range(MAX_FILES + 1)]
    for file in files:
        file.write_text(file.name)
        assert cache.read_file(file).body == file.name.encode()
    assert len(cache._contents) <= MAX_FILES
    # A file of the same size is another one if its time differs.
    files[0].write_text("x.txt")
    os.utime(files[0], (1, 1))
    assert cache.read_file(files[0]).body == b"x.txt"


@pytest.mark.parametrize(("body", "is_compressed"), [(b"a" * 999, False), (b"a" * 1000, True)])
def test_only_a_body_that_becomes_smaller_is_compressed(body: bytes, is_compressed: bool) -> None:
    found = prepare_content(body).compressed_body
    assert (found is not None) == is_compressed
    assert found is None or gzip.decompress(found) == body
    assert prepare_content(os.urandom(2000)).compressed_body is None
