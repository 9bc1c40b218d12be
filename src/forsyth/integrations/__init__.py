"""Positions as values of other people's libraries: `pydantic` and `pandas`, each with its extra.

A module here imports its library when it is imported itself, and says what to install where it is missing.
"""
