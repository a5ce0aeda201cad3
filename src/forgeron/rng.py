"""Random numbers without hidden state (SplitMix64): the n-th word of a stream is a pure function of both.

Published for games and players: the functions of `forgeron.core.rng`, the same objects.
"""

from __future__ import annotations

from forgeron.core.rng import below, mix, split, unit, word

__all__ = ["below", "mix", "split", "unit", "word"]
