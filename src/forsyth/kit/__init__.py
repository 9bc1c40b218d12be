"""What games are made of: the data of a grid game, and everything that follows from it."""
