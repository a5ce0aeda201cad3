"""Arrays inside kernels without the cost of counting references."""

from __future__ import annotations

from forgeron.core.jit import JIT


def borrowed(array):
    """The same array, not counted: for deep recursion, where counting references would cost a third of the time.

    Only inside a kernel, and only while somebody else (the caller's argument) keeps the array alive.
    """
    return array


def publish():
    """Let other threads see what was written before this line before what is written after it."""


if JIT:
    from numba.core import types
    from numba.core.imputils import impl_ret_borrowed
    from numba.extending import intrinsic, overload
    from numba.np.arrayobj import make_array

    @intrinsic
    def _borrowed(_context, array):
        def generate(context, builder, signature, arguments):
            view = make_array(signature.args[0])(context, builder, arguments[0])
            nobody = view.meminfo.type(None)
            view.meminfo = nobody
            view.parent = view.parent.type(None)
            return impl_ret_borrowed(context, builder, signature.return_type, view._getvalue())

        return array(array), generate

    @overload(borrowed)
    def _borrow(array):
        return lambda array: _borrowed(array)

    @intrinsic
    def _fence(_context):
        def generate(context, builder, signature, arguments):
            builder.fence("seq_cst")
            return context.get_dummy_value()

        return types.void(), generate

    @overload(publish)
    def _publish():
        return lambda: _fence()
