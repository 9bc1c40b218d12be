"""Kernel that reads files of chess records into columns, from bytes and without an object per record."""
