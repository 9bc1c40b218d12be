"""Make Azul's class importable as `core.azul_model`, as its source document imports it.

The folder `documents` must be on the Python path.
"""

from forsyth.azul import AzulState

__all__ = ["AzulState"]
