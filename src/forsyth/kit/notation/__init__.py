"""Texts of positions on a grid: reading with every finding, writing, and the fast paths of both."""
