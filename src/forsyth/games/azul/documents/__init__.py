"""The classes and functions of the source document, built on the rules and the notation of this package."""
