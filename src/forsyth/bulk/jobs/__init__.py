"""Whole jobs, from the sources to the target and the report."""
