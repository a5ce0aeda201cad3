"""An engine in the manner of the course's package: it calls every method of every player, always."""

import numpy as np
from yut import rule


class Player:
    """What players derive from."""

    def name(self):
        return type(self).__name__

    def reset(self, random_state):
        self.random = random_state

    def action(self, state):
        raise NotImplementedError

    def on_my_action(self, state, action, result):
        pass

    def on_enemy_action(self, state, action, result):
        pass


def cast(random_state):
    flat = int((random_state.rand(4) < 0.6).sum())
    return -1 if flat == 1 and random_state.rand() < 0.25 else flat or 5


class GameEngine:
    shape = tuple  # of the positions that it passes, all of them NumPy int32

    def play(self, player1, player2, seed):
        """The winner, 0 or 1. Whoever acts illegally stops the program."""
        players, sticks = (player1, player2), [np.random.RandomState(seed + 1 + seat) for seat in (0, 1)]
        sides = [tuple(np.zeros(4, dtype=np.int32)) for _ in players]
        for seat, player in enumerate(players):
            player.reset(np.random.RandomState(seed + 1 + seat))
        turn = 0
        while True:
            seat = turn % 2
            scores = self.throw(sticks[seat])
            while scores:
                state = (turn, *self.passed(sides[seat], sides[1 - seat]), list(scores))
                action = players[seat].action(state)
                index, score, shortcut, text = action
                assert isinstance(text, str)
                assert 0 <= index < 4, action
                assert score in scores, action
                result = rule.make_move(sides[seat], sides[1 - seat], index, score, shortcut)
                legal, sides[seat], sides[1 - seat], caught = result
                assert legal, (state, action)
                mine, theirs = self.passed(sides[seat], sides[1 - seat])
                after = (turn, mine, theirs, list(scores))
                players[seat].on_my_action(after, action, (legal, mine, theirs, caught))
                after = (turn, theirs, mine, list(scores))
                players[1 - seat].on_enemy_action(after, action, (legal, theirs, mine, caught))
                scores.remove(score)
                if all(position == rule.FINISHED for position in sides[seat]):
                    return seat
                if caught and score < 4:
                    scores += self.throw(sticks[seat])
            turn += 1

    def passed(self, *sides):
        return [self.shape(side) for side in sides]

    def throw(self, sticks):
        scores = [cast(sticks)]
        while scores[-1] in (4, 5):
            scores.append(cast(sticks))
        return scores
