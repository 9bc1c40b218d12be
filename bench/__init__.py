"""Forsyth and its peers side by side: one run, one corpus, ratios. `python -m bench`; see README.md."""
