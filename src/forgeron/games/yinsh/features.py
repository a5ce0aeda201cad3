"""What a network sees of YINSH: rings, markers, rows in the making, and the balance of the sides.

Each kind of feature has its own range of numbers:

* every marker of either side by its point;
* every ring of either side by its point and its number of moves;
* every window of K points that has K - 2 markers of a side or more, by what the rest of it holds: rings of that side,
  markers and rings of the other one;
* the rings that both sides have removed, with the kind of the next ply and whether the other side has a row;
* for each side its markers, its safe markers, its moves, and the windows that lack one marker where an own ring stands
  or an enemy.
"""

from __future__ import annotations

import numpy as np

from forgeron import compiled
from forgeron.bits import ONE, ZERO, ctz, popcount, without_lowest

from .board import COUNT as POINTS
from .board import EVERY_LINE
from .evaluation import EDGES, LONGEST, ROOM, WINDOWS, add_held, held
from .line_bits import reach
from .point_sets import (
    NOTHING,
    any_of,
    first_point,
    intersection,
    my_markers,
    my_rings,
    read_line,
    size,
    their_markers,
    their_rings,
    without_first,
)
from .rules import rule
from .state import (
    PLACE,
    REMOVED,
    THEY_HAVE_A_ROW,
    TURN,
    all_markers,
    blocked,
    kind_of,
    length_of,
    removed,
    size_of,
)

#: Stages: placing, three by markers while no ring is removed, then by removed rings.
PHASES = 8
_FEW_MARKERS, _MANY_MARKERS = 10, 25

# What is listed at most, of each side; boards with more are not what networks are for.
_RINGS_LISTED, _MARKERS_LISTED, _WINDOWS_LISTED = 6, 28, 12
_MOST_MARKERS, _MOST_SAFE, _MOST_MOVES, _MOST_SHORT = 31, 15, 95, 5
_MOBILITY_CLASS = np.array([min(n, 4) if n < 6 else 5 if n < 10 else 6 if n < 15 else 7 for n in range(64)], np.int64)

# Where each kind of feature begins.
_RINGS = 2 * POINTS
_ROWS = _RINGS + 2 * 8 * POINTS
_STAGES = _ROWS + 2 * 3 * 27
_MARKERS = _STAGES + 8 * 8 * 6 * 2
_SAFE = _MARKERS + 2 * (_MOST_MARKERS + 1)
_MOVES = _SAFE + 2 * (_MOST_SAFE + 1)
_SHORT = _MOVES + 2 * 2 * (_MOST_MOVES + 1)
COUNT = _SHORT + 2 * 2 * (_MOST_SHORT + 1)
MOST = 2 * (_RINGS_LISTED + _MARKERS_LISTED + _WINDOWS_LISTED) + 1 + 2 * 5

_8, _10, _16, _20 = (np.uint64(n) for n in (8, 10, 16, 20))
_LINES = np.uint64(3 * POINTS)


@compiled
def _at_most(number, most):
    return min(number, most)


@compiled
def _size(points):
    return np.int64(size(points))


@compiled
def _list_markers(out, side, markers):
    """List markers by their points, a feature each."""
    n = np.int64(0)
    while any_of(markers) and n < _MARKERS_LISTED:
        out[n] = side * POINTS + np.int64(first_point(markers))
        markers = without_first(markers)
        n += 1
    return n


@compiled
def _list_rings(out, side, rings, obstacles, markers):
    """List rings by point and mobility, a feature each; and the number of their moves."""
    n = moves = np.int64(0)
    while any_of(rings):
        point = first_point(rings)
        rings = without_first(rings)
        count = np.int64(popcount(reach(point, obstacles, markers)))
        moves += count
        if n < _RINGS_LISTED:
            out[n] = _RINGS + ((side * POINTS) + np.int64(point)) * 8 + _MOBILITY_CLASS[_at_most(count, 63)]
            n += 1
    return n, moves


@compiled
def _list_windows(out, n, side, windows, length, rings, enemies, enemy_rings):
    """List windows of a line; how many are listed now, and how many lack one marker at an own ring, and at an enemy."""
    with_ring = with_enemy = np.int64(0)
    inside = (ONE << length) - ONE
    while windows:
        found = ctz(windows)
        windows = without_lowest(windows)
        lacking = found // _10
        window = inside << (found - _10 * lacking + ONE)
        own = _at_most(np.int64(popcount(rings & window)), 2)
        other = _at_most(np.int64(popcount(enemies & window)), 2)
        other_rings = _at_most(np.int64(popcount(enemy_rings & window)), 2)
        # Sets are in the order of lacking two, one and none.
        with_ring += np.int64(lacking == ONE) & own
        with_enemy += np.int64(lacking == ONE) & other
        if n < _WINDOWS_LISTED:
            out[n] = _ROWS + ((side * 3 + np.int64(lacking)) * 9 + own * 3 + other) * 3 + other_rings
            n += 1
    return n, with_ring, with_enemy


@compiled
def _list_lines(out, mine, theirs, options):
    """List the windows of both sides; how many, the windows that lack one marker, and the markers that are safe.

    `mine` and `theirs` are rings and markers.
    """
    length, board_size = length_of(options), size_of(options)
    table, room, edge = length << LONGEST, (board_size * _16 + length) * _LINES, board_size * _LINES
    other = out[_WINDOWS_LISTED:]  # moved to its place at the end
    n = n_theirs = np.int64(0)
    ring_mine = enemy_mine = ring_theirs = enemy_theirs = np.int64(0)
    fast = (NOTHING, NOTHING, NOTHING)
    for way in EVERY_LINE:
        own, enemy = read_line(way, mine[1]), read_line(way, theirs[1])
        markers = own | enemy
        if markers == ZERO:
            continue
        fits = np.uint64(ROOM[room + way])
        fits |= (fits << _10) | (fits << _20)
        own_windows = np.uint64(WINDOWS[table + (own >> ONE)]) & fits
        enemy_windows = np.uint64(WINDOWS[table + (enemy >> ONE)]) & fits
        if own_windows | enemy_windows:
            own_rings, enemy_rings = read_line(way, mine[0]), read_line(way, theirs[0])
            n, more, enemies = _list_windows(out, n, np.int64(0), own_windows, length, own_rings, enemy, enemy_rings)
            ring_mine, enemy_mine = ring_mine + more, enemy_mine + enemies
            n_theirs, more, enemies = _list_windows(
                other, n_theirs, np.int64(1), enemy_windows, length, enemy_rings, own, own_rings
            )
            ring_theirs, enemy_theirs = ring_theirs + more, enemy_theirs + enemies
        fast = add_held(way, held(np.uint64(EDGES[edge + way]), markers), fast)
    for i in range(n_theirs):
        out[n + i] = other[i]
    return n + n_theirs, (ring_mine, enemy_mine, ring_theirs, enemy_theirs), fast[2]


@compiled
def _list_stage(out, state, seat):
    """List removed rings, the kind of the ply and whether a row waits for the side not to move, a feature."""
    here = np.uint64(seat)
    counts = _at_most(np.int64(removed(state, here)), 7) * 8 + _at_most(np.int64(removed(state, ONE - here)), 7)
    waiting = np.int64((state.stage & THEY_HAVE_A_ROW) != ZERO)
    out[0] = _STAGES + (counts * 6 + np.int64(kind_of(state))) * 2 + waiting


@compiled
def _list_counts(out, side, markers, safe, moves, placing, with_ring, with_enemy):
    """List the counts of a side, five features."""
    out[0] = _MARKERS + side * (_MOST_MARKERS + 1) + min(markers, _MOST_MARKERS)
    out[1] = _SAFE + side * (_MOST_SAFE + 1) + min(safe, _MOST_SAFE)
    out[2] = _MOVES + (side * 2 + placing) * (_MOST_MOVES + 1) + min(moves, _MOST_MOVES)
    out[3] = _SHORT + (side * 2) * (_MOST_SHORT + 1) + min(with_ring, _MOST_SHORT)
    out[4] = _SHORT + (side * 2 + 1) * (_MOST_SHORT + 1) + min(with_enemy, _MOST_SHORT)


@rule
def features(state, seat, out):
    mine, theirs = (my_rings(state), my_markers(state)), (their_rings(state), their_markers(state))
    if np.int64(state.stage & TURN) != seat:
        mine, theirs = theirs, mine
    placing = np.int64(kind_of(state) == PLACE)
    obstacles, markers = blocked(state), all_markers(state)
    n, short, safe = _list_lines(out, mine, theirs, state.options)
    more, my_moves = _list_rings(out[n:], np.int64(0), mine[0], obstacles, markers)
    n += more
    more, their_moves = _list_rings(out[n:], np.int64(1), theirs[0], obstacles, markers)
    n += more
    n += _list_markers(out[n:], np.int64(0), mine[1])
    n += _list_markers(out[n:], np.int64(1), theirs[1])
    my_safe, their_safe = _size(intersection(mine[1], safe)), _size(intersection(theirs[1], safe))
    _list_stage(out[n:], state, seat)
    _list_counts(out[n + 1 :], np.int64(0), _size(mine[1]), my_safe, my_moves, placing, short[0], short[1])
    _list_counts(out[n + 6 :], np.int64(1), _size(theirs[1]), their_safe, their_moves, placing, short[2], short[3])
    return n + 11


@rule
def phase(state):
    if kind_of(state) == PLACE:
        return np.int64(0)
    taken = np.int64(removed(state, ZERO) + removed(state, ONE))
    if taken:
        return _at_most(3 + taken, np.int64(PHASES - 1))
    markers = _size(all_markers(state))
    return np.int64(1) + np.int64(markers >= _FEW_MARKERS) + np.int64(markers >= _MANY_MARKERS)


@rule
def planes(state, seat):
    """Own rings, own markers, the other side's rings and markers, as the rules number the points.

    The last word has the stage of the turn as the rules keep it, with one's own removed rings first (bits 8-15), then
    the other's (16-23), and bit 0 when one is to move.
    """
    here = np.uint64(seat)
    moves = ONE ^ here ^ (state.stage & TURN)
    counts = (removed(state, here) << _8) | (removed(state, ONE ^ here) << _16)
    stage = (state.stage & ~(TURN | REMOVED)) | moves | counts
    mine, theirs = my_rings(state) + my_markers(state), their_rings(state) + their_markers(state)
    if not moves:
        mine, theirs = theirs, mine
    return (*mine, *theirs, stage)
