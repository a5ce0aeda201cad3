"""Yut Nori: four sticks are thrown, four pieces run home, and who is landed on starts again."""

from forgeron.games.yut.game import Yut

__all__ = ["Yut"]
