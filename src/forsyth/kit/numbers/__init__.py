"""A position on a grid as numbers: packed bytes, features and planes, and whole columns of them."""
