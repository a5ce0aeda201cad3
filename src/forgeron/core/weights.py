"""Weights of an evaluation as data: a JSON file that gives each of them by its name.

{"game": "yolah", "note": "where they come from", "weights": {"lead": 0.25, "mobility": 0.05}}
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np

from forgeron.core.errors import OptionError
from forgeron.core.files import read_file, write_file
from forgeron.core.json_text import read_json


def read_weights(file: Path | Traversable, game: str, names: Sequence[str]) -> np.ndarray:
    """The weights in the order of `names`; each name must be there, and no other."""
    try:
        data = read_json(read_file(file).decode())
        owner, given = data["game"], data["weights"]
        values = {str(name): float(value) for name, value in given.items()}
    except FileNotFoundError:
        raise OptionError(f"there is no file '{file}' with weights") from None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        raise OptionError(f'\'{file}\' is not a file of weights: {{"game": …, "weights": {{name: number}}}}') from None
    if owner != game:
        raise OptionError(f"the weights of '{file}' are for {owner}, not for {game}")
    for name in names:
        if name not in values:
            raise OptionError(f"'{file}' lacks the weight '{name}'; it needs {', '.join(names)}")
    for name in values:
        if name not in names:
            raise OptionError(f"'{file}' has a weight '{name}' that {game} does not know; valid: {', '.join(names)}")
        if not math.isfinite(values[name]):
            raise OptionError(f"the weight '{name}' in '{file}' is {values[name]}, which is not a number to judge by")
    return np.array([values[name] for name in names])


@cache
def shipped_weights(package: str, file: str, game: str, names: tuple[str, ...]) -> np.ndarray:
    """The weights in a file of a game's package: the same array every time.

    They are read when they are asked for, and not into a global of the module that has the evaluation: that would count
    as a part of what is compiled, and other weights would mean to compile everything anew.
    """
    return read_weights(files(package) / file, game, names)


def write_weights(file: Path, game: str, names: Sequence[str], weights: np.ndarray, note: str) -> None:
    """Write what `read_weights` reads, all of it or nothing; six digits are more than any match can tell apart."""
    values = {name: float(f"{weight:.6g}") for name, weight in zip(names, weights, strict=True)}
    text = json.dumps({"game": game, "note": note, "weights": values}, indent=2, ensure_ascii=False)
    write_file(file, text + "\n")
