"""Texts: reading a position with every finding, writing it, and the fast paths of both."""
