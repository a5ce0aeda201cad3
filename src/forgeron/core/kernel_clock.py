"""The clock that kernels read.

A kernel that must end in time reads the clock itself: another thread that would have to wake up and stop it comes late
on a busy machine.
"""

from __future__ import annotations

import time

from forgeron.core.jit import JIT

#: The system's numbers for the clock that only goes forward and for the processor time of this process; 0 where it has
#: no such call, and kernels cannot tell the time.
MONOTONIC = int(getattr(time, "CLOCK_MONOTONIC", 0))
PROCESSOR = int(getattr(time, "CLOCK_PROCESS_CPUTIME_ID", 0))
#: The clocks of Python that kernels can read, too.
KERNEL_CLOCKS = {time.perf_counter: MONOTONIC, time.process_time: PROCESSOR} if MONOTONIC and PROCESSOR else {}


def now_ns(clock):
    """Nanoseconds by this clock since some moment in the past; always 0 where kernels cannot tell the time."""
    return time.clock_gettime_ns(int(clock)) if MONOTONIC else 0


if JIT:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload

    @intrinsic
    def _read_clock(_context, clock):
        def generate(_target, builder, _signature, arguments):
            word = ir.IntType(64)
            moment = cgutils.alloca_once(builder, ir.ArrayType(word, 2))
            kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), moment.type])
            function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
            builder.call(function, [builder.trunc(arguments[0], ir.IntType(32)), moment])
            seconds, nanoseconds = (builder.extract_value(builder.load(moment), i) for i in (0, 1))
            return builder.add(builder.mul(seconds, ir.Constant(word, 10**9)), nanoseconds)

        return types.int64(types.int64), generate

    @overload(now_ns)
    def _now_ns(clock):
        return (lambda clock: _read_clock(clock)) if MONOTONIC else (lambda clock: 0)
