"""What a network sees of Yolah: who gets to each empty square how soon, and how each piece stands.

Four kinds of features, each in its own range of numbers:

* every empty square with its class: how many moves each side needs to get there (one, two, more, never), and which side
  is nearer in single steps;
* every piece by its square and its number of moves;
* every piece by its free neighbours, its number of moves and the size of the region it can walk in;
* differences between the sides: lead, squares of one side alone, squares within two moves, squares nearer by steps,
  moves, connectivity; and the number of holes.
"""

from __future__ import annotations

import numpy as np

from forgeron import compiled
from forgeron.bits import ONE, ZERO, ctz, list_columns, lowest, popcount
from forgeron.games.yolah.flood_fill import flood, slide
from forgeron.games.yolah.rules import neighbours, rule, targets

#: Stages of the game, by holes: six holes a stage.
PHASES = 8
_HOLES_A_PHASE = 6

_CLASSES = 64
_MOST_MOVES = 15
#: Numbers of moves that count as the same, and sizes from which on a region counts as larger.
_MOBILITY_CLASS = np.array([min(n, 4) if n < 6 else 5 if n < 9 else 6 if n < 13 else 7 for n in range(29)], np.int64)
_SMALL, _MEDIUM, _LARGE = 3, 10, 24
_FARTHEST = 20
_DIFFERENCES = 2 * _FARTHEST + 1
_MOST_LEAD = 7

# Where each kind of feature begins.
_PLACES = _CLASSES * 64
_STANDINGS = _PLACES + 2 * 64 * (_MOST_MOVES + 1)
_LEADS = _STANDINGS + 2 * 9 * 8 * 4
_HOLES = _LEADS + 2 * _MOST_LEAD + 1
_BALANCES = _HOLES + 57
COUNT = _BALANCES + 5 * _DIFFERENCES
MOST = 56 + 2 * 8 + 7


@compiled
def claims(mine, theirs, empty):
    """The empty squares that each side reaches first in single steps; those reached at once block both."""
    claimed_mine, claimed_theirs = mine, theirs
    free = empty
    while True:
        near_mine = neighbours(claimed_mine) & free
        near_theirs = neighbours(claimed_theirs) & free
        if not near_mine | near_theirs:
            return claimed_mine & empty, claimed_theirs & empty
        free &= ~(near_mine | near_theirs)
        both = near_mine & near_theirs
        claimed_mine |= near_mine & ~both
        claimed_theirs |= near_theirs & ~both


@compiled
def _size_of(words):
    return np.int64(popcount(words))


@compiled
def _list_pieces(out, side, pieces, occupied, regions):
    """List the pieces of a side, two features each; the number of their moves, and where these go."""
    empty = ~occupied
    n = moves = np.int64(0)
    reached = ZERO
    while pieces:
        piece = lowest(pieces)
        pieces ^= piece
        square = ctz(piece)
        free = targets(square, occupied)
        count = _size_of(free)
        moves += count
        reached |= free
        near = neighbours(piece) & empty
        room = np.int64(near & regions[0] != ZERO) + np.int64(near & regions[1] != ZERO)
        room += np.int64(near & regions[2] != ZERO)
        out[n] = _PLACES + (side * 64 + np.int64(square)) * (_MOST_MOVES + 1) + min(count, _MOST_MOVES)
        out[n + 1] = _STANDINGS + ((side * 9 + _size_of(near)) * 8 + _MOBILITY_CLASS[count]) * 4 + room
        n += 2
    return n, moves, reached


@compiled
def _walk(mine, theirs, empty):
    """What each side can ever reach, the sets of squares in regions that are not small, are large, are very large, the
    squares that only the first side can reach less those of the other, and the squares that each piece can reach."""
    reach_mine = reach_theirs = small = medium = large = ZERO
    exclusive = connected = np.int64(0)
    left = neighbours(mine | theirs) & empty
    while left:
        region = flood(lowest(left), empty)
        left &= ~region
        around = neighbours(region)
        size = _size_of(region)
        n_mine, n_theirs = _size_of(around & mine), _size_of(around & theirs)
        connected += size * (n_mine - n_theirs)
        reach_mine |= region if n_mine else ZERO
        reach_theirs |= region if n_theirs else ZERO
        exclusive += (size if n_theirs == 0 else np.int64(0)) - (size if n_mine == 0 else np.int64(0))
        small |= region if size >= _SMALL else ZERO
        medium |= region if size >= _MEDIUM else ZERO
        large |= region if size >= _LARGE else ZERO
    return reach_mine, reach_theirs, (small, medium, large), exclusive, connected


@compiled
def _clip(number, most):
    return min(max(number, -most), most) + most


@rule
def features(state, seat, out):
    mine, theirs, lead = state.mine, state.theirs, state.lead
    if seat != state.turn:
        mine, theirs, lead = theirs, mine, -lead
    occupied = mine | theirs | state.holes
    empty = ~occupied

    # 1. Pieces: their moves, and the regions they can walk in.
    reach_mine, reach_theirs, regions, exclusive, connected = _walk(mine, theirs, empty)
    n, moves_mine, once_mine = _list_pieces(out, np.int64(0), mine, occupied, regions)
    more, moves_theirs, once_theirs = _list_pieces(out[n:], np.int64(1), theirs, occupied, regions)
    n += more

    # 2. Squares by who gets there how soon.
    twice_mine, twice_theirs = slide(once_mine, empty), slide(once_theirs, empty)
    claimed_mine, claimed_theirs = claims(mine, theirs, empty)
    far_mine, far_theirs = (twice_mine ^ once_mine) | ~reach_mine, (twice_theirs ^ once_theirs) | ~reach_theirs
    # Bit i of a square's class is its bit in plane i.
    planes = (claimed_mine, claimed_theirs, far_theirs, ~twice_theirs, far_mine, ~twice_mine)
    n += list_columns(out[n:], empty, planes)

    # 3. The balance of the sides.
    out[n] = _LEADS + _clip(lead, _MOST_LEAD)
    out[n + 1] = _HOLES + _size_of(state.holes)
    balances = (
        exclusive,
        _size_of(twice_mine) - _size_of(twice_theirs),
        _size_of(claimed_mine) - _size_of(claimed_theirs),
        (moves_mine - moves_theirs) >> 1,
        connected >> 3,
    )
    for i in range(5):
        out[n + 2 + i] = _BALANCES + i * _DIFFERENCES + _clip(balances[i], _FARTHEST)
    return n + 7


@rule
def phase(state):
    return min(_size_of(state.holes) // _HOLES_A_PHASE, np.int64(PHASES - 1))


@rule
def planes(state, seat):
    """Own pieces, other pieces, holes; in the last word the bit of one's own points, and bit 63 when one is to move."""
    mine, theirs, lead, moves = state.mine, state.theirs, state.lead, ONE
    if seat != state.turn:
        mine, theirs, lead, moves = theirs, mine, -lead, ZERO
    points = (_size_of(state.holes) + lead) >> 1
    return mine, theirs, state.holes, (ONE << np.uint64(points)) | (moves << np.uint64(63))
