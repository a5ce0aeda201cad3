"""The contract of a game: a handful of pure functions over its state.

Kernels call the functions of this module (`turn(state)`, `moves(state, out)`, …); each call goes to the function that
the game registered for that type of state. Inside compiled code the choice is made while compiling, so it costs
nothing at run time and one generic search serves every game.

A game registers its functions with `rules_for`:

    rule = rules_for(State)

    @rule
    def turn(state): ...
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, TypeVar, get_type_hints

import numpy as np

from forgeron.core.errors import ContractError
from forgeron.core.jit import JIT, compiled
from forgeron.core.rng import below, unit

F = TypeVar("F", bound=Callable[..., Any])

#: What `turn` answers when the next move is a throw of the dice.
CHANCE = np.int64(2)
#: What `turn` answers when the game has ended.
OVER = np.int64(3)
#: What `solve` answers when it cannot tell how the game will end.
UNKNOWN = np.int64(-(2**62))

#: The parameter names of each function of the contract; a game's functions must have the same.
SIGNATURES: dict[str, tuple[str, ...]] = {
    "turn": ("state",),
    "moves": ("state", "out"),
    "play": ("state", "move"),
    "score": ("state",),
    "key": ("state",),
    "evaluate": ("state", "weights"),
    "chance": ("state", "probs"),
    "random_move": ("state", "bits"),
    "count": ("state",),
    "solve": ("state",),
}
#: Functions every game must have; the others are offered where they make sense.
REQUIRED = ("turn", "moves", "play", "score", "key")

_functions: dict[type, dict[str, Callable[..., Any]]] = {}


def rules_for(state: type) -> Callable[[F], F]:
    """A decorator that registers a function, under its own name, as the contract's function for `state`."""
    fields = get_type_hints(state)
    if not fields or not all(kind in (np.uint64, np.int64) for kind in fields.values()):
        raise ContractError(f"{state.__name__} must be a NamedTuple whose fields are all np.uint64 or np.int64")
    # Machine code is named by the state's name, not by its class: two games that both say `State` and have the same
    # kinds of fields would run each other's rules.
    state.__name__ = f"{state.__module__}.{state.__qualname__}"
    mine = _functions.setdefault(state, {})

    def register(function: F) -> F:
        name = function.__name__
        expected = SIGNATURES.get(name)
        if expected is None:
            raise ContractError(f"'{name}' is not part of the contract; its functions are {', '.join(SIGNATURES)}")
        given = tuple(inspect.signature(function).parameters)
        if given != expected:
            raise ContractError(f"{name} must take ({', '.join(expected)}), not ({', '.join(given)})")
        mine[name] = function
        if JIT:
            from forgeron.core.cache import add_sources

            add_sources(state, function.__module__)
        return compiled(function)

    return register


def offers(state: type, name: str) -> bool:
    """Whether the game of this state type has the function `name`."""
    return name in _functions.get(state, {})


def rules_of(state: type) -> Mapping[str, Callable[..., Any]]:
    """The functions that were registered for this type: none when it is not the state of a game."""
    return _functions.get(state, {})


def missing(state: type) -> list[str]:
    """The required functions that this state type lacks."""
    return [name for name in REQUIRED if not offers(state, name)]


@cache
def field_types(state: type) -> tuple[type, ...]:
    """The integer type of each field of a state class."""
    return tuple(get_type_hints(state).values())


def fixed(state: Any) -> Any:
    """The same state with every field in its declared integer type.

    Compiled code hands integers back as Python ints, and an int of the wrong type would compile a second, wrong
    variant of a kernel: every state that enters a kernel has gone through here.
    """
    return build(type(state), state)


def build(cls: Any, fields: Iterable[Any]) -> Any:
    """The state of this class with these fields, every one in its declared integer type."""
    return cls._make([kind(value) for kind, value in zip(field_types(cls), fields, strict=True)])


def _of(state: Any, name: str) -> Callable[..., Any]:
    try:
        return _functions[type(state)][name]
    except KeyError:
        raise ContractError(f"{type(state).__module__}.{type(state).__name__} has no function '{name}'") from None


# --- the functions themselves, as kernels call them ---------------------------------------------------------------


def turn(state):
    """Who moves: 0, 1, `CHANCE` or `OVER`."""
    return _of(state, "turn")(state)


def moves(state, out):
    """Write each legal move once, in a fixed order, to `out`; return how many. 0 only when the game is over."""
    return _of(state, "moves")(state, out)


def play(state, move):
    """The state after a legal move; what happens for another number is not defined."""
    return _of(state, "play")(state, move)


def score(state):
    """The final result for player 0 as an integer: the sign says who won, the size by how much."""
    return _of(state, "score")(state)


def key(state):
    """A 64-bit hash of everything the rules can tell apart."""
    return _of(state, "key")(state)


def evaluate(state, weights):
    """The estimated log-odds that player 0 wins (the viewpoint of `score`); 0.0 where the game has no evaluation."""
    return _of(state, "evaluate")(state, weights) if offers(type(state), "evaluate") else 0.0


def chance(state, probs):
    """At `CHANCE`: write the probability of each outcome to `probs`; return how many. Outcomes are moves 0 … n-1.

    0 in a game without chance, so that a search for all games can be compiled for it.
    """
    return _of(state, "chance")(state, probs) if offers(type(state), "chance") else 0


def random_move(state, bits):
    """A uniformly random legal move from a random word, where the game has a fast way; kernels call `pick`."""
    return _of(state, "random_move")(state, bits)


def count(state):
    """How many legal moves there are, where the game has a fast way; kernels call `mobility`."""
    return _of(state, "count")(state)


def solve(state):
    """The final score if both sides play perfectly, or `UNKNOWN`; a game may know it early and cheaply.

    The sign must be right; the size may be the margin that best play is certain to reach. At the end of the game it is
    the score, for a game in which margins matter more than a quick end, or `UNKNOWN`.
    """
    return _of(state, "solve")(state) if offers(type(state), "solve") else UNKNOWN


# --- what kernels call where a game may or may not have a function of its own --------------------------------------


def pick(state, bits, out):
    """A uniformly random legal move: the game's `random_move`, or one from the list it writes to `out`."""
    ways = _pick_directly if offers(type(state), "random_move") else _pick_from_list
    return ways(state, bits, out)


def mobility(state, out):
    """How many legal moves there are: the game's `count`, or the length of the list it writes to `out`."""
    ways = _count_directly if offers(type(state), "count") else moves
    return ways(state, out)


def throw(state, bits, probs):
    """At `CHANCE`, an outcome drawn with its probability; `probs` is scratch space."""
    return _throw_listed(state, bits, probs)


@compiled
def _pick_directly(state, bits, out):
    return random_move(state, bits)


@compiled
def _pick_from_list(state, bits, out):
    n = moves(state, out)
    return np.int64(out[np.int64(below(bits, n))])


@compiled
def _count_directly(state, out):
    return count(state)


@compiled
def _throw_listed(state, bits, probs):
    n = chance(state, probs)
    left = unit(bits)
    for outcome in range(n - 1):
        left -= probs[outcome]
        if left < 0.0:
            return np.int64(outcome)
    return np.int64(n - 1)


if JIT:
    from numba.extending import overload

    def _rule(state: Any, name: str) -> Callable[..., Any] | None:
        """The game's function for a Numba type of state, or None when it has none."""
        cls = getattr(state, "instance_class", None)
        return _functions[cls].get(name) if cls in _functions else None

    def _dispatch(function: Callable[..., Any]) -> Callable[[F], F]:
        decorate: Callable[[F], F] = overload(function, jit_options={"error_model": "numpy", "forceinline": True})
        return decorate

    @_dispatch(turn)
    def _turn(state):
        return _rule(state, "turn")

    @_dispatch(moves)
    def _moves(state, out):
        return _rule(state, "moves")

    @_dispatch(play)
    def _play(state, move):
        return _rule(state, "play")

    @_dispatch(score)
    def _score(state):
        return _rule(state, "score")

    @_dispatch(key)
    def _key(state):
        return _rule(state, "key")

    @_dispatch(evaluate)
    def _evaluate(state, weights):
        return _rule(state, "evaluate") or (lambda state, weights: 0.0)

    @_dispatch(chance)
    def _chance(state, probs):
        return _rule(state, "chance") or (lambda state, probs: np.int64(0))

    @_dispatch(random_move)
    def _random_move(state, bits):
        return _rule(state, "random_move")

    @_dispatch(count)
    def _count(state):
        return _rule(state, "count")

    @_dispatch(solve)
    def _solve(state):
        return _rule(state, "solve") or (lambda state: UNKNOWN)

    @_dispatch(pick)
    def _pick(state, bits, out):
        return _pick_directly if _rule(state, "random_move") else _pick_from_list

    @_dispatch(mobility)
    def _mobility(state, out):
        return _count_directly if _rule(state, "count") else (lambda state, out: moves(state, out))

    @_dispatch(throw)
    def _throw(state, bits, probs):
        return _throw_listed if _rule(state, "chance") else (lambda state, bits, probs: np.int64(0))
