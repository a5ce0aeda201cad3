"""A player of your own, in one file: forgeron match yolah ./examples/player_mobility.py greedy --time 100n"""

from __future__ import annotations

from forgeron import Choice, Option, Player, Position, Search


class MobilityPlayer(Player):
    """Looks one ply ahead and leaves the opponent as few moves as it can."""

    name = "mobility"
    summary = "the move that leaves the opponent the fewest moves"
    options = {"ties": Option("first", ("first", "last"), "which of equally good moves")}

    def think(self, position: Position, search: Search) -> Choice:
        answers = [len(position.push(move).moves) for move in position.moves]
        equal = [i for i, count in enumerate(answers) if count == min(answers)]
        move = position.legal_moves()[equal[0 if self.chosen["ties"] == "first" else -1]]
        return Choice(move, value=0.5, line=(move,), depth=1, nodes=len(answers), seconds=search.seconds)
