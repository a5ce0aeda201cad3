"""Coloured Mancala: sixteen holes in a circle, seeds of three colours; capture more than the opponent."""

from forgeron.games.mancala.game import Mancala

__all__ = ["Mancala"]
