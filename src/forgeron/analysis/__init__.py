"""Judging positions and games, and measuring what the ideas of a search are worth."""
