"""The parser and the board class of the source document, built on the rules and notation of this package."""
