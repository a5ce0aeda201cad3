"""A player of the course, as its students write one: it needs the package beside it, and believes all it is told."""

from yut.engine import GameEngine, Player
from yut.rule import FINISHED, make_move


class FarFirst(Player):
    """Catches where it can, else moves its farthest piece; counts the games and actions of its life."""

    def __init__(self):
        self.games = self.actions = 0
        self.before = None

    def reset(self, random_state):
        super().reset(random_state)
        self.games += 1
        self.mine = self.theirs = (0, 0, 0, 0)
        print("game", self.games, "after", self.actions, "actions")

    def action(self, state):
        _turn, mine, theirs, scores = state
        assert (tuple(mine), tuple(theirs)) == (self.mine, self.theirs), (state, self.mine, self.theirs)
        best = None
        for score in scores:
            for index, position in enumerate(mine):
                legal, _after, _theirs, caught = make_move(mine, theirs, index, score, True)
                if legal and (best is None or (caught, position) > best[0]):
                    best = (caught, position), (index, score, True, f"{caught} caught")
        return best[1]

    def on_my_action(self, state, action, result):
        self.follow(state, result)

    def on_enemy_action(self, state, action, result):
        self.follow(state, result)

    def follow(self, state, result):
        """The positions in the state are those after the action, as in the result."""
        legal, mine, theirs, caught = result
        assert legal
        assert (tuple(state[1]), tuple(state[2])) == (tuple(mine), tuple(theirs)), (state, result)
        assert caught in (0, 1, 2, 3, 4)
        self.mine, self.theirs = tuple(mine), tuple(theirs)
        self.actions += 1
        if min(mine) == FINISHED or min(theirs) == FINISHED:
            print("over:", *self.mine, "against", *self.theirs)


def play_games(other, seeds):
    """Games of this class against another one, both seats of every seed; how many it won."""
    engine = GameEngine()
    return sum(engine.play(FarFirst(), other, s) == 0 for s in seeds) + sum(
        engine.play(other, FarFirst(), s) == 1 for s in seeds
    )
