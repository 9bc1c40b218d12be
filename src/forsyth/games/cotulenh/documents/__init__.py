"""The classes and functions of the source documents, built on the rules and the notation of this package."""
