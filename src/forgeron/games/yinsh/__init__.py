"""YINSH: rings that leave markers and turn them over; make rows and take your rings off (K. Burm)."""

from forgeron.games.yinsh.game import Yinsh

__all__ = ["Yinsh"]
