"""The faces of the source documents: their classes and functions, over the same rules and notation."""
