"""A position as numbers: its key, its packed bytes, features and planes, and whole columns of them."""
