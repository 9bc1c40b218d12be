"""Texts: reading a position with every finding, writing it, the fast paths of both, and move texts."""
