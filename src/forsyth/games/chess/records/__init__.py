"""Whole files of records as columns, from bytes, without an object for any of them."""
