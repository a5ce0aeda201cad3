"""Yolah: queens that leave holes; move longer than your opponent (P. Garcia)."""

from forgeron.games.yolah.game import Yolah

__all__ = ["Yolah"]
