"""Integrations with other libraries: `pydantic` and `pandas`.

Each module needs the extra of the same name. Without it, the import raises an error that names the package to
install.
"""
