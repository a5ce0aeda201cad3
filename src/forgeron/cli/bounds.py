"""The bounds of numbers on the command line: a slip of the hand is refused before anything begins.

A test reads the definition of every command and asks for both bounds of every number; `--help` shows them.
"""

from __future__ import annotations

#: A week: whoever wants more has probably written milliseconds.
MOST_SECONDS = 604_800.0
LEAST_SECONDS = 0.001
MOST_NODES = 10**12
MOST_GAMES = 200_000
MOST_ROUNDS = 10_000
MOST_DEPTH = 1000
MOST_JOBS = 1024
MOST_THREADS = 256
MOST_PLIES = 100
MOST_MB = 1 << 24
LAST_SEED = 2**63 - 1
