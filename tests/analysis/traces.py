"""Makes the traces that the tests of the microscope look at, in a process that runs plain Python.

Its input is a JSON list of [game, moves, search, ideas, depth], perhaps with the search errors of the game's linear
evaluation as [[deeper, shallower, mean, spread], …]; its output a list of [steps, effort].
"""

from __future__ import annotations

import json
import sys

import forgeron
from forgeron.analysis.microscope.microscope import look_into
from forgeron.analysis.microscope.subject import Subject


def main() -> None:
    found = []
    for name, moves, search, ideas, depth, *errors in json.load(sys.stdin):
        game = forgeron.game(name)
        declared = {(deep, shallow): (mean, spread) for deep, shallow, mean, spread in (errors[0] if errors else [])}
        type(game).search_errors = {"linear": declared}
        position = game.start()
        for move in moves:
            position = position.play(move)
        steps: list[list[object]] = []
        effort = look_into(position, Subject.of(search, ideas, depth), steps.extend)
        found.append([steps, effort.to_data()])
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
