"""A small quantised network over sparse features, as kernels run it: no PyTorch, the same value on every machine.

A game names the features that a position has (`features`, indices into one table) and its phase. Each feature owns a
row of the table, one number a lane; the rows of all active features are added up, together with the bias. Most lanes
are hidden units: clamped to [0, 1], squared, and weighed by the output weights of the phase. The last lanes, one for
each phase, are added to the output as they are: a linear evaluation inside the network.

    lanes = bias + Σ rows[feature]                     int16, cannot overflow: see `row_limit`
    squares = clamp(lanes, 0, 1023)² // 16
    value = (Σ squares · out[phase]) / 2²⁴ + lanes[hidden + phase] / 2⁸       log-odds for the side to move

The rows are added up from scratch in every position: there are a few dozen active features, and they may depend on
anything (distances, regions, mobility), which a move changes in many places. Accumulators on the search stack have not
been tried against it.

A network is a NumPy record, so that its sizes are a part of its type: kernels are compiled for them.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.arrays import on_stack
from forgeron.core.contract import active, evaluate, phase, player_on_turn, turn
from forgeron.core.jit import JIT, compiled
from forgeron.core.network_file import CHUNK, MOST_ACTIVE
from forgeron.kernels.trainable_network import trainable_evaluation

#: One in the units of hidden lanes, and one log-odd in the units of linear lanes and of output weights.
ONE_HIDDEN, ONE_LOGIT = 1024, 256
_SQUARE_SHIFT, _SQUARE_BITS = 4, 16
_SCALE = 1.0 / (ONE_LOGIT << _SQUARE_BITS)


def row_limit(active: int) -> int:
    """No number of a row or of the bias may be greater, so that `active` features and the bias never overflow."""
    return 32767 // (active + 1)


def out_limit() -> int:
    """The output weights of a phase may add up to no more than this, so that their sum with squares never overflows."""
    return (1 << 31 - _SQUARE_BITS) - 1


def infer(network, indices, n, phase):
    """The value, log-odds for the side to move, of a position with the first `n` of these active features."""
    one = network[0]
    phases, width = one["out"].shape
    lanes = one["bias"].astype(np.int64)
    for i in range(n):
        lanes += one["rows"][int(indices[i])]
    squares = np.clip(lanes, 0, ONE_HIDDEN - 1) ** 2 >> _SQUARE_SHIFT
    total = int(squares @ one["out"][int(phase)].astype(np.int64))
    linear = int(lanes[width - phases + int(phase)])
    return float(total + (linear << _SQUARE_BITS)) * _SCALE


@compiled
def network_evaluation(state, evaluation):
    """The log-odds that player 0 wins, as the network sees it; the viewpoint is that of `evaluate`."""
    seat = np.int64(player_on_turn(state, turn(state), np.int64(0)))
    out = on_stack(MOST_ACTIVE)
    n = active(state, seat, out)
    value = infer(evaluation, out, np.int64(n), np.int64(phase(state)))
    return value if seat == 0 else -value


def is_network(evaluation: np.ndarray) -> bool:
    """Whether an array is a network, and not the weights of a linear evaluation."""
    return evaluation.dtype.names is not None


def static_evaluation(state, evaluation):
    """The log-odds that player 0 wins, by a network, by one that is being trained (a matrix), or by the game's own
    evaluation with these weights. In a kernel that was given None, and will not ask, it is 0."""
    if evaluation.ndim == 2:
        return trainable_evaluation(state, evaluation)
    return network_evaluation(state, evaluation) if is_network(evaluation) else evaluate(state, evaluation)


if JIT:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload
    from numba.np.arrayobj import make_array

    _I16, _I32, _I64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)
    _WIDE, _WIDER = ir.VectorType(_I16, CHUNK), ir.VectorType(_I32, CHUNK)

    def _splat(value: int, kind: ir.VectorType = _WIDE) -> ir.Constant:
        return ir.Constant(kind, [value] * CHUNK)

    def _chunk(builder, base, index):
        """The sixteen numbers at base + index."""
        pointer = builder.bitcast(builder.gep(base, [index]), _WIDE.as_pointer())
        return builder.load(pointer, align=2)

    def _word(number: int) -> ir.Constant:
        return ir.Constant(_I64, number)

    def _add_rows(builder, rows, indices, n, lanes, first):
        """The sum of `first` and the rows of the first n indices, as vectors of sixteen lanes."""
        before = builder.block
        loop = builder.append_basic_block("rows")
        after = builder.append_basic_block("rows.end")
        builder.cbranch(builder.icmp_signed(">", n, _word(0)), loop, after)
        builder.position_at_end(loop)
        i = builder.phi(_I64)
        sums = [builder.phi(_WIDE) for _ in first]
        index = builder.zext(builder.load(builder.gep(indices, [i])), _I64)
        at = builder.mul(index, _word(lanes))
        added = [
            builder.add(one, _chunk(builder, rows, builder.add(at, _word(CHUNK * c)))) for c, one in enumerate(sums)
        ]
        following = builder.add(i, _word(1))
        i.add_incoming(_word(0), before)
        i.add_incoming(following, loop)
        for one, start, end in zip(sums, first, added, strict=True):
            one.add_incoming(start, before)
            one.add_incoming(end, loop)
        builder.cbranch(builder.icmp_signed("<", following, n), loop, after)
        builder.position_at_end(after)
        result = []
        for start, end in zip(first, added, strict=True):
            joined = builder.phi(_WIDE)
            joined.add_incoming(start, before)
            joined.add_incoming(end, loop)
            result.append(joined)
        return result

    def _activate(builder, lanes):
        """Clamped and squared, as sixteen numbers of 32 bits."""
        most = _splat(ONE_HIDDEN - 1)
        positive = builder.select(builder.icmp_signed(">", lanes, _splat(0)), lanes, _splat(0))
        clamped = builder.zext(builder.select(builder.icmp_signed("<", positive, most), positive, most), _WIDER)
        return builder.lshr(builder.mul(clamped, clamped), _splat(_SQUARE_SHIFT, _WIDER))

    def _sum_lanes(builder, vector):
        kind = ir.FunctionType(_I32, [_WIDER])
        add = builder.module.declare_intrinsic(f"llvm.vector.reduce.add.v{CHUNK}i32", fnty=kind)
        return builder.call(add, [vector])

    @intrinsic
    def _infer(_context, network, indices, n, phase):
        fields = network.dtype.fields
        lanes = fields["rows"].type.shape[1]
        phases = fields["out"].type.shape[0]
        offsets = {name: field.offset // 2 for name, field in fields.items()}

        def generate(context, builder, signature, arguments):
            kind, kinds = signature.args[0], signature.args[1]
            base = builder.bitcast(make_array(kind)(context, builder, arguments[0]).data, _I16.as_pointer())
            listed = make_array(kinds)(context, builder, arguments[1]).data
            part = {name: builder.gep(base, [_word(offset)]) for name, offset in offsets.items()}
            chunks = range(lanes // CHUNK)
            bias = [_chunk(builder, part["bias"], _word(CHUNK * c)) for c in chunks]
            sums = _add_rows(builder, part["rows"], listed, arguments[2], lanes, bias)
            out = builder.mul(arguments[3], _word(lanes))
            total = None
            for c in chunks:
                weights = builder.sext(_chunk(builder, part["out"], builder.add(out, _word(CHUNK * c))), _WIDER)
                product = builder.mul(_activate(builder, sums[c]), weights)
                total = product if total is None else builder.add(total, product)
            place = cgutils.alloca_once(builder, _WIDE)
            builder.store(sums[-1], place, align=2)
            lane = builder.add(arguments[3], _word(CHUNK - phases))
            linear = builder.load(builder.gep(builder.bitcast(place, _I16.as_pointer()), [lane]))
            linear = builder.shl(builder.sext(linear, _I64), _word(_SQUARE_BITS))
            return builder.add(builder.sext(_sum_lanes(builder, total), _I64), linear)

        return types.int64(network, indices, types.int64, types.int64), generate

    @overload(infer)
    def _overload_infer(network, indices, n, phase):
        scale = _SCALE
        return lambda network, indices, n, phase: np.float64(_infer(network, indices, n, phase)) * scale

    @overload(static_evaluation)
    def _static_evaluation(state, evaluation):
        if isinstance(evaluation, types.NoneType):
            return lambda state, evaluation: 0.0  # noqa: ARG005
        if isinstance(evaluation.dtype, types.Record):
            return network_evaluation
        if evaluation.ndim == 2:
            return lambda state, evaluation: trainable_evaluation(state, evaluation)
        return lambda state, evaluation: evaluate(state, evaluation)
