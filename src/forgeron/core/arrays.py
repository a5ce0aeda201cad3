"""Arrays inside kernels: without the cost of counting references, on the stack, and shared by threads."""

from __future__ import annotations

import numpy as np

from forgeron.core.jit import JIT


def borrowed(array):
    """The same array, not counted: for deep recursion, where counting references would cost a third of the time.

    Only inside a kernel, and only while somebody else (the caller's argument) keeps the array alive. None stays None.
    """
    return array


def on_stack(size):
    """An array of `size` numbers of 32 bits, with any content, that lives as long as the call it is made in.

    The size is a constant. Only inside a kernel, and never to be returned.
    """
    return np.empty(size, dtype=np.int32)


def words_on_stack(size):
    """The same with 64-bit words."""
    return np.empty(size, dtype=np.uint64)


def store_state(state, words):
    """Write the fields of a state to an array of words, which is long enough; return how many there are."""
    n = 0
    for field in state:
        words[n] = np.uint64(int(field) % 2**64)
        n += 1
    return n


def load_state(like, words):
    """The state whose fields `store_state` wrote, of the class of the state `like`."""
    fields = zip(map(type, like), words[: len(like)].tolist(), strict=True)
    return like._make(kind(_signed(word) if kind is np.int64 else word) for kind, word in fields)


def _signed(word):
    return word - 2**64 if word >= 2**63 else word


def floats_on_stack(size):
    """The same with floating-point numbers of 32 bits."""
    return np.empty(size, dtype=np.float32)


def bytes_on_stack(size):
    """The same with bytes."""
    return np.empty(size, dtype=np.uint8)


def memory_fence():
    """Other threads see what was written before this line before they see what is written after it."""


if JIT:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.core.imputils import impl_ret_borrowed
    from numba.extending import intrinsic, overload
    from numba.np.arrayobj import make_array, populate_array

    @intrinsic
    def _borrowed(_context, array):
        def generate(context, builder, signature, arguments):
            view = make_array(signature.args[0])(context, builder, arguments[0])
            view.meminfo = view.meminfo.type(None)  # no owner, so nothing is counted
            view.parent = view.parent.type(None)
            return impl_ret_borrowed(context, builder, signature.return_type, view._getvalue())

        return array(array), generate

    @overload(borrowed)
    def _borrow(array):
        return (lambda array: array) if isinstance(array, types.NoneType) else (lambda array: _borrowed(array))

    def _allocate(element, size):
        """The signature and the code of an array on the stack; None for a size that is not a constant."""
        if not isinstance(size, types.IntegerLiteral):
            return None
        length, bits = size.literal_value, element.bitwidth

        def generate(context, builder, signature, arguments):
            word = context.get_data_type(element)
            place = cgutils.alloca_once(builder, ir.ArrayType(word, length))
            array = make_array(signature.return_type)(context, builder)
            populate_array(
                array,
                data=builder.bitcast(place, word.as_pointer()),
                shape=[context.get_constant(types.intp, length)],
                strides=[context.get_constant(types.intp, bits // 8)],
                itemsize=context.get_constant(types.intp, bits // 8),
                meminfo=None,
            )
            return array._getvalue()

        return types.Array(element, 1, "C")(size), generate

    @intrinsic(prefer_literal=True)
    def _on_stack(_context, size):
        return _allocate(types.int32, size)

    @intrinsic(prefer_literal=True)
    def _words_on_stack(_context, size):
        return _allocate(types.uint64, size)

    @intrinsic(prefer_literal=True)
    def _floats_on_stack(_context, size):
        return _allocate(types.float32, size)

    @intrinsic(prefer_literal=True)
    def _bytes_on_stack(_context, size):
        return _allocate(types.uint8, size)

    @overload(bytes_on_stack, prefer_literal=True)
    def _bytes_on_stack_of(size):
        return lambda size: _bytes_on_stack(size)

    @overload(floats_on_stack, prefer_literal=True)
    def _floats_on_stack_of(size):
        return lambda size: _floats_on_stack(size)

    @overload(on_stack, prefer_literal=True)
    def _on_stack_of(size):
        return lambda size: _on_stack(size)

    @overload(words_on_stack, prefer_literal=True)
    def _words_on_stack_of(size):
        return lambda size: _words_on_stack(size)

    # Every field of a state is a word of 64 bits, so a state is as many words side by side.

    @intrinsic
    def _store_state(_context, state, words):
        def generate(context, builder, signature, arguments):
            value, array = arguments
            view = make_array(signature.args[1])(context, builder, array)
            for i in range(len(signature.args[0])):
                place = builder.gep(view.data, [context.get_constant(types.intp, i)])
                builder.store(builder.extract_value(value, i), place)
            return context.get_constant(types.intp, len(signature.args[0]))

        return types.intp(state, words), generate

    @intrinsic
    def _load_state(_context, like, words):
        def generate(context, builder, signature, arguments):
            value, array = arguments
            view = make_array(signature.args[1])(context, builder, array)
            for i in range(len(signature.args[0])):
                place = builder.gep(view.data, [context.get_constant(types.intp, i)])
                value = builder.insert_value(value, builder.load(place), i)
            return value

        return like(like, words), generate

    def _are_words(words):
        return isinstance(words, types.Array) and words.dtype == types.uint64 and words.layout == "C"

    @overload(store_state)
    def _store(state, words):
        return (lambda state, words: _store_state(state, words)) if _are_words(words) else None

    @overload(load_state)
    def _load(like, words):
        return (lambda like, words: _load_state(like, words)) if _are_words(words) else None

    @intrinsic
    def _fence(_context):
        def generate(context, builder, signature, arguments):
            builder.fence("seq_cst")
            return context.get_dummy_value()

        return types.void(), generate

    @overload(memory_fence)
    def _memory_fence():
        return lambda: _fence()
