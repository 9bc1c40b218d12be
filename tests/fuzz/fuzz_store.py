"""Fuzz what a store takes: texts, names, tags, notes and queries are kept as they are, or refused."""

from __future__ import annotations

from tests.fuzz.harness import fuzz, require, text_of

from forsyth.store import MemoryStore


def check(data: bytes) -> None:
    """Put a text, save it under a name with tag and note from its lines, and search for each.

    The game is not installed, so that the store does not read the texts.
    """
    text = text_of(data)
    store = MemoryStore()
    try:
        found = store.get(store.put(text, "unread"))
        require(found == text, text, found)
    except ValueError:
        pass
    name, _, rest = text.partition("\n")
    tag, _, note = rest.partition("\n")
    try:
        saved = store.save(text, "unread", name, [tag], note)
    except ValueError:
        saved = None
    for query in (name, tag, note, text):
        try:
            page = store.search(query=query)
        except ValueError:
            continue
        require(saved is None or query != saved.name or page.total == 1, text)
    require(store.get(text) is None or store.entry(text) is not None, text)


if __name__ == "__main__":
    fuzz(check)
