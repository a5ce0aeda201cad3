"""How far a shallow search is from a deeper one: what ProbCut needs to know of a game and its evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from forgeron.core.errors import ContractError


class SearchError(NamedTuple):
    """Of the deeper value less the shallower one, in thousandths of log-odds for the side to move."""

    mean: int
    spread: int
    """standard deviation"""


#: Mean and spread by the deeper and the shallower depth in plies; the static evaluation is a search of depth 0.
SearchErrors = Mapping[tuple[int, int], tuple[int, int]]


def nearest_error(errors: SearchErrors, depth: int, shallower: int) -> SearchError | None:
    """The error of a pair of depths; beyond those that were measured, that of the deepest pair with the same distance
    and parity; None where nothing like it was measured.

    >>> nearest_error({(4, 3): (-49, 207), (1, 0): (82, 288)}, 8, 7)
    SearchError(mean=-49, spread=207)
    >>> nearest_error({(4, 3): (-49, 207), (1, 0): (82, 288)}, 3, 2) is None
    True
    """
    while (depth, shallower) not in errors:
        depth, shallower = depth - 2, shallower - 2
        if shallower < 1:  # the static evaluation is too different to stand for a search
            return None
    return SearchError(*errors[depth, shallower])


def check_search_errors(owner: str, declared: Mapping[str, SearchErrors]) -> None:
    """Refuse what a game declares if it cannot have been measured."""
    for evaluation, errors in declared.items():
        for pair, (_, spread) in errors.items():
            deep, shallow = pair
            if not 0 <= shallow < deep or spread <= 0:
                raise ContractError(
                    f"{owner}: search_errors[{evaluation!r}] has {pair}: {errors[pair]}; "
                    "it should be {(deeper depth, shallower depth): (mean, spread)} with a spread above 0"
                )
