"""With the folder `documents` on the path of Python, Azul's class where its document imports it from."""

from forsyth.azul import AzulState

__all__ = ["AzulState"]
