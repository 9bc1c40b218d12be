"""Positions on a grid as numbers: packed bytes, features and planes, and kernels for whole columns."""
