"""Monte Carlo tree search with an evaluator of your own, in plain Python: the player of docs/write-a-player.md.

forgeron match yolah ./examples/player_my_mcts.py greedy --time 200n
"""

from __future__ import annotations

import math
import random

from forgeron import Choice, Option, Player, Position, Search


def judge(position: Position) -> float:
    """The probability that player 0 wins, as this player sees it: points so far, and moves to choose from."""
    if position.outcome is not None:
        winner = position.outcome.winner
        return 0.5 if winner is None else 1.0 - winner
    first, second = position.scores
    freedom = 0.0 if position.turn == "chance" else math.log(len(position.moves)) * (1 - 2 * position.turn)
    return 1 / (1 + math.exp(-0.15 * (first - second) - 0.1 * freedom))


class Node:
    """A position, how often it was visited, and the sum of what player 0 could expect from there."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.visits = 0
        self.total = 0.0
        self.children: dict[int, Node] = {}

    def child(self, move: int) -> Node:
        if move not in self.children:
            self.children[move] = Node(self.position.push(move))
        return self.children[move]

    def value(self, seat: int) -> float:
        mean = self.total / self.visits
        return mean if seat == 0 else 1 - mean


class MyMcts(Player):
    name = "my-mcts"
    summary = "tree search with an evaluator of one's own"
    options = {"exploration": Option(0.7, (), "how much it tries moves that look worse")}

    def think(self, position: Position, search: Search) -> Choice:
        root, rng = Node(position), random.Random(int(self.stream(position)))
        most = search.limit.nodes or math.inf
        while root.visits < most and not search.finished():
            self.simulate(root, rng)
        best = max(root.children.values(), key=lambda node: node.visits)
        move = str(best.position.last_move)
        return Choice(move, best.value(position.turn), (move,), 1, root.visits, search.seconds)

    def simulate(self, root: Node, rng: random.Random) -> None:
        path = [root]
        while path[-1].visits and path[-1].position.turn is not None:
            path.append(self.select(path[-1], rng))
        value = judge(path[-1].position)
        for node in path:
            node.visits += 1
            node.total += value

    def select(self, node: Node, rng: random.Random) -> Node:
        position = node.position
        if position.turn == "chance":
            return node.child(rng.choices(position.moves, position.chances())[0])
        untried = [move for move in position.moves if move not in node.children]
        if untried:
            return node.child(rng.choice(untried))
        bonus = self.chosen["exploration"] * math.sqrt(math.log(node.visits))
        return max(
            node.children.values(), key=lambda child: child.value(position.turn) + bonus / math.sqrt(child.visits)
        )
