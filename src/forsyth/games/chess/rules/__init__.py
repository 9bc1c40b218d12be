"""Rules of chess: attacks, legal moves, the legality of positions, and the ends of games."""
