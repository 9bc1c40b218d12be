"""The rules: what is legal, which moves there are, what they lead to, and how a game ends."""
