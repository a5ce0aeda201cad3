"""The board of Yut Nori and its sticks: stations, ways, and the six results of a throw.

Station 0 is not yet on the board, 30 is home.

    10  9  8     7  6  5
    18 11          13  4
    19    12    14     3
             15
    20    16    23     2
    21 17          24  1
    22 25 26    27 28 29
"""

from __future__ import annotations

START = 0
HOME = 30
STATIONS = 31

#: The six results of a throw, numbered as the outcomes of chance and the bytes of the queue are.
DO, GAE, GEOL, YUT, MO, BACK_DO = range(6)
NAMES = ("do", "gae", "geol", "yut", "mo", "back-do")
#: The steps of each result, and the number it is written as.
STEPS = (1, 2, 3, 4, 5, -1)

#: The probability of each result in 625ths: each of four sticks shows its flat side with probability 3/5.
SHARES = (72, 216, 216, 81, 16, 24)
WHOLE = 625

#: The ways home. A piece is on the first of these that has its station: it turns in where it stands on 5 or 10, and
#: goes straight to 29 from 15.
_FROM_10 = (10, 11, 12, 15, 23, 24, 29, 30)
_FROM_5 = (5, 13, 14, 15, 16, 17, 22, 25, 26, 27, 28, 29, 30)
_OUTER = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 19, 20, 21, 22, 25, 26, 27, 28, 29, 30)
_WAYS = (_FROM_10, _FROM_5, _OUTER)

#: One step back where it is not simply the station before; where there are two, the player chooses.
_BACK = {1: (29,), 15: (12, 14), 22: (21, 17), 29: (28, 24)}

#: The lines that join the stations of the board.
LINES = ((*_OUTER[1:-1], 1), _FROM_5[:7], _FROM_10[:-1])

#: The board as it is drawn, seven by seven; 0 where nothing is.
GRID = (
    (10, 9, 8, 0, 7, 6, 5),
    (18, 11, 0, 0, 0, 13, 4),
    (19, 0, 12, 0, 14, 0, 3),
    (0, 0, 0, 15, 0, 0, 0),
    (20, 0, 16, 0, 23, 0, 2),
    (21, 17, 0, 0, 0, 24, 1),
    (22, 25, 26, 0, 27, 28, 29),
)


def forward(station: int, steps: int) -> int:
    """Where a piece that stands on `station` (0 … 29) gets to.

    >>> forward(0, 5), forward(5, 3), forward(4, 3), forward(14, 2), forward(12, 2), forward(15, 1), forward(29, 1)
    (5, 15, 7, 16, 23, 23, 30)
    """
    way = next(way for way in _WAYS if station in way)
    return way[min(way.index(station) + steps, len(way) - 1)]


def route(station: int, steps: int) -> tuple[int, ...]:
    """The stations a piece passes on its way forward, the last one included.

    >>> route(4, 3), route(5, 3), route(28, 5)
    ((5, 6, 7), (13, 14, 15), (29, 30))
    """
    way = next(way for way in _WAYS if station in way)
    return way[way.index(station) + 1 : way.index(station) + 1 + steps]


def back(station: int) -> tuple[int, ...]:
    """Where back-do takes a piece on `station` (1 … 29): one station, or two to choose from (way a, way b).

    >>> back(1), back(13), back(15), back(25)
    ((29,), (5,), (12, 14), (22,))
    """
    if station in _BACK:
        return _BACK[station]
    way = next(way for way in _WAYS if station in way[1:])
    return (way[way.index(station) - 1],)


#: Stations from which two ways lead back.
FORKS = tuple(station for station in range(1, HOME) if len(back(station)) == 2)


def targets(station: int, result: int) -> tuple[int, ...]:
    """Where the group on `station` may go with the result of this number; a piece at the start stays for back-do."""
    if result != BACK_DO:
        return (forward(station, STEPS[result]),)
    return back(station) if station != START else (START,)
