"""The clock that kernels read.

A kernel that must end in time reads the clock itself: another thread that would have to wake up and stop it comes late
on a busy machine.
"""

from __future__ import annotations

import time

from forgeron.core.jit import JIT

#: The system's number for the clock that only goes forward; 0 where it has no such call, and kernels cannot tell time.
_CLOCK = int(getattr(time, "CLOCK_MONOTONIC", 0))


def now_ns():
    """Nanoseconds since some moment in the past; always 0 where kernels cannot tell the time."""
    return time.clock_gettime_ns(_CLOCK) if _CLOCK else 0


if JIT:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload

    @intrinsic
    def _read_clock(_context):
        def generate(_target, builder, _signature, _arguments):
            word = ir.IntType(64)
            moment = cgutils.alloca_once(builder, ir.ArrayType(word, 2))
            kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), moment.type])
            function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
            builder.call(function, [ir.Constant(ir.IntType(32), _CLOCK), moment])
            seconds, nanoseconds = (builder.extract_value(builder.load(moment), i) for i in (0, 1))
            return builder.add(builder.mul(seconds, ir.Constant(word, 10**9)), nanoseconds)

        return types.int64(), generate

    @overload(now_ns)
    def _now_ns():
        return (lambda: _read_clock()) if _CLOCK else (lambda: 0)
