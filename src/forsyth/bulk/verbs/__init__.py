"""What is done with every record batch, for any game."""
