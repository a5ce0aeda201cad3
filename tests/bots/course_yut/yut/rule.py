"""Rules in the manner of the course's package: positions are NumPy int32, results are 1 … 5 and -1."""

import numpy as np

FINISHED = 30
PAST = {s: s + 1 for s in range(30)} | {10: 18, 12: 15, 14: 15, 17: 22, 22: 25, 24: 29}
TURNINGS = {5: 13, 10: 11, 15: 23}
BACK = {s: (s - 1,) for s in range(2, 29)} | {1: (29,), 13: (5,), 11: (10,), 23: (15,), 16: (15,), 18: (10,), 25: (22,)}
BACK |= {15: (12, 14), 22: (21, 17), 29: (28, 24)}


def next_position(position, yutscore, shortcut):
    position = int(position)
    if yutscore == -1:
        return BACK[position][-1 if shortcut else 0] if position else 0
    came_from = None
    for step in range(yutscore):
        if position == FINISHED:
            break
        if step == 0 and position in TURNINGS:
            following = TURNINGS[position]
        elif position == 15:
            following = 23 if came_from == 12 else 16
        else:
            following = PAST[position]
        came_from, position = position, following
    return position


def make_move(my_positions, enemy_positions, mal_index, yutscore, shortcut):
    """Legal or not, the positions of both sides after the move, and how many pieces it caught."""
    mine, enemy = np.array(my_positions, dtype=np.int32), np.array(enemy_positions, dtype=np.int32)
    position = mine[mal_index]
    waits = yutscore == -1 and position == 0
    if position == FINISHED or (waits and ((mine > 0) & (mine < FINISHED)).any()):
        return False, tuple(mine), tuple(enemy), 0
    target = next_position(position, yutscore, shortcut)
    moved = (mine == position) if position else np.arange(len(mine)) == mal_index
    mine[moved] = target
    caught = (enemy == target) if 0 < target < FINISHED else np.zeros(len(enemy), dtype=bool)
    enemy[caught] = 0
    return True, tuple(mine), tuple(enemy), int(caught.sum())
