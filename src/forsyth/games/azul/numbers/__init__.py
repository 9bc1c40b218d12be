"""A position as numbers: key, packed bytes, features, planes, and whole columns of them."""
