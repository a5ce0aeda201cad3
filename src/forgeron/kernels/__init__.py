"""Generic compiled algorithms over the contract of a game."""
