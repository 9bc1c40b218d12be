"""What is written: one file or a directory of parts, whole or absent."""
