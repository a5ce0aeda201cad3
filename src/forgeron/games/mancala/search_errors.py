"""How far shallow searches are from deeper ones: mean and spread by deeper and shallower depth (docs/players.md).

Measured by `forgeron probcut mancala --eval network --preset report --games 24 --nodes 30000`, for the network of that
preset. The errors of the static evaluation, a search of depth 0, are left out: computing it inside the tree costs more
than it saves.
"""

from __future__ import annotations

SEARCH_ERRORS = {
    "network": {
        (2, 1): (-1, 201),
        (3, 1): (-33, 150),
        (3, 2): (-32, 152),
        (4, 1): (-11, 232),
        (4, 2): (-10, 120),
        (4, 3): (22, 153),
        (5, 2): (-47, 201),
        (5, 3): (-15, 142),
        (5, 4): (-37, 166),
        (6, 3): (15, 200),
        (6, 4): (-7, 125),
        (6, 5): (31, 171),
        (7, 4): (-29, 191),
        (7, 5): (9, 128),
        (7, 6): (-22, 149),
        (8, 5): (21, 188),
        (8, 6): (-14, 120),
        (8, 7): (11, 123),
        (9, 6): (-42, 182),
        (9, 7): (6, 124),
        (9, 8): (-24, 136),
        (10, 7): (33, 178),
        (10, 8): (-16, 104),
        (10, 9): (36, 155),
    }
}
