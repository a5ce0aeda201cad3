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
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import call
from typing import Any, TypeVar, get_type_hints

import numpy as np

from forgeron.core.arrays import store_state
from forgeron.core.bits import ctz, without_lowest
from forgeron.core.errors import ContractError
from forgeron.core.jit import JIT, compiled, inlined
from forgeron.core.rng import below, unit

F = TypeVar("F", bound=Callable[..., Any])

#: What `turn` answers when the next move is a throw of the dice.
CHANCE = np.int64(2)
#: What `turn` answers when the game has ended.
OVER = np.int64(3)
#: What `solve` answers when it cannot tell how the game will end.
UNKNOWN = np.int64(-(2**62))

#: What `rank` answers for a position that no table of exact values has.
UNRANKED = np.int64(2**62)

#: No game lasts longer, however it is played: beyond this it is taken for endless.
MAX_PLIES = 100_000

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
    "planes": ("state", "seat"),
    "features": ("state", "seat", "out"),
    "phase": ("state",),
    "image": ("state", "symmetry"),
    "action": ("state", "move"),
    "rank": ("state",),
    "unrank": ("state", "index"),
    "turn_rank": ("state",),
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
    if "__array__" not in vars(state):
        setattr(state, "__array__", _as_array)  # noqa: B010 - a class of somebody else
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


def _as_array(state: Any, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
    """The fields of a state, none of them rounded: NumPy by itself makes floats of signed and unsigned words together.

    The words are unsigned, a negative field in two's complement, unless all fields are signed.
    """
    if copy is False:
        raise ValueError("a state is no array: NumPy has to copy it")
    cls: Any = type(state)
    kinds = field_types(cls)
    words = np.array([int(field) % 2**64 for field in state], dtype=np.uint64)
    words = words.view(np.int64) if all(kind is np.int64 for kind in kinds) else words
    return words if dtype is None else words.astype(dtype)


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


def build(cls: Any, fields: Sequence[Any]) -> Any:
    """The state of this class with these fields, every one in its declared integer type."""
    kinds = field_types(cls)
    if len(fields) != len(kinds):
        raise ContractError(f"{cls.__module__}.{cls.__name__} has {len(kinds)} fields, not {len(fields)}")
    return tuple.__new__(cls, map(call, kinds, fields))  # no loop in Python: this is done for every move played


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


def planes(state, seat):
    """The position as `seat` sees it: a fixed number of 64-bit words, in which bit b of word w is input 64 w + b.

    What belongs to the seat comes first, so that one network serves both players.
    """
    return _of(state, "planes")(state, seat)


def features(state, seat, out):
    """Write the features that the position has, as `seat` sees it, to `out`; return how many. Kernels call `active`.

    A feature is a number from 0 to the game's `feature_count` - 1; at most `max_features` of them are active at once.
    The same one may be written twice and then counts twice.
    """
    return _of(state, "features")(state, seat, out)


def phase(state):
    """The stage of the game, from 0 to the game's `phases` - 1: a network weighs what it sees by it."""
    return _of(state, "phase")(state) if offers(type(state), "phase") else 0


def image(state, symmetry):
    """The state turned or mirrored, by one of the game's `images` symmetries; number 0 leaves it as it is.

    It is played out in the same way: the same player moves, has as many moves, and wins by as much. The image of a
    position need not be one that the game can reach.
    """
    return _of(state, "image")(state, symmetry) if offers(type(state), "image") else state


def action(state, move):
    """The number of a player's legal move among the game's `action_count` actions; the move's own where no rule says.

    Legal moves of the same state have different actions. Throws have none.
    """
    return _of(state, "action")(state, move) if offers(type(state), "action") else np.int64(move)


def rank(state):
    """In a game with chance: the index, in a table of exact values, of the position in which a turn begins, with its
    first throw to be made; `UNRANKED` for every other one.

    It tells apart all that matters for the result, options included. Indices are so ordered that a turn leads from an
    index to others of the same level or a lower one: see `Game.table_levels`.
    """
    return _of(state, "rank")(state) if offers(type(state), "rank") else UNRANKED


def unrank(state, index):
    """The position of this index in the game that `state` belongs to, for one of both players; one that is over when
    the index has none. A game without tables gives the state itself, so that a kernel for all games can be compiled."""
    return _of(state, "unrank")(state, index) if offers(type(state), "unrank") else state


def turn_rank(state):
    """With `rank`, for a position in the middle of a turn as well: the index of the turn start with the same board, and
    the number of what is in hand.

    Number 0 is the turn start itself. The more throws were made in a row, the greater the number: a solver looks at
    those below a limit.
    """
    return _of(state, "turn_rank")(state)


# --- what kernels call where a game may or may not have a function of its own --------------------------------------


def observe(state, seat, out):
    """Write the words that `seat` sees to `out`; return how many: the game's `planes`, or else the words of the state
    and one more, whose bit 0 says that the seat is to move and bit 1 which one it is."""
    ways = _write_planes if offers(type(state), "planes") else _write_state
    return ways(state, seat, out)


def active(state, seat, out):
    """The features of a position: the game's `features`, or the numbers of the bits that are set in its `planes`."""
    ways = features if offers(type(state), "features") else _list_bits
    return ways(state, seat, out)


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


@inlined
def player_on_turn(state, state_turn, player):
    """Whose turn it is: at a throw, of the one who may move after it; `player` where that is nobody."""
    for _ in range(8):
        if state_turn != CHANCE:
            break
        state = play(state, np.int64(0))
        state_turn = turn(state)
    return state_turn if state_turn < CHANCE else player


@compiled
def _list_bits(state, seat, out):
    n, first = 0, 0
    for plane in planes(state, seat):
        left = plane
        while left and n < len(out):
            out[n] = first + np.int64(ctz(left))
            left = without_lowest(left)
            n += 1
        first += 64
    return n


@compiled
def _write_planes(state, seat, out):
    n = 0
    for plane in planes(state, seat):
        out[n] = np.uint64(plane)
        n += 1
    return n


@compiled
def _write_state(state, seat, out):
    n = store_state(state, out)
    out[n] = np.uint64(turn(state) == seat) | (np.uint64(seat) << np.uint64(1))
    return n + 1


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
    from forgeron.core.code_library import RULES
    from forgeron.core.jit import HELPER_OPTIONS
    from forgeron.core.overloads import overload_once

    def _rule(state: Any, name: str) -> Callable[..., Any] | None:
        """The game's function for a Numba type of state, or None when it has none."""
        cls = getattr(state, "instance_class", None)
        return _functions[cls].get(name) if cls in _functions else None

    def _dispatch(function: Callable[..., Any]) -> Callable[[F], F]:
        RULES.add(function.__name__)
        return overload_once(function, {**HELPER_OPTIONS, "forceinline": True})

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

    @_dispatch(planes)
    def _planes(state, seat):
        return _rule(state, "planes")

    @_dispatch(features)
    def _features(state, seat, out):
        return _rule(state, "features")

    @_dispatch(phase)
    def _phase(state):
        return _rule(state, "phase") or (lambda state: np.int64(0))

    @_dispatch(image)
    def _image(state, symmetry):
        return _rule(state, "image") or (lambda state, symmetry: state)

    @_dispatch(action)
    def _action(state, move):
        return _rule(state, "action") or (lambda state, move: np.int64(move))

    @_dispatch(observe)
    def _observe(state, seat, out):
        return _write_planes if _rule(state, "planes") else _write_state

    @_dispatch(rank)
    def _rank(state):
        return _rule(state, "rank") or (lambda state: UNRANKED)

    @_dispatch(unrank)
    def _unrank(state, index):
        return _rule(state, "unrank") or (lambda state, index: state)

    @_dispatch(turn_rank)
    def _turn_rank(state):
        return _rule(state, "turn_rank")

    @_dispatch(active)
    def _active(state, seat, out):
        if _rule(state, "features"):
            return lambda state, seat, out: features(state, seat, out)
        return _list_bits if _rule(state, "planes") else None

    @_dispatch(pick)
    def _pick(state, bits, out):
        return _pick_directly if _rule(state, "random_move") else _pick_from_list

    @_dispatch(mobility)
    def _mobility(state, out):
        return _count_directly if _rule(state, "count") else (lambda state, out: moves(state, out))

    @_dispatch(throw)
    def _throw(state, bits, probs):
        return _throw_listed if _rule(state, "chance") else (lambda state, bits, probs: np.int64(0))
