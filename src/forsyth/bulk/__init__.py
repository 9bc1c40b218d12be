"""Positions by the million."""
