"""The rules: legal moves and their effects, the steps between rounds, scoring, and the check of positions."""
