"""The verbs of bulk work: what is computed for each record batch, for every game."""
