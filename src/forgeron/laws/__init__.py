"""The laws of a game: what every game must keep, whoever wrote it, and how somebody's game is tried by them.

The tests of Forgeron run these laws on its own games, `forgeron check-game` on anybody's.
"""
