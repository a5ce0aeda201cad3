"""The network of `forgeron.kernels.network` in floating point, as one matrix that a learner changes while it plays.

The rows of the matrix are those of the features, then the bias, then the output weights of each phase. A row has
`LANES` numbers: `HIDDEN` hidden lanes, then `LINEAR` lanes of which each phase has one. Its value is what the network
in whole numbers approximates.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.arrays import floats_on_stack, on_stack
from forgeron.core.contract import active, phase, player_on_turn, turn
from forgeron.core.jit import compiled
from forgeron.core.network_file import CHUNK, MOST_ACTIVE

#: Constants, so that the compiler knows how long its loops are.
HIDDEN, LINEAR = 48, CHUNK
LANES = HIDDEN + LINEAR
#: What a learner adds to the rows of the features: the bias, and the output weights.
MORE_ROWS = 1 + LINEAR


def make_parameters(feature_count: int, seed: int) -> np.ndarray:
    """A network with small random weights: which ones depends on the seed."""
    rng = np.random.default_rng(seed)
    parameters = np.zeros((feature_count + MORE_ROWS, LANES), dtype=np.float32)
    parameters[:feature_count, :HIDDEN] = 0.02 * rng.standard_normal((feature_count, HIDDEN))
    parameters[feature_count, :HIDDEN] = 0.3
    parameters[feature_count + 1 :, :HIDDEN] = 0.1 * rng.standard_normal((LINEAR, HIDDEN))
    return parameters


@compiled
def add_rows(parameters, indices, n, lanes):
    """Write the sum of the bias and the rows of the first n indices to `lanes`."""
    bias = parameters[len(parameters) - MORE_ROWS]
    for lane in range(LANES):
        lanes[lane] = bias[lane]
    for i in range(n):
        row = parameters[indices[i]]
        for lane in range(LANES):
            lanes[lane] += row[lane]


@compiled
def output(parameters, lanes, stage):
    """The value, log-odds for the side to move, of these lanes: hidden ones are clamped, squared and weighed."""
    weights = parameters[len(parameters) - LINEAR + stage]
    sums = floats_on_stack(CHUNK)
    for lane in range(CHUNK):
        sums[lane] = np.float32(0.0)
    for first in range(0, HIDDEN, CHUNK):
        part, weight = lanes[first : first + CHUNK], weights[first : first + CHUNK]
        for lane in range(CHUNK):
            clamped = min(max(part[lane], np.float32(0.0)), np.float32(1.0))
            sums[lane] += clamped * clamped * weight[lane]
    total = lanes[HIDDEN + stage]
    for lane in range(CHUNK):
        total += sums[lane]
    return np.float64(total)


@compiled
def trainable_evaluation(state, parameters):
    """The log-odds that player 0 wins, as the network sees it."""
    seat = np.int64(player_on_turn(state, turn(state), np.int64(0)))
    indices = on_stack(MOST_ACTIVE)
    lanes = floats_on_stack(LANES)
    n = np.int64(active(state, seat, indices))
    add_rows(parameters, indices, n, lanes)
    value = output(parameters, lanes, np.int64(phase(state)))
    return value if seat == 0 else -value


@compiled
def learn(parameters, squares, indices, n, stage, target, rate):
    """Move the value of a position towards a target, a probability for the side to move, by one step of Adagrad on the
    cross-entropy; the error before it. `squares` has the shape of the parameters and adds up the squared gradients."""
    lanes, slopes = floats_on_stack(LANES), floats_on_stack(LANES)
    add_rows(parameters, indices, n, lanes)
    value = output(parameters, lanes, stage)
    error = 1.0 / (1.0 + np.exp(min(-value, 700.0))) - target
    weights = parameters[len(parameters) - LINEAR + stage]
    more = squares[len(parameters) - LINEAR + stage]
    step, small = np.float32(rate), np.float32(error)
    for lane in range(LANES):
        slopes[lane] = np.float32(0.0)
    for lane in range(HIDDEN):
        clamped = min(max(lanes[lane], np.float32(0.0)), np.float32(1.0))
        inside = np.float32(1.0) if clamped == lanes[lane] else np.float32(0.0)
        slopes[lane] = np.float32(2.0) * small * clamped * weights[lane] * inside
        slope = small * clamped * clamped
        more[lane] += slope * slope
        weights[lane] -= step * slope / np.sqrt(more[lane])
    slopes[HIDDEN + stage] = small
    for i in range(n + 1):
        number = np.int64(indices[i]) if i < n else np.int64(len(parameters) - MORE_ROWS)
        row, sums = parameters[number], squares[number]
        for lane in range(LANES):
            sums[lane] += slopes[lane] * slopes[lane]
            row[lane] -= step * slopes[lane] / np.sqrt(sums[lane])
    return error
