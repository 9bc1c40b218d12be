"""Drawing chess positions: the scene of a position, the pieces and the colours."""
